"""Agents that do not search: `Random` and `Greedy`."""

from __future__ import annotations

import time

import numpy as np

from gamelab.agents.base import Agent, Analysis, Rng, check_decision
from gamelab.core import kernels
from gamelab.core.game import Parameter
from gamelab.core.rules import TERMINAL
from gamelab.core.state import State

__all__ = ["Greedy", "Random"]


class Random(Agent):
    """Plays any legal action, all equally likely."""

    name = "random"

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        return int(kernels.random_action(state.array, state.game.action_buffer(), np.random.default_rng(rng).random()))


class Greedy(Agent):
    """Plays the action after which the game's evaluation is best for it; of several equally good ones, any.

    A chance node that follows is judged as it stands. With by=prior it goes by what the game thinks of the action itself, which
    is much less, and quick.
    """

    name = "greedy"
    options = {  # noqa: RUF012
        "by": Parameter(
            "evaluation", "what it goes by: the evaluation after each action, or action priors", choices=("evaluation", "prior")
        )
    }

    def choose(self, state: State, rng: Rng) -> int:
        return self.analyse(state, rng).action

    def analyse(self, state: State, rng: Rng) -> Analysis:
        check_decision(state)
        started = time.perf_counter()
        player = state.current_player()
        if self.settings["by"] == "prior":
            scores = {action: float(kernels.action_prior(state.array, action)) for action in state.legal_actions()}
        else:
            scores = {action: _value_after(state, action, player) for action in state.legal_actions()}
        self.last_nodes = len(scores)
        best = max(scores.values())
        favourites = [action for action, score in scores.items() if score == best]
        action = favourites[int(np.random.default_rng(rng).integers(len(favourites)))]
        return Analysis(
            action,
            value=best if self.settings["by"] == "evaluation" else 0.0,
            nodes=len(scores),
            seconds=time.perf_counter() - started,
            principal_variation=[action],
            scores=scores,
        )

    @property
    def budget(self) -> str:
        return "depth"


def _value_after(state: State, action: int, player: int) -> float:
    array = state.array.copy()
    kernels.apply_action(array, action)
    out = np.zeros(state.game.num_players)
    if kernels.current_player(array) == TERMINAL:
        kernels.returns(array, out)
    else:
        kernels.evaluate(array, out)
    return float(out[player])
