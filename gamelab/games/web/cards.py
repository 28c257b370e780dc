"""Cards: three shapes of square cells, how they turn, and which look the same.

A card's cells are listed in the order of its shape, as it lies unturned::

    straight  0 1 2      bend  2        block  2 3      `.` is an open cell, `1` to `5` a computer worth so many points,
                               0 1             0 1      `S` a server

Rotation r turns a card by r quarter turns to the left. What is placed is the south-west corner of its bounding box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "KINDS",
    "MAX_CARDS",
    "OFFSETS",
    "OPEN",
    "ORIENTATION",
    "SERVER",
    "SHAPES",
    "SHAPE_CELLS",
    "SHAPE_OF",
    "Card",
    "Deck",
    "as_word",
    "cells_at",
    "distinct_rotations",
    "face_of",
    "tables_of",
]

SHAPES = ("straight", "bend", "block")
UNTURNED = (((0, 0), (1, 0), (2, 0)), ((0, 0), (1, 0), (0, 1)), ((0, 0), (1, 0), (0, 1), (1, 1)))
KINDS = ".12345S"  # the index is the kind's number
OPEN, SERVER = 0, 6
MAX_CARDS = 64  # sets of cards are words
MOST_CELLS = 4

Offsets = tuple[tuple[int, int], ...]


def _turned(cells: Offsets) -> Offsets:
    """A quarter turn to the left, with the bounding box's south-west corner at (0, 0) again."""
    turned = [(-y, x) for x, y in cells]
    left, low = min(x for x, _ in turned), min(y for _, y in turned)
    return tuple((x - left, y - low) for x, y in turned)


def _all_offsets() -> dict[tuple[int, int], Offsets]:
    offsets = {}
    for shape, cells in enumerate(UNTURNED):
        for rotation in range(4):
            offsets[shape, rotation] = cells
            cells = _turned(cells)
    return offsets


_OFFSETS = _all_offsets()
SHAPE_CELLS = np.array([len(cells) for cells in UNTURNED], np.int64)
# OFFSETS[shape, rotation, i]: x and y of the i-th cell from the corner of the bounding box.
OFFSETS = np.array(
    [[[*_OFFSETS[s, r], (0, 0)][:MOST_CELLS] for r in range(4)] for s in range(len(SHAPES))],
    np.int64,
)
# The seven figures that cards make on the table, whatever is printed on them: `table.placements` knows them by number.
ORIENTATION = np.array([[0, 1, 0, 1], [2, 3, 4, 5], [6, 6, 6, 6]], np.int64)
SHAPE_OF = np.array([0, 0, 1, 1, 1, 1, 2], np.int64)  # the shape of each orientation


@dataclass(frozen=True)
class Card:
    """A card: the number of its shape, its cells in the shape's order, and the dots on its back."""

    shape: int
    cells: str
    dots: int

    @property
    def points(self) -> int:
        """The sum of its computers' points."""
        return sum(int(cell) for cell in self.cells if cell.isdecimal())


@dataclass(frozen=True)
class Deck:
    """All cards but the central server, in the order of their numbers. Made by `deckfile.read_deck`."""

    name: str
    cards: tuple[Card, ...]

    def of_shape(self, shape: int) -> list[int]:
        """The numbers of the cards of a shape, ascending."""
        return [number for number, card in enumerate(self.cards) if card.shape == shape]

    def twins(self, number: int) -> list[int]:
        """The numbers of all cards whose faces cannot be told from that card's, itself included."""
        face = face_of(self.cards[number])
        return [other for other, card in enumerate(self.cards) if face_of(card) == face]


def cells_at(shape: int, rotation: int) -> Offsets:
    """Where a card's cells lie, from the corner of the bounding box, in the order of the card's cells."""
    return _OFFSETS[shape, rotation]


def _picture(card: Card, rotation: int) -> frozenset[tuple[tuple[int, int], str]]:
    return frozenset(zip(_OFFSETS[card.shape, rotation], card.cells, strict=True))


@cache
def distinct_rotations(card: Card) -> tuple[int, ...]:
    """The rotations in which a card looks different, of those that look the same the lowest.

    Examples
    --------
    >>> distinct_rotations(Card(0, "1.1", 2)), distinct_rotations(Card(2, "....", 4))
    ((0, 1), (0,))
    """
    pictures = [_picture(card, rotation) for rotation in range(4)]
    return tuple(rotation for rotation in range(4) if pictures.index(pictures[rotation]) == rotation)


def face_of(card: Card) -> tuple[int, str]:
    """Shape and cells as they read in that rotation which reads lowest: equal if two faces can be turned to look the same."""
    pictures = [dict(_picture(card, rotation)) for rotation in range(4)]
    where = UNTURNED[card.shape]
    return card.shape, min("".join(picture[xy] for xy in where) for picture in pictures if set(picture) == set(where))


def as_word(numbers: Sequence[int]) -> np.uint64:
    """A set of cards: bit n for card n."""
    return np.uint64(sum(1 << number for number in numbers))


def tables_of(deck: Deck) -> dict[str, NDArray[np.generic]]:
    """The deck as the compiled rules want it: arrays by the names of their fields (`rules.DTYPE`), a place for each card."""
    cards = deck.cards
    return {
        "cells": np.array([sum(KINDS.index(cell) << 4 * i for i, cell in enumerate(card.cells)) for card in cards], np.uint16),
        "shape": np.array([card.shape for card in cards], np.uint8),
        "dots": np.array([card.dots for card in cards], np.uint8),
        "looks": np.array([sum(1 << r for r in distinct_rotations(card)) for card in cards], np.uint8),
        "twins": np.array([as_word(deck.twins(number)) for number in range(len(cards))], np.uint64),
        "of_shape": np.array([as_word(deck.of_shape(shape)) for shape in range(len(SHAPES))], np.uint64),
    }
