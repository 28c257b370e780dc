"""Chance nodes in a search to a depth: their outcomes with the probabilities, or where they are too many a sample of them."""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Game
from gamelab.core.numbers import is_whole

__all__ = ["DEFAULT_SAMPLES", "checked_samples", "list_outcomes"]

DEFAULT_SAMPLES = 8


def checked_samples(samples: int | None, game: Game) -> int:
    """Draws as kernels want them, 0 for none: None means none, and `DEFAULT_SAMPLES` where outcomes cannot be listed.

    Raises
    ------
    ParameterError
        If they are neither None nor a whole number of at least 1.
    """
    if samples is None:
        return DEFAULT_SAMPLES if game.chance_mode == "sampled" else 0
    if not is_whole(samples) or samples < 1:
        raise ParameterError(f"samples: {quoted(samples)} is not a whole number of at least 1")
    return int(samples)


@njit
def list_outcomes(w, rng, ply):  # type: ignore[no-untyped-def]
    """Write outcomes and probabilities of the chance node in row `ply`, listed or drawn. Returns their number."""
    control = w.control[0]
    count = np.int64(0)
    if control["listed"] == 1:
        count = np.int64(rules.chance_outcomes(w.states[ply], w.actions[ply], w.chances[ply]))
    if control["samples"] > 0 and (control["listed"] == 0 or count > control["samples"]):
        count = _draw_outcomes(w, rng, ply)
    return count


@njit
def _draw_outcomes(w, rng, ply):  # type: ignore[no-untyped-def]
    """Draw outcomes; each gets the share of the draws that it came up in."""
    samples = w.control[0]["samples"]
    count = np.int64(0)
    for _ in range(samples):
        outcome = rules.sample_chance(w.states[ply], rng)
        i = np.int64(0)
        while i < count and w.actions[ply, i] != outcome:
            i += 1
        if i == count:
            w.actions[ply, i] = outcome
            w.chances[ply, i] = 0.0
            count += 1
        w.chances[ply, i] += 1.0 / samples
    return count
