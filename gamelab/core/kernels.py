"""The generic functions as compiled calls from Python.

Each takes an array and works on its first element: a call with a one-element array costs a fraction of a microsecond,
one with a record scalar four times as much.
"""

from __future__ import annotations

from typing import Any

from gamelab.core import rules
from gamelab.core._jit import njit

__all__ = [
    "action_prior",
    "apply_action",
    "apply_random",
    "chance_outcomes",
    "current_player",
    "evaluate",
    "evaluate_actions",
    "information_key",
    "initial",
    "is_quiet",
    "legal_actions",
    "prepare_belief",
    "random_action",
    "relevant_actions",
    "resample",
    "resample_given",
    "returns",
    "sample_chance",
    "state_key",
    "symmetric_key",
]


@njit
def initial(states: Any) -> None:
    rules.initial(states[0])


@njit
def current_player(states: Any) -> int:
    return rules.current_player(states[0])


@njit
def legal_actions(states: Any, out: Any) -> int:
    return rules.legal_actions(states[0], out)


@njit
def apply_action(states: Any, action: int) -> None:
    rules.apply_action(states[0], action)


@njit
def returns(states: Any, out: Any) -> None:
    rules.returns(states[0], out)


@njit
def evaluate(states: Any, out: Any) -> None:
    rules.evaluate(states[0], out)


@njit
def state_key(states: Any) -> Any:
    return rules.state_key(states[0])


@njit
def chance_outcomes(states: Any, actions: Any, probabilities: Any) -> int:
    return rules.chance_outcomes(states[0], actions, probabilities)


@njit
def sample_chance(states: Any, rng: Any) -> int:
    return rules.sample_chance(states[0], rng)


@njit
def information_key(states: Any, player: int) -> Any:
    return rules.information_key(states[0], player)


@njit
def resample(states: Any, player: int, rng: Any) -> None:
    rules.resample(states[0], player, rng)


@njit
def prepare_belief(states: Any, player: int, belief: Any) -> None:
    rules.prepare_belief(states[0], player, belief)


@njit
def resample_given(states: Any, player: int, belief: Any, rng: Any) -> None:
    rules.resample_given(states[0], player, belief, rng)


@njit
def random_action(states: Any, buffer: Any, u: float) -> int:
    return rules.random_action(states[0], buffer, u)


@njit
def apply_random(states: Any, buffer: Any, u: float) -> None:
    rules.apply_random(states[0], buffer, u)


@njit
def action_prior(states: Any, action: int) -> float:
    return rules.action_prior(states[0], action)


@njit
def evaluate_actions(states: Any, actions: Any, count: int, after: Any, values: Any, out: Any) -> None:
    rules.evaluate_actions(states[0], actions, count, after[0], values, out)


@njit
def is_quiet(states: Any) -> bool:
    return rules.is_quiet(states[0])


@njit
def relevant_actions(states: Any, out: Any) -> int:
    return rules.relevant_actions(states[0], out)


@njit
def symmetric_key(states: Any) -> Any:
    return rules.symmetric_key(states[0])
