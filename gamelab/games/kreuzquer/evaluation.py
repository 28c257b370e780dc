"""A quick judgement of a Kreuz & Quer position: the minus points that players can expect, and the chances to win they make.

What a board is worth is what it can still take. For each free cell at which a pipe ends, the tiles left that could be laid
there are counted, and for each open outlet those that could be laid so as to reach it; a free cell at which no pipe ends yet is
judged by its free neighbours; and of the tiles left those matter that have nowhere, or hardly anywhere, to go. A weight for
each of these counts, changing with the number of free cells, says how many minus points it stands for. The weights were first
fitted, by least squares, to what became of positions in games alone that this very evaluation played greedily, then tuned to
make that greedy play better (`scripts/tune_scores.py`; figures in docs/strength.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit, njit_inline
from gamelab.core.bits import bit, lowest, lowest_bit, popcount, without_lowest
from gamelab.core.records import copy_to, scratch
from gamelab.core.rules import implements
from gamelab.games.kreuzquer.geometry import (
    ALL_NEIGHBOURS,
    ASKS_NOTHING,
    ASKS_PIPE,
    CELLS,
    FACE_DOWN,
    NARROW,
    NEIGHBOUR,
    NONE,
    OUTLET_AT,
    SIDES_OF,
    WEIGHT_OF_SIDE,
    WIDE,
)
from gamelab.games.kreuzquer.rules import DTYPE, MAX_PLAYERS, NO_TILE, ROUNDS

__all__ = ["FEATURES", "WEIGHTS", "by_free_cells", "expected_after", "expected_minus"]

NOTHING, ONE = np.uint64(0), np.uint64(1)

# Number of tiles to class: 0, 1, 2, 3, 4-5, 6-8, 9-13, more.
CLASS = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5] + [6] * 5 + [7] * 15, np.int64)
CLASSES = 8
NEIGHBOURS = 4  # classes of free neighbours: 0, 1, 2, more
LINKED, LONELY = 0, CLASSES
OUTLETS_LINKED = LONELY + NEIGHBOURS
OUTLETS_LONELY = OUTLETS_LINKED + CLASSES
TILES = OUTLETS_LONELY + NEIGHBOURS
CONSTANT = TILES + 4
FEATURES = CONSTANT + 1
PHASES = 3  # weights for 0, 12 and 24 free cells, and between them in proportion
# The standard error of the guess, in minus points, for each root of the number of free cells; and the least and the most it is.
SPREAD, LEAST_SPREAD, MOST_SPREAD = 1.15, 0.5, 4.0
FACE_DOWN_PRIOR = -2.0
PRECISION = 2.0**30  # steps of a minus point

WEIGHTS = np.concatenate(
    [
        # free cells at which a pipe ends, by class of the tiles that fit
        [
            [-0.2, -0.27, -0.24, -0.44, -0.07, 0.27, 0.36, -0.03],
            [0.38, 0.14, -0.11, -0.01, -0.1, -0.19, -0.12, -0.08],
            [0.56, 0.8, 0.81, 0.3, 0.63, 0.68, 0.13, 0.37],
        ],
        # other free cells, by class of free neighbours
        [
            [-0.02, 0.35, 0.2, -0.23],
            [0.33, 0.55, 0.81, 0.41],
            [0.06, 0.74, 0.56, 0.43],
        ],
        # values of outlets at the former, by class of the tiles that fit and reach
        [
            [0.92, 0.81, 0.55, 0.36, 0.31, 0.28, -0.09, -0.03],
            [1.09, 0.57, 0.33, 0.3, 0.28, 0.25, 0.24, -0.01],
            [-0.02, 0.02, 1.05, 0.4, 0.12, 0.03, -0.04, -0.01],
        ],
        # values of outlets at the latter, by class of free neighbours
        [
            [1.02, 0.81, 0.61, 0.54],
            [1.23, 0.62, 0.18, 0.1],
            [0.67, -0.02, 0.05, 0.09],
        ],
        # tiles to come with 0, 1, 2, 3 or 4 places, and a constant
        [
            [0.97, 0.21, 0.15, 0.08, 0.55],
            [0.66, 0.33, 0.17, 0.06, -0.41],
            [0.26, 0.2, 0.12, 0.05, -5.11],
        ],
    ],
    axis=1,
)


def by_free_cells(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights for each number of free cells, shape (CELLS, FEATURES), from weights of the shape of `WEIGHTS`."""
    phase = np.arange(CELLS) * (PHASES - 1) / ROUNDS
    shares = np.maximum(0.0, 1.0 - np.abs(phase[:, None] - np.arange(PHASES)))
    return np.ascontiguousarray(shares @ weights)


