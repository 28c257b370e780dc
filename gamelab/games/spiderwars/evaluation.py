"""A quick judgement of a Spider Wars position, for searches that stop before the end, and hooks that guide them.

What counts is who is nearer to a nest, counted in leg moves, what each side has left, and whose legs are within reach. The same
features are counted for the player to move and for the one who waits, and weighed differently for each, and differently again
where one leg is left to move in the turn and where there are two. The value is the hyperbolic tangent of the sum, so it reads
as an expected result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, popcount, without_lowest
from gamelab.core.rules import implements
from gamelab.games.spiderwars.moves import NEST_BIT, free_for, movers, targets
from gamelab.games.spiderwars.rules import DTYPE, PASS, REPLANT

__all__ = ["FEATURES", "WEIGHTS", "features", "leg_moves", "weigh"]

FEATURES = (
    "small spiders on two legs",
    "Daddies on two legs",
    "small Danglers",
    "Daddies that hang",
    "1 if the spider nearest to the opponent's nest needs one leg move, nothing in its way",
    "1 if it needs two",
    "1 if it needs three",
    "1 if it needs four",
    "spiders that need one or two, and have no leg within the opponent's reach",
    "for all spiders, how many steps the leg in front has come nearer than eight",
    "legs within reach, of the opponent's spiders on two legs",
    "of those the legs of Daddies",
    "the opponent's Danglers within reach",
    "1 always",
)
# For one leg left to move and for two; the player to move, and the one who waits.
WEIGHTS = np.array(
    [
        [
            [0.55, 1.58, 0.19, 0.76, 2.24, -0.1, 0.17, 0.18, 0.82, 0.01, -0.11, 0.25, 0.07, 0.3],
            [0.64, 1.86, 0.21, 0.82, -0.7, -0.07, -0.06, -0.03, 1.96, 0.03, -0.23, 0.17, 0.07, 0.0],
        ],
        [
            [0.57, 1.55, 0.23, 0.89, 2.13, 1.16, 0.09, 0.11, 0.67, 0.02, 0.04, 0.13, 0.23, 0.21],
            [0.61, 1.55, 0.2, 0.78, -0.27, -0.01, 0.02, 0.09, 0.54, 0.04, -0.21, 0.09, 0.14, 0.0],
        ],
    ]
)

NOTHING, ONE = np.uint64(0), np.uint64(1)
SIX, LOW_SIX = np.uint64(6), np.uint64(63)
FAR, NEAR = 99, 8
# Action priors: a step nearer counts one.
WINS, KNOCKS_OUT, PUSHES_OUT, REPLANTS = 100.0, 8.0, 4.0, -1.0


@njit
def within_reach(state, player):  # type: ignore[no-untyped-def]
    """The spots that some leg of the player's can go to, had no leg moved in this turn yet."""
    free = free_for(state, player)
    legs = state["legs"][player] & ~state["danglers"]
    spots = NOTHING
    while legs != NOTHING:
        spots |= targets(state, np.uint64(lowest(legs)), free)
        legs = without_lowest(legs)
    return spots


@njit
def leg_moves(state, player, leg):  # type: ignore[no-untyped-def]
    """Leg moves to the opponent's nest that a spider needs whose leg in front is `leg`, if nothing is in its way."""
    steps = np.int64(state["steps"][player, leg])
    return (steps + 1) >> 1 if state["daddies"] & bit(leg) != NOTHING else steps


@njit
def features(state, player, mine, theirs):  # type: ignore[no-untyped-def]
    """Count the `FEATURES` of a player: a tuple of float. `mine` is within the player's reach, `theirs` within the other's."""
    own, other = state["legs"][player], state["legs"][player ^ ONE]
    hanging = own & state["danglers"]
    nearest, runners, advance = FAR, 0, 0
    legs = own & ~hanging
    while legs != NOTHING:
        leg = np.uint64(lowest(legs))
        partner = np.uint64(state["partner"][leg])
        both = bit(leg) | bit(partner)
        legs &= ~both
        front = partner if state["steps"][player, partner] < state["steps"][player, leg] else leg
        needed = leg_moves(state, player, front)
        nearest = min(nearest, needed)
        advance += max(0, NEAR - int(state["steps"][player, front]))
        if needed <= 2 and theirs & both == NOTHING:
            runners += 1
    targeted = other & mine & ~state["danglers"]
    return (
        float(popcount(own & ~hanging & ~state["daddies"]) >> 1),
        float(popcount(own & ~hanging & state["daddies"]) >> 1),
        float(popcount(hanging & ~state["daddies"])),
        float(popcount(hanging & state["daddies"])),
        1.0 if nearest == 1 else 0.0,
        1.0 if nearest == 2 else 0.0,
        1.0 if nearest == 3 else 0.0,
        1.0 if nearest == 4 else 0.0,
        float(runners),
        float(advance),
        float(popcount(targeted)),
        float(popcount(targeted & state["daddies"])),
        float(popcount(other & mine & state["danglers"])),
        1.0,
    )


@njit
def weigh(state, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None:  # type: ignore[no-untyped-def]
    """The evaluation with weights of the shape of `WEIGHTS`, into `out`, float64, shape (2,)."""
    player = np.uint64(state["player"])
    other = player ^ ONE
    of_player, of_other = within_reach(state, player), within_reach(state, other)
    counts = features(state, player, of_player, of_other)
    counts_of_other = features(state, other, of_other, of_player)
    left = 0 if state["moved"] != NOTHING or state["turn"] == 0 else 1
    total = 0.0
    for i in range(len(FEATURES)):
        total += weights[left, 0, i] * counts[i] - weights[left, 1, i] * counts_of_other[i]
    # tanh rounds to 1 far out, and only a finished game may be worth that.
    out[player] = 0.99 * np.tanh(total)
    out[other] = -out[player]


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    weigh(state, WEIGHTS, out)


@implements(rules.is_quiet, DTYPE)
def is_quiet(state):  # type: ignore[no-untyped-def]
    """Whether the next action can neither enter the nest nor knock out a spider.

    Legs that can only be pushed out do not count: there is nearly always one, and searches would never come to rest.
    """
    player = np.uint64(state["player"])
    prey = (state["legs"][player ^ ONE] & state["danglers"]) | NEST_BIT[player ^ ONE]
    free = free_for(state, player) & prey
    legs = movers(state, player)
    while legs != NOTHING:
        if targets(state, np.uint64(lowest(legs)), free) != NOTHING:
            return False
        legs = without_lowest(legs)
    return True


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):  # type: ignore[no-untyped-def]
    """The nest before knock-outs, those before Danglers made, then by steps nearer to the nest."""
    if action >= REPLANT:
        return 0.0 if action == PASS else REPLANTS
    player = np.uint64(state["player"])
    leg, target = (np.uint64(action) >> SIX) & LOW_SIX, np.uint64(action) & LOW_SIX
    there = bit(target)
    if there & NEST_BIT[player ^ ONE] != NOTHING:
        return WINS
    value = float(state["steps"][player, leg]) - float(state["steps"][player, target])
    if there & state["legs"][player ^ ONE] != NOTHING:
        value += KNOCKS_OUT if there & state["danglers"] != NOTHING else PUSHES_OUT
    return value
