"""Bit operations on 64-bit words that compile to one machine instruction each, or a few without a branch.

A bitboard is a `numpy.uint64`: bit s stands for square s. Each function has a plain Python body, which is what runs with
NUMBA_DISABLE_JIT=1; jitted code gets the processor's own instruction.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

__all__ = ["bit", "highest", "highest_bit", "lowest", "lowest_bit", "mix", "nth", "popcount", "without_lowest"]


def popcount(word: Any) -> int:
    """Number of set bits.

    Examples
    --------
    >>> popcount(np.uint64(0b1011))
    3
    """
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """Index of the lowest set bit, 0 to 63. The word must not be 0.

    Examples
    --------
    >>> lowest(np.uint64(0b1100))
    2
    """
    return (int(word) & -int(word)).bit_length() - 1


def highest(word: Any) -> int:
    """Index of the highest set bit, 0 to 63. The word must not be 0.

    Examples
    --------
    >>> highest(np.uint64(0b1100))
    3
    """
    return int(word).bit_length() - 1


def bit(index: Any) -> np.uint64:
    """The word in which only bit `index` is set (0 to 63)."""
    return np.uint64(1 << int(index))


def without_lowest(word: Any) -> np.uint64:
    """The word with its lowest set bit cleared.

    Examples
    --------
    >>> int(without_lowest(np.uint64(0b1100)))
    8
    """
    return np.uint64(int(word) & (int(word) - 1))


def lowest_bit(word: Any) -> np.uint64:
    """The word with only its lowest set bit left; 0 stays 0.

    Examples
    --------
    >>> int(lowest_bit(np.uint64(0b1100)))
    4
    """
    return np.uint64(int(word) & -int(word))


def highest_bit(word: Any) -> np.uint64:
    """The word with only its highest set bit left; 0 stays 0.

    Examples
    --------
    >>> int(highest_bit(np.uint64(0b1100)))
    8
    """
    return np.uint64(1 << int(word).bit_length() >> 1)


def nth(word: Any, n: Any) -> int:
    """Index of the n-th lowest set bit, counted from 0. More than `n` bits must be set.

    Examples
    --------
    >>> nth(np.uint64(0b110100), 1)
    4
    """
    for _ in range(int(n)):
        word = without_lowest(word)
    return lowest(word)


def mix(word: Any) -> np.uint64:
    """Scramble a word one to one: near inputs, unrelated outputs (the mixer of SplitMix64; Steele, Lea, Flood 2014)."""
    mask = (1 << 64) - 1
    z = (int(word) + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return np.uint64(z ^ (z >> 31))


def _instruction(build: Callable[..., Any]) -> Any:
    """An intrinsic from uint64 to int64 whose code `build` emits."""

    def typed(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return types.int64(types.uint64), codegen

    return intrinsic(typed)


def _leading_zeros(builder: Any, word: Any) -> Any:
    return builder.ctlz(word, ir.Constant(ir.IntType(1), 1))


def _trailing_zeros(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


_ctpop = _instruction(lambda builder, word: builder.ctpop(word))
_ctlz = _instruction(_leading_zeros)
_cttz = _instruction(_trailing_zeros)


@overload(popcount, inline="always")
def _popcount(word):  # type: ignore[no-untyped-def]
    return lambda word: _ctpop(np.uint64(word))


@overload(lowest, inline="always")
def _lowest(word):  # type: ignore[no-untyped-def]
    return lambda word: _cttz(np.uint64(word))


@overload(highest, inline="always")
def _highest(word):  # type: ignore[no-untyped-def]
    return lambda word: 63 - _ctlz(np.uint64(word))


@overload(bit, inline="always")
def _bit(index):  # type: ignore[no-untyped-def]
    return lambda index: np.uint64(1) << np.uint64(index)


@overload(without_lowest, inline="always")
def _without_lowest(word):  # type: ignore[no-untyped-def]
    return lambda word: word & (word - np.uint64(1))


@overload(lowest_bit, inline="always")
def _lowest_bit(word):  # type: ignore[no-untyped-def]
    return lambda word: word & (~word + np.uint64(1))


@overload(highest_bit, inline="always")
def _highest_bit(word):  # type: ignore[no-untyped-def]
    # No branch on 0: bit 0 is then found, and masked away.
    return lambda word: word & (np.uint64(1 << 63) >> np.uint64(_ctlz(word | np.uint64(1))))


def _nth_in_bytes() -> NDArray[np.uint64]:
    """For each n and byte the index of its n-th lowest set bit. Shape (8, 256)."""
    table = np.zeros((8, 256), dtype=np.uint64)
    for byte in range(256):
        indices = [index for index in range(8) if byte >> index & 1]
        table[: len(indices), byte] = indices
    return table


NTH_IN_BYTE = _nth_in_bytes()


def _deposits_bits() -> bool:
    """Whether the code is compiled for a processor that deposits bits (BMI2's pdep) in a cycle: AMD's first two Zen do not."""
    if os.environ.get("NUMBA_CPU_NAME") or os.environ.get("NUMBA_CPU_FEATURES"):
        return False
    features = binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and binding.get_host_cpu_name() not in ("znver1", "znver2")


DEPOSITS_BITS = _deposits_bits()


@intrinsic
def _deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        deposit = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64")
        return builder.call(deposit, args)

    return types.uint64(types.uint64, types.uint64), codegen


@overload(nth)
def _nth(word, n):  # type: ignore[no-untyped-def]
    """Without a loop, whose end no processor predicts. S. Vigna, "Broadword implementation of rank/select queries" (2008)."""
    if DEPOSITS_BITS:
        return lambda word, n: _cttz(_deposit(np.uint64(1) << np.uint64(n), np.uint64(word)))  # type: ignore[call-arg]

    def selected(word, n):  # type: ignore[no-untyped-def]
        # Count the bits of pairs, of nibbles, then in each byte those of it and all lower ones.
        counts = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
        counts = (counts & np.uint64(0x3333333333333333)) + ((counts >> np.uint64(2)) & np.uint64(0x3333333333333333))
        counts = ((counts + (counts >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)) * np.uint64(0x0101010101010101)
        # The top bit of a byte stays set where that is at most n: those bytes lie below the one that is looked for.
        below = ((np.uint64(n) * np.uint64(0x0101010101010101)) | np.uint64(0x8080808080808080)) - counts
        shift = np.uint64(8 * _ctpop(below & np.uint64(0x8080808080808080)))
        left = np.uint64(n) - (((counts << np.uint64(8)) >> shift) & np.uint64(0xFF))
        return np.int64(shift + NTH_IN_BYTE[left, (word >> shift) & np.uint64(0xFF)])

    return selected


@overload(mix)
def _mix(word):  # type: ignore[no-untyped-def]
    def mixed(word):  # type: ignore[no-untyped-def]
        z = np.uint64(word) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return mixed