WEIGHTS_BY_FREE_CELLS = by_free_cells(WEIGHTS)


# --- one cell ---------------------------------------------------------------------------------------------------------


@njit_inline
def surroundings(state, player, cell):  # type: ignore[no-untyped-def]
    """What the sides of a free cell ask of a tile, as one number (see `geometry`)."""
    index, number = np.uint64(cell), 0
    for side in range(4):
        asks = ASKS_NOTHING
        if np.uint64(state["links"][player, side, WIDE]) >> index & ONE != NOTHING:
            asks = 1 + WIDE
        elif np.uint64(state["links"][player, side, NARROW]) >> index & ONE != NOTHING:
            asks = 1 + NARROW
        elif np.uint64(state["fits"][player, side, WIDE]) >> index & ONE == NOTHING:
            asks = 1 + NONE
        number += asks * WEIGHT_OF_SIDE[side]
    return number


@njit_inline
def worth_of_cell(state, player, cell, around, linked, free, left, weights):  # type: ignore[no-untyped-def]
    """What a free cell and the open outlets there add to the minus points expected, over those if nothing were lost there.

    Parameters
    ----------
    around : int
        Its surroundings.
    linked : bool
        Whether a pipe ends there.
    free, left : uint64
        The free cells; the tiles to come.
    weights : ndarray of float64, shape (FEATURES,)
    """
    neighbours = min(popcount(np.uint64(ALL_NEIGHBOURS[cell]) & free), NEIGHBOURS - 1)
    if linked:
        worth = weights[LINKED + CLASS[popcount(left & np.uint64(state["takers"][around]))]]
    else:
        worth = weights[LONELY + neighbours]
    for side in range(4):
        value = np.float64(state["outlets"][player, OUTLET_AT[cell, side]])
        if value == 0.0:
            continue
        if linked:
            reaching = left & np.uint64(state["takers"][around + ASKS_PIPE * WEIGHT_OF_SIDE[side]])
            worth += value * (weights[OUTLETS_LINKED + CLASS[popcount(reaching)]] - 1.0)
        else:
            worth += value * (weights[OUTLETS_LONELY + neighbours] - 1.0)
    return worth


@njit_inline
def count_places(one, two, three, four, five, tiles):  # type: ignore[no-untyped-def]
    """One more place for these tiles. The first word has the tiles with at least one place, the second those with two, ..."""
    return one | tiles, two | one & tiles, three | two & tiles, four | three & tiles, five | four & tiles


@njit_inline
def worth_of_scarcity(one, two, three, five, left, cells, weights):  # type: ignore[no-untyped-def]
    """What tiles to come with few places add to the minus points expected, in proportion to how many will be drawn."""
    if left == NOTHING:
        return 0.0
    worth = weights[TILES] * popcount(left & ~one) + weights[TILES + 1] * popcount(left & one & ~two)
    worth += weights[TILES + 2] * popcount(left & two & ~three) + weights[TILES + 3] * popcount(left & three & ~five)
    return worth * cells / popcount(left)


@njit_inline
def rounded(minus):  # type: ignore[no-untyped-def]
    """Without what the order of additions makes of it, so that what is alike is judged alike."""
    return np.floor(minus * PRECISION + 0.5) / PRECISION


