"""The trees of information set MCTS: information sets in a hash table, each with the actions tried in it.

A node is what one player, the tree's owner, knows when somebody is to act: an information set. It is found by a hash of the
way there, one number for each tree, so that there are no links from node to node: what the owner did and saw since the root.
Several trees share the table, told apart by the number that each begins with.

The actions of an information set form a list in ascending order, as `rules.legal_actions` gives them, so that those which are
legal in one determinization are found by walking along both. An action enters the list when it is first tried: a simulation
adds at most one action and one information set, and there is room for as many of the one as of the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit_inline, njit_lean

__all__ = ["ARM", "BYTES_PER_NODE", "INFORMATION_SET", "NONE", "Trees", "add_arm", "clear", "find_or_add", "make_trees"]

INFORMATION_SET = np.dtype(
    [
        (("hash of all that the tree's owner did and saw since the root", "key"), np.uint64),
        (("the lowest action tried here, or NONE", "first_arm"), np.int32),
        (("the next set in the same bucket of the hash table, or NONE", "next"), np.int32),
    ],
    align=True,
)
ARM = np.dtype(
    [
        (("sum of the simulations' returns for the player who chose the action", "value_sum"), np.float64),
        (("simulations in which it was chosen", "visits"), np.int32),
        (("simulations in which it could have been, from the one that tried it first", "available"), np.int32),
        (("the action", "action"), np.int32),
        (("the next higher action tried in the same set, or NONE", "next"), np.int32),
    ],
    align=True,
)
NONE = -1
# A set, an action, and a bucket of the hash table.
BYTES_PER_NODE = INFORMATION_SET.itemsize + ARM.itemsize + 4


class Trees(NamedTuple):
    """All trees of one search, with room for the same number of information sets and of actions."""

    sets: NDArray[Any]  # of INFORMATION_SET; the root's comes first
    arms: NDArray[Any]  # of ARM
    buckets: NDArray[np.int32]  # (2 ** n,) the newest set of each bucket, or NONE
    used: NDArray[np.int64]  # (2,) sets and arms in use


def make_trees(max_nodes: int) -> Trees:
    """Room for trees of `max_nodes` actions. Of the memory only the hash table is touched before it is used."""
    buckets = np.full(1 << max(max_nodes, 1).bit_length() - 1, NONE, np.int32)
    return Trees(np.empty(max_nodes, INFORMATION_SET), np.empty(max_nodes, ARM), buckets, np.zeros(2, np.int64))


@njit_lean
def clear(trees: Trees) -> None:
    """Forget everything; takes as long as there are sets in use. Modified in place."""
    for index in range(trees.used[0]):
        trees.buckets[_bucket(trees, trees.sets[index]["key"])] = NONE
    trees.used[:] = 0


@njit_inline
def _bucket(trees, key):  # type: ignore[no-untyped-def]
    # Keys are well mixed already.
    return np.int64(key & np.uint64(len(trees.buckets) - 1))


@njit_inline
def find_or_add(trees, key):  # type: ignore[no-untyped-def]
    """The index of the information set with this key, made if there is none; NONE if there is no room for an action in it."""
    bucket = _bucket(trees, key)
    index = np.int64(trees.buckets[bucket])
    while index != NONE and trees.sets[index]["key"] != key:
        index = np.int64(trees.sets[index]["next"])
    if index == NONE and trees.used[1] < len(trees.arms):
        index = trees.used[0]
        trees.used[0] += 1
        new = trees.sets[index]
        new["key"] = key
        new["first_arm"] = NONE
        new["next"] = trees.buckets[bucket]
        trees.buckets[bucket] = index
    return index


@njit_lean
def add_arm(trees, index, action):  # type: ignore[no-untyped-def]
    """Put a new action into the list of an information set; returns its index, or NONE if there is no room."""
    arm = trees.used[1]
    if arm == len(trees.arms):
        return np.int64(NONE)
    trees.used[1] += 1
    before, after = np.int64(NONE), np.int64(trees.sets[index]["first_arm"])
    while after != NONE and trees.arms[after]["action"] < action:
        before, after = after, np.int64(trees.arms[after]["next"])
    new = trees.arms[arm]
    new["value_sum"] = 0.0
    new["visits"] = 0
    new["available"] = 1
    new["action"] = action
    new["next"] = after
    if before == NONE:
        trees.sets[index]["first_arm"] = arm
    else:
        trees.arms[before]["next"] = arm
    return arm
