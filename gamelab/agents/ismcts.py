"""The information set MCTS agent."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gamelab.agents.base import MEBIBYTE, TIME, Agent, Analysis, Rng, check_decision
from gamelab.agents.mcts import CHUNK, DEFAULT_SIMULATIONS, MCTS, MOST_SIMULATIONS
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Game, Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.ismcts import OBSERVERS, ArmStatistics, InformationSetSearch, Options, sets_within

__all__ = ["ISMCTS"]


class ISMCTS(Agent):
    """MCTS over information sets, for games with hidden information and others; see `gamelab.search.ismcts`."""

    name = "ismcts"
    options = {  # noqa: RUF012
        "sims": MCTS.options["sims"],
        "time": TIME,
        "nodes": MCTS.options["nodes"],
        "memory": Parameter(
            256, "MiB for all trees at most; the search goes on when they are full, but they grow no more", low=1, high=1 << 20
        ),
        "observers": Parameter(
            "single", "one tree of what the searching player knows, or one for each player", choices=OBSERVERS
        ),
        "c": MCTS.options["c"],
        "bias": Parameter(0.0, "weight of the progressive bias, bias * prior of the action / (1 + visits)", low=0.0, high=1000),
        "widening": MCTS.options["widening"],
        "width": MCTS.options["width"],
        "cutoff": MCTS.options["cutoff"],
        "policy": MCTS.options["policy"],
        "decisive": MCTS.options["decisive"],
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("sims", "time", "nodes")):
            self.settings["sims"] = DEFAULT_SIMULATIONS
        self._options = Options(
            observers=self.settings["observers"],
            exploration=self.settings["c"],
            bias=self.settings["bias"],
            widening=self.settings["widening"],
            width=self.settings["width"],
            cutoff=self.settings["cutoff"],
            policy=self.settings["policy"],
            decisive=self.settings["decisive"],
        )
        self._searcher: InformationSetSearch | None = None

    @property
    def budget(self) -> str:
        kinds = {"time": "time", "sims": "simulations", "nodes": "nodes"}
        return next(kind for setting, kind in kinds.items() if self.settings[setting])

    @property
    def _most_simulations(self) -> int:
        """A simulation makes one information set at most, so a limit on nodes is one on simulations."""
        return min(self.settings["sims"] or MOST_SIMULATIONS, self.settings["nodes"] or MOST_SIMULATIONS)

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        only = self._only_action(state)
        if only is not None:
            return only
        found = self._search(self._searcher_for(state), state, np.random.default_rng(rng))
        return int(found.actions[self._best(found)])

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """As `Agent.analyse`. Beyond the action itself no line is told: what follows depends on what is hidden."""
        check_decision(state)
        started = time.perf_counter()
        searcher = self._searcher_for(state)
        found = self._search(searcher, state, np.random.default_rng(rng))
        best = self._best(found)
        action = int(found.actions[best])
        visits = dict(zip(found.actions.tolist(), found.visits.tolist(), strict=True))
        return Analysis(
            action,
            value=float(found.values[best]),
            nodes=self.last_nodes,
            seconds=time.perf_counter() - started,
            principal_variation=[action],
            visits={legal: visits.get(legal, 0) for legal in state.legal_actions()},
            scores=dict(zip(found.actions.tolist(), found.values.tolist(), strict=True)),
            details=self._details(searcher, found),
        )

    def _details(self, searcher: InformationSetSearch, found: ArmStatistics) -> dict[str, Any]:
        return {
            "information_sets": searcher.num_sets,
            "available": dict(zip(found.actions.tolist(), found.available.tolist(), strict=True)),
        }

    def _best(self, found: ArmStatistics) -> int:
        """The most visited action, the first of several."""
        if len(found.actions) == 0:
            raise AgentError("ismcts was stopped before its first simulation")
        return int(np.argmax(found.visits))

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        searcher = self._searcher_for(state)
        searcher.set_root(state.array)
        searcher.run(2, rng, np.zeros(1, np.uint8))

    def _search(self, searcher: InformationSetSearch, state: State, rng: np.random.Generator) -> ArmStatistics:
        searcher.set_root(state.array)
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            done = 0
            while done < self._most_simulations and not stop[0]:
                done = searcher.run(min(self._most_simulations, done + CHUNK), rng, stop)
        self._stop_flag = None
        if done == 0:  # stopped before it began
            done = searcher.run(1, rng, np.zeros(1, np.uint8))
        self.last_nodes = done
        return searcher.statistics()

    def _searcher_for(self, state: State) -> InformationSetSearch:
        if self._searcher is None or self._searcher.game != state.game:
            try:
                self._searcher = InformationSetSearch(state.game, self._max_sets(state.game), self._options)
            except ParameterError as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._searcher

    def _max_sets(self, game: Game) -> int:
        """Room within the memory, but for no more sets than there will be simulations: a small table stays in the cache."""
        room = sets_within(game, self.settings["memory"] * MEBIBYTE, self._options)
        return min(room, max(self._most_simulations, game.max_legal_actions))
