"""A quick judgement of a Netwerk position, for searches that stop before the end.

What counts is how much of a chain already stands: stones that see each other, stones where a chain can turn, stones that
hang together with a goal. Each feature is counted for both players; the value is the hyperbolic tangent of the weighted
differences, so it reads as an expected result. Nothing loops over stones: all are
looked along at once (`geometry.seen_along`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import popcount
from gamelab.core.rules import implements
from gamelab.games.netwerk.geometry import (
    FIELD,
    GOALS,
    crowded_squares,
    joined,
    open_lines,
    seen_east_west,
    seen_falling,
    seen_north_south,
    seen_rising,
)
from gamelab.games.netwerk.rules import DTYPE

__all__ = ["FEATURES", "WEIGHTS", "features", "weigh"]

# What is counted, and the weight of one more, found by self-play: see scripts/tune_evaluation.py and docs/strength.md.
FEATURES = (
    "own goals with a stone in them (0 to 2)",
    "further stones in own goals",
    "pairs of stones that see each other",
    "inner stones that see others along two lines or more: a chain can turn there",
    "stones that see no other",
    "inner stones that hang together with a goal (at most 4 for each goal)",
    "the same for the goal that has fewer",
    "1 if some chain of stones leads from goal to goal, turns and length ignored",
    "squares where a stone may be placed",
    "squares where one more stone would join what hangs together with either goal (at most 4)",
    "the same, if there are then stones enough for a network (at most 3): threats",
    "1 if the player is to move",
    "1 if the player is to move and has such a threat",
)
WEIGHTS = np.array([0.32, -0.08, 0.08, 0.18, -0.07, 0.099, 0.0, 0.004, 0.028, -0.024, 0.066, 0.388, 0.336])

NOTHING = np.uint64(0)
ENOUGH_INNER, ENOUGH_JOINTS, ENOUGH_THREATS = 4, 4, 3


@njit
def features(state, player: int):  # type: ignore[no-untyped-def]
    """Count the `FEATURES` of a player: a tuple of float."""
    own = state["stones"][player]
    empty = ~(own | state["stones"][1 - player])
    first, second = GOALS[player, 0], GOALS[player, 1]
    inner = own & ~(first | second)
    goals_held = (own & first != NOTHING) + (own & second != NOTHING)
    # Of each stone: does it see another along one axis at least, along two at least?
    once, twice, sights = NOTHING, NOTHING, 0
    for seen in (
        seen_east_west(own, empty) & own,
        seen_rising(own, empty) & own,
        seen_north_south(own, empty) & own,
        seen_falling(own, empty) & own,
    ):
        sights += popcount(seen)
        twice |= once & seen
        once |= seen
    from_first = joined(own & first, own, empty, first | second)
    from_second = joined(own & second, own, empty, first | second)
    at_first = min(popcount(from_first & inner), ENOUGH_INNER)
    at_second = min(popcount(from_second & inner), ENOUGH_INNER)
    open_squares = FIELD[player] & empty & ~crowded_squares(own)
    joints, missing = joining_squares(from_first, from_second, empty, first, second)
    num_joints = popcount(joints & open_squares)
    threats = num_joints if popcount((from_first | from_second) & inner) >= ENOUGH_INNER - missing else 0
    to_move = 1.0 if state["player"] == player else 0.0
    return (
        float(goals_held),
        float(popcount(own & ~inner) - goals_held),
        sights / 2,
        float(popcount(twice & inner)),
        float(popcount(own & ~once)),
        float(at_first + at_second),
        float(min(at_first, at_second)),
        1.0 if from_first & second != NOTHING else 0.0,
        float(popcount(open_squares)),
        float(min(num_joints, ENOUGH_JOINTS)),
        float(min(threats, ENOUGH_THREATS)),
        to_move,
        to_move if threats > 0 else 0.0,
    )


@njit
def joining_squares(from_first, from_second, empty, first, second):  # type: ignore[no-untyped-def]
    """Where one more stone would join what hangs together with either goal, and how many inner stones it would add.

    The empty squares seen from both; or, where a goal has no stone yet, its squares that are seen from the other's chain.
    """
    if from_first != NOTHING and from_second != NOTHING:
        return open_lines(from_first, empty) & open_lines(from_second, empty) & ~(first | second), 1
    if from_first != NOTHING:
        return open_lines(from_first, empty) & second, 0
    return open_lines(from_second, empty) & first, 0


@njit
def weigh(state, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None:  # type: ignore[no-untyped-def]
    """The evaluation with the given weights, into `out`, float64, shape (2,)."""
    total = 0.0
    for player in range(2):
        counts = features(state, player)
        for i in range(len(FEATURES)):
            total += weights[i] * counts[i] if player == 0 else -weights[i] * counts[i]
    # tanh rounds to 1 far out, and only a finished game may be worth that.
    out[0] = 0.99 * np.tanh(total)
    out[1] = -out[0]


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    weigh(state, WEIGHTS, out)
