"""A quick judgement of a Web position with open cards, for searches that stop before the end.

Each player's score is estimated: points so far, computers within one or two cables, cables in front, and the cards in hand,
which are worth actions while the game is young and cost a point each when it ends. Estimates compared make chances to win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, popcount
from gamelab.core.rules import implements
from gamelab.games.web.cables import open_computers, starts
from gamelab.games.web.cards import OFFSETS, SHAPE_CELLS
from gamelab.games.web.moves import BUY, CABLE, END, PASS, first_play, store
from gamelab.games.web.rules import ACTING, DTYPE
from gamelab.games.web.setup import PILES
from gamelab.games.web.table import MARGIN, NOTHING, ONE, gaps, kind_at, open_cells, points_in

__all__ = ["estimate", "near_points"]

TEMPERATURE = 6.0  # points ahead that make a chance of 73 % for one of two
NEAR = (0.5, 0.2)  # of the points of a computer that one, two cables would connect
MOST_NEAR = 12.0  # so many of these points at most: cables are few
CABLE_IN_FRONT, CABLE_IN_STORE = 0.3, 0.1
EARLY_CARD = 1.2  # what a card in hand is worth when the piles are full, besides the point that it costs at the end
ENOUGH_CARDS = 4.0


@njit
def reach(state: Any, y: Any, low: Any, row: Any, high: Any) -> Any:
    """The cells of row y to which a free side leads from cells of it or of the rows below and above."""
    east = state["east"][y + MARGIN]
    found = (row & ~east) << ONE | row >> ONE & ~east
    return found | low & ~state["north"][y + MARGIN - 1] | high & ~state["north"][y + MARGIN]


@njit
def near_points(state: Any, player: Any, y: Any) -> Any:
    """The points of the unconnected computers of row y that one cable of the player would connect; and two cables."""
    low, row, high = starts(state, player, y - 1), starts(state, player, y), starts(state, player, y + 1)
    lower, higher = starts(state, player, y - 2), starts(state, player, y + 2)
    if lower | low | row | high | higher == NOTHING:
        return 0.0
    computers = open_computers(state, y)
    if computers == NOTHING:
        return 0.0
    once = reach(state, y, low, row, high) & computers
    next_low = reach(state, y - 1, lower, low, row) & (open_cells(state, y - 1) | gaps(state, y - 1))
    next_row = reach(state, y, low, row, high) & (open_cells(state, y) | gaps(state, y))
    next_high = reach(state, y + 1, row, high, higher) & (open_cells(state, y + 1) | gaps(state, y + 1))
    twice = reach(state, y, next_low, next_row, next_high) & computers & ~once
    return NEAR[0] * points_in(state, y, once) + NEAR[1] * points_in(state, y, twice)


@njit
def estimate(state: Any, player: Any) -> Any:
    """What the player will score, roughly."""
    near = 0.0
    for y in range(np.int64(state["table"])):
        near += near_points(state, player, y)
    front, bought = np.float64(state["front"][player]), np.float64(store(state, player))
    smallest = np.int64(state["left"][0])
    for pile in range(1, PILES):
        smallest = min(smallest, np.int64(state["left"][pile]))
    youth = min(1.0, smallest / 8.0)
    cards = np.float64(popcount(state["hands"][player]))
    value = np.float64(state["points"][player]) - cards + EARLY_CARD * 2.0 * youth * min(cards, ENOUGH_CARDS)
    return value + min(near, MOST_NEAR) * min(1.0, (front + bought) / 3.0) + CABLE_IN_FRONT * front + CABLE_IN_STORE * bought


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    players = np.int64(state["players"])
    total = 0.0
    for player in range(players):
        bound = max(-60.0, min(60.0, estimate(state, player)))
        if state["phase"] == ACTING and state["player"] == player:
            bound += 0.5 * state["actions"]
        out[player] = np.exp(bound / TEMPERATURE)
        total += out[player]
    for player in range(players):
        out[player] = 0.99 * (players * out[player] / total - 1.0) / (players - 1.0)


@implements(rules.is_quiet, DTYPE)
def is_quiet(state):  # type: ignore[no-untyped-def]
    """Not while the player to act has a cable and an action to connect a computer with."""
    player = np.int64(state["player"])
    if state["phase"] != ACTING or state["front"][player] == 0:
        return True
    for y in range(np.int64(state["table"])):
        low = starts(state, player, y - 1)
        if reach(state, y, low, starts(state, player, y), starts(state, player, y + 1)) & open_computers(state, y) != NOTHING:
            return False
    return True


# --- order of actions -------------------------------------------------------------------------------------------------


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):  # type: ignore[no-untyped-def]
    """Cables by what they connect, cards by dots and by how near their computers and open cells come to the own net."""
    player, side = np.int64(state["player"]), np.int64(state["table"])
    if action >= first_play(state):
        return play_prior(state, player, np.int64(action) - first_play(state))
    if action >= CABLE:
        cell, north = (np.int64(action) - CABLE) >> 1, (np.int64(action) - CABLE) & 1
        return cable_prior(state, player, cell % side, cell // side, north)
    if action in (END, PASS):
        return -1.0
    if action == BUY:
        return 1.2 if state["front"][player] == 0 else 0.1
    cards = popcount(state["hands"][player])
    return 1.0 if cards < 2 else 0.4 if cards < ENOUGH_CARDS else -0.5


@njit
def cable_prior(state: Any, player: Any, x: Any, y: Any, north: Any) -> Any:
    """The points that a cable connects; else whether it leads beside a computer."""
    far_x, far_y = x + 1 - north, y + north
    near, far = kind_at(state, x, y), kind_at(state, far_x, far_y)
    gain = near if 1 <= near <= 5 else far if 1 <= far <= 5 else 0
    if gain > 0:
        return 1.0 + gain
    new_x, new_y = far_x, far_y
    if starts(state, player, far_y) & bit(far_x) != NOTHING:
        new_x, new_y = x, y
    here = bit(new_x)
    around = points_in(state, new_y, (here << ONE | here >> ONE) & open_computers(state, new_y))
    for beside in (new_y - 1, new_y + 1):
        around += points_in(state, beside, here & open_computers(state, beside))
    return min(2.0, 0.3 * around)


@njit
def play_prior(state: Any, player: Any, what: Any) -> Any:
    """A card is worth its dots, and more where it brings computers or ways on beside the own net."""
    side = np.int64(state["table"])
    cell, turned = what % (side * side), what // (side * side)
    card, rotation = turned >> 2, turned & 3
    shape = np.int64(state["shape"][card])
    value = 0.2 * state["dots"][card]
    for i in range(SHAPE_CELLS[shape]):
        x, y = cell % side + OFFSETS[shape, rotation, i, 0], cell // side + OFFSETS[shape, rotation, i, 1]
        here, kind = bit(x), np.int64(state["cells"][card]) >> 4 * i & 15
        near = starts(state, player, y)
        near = near << ONE | near >> ONE | starts(state, player, y - 1) | starts(state, player, y + 1)
        if near & here != NOTHING:
            value += 0.1 + (0.3 * kind if 1 <= kind <= 5 else 0.2)
        value -= 0.02 * (abs(x - side // 2) + abs(y - side // 2))
    return value
