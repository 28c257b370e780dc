"""A quick judgement of a Spider Wars position, for searches that stop before the end, and hooks that guide them."""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core.bits import popcount
from gamelab.core.rules import implements
from gamelab.games.spiderwars.rules import DTYPE

__all__ = []


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    total = 2 * (popcount(state["legs"][0]) - popcount(state["legs"][1]))
    out[0] = 0.99 * np.tanh(0.1 * total)
    out[1] = -out[0]
