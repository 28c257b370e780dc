"""CFR+: an equilibrium of a small game with two players, as close as there is time for.

In every iteration each player in turn looks at the counterfactual regret of each action, what it would have gained over the
strategy so far, and plays in proportion to the positive part. Sums of regrets never fall below 0, and later iterations count
more in the average, whose exploitability goes to 0 with two players and zero-sum returns.

References
----------
.. [Tammelin2014] O. Tammelin, "Solving large imperfect information games using CFR+", 2014.
"""

from __future__ import annotations

import numpy as np

from gamelab.analysis.exploitability import counterfactual_reach, node_values, reach_probabilities
from gamelab.analysis.gametree import MAX_STATES, GameTree, game_tree
from gamelab.analysis.policies import Strategy, policy_of, uniform_strategy
from gamelab.core.errors import ParameterError
from gamelab.core.game import Game

__all__ = ["cfr_plus"]


def cfr_plus(game: Game, iterations: int = 500, *, max_states: int = MAX_STATES) -> dict[str, dict[int, float]]:
    """The average policy of CFR+ [Tammelin2014]_.

    Parameters
    ----------
    game : Game
        With more than two players it runs, without a promise.
    iterations : int
        At least 1.
    max_states : int
        See `game_tree`, which raises what else is raised.

    Raises
    ------
    ParameterError
        If there is no iteration.

    Examples
    --------
    >>> import gamelab
    >>> from gamelab.analysis.exploitability import exploitability
    >>> kuhn = gamelab.load("kuhn")
    >>> exploitability(kuhn, cfr_plus(kuhn, 200)) < 0.001
    True
    """
    if iterations < 1:
        raise ParameterError(f"iterations: {iterations} is less than 1")
    tree = game_tree(game, max_states)
    regrets: Strategy = [np.zeros(len(one.actions)) for one in tree.information_sets]
    totals: Strategy = [np.zeros(len(one.actions)) for one in tree.information_sets]
    strategy = uniform_strategy(tree)
    for iteration in range(1, iterations + 1):
        for player in range(game.num_players):
            _improve(tree, strategy, regrets, player)
            _count(tree, strategy, totals, player, iteration)
    return policy_of(tree, [_in_proportion(total) for total in totals])


def _improve(tree: GameTree, strategy: Strategy, regrets: Strategy, player: int) -> None:
    """Add up the regrets of a player against the strategy, and change their part of it. In place."""
    values = node_values(tree, strategy)[:, player]
    reach = counterfactual_reach(tree, strategy, player)
    for index, one in enumerate(tree.information_sets):
        if one.player == player:
            for node in one.nodes:
                regrets[index] += reach[node] * (values[tree.nodes[node].children] - values[node])
            np.maximum(regrets[index], 0.0, out=regrets[index])
            strategy[index] = _in_proportion(regrets[index])


def _count(tree: GameTree, strategy: Strategy, totals: Strategy, player: int, weight: int) -> None:
    """Add a player's strategy to the totals, weighed by how likely the player themselves makes the information set."""
    own_reach = reach_probabilities(tree, strategy, [player])
    for index, one in enumerate(tree.information_sets):
        if one.player == player:
            totals[index] += weight * own_reach[one.nodes[0]] * strategy[index]


def _in_proportion(weights: np.ndarray) -> np.ndarray:
    """The weights as probabilities; uniform if all are 0."""
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
