"""Perft: how many sequences of moves there are, the classic check of move generators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.numbers import is_whole
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.core.state import State

__all__ = ["divide", "perft"]

MAX_DEPTH = 64


@njit
def count(states, depth, actions, probabilities, next_action, counts):  # type: ignore[no-untyped-def]
    """Sequences of exactly `depth` >= 1 actions from `states[0]`. An odometer: `next_action[ply]` of `counts[ply]` is next."""
    total = 0
    ply = 0
    counts[0] = _options(states[0], actions[0], probabilities)
    next_action[0] = 0
    if depth == 1:
        return counts[0]
    while ply >= 0:
        if next_action[ply] == counts[ply]:
            ply -= 1
            continue
        states[ply + 1] = states[ply]
        rules.apply_action(states[ply + 1], actions[ply, next_action[ply]])
        next_action[ply] += 1
        options = _options(states[ply + 1], actions[ply + 1], probabilities)
        if ply + 2 == depth:
            total += options
        else:
            ply += 1
            counts[ply] = options
            next_action[ply] = 0
    return total


@njit
def _options(state, actions, probabilities):  # type: ignore[no-untyped-def]
    player = rules.current_player(state)
    if player == TERMINAL:
        return 0
    if player == CHANCE:
        return rules.chance_outcomes(state, actions, probabilities)
    return rules.legal_actions(state, actions)


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` actions that can be played from a state.

    Chance outcomes count as actions. A game that ends earlier adds nothing.

    Parameters
    ----------
    state : State
    depth : int
        0 to 64.

    Raises
    ------
    ParameterError
        If the depth is out of range, or the game's chance can only be sampled.

    Examples
    --------
    >>> import gamelab
    >>> perft(gamelab.load("netwerk").new_initial_state(), 2)
    2268
    """
    _check(state, depth)
    if depth == 0:
        return 1
    game = state.game
    width = max(game.max_legal_actions, game.max_chance_outcomes)
    states = np.zeros(depth + 1, game.dtype)
    states[0] = state.array[0]
    numbers: NDArray[Any] = np.zeros((2, depth + 1), np.int64)
    return int(count(states, np.int64(depth), np.zeros((depth + 1, width), np.int32), np.zeros(width), numbers[0], numbers[1]))


def divide(state: State, depth: int) -> dict[int, int]:
    """`perft` split by the first action: action to number of sequences. They add up to perft(state, depth)."""
    _check(state, depth)
    return {action: perft(state.child(action), depth - 1) for action in state.legal_actions()} if depth else {}


def _check(state: State, depth: int) -> None:
    if not is_whole(depth) or not 0 <= depth <= MAX_DEPTH:
        raise ParameterError(f"depth: {quoted(depth)} is not a whole number from 0 to {MAX_DEPTH}")
    if state.game.chance_mode == "sampled":
        raise ParameterError(f"{state.game.name}: chance can only be sampled, so sequences cannot be counted")
