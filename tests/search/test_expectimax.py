"""Expectimax against plain recursion without pruning or memory."""

import itertools

import numpy as np
import pytest

import gamelab
from gamelab.core.game import Parameter
from gamelab.search.expectimax import Expectimax
from gamelab.testing import random_states
from tests.search.promising import promising
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
EVER = 2**62


class Alone(RandomTree):
    parameter_specs = {**RandomTree.parameter_specs, "players": Parameter(1, "players", low=1, high=1)}  # noqa: RUF012


def plain(state, hero, depth, width=None):
    """The hero maximises, everybody else minimises, chance averages; depth counts actions of players."""
    if state.is_terminal() or depth == 0:
        return state.evaluate()[hero]
    if state.is_chance_node():
        return sum(p * plain(state.child(outcome), hero, depth, width) for outcome, p in state.chance_outcomes())
    values = [plain(state.child(action), hero, depth - 1, width) for action in promising(state, width)]
    return max(values) if state.current_player() == hero else min(values)


def decisions(game, count, seed):
    """Different states in which a player is to act."""
    states = random_states(game, 40 * count, np.random.default_rng(seed))
    different = {state.to_text(): state for state in states if state.current_player() >= 0}
    return list(different.values())[:count]


SHAPES = [
    {"depth": 12, "width": 30, "branching": 4, "chance": 30},
    {"depth": 9, "width": 5000, "branching": 3, "chance": 45},
    {"depth": 9, "width": 12, "branching": 5, "chance": 10},
    {"depth": 9, "width": 40, "branching": 4, "chance": 0},
    {"depth": 9, "width": 40, "branching": 4, "chance": 30, "players": 3},
    {"depth": 9, "width": 40, "branching": 3, "chance": 30, "players": 4},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_plain_expectimax(shape):
    """Every kind of pruning, with a table, with one that is far too small, and with none; results are kept in between."""
    compared = 0
    for seed in range(6):
        game = RandomTree(seed=seed, **shape)
        searchers = [Expectimax(game, size, star=star) for star, size in itertools.product((0, 1, 2), (0, 100, 1 << 20))]
        for state in decisions(game, 8, seed):
            hero = state.current_player()
            for depth in (1, 2, 4):
                expected = plain(state, hero, depth)
                for searcher in searchers:
                    found = searcher.search(state.array, depth=depth, nodes=EVER, stop=NEVER)
                    assert found.depth == depth
                    assert found.value == pytest.approx(expected, abs=1e-12)
                    assert plain(state.child(found.action), hero, depth - 1) == pytest.approx(expected, abs=1e-12)
                    compared += 1
    assert compared > 500


@pytest.mark.parametrize("shape", SHAPES)
def test_within_a_width_it_equals_plain_expectimax(shape):
    """With every kind of pruning and table; the table is kept from one state and depth to the next."""
    narrower = 0
    for seed, width in itertools.product(range(3), (1, 2, 3)):
        game = RandomTree(seed=100 + seed, **shape)
        searchers = [Expectimax(game, size, star=star, width=width) for star, size in ((0, 0), (1, 100), (2, 0), (2, 1 << 20))]
        for state in decisions(game, 8, seed):
            hero = state.current_player()
            for depth in (1, 2, 4):
                expected = plain(state, hero, depth, width)
                for searcher in searchers:
                    found = searcher.search(state.array, depth=depth, nodes=EVER, stop=NEVER)
                    assert found.value == pytest.approx(expected, abs=1e-12)
                    assert found.action in promising(state, width)
                    assert plain(state.child(found.action), hero, depth - 1, width) == pytest.approx(expected, abs=1e-12)
                    assert searcher.value(state.array, hero, depth) == pytest.approx(expected, abs=1e-12)
            narrower += expected != plain(state, hero, 4)
    assert narrower > 20


def test_a_width_that_cuts_nothing_changes_nothing():
    for seed, star in itertools.product(range(4), (0, 2)):
        game = RandomTree(seed=seed, depth=12, width=60, branching=5, chance=30)
        searchers = [Expectimax(game, 1 << 16, star=star, width=width) for width in (None, 5, 1000)]
        for state in decisions(game, 5, seed):
            found = [searcher.search(state.array, depth=4, nodes=EVER, stop=NEVER) for searcher in searchers]
            assert found[0] == found[1] == found[2]


def test_pruning_at_chance_nodes_saves_work():
    nodes = {}
    for star, size in itertools.product((0, 1, 2), (0, 1 << 20)):
        nodes[star, size] = 0
        for seed in range(12):
            game = RandomTree(seed=seed, depth=14, width=3000, branching=5, chance=35)
            searcher = Expectimax(game, size, star=star)
            for state in decisions(game, 4, seed):
                searcher.forget()
                nodes[star, size] += searcher.search(state.array, depth=4, nodes=EVER, stop=NEVER).nodes
    for size in (0, 1 << 20):
        assert nodes[0, size] > nodes[1, size] > nodes[2, size]
    assert nodes[2, 0] > nodes[2, 1 << 20]


def test_alone_there_is_only_chance_to_fear():
    for seed, bounds in itertools.product(range(8), (None, (0.0, 1.0))):
        game = Alone(seed=seed, depth=9, width=40, branching=4, chance=40)
        searcher = Expectimax(game, 1 << 16, bounds=bounds)
        for state in decisions(game, 6, seed):
            for depth in (1, 5):
                found = searcher.search(state.array, depth=depth, nodes=EVER, stop=NEVER)
                assert found.value == pytest.approx(plain(state, 0, depth), abs=1e-12)


def test_values_of_any_state_for_any_player():
    game = RandomTree(seed=2, depth=9, width=40, branching=4, chance=40, players=3)
    searcher = Expectimax(game, 1 << 16)
    for state in random_states(game, 100, np.random.default_rng(0)):
        for player, depth in itertools.product(range(3), (0, 3)):
            assert searcher.value(state.array, player, depth) == pytest.approx(plain(state, player, depth), abs=1e-12)


@pytest.mark.parametrize("listed", [True, False])
def test_draws_stand_for_outcomes_that_are_not_listed(listed):
    """Many draws come close, the same seed draws the same, and draws are made where there are more outcomes than that."""
    game = RandomTree(seed=5, depth=8, width=40, branching=8, chance=50)
    states = decisions(game, 15, 1)
    exact = [plain(state, state.current_player(), 2) for state in states]
    if not listed:
        game.chance_mode = "sampled"

    def values(samples, seed):
        searcher = Expectimax(game, 1 << 16, samples=samples)
        rng = np.random.default_rng(seed)
        return [searcher.search(state.array, depth=2, nodes=EVER, stop=NEVER, rng=rng).value for state in states]

    if listed:
        assert values(8, 1) == pytest.approx(exact, abs=1e-12)
    assert values(2, 1) == values(2, 1) != values(2, 2)
    many = values(2000, 1)
    assert many == pytest.approx(exact, abs=0.05)
    if not listed:
        assert many != exact


def test_node_budgets_are_kept():
    game = RandomTree(seed=2, depth=30, width=3000, branching=5, chance=30)
    for state in decisions(game, 10, 3):
        searcher = Expectimax(game, 1 << 16)
        least = searcher.search(state.array, depth=1, nodes=EVER, stop=NEVER).nodes
        for nodes in (1, 500, 5000):
            searcher.forget()
            found = searcher.search(state.array, depth=50, nodes=nodes, stop=NEVER)
            # The first iteration is always finished.
            assert found.nodes <= max(nodes, least)
            assert found.depth >= 1
            assert found.action in state.legal_actions()
        searcher.forget()
        assert searcher.search(state.array, depth=50, nodes=EVER, stop=np.ones(1, np.uint8)).depth == 1


def test_an_unfinished_iteration_never_makes_the_choice_worse():
    """What it has found so far is at least as good as the last iteration's choice, judged at the depth under way."""
    cut = 0
    for seed in range(30):
        game = RandomTree(seed=seed, depth=12, width=60, branching=5, chance=20)
        for state in decisions(game, 2, seed):
            hero, searcher = state.current_player(), Expectimax(game, 1 << 16)
            whole = searcher.search(state.array, depth=4, nodes=EVER, stop=NEVER)
            for share in (0.7, 0.9):
                searcher.forget()
                found = searcher.search(state.array, depth=4, nodes=round(share * whole.nodes), stop=NEVER)
                if found.depth == 3:
                    searcher.forget()
                    last = searcher.search(state.array, depth=3, nodes=EVER, stop=NEVER)
                    value = {a: plain(state.child(a), hero, 3) for a in (found.action, last.action)}
                    assert value[found.action] >= value[last.action] - 1e-12
                    cut += found.action != last.action
    assert cut > 0


def test_the_state_is_left_alone():
    game = RandomTree(seed=2, depth=30, width=3000, branching=5, chance=30)
    state = game.new_initial_state()
    before = state.array.tobytes()
    Expectimax(game, 1 << 16).search(state.array, depth=4, nodes=EVER, stop=NEVER)
    assert state.array.tobytes() == before


def test_tictactoe_is_a_draw():
    game = gamelab.load("tictactoe")
    assert Expectimax(game, 1 << 20).search(game.initial_array(), depth=9, nodes=EVER, stop=NEVER).value == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [({"star": 3}, "star: 3"), ({"samples": 0}, "samples: 0"), ({"bounds": (1.0, 1.0)}, "bounds"), ({"width": 0}, "width: 0")],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(gamelab.GamelabError, match=message):
        Expectimax(gamelab.load("tictactoe"), 1 << 10, **options)


@pytest.mark.parametrize("depth", [0, -1, 101])
def test_depths_out_of_range_are_refused(depth):
    game = gamelab.load("tictactoe")
    with pytest.raises(gamelab.GamelabError, match="from 1 to 100"):
        Expectimax(game, 1 << 10).search(game.initial_array(), depth=depth, nodes=EVER, stop=NEVER)
