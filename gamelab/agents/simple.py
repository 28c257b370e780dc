"""Agents that do not search: `Random` and `Greedy`."""

from __future__ import annotations

import time

import numpy as np

from gamelab.agents.base import Agent, Analysis, Rng, check_decision
from gamelab.core import kernels
from gamelab.core.game import Parameter
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
    is much less, and quick: priors are no values, so that there is no score then.
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
        by_evaluation = self.settings["by"] == "evaluation"
        if by_evaluation:
            promises = _values_after(state)
        else:
            promises = {action: float(kernels.action_prior(state.array, action)) for action in state.legal_actions()}
        self.last_nodes = len(promises)
        best = max(promises.values())
        favourites = [action for action, promise in promises.items() if promise == best]
        action = favourites[int(np.random.default_rng(rng).integers(len(favourites)))]
        return Analysis(
            action,
            value=best if by_evaluation else 0.0,
            nodes=len(promises),
            seconds=time.perf_counter() - started,
            principal_variation=[action],
            scores=promises if by_evaluation else {},
            details={} if by_evaluation else {"priors": promises},
        )

    @property
    def budget(self) -> str:
        return "depth"


def _values_after(state: State) -> dict[int, float]:
    """For each legal action as `state.child(action).evaluate()` for the player to act."""
    game, actions = state.game, state.game.action_buffer()
    count, values = kernels.legal_actions(state.array, actions), np.zeros(game.max_legal_actions)
    kernels.evaluate_actions(state.array, actions, count, np.zeros(1, game.dtype), np.zeros(game.num_players), values)
    return dict(zip(actions[:count].tolist(), values[:count].tolist(), strict=True))
