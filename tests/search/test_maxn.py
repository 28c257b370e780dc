"""Max^n against plain recursion without pruning, ordering or memory."""

import itertools

import numpy as np
import pytest

import gamelab
from gamelab.core.game import Parameter
from gamelab.search.maxn import MaxN
from gamelab.testing import random_states
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
EVER = 2**62


class Alone(RandomTree):
    parameter_specs = {**RandomTree.parameter_specs, "players": Parameter(1, "players", low=1, high=1)}  # noqa: RUF012


def plain(state, depth):
    """The value of each player, and the action: the first of those that are best for the player to act."""
    if state.is_terminal() or depth == 0:
        return state.evaluate(), None
    if state.is_chance_node():
        total = np.zeros(state.game.num_players)
        for outcome, probability in state.chance_outcomes():
            total += probability * np.array(plain(state.child(outcome), depth)[0])
        return total.tolist(), None
    player, best, best_action = state.current_player(), None, None
    for action in state.legal_actions():
        values = plain(state.child(action), depth - 1)[0]
        if best is None or values[player] > best[player]:
            best, best_action = values, action
    return best, best_action


def minimax(state, player, depth):
    if state.is_terminal() or depth == 0:
        return state.evaluate()[player]
    values = [minimax(state.child(action), player, depth - 1) for action in state.legal_actions()]
    return max(values) if state.current_player() == player else min(values)


def decisions(game, count, seed):
    """Different states in which a player is to act."""
    states = random_states(game, 40 * count, np.random.default_rng(seed))
    different = {state.to_text(): state for state in states if state.current_player() >= 0}
    return list(different.values())[:count]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chance", [0, 25])
def test_equals_plain_maxn(players, chance):
    """The same values and the same choice, with a table, with one that is far too small, and with none."""
    compared = 0
    for seed in range(15):
        game = RandomTree(seed=seed, depth=9, width=30, branching=4, chance=chance, players=players)
        searchers = [MaxN(game, size) for size in (0, 150, 1 << 18)]
        for state in decisions(game, 8, seed):
            for depth in (1, 2, 3, 5):
                values, action = plain(state, depth)
                for searcher in searchers:
                    found = searcher.search(state.array, depth=depth, nodes=EVER, stop=NEVER)
                    assert found.values == pytest.approx(values, abs=1e-12)
                    assert found.action == action
                    assert found.depth == depth
                    compared += 1
    assert compared > 1000


def test_for_two_it_is_minimax():
    for seed in range(20):
        game = RandomTree(seed=seed, depth=9, width=300, branching=4)
        for state in decisions(game, 5, seed):
            player = state.current_player()
            found = MaxN(game).search(state.array, depth=5, nodes=EVER, stop=NEVER)
            assert found.values[player] == minimax(state, player, 5)
            assert found.values[1 - player] == -found.values[player]


def test_the_principal_variation_leads_to_the_values():
    lengths = set()
    for seed, size in itertools.product(range(20), (0, 1 << 18)):
        game = RandomTree(seed=seed, depth=9, width=300, branching=4, players=3)
        for state in decisions(game, 4, seed):
            found = MaxN(game, size).search(state.array, depth=4, nodes=EVER, stop=NEVER)
            line = state
            for action in found.principal_variation:
                line = line.child(action)
            assert found.principal_variation[0] == found.action
            if size == 0:  # a table ends lines early
                assert line.is_terminal() or len(found.principal_variation) == 4
                assert line.evaluate() == found.values
                lengths.add(len(found.principal_variation))
    assert lengths >= {1, 2, 3, 4}


def count_plain(state, depth):
    """States that are reached without pruning."""
    if state.is_terminal() or depth == 0:
        return 1
    return 1 + sum(count_plain(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize(("players", "share"), [(2, 0.55), (3, 0.8), (4, 0.92)])
def test_pruning_saves_work(players, share):
    """Fewer states than the same iterations reach without pruning; the more players, the less there is to prune."""
    pruned = whole = 0
    for seed in range(20):
        game = RandomTree(seed=seed, depth=9, width=3000, branching=6, players=players)
        for state in decisions(game, 2, seed):
            searcher = MaxN(game)
            pruned += searcher.search(state.array, depth=4, nodes=EVER, stop=NEVER).nodes
            whole += sum(count_plain(state, depth) for depth in range(1, 5))
    assert pruned < share * whole


def test_node_budgets_are_kept():
    game = RandomTree(seed=2, depth=30, width=3000, branching=5, players=3)
    for state in decisions(game, 10, 3):
        searcher = MaxN(game)
        least = searcher.search(state.array, depth=1, nodes=EVER, stop=NEVER).nodes
        for nodes in (1, 500, 5000):
            found = searcher.search(state.array, depth=50, nodes=nodes, stop=NEVER)
            assert found.nodes <= max(nodes, least)
            assert found.values == pytest.approx(plain(state, found.depth)[0], abs=1e-12) or found.depth > 5
            assert found.action == found.principal_variation[0]
            assert found.action in state.legal_actions()
        assert searcher.search(state.array, depth=50, nodes=EVER, stop=np.ones(1, np.uint8)).depth == 1


def test_the_state_is_left_alone():
    game = RandomTree(seed=2, depth=30, width=3000, branching=5, chance=30, players=3)
    state = game.new_initial_state()
    before = state.array.tobytes()
    MaxN(game).search(state.array, depth=4, nodes=EVER, stop=NEVER)
    assert state.array.tobytes() == before


def test_tictactoe_is_a_draw():
    game = gamelab.load("tictactoe")
    found = MaxN(game, 1 << 20).search(game.initial_array(), depth=9, nodes=EVER, stop=NEVER)
    assert found.values == [0, 0]
    # Every first move draws, so the first in the list is taken.
    assert found.action == 0


def test_games_for_one_are_refused():
    with pytest.raises(gamelab.GamelabError, match="randomtree is none"):
        MaxN(Alone())


@pytest.mark.parametrize("depth", [0, -1, 101])
def test_depths_out_of_range_are_refused(depth):
    game = gamelab.load("tictactoe")
    with pytest.raises(gamelab.GamelabError, match="from 1 to 100"):
        MaxN(game).search(game.initial_array(), depth=depth, nodes=EVER, stop=NEVER)
