"""Cables: which may be placed, row by row.

A cable is a number: 2 * (64 * y + x), plus 1 if it runs north and not east from the centre of cell (x, y). Which sides of
cells are crossed at all stands in rows of bits, `east` and `north`; whose cables they are, in a list for each player.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit
from gamelab.games.web.table import MARGIN, NOTHING, ONE, computers, empty, gaps, kind_at, open_cells, servers

__all__ = [
    "CABLES",
    "NO_CABLE",
    "add_cable",
    "cable_number",
    "cables_east",
    "cables_north",
    "connected",
    "open_computers",
    "own_cells",
    "starts",
    "takers",
]

CABLES = 18  # of each player
NO_CABLE = 0xFFFF
EAST, NORTH = 0, 1


@njit
def cable_number(x: Any, y: Any, direction: Any) -> Any:
    """The number of a cable from (x, y), `direction` 0 east or 1 north."""
    return 2 * (64 * y + x) + direction


@njit
def connected(state: Any, y: Any) -> Any:
    """The cells of a row at which some cable ends."""
    east, row = state["east"][y + MARGIN], y + MARGIN
    return east | east << ONE | state["north"][row] | state["north"][row - 1]


@njit
def open_computers(state: Any, y: Any) -> Any:
    """The computers of a row that have no cable yet."""
    return computers(state, y) & ~connected(state, y)


@njit
def takers(state: Any, y: Any) -> Any:
    """The cells of a row at which one more cable may end, as far as the cell itself is asked."""
    return open_cells(state, y) | servers(state, y) | gaps(state, y) | open_computers(state, y)


@njit
def own_cells(state: Any, player: Any, y: Any) -> Any:
    """The cells of a row at which a cable of the player ends."""
    found = NOTHING
    for i in range(np.int64(state["built"][player])):
        cable = np.int64(state["cables"][player, i])
        away = y - (cable >> 7)
        if away < 0:
            break  # they are sorted
        here = bit(cable >> 1 & 63)
        if away == 0:
            found |= here
            if cable & 1 == EAST:
                found |= here << ONE
        elif away == 1 and cable & 1 == NORTH:
            found |= here
    return found


@njit
def starts(state: Any, player: Any, y: Any) -> Any:
    """The cells of a row from which the player may go on: servers, and cells of the own net that are no computers."""
    return servers(state, y) | own_cells(state, player, y) & (open_cells(state, y) | empty(state, y))


@njit
def cables_east(state: Any, player: Any, y: Any) -> Any:
    """The cables that the player may place in a row, bit x for the one from (x, y) to the east."""
    own = starts(state, player, y)
    if own == NOTHING:
        return NOTHING
    ends = takers(state, y)
    return (own & ends >> ONE | own >> ONE & ends) & ~state["east"][y + MARGIN]


@njit
def cables_north(state: Any, player: Any, y: Any) -> Any:
    """The cables that the player may place from a row to the next, bit x for the one from (x, y) to the north."""
    low, high = starts(state, player, y), starts(state, player, y + 1)
    if low | high == NOTHING:
        return NOTHING
    return (low & takers(state, y + 1) | high & takers(state, y)) & ~state["north"][y + MARGIN]


@njit
def add_cable(state: Any, player: Any, cable: Any) -> Any:
    """Place a cable; returns the points of the computer that it connects, 0 if none."""
    x, y = cable >> 1 & 63, cable >> 7
    here = bit(x)
    if cable & 1 == EAST:
        state["east"][y + MARGIN] |= here
    else:
        state["north"][y + MARGIN] |= here
    i = np.int64(state["built"][player])
    while i > 0 and state["cables"][player, i - 1] > cable:
        state["cables"][player, i] = state["cables"][player, i - 1]
        i -= 1
    state["cables"][player, i] = cable
    state["built"][player] += 1
    near, far = kind_at(state, x, y), kind_at(state, x + 1 - (cable & 1), y + (cable & 1))
    points = near if 1 <= near <= 5 else 0
    return points + far if 1 <= far <= 5 else points
