"""The search tree of MCTS as one array of nodes, and how to keep a subtree of it.

The root is node 0. A node's children lie side by side, from `first_child`; they are made all at once when the node is
visited a second time, so that most nodes, which are visited once, cost 32 bytes and no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit

__all__ = ["BYTES_PER_NODE", "NODE", "NOT_EXPANDED", "ROOT", "UNKNOWN", "clear_root", "keep_subtree"]

NODE = np.dtype(
    [
        (("sum of the simulations' returns for the player who moved here (player 0 after chance)", "value_sum"), np.float64),
        (("simulations that passed through", "visits"), np.int32),
        (("index of the first child, or NOT_EXPANDED", "first_child"), np.int32),
        (("action that leads here", "action"), np.int32),
        (("the return for player 0 if proven", "proven_value"), np.float32),
        (("number of children", "num_children"), np.uint16),
        (("children visited so far; they are visited first to last", "tried"), np.uint16),
        (("player to act, CHANCE or TERMINAL; UNKNOWN before the first visit", "player"), np.int8),
        (("1 if the value is known for certain", "proven"), np.uint8),
    ],
    align=True,
)
ROOT = 0
NOT_EXPANDED = 0  # the root is nobody's child
UNKNOWN = -3
# Re-rooting needs four more bytes a node for a moment.
BYTES_PER_NODE = NODE.itemsize + 4


@njit
def clear_root(nodes: NDArray[Any]) -> None:
    """Make the root a node that was never visited. Modified in place."""
    root = nodes[ROOT]
    root["value_sum"] = 0.0
    root["visits"] = 0
    root["first_child"] = NOT_EXPANDED
    root["action"] = -1
    root["proven_value"] = 0.0
    root["num_children"] = 0
    root["tried"] = 0
    root["player"] = UNKNOWN
    root["proven"] = 0


@njit
def keep_subtree(nodes: NDArray[Any], used: int, new_root: int, moved_to: NDArray[np.int32]) -> int:
    """Make a node the root and drop all that does not hang from it. Modified in place.

    Children are always made after their parents, so they have higher indices. Hence one pass from low to high finds what
    hangs from the new root, and a second one moves it down without overwriting anything still needed.

    Parameters
    ----------
    nodes : structured ndarray of NODE
        The tree; the first `used` elements count.
    used : int
        Nodes in use.
    new_root : int
        The node to keep, with all below it.
    moved_to : ndarray of int32, shape (at least used,)
        Scratch.

    Returns
    -------
    int
        Nodes in use afterwards.
    """
    kept = 0
    for node in range(new_root, used):
        moved_to[node] = -1
    moved_to[new_root] = 0
    for node in range(new_root, used):
        if moved_to[node] == -1:
            continue
        moved_to[node] = kept
        kept += 1
        first = nodes[node]["first_child"]
        if first != NOT_EXPANDED:
            for child in range(first, first + nodes[node]["num_children"]):
                moved_to[child] = 0
    for node in range(new_root, used):
        if moved_to[node] == -1:
            continue
        first = nodes[node]["first_child"]
        nodes[moved_to[node]] = nodes[node]
        if first != NOT_EXPANDED:
            nodes[moved_to[node]]["first_child"] = moved_to[first]
    return kept
