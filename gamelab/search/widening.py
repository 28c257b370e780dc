"""Progressive widening: of many actions consider few at first, and more the longer the search looks.

Where hundreds of actions are legal, a search that tries each of them once learns nothing else. With widening only the
ceil(width * n^exponent) actions that look most promising (`rules.action_prior`) can be chosen at a node visited n times. They
are tried in that order, and what has been tried stays. As n grows every action comes in, so with enough simulations the values
are the same as without.

The game's priors decide what is seen at all: with an exponent e the action in place p has its first try after about
(p / width)^(1/e) visits. Where all priors are alike, what is seen first is a matter of luck or of the actions' numbers.

Sources: R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), for progressive widening; G. Chaslot et
al., "Progressive strategies for Monte-Carlo tree search" (2008), for the same as progressive unpruning; A. Couetoux et al.,
"Continuous upper confidence trees" (2011), for the number of actions as a power of the visits.
"""

from __future__ import annotations

import math

import numpy as np

from gamelab.core._jit import njit_inline, njit_lean
from gamelab.core.errors import ParameterError

__all__ = ["DEFAULT_WIDTH", "OFF", "candidates", "check_widening", "width_at"]

OFF = 0.0  # as an exponent: all actions at once
DEFAULT_WIDTH = 8
MOST = 1_000_000


def check_widening(widening: float | None, width: int) -> None:
    """Raise ParameterError unless the exponent is None or above 0 and at most 1, and the width a sensible number of actions."""
    if widening is not None and not 0 < widening <= 1:
        raise ParameterError(f"widening: {widening} is not a number above 0 and at most 1")
    if not 1 <= width <= MOST:
        raise ParameterError(f"width: {width} is not a number of actions from 1 to {MOST}")


@njit_inline
def width_at(control, visits):  # type: ignore[no-untyped-def]
    """How many actions can be chosen at a node visited so often, if there are as many."""
    return np.int64(math.ceil(control["width"] * np.float64(max(np.int64(visits), np.int64(1))) ** control["widening"]))


@njit_lean
def candidates(tree, index, control):  # type: ignore[no-untyped-def]
    """The number of a node's children that can be chosen now; they are the first ones.

    Children whose value is proven take up no place: where all that were tried are lost, the next one comes in at once. All
    children are made when the node is expanded, so a proof that wants every child's value waits for those not tried, too.

    Parameters
    ----------
    tree : Arrays
        Modified in place: the untried child with the highest prior is brought to the front of the untried ones. So children
        come in by their priors without having been sorted, and alike ones in the random order in which they were made.
    index : int
    control : record of CONTROL
    """
    node = tree.nodes[index]
    first, n, tried = np.int64(node["first_child"]), np.int64(node["num_children"]), np.int64(node["tried"])
    count = width_at(control, node["visits"])
    for child in range(first, first + tried):
        count += np.int64(tree.nodes[child]["proven"])
    count = min(count, n)
    if np.isnan(control["first_play"]):
        if tried < count:
            _bring_forward(tree, first + tried, first + n)
        return count
    # With first-play urgency what comes in competes by its bound at once.
    for child in range(first + tried, first + count):
        _bring_forward(tree, child, first + n)
    node["tried"] = max(tried, count)
    return count


@njit_inline
def _bring_forward(tree, place, end):  # type: ignore[no-untyped-def]
    """Swap the first child with the highest prior, of those from `place` on, into that place. None of them was visited."""
    best = place
    for child in range(place + 1, end):
        if tree.priors[child] > tree.priors[best]:
            best = child
    if best == place:
        return
    nodes, priors = tree.nodes, tree.priors
    nodes[place]["action"], nodes[best]["action"] = nodes[best]["action"], nodes[place]["action"]
    priors[place], priors[best] = priors[best], priors[place]
    if len(tree.rave) > 0:  # theirs grow before the first visit
        rave = tree.rave
        rave[place]["value_sum"], rave[best]["value_sum"] = rave[best]["value_sum"], rave[place]["value_sum"]
        rave[place]["visits"], rave[best]["visits"] = rave[best]["visits"], rave[place]["visits"]
