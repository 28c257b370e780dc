"""What lies on the table, as rows of bits, and where a card fits.

Row y of a table is a word in which bit x stands for cell (x, y). Four rows describe a cell: whether it is `taken`, and three
bits of its kind: 0 an open cell of a card, 1 to 5 a computer, 6 a server, 7 a wall. Obstacles are walls, and so is all that is
off the table: three rows of walls below it and above it, and the bits from its width on. A wall takes neither cards nor
cables, and nothing needs to ask for the edge.

A *gap* is an empty cell that no shape has room to cover. Three connected cells are always a straight or a bend, and a block
holds bends. So a gap is an empty cell that is connected to at most one other, with nothing else beside the two: it has less
than two empty neighbours, and its neighbour, if there is one, has no other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, popcount

__all__ = [
    "EMPTY",
    "MARGIN",
    "MAX_TABLE",
    "ROWS",
    "WALL",
    "computers",
    "count_placements",
    "empty",
    "gaps",
    "kind_at",
    "lay_cell",
    "lay_wall",
    "lying",
    "open_cells",
    "placements",
    "points_in",
    "servers",
    "walls",
]

MAX_TABLE = 63
MARGIN = 3
ROWS = MAX_TABLE + 2 * MARGIN
WALL, EMPTY = 7, 8  # kinds of cells besides those of `cards.KINDS`

ONE, TWO = np.uint64(1), np.uint64(2)
NOTHING = np.uint64(0)
EVERYTHING = np.uint64(2**64 - 1)


# --- cells of a row ---------------------------------------------------------------------------------------------------


@njit
def empty(state: Any, y: Any) -> Any:
    """The cells of a row on which nothing lies."""
    return ~state["taken"][y + MARGIN]


@njit
def walls(state: Any, y: Any) -> Any:
    """Obstacles, and what is off the table."""
    row = y + MARGIN
    return state["kind"][0, row] & state["kind"][1, row] & state["kind"][2, row]


@njit
def lying(state: Any, y: Any) -> Any:
    """The cells of cards, the central server among them."""
    return state["taken"][y + MARGIN] & ~walls(state, y)


@njit
def servers(state: Any, y: Any) -> Any:
    """Servers: kind 6."""
    row = y + MARGIN
    return state["kind"][1, row] & state["kind"][2, row] & ~state["kind"][0, row]


@njit
def open_cells(state: Any, y: Any) -> Any:
    """Open cells of cards: kind 0."""
    row = y + MARGIN
    return state["taken"][row] & ~(state["kind"][0, row] | state["kind"][1, row] | state["kind"][2, row])


@njit
def computers(state: Any, y: Any) -> Any:
    """Computers: kinds 1 to 5."""
    row = y + MARGIN
    some = state["kind"][0, row] | state["kind"][1, row] | state["kind"][2, row]
    return some & ~(state["kind"][1, row] & state["kind"][2, row])


@njit
def points_in(state: Any, y: Any, cells: Any) -> Any:
    """The points of computers, all those among `cells` of row y together."""
    row = y + MARGIN
    found = popcount(cells & state["kind"][0, row]) + 2 * popcount(cells & state["kind"][1, row])
    return found + 4 * popcount(cells & state["kind"][2, row])


@njit
def kind_at(state: Any, x: Any, y: Any) -> Any:
    """The kind of a cell, from 0 to 8."""
    row, here = y + MARGIN, bit(x)
    if state["taken"][row] & here == NOTHING:
        return np.int64(EMPTY)
    kind = 0
    for i in range(3):
        if state["kind"][i, row] & here != NOTHING:
            kind |= 1 << i
    return np.int64(kind)


@njit
def lay_cell(state: Any, x: Any, y: Any, kind: Any) -> Any:
    """Put a cell of some kind on an empty one."""
    row, here = y + MARGIN, bit(x)
    state["taken"][row] |= here
    for i in range(3):
        if kind >> i & 1:
            state["kind"][i, row] |= here


@njit
def lay_wall(state: Any, row: Any, cells: Any) -> Any:
    """Make walls of cells; `row` counts from the lowest row of the margin."""
    state["taken"][row] |= cells
    for i in range(3):
        state["kind"][i, row] |= cells


# --- gaps -------------------------------------------------------------------------------------------------------------


@njit
def _middles(below: Any, row: Any, above: Any) -> Any:
    """The empty cells of a row with at least two empty neighbours."""
    west, east = row << ONE, row >> ONE
    return row & (west & east | below & above | (west | east) & (below | above))


@njit
def gaps(state: Any, y: Any) -> Any:
    """The gaps of a row."""
    below, row, above = empty(state, y - 1), empty(state, y), empty(state, y + 1)
    here = _middles(below, row, above)
    room = here | here << ONE | here >> ONE
    room |= _middles(row, above, empty(state, y + 2)) | _middles(empty(state, y - 2), below, row)
    return row & ~room


# --- room for cards ---------------------------------------------------------------------------------------------------


@njit
def _beside(state: Any, y: Any) -> Any:
    """The empty cells of a row that border on a card."""
    row = lying(state, y)
    return (row << ONE | row >> ONE | lying(state, y - 1) | lying(state, y + 1)) & empty(state, y)


@njit
def placements(state: Any, orientation: Any, y: Any) -> Any:
    """Where a card may be played: bit x if the south-west corner of its bounding box may lie at (x, y).

    `orientation` is one of the seven of `cards.ORIENTATION`: 0 lying, 1 upright, 2 to 5 the bend turned 0 to 3 times, 6 the
    block.
    """
    low, near_low = empty(state, y), _beside(state, y)
    if orientation == 0:
        return low & low >> ONE & low >> TWO & (near_low | near_low >> ONE | near_low >> TWO)
    high, near_high = empty(state, y + 1), _beside(state, y + 1)
    if orientation == 1:
        if low & high == NOTHING:
            return NOTHING
        return low & high & empty(state, y + 2) & (near_low | near_high | _beside(state, y + 2))
    # The four cells of a square; a bend leaves one of them out.
    low_east, high_east = low >> ONE, high >> ONE
    near_low_east, near_high_east = near_low >> ONE, near_high >> ONE
    if orientation == 2:
        return low & low_east & high & (near_low | near_low_east | near_high)
    if orientation == 3:
        return low & low_east & high_east & (near_low | near_low_east | near_high_east)
    if orientation == 4:
        return low_east & high & high_east & (near_low_east | near_high | near_high_east)
    if orientation == 5:
        return low & high & high_east & (near_low | near_high | near_high_east)
    return low & low_east & high & high_east & (near_low | near_low_east | near_high | near_high_east)


@njit
def count_placements(state: Any, orientation: Any) -> Any:
    """In how many places a card may be played as it is turned."""
    found = 0
    for y in range(np.int64(state["table"])):
        found += popcount(placements(state, orientation, y))
    return found
