"""The alpha-beta agent."""

from __future__ import annotations

import time

import numpy as np

from gamelab.agents.base import MEBIBYTE, STATES, TABLE_MEMORY, TIME, WIDTH, Agent, Analysis, Rng, check_decision, check_sight
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Parameter
from gamelab.core.state import State
from gamelab.search.alphabeta import MAX_DEPTH, MAX_QUIESCENCE, Searcher, SearchResult, mate_distance, value_of_score
from gamelab.search.clock import stop_after
from gamelab.search.forward_pruning import actions_within
from gamelab.search.maxn import MAX_DEPTH as MAXN_DEPTH
from gamelab.search.maxn import MaxN, MaxNResult

__all__ = ["AlphaBeta"]

DEFAULT_DEPTH = 3
# `analyse` compares the actions at this depth at most, all at the same one.
COMPARE_DEPTH = 5
# Found by matches; see docs/strength.md. A depth given alone means all lines to that depth.
REDUCTIONS = 0.6
MOST_PLIES = MAX_DEPTH - 1 - MAX_QUIESCENCE


class AlphaBeta(Agent):
    """Principal variation search with iterative deepening; see `gamelab.search.alphabeta`.

    With more than two players it takes all others for one opponent (paranoid), or with opponents=maxn each for itself; see
    `gamelab.search.maxn`, which knows neither quiescence nor reductions, nor threads. With a width it knows only some of the
    actions, at the root as everywhere (`gamelab.search.forward_pruning`), and so never claims that a win or loss is certain
    where an action was left out.
    """

    name = "alphabeta"
    options = {  # noqa: RUF012
        "depth": Parameter(
            None, f"plies at most (default {DEFAULT_DEPTH} if no budget is given)", low=1, high=MOST_PLIES, kind=int
        ),
        "time": TIME,
        "nodes": STATES,
        "memory": TABLE_MEMORY,
        "quiescence": Parameter(
            0, "plies at most beyond the depth where a line's end is not quiet", low=0, high=MAX_QUIESCENCE
        ),
        "reductions": Parameter(
            None,
            f"strength of late-move reductions, 0 for none (default {REDUCTIONS} with time or nodes, 0 with depth alone)",
            low=0.0,
            high=2.0,
            kind=float,
        ),
        "width": WIDTH,
        "opponents": Parameter(
            "paranoid", "with more than two players: all against this one, or each for itself", choices=("paranoid", "maxn")
        ),
        "threads": Parameter(1, "threads that share the work; with more than one a game cannot be repeated", low=1, high=256),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("depth", "time", "nodes")):
            self.settings["depth"] = DEFAULT_DEPTH
        if self.settings["reductions"] is None:
            self.settings["reductions"] = REDUCTIONS if self.settings["time"] or self.settings["nodes"] else 0.0
        self._searcher: Searcher | None = None
        self._maxn: MaxN | None = None

    @property
    def budget(self) -> str:
        return next(setting for setting in ("time", "nodes", "depth") if self.settings[setting])

    def new_game(self) -> None:
        for searcher in (self._searcher, self._maxn):
            if searcher is not None:
                searcher.forget()

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        only = self._only_action(state)
        if only is not None:
            return only
        return self._search_for_all(state, rng).action if self._plays_maxn(state) else self._search(state).action

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """As `Agent.analyse`. All scores come from searches of one depth, at most `COMPARE_DEPTH`, within the width."""
        check_decision(state)
        started = time.perf_counter()
        if self._plays_maxn(state):
            return self._analysis_for_all(state, np.random.default_rng(rng), started)
        found = self._search(state)
        depth = _depth_to_compare(found.depth)
        scores = {action: self._score_of(state, action, depth) for action in self._candidates(state)}
        return Analysis(
            found.action,
            value=value_of_score(found.score),
            nodes=found.nodes,
            seconds=time.perf_counter() - started,
            principal_variation=found.principal_variation,
            scores=scores,
            end_in=mate_distance(found.score) if found.certain else None,
            proven=found.certain,
            details={"depth": found.depth, "scores_depth": depth},
        )

    def _plays_maxn(self, state: State) -> bool:
        return state.game.num_players > 2 and self.settings["opponents"] == "maxn"

    def _candidates(self, state: State) -> list[int]:
        return actions_within(state.game, state.array, self.settings["width"])

    def _search_for_all(self, state: State, rng: Rng) -> MaxNResult:
        """Max^n, within the same budgets."""
        maxn = self._maxn_for(state)
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            nodes = self.settings["nodes"] or np.iinfo(np.int64).max
            found = maxn.search(state.array, depth=self.settings["depth"] or MAXN_DEPTH, nodes=nodes, stop=stop, rng=rng)
        self._stop_flag = None
        self.last_nodes = found.nodes
        return found

    def _analysis_for_all(self, state: State, rng: np.random.Generator, started: float) -> Analysis:
        found = self._search_for_all(state, rng)
        maxn, player, depth = self._maxn_for(state), state.current_player(), _depth_to_compare(found.depth)
        return Analysis(
            found.action,
            value=found.values[player],
            nodes=found.nodes,
            seconds=time.perf_counter() - started,
            principal_variation=found.principal_variation,
            scores={a: maxn.values(state.child(a).array, depth - 1, rng)[player] for a in self._candidates(state)},
            details={"depth": found.depth, "scores_depth": depth, "values": found.values},
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        if self._plays_maxn(state):
            self._maxn_for(state).search(state.array, depth=1, nodes=1, stop=np.zeros(1, np.uint8), rng=rng)
            return
        self._searcher_for(state).search(state.array, depth=2, nodes=1, stop=np.zeros(1, np.uint8))

    def _search(self, state: State) -> SearchResult:
        searcher = self._searcher_for(state)
        nodes = self.settings["nodes"] or np.iinfo(np.int64).max
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            found = searcher.search(state.array, depth=self.settings["depth"] or MOST_PLIES, nodes=nodes, stop=stop)
        self._stop_flag = None
        self.last_nodes = found.nodes
        return found

    def _score_of(self, state: State, action: int, depth: int) -> float:
        """The value of an action for the player to act, searched `depth` plies deep, the action included."""
        child, player = state.child(action), state.current_player()
        if child.is_terminal() or depth == 1:
            return child.evaluate()[player]
        never = np.zeros(1, np.uint8)
        searcher = self._searcher_for(state)
        score = searcher.search(child.array, depth=depth - 1, nodes=np.iinfo(np.int64).max, stop=never, hero=player).score
        return value_of_score(score if child.current_player() == player else -score)

    def _maxn_for(self, state: State) -> MaxN:
        if self._maxn is None or self._maxn.game != state.game:
            check_sight(self, state.game)
            try:
                self._maxn = MaxN(state.game, self.settings["memory"] * MEBIBYTE, width=self.settings["width"])
            except AgentError as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._maxn

    def _searcher_for(self, state: State) -> Searcher:
        if self._searcher is None or self._searcher.game != state.game:
            check_sight(self, state.game)
            try:
                self._searcher = Searcher(
                    state.game,
                    self.settings["memory"] * MEBIBYTE,
                    quiescence=self.settings["quiescence"],
                    reductions=self.settings["reductions"],
                    threads=self.settings["threads"],
                    width=self.settings["width"],
                )
            except (AgentError, ParameterError) as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._searcher


def _depth_to_compare(depth: int) -> int:
    """An odd depth flatters the player to act, so the comparison has the parity of the search."""
    return depth if depth <= COMPARE_DEPTH else COMPARE_DEPTH - (depth - COMPARE_DEPTH) % 2
