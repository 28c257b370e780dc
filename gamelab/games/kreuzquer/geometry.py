"""The board: cells, sides, outlets, and how the four sides of a tile become one number.

    5  20 21 22 23 24        cell = 5 * row + column, from a1 in the south-west to e5;
    4  15 16 17 18 19        the crossing is printed on cell 12, c3.
    3  10 11 ## 13 14
    2   5  6  7  8  9        sides: 0 north, 1 east, 2 south, 3 west;
    1   0  1  2  3  4        side s of a cell touches side (s + 2) % 4 of its neighbour.
        a  b  c  d  e

A *lay* is a tile as it lies: a digit for each side, north first, in base 3; 0 no pipe, 1 wide, 2 narrow. Every tile has a
pipe, so lay 0 is free to stand for a tile that lies face down.

What a free cell's four sides ask of a tile is its *surroundings*, a digit for each side, north first, in base 5: 0 nothing, 1
no pipe, 2 a wide and 3 a narrow one to be continued, 4 a pipe of either width.

Outlets are numbered clockwise around the border, four a side: north from the west, east from the north, south from the east,
west from the south. The middle of each side is blank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ALL_CELLS",
    "ALL_NEIGHBOURS",
    "ASKS_NOTHING",
    "ASKS_PIPE",
    "BLANK",
    "CELLS",
    "CROSSING",
    "FACE_DOWN",
    "LAYS",
    "MARKS",
    "MIDDLE",
    "NARROW",
    "NEIGHBOUR",
    "NONE",
    "NO_OUTLET",
    "OUTLETS",
    "OUTLET_AT",
    "OUTLET_POSITIONS",
    "SIDES_OF",
    "SIZE",
    "SURROUNDINGS",
    "WEIGHT_OF_SIDE",
    "WIDE",
    "border",
    "lay_of",
    "tiles_by_surroundings",
    "turns",
    "written_sides",
]

SIZE = 5
CELLS = SIZE * SIZE
MIDDLE = 12
ALL_CELLS = (1 << CELLS) - 1
NONE, WIDE, NARROW = 0, 1, 2
MARKS = "-wn"  # how each is written
LAYS = 3**4
SURROUNDINGS = 5**4
ASKS_NOTHING, ASKS_PIPE = 0, 4  # a side at which a pipe ends, or none does, asks for 1 + pipe
FACE_DOWN = 0
OUTLETS = 16
NO_OUTLET = OUTLETS  # stands for a side without one
OUTLET_POSITIONS = (0, 1, 3, 4)  # of the five cells of a border
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # rows up and columns right, by side


def lay_of(sides: str) -> int:
    """The number of a tile as it lies.

    Examples
    --------
    >>> lay_of("w--n")
    29
    """
    lay = 0
    for mark in sides:
        lay = 3 * lay + MARKS.index(mark)
    return lay


def written_sides(lay: int) -> str:
    """The inverse of `lay_of`.

    Examples
    --------
    >>> written_sides(29)
    'w--n'
    """
    return "".join(MARKS[pipe] for pipe in SIDES_OF[lay])


def turns(sides: str) -> tuple[int, ...]:
    """The lays of a tile that look different, ascending.

    Examples
    --------
    >>> [written_sides(lay) for lay in turns("w-w-")]
    ['-w-w', 'w-w-']
    """
    return tuple(sorted({lay_of(sides[turn:] + sides[:turn]) for turn in range(4)}))


def border(side: int) -> list[int]:
    """The five cells along a border, clockwise."""
    last = SIZE - 1
    ends = {0: (last, 0), 1: (last, last), 2: (0, last), 3: (0, 0)}
    row, column = ends[side]
    up, right = STEPS[(side + 1) % 4]
    return [SIZE * (row + i * up) + column + i * right for i in range(SIZE)]


def _sides_of() -> NDArray[np.uint8]:
    return np.array([[lay // 3 ** (3 - side) % 3 for side in range(4)] for lay in range(LAYS)], np.uint8)


def _neighbour() -> NDArray[np.uint32]:
    table = np.zeros((CELLS, 4), np.uint32)
    for cell in range(CELLS):
        for side, (up, right) in enumerate(STEPS):
            row, column = cell // SIZE + up, cell % SIZE + right
            if 0 <= row < SIZE and 0 <= column < SIZE:
                table[cell, side] = 1 << (SIZE * row + column)
    return table


def _outlet_at() -> NDArray[np.uint8]:
    table = np.full((CELLS, 4), NO_OUTLET, np.uint8)
    for side in range(4):
        cells = border(side)
        for number, position in enumerate(OUTLET_POSITIONS):
            table[cells[position], side] = 4 * side + number
    return table


def tiles_by_surroundings(lays: Sequence[Sequence[int]], tiles: Sequence[int], strict: bool) -> NDArray[np.uint32]:
    """For each surroundings the tiles that fit there and continue a pipe, a bit each.

    Parameters
    ----------
    lays : sequence of sequence of int
        For each kind of tiles how they can lie.
    tiles : sequence of int
        For each kind its tiles, a bit each.
    strict : bool
        Whether only the same pipe may lie at a pipe, not also none.
    """
    asked = np.arange(SURROUNDINGS)[:, None, None] // WEIGHT_OF_SIDE % 5  # (surroundings, 1, sides)
    pipe = SIDES_OF.astype(np.int64)  # (lays, sides)
    continues = (asked == 1 + pipe) & (pipe != NONE)
    fits = continues | (asked == ASKS_NOTHING) | (asked == ASKS_PIPE) & (pipe != NONE) | (asked == 1 + NONE) & (pipe == NONE)
    if not strict:
        fits |= (asked != ASKS_PIPE) & (pipe == NONE)
    legal = fits.all(axis=2) & continues.any(axis=2)  # (surroundings, lays)
    result = np.zeros(SURROUNDINGS, np.uint32)
    for of_kind, bits in zip(lays, tiles, strict=True):
        result[legal[:, list(of_kind)].any(axis=1)] |= np.uint32(bits)
    return result


SIDES_OF = _sides_of()  # (LAYS, 4) the pipe on each side
NEIGHBOUR = _neighbour()  # (CELLS, 4) the bit of the neighbouring cell, 0 beyond the border
ALL_NEIGHBOURS = np.bitwise_or.reduce(NEIGHBOUR, axis=1)  # (CELLS,) the bits of all neighbours
WEIGHT_OF_SIDE = np.array([125, 25, 5, 1], np.int64)  # of a side's digit in the number of the surroundings
OUTLET_AT = _outlet_at()  # (CELLS, 4) the outlet beyond a side, or NO_OUTLET
BLANK = np.array([1 << border(side)[SIZE // 2] for side in range(4)], np.uint32)  # the cell with a blank border on that side
CROSSING = lay_of("nwnw")
