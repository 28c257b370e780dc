"""Whether a player's network stands on the board.

A network is a chain of at least six own stones from one own goal to the other, no other of its stones in a goal, its lines
straight and empty between consecutive stones, no stone twice, a turn at every stone in between.

The search for one is a walk from stone to stone. Two cheap tests come first, since almost every position fails them: enough
stones with one in each goal, and a way from goal to goal if turns are ignored.
"""

from __future__ import annotations

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, popcount, without_lowest
from gamelab.games.netwerk.geometry import GOALS, NO_DIRECTION, first_stone, joined

__all__ = ["NETWORK_STONES", "completes_network", "has_network"]

NETWORK_STONES = 6
NOTHING = np.uint64(0)
# A kernel that calls itself must have one signature, or its second one is not found in the cache: numba gives a literal
# argument a type of its own, hence these two.
CAME_FROM_NOWHERE = np.int64(NO_DIRECTION)
FIRST_STONE = np.int64(1)


@njit
def may_have_network(own: np.uint64, player: int) -> bool:
    """Whether there are stones enough, and at least one in either goal."""
    if own & GOALS[player, 0] == NOTHING or own & GOALS[player, 1] == NOTHING:
        return False
    inner = own & ~(GOALS[player, 0] | GOALS[player, 1])
    return popcount(inner) >= NETWORK_STONES - 2


@njit
def _reaches_goal(square, came, length, free, occupied, goal):  # type: ignore[no-untyped-def]
    """Whether a chain that has come to `square` in direction `came`, `length` stones long, can go on to `goal`.

    `free` are the own stones that it may still use: none of the chain, none in the goal where it began.
    """
    for direction in range(8):
        if direction == came:
            continue
        seen = first_stone(square, direction, occupied)
        if seen < 0:
            continue
        stone = bit(seen)
        if stone & free == NOTHING:
            continue
        if stone & goal != NOTHING:
            if length + 1 >= NETWORK_STONES:
                return True
        elif _reaches_goal(seen, direction, length + 1, free ^ stone, occupied, goal):
            return True
    return False


@njit
def _walk(own, occupied, player, seeds):  # type: ignore[no-untyped-def]
    """Whether there is a network among the stones that hang together with `seeds`."""
    start, goal = GOALS[player, 0], GOALS[player, 1]
    reached = joined(seeds, own, ~occupied, start | goal)
    if reached & start == NOTHING or not may_have_network(reached, player):
        return False
    free = reached & ~start
    waiting = reached & start
    while waiting != NOTHING:
        square = lowest(waiting)
        waiting = without_lowest(waiting)
        if _reaches_goal(square, CAME_FROM_NOWHERE, FIRST_STONE, free, occupied, goal):
            return True
    return False


@njit
def has_network(own: np.uint64, occupied: np.uint64, player: int) -> bool:
    """Whether the player's stones `own` hold a network, with stones of either colour on `occupied`."""
    return may_have_network(own, player) and _walk(own, occupied, player, own & GOALS[player, 0])


@njit
def completes_network(own: np.uint64, occupied: np.uint64, player: int, square: int) -> bool:
    """Whether the stone just placed on `square` completes a network, if there was none before it.

    A placed stone opens no line, so a new network runs through it, and all of it hangs together with that stone.
    """
    return may_have_network(own, player) and _walk(own, occupied, player, bit(square))
