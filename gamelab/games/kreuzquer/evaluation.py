"""A quick judgement."""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.rules import implements
from gamelab.games.kreuzquer.rules import DTYPE


@njit
def expected_minus(state, player):  # type: ignore[no-untyped-def]
    """A guess at the player's minus points at the end."""
    return np.float64(state["minus"][player])


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """Alone the minus points expected; else the chance to win that they make."""
    players = np.int64(state["players"])
    if players == 1:
        out[0] = -expected_minus(state, 0)
        return
    # The chance to win, as if it fell by a constant factor with each minus point.
    total = 0.0
    for player in range(players):
        out[player] = np.exp(-0.2 * expected_minus(state, player))
        total += out[player]
    for player in range(players):
        out[player] = 0.99 * (players * out[player] / total - 1.0) / (players - 1)
