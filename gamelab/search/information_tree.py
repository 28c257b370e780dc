"""The trees of information set MCTS: information sets in a hash table, each with its actions.

A node is what one player, the tree's owner, knows when somebody is to act: an information set. It is found by a hash of the
way there, one number for each tree, so that there are no links from node to node: what the owner did and saw since the root.
Several trees share the table, told apart by the number that each begins with.

An information set has an arm for each action that was legal in it in some world. They form a list in ascending order, as
`rules.legal_actions` gives the actions, so that those which are legal in one world are found by walking along both. Where the
owner is to act all worlds have the same, and the arms lie side by side in memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit_inline, njit_lean

__all__ = [
    "ARM",
    "INFORMATION_SET",
    "NONE",
    "Trees",
    "add_arms",
    "bytes_per_set",
    "clear",
    "find_or_add",
    "insert_arm",
    "make_trees",
]

INFORMATION_SET = np.dtype(
    [
        (("hash of all that the tree's owner did and saw since the root; 0 in a free slot", "key"), np.uint64),
        (("the arm of the lowest action, or NONE", "first_arm"), np.int32),
        (("simulations in which an action was chosen here", "visits"), np.int32),
    ],
    align=True,
)
ARM = np.dtype(
    [
        (("sum of the simulations' returns for the player who chose the action", "value_sum"), np.float64),
        (("simulations in which it was chosen", "visits"), np.int32),
        (("visits of its set in which it could not be chosen", "missed"), np.int32),
        (("the action", "action"), np.int32),
        (("the arm of the next higher action in the same set, or NONE", "next"), np.int32),
    ],
    align=True,
)
NONE = -1
# Slots of the hash table for each set that there is room for.
SLACK = 1.5


class Trees(NamedTuple):
    """All trees of one search. An information set is known by its slot."""

    sets: NDArray[Any]  # of INFORMATION_SET, a hash table with linear probing
    slots: NDArray[np.int32]  # (max_sets,) those in use, in the order in which the sets were made; the root's comes first
    arms: NDArray[Any]  # of ARM
    used: NDArray[np.int64]  # (2,) sets and arms in use


def bytes_per_set(arms_per_set: int) -> int:
    """Memory of an information set with so many arms on average."""
    return int(SLACK * INFORMATION_SET.itemsize) + 4 + arms_per_set * ARM.itemsize


def make_trees(max_sets: int, arms_per_set: int) -> Trees:
    """Room for so many information sets. Pages of memory that are never touched are never taken from the system."""
    return Trees(
        np.zeros(int(SLACK * max_sets) + 1, INFORMATION_SET),
        np.empty(max_sets, np.int32),
        np.empty(max_sets * arms_per_set, ARM),
        np.zeros(2, np.int64),
    )


@njit_lean
def clear(trees: Trees) -> None:
    """Forget everything; takes as long as there are sets in use. Modified in place."""
    for i in range(trees.used[0]):
        trees.sets[trees.slots[i]]["key"] = 0
    trees.used[:] = 0


# Indices are unsigned: numba would test signed ones for being negative.


@njit_inline
def find_or_add(trees, key):  # type: ignore[no-untyped-def]
    """The slot of the information set with this key, a new one without arms if there is none; NONE if there is no room."""
    sets = trees.sets
    size, key = np.uint64(len(sets)), key | np.uint64(1)  # 0 marks a free slot
    slot = (key >> np.uint64(32)) * size >> np.uint64(32)
    while sets[slot]["key"] != key:
        if sets[slot]["key"] == np.uint64(0):
            return _add_set(trees, slot, key)
        slot = slot + np.uint64(1) if slot + np.uint64(1) < size else np.uint64(0)
    return np.int64(slot)


@njit_lean
def _add_set(trees, slot, key):  # type: ignore[no-untyped-def]
    if trees.used[0] == len(trees.slots):
        return np.int64(NONE)
    trees.slots[trees.used[0]] = slot
    trees.used[0] += 1
    trees.sets[slot]["key"] = key
    trees.sets[slot]["first_arm"] = NONE
    trees.sets[slot]["visits"] = 0
    return np.int64(slot)


@njit_lean
def add_arms(trees, slot, actions, count):  # type: ignore[no-untyped-def]
    """Give an information set its first arms, side by side; False if there is no room."""
    first = trees.used[1]
    if first + count > len(trees.arms):
        return False
    trees.used[1] += count
    for i in range(count):
        _make_arm(trees.arms[first + i], actions[i], 0, first + i + 1 if i + 1 < count else NONE)
    trees.sets[slot]["first_arm"] = first
    return True


@njit_lean
def insert_arm(trees, slot, action):  # type: ignore[no-untyped-def]
    """Give an information set an arm for an action that has none, during a visit; NONE if there is no room."""
    arms, new = trees.arms, trees.used[1]
    if new == len(arms):
        return np.int64(NONE)
    trees.used[1] += 1
    before, after = np.int64(NONE), np.int64(trees.sets[slot]["first_arm"])
    while after != NONE and arms[after]["action"] < action:
        before, after = after, np.int64(arms[after]["next"])
    _make_arm(arms[new], action, trees.sets[slot]["visits"] - 1, after)
    if before == NONE:
        trees.sets[slot]["first_arm"] = new
    else:
        arms[before]["next"] = new
    return new


@njit_inline
def _make_arm(arm, action, missed, following):  # type: ignore[no-untyped-def]
    arm["value_sum"] = 0.0
    arm["visits"] = 0
    arm["missed"] = missed
    arm["action"] = action
    arm["next"] = following
