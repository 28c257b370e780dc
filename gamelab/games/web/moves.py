"""The actions of Web: their numbers, and which are legal.

Actions, ascending as they are listed; C is the number of cells of the table, a cell is `table` * y + x:

    0 .. 5       draw from a pile: 0 1 straight, 2 3 bends, 4 5 blocks
    6            buy three cables
    7            end the turn
    8            pass
    9 + 2c + d   place the cable from cell c, d = 0 to the east, 1 to the north; below 9 + 2C
    9 + 2C + ((4 * card + rotation) * C + c)   play a card, the south-west corner of its bounding box on cell c
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, nth, popcount, without_lowest
from gamelab.games.web.cables import CABLES, cables_east, cables_north
from gamelab.games.web.cards import ORIENTATION, SHAPE_OF
from gamelab.games.web.setup import PILES
from gamelab.games.web.table import NOTHING, count_placements, placements

__all__ = [
    "BOUGHT",
    "BUY",
    "CABLE",
    "DRAW",
    "END",
    "PASS",
    "count_plays",
    "first_play",
    "list_plays",
    "list_turn_actions",
    "nth_play",
    "store",
]

DRAW, BUY, END, PASS, CABLE = 0, 6, 7, 8, 9
BOUGHT = 3  # cables bought at once, and in front of each player at the start


@njit
def first_play(state: Any) -> Any:
    """The lowest action that plays a card."""
    side = np.int64(state["table"])
    return CABLE + 2 * side * side


@njit
def list_plays(state: Any, out: Any) -> Any:
    """Write the ways to play a card, or the pass; return how many."""
    side = np.int64(state["table"])
    hand = state["hands"][state["player"]]
    n = 0
    while hand != NOTHING:
        card = lowest(hand)
        hand = without_lowest(hand)
        for rotation in range(4):
            if state["looks"][card] >> rotation & 1:
                orientation = ORIENTATION[state["shape"][card], rotation]
                base = first_play(state) + (4 * card + rotation) * side * side
                for y in range(side):
                    fits = placements(state, orientation, y)
                    while fits != NOTHING:
                        out[n] = base + side * y + lowest(fits)
                        fits = without_lowest(fits)
                        n += 1
    if n == 0:
        out[0] = PASS
        return 1
    return n


@njit
def count_plays(state: Any, counts: Any) -> Any:
    """Write for each orientation that the hand can use in how many places it fits; return the number of plays."""
    hand = state["hands"][state["player"]]
    for orientation in range(len(SHAPE_OF)):
        if hand & state["of_shape"][SHAPE_OF[orientation]] != NOTHING:
            counts[orientation] = count_placements(state, orientation)
    total = 0
    while hand != NOTHING:
        card = lowest(hand)
        hand = without_lowest(hand)
        for rotation in range(4):
            if state["looks"][card] >> rotation & 1:
                total += counts[ORIENTATION[state["shape"][card], rotation]]
    return np.int64(total)


@njit
def nth_play(state: Any, card: Any, rotation: Any, n: Any) -> Any:
    """The n-th action, from 0, that plays a card turned like this. There must be more than n."""
    side, orientation, y = np.int64(state["table"]), ORIENTATION[state["shape"][card], rotation], 0
    fits = placements(state, orientation, y)
    while n >= popcount(fits):
        n -= popcount(fits)
        y += 1
        fits = placements(state, orientation, y)
    return first_play(state) + (4 * card + rotation) * side * side + side * y + nth(fits, n)


@njit
def list_turn_actions(state: Any, out: Any) -> Any:
    """Write what can be done instead of ending the turn, and the end; return how many."""
    player, side = np.int64(state["player"]), np.int64(state["table"])
    for pile in range(PILES):  # none is empty, or the game would be over
        out[pile] = DRAW + pile
    n = PILES
    if store(state, player) >= BOUGHT:
        out[n] = BUY
        n += 1
    out[n] = END
    n += 1
    if state["front"][player] == 0:
        return n
    for y in range(side):
        east, north = cables_east(state, player, y), cables_north(state, player, y)
        both = east | north
        while both != NOTHING:
            x = lowest(both)
            both = without_lowest(both)
            for direction in range(2):
                if (north if direction else east) & bit(x) != NOTHING:
                    out[n] = CABLE + 2 * (side * y + x) + direction
                    n += 1
    return n


@njit
def store(state: Any, player: Any) -> Any:
    """The cables that a player can still buy."""
    return CABLES - np.int64(state["built"][player]) - np.int64(state["front"][player])
