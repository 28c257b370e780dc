"""Monte Carlo tree search: UCT with proven values, for any game.

A simulation has four steps. 1. Select: go down from the root, at each node to the child with the best upper confidence
bound, at a chance node to an outcome drawn with its true probability. 2. Expand: a node visited for the second time gets its
children. 3. Play out: finish the game with uniformly random actions. 4. Back up: every node on the way counts the result
from the point of view of the player who moved there, so any number of players is served.

With the solver on (two players), results that are certain are backed up as such: a node is won as soon as one child is won
for the player to act, and its value is known once all its children's are. A chance node's is known when all outcomes agree.

Sources: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (2006); M. Winands, Y. Bjornsson, J.-T. Saito,
"Monte-Carlo tree search solver" (2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.search.playout import playout
from gamelab.search.tree import BYTES_PER_NODE, NODE, NOT_EXPANDED, ROOT, UNKNOWN, clear_root, keep_subtree

__all__ = ["MAX_DEPTH", "Tree"]

CONTROL = np.dtype(
    [
        (("exploration constant of the upper confidence bound", "exploration"), np.float64),
        (("simulations done since the root was set", "simulations"), np.int64),
        (("nodes in use", "used"), np.int64),
        (("1 to back up proven values", "solver"), np.uint8),
    ],
    align=True,
)
MAX_DEPTH = 512


class Scratch(NamedTuple):
    """Room that a search needs besides the tree; made once."""

    path: NDArray[np.int32]  # (MAX_DEPTH,) nodes from the root to the leaf
    actions: NDArray[np.int32]  # (max_legal_actions,)
    outcomes: NDArray[np.int32]  # (max_chance_outcomes,)
    probabilities: NDArray[np.float64]  # (max_chance_outcomes,)
    values: NDArray[np.float64]  # (num_players,) the returns of one simulation


@njit
def search(states, nodes, control, scratch, limit, stop, rng):  # type: ignore[no-untyped-def]
    """Run simulations until there are `limit` of them, `stop[0]` is set, or the root's value is proven.

    Parameters
    ----------
    states : structured ndarray of the game, shape (2,)
        The root in element 0, never changed; element 1 is scratch.
    nodes : structured ndarray of NODE
        The tree; its length is the memory limit.
    control : structured ndarray of CONTROL, shape (1,)
    scratch : Scratch
    limit : int
        Simulations of this root, those done before included.
    stop : ndarray of uint8, shape (1,)
        Another thread may set it.
    rng : numpy.random.Generator
    """
    if nodes[ROOT]["player"] == UNKNOWN:
        nodes[ROOT]["player"] = rules.current_player(states[0])
    while control[0]["simulations"] < limit and stop[0] == 0 and nodes[ROOT]["proven"] == 0:
        states[1] = states[0]
        depth = _descend(states[1], nodes, control[0], scratch, rng)
        _value_of_leaf(states[1], nodes[scratch.path[depth]], scratch, rng)
        _back_up(nodes, scratch, depth)
        if control[0]["solver"] == 1:
            _prove_upwards(nodes, scratch, depth)
        control[0]["simulations"] += 1


@njit
def _descend(state, nodes, control, scratch, rng):  # type: ignore[no-untyped-def]
    """Steps 1 and 2. Leaves the state at the leaf, the way in `scratch.path`; returns the leaf's depth."""
    depth = 0
    index = ROOT
    scratch.path[0] = ROOT
    while nodes[index]["proven"] == 0 and nodes[index]["player"] != TERMINAL and depth + 1 < len(scratch.path):
        if nodes[index]["first_child"] == NOT_EXPANDED:
            if index != ROOT and nodes[index]["visits"] == 0:
                break
            if not _expand(state, nodes, control, index, scratch, rng):
                break
        index = _select(state, nodes, index, control["exploration"], rng)
        rules.apply_action(state, nodes[index]["action"])
        depth += 1
        scratch.path[depth] = index
        if nodes[index]["player"] == UNKNOWN:
            _discover(state, nodes[index], scratch)
    return depth


@njit
def _discover(state, node, scratch):  # type: ignore[no-untyped-def]
    """Note who is to act at a node reached for the first time; with two players the value of an end is certain."""
    node["player"] = rules.current_player(state)
    if node["player"] == TERMINAL and len(scratch.values) == 2:
        rules.returns(state, scratch.values)
        node["proven"] = 1
        node["proven_value"] = scratch.values[0]


