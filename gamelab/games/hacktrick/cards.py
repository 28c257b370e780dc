"""Cards as counts: how many of each number, a byte for each in one 64-bit word; and all hands that there are, in tables.

    byte    5  4  3  2  1  0        byte n counts the cards of number n:
    count   0  1  0  2  0  0        0x000100020000 is one 4 and two 2s

Hands are multisets, 204 of at most four cards. They are numbered by size, then in the order of their sorted cards, so that
those of one size stand together: hands `FIRST_HAND[size]` to `FIRST_HAND[size + 1] - 1`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit
from gamelab.core.bits import bit, nth, popcount

__all__ = [
    "COPIES",
    "FIRST_HAND",
    "FULL_DECK",
    "HANDS",
    "HAND_LIMIT",
    "NO_HAND",
    "NUMBERS",
    "NUM_HANDS",
    "TOTAL",
    "WITH",
    "WITHOUT",
    "count",
    "held",
    "nth_card",
    "nth_number",
    "number_mask",
    "one",
    "pack",
    "size",
    "total",
    "unpack",
]

NUMBERS = 6  # 0 to 5
COPIES = 3  # of each in the deck
HAND_LIMIT = 4
NO_HAND = -1

BYTE = np.uint64(0xFF)
ONE_OF_EACH = np.uint64(0x010101010101)
FULL_DECK = np.uint64(COPIES * 0x010101010101)
TOP_BITS = np.uint64(0x8080808080808080)


# --- counts -----------------------------------------------------------------------------------------------------------


@njit
def one(number):  # type: ignore[no-untyped-def]
    """One card of a number, as counts."""
    return bit(8 * number)


@njit
def count(cards: Any, number: Any) -> Any:
    """How many cards of a number there are."""
    return np.int64(cards >> np.uint64(8 * number) & BYTE)


@njit
def up_to(cards: Any) -> Any:
    """For each number, how many cards there are of it and of the lower ones; in byte 7, of all."""
    cards += cards << np.uint64(8)
    cards += cards << np.uint64(16)
    return cards + (cards << np.uint64(32))


@njit
def size(cards: Any) -> Any:
    """How many cards there are."""
    return np.int64(up_to(cards) >> np.uint64(56))


@njit
def total(cards: Any) -> Any:
    """The sum of the numbers on the cards."""
    found = 0
    for number in range(1, NUMBERS):
        found += number * count(cards, number)
    return found


@njit
def nth_card(cards: Any, n: Any) -> Any:
    """The number on the n-th card, counted from 0, when they lie sorted. There must be more than n."""
    # The top bit of a byte stays set where at most n cards are of that number or lower.
    below = (np.uint64(n) * np.uint64(0x0101010101010101) | TOP_BITS) - up_to(cards)
    return popcount(below & TOP_BITS)


@njit
def held(cards: Any) -> Any:
    """A word with bit 8 * number set for each number of which there is a card."""
    return (cards | cards >> np.uint64(1)) & ONE_OF_EACH


@njit
def nth_number(numbers: Any, n: Any) -> Any:
    """The n-th lowest of the numbers in a word like that of `held`."""
    return nth(numbers, n) >> 3


@njit
def number_mask(cards: Any) -> Any:
    """Which numbers there are, as bits 0 to 5."""
    word = held(cards)
    word = (word | word >> np.uint64(7)) & np.uint64(0x000300030003)
    word = (word | word >> np.uint64(14)) & np.uint64(0x00030000000F)
    return (word | word >> np.uint64(28)) & np.uint64(0x3F)


def pack(numbers: Iterable[int]) -> np.uint64:
    """Cards as counts, from their numbers.

    Examples
    --------
    >>> hex(pack([2, 4, 2]))
    '0x100020000'
    """
    return np.uint64(sum(1 << 8 * number for number in numbers))


def unpack(cards: Any) -> tuple[int, ...]:
    """The numbers on the cards, sorted; the inverse of `pack`.

    Examples
    --------
    >>> unpack(pack([2, 4, 2]))
    (2, 2, 4)
    """
    return tuple(number for number in range(NUMBERS) for _ in range(int(cards) >> 8 * number & 0xFF))


# --- all hands --------------------------------------------------------------------------------------------------------


def _all_hands() -> list[tuple[int, ...]]:
    return [
        cards
        for length in range(HAND_LIMIT + 1)
        for cards in combinations_with_replacement(range(NUMBERS), length)
        if all(cards.count(number) <= COPIES for number in cards)
    ]


def _neighbours(hands: list[tuple[int, ...]]) -> NDArray[np.int16]:
    """The hand that each hand becomes with one more card of each number, or NO_HAND. Shape (204, 6)."""
    index = {hand: i for i, hand in enumerate(hands)}
    more = [[index.get(tuple(sorted((*hand, number))), NO_HAND) for number in range(NUMBERS)] for hand in hands]
    return np.array(more, dtype=np.int16)


def _inverse(more: NDArray[np.int16]) -> NDArray[np.int16]:
    less = np.full_like(more, NO_HAND)
    for hand, number in zip(*np.nonzero(more != NO_HAND), strict=True):
        less[more[hand, number], number] = hand
    return less


_HANDS = _all_hands()
NUM_HANDS = len(_HANDS)
HANDS = np.array([pack(hand) for hand in _HANDS], dtype=np.uint64)  # as counts
TOTAL = np.array([sum(hand) for hand in _HANDS], dtype=np.int64)
FIRST_HAND = np.array([sum(len(hand) < length for hand in _HANDS) for length in range(HAND_LIMIT + 2)], dtype=np.int64)
WITH = _neighbours(_HANDS)  # WITH[hand, number]: the hand with one more card, or NO_HAND
WITHOUT = _inverse(WITH)  # WITHOUT[hand, number]: with one less, or NO_HAND
