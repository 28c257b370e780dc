"""The rollout agent."""

from __future__ import annotations

import time

import numpy as np

from gamelab.agents.base import TIME, Agent, Analysis, Rng, check_decision
from gamelab.agents.mcts import MCTS
from gamelab.core.game import Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.playout import POLICIES
from gamelab.search.rollout import Comparison, Rollouts

__all__ = ["Rollout"]

DEFAULT_SIMULATIONS = 1000


class Rollout(Agent):
    """Plays games on with a simple policy after each action and takes what ends best; see `gamelab.search.rollout`."""

    name = "rollout"
    options = {  # noqa: RUF012
        "sims": Parameter(
            None, f"games a move, at least one an action (default {DEFAULT_SIMULATIONS} if no time is given)", low=1, kind=int
        ),
        "time": TIME,
        "policy": Parameter(
            "evaluation",
            "what players go by in these games: the evaluation after each action, action priors, or nothing",
            choices=tuple(POLICIES),
        ),
        "cutoff": MCTS.options["cutoff"],
        "width": Parameter(
            None, "only so many actions are compared, those with the highest priors (default all)", low=1, kind=int
        ),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not (self.settings["sims"] or self.settings["time"]):
            self.settings["sims"] = DEFAULT_SIMULATIONS
        self._rollouts: Rollouts | None = None

    @property
    def budget(self) -> str:
        return "time" if self.settings["time"] else "simulations"

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        only = self._only_action(state)
        if only is not None:
            return only
        found = self._search(state, np.random.default_rng(rng))
        return int(found.actions[found.best])

    def analyse(self, state: State, rng: Rng) -> Analysis:
        check_decision(state)
        started = time.perf_counter()
        found = self._search(state, np.random.default_rng(rng))
        best = found.best
        return Analysis(
            int(found.actions[best]),
            value=float(found.values[best]),
            nodes=self.last_nodes,
            seconds=time.perf_counter() - started,
            principal_variation=[int(found.actions[best])],
            visits=dict(zip(found.actions.tolist(), found.games.tolist(), strict=True)),
            scores=dict(zip(found.actions.tolist(), found.values.tolist(), strict=True)),
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        self._rollouts_for(state).compare(state.array, rng, np.ones(1, np.uint8), games=1)

    def _search(self, state: State, rng: np.random.Generator) -> Comparison:
        rollouts, settings = self._rollouts_for(state), self.settings
        with stop_after(settings["time"]) as stop:
            self._stop_flag = stop
            found = rollouts.compare(state.array, rng, stop, games=settings["sims"], seconds=settings["time"])
        self._stop_flag = None
        self.last_nodes = int(found.games.sum())
        return found

    def _rollouts_for(self, state: State) -> Rollouts:
        if self._rollouts is None or self._rollouts.game != state.game:
            settings = self.settings
            self._rollouts = Rollouts(state.game, settings["policy"], cutoff=settings["cutoff"], width=settings["width"])
        return self._rollouts