@njit
def _expand(state, nodes, control, index, scratch, rng):  # type: ignore[no-untyped-def]
    """Give a node its children, in random order. False if there is no room, or chance cannot be listed."""
    if nodes[index]["player"] == CHANCE:
        actions = scratch.outcomes
        n = rules.chance_outcomes(state, actions, scratch.probabilities)
    else:
        actions = scratch.actions
        n = rules.legal_actions(state, actions)
        # Children are first visited in this order, so it must not favour low actions.
        for i in range(n - 1, 0, -1):
            j = int(rng.random() * (i + 1))
            actions[i], actions[j] = actions[j], actions[i]
    first = control["used"]
    if n == 0 or first + n > len(nodes):
        return False
    for i in range(n):
        child = nodes[first + i]
        child["value_sum"] = 0.0
        child["visits"] = 0
        child["first_child"] = NOT_EXPANDED
        child["action"] = actions[i]
        child["proven_value"] = 0.0
        child["num_children"] = 0
        child["tried"] = 0
        child["player"] = UNKNOWN
        child["proven"] = 0
    nodes[index]["first_child"] = first
    nodes[index]["num_children"] = n
    control["used"] = first + n
    return True


@njit
def _select(state, nodes, index, exploration, rng):  # type: ignore[no-untyped-def]
    """The child to go to."""
    node = nodes[index]
    first = np.int64(node["first_child"])
    if node["player"] == CHANCE:
        outcome = rules.sample_chance(state, rng)
        child = first
        while nodes[child]["action"] != outcome:
            child += 1
        return child
    if node["tried"] < node["num_children"]:
        child = first + node["tried"]
        node["tried"] += 1
        return child
    sign = 1.0 if node["player"] == 0 else -1.0
    log_visits = math.log(max(node["visits"], 1))
    best = first
    best_bound = -np.inf
    for offset in range(node["num_children"]):
        child = first + offset
        if nodes[child]["proven"] == 1:
            # What is certain needs no exploration.
            bound = sign * nodes[child]["proven_value"]
        else:
            visits = nodes[child]["visits"]
            bound = nodes[child]["value_sum"] / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@njit
def _value_of_leaf(state, leaf, scratch, rng):  # type: ignore[no-untyped-def]
    """Step 3: the returns of one simulation, into `scratch.values`."""
    if leaf["proven"] == 1:
        scratch.values[0] = leaf["proven_value"]
        scratch.values[1] = -leaf["proven_value"]
        return
    playout(state, scratch.actions, rng)
    rules.returns(state, scratch.values)


@njit
def _back_up(nodes, scratch, depth):  # type: ignore[no-untyped-def]
    """Step 4."""
    for i in range(depth, 0, -1):
        mover = max(np.int64(nodes[scratch.path[i - 1]]["player"]), 0)
        node = nodes[scratch.path[i]]
        node["visits"] += 1
        node["value_sum"] += scratch.values[mover]
    root = nodes[ROOT]
    root["visits"] += 1
    root["value_sum"] += scratch.values[max(np.int64(root["player"]), 0)]


@njit
def _prove_upwards(nodes, scratch, depth):  # type: ignore[no-untyped-def]
    """If the leaf is proven, prove its ancestors as far as that goes."""
    for i in range(depth, 0, -1):
        if nodes[scratch.path[i]]["proven"] == 0 or not _prove(nodes, scratch.path[i - 1], scratch.path[i]):
            return


@njit
def _prove(nodes, index, child):  # type: ignore[no-untyped-def]
    """Settle a node's value if that is possible now that a child's is known. Returns whether it is settled."""
    node = nodes[index]
    if node["player"] != CHANCE:
        sign = 1.0 if node["player"] == 0 else -1.0
        if sign * nodes[child]["proven_value"] >= 1.0:
            node["proven"] = 1
            node["proven_value"] = nodes[child]["proven_value"]
            return True
        if node["tried"] < node["num_children"]:
            return False
    else:
        sign = 1.0
    best = nodes[child]["proven_value"]
    for other in range(node["first_child"], node["first_child"] + node["num_children"]):
        value = nodes[other]["proven_value"]
        if nodes[other]["proven"] == 0 or (node["player"] == CHANCE and value != best):
            return False
        if sign * value > sign * best:
            best = value
    node["proven"] = 1
    node["proven_value"] = best
    return True


