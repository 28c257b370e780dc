"""Games played to the end: uniformly random ones, the measure of all searches' speed, and what a simple policy does in one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit, njit_lean
from gamelab.core.bits import mix
from gamelab.core.records import copy_to, on_stack
from gamelab.core.rules import TERMINAL

__all__ = ["POLICIES", "RANDOM", "UNIT", "playout", "playout_batch", "policy_action", "winning_action"]

RANDOM, BY_PRIOR, BY_EVALUATION = 0, 1, 2
POLICIES = {"random": RANDOM, "prior": BY_PRIOR, "evaluation": BY_EVALUATION}
# 2 ** -53: a 53-bit whole number times it is uniform in [0, 1).
UNIT = 1.0 / (1 << 53)


@njit_lean
def playout(state: Any, buffer: NDArray[np.int32], rng: np.random.Generator) -> int:
    """Play uniformly random legal actions until the game ends.

    One number of `rng` seeds a SplitMix64 stream for the whole game, computed in place: calling the generator for each action
    would cost a tenth of the time. Chance outcomes are drawn from `rng` itself.

    Parameters
    ----------
    state : record
        Modified in place.
    buffer : ndarray of int32, shape (max_legal_actions,)
        Scratch.
    rng : numpy.random.Generator
        The source of all randomness.

    Returns
    -------
    int
        Plies played, chance outcomes not counted.
    """
    plies = 0
    here = on_stack(state)
    stream = mix(np.uint64(rng.random() / UNIT))
    player = rules.current_player(here)
    while player != TERMINAL:
        if player >= 0:
            u = np.int64(mix(stream + np.uint64(plies)) >> np.uint64(11)) * UNIT
            rules.apply_random(here, buffer, u)
            plies += 1
        else:
            rules.apply_action(here, rules.sample_chance(here, rng))
        player = rules.current_player(here)
    copy_to(state, here)
    return plies


@njit
def playout_batch(
    root: NDArray[Any],
    count: int,
    buffer: NDArray[np.int32],
    totals: NDArray[np.float64],
    rng: np.random.Generator,
) -> int:
    """Play `count` random games from one state and add up their returns.

    Parameters
    ----------
    root : structured ndarray, shape (2,)
        The start in element 0; element 1 is scratch.
    count : int
        Games.
    buffer : ndarray of int32, shape (max_legal_actions,)
        Scratch.
    totals : ndarray of float64, shape (num_players,)
        The returns are added to it, for each player.
    rng : numpy.random.Generator
        The source of all randomness.

    Returns
    -------
    int
        Plies of all games together.
    """
    values = np.zeros_like(totals)
    plies = 0
    state = root[1]
    for _ in range(count):
        root[1] = root[0]
        plies += playout(state, buffer, rng)
        rules.returns(state, values)
        for player in range(len(totals)):
            totals[player] += values[player]
    return plies


@njit_lean
def winning_action(state, player, states, buffer, values):  # type: ignore[no-untyped-def]
    """An action with which the player to act wins at once, or -1 (F. Teytaud, O. Teytaud, "On the huge benefit of decisive
    moves in Monte-Carlo tree search algorithms", 2010).

    Parameters
    ----------
    state : record
        Unchanged.
    player : int
    states : structured ndarray, shape (3,)
        The last element is scratch.
    buffer : ndarray of int32, shape (max_legal_actions,)
        Scratch.
    values : ndarray of float64, shape (num_players,)
        Scratch.
    """
    for i in range(rules.legal_actions(state, buffer)):
        states[2] = state
        rules.apply_action(states[2], buffer[i])
        if rules.current_player(states[2]) == TERMINAL:
            rules.returns(states[2], values)
            if values[player] >= 1.0:
                return np.int64(buffer[i])
    return np.int64(-1)


@njit_lean
def policy_action(state, policy, states, buffer, values, promises, rng):  # type: ignore[no-untyped-def]
    """What a policy does for the player to act: RANDOM takes any action, BY_PRIOR the one with the highest
    `rules.action_prior`, BY_EVALUATION the one after which the evaluation is best for the player; of alike ones the lowest.

    Parameters
    ----------
    state : record
        Unchanged.
    policy : int
    states : structured ndarray, shape (3,)
        The last element is scratch.
    buffer : ndarray of int32, shape (max_legal_actions,)
        Scratch.
    values : ndarray of float64, shape (num_players,)
        Scratch.
    promises : ndarray of float64, shape (max_legal_actions,)
        Scratch.
    rng : numpy.random.Generator
        Only RANDOM draws from it, one number.
    """
    if policy == RANDOM:
        return np.int64(rules.random_action(state, buffer, rng.random()))
    count = rules.legal_actions(state, buffer)
    if policy == BY_EVALUATION:
        rules.evaluate_actions(state, buffer, count, states[2], values, promises)
    else:
        for i in range(count):
            promises[i] = rules.action_prior(state, buffer[i])
    best = 0
    for i in range(1, count):
        if promises[i] > promises[best]:
            best = i
    return np.int64(buffer[best])