# --- a board ----------------------------------------------------------------------------------------------------------


@njit
def tiles_to_come(state, player):  # type: ignore[no-untyped-def]
    """The tiles that the player may yet have to place: one on the table counts like those not drawn."""
    left = np.uint64(state["left"])
    if state["tile"] != NO_TILE and player >= state["seat"]:
        left |= lowest_bit(np.uint64(state["tiles_of"][state["tile"]]) & ~left)
    return left


@njit
def linked_cells(state, player):  # type: ignore[no-untyped-def]
    """The cells at which a pipe ends, a bitboard."""
    linked = NOTHING
    for side in range(4):
        linked |= np.uint64(state["links"][player, side, WIDE] | state["links"][player, side, NARROW])
    return linked


@njit
def expected_minus(state, player, weights):  # type: ignore[no-untyped-def]
    """A guess at the player's minus points at the end; those of a full board are certain.

    Parameters
    ----------
    state : record
    player : int
    weights : ndarray of float64, shape (CELLS, FEATURES)
        For each number of free cells.
    """
    free, left, linked = np.uint64(state["free"][player]), tiles_to_come(state, player), linked_cells(state, player)
    total = np.float64(state["minus"][player])
    if free == NOTHING:
        return total
    cells_left = popcount(free)
    of_phase = weights[cells_left]
    total += of_phase[CONSTANT]
    one, two, three, four, five = NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
    cells = free
    while cells != NOTHING:
        cell = lowest(cells)
        cells = without_lowest(cells)
        around, is_linked = surroundings(state, player, cell), linked & bit(cell) != NOTHING
        total += worth_of_cell(state, player, cell, around, is_linked, free, left, of_phase)
        one, two, three, four, five = count_places(one, two, three, four, five, np.uint64(state["takers"][around]))
    return rounded(total + worth_of_scarcity(one, two, three, five, left, cells_left, of_phase))


@njit
def expected_after(state, actions, count, weights, out):  # type: ignore[no-untyped-def]
    """What `expected_minus` says of the player to act after each action, from what the action changes.

    A placed tile takes its cell away and changes what its free neighbours ask for; all other cells are judged once.

    Parameters
    ----------
    state : record
    actions : ndarray of int32
        Legal ones.
    count : int
        How many of them.
    weights : ndarray of float64, shape (CELLS, FEATURES)
        For each number of free cells.
    out : ndarray of float64
        The results.
    """
    player = np.int64(state["seat"])
    free, left, linked = np.uint64(state["free"][player]), np.uint64(state["left"]), linked_cells(state, player)
    cells_left = popcount(free) - 1
    of_phase = weights[cells_left]
    certain = np.float64(state["minus"][player])
    around, worth = scratch(CELLS), scratch(CELLS)  # of each free cell as it is now
    total = certain + of_phase[CONSTANT]
    cells = free
    while cells != NOTHING:
        cell = lowest(cells)
        cells = without_lowest(cells)
        number = surroundings(state, player, cell)
        around[cell] = number
        worth[cell] = worth_of_cell(state, player, cell, number, linked & bit(cell) != NOTHING, free, left, of_phase)
        total += worth[cell]
    for i in range(count):
        lay, placed = actions[i] // CELLS, actions[i] % CELLS
        change = 1.0 if lay == FACE_DOWN else 0.0
        for side in range(4):
            if SIDES_OF[lay, side] != NONE:
                change -= np.float64(state["outlets"][player, OUTLET_AT[placed, side]])
        if cells_left == 0:
            out[i] = certain + change
            continue
        change -= worth[placed]
        free_then = free & ~bit(placed)
        one, two, three, four, five = NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
        for side in range(4):
            there = np.uint64(NEIGHBOUR[placed, side]) & free_then
            if there == NOTHING:
                continue
            cell, pipe = lowest(there), SIDES_OF[lay, side]
            number = np.int64(around[cell])
            is_linked = linked & there != NOTHING
            if lay != FACE_DOWN:
                number += (1 + pipe) * WEIGHT_OF_SIDE[side ^ 2]
                is_linked |= pipe != NONE
            change += worth_of_cell(state, player, cell, number, is_linked, free_then, left, of_phase) - worth[cell]
            one, two, three, four, five = count_places(one, two, three, four, five, np.uint64(state["takers"][number]))
        cells = linked & free_then & ~np.uint64(ALL_NEIGHBOURS[placed])
        while cells != NOTHING:
            tiles = np.uint64(state["takers"][np.int64(around[lowest(cells)])])
            cells = without_lowest(cells)
            one, two, three, four, five = count_places(one, two, three, four, five, tiles)
        out[i] = rounded(total + change + worth_of_scarcity(one, two, three, five, left, cells_left, of_phase))