class Tree:
    """A search tree with its memory, from which results can be read.

    Parameters
    ----------
    game : Game
    max_nodes : int
        Nodes to make room for, at `BYTES_PER_NODE` bytes each. When they are used up the search goes on, but the tree
        grows no more.
    exploration : float
        The constant of the upper confidence bound; returns lie in [-1, 1].
    solver : bool
        Whether proven values are backed up; only with two players.

    Raises
    ------
    ParameterError
        If there is no room for the root and its children.
    """

    def __init__(self, game: Game, max_nodes: int, exploration: float, solver: bool) -> None:
        if max_nodes < game.max_legal_actions + 1:
            raise ParameterError(
                f"memory: room for {max_nodes} nodes of {BYTES_PER_NODE} bytes, {game.name} needs "
                f"{game.max_legal_actions + 1} for the root and its children"
            )
        self.game = game
        # Pages of memory that are never touched are never taken from the system.
        self.nodes = np.empty(max_nodes, NODE)
        self.control = np.zeros(1, CONTROL)
        self.control["exploration"] = exploration
        self.control["solver"] = solver and game.num_players == 2
        self._states = np.zeros(2, game.dtype)
        self._scratch = Scratch(
            np.zeros(MAX_DEPTH, np.int32),
            game.action_buffer(),
            np.zeros(game.max_chance_outcomes, np.int32),
            np.zeros(game.max_chance_outcomes),
            np.zeros(game.num_players),
        )

    def set_root(self, array: Array) -> None:
        """Begin anew from a state."""
        self._states[0] = array[0]
        clear_root(self.nodes)
        self.control["used"] = 1
        self.control["simulations"] = 0

    def advance(self, actions: list[int], array: Array) -> bool:
        """Keep what was learned about the state after `actions` from the root; False if nothing was."""
        parent = index = ROOT
        for action in actions:
            found = np.flatnonzero(self.children(index)["action"] == action)
            if len(found) == 0:
                return False
            parent, index = index, int(self.nodes[index]["first_child"] + found[0])
        if self.nodes[index]["visits"] == 0:
            return False
        used = int(self.control["used"][0])
        if index != ROOT:
            mover = max(int(self.nodes[parent]["player"]), 0)
            self.control["used"] = keep_subtree(self.nodes, used, index, np.empty(used, np.int32))
            player = max(int(self.nodes[ROOT]["player"]), 0)
            if player != mover:  # the root counts for the player to act; zero-sum only with two
                self.nodes[ROOT]["value_sum"] *= -1.0 if self.game.num_players == 2 else 0.0
        self._states[0] = array[0]
        self.control["simulations"] = 0
        return True

    def run(self, simulations: int, rng: np.random.Generator, stop: NDArray[np.uint8]) -> int:
        """Search on, until `simulations` are done since the root was set; return how many are."""
        search(self._states, self.nodes, self.control, self._scratch, simulations, stop, rng)
        return int(self.control["simulations"][0])

    def children(self, index: int = ROOT) -> Array:
        """A view of a node's children, in no particular order."""
        first, count = int(self.nodes[index]["first_child"]), int(self.nodes[index]["num_children"])
        return self.nodes[first : first + count] if first != NOT_EXPANDED else self.nodes[:0]

    def mean_value(self, index: int, player: int) -> float:
        """The value of a node for `player`, who chose to come here: proven if it is, else the mean of the simulations."""
        node = self.nodes[index]
        if node["proven"]:
            return float(node["proven_value"]) * (1 if player == 0 else -1)
        return float(node["value_sum"] / node["visits"]) if node["visits"] else 0.0

    def best_child(self, index: int = ROOT) -> int | None:
        """The node to go to from a node: a proven win, else the most visited, unless something certain is better.

        A child known to be lost is chosen only if all are; None for a node without visited children.
        """
        children = self.children(index)
        if len(children) == 0 or not children["visits"].any():
            return None
        first, player = int(self.nodes[index]["first_child"]), int(self.nodes[index]["player"])
        sign = 1 if player <= 0 else -1
        proven = children["proven"] == 1
        certain = np.where(proven, sign * children["proven_value"], -np.inf)
        open_visits = np.where(proven, -1, children["visits"])
        favourite = int(np.argmax(open_visits))
        safest = int(np.argmax(np.where(certain == certain.max(), children["visits"], -1)))
        if open_visits[favourite] <= 0 or certain[safest] >= max(self.mean_value(first + favourite, player), -0.999):
            return first + safest
        return first + favourite

    def principal_variation(self) -> list[int]:
        """The actions from the root that the search thinks best for everyone."""
        actions: list[int] = []
        index: int | None = ROOT
        while index is not None and (index := self.best_child(index)) is not None:
            actions.append(int(self.nodes[index]["action"]))
        return actions
