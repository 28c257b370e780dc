"""Max^n against plain recursion without pruning, ordering or memory."""

import itertools

import numpy as np
import pytest

import gamelab
from gamelab.core.game import Parameter
from gamelab.search.maxn import MaxN
from gamelab.testing import random_states
from tests.search.promising import promising
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
EVER = 2**62


class Alone(RandomTree):
    parameter_specs = {**RandomTree.parameter_specs, "players": Parameter(1, "players", low=1, high=1)}  # noqa: RUF012


def plain(state, depth, width=None):
    """The value of each player, and the action: the first of those that are best for the player to act."""
    if state.is_terminal() or depth == 0:
        return state.evaluate(), None
    if state.is_chance_node():
        total = np.zeros(state.game.num_players)
        for outcome, probability in state.chance_outcomes():
            total += probability * np.array(plain(state.child(outcome), depth, width)[0])
        return total.tolist(), None
    player, best, best_action = state.current_player(), None, None
    for action in promising(state, width):
        values = plain(state.child(action), depth - 1, width)[0]
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


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chance", [0, 25])
def test_within_a_width_it_equals_plain_maxn(players, chance):
    """Values and choice, of equal ones the lowest action, whatever is looked at first; with a table, a tiny one, and none."""
    narrower = 0
    for seed, width in itertools.product(range(8), (1, 2, 3)):
        game = RandomTree(seed=100 + seed, depth=9, width=30, branching=5, chance=chance, players=players)
        searchers = [MaxN(game, size, width=width) for size in (0, 150, 1 << 18)]
        for state in decisions(game, 5, seed):
            for depth in (1, 2, 4):
                values, action = plain(state, depth, width)
                for searcher in searchers:
                    found = searcher.search(state.array, depth=depth, nodes=EVER, stop=NEVER)
                    assert found.values == pytest.approx(values, abs=1e-12)
                    assert found.action == action
            narrower += action != plain(state, 4)[1]
    assert narrower > 20


def test_a_width_that_cuts_nothing_changes_nothing():
    for seed in range(10):
        game = RandomTree(seed=seed, depth=9, width=60, branching=5, chance=20, players=3)
        searchers = [MaxN(game, 1 << 16, width=width) for width in (None, 5, 1000)]
        for state in decisions(game, 5, seed):
            found = [searcher.search(state.array, depth=4, nodes=EVER, stop=NEVER) for searcher in searchers]
            assert found[0] == found[1] == found[2]


def test_values_of_any_state():
    for width in (None, 2):
        game = RandomTree(seed=2, depth=9, width=40, branching=4, chance=40, players=3)
        searcher = MaxN(game, 1 << 16, width=width)
        kinds = set()
        for state, depth in itertools.product(random_states(game, 100, np.random.default_rng(0)), (0, 3)):
            assert searcher.values(state.array, depth) == pytest.approx(plain(state, depth, width)[0], abs=1e-12)
            kinds.add(min(state.current_player(), 0))
        assert len(kinds) == 3  # players, chance, ends


@pytest.mark.parametrize("listed", [True, False])
def test_draws_stand_for_outcomes_that_are_not_listed(listed):
    """Many draws come close, the same seed draws the same, and draws are made where there are more outcomes than that."""
    game = RandomTree(seed=5, depth=8, width=40, branching=8, chance=50, players=3)
    states = decisions(game, 15, 1)
    # Of the player to act alone: a draw can turn the choice between two that are alike to one player but not to the others.
    exact = [plain(state, 2)[0][state.current_player()] for state in states]
    if not listed:
        game.chance_mode = "sampled"

    def values(samples, seed):
        searcher, rng = MaxN(game, 1 << 16, samples=samples), np.random.default_rng(seed)
        found = [searcher.search(state.array, depth=2, nodes=EVER, stop=NEVER, rng=rng) for state in states]
        return [one.values[state.current_player()] for one, state in zip(found, states, strict=True)]

    if listed:
        assert values(8, 1) == pytest.approx(exact, abs=1e-12)
    assert values(2, 1) == values(2, 1) != values(2, 2)
    many = values(2000, 1)
    assert many == pytest.approx(exact, abs=0.05)
    if not listed:
        assert many != exact


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