# --- what that is worth -----------------------------------------------------------------------------------------------


@njit
def write_chances(expected, players, last_free, out):  # type: ignore[no-untyped-def]
    """The values for several players: chances to win in proportion to exp(-minus points / spread), on the scale of returns.

    Parameters
    ----------
    expected : ndarray of float64
        Minus points of each player.
    players : int
    last_free : int
        Free cells of the last seat, which has the most left.
    out : ndarray of float64
        The results.
    """
    fewest = 255.0
    for player in range(players):
        fewest = min(fewest, expected[player])
    # 1.2 makes of a normal error the logistic curve nearest to it, for two players.
    spread = min(MOST_SPREAD, max(LEAST_SPREAD, SPREAD * np.sqrt(last_free)))
    total = 0.0
    for player in range(players):
        out[player] = np.exp(-1.2 * (expected[player] - fewest) / spread)
        total += out[player]
    for player in range(players):
        # Only a finished game may be worth 1.
        out[player] = 0.99 * (players * out[player] / total - 1.0) / (players - 1)


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """Alone the minus points expected; else the chances to win that they make."""
    players = np.int64(state["players"])
    for player in range(players):
        out[player] = expected_minus(state, player, WEIGHTS_BY_FREE_CELLS)
    if players == 1:
        out[0] = -out[0]
    else:
        write_chances(out, players, popcount(np.uint64(state["free"][players - 1])), out)


@implements(rules.evaluate_actions, DTYPE)
def evaluate_actions(state, actions, count, after, values, out):  # type: ignore[no-untyped-def]
    """The others' boards are judged once."""
    players, mover = np.int64(state["players"]), np.int64(state["seat"])
    expected_after(state, actions, count, WEIGHTS_BY_FREE_CELLS, out)
    if players == 1:
        for i in range(count):
            out[i] = -out[i]
        return
    last_free = popcount(np.uint64(state["free"][players - 1]))
    if mover == players - 1:
        last_free -= 1
    if last_free == 0:  # the game is over
        for i in range(count):
            copy_to(after, state)
            rules.apply_action(after, actions[i])
            rules.returns(after, values)
            out[i] = values[mover]
        return
    expected = scratch(MAX_PLAYERS)
    for player in range(players):
        expected[player] = expected_minus(state, player, WEIGHTS_BY_FREE_CELLS)
    for i in range(count):
        expected[mover] = out[i]
        write_chances(expected, players, last_free, values)
        out[i] = values[mover]


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):  # type: ignore[no-untyped-def]
    """Outlets reached less those lost, and a little for each pipe that is continued; last the tiles face down."""
    player = np.int64(state["seat"])
    lay, cell = action // CELLS, action % CELLS
    value = FACE_DOWN_PRIOR if lay == FACE_DOWN else 0.0
    for side in range(4):
        outlet = np.float64(state["outlets"][player, OUTLET_AT[cell, side]])
        pipe = SIDES_OF[lay, side]
        if pipe == NONE:
            value -= outlet
        else:
            value += outlet
            value += 0.2 * (np.uint64(state["links"][player, side, pipe]) >> np.uint64(cell) & ONE)
    return value
