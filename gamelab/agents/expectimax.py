"""The expectimax agent."""

from __future__ import annotations

import time

import numpy as np

from gamelab.agents.base import MEBIBYTE, STATES, TABLE_MEMORY, TIME, WIDTH, Agent, Analysis, Rng, check_decision, check_sight
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.expectimax import DEFAULT_SAMPLES, MAX_DEPTH, Expectation
from gamelab.search.expectimax import Expectimax as Search
from gamelab.search.forward_pruning import actions_within

__all__ = ["Expectimax"]

DEFAULT_DEPTH = 2
# `analyse` compares the actions at this depth at most, all at the same one.
COMPARE_DEPTH = 4


class Expectimax(Agent):
    """Alpha-beta with chance, every opponent against it; see `gamelab.search.expectimax`."""

    name = "expectimax"
    options = {  # noqa: RUF012
        "depth": Parameter(
            None, f"players' actions at most (default {DEFAULT_DEPTH} if no budget is given)", low=1, high=MAX_DEPTH, kind=int
        ),
        "time": TIME,
        "nodes": STATES,
        "memory": TABLE_MEMORY,
        "star": Parameter(2, "pruning at chance nodes: 0 none, 1 Star1, 2 Star2", low=0, high=2),
        "samples": Parameter(
            None,
            f"draws at a chance node with more outcomes (default {DEFAULT_SAMPLES} where they cannot be listed, else all)",
            low=1,
            high=100_000,
            kind=int,
        ),
        "width": WIDTH,
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("depth", "time", "nodes")):
            self.settings["depth"] = DEFAULT_DEPTH
        self._searcher: Search | None = None

    @property
    def budget(self) -> str:
        return next(setting for setting in ("time", "nodes", "depth") if self.settings[setting])

    def new_game(self) -> None:
        if self._searcher is not None:
            self._searcher.forget()

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        searcher = self._searcher_for(state)
        only = self._only_action(state)
        if only is not None:
            return only
        return self._search(searcher, state, np.random.default_rng(rng)).action

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """As `Agent.analyse`. All scores come from searches of one depth, at most `COMPARE_DEPTH`, within the width."""
        check_decision(state)
        started = time.perf_counter()
        rng = np.random.default_rng(rng)
        searcher, player = self._searcher_for(state), state.current_player()
        found = self._search(searcher, state, rng)
        # An odd depth flatters the player to act, so the comparison has the parity of the search.
        depth = found.depth if found.depth <= COMPARE_DEPTH else COMPARE_DEPTH - (found.depth - COMPARE_DEPTH) % 2
        return Analysis(
            found.action,
            value=found.value,
            nodes=found.nodes,
            seconds=time.perf_counter() - started,
            principal_variation=[found.action],
            scores={
                action: searcher.value(state.child(action).array, player, depth - 1, rng)
                for action in actions_within(state.game, state.array, self.settings["width"])
            },
            details={"depth": found.depth, "scores_depth": depth},
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        self._searcher_for(state).search(state.array, depth=2, nodes=1, stop=np.zeros(1, np.uint8), rng=rng)

    def _search(self, searcher: Search, state: State, rng: np.random.Generator) -> Expectation:
        nodes = self.settings["nodes"] or np.iinfo(np.int64).max
        depth = self.settings["depth"] or MAX_DEPTH
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            found = searcher.search(state.array, depth=depth, nodes=nodes, stop=stop, rng=rng)
        self._stop_flag = None
        self.last_nodes = found.nodes
        return found

    def _searcher_for(self, state: State) -> Search:
        if self._searcher is None or self._searcher.game != state.game:
            check_sight(self, state.game)
            settings = self.settings
            try:
                self._searcher = Search(
                    state.game,
                    settings["memory"] * MEBIBYTE,
                    star=settings["star"],
                    samples=settings["samples"],
                    width=settings["width"],
                )
            except (AgentError, ParameterError) as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._searcher
