"""The search tree of MCTS as arrays of nodes, and how to keep a part of it.

The root is node 0. A node's children lie side by side, from `first_child`; they are made all at once when the node is
visited a second time, so that most nodes, which are visited once, cost 32 bytes and no more. Priors and RAVE statistics lie
in arrays of their own, for searches that want them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit, njit_inline
from gamelab.core.rules import TERMINAL

__all__ = [
    "NODE",
    "NOT_EXPANDED",
    "RAVE",
    "ROOT",
    "UNKNOWN",
    "Arrays",
    "bytes_per_node",
    "keep_subtree",
    "make_arrays",
    "make_node",
    "measure",
    "measure_distances",
    "threshold_to_keep",
]

NODE = np.dtype(
    [
        (("sum of the simulations' returns for the player who moved here (player 0 after chance)", "value_sum"), np.float64),
        (("simulations that passed through", "visits"), np.int32),
        (("index of the first child, or NOT_EXPANDED", "first_child"), np.int32),
        (("action that leads here", "action"), np.int32),
        (("the return for player 0 if proven", "proven_value"), np.float32),
        (("number of children", "num_children"), np.uint16),
        (("children that may be chosen by their bound; before that they are visited first to last", "tried"), np.uint16),
        (("player to act, CHANCE or TERMINAL; UNKNOWN before the first visit", "player"), np.int8),
        (("1 if the value is known for certain", "proven"), np.uint8),
    ],
    align=True,
)
RAVE = np.dtype(
    [
        (
            ("sum of the returns for the player who moved here, of simulations that played the action later", "value_sum"),
            np.float64,
        ),
        (("how many those are", "visits"), np.int32),
    ],
    align=True,
)
ROOT = 0
NOT_EXPANDED = 0  # the root is nobody's child
UNKNOWN = -3
DROPPED = -1
UNTOLD = -1


class Arrays(NamedTuple):
    """A tree; element i of each array belongs to node i."""

    nodes: NDArray[Any]  # of NODE
    priors: NDArray[np.float32]  # what the game thinks of the action, or its probability; empty if not wanted
    rave: NDArray[Any]  # of RAVE; empty if not wanted


def bytes_per_node(*, priors: bool = False, rave: bool = False) -> int:
    """Memory of a node, with the four bytes that keeping a subtree needs for a moment."""
    return NODE.itemsize + 4 + (4 if priors else 0) + (RAVE.itemsize if rave else 0)


def make_arrays(max_nodes: int, *, priors: bool = False, rave: bool = False) -> Arrays:
    """Room for a tree. Pages of memory that are never touched are never taken from the system."""
    return Arrays(
        np.empty(max_nodes, NODE),
        np.empty(max_nodes if priors else 0, np.float32),
        np.empty(max_nodes if rave else 0, RAVE),
    )


@njit_inline
def make_node(node: Any, action: int) -> None:
    """Set a node to one that was never visited. Modified in place."""
    node["value_sum"] = 0.0
    node["visits"] = 0
    node["first_child"] = NOT_EXPANDED
    node["action"] = action
    node["proven_value"] = 0.0
    node["num_children"] = 0
    node["tried"] = 0
    node["player"] = UNKNOWN
    node["proven"] = 0


@njit
def keep_subtree(tree: Arrays, used: int, new_root: int, min_visits: int, moved_to: NDArray[np.int32]) -> int:
    """Make a node the root, drop all that does not hang from it, and what hangs from seldom visited nodes. In place.

    Children are always made after their parents, so they have higher indices. Hence one pass from low to high finds what
    hangs from the new root, and a second one moves it down without overwriting anything still needed.

    Parameters
    ----------
    tree : Arrays
        The first `used` elements count.
    used : int
        Nodes in use.
    new_root : int
        The node to keep; its children are kept in any case.
    min_visits : int
        Other nodes with fewer visits lose their children.
    moved_to : ndarray of int32, shape (at least used,)
        Scratch.

    Returns
    -------
    int
        Nodes in use afterwards.
    """
    nodes = tree.nodes
    kept = 0
    for node in range(new_root, used):
        moved_to[node] = DROPPED
    moved_to[new_root] = 0
    for node in range(new_root, used):
        if moved_to[node] == DROPPED:
            continue
        moved_to[node] = kept
        kept += 1
        if node != new_root and nodes[node]["visits"] < min_visits:
            nodes[node]["first_child"] = NOT_EXPANDED
            nodes[node]["num_children"] = 0
            nodes[node]["tried"] = 0
        first = nodes[node]["first_child"]
        if first != NOT_EXPANDED:
            for child in range(first, first + nodes[node]["num_children"]):
                moved_to[child] = 0
    for node in range(new_root, used):
        target = moved_to[node]
        if target == DROPPED:
            continue
        first = nodes[node]["first_child"]
        nodes[target] = nodes[node]
        if first != NOT_EXPANDED:
            nodes[target]["first_child"] = moved_to[first]
        if len(tree.priors) > 0:
            tree.priors[target] = tree.priors[node]
        if len(tree.rave) > 0:
            tree.rave[target] = tree.rave[node]
    return kept


def threshold_to_keep(nodes: NDArray[Any], goal: int) -> int | None:
    """The least number of visits at which `keep_subtree`, from the root, keeps at most `goal` nodes; None if none does.

    Parameters
    ----------
    nodes : structured ndarray of NODE
        Those in use.
    goal : int
    """
    expanded = np.flatnonzero(nodes["first_child"] != NOT_EXPANDED)
    visits, children = nodes["visits"][expanded], nodes["num_children"][expanded].astype(np.int64)
    order = np.argsort(visits, kind="stable")[::-1]
    kept = 1 + np.cumsum(children[order])
    too_many = np.flatnonzero(kept > goal)
    if len(too_many) == 0:
        return 0
    # Nodes with as many visits as the first that is too much must go as well.
    threshold = int(visits[order[too_many[0]]]) + 1
    return threshold if 1 + int(children[visits >= threshold].sum()) < len(nodes) else None


@njit
def measure(nodes: NDArray[Any], used: int, depths: NDArray[np.int32], out: NDArray[np.float64]) -> None:
    """Depth and breadth of a tree, into `out`: greatest depth of a visited node, mean depth of a simulation's end, children
    of an expanded node on average, proven nodes.

    Parameters
    ----------
    nodes : structured ndarray of NODE
    used : int
        Nodes in use.
    depths : ndarray of int32, shape (at least used,)
        Scratch.
    out : ndarray of float64, shape (4,)
    """
    depths[ROOT] = 0
    out[:] = 0.0
    expanded, children, steps = 0, 0, 0.0
    for index in range(used):
        node = nodes[index]
        first = np.int64(node["first_child"])
        if node["visits"] > 0 or index == ROOT:
            out[0] = max(out[0], depths[index])
            # Each visit of a node but the root's is one step of a simulation.
            steps += node["visits"] if index != ROOT else 0
        out[3] += node["proven"]
        if first != NOT_EXPANDED:
            expanded += 1
            children += node["num_children"]
            for child in range(first, first + node["num_children"]):
                depths[child] = depths[index] + 1
    if nodes[ROOT]["visits"] > 0:
        out[1] = steps / nodes[ROOT]["visits"]
    if expanded > 0:
        out[2] = children / expanded


@njit
def measure_distances(nodes: NDArray[Any], used: int, distances: NDArray[np.int32]) -> None:
    """For each proven node the actions to the end, into `distances`, -1 where the tree does not tell.

    Who wins takes the nearest win that is proven, who loses the loss farthest off. So for a win it is what the tree can force,
    and there may be something shorter that it has not looked at.

    Parameters
    ----------
    nodes : structured ndarray of NODE
    used : int
        Nodes in use.
    distances : ndarray of int32, shape (at least used,)
        Modified in place.
    """
    for index in range(used - 1, -1, -1):
        node = nodes[index]
        distances[index] = UNTOLD
        if node["proven"] == 0:
            continue
        first = np.int64(node["first_child"])
        if first == NOT_EXPANDED:
            distances[index] = 0 if node["player"] == TERMINAL else UNTOLD
            continue
        value = node["proven_value"] if node["player"] <= 0 else -node["proven_value"]
        nearest, farthest, told = np.int32(2**31 - 1), np.int32(0), True
        for child in range(first, first + node["num_children"]):
            same = nodes[child]["proven"] == 1 and nodes[child]["proven_value"] == node["proven_value"]
            if same and distances[child] != UNTOLD:
                nearest = min(nearest, distances[child])
                farthest = max(farthest, distances[child])
            elif same or value < 1.0:
                told = False
        if value >= 1.0 and nearest < 2**31 - 1:
            distances[index] = nearest + 1
        elif value <= -1.0 and told:
            distances[index] = farthest + 1
