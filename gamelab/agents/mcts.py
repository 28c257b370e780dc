"""The MCTS agent."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gamelab.agents.base import MEBIBYTE, TIME, Agent, Analysis, Rng, check_decision
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Game, Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.mcts import Options, RootStatistics, Tree, run_all
from gamelab.search.playout import POLICIES
from gamelab.search.tree import ROOT
from gamelab.search.widening import DEFAULT_WIDTH

__all__ = ["MCTS"]

DEFAULT_SIMULATIONS = 1000
MOST_SIMULATIONS = int(np.iinfo(np.int32).max)
# Simulations between two looks at the keyboard: a kernel cannot be interrupted.
CHUNK = 20_000


class MCTS(Agent):
    """Monte Carlo tree search, UCT with random playouts unless the options say otherwise; see `gamelab.search.mcts`."""

    name = "mcts"
    options = {  # noqa: RUF012
        "sims": Parameter(None, f"simulations a move (default {DEFAULT_SIMULATIONS} if no budget is given)", low=1, kind=int),
        "time": TIME,
        "nodes": Parameter(
            None, "stop a move's search when its tree has so many nodes, or after so many simulations", low=1, kind=int
        ),
        "memory": Parameter(256, "MiB for all trees at most; the search goes on when they are full", low=1, high=1 << 20),
        "c": Parameter(0.7, "exploration constant of the upper confidence bound", low=0.0, high=1000),
        "rule": Parameter("uct", "which bound chooses", choices=("uct", "puct")),
        "prior": Parameter("none", "where priors come from", choices=("none", "action", "evaluation")),
        "temperature": Parameter(1.0, "of the softmax that makes PUCT's probabilities of priors", low=0.001, high=1000),
        "bias": Parameter(0.0, "weight of the progressive bias, bias * prior / (1 + visits)", low=0.0, high=1000),
        "fpu": Parameter(
            None,
            "bound of an untried action, relative to the mean (default 0 with puct or rave, else each is tried once first)",
            low=-1000,
            high=1000,
            kind=float,
        ),
        "widening": Parameter(
            None,
            "after n visits only the width * n^widening actions with the highest priors can be chosen (default all)",
            low=0.01,
            high=1,
            kind=float,
        ),
        "width": Parameter(DEFAULT_WIDTH, "actions that can be chosen at first, with widening", low=1, high=1_000_000),
        "rave": Parameter(0.0, "visits at which all-moves-as-first counts as much as the mean, 0 for none", low=0.0, high=1e9),
        "cutoff": Parameter(None, "plies after which a playout is cut off and evaluated", low=0, kind=int),
        "policy": Parameter(
            "random",
            "what players go by in playouts: action priors, the evaluation after each action, or nothing",
            choices=tuple(POLICIES),
        ),
        "decisive": Parameter(False, "playouts take a win where there is one"),
        "solver": Parameter(True, "back up proven wins and losses"),
        "reuse": Parameter(True, "keep the subtree of the moves played"),
        "reclaim": Parameter(True, "when memory is full, give up what is least visited; else grow no more"),
        "threads": Parameter(1, "trees grown side by side, the simulations shared out among them", low=1, high=256),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("sims", "time", "nodes")):
            self.settings["sims"] = DEFAULT_SIMULATIONS
        try:
            self._options = _search_options(self.settings)
        except ParameterError as error:
            raise ParameterError(f"{self.name}, {error}") from None
        self._trees: list[Tree] = []
        self._root: State | None = None

    @property
    def budget(self) -> str:
        kinds = {"time": "time", "sims": "simulations", "nodes": "nodes"}
        return next(kind for setting, kind in kinds.items() if self.settings[setting])

    def new_game(self) -> None:
        self._root = None

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        only = self._only_action(state)
        if only is not None:
            return only
        found = self._search(state, np.random.default_rng(rng))
        return int(found.actions[self._best(found)])

    def analyse(self, state: State, rng: Rng) -> Analysis:
        check_decision(state)
        started = time.perf_counter()
        found = self._search(state, np.random.default_rng(rng))
        best, values = self._best(found), found.values()
        seen = np.flatnonzero((found.visits > 0) | found.proven)
        action = int(found.actions[best])
        return Analysis(
            action,
            value=float(values[best]),
            nodes=self.last_nodes,
            seconds=time.perf_counter() - started,
            principal_variation=self._line(action),
            visits={int(a): int(n) for a, n in zip(found.actions, found.visits, strict=True)},
            scores={int(found.actions[i]): float(values[i]) for i in seen},
            end_in=self._end_in(action) if found.proven[best] else None,
            proven=bool(found.proven[best]),
            details=self._details(),
        )

    def _best(self, found: RootStatistics) -> int:
        best = found.best()
        if best is None:
            raise AgentError("mcts was stopped before its first simulation")
        return best

    def _line(self, action: int) -> list[int]:
        """What is expected after an action: the line of the first tree that thinks so too."""
        lines = [tree.principal_variation() for tree in self._trees]
        return next((line for line in lines if line[:1] == [action]), [action])

    def _end_in(self, action: int) -> int | None:
        """The nearest end that one of the trees has proven."""
        ends = [end for tree in self._trees if (end := tree.end_in(action)) is not None]
        return min(ends, key=abs, default=None)

    def _details(self) -> dict[str, Any]:
        """Figures of the trees: nodes and visits of all together, of depth the greatest, of means the first tree's."""
        measures = [tree.measures() for tree in self._trees]
        together: dict[str, Any] = dict(measures[0])
        for name in ("tree_nodes", "proven_nodes"):
            together[name] = sum(int(one[name]) for one in measures)
        together["tree_depth"] = max(one["tree_depth"] for one in measures)
        together["root_visits"] = sum(int(tree.nodes[ROOT]["visits"]) for tree in self._trees)
        return together

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        for tree in self._trees_for(state):
            tree.run(2, rng, np.zeros(1, np.uint8))

    def _search(self, state: State, rng: np.random.Generator) -> RootStatistics:
        trees = self._trees_for(state)
        rngs = [rng] if len(trees) == 1 else rng.spawn(len(trees))
        sims, nodes = self.settings["sims"], self.settings["nodes"]
        # A small game's tree may never have so many nodes; so many simulations are enough for it.
        limit = min(sims or MOST_SIMULATIONS, nodes or MOST_SIMULATIONS)
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            done = 0
            while done < limit:
                # With a limit on nodes it must be looked at more often.
                chunk = CHUNK * len(trees) if nodes is None else 64
                before, done = done, run_all(trees, min(limit, done + chunk), rngs, stop)
                if stop[0] or done == before or any(tree.nodes[ROOT]["proven"] for tree in trees):
                    break
                if nodes is not None and sum(tree.used for tree in trees) >= nodes:
                    break
        self._stop_flag = None
        self.last_nodes = done
        return RootStatistics.together([tree.statistics() for tree in trees])

    def _trees_for(self, state: State) -> list[Tree]:
        """The trees with the state at their roots, grown from the last ones if that is possible."""
        if not self._trees or self._trees[0].game != state.game:
            self._trees, self._root = self._new_trees(state.game), None
        played = _actions_between(self._root, state) if self.settings["reuse"] else None
        for tree in self._trees:
            if played is None or not tree.advance(played, state.array):
                tree.set_root(state.array)
        self._root = state.clone()
        return self._trees

    def _new_trees(self, game: Game) -> list[Tree]:
        number = self.settings["threads"]
        max_nodes = self.settings["memory"] * MEBIBYTE // (number * self._options.bytes_per_node)
        try:
            return [Tree(game, max_nodes, self._options) for _ in range(number)]
        except ParameterError as error:
            raise AgentError(f"{self.spec}: {error}") from None


def _search_options(settings: dict[str, Any]) -> Options:
    """The options of the search that an agent's settings stand for."""
    first_play = settings["fpu"]
    if first_play is None and (settings["rule"] == "puct" or settings["rave"] > 0):
        first_play = 0.0
    return Options(
        exploration=settings["c"],
        rule=settings["rule"],
        prior=settings["prior"],
        temperature=settings["temperature"],
        bias=settings["bias"],
        first_play=first_play,
        widening=settings["widening"],
        width=settings["width"],
        rave=settings["rave"],
        cutoff=settings["cutoff"],
        policy=settings["policy"],
        decisive=settings["decisive"],
        solver=settings["solver"],
        reclaim=settings["reclaim"],
    )


def _actions_between(earlier: State | None, later: State) -> list[int] | None:
    """The actions from one state to the other, if the one is known to have come before the other."""
    if earlier is None or earlier.game.hidden_information:
        return None
    before: list[int] = earlier.history()
    after: list[int] = later.history()
    actions: list[Any] = after[len(before) :]
    if after[: len(before)] != before or later.before(len(actions)) != earlier:
        return None
    return actions
