"""The MCTS agent."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gamelab.agents.base import Agent, Analysis, Rng, check_decision
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Game, Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.mcts import Tree
from gamelab.search.tree import BYTES_PER_NODE, ROOT

__all__ = ["MCTS"]

DEFAULT_SIMULATIONS = 1000
MOST_SIMULATIONS = int(np.iinfo(np.int32).max)
MEBIBYTE = 1 << 20
# Simulations between two looks at the keyboard: a kernel cannot be interrupted.
CHUNK = 20_000


class MCTS(Agent):
    """UCT with random playouts; see `gamelab.search.mcts`."""

    name = "mcts"
    options = {  # noqa: RUF012
        "sims": Parameter(None, f"simulations a move (default {DEFAULT_SIMULATIONS} if no budget is given)", low=1, kind=int),
        "time": Parameter(None, "seconds a move", low=0.001, high=86400, kind=float),
        "nodes": Parameter(
            None, "stop a move's search when its tree has so many nodes, or after so many simulations", low=1, kind=int
        ),
        "memory": Parameter(256, "MiB for the tree at most; the search goes on when they are full", low=1, high=1 << 20),
        "c": Parameter(0.7, "exploration constant of the upper confidence bound", low=0.0, high=1000),
        "solver": Parameter(True, "back up proven wins and losses"),
        "reuse": Parameter(True, "keep the subtree of the moves played"),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("sims", "time", "nodes")):
            self.settings["sims"] = DEFAULT_SIMULATIONS
        self._tree: Tree | None = None
        self._root: State | None = None
        self.last_nodes = 0

    @property
    def budget(self) -> str:
        kinds = {"time": "time", "sims": "simulations", "nodes": "nodes"}
        return next(kind for setting, kind in kinds.items() if self.settings[setting])

    def new_game(self) -> None:
        self._root = None

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        legal = state.legal_actions()
        if len(legal) == 1:
            self.last_nodes = 0
            return legal[0]
        tree = self._search(state, np.random.default_rng(rng))
        best = tree.best_child()
        if best is None:
            raise AgentError("mcts was stopped before its first simulation")
        return int(tree.nodes[best]["action"])

    def analyse(self, state: State, rng: Rng) -> Analysis:
        check_decision(state)
        started = time.perf_counter()
        tree = self._search(state, np.random.default_rng(rng))
        line = tree.principal_variation()
        player = state.current_player()
        children = tree.children()
        first = int(tree.nodes[ROOT]["first_child"])
        best = tree.best_child()
        assert best is not None
        order = np.argsort(children["action"])
        return Analysis(
            line[0],
            value=tree.mean_value(best, player),
            nodes=self.last_nodes,
            seconds=time.perf_counter() - started,
            principal_variation=line,
            visits={int(children["action"][i]): int(children["visits"][i]) for i in order},
            scores={
                int(children["action"][i]): tree.mean_value(first + int(i), player) for i in order if children["visits"][i]
            },
            proven=bool(tree.nodes[best]["proven"]),
            details={"tree_nodes": int(tree.control["used"][0]), "root_visits": int(tree.nodes[ROOT]["visits"])},
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        self._tree_for(state).run(2, rng, np.zeros(1, np.uint8))

    def _search(self, state: State, rng: np.random.Generator) -> Tree:
        tree = self._tree_for(state)
        sims, nodes = self.settings["sims"], self.settings["nodes"]
        # A small game's tree may never have so many nodes; so many simulations are enough for it.
        limit = min(sims or MOST_SIMULATIONS, nodes or MOST_SIMULATIONS)
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            done = 0
            while done < limit:
                # With a limit on nodes it must be looked at more often.
                chunk = CHUNK if nodes is None else 64
                before, done = done, tree.run(min(limit, done + chunk), rng, stop)
                if stop[0] or tree.nodes[ROOT]["proven"] or done == before:
                    break
                if nodes is not None and tree.control["used"][0] >= nodes:
                    break
        self._stop_flag = None
        self.last_nodes = done
        return tree

    def _tree_for(self, state: State) -> Tree:
        """The tree with the state at its root, grown from the last one if that is possible."""
        if self._tree is None or self._tree.game != state.game:
            self._tree, self._root = self._new_tree(state.game), None
        played = _actions_between(self._root, state) if self.settings["reuse"] else None
        if played is None or not self._tree.advance(played, state.array):
            self._tree.set_root(state.array)
        self._root = state.clone()
        return self._tree

    def _new_tree(self, game: Game) -> Tree:
        max_nodes = self.settings["memory"] * MEBIBYTE // BYTES_PER_NODE
        try:
            return Tree(game, max_nodes, self.settings["c"], self.settings["solver"])
        except ParameterError as error:
            raise AgentError(f"{self.spec}: {error}") from None


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
