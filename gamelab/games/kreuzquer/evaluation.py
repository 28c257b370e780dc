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

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, lowest_bit, popcount, without_lowest
from gamelab.core.records import scratch
from gamelab.core.rules import implements
from gamelab.games.kreuzquer.geometry import CELLS, FACE_DOWN, NARROW, NEIGHBOUR, NONE, OUTLET_AT, SIDES_OF, WIDE, border
from gamelab.games.kreuzquer.rules import DTYPE, NO_TILE, places

__all__ = ["FEATURES", "WEIGHTS", "expected_minus", "features"]

NOTHING, ONE = np.uint64(0), np.uint64(1)
HALF = np.uint64(32)
EDGE = np.array([sum(1 << cell for cell in border(side)) for side in range(4)], np.uint64)  # the cells along each border

# Number of tiles to class: 0, 1, 2, 3, 4-5, 6-8, 9-13, more.
CLASS = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5] + [6] * 5 + [7] * 15, np.int64)
CLASSES = 8
NEIGHBOURS = 4  # classes of free neighbours: 0, 1, 2, more
SCARCE = np.array([0, 1, 2, 3, 3], np.int64)  # class of tiles with so many places
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


@njit
def count_up(c0, c1, c2, c3, c4, word):  # type: ignore[no-untyped-def]
    """Add 1 to the counters of all bits of the word. Counter i is bit i of each of the five words, the ones first."""
    c0, word = c0 ^ word, c0 & word
    c1, word = c1 ^ word, c1 & word
    c2, word = c2 ^ word, c2 & word
    c3, word = c3 ^ word, c3 & word
    return c0, c1, c2, c3, c4 ^ word


@njit
def counted(c0, c1, c2, c3, c4, index):  # type: ignore[no-untyped-def]
    """The counter of a bit."""
    i = np.uint64(index)
    total = (c0 >> i & ONE) + ((c1 >> i & ONE) << np.uint64(1)) + ((c2 >> i & ONE) << np.uint64(2))
    return np.int64(total + ((c3 >> i & ONE) << np.uint64(3)) + ((c4 >> i & ONE) << np.uint64(4)))


@njit
def tiles_to_come(state, player):  # type: ignore[no-untyped-def]
    """The tiles that the player may yet have to place: one on the table counts like those not drawn."""
    left = np.uint64(state["left"])
    if state["tile"] != NO_TILE and player >= state["seat"]:
        left |= lowest_bit(np.uint64(state["tiles_of"][state["tile"]]) & ~left)
    return left


@njit
def features(state, player, out):  # type: ignore[no-untyped-def]
    """Count the features of a player's board into `out`, float64, shape (FEATURES,); returns the minus points that are certain.

    In this order: free cells at which a pipe ends, by class of the number of tiles that could be laid there; other free cells,
    by class of the number of free neighbours; values of open outlets at the former, by class of the number of tiles that could
    reach them, and at the latter; tiles left with 0, 1, 2, 3 or 4 places, in proportion to how many will be drawn; 1 always.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    out[CONSTANT] = 1.0
    free, left = np.uint64(state["free"][player]), tiles_to_come(state, player)
    drawn = popcount(free) / popcount(left) if left != NOTHING else 0.0

    # 1. Count the tiles for each cell; in the upper half of the word those that reach the north or south; then east or west.
    a0, a1, a2, a3, a4 = NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
    b0, b1, b2, b3, b4 = NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
    for kind in range(state["kinds"]):
        copies = popcount(left & np.uint64(state["tiles_of"][kind]))
        if copies == 0:
            continue
        somewhere, upright, flat = NOTHING, NOTHING, NOTHING
        for turn in range(state["turns"][kind]):
            lay = np.int64(state["lay_of"][kind, turn])
            cells = places(state, player, lay)
            somewhere |= cells
            upright |= cells & EDGE[0] if SIDES_OF[lay, 0] != NONE else NOTHING
            flat |= cells & EDGE[1] if SIDES_OF[lay, 1] != NONE else NOTHING
            upright |= cells & EDGE[2] if SIDES_OF[lay, 2] != NONE else NOTHING
            flat |= cells & EDGE[3] if SIDES_OF[lay, 3] != NONE else NOTHING
        cells_for_it = popcount(somewhere)
        if cells_for_it < len(SCARCE):
            out[TILES + SCARCE[cells_for_it]] += copies * drawn
        for _ in range(copies):
            a0, a1, a2, a3, a4 = count_up(a0, a1, a2, a3, a4, somewhere | upright << HALF)
            b0, b1, b2, b3, b4 = count_up(b0, b1, b2, b3, b4, flat)

    # 2. Judge each free cell and the outlets there.
    linked = NOTHING
    for side in range(4):
        linked |= np.uint64(state["links"][player, side, WIDE] | state["links"][player, side, NARROW])
    certain = np.float64(state["minus"][player])
    cells = free
    while cells != NOTHING:
        cell = lowest(cells)
        cells = without_lowest(cells)
        is_linked = linked & bit(cell) != NOTHING
        neighbours = 0
        for side in range(4):
            neighbours += np.uint64(NEIGHBOUR[cell, side]) & free != NOTHING
        neighbours = min(neighbours, NEIGHBOURS - 1)
        if is_linked:
            out[LINKED + CLASS[counted(a0, a1, a2, a3, a4, cell)]] += 1.0
        else:
            out[LONELY + neighbours] += 1.0
        for side in range(4):
            value = np.float64(state["outlets"][player, OUTLET_AT[cell, side]])
            if value == 0.0:
                continue
            certain -= value
            if not is_linked:
                out[OUTLETS_LONELY + neighbours] += value
            elif side & 1 == 0:
                out[OUTLETS_LINKED + CLASS[counted(a0, a1, a2, a3, a4, cell + 32)]] += value
            else:
                out[OUTLETS_LINKED + CLASS[counted(b0, b1, b2, b3, b4, cell)]] += value
    return certain


@njit
def weigh(state, player, weights, counts):  # type: ignore[no-untyped-def]
    """Expected minus points by weights of the shape of `WEIGHTS`; `counts` is scratch for the features."""
    certain = features(state, player, counts)
    phase = popcount(np.uint64(state["free"][player])) / 12.0
    low = 0 if phase < 1.0 else 1
    share = phase - low
    total = certain
    for i in range(FEATURES):
        total += counts[i] * ((1.0 - share) * weights[low, i] + share * weights[low + 1, i])
    return total


@njit
def expected_minus(state, player):  # type: ignore[no-untyped-def]
    """A guess at the player's minus points at the end."""
    return weigh(state, player, WEIGHTS, scratch(FEATURES))


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """Alone the minus points expected; else the chances to win that they make, in proportion to exp(-minus points / spread)."""
    players = np.int64(state["players"])
    if players == 1:
        out[0] = -expected_minus(state, 0)
        return
    fewest = 255.0
    for player in range(players):
        out[player] = expected_minus(state, player)
        fewest = min(fewest, out[player])
    # The last seat has the most cells left. 1.2 makes of a normal error the logistic curve nearest to it, for two players.
    spread = min(MOST_SPREAD, max(LEAST_SPREAD, SPREAD * np.sqrt(popcount(np.uint64(state["free"][players - 1])))))
    total = 0.0
    for player in range(players):
        out[player] = np.exp(-1.2 * (out[player] - fewest) / spread)
        total += out[player]
    for player in range(players):
        # Only a finished game may be worth 1.
        out[player] = 0.99 * (players * out[player] / total - 1.0) / (players - 1)


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
