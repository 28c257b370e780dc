"""Monte Carlo tree search: a tree with its memory, on one thread or several, over `gamelab.search.simulation`.

Several threads grow a tree each, from generators of their own, and add up what they found at the root (root parallelisation;
G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008). They share nothing while they run, so a
search with a number of simulations gives the same result on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.search.compilation import compiling_rules
from gamelab.search.playout import POLICIES
from gamelab.search.simulation import PRIORS, PUCT, UCT, make_scratch, search
from gamelab.search.tree import (
    NOT_EXPANDED,
    ROOT,
    bytes_per_node,
    keep_subtree,
    make_arrays,
    make_node,
    measure,
    measure_distances,
    threshold_to_keep,
)
from gamelab.search.widening import DEFAULT_WIDTH, OFF, check_widening

__all__ = ["Options", "RootStatistics", "Tree", "run_all"]


@dataclass(frozen=True)
class Options:
    """What a search may do beyond plain UCT; the defaults are plain UCT with proven values.

    Attributes
    ----------
    exploration : float
        Constant of the upper confidence bound; returns lie in [-1, 1].
    rule : {"uct", "puct"}
        UCT's bound, or PUCT's: exploration * probability * sqrt(visits) / (1 + visits of the child).
    prior : {"none", "action", "evaluation"}
        Where priors come from: nowhere (PUCT: all alike), `rules.action_prior`, or `rules.evaluate` after the action.
    temperature : float
        PUCT turns priors into probabilities by a softmax with this temperature.
    bias : float
        Weight of progressive bias: bias * prior / (1 + visits) is added to the bound.
    first_play : float or None
        First-play urgency: the bound of an untried action is the mean of those tried plus this. None: each is tried once
        before any twice.
    widening : float or None
        Exponent of progressive widening, above 0 and at most 1: at a node visited n times only the width * n^widening actions
        with the highest priors can be chosen (see `gamelab.search.widening`). None: all.
    width : int
        Actions that can be chosen at first, with widening.
    rave : float
        Visits at which the all-moves-as-first value counts as much as the mean, 0 for none.
    cutoff : int or None
        Playouts are cut off after so many plies and evaluated; None: they are played to the end.
    policy : {"random", "prior", "evaluation"}
        What the players go by in playouts; see `gamelab.search.playout.policy_action`.
    decisive : bool
        Playouts take a win where there is one.
    solver : bool
        Back up proven values, with two players.
    reclaim : bool
        When memory is used up, give up the children of the nodes least visited, and go on; else the tree grows no more.
    """

    exploration: float = 0.7
    rule: str = "uct"
    prior: str = "none"
    temperature: float = 1.0
    bias: float = 0.0
    first_play: float | None = None
    widening: float | None = None
    width: int = DEFAULT_WIDTH
    rave: float = 0.0
    cutoff: int | None = None
    policy: str = "random"
    decisive: bool = False
    solver: bool = True
    reclaim: bool = True

    def __post_init__(self) -> None:
        for name, value, known in (
            ("rule", self.rule, ("uct", "puct")),
            ("prior", self.prior, tuple(PRIORS)),
            ("policy", self.policy, tuple(POLICIES)),
        ):
            if value not in known:
                raise ParameterError(f"{name}: {quoted(value)} is not one of {', '.join(known)}")
        if self.bias and not self.wants_priors:
            raise ParameterError("bias: progressive bias needs a prior, action or evaluation")
        if self.widening is not None and self.prior == "none":
            raise ParameterError("widening: progressive widening needs a prior, action or evaluation")
        check_widening(self.widening, self.width)
        if self.cutoff is not None and self.cutoff < 0:
            raise ParameterError(f"cutoff: {self.cutoff} is less than 0 plies")
        for name in ("exploration", "bias", "rave"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ParameterError(f"{name}: {getattr(self, name)} is not a number from 0 on")
        if not 0 < self.temperature < math.inf:
            raise ParameterError(f"temperature: {self.temperature} is not a number above 0")

    @property
    def wants_priors(self) -> bool:
        """Whether each node has a prior."""
        return self.prior != "none" or self.rule == "puct"

    @property
    def bytes_per_node(self) -> int:
        """Memory of a node."""
        return bytes_per_node(priors=self.wants_priors, rave=self.rave > 0)


class Tree:
    """A search tree with its memory, from which results can be read.

    Parameters
    ----------
    game : Game
    max_nodes : int
        Nodes to make room for, at `Options.bytes_per_node` bytes each.
    options : Options, optional

    Raises
    ------
    ParameterError
        If there is no room for the root and its children.
    """

    def __init__(self, game: Game, max_nodes: int, options: Options = Options()) -> None:
        if max_nodes < game.max_legal_actions + 1:
            raise ParameterError(
                f"memory: room for {max_nodes} nodes of {options.bytes_per_node} bytes, {game.name} needs "
                f"{game.max_legal_actions + 1} for the root and its children"
            )
        self.game, self.options = game, options
        self.arrays = make_arrays(max_nodes, priors=options.wants_priors, rave=options.rave > 0)
        self.nodes = self.arrays.nodes
        self._moved_to = np.empty(max_nodes, np.int32)
        self._scratch = make_scratch(game)
        self.control = self._scratch.control
        self._set_options(options)

    def _set_options(self, options: Options) -> None:
        control = self.control
        control["exploration"] = options.exploration
        control["rule"] = PUCT if options.rule == "puct" else UCT
        control["prior"] = PRIORS[options.prior]
        control["temperature"] = options.temperature
        control["bias"] = options.bias
        control["widening"] = OFF if options.widening is None else options.widening
        control["width"] = options.width
        control["rave"] = options.rave
        control["cutoff"] = -1 if options.cutoff is None else options.cutoff
        control["policy"] = POLICIES[options.policy]
        control["decisive"] = options.decisive
        control["solver"] = options.solver and self.game.num_players == 2
        control["stop_when_full"] = options.reclaim
        control["first_play"] = np.nan if options.first_play is None else options.first_play

    def set_root(self, array: Array) -> None:
        """Begin anew from a state."""
        make_node(self.nodes[ROOT], -1)
        self.control["used"] = 1
        self._begin(array)

    def _begin(self, array: Array) -> None:
        self._scratch.states[0] = array[0]
        self._scratch.played.fill(-1)
        self.control["simulations"] = 0

    def advance(self, actions: list[int], array: Array) -> bool:
        """Keep what was learned about the state after `actions` from the root; False if nothing was."""
        parent = index = ROOT
        for action in actions:
            found = np.flatnonzero(self.children(index)["action"] == action)
            if len(found) == 0:
                return False
            parent, index = index, int(self.nodes[index]["first_child"] + found[0])
        node = self.nodes[index]
        # Of a proven node whose children were given up only the value is known, and not what to play.
        if node["visits"] == 0 or (node["proven"] and node["first_child"] == NOT_EXPANDED):
            return False
        if index != ROOT:
            mover = max(int(self.nodes[parent]["player"]), 0)
            self.control["used"] = keep_subtree(self.arrays, self.used, index, 0, self._moved_to)
            player = max(int(self.nodes[ROOT]["player"]), 0)
            if player != mover:  # the root counts for the player to act; zero-sum only with two
                self.nodes[ROOT]["value_sum"] *= -1.0 if self.game.num_players == 2 else 0.0
        self._begin(array)
        return True

    def run(self, simulations: int, rng: np.random.Generator, stop: NDArray[np.uint8]) -> int:
        """Search on, until `simulations` are done since the root was set; return how many are.

        Raises
        ------
        AgentError
            If the game's rules cannot be compiled into a search.
        """
        while True:
            self._search(simulations, rng, stop)
            if not (self.control["full"][0] and self._reclaim()):
                break
        # Without anything to give up the tree stays as it is.
        if self.control["full"][0]:
            self.control["stop_when_full"] = 0
            self._search(simulations, rng, stop)
            self.control["stop_when_full"] = 1
        return int(self.control["simulations"][0])

    def _search(self, simulations: int, rng: np.random.Generator, stop: NDArray[np.uint8]) -> None:
        with compiling_rules(self.game):
            search(self.arrays, self._scratch, simulations, stop, rng)

    def _reclaim(self) -> bool:
        """Give up half of the nodes; False if that cannot be done."""
        threshold = threshold_to_keep(self.nodes[: self.used], self.used // 2)
        if threshold is None:
            return False
        before = self.used
        self.control["used"] = keep_subtree(self.arrays, before, ROOT, threshold, self._moved_to)
        return self.used < before

    @property
    def used(self) -> int:
        """Nodes in use."""
        return int(self.control["used"][0])

    def children(self, index: int = ROOT) -> Array:
        """A view of a node's children, in no particular order."""
        first, count = int(self.nodes[index]["first_child"]), int(self.nodes[index]["num_children"])
        return self.nodes[first : first + count] if first != NOT_EXPANDED else self.nodes[:0]

    def statistics(self, index: int = ROOT) -> RootStatistics:
        """What was found out about a node's actions."""
        children = self.children(index)
        return RootStatistics(
            children["action"].copy(),
            children["visits"].astype(np.int64),
            children["value_sum"].copy(),
            children["proven"] == 1,
            children["proven_value"] * np.float64(1 if self.nodes[index]["player"] <= 0 else -1),
        )

    def principal_variation(self) -> list[int]:
        """The actions from the root that the search thinks best for everyone."""
        actions: list[int] = []
        index = ROOT
        while (best := self.statistics(index).best()) is not None:
            index = int(self.nodes[index]["first_child"]) + best
            actions.append(int(self.nodes[index]["action"]))
        return actions

    def end_in(self, action: int) -> int | None:
        """Actions to the end by the root's `action`, that one included, if a win or loss is proven: negative if it is lost.

        It is what the tree has proven: the winner may have a nearer win that was not looked at.
        """
        found = np.flatnonzero(self.children()["action"] == action)
        if len(found) == 0:
            return None
        measure_distances(self.nodes, self.used, self._moved_to)
        child = int(self.nodes[ROOT]["first_child"] + found[0])
        distance = int(self._moved_to[child])
        value = float(self.nodes[child]["proven_value"]) * (1 if self.nodes[ROOT]["player"] <= 0 else -1)
        return None if distance < 0 or abs(value) < 1 else int(value) * (distance + 1)

    def measures(self) -> dict[str, float]:
        """Figures of the tree: nodes, greatest and mean depth, mean branching, proven nodes."""
        out = np.zeros(4)
        measure(self.nodes, self.used, self._moved_to, out)
        return {
            "tree_nodes": self.used,
            "tree_depth": int(out[0]),
            "mean_depth": float(out[1]),
            "mean_branching": float(out[2]),
            "proven_nodes": int(out[3]),
        }


