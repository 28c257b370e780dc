"""What a player's legs can do in Spider Wars: helpers of the rules, on bitboards of spots.

They take the record of a state (see `rules.DTYPE`). Spots and players that index an array are unsigned, here and in `rules`:
numba would test signed ones for being negative.
"""

from __future__ import annotations

import numpy as np

from gamelab.core._jit import njit
from gamelab.core.bits import bit, highest_bit, lowest, lowest_bit, without_lowest

__all__ = [
    "NEST_BIT",
    "free_for",
    "has_first_action",
    "has_move",
    "movers",
    "replant_targets",
    "targets",
]

NEST_BIT = np.array([1 << 62, 1 << 63], dtype=np.uint64)  # Green's, Orange's
NOTHING, ONE = np.uint64(0), np.uint64(1)


@njit
def movers(state, player):  # type: ignore[no-untyped-def]
    """The legs that may move: all of two-legged spiders, but none twice in a turn."""
    return state["legs"][player] & ~(state["danglers"] | state["moved"])


@njit
def free_for(state, player):  # type: ignore[no-untyped-def]
    """The spots that a leg of the player's may enter if they are within reach: all but the own legs' and the own nest."""
    return ~(state["legs"][player] | NEST_BIT[player])


@njit
def reach(state, leg, other):  # type: ignore[no-untyped-def]
    """The spots within reach of a spider's leg whose other one stands in the hole `other`, occupied or not."""
    return state["reach"][(state["daddies"] >> leg) & ONE, other]


@njit
def targets(state, leg, free):  # type: ignore[no-untyped-def]
    """Where the leg of a two-legged spider may go, of the spots that are `free` for its player."""
    return reach(state, leg, np.uint64(state["partner"][leg])) & free


@njit
def replant_targets(state, player, planted):  # type: ignore[no-untyped-def]
    """Where the Dangler that hangs from `planted` may put its other leg: unoccupied holes that are no progress."""
    here = bit(planted)
    up_to_here = here | (here - ONE)
    if player == 0:
        not_ahead = lowest_bit(state["columns"] & ~up_to_here) - ONE
    else:
        not_ahead = ~(highest_bit(state["columns"] & up_to_here) - ONE) & ~(NEST_BIT[0] | NEST_BIT[1])
    return reach(state, planted, planted) & not_ahead & ~(state["legs"][0] | state["legs"][1])


@njit
def has_move(state, player):  # type: ignore[no-untyped-def]
    """Whether some leg of the player's can move."""
    free = free_for(state, player)
    legs = movers(state, player)
    while legs != NOTHING:
        if targets(state, np.uint64(lowest(legs)), free) != NOTHING:
            return True
        legs = without_lowest(legs)
    return False


@njit
def has_first_action(state, player):  # type: ignore[no-untyped-def]
    """Whether the player can do anything but pass at the beginning of a turn."""
    hanging = state["legs"][player] & state["danglers"]
    while hanging != NOTHING:
        if replant_targets(state, player, np.uint64(lowest(hanging))) != NOTHING:
            return True
        hanging = without_lowest(hanging)
    return has_move(state, player)
