"""Whether a player's network stands on the board.

A network is a chain of at least six own stones from one own goal to the other, no other of its stones in a goal, its lines
straight and empty between consecutive stones, no stone twice, a turn at every stone in between.

The search for one is a walk from stone to stone, depth first. Two cheap tests come first, since most positions fail them:
enough stones, with one in each goal, and an inner stone that sees the second goal's.
"""

from __future__ import annotations

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, popcount, without_lowest
from gamelab.games.netwerk.geometry import BEYOND, GOALS, seen_from

__all__ = ["NETWORK_STONES", "completes_network", "has_network"]

NETWORK_STONES = 6
NOTHING = np.uint64(0)
# A kernel that calls itself must have one signature, or its second one is not found in the cache: numba gives a literal
# argument a type of its own.
FIRST_STONE = np.int64(1)


@njit
def may_have_network(own: np.uint64, player: int) -> bool:
    """Whether there are stones enough, and at least one in either goal."""
    if own & GOALS[player, 0] == NOTHING or own & GOALS[player, 1] == NOTHING:
        return False
    inner = own & ~(GOALS[player, 0] | GOALS[player, 1])
    return popcount(inner) >= NETWORK_STONES - 2


@njit
def _seen_from_any(stones: np.uint64, occupied: np.uint64) -> np.uint64:
    seen = NOTHING
    while stones != NOTHING:
        seen |= seen_from(np.uint64(lowest(stones)), occupied)
        stones = without_lowest(stones)
    return seen


@njit
def _reaches_goal(square, onward, length, free, occupied, goal):  # type: ignore[no-untyped-def]
    """Whether a chain that has come to `square`, `length` stones long, can go on to `goal` by one of the stones `onward`.

    `free` are the own stones that it may still use: none of the chain, none in the goal where it began.
    """
    if onward & goal != NOTHING and length + 1 >= NETWORK_STONES:
        return True
    onward &= ~goal
    while onward != NOTHING:
        stone = np.uint64(lowest(onward))
        onward = without_lowest(onward)
        rest = free ^ bit(stone)
        # A chain turns at every stone, so it may not go straight on.
        turning = seen_from(stone, occupied) & rest & ~BEYOND[square, stone]
        if turning != NOTHING and _reaches_goal(stone, turning, length + 1, rest, occupied, goal):
            return True
    return False


@njit
def has_network(own: np.uint64, occupied: np.uint64, player: int) -> bool:
    """Whether the player's stones `own` hold a network, with stones of either colour on `occupied`."""
    if not may_have_network(own, player):
        return False
    start, goal = GOALS[player, 0], GOALS[player, 1]
    if _seen_from_any(own & goal, occupied) & own & ~(start | goal) == NOTHING:
        return False
    free = own & ~start
    starts = own & start
    while starts != NOTHING:
        square = np.uint64(lowest(starts))
        starts = without_lowest(starts)
        if _reaches_goal(square, seen_from(square, occupied) & free, FIRST_STONE, free, occupied, goal):
            return True
    return False


@njit
def completes_network(own: np.uint64, occupied: np.uint64, player: int, square: np.uint64) -> bool:
    """As `has_network`, where a stone was just placed on `square` and there was no network before.

    A placed stone opens no line, so a new network can only run through it: it must see two stones of its own, or one from a
    goal.
    """
    if not may_have_network(own, player):
        return False
    seen = seen_from(square, occupied) & own
    in_goal = bit(square) & (GOALS[player, 0] | GOALS[player, 1]) != NOTHING
    if seen == NOTHING or (not in_goal and without_lowest(seen) == NOTHING):
        return False
    return has_network(own, occupied, player)