@dataclass(frozen=True)
class RootStatistics:
    """What a search, or several together, found out about the actions of one state.

    Attributes
    ----------
    actions : ndarray of int32
    visits : ndarray of int64
    value_sums : ndarray of float64
        Of the returns for the player to act (player 0 at a chance node).
    proven : ndarray of bool
    proven_values : ndarray of float64
        For the player to act; where not proven it means nothing.
    """

    actions: NDArray[np.int32]
    visits: NDArray[np.int64]
    value_sums: NDArray[np.float64]
    proven: NDArray[np.bool_]
    proven_values: NDArray[np.float64]

    @classmethod
    def together(cls, parts: Sequence[RootStatistics]) -> RootStatistics:
        """Add up; what one has proven is proven. Sorted by action."""
        sorted_parts = [part._sorted() for part in parts if len(part.actions)]
        together = sorted_parts[0] if sorted_parts else _NOTHING
        for part in sorted_parts[1:]:
            together = RootStatistics(
                together.actions,
                together.visits + part.visits,
                together.value_sums + part.value_sums,
                np.logical_or(together.proven, part.proven),
                np.where(part.proven, part.proven_values, together.proven_values),
            )
        return together

    def _sorted(self) -> RootStatistics:
        order = np.argsort(self.actions)
        return RootStatistics(
            self.actions[order], self.visits[order], self.value_sums[order], self.proven[order], self.proven_values[order]
        )

    def values(self) -> NDArray[np.float64]:
        """The value of each action for the player to act: proven, or the mean of its simulations, 0 without any."""
        return np.where(self.proven, self.proven_values, self.value_sums / np.maximum(self.visits, 1))

    def best(self) -> int | None:
        """The index of the action to play: a proven win, else the most visited, unless something certain is better.

        An action known to lose is chosen only if all do; None if none was visited.
        """
        if not (self.visits.any() or self.proven.any()):
            return None
        certain = np.where(self.proven, self.proven_values, -np.inf)
        open_visits = np.where(self.proven, -1, self.visits)
        favourite = int(np.argmax(open_visits))
        safest = int(np.argmax(np.where(self.proven & (certain == certain.max()), self.visits, -1)))
        if open_visits[favourite] <= 0 or certain[safest] >= max(self.values()[favourite], -0.999):
            return safest
        return favourite


_NOTHING = RootStatistics(np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.bool_), np.zeros(0))


def run_all(trees: Sequence[Tree], simulations: int, rngs: Sequence[np.random.Generator], stop: NDArray[np.uint8]) -> int:
    """Run several trees at once, each on its own thread, to about the same number of simulations, `simulations` in all.

    Returns
    -------
    int
        Simulations done since the root was set, by all together.
    """
    if len(trees) == 1:
        return trees[0].run(simulations, rngs[0], stop)
    each = math.ceil(simulations / len(trees))
    shares = [min(each, max(0, simulations - i * each)) for i in range(len(trees))]
    with ThreadPoolExecutor(len(trees)) as pool:
        return sum(pool.map(lambda tree, share, rng: tree.run(share, rng, stop), trees, shares, rngs))
