"""Room on the stack: numbers stay there while a kernel runs, and calls do not share it."""

import numpy as np

from gamelab.core._jit import njit_lean
from gamelab.core.records import scratch


@njit_lean
def squares(numbers):
    room = scratch(100)
    for i in range(len(numbers)):
        room[i] = numbers[i] * numbers[i]
    below = squares_of_fewer(numbers)
    total = 0.0
    for i in range(len(numbers)):
        total += room[i]
    return total - below


@njit_lean
def squares_of_fewer(numbers):
    room = scratch(100)
    total = 0.0
    for i in range(len(numbers) - 1):
        room[i] = numbers[i] * numbers[i]
        total += room[i]
    return total


def test_kernels_without_reference_counts_can_use_it():
    assert squares(np.arange(100.0)) == 99**2


def test_it_does_not_pile_up():
    """A hundred thousand calls of one kernel would take 80 MB if each kept its room."""
    assert many(np.arange(10.0), 100_000) == 100_000 * 81


@njit_lean
def many(numbers, times):
    total = 0.0
    for _ in range(times):
        total += squares(numbers)
    return total
