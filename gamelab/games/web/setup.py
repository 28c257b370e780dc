"""Setting up a game of Web: an empty table, and the deal that follows from one number.

The number seeds a hash of counters (`gamelab.core.bits.mix`): the i-th draw of the deal is the hash of the seed's hash and i.
In this order: the shuffle of each shape, the lot for the starting player, the obstacles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, mix, popcount, without_lowest
from gamelab.games.web.cables import CABLES, NO_CABLE
from gamelab.games.web.cards import SERVER, SHAPE_CELLS, SHAPES
from gamelab.games.web.table import EVERYTHING, MARGIN, NOTHING, ROWS, lay_cell, lay_wall

__all__ = [
    "NO_CARD",
    "OBSTACLE_REACH",
    "PILES",
    "clear_table",
    "deal",
    "mark",
    "may_be_obstacle",
    "place_obstacle",
    "set_out_piles",
]

NO_CARD = 255
PILES = 6
OBSTACLE_REACH = 7  # columns and rows from the centre in which random obstacles are placed
LOT, OBSTACLES = 64, 65  # counters: each shape's shuffle uses those of its cards' numbers
UNIT = 1.0 / (1 << 53)


@njit
def mark(state: Any, thing: Any, sort: Any) -> Any:
    """Take a thing that lies on the table into the hash of the layout: 0 a card, 1 a cable, 2 an obstacle."""
    state["layout"] ^= mix(np.uint64(thing << 2 | sort))


@njit
def clear_table(state: Any) -> Any:
    """Walls around, the central server in the middle, the obstacles that are given."""
    side = np.int64(state["table"])
    state["layout"] = NOTHING
    for row in range(ROWS):
        state["taken"][row] = NOTHING
        state["east"][row] = NOTHING
        state["north"][row] = NOTHING
        for i in range(3):
            state["kind"][i, row] = NOTHING
        outside = row < MARGIN or row >= MARGIN + side
        lay_wall(state, row, EVERYTHING if outside else EVERYTHING << np.uint64(side))
    lay_cell(state, side // 2, side // 2, SERVER)
    for i in range(np.int64(state["num_given"])):
        place_obstacle(state, np.int64(state["given"][i]) & 63, np.int64(state["given"][i]) >> 6)
    for player in range(state["cables"].shape[0]):
        for i in range(CABLES):
            state["cables"][player, i] = NO_CABLE


@njit
def place_obstacle(state: Any, x: Any, y: Any) -> Any:
    """Put an obstacle on an empty cell."""
    lay_wall(state, y + MARGIN, bit(x))
    mark(state, 64 * y + x, 2)


@njit
def may_be_obstacle(state: Any, x: Any, y: Any) -> Any:
    """Whether a random obstacle may lie there: within reach, but neither on the centre nor beside it."""
    centre = np.int64(state["table"]) // 2
    dx, dy = abs(x - centre), abs(y - centre)
    return dx <= OBSTACLE_REACH and dy <= OBSTACLE_REACH and dx + dy > 1


# --- the deal ---------------------------------------------------------------------------------------------------------


@njit
def _below(stream: Any, counter: Any, n: Any) -> Any:
    """A random whole number from 0 to n - 1, always the same for a stream and counter."""
    return np.int64(np.int64(mix(stream ^ np.uint64(counter)) >> np.uint64(11)) * UNIT * n)


@njit
def deal(state: Any, seed: Any) -> Any:
    """Shuffle and deal, settle who starts, and place random obstacles."""
    stream = mix(np.uint64(seed))
    for shape in range(len(SHAPES)):
        _shuffle(state, shape, stream)
        _deal_shape(state, shape)
    state["player"] = _starting_player(state, stream)
    _place_obstacles(state, stream)


@njit
def _shuffle(state: Any, shape: Any, stream: Any) -> Any:
    """Put the cards of a shape in random order into the room of its two piles (R. Durstenfeld, "Random permutation", 1964)."""
    start, cards, n = np.int64(state["first"][2 * shape]), state["of_shape"][shape], 0
    while cards != NOTHING:
        card = lowest(cards)
        cards = without_lowest(cards)
        other = start + _below(stream, card, n + 1)
        state["piles"][start + n] = state["piles"][other]
        state["piles"][other] = card
        n += 1


@njit
def _deal_shape(state: Any, shape: Any) -> Any:
    """From the shuffled cards of a shape one to each player; the others are two piles, the first of which gets an odd card."""
    start, total = np.int64(state["first"][2 * shape]), popcount(state["of_shape"][shape])
    for player in range(np.int64(state["players"])):
        total -= 1
        state["hands"][player] |= bit(state["piles"][start + total])
        state["piles"][start + total] = NO_CARD
    set_out_piles(state, shape, total)


@njit
def set_out_piles(state: Any, shape: Any, total: Any) -> Any:
    """Divide `total` cards, which lie in the room of the shape's piles, among the two."""
    first, second = np.int64(state["first"][2 * shape]), np.int64(state["first"][2 * shape + 1])
    upper = total // 2
    state["left"][2 * shape] = total - upper
    state["left"][2 * shape + 1] = upper
    for i in range(upper - 1, -1, -1):  # from the end: they move up, or stay
        card = state["piles"][first + total - upper + i]
        state["piles"][first + total - upper + i] = NO_CARD
        state["piles"][second + i] = card


@njit
def _computers_shown(state: Any, player: Any) -> Any:
    """The computers on the cards that a player was dealt."""
    hand, found = state["hands"][player], 0
    while hand != NOTHING:
        card = lowest(hand)
        hand = without_lowest(hand)
        for i in range(SHAPE_CELLS[state["shape"][card]]):
            kind = np.int64(state["cells"][card]) >> 4 * i & 15
            if 1 <= kind <= 5:
                found += 1
    return found


@njit
def _starting_player(state: Any, stream: Any) -> Any:
    """Who shows the fewest computers; of several one by lot."""
    fewest, tied = 99, 0
    for player in range(np.int64(state["players"])):
        shown = _computers_shown(state, player)
        if shown < fewest:
            fewest, tied = shown, 0
        if shown == fewest:
            tied += 1
    pick = _below(stream, LOT, tied)
    for player in range(np.int64(state["players"])):
        if _computers_shown(state, player) == fewest:
            if pick == 0:
                return player
            pick -= 1
    return 0  # never


@njit
def _place_obstacles(state: Any, stream: Any) -> Any:
    """Each set of cells that may be obstacles is equally likely (selection sampling; Knuth, TAOCP 3.4.2, algorithm S)."""
    side, wanted = np.int64(state["table"]), np.int64(state["random_obstacles"])
    centre = side // 2
    candidates = (2 * OBSTACLE_REACH + 1) ** 2 - 5
    for y in range(centre - OBSTACLE_REACH, centre + OBSTACLE_REACH + 1):
        for x in range(centre - OBSTACLE_REACH, centre + OBSTACLE_REACH + 1):
            if may_be_obstacle(state, x, y):
                if _below(stream, OBSTACLES + candidates, candidates) < wanted:
                    place_obstacle(state, x, y)
                    wanted -= 1
                candidates -= 1
