"""Policies of small games: what every player does at every information set.

A policy maps each information set to the probabilities of its actions: ``{"0 ?": {PASS: 0.8, BET: 0.2}, ...}``. An information
set is known by its text (`State.information_state_string` of the player to act) or by its key (`rules.information_key`); an
action that is not named has probability 0. One policy holds the decisions of all players.

Inside, a `Strategy` holds the same as arrays, in the order of a tree's information sets and of their actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.analysis.gametree import MAX_STATES, GameTree, InformationSet, game_tree
from gamelab.core.errors import ParameterError
from gamelab.core.game import Game
from gamelab.core.state import State

__all__ = ["Policy", "Strategy", "policy_of", "strategy_of", "tabular_policy", "uniform_policy", "uniform_strategy"]

Policy = Mapping[Any, Mapping[int, float]]
Strategy = list[NDArray[np.float64]]

SUM_TOLERANCE = 1e-6


def tabular_policy(
    game: Game, choose: Callable[[State], Mapping[int, float]], *, max_states: int = MAX_STATES
) -> dict[str, dict[int, float]]:
    """The policy of a function that is asked once for each information set.

    Parameters
    ----------
    game : Game
    choose : callable
        Given one state of the information set, the probability of each action. It must not look at what the player to act
        cannot see: `State.resample_from_infostate` hides that.
    max_states : int
        See `game_tree`, which raises what is raised.

    Examples
    --------
    >>> import gamelab
    >>> bold = tabular_policy(gamelab.load("kuhn"), lambda state: {1: 1.0})  # always bets
    >>> bold["0 ?"]
    {0: 0.0, 1: 1.0}
    """
    tree = game_tree(game, max_states)
    return policy_of(tree, [_probabilities(one, choose(one.state.clone())) for one in tree.information_sets])


def uniform_policy(game: Game, *, max_states: int = MAX_STATES) -> dict[str, dict[int, float]]:
    """All legal actions equally likely everywhere."""
    tree = game_tree(game, max_states)
    return policy_of(tree, uniform_strategy(tree))


def uniform_strategy(tree: GameTree) -> Strategy:
    """All actions equally likely at every information set."""
    return [np.full(len(one.actions), 1 / len(one.actions)) for one in tree.information_sets]


def policy_of(tree: GameTree, strategy: Strategy) -> dict[str, dict[int, float]]:
    """The policy that a strategy stands for, known by the texts of the information sets."""
    return {
        one.text: dict(zip(one.actions, weights.tolist(), strict=True))
        for one, weights in zip(tree.information_sets, strategy, strict=True)
    }


def strategy_of(tree: GameTree, policies: Policy | Sequence[Policy], without: int | None = None) -> Strategy:
    """The strategy that a policy, or one for each player, stands for; ParameterError if it does not fit the game.

    What the policy says of player `without` is not looked at, and may be missing: their actions are all equally likely.
    """
    players = tree.game.num_players
    each = [policies] * players if isinstance(policies, Mapping) else list(policies)
    if len(each) != players:
        raise ParameterError(f"{tree.game.name} has {players} players, and {len(each)} policies are given")
    strategy = uniform_strategy(tree)
    for index, one in enumerate(tree.information_sets):
        if one.player != without:
            strategy[index] = _probabilities(one, _entry(one, each[one.player]))
    return strategy


def _entry(one: InformationSet, policy: Policy) -> Mapping[int, float]:
    for name in (one.text, one.key):
        if name in policy:
            return policy[name]
    raise ParameterError(f"the policy says nothing of information set {one.text!r} of player {one.player}")


def _probabilities(one: InformationSet, given: Mapping[int, float]) -> NDArray[np.float64]:
    """The probabilities of the actions of an information set, if they are that."""
    illegal = [action for action in given if action not in one.actions]
    if illegal:
        raise ParameterError(f"information set {one.text!r}: action {illegal[0]} is illegal; legal: {one.actions}")
    weights = np.array([float(given.get(action, 0)) for action in one.actions])
    if not (weights.min() >= 0 and abs(weights.sum() - 1) <= SUM_TOLERANCE):
        raise ParameterError(f"information set {one.text!r}: no probabilities that add up to 1: {dict(given)}")
    return weights
