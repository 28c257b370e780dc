"""What the benchmarks share: lines of the table, clocks that take turns, what kernels want to be called with."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from gamelab.core.game import Game

__all__ = [
    "CHECKED_SIMULATIONS",
    "Line",
    "alternate",
    "check",
    "check_equal",
    "check_same_search",
    "fail",
    "line",
    "missing",
    "one_core",
    "timed",
    "two_states",
]

REPETITIONS = 7
CHECKED_SEARCHES = 150
CHECKED_SIMULATIONS = 1000

# Runs so many simulations: the share of the visits to each of the root's actions, and the nodes of the tree.
Search = Callable[[int], tuple[dict[int, float], int]]


@dataclass(frozen=True)
class Line:
    """One line of the table: the median and range of repeated measurements, or a note why there are none."""

    name: str
    unit: str = ""
    median: float | None = None
    low: float | None = None
    high: float | None = None
    goal: str = ""
    note: str = ""


def line(name: str, unit: str, values: list[float], goal: str = "") -> Line:
    """The median and range of repeated measurements."""
    return Line(name, unit, statistics.median(values), min(values), max(values), goal)


def missing(name: str, why: str) -> Line:
    """A line without figures."""
    return Line(name, note=why)


def timed(work: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    kept = work()
    elapsed = time.perf_counter() - started
    del kept  # what the call returns is freed off the clock
    return elapsed


def alternate(*works: Callable[[], object], repetitions: int = REPETITIONS) -> list[list[float]]:
    """Seconds that each piece of work takes, once in turn and then again: a list for each piece."""
    rows = [[timed(work) for work in works] for _ in range(repetitions)]
    return [list(column) for column in zip(*rows, strict=True)]


def fail(message: str) -> NoReturn:
    """Stop with one line."""
    sys.exit(f"benchmarks: {message}")


def check(holds: object, message: str) -> None:
    """Stop with one line if what is compared is not the same work."""
    if not holds:
        fail(message)


def check_equal(what: str, ours: list[float], theirs: list[float], tolerance: float = 0.0) -> None:
    """Stop unless the means of repeated results agree within six of their standard errors and a tolerance."""
    error = (statistics.variance(ours) / len(ours) + statistics.variance(theirs) / len(theirs)) ** 0.5
    mean, their_mean = statistics.fmean(ours), statistics.fmean(theirs)
    check(
        abs(mean - their_mean) <= tolerance + 6 * error,
        f"{what}: {mean:.4f} here and {their_mean:.4f} there, with a standard error of {error:.4f}: not the same work",
    )


def check_same_search(ours: Search, theirs: Search) -> None:
    """Stop unless two searches share their visits alike among the root's actions, and grow trees of the same size.

    One search says little: which action it comes to prefer is chance, even after 100,000 simulations. So many short ones are
    compared by their means.
    """
    mine, others = ([search(CHECKED_SIMULATIONS) for _ in range(CHECKED_SEARCHES)] for search in (ours, theirs))
    for action in mine[0][0]:
        shares, other_shares = ([visits[action] for visits, _ in found] for found in (mine, others))
        check_equal(f"share of the visits to action {action}", shares, other_shares)
    check_equal("nodes of a tree", [float(nodes) for _, nodes in mine], [float(nodes) for _, nodes in others])


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and the threads that it starts, on one core, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def two_states(game: Game, text: str | None = None) -> np.ndarray:
    """A state and room for another, as the kernels want them."""
    state = game.new_initial_state() if text is None else game.state_from_text(text)
    return np.concatenate([state.array, game.blank_array()])
