"""Progressive widening: the promising first and no others, all in the end, and no proof before all were looked at."""

import functools
import math

import numpy as np
import pytest

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import GamelabError, ParameterError
from gamelab.search.ismcts import InformationSetSearch, sets_within
from gamelab.search.ismcts import Options as InformationOptions
from gamelab.search.mcts import Options, Tree
from gamelab.search.tree import ROOT
from gamelab.testing import random_states
from tests.naive.ismcts import grow
from tests.search.haystacks import ACTIONS, SPREAD, Haystack, rank
from tests.search.hidden_trees import HiddenTree, sees

NEVER = np.zeros(1, np.uint8)
WIDEN = {"widening": 0.5, "width": 8}


def mcts(state, simulations, *, seed=1, max_nodes=100_000, **options):
    tree = Tree(state.game, max_nodes, Options(**options))
    tree.set_root(state.array)
    tree.run(simulations, np.random.default_rng(seed), NEVER)
    return tree


def ismcts(state, simulations, *, seed=1, max_sets=2000, **options):
    found = InformationSetSearch(state.game, max_sets, InformationOptions(**options))
    found.set_root(state.array)
    found.run(simulations, np.random.default_rng(seed), NEVER)
    return found


SEARCHES = pytest.mark.parametrize(
    "search", [functools.partial(mcts, prior="action", solver=False), ismcts], ids=["mcts", "ismcts"]
)


def visits_by_rank(found):
    """How often each action was chosen at the root, in order of the priors."""
    root = found.statistics()
    visits = np.zeros(ACTIONS, np.int64)
    visits[root.actions.astype(np.int64) * SPREAD % ACTIONS] = root.visits
    return visits


# --- which actions are looked at --------------------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("simulations", [1, 5, 64, 300, 2000])
def test_the_promising_are_tried_and_no_others(search, simulations):
    """Of 8 * sqrt(n) actions one more is tried each visit as long as there is one: 64 after 64, then as many as may."""
    visits = visits_by_rank(search(Haystack(place=ACTIONS).new_initial_state(), simulations, **WIDEN))
    tried = min(simulations, math.ceil(8 * math.sqrt(max(simulations - 1, 1))))
    assert (visits[:tried] > 0).all()
    assert (visits[tried:] == 0).all()
    assert visits.sum() == simulations


@SEARCHES
@pytest.mark.parametrize(("place", "simulations"), [(0, 100), (9, 100), (200, 1500), (999, 20_000)])
def test_a_good_action_is_found_when_its_place_has_come(search, place, simulations):
    """At the latest after (place / 8)^2 visits; then it is chosen more than any other."""
    state = Haystack(place=place).new_initial_state()
    assert np.argmax(visits_by_rank(search(state, simulations, **WIDEN))) == place
    if place > 64:
        too_early = visits_by_rank(search(state, (place // 8) ** 2 - 1, **WIDEN))
        assert too_early[place] == 0
    else:
        # Among all actions there are fewer tries than actions, and the good one is one of them only by luck.
        found = [visits_by_rank(search(state, simulations, seed=seed))[place] for seed in range(5)]
        assert sum(visits > 1 for visits in found) < 2


@pytest.mark.parametrize(("place", "value"), [(0, 1), (9, 1), (999, 1), (1000, -1)])
def test_what_is_lost_gives_its_place_to_the_next(place, value):
    """Each simulation proves one action, so the winning one is tried when its turn comes, and a loss takes all of them."""
    needed = min(place + 1, ACTIONS)
    state = Haystack(place=place).new_initial_state()
    early = mcts(state, needed - 1, prior="action", widening=0.01, width=1)
    assert early.nodes[ROOT]["proven"] == 0
    tree = mcts(state, 5000, prior="action", widening=0.01, width=1)
    assert tree.nodes[ROOT]["proven"] == 1
    assert tree.nodes[ROOT]["proven_value"] == value
    assert tree.control["simulations"][0] == needed


# --- the same where it makes no difference ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"rule": "puct"}, {"first_play": 0.0}, {"rave": 50.0, "first_play": 0.1}, {"solver": False}], ids=str
)
def test_a_width_for_all_actions_is_no_widening(options):
    """Where all priors are alike, so that the order is the same, node by node."""
    state = gamelab.load("tictactoe").new_initial_state()
    plain = mcts(state, 3000, prior="action", **options)
    wide = mcts(state, 3000, prior="action", widening=1.0, width=9, **options)
    narrow = mcts(state, 3000, prior="action", widening=0.2, width=1, **options)
    assert np.array_equal(plain.nodes[: plain.used], wide.nodes[: wide.used])
    assert not np.array_equal(plain.nodes[:1000], narrow.nodes[:1000])


TWINS = [
    HiddenTree(seed=11, players=2, seers=2, depth=9, width=1000, branching=8),
    HiddenTree(seed=4, players=3, seers=5, depth=8, chance=20, branching=6),
]


def most_promising(state, world):
    there = state.clone()
    there.array["world"] = world
    return max(state.legal_actions(), key=lambda action: kernels.action_prior(there.array, action))


@pytest.mark.parametrize("game", TWINS, ids=["two", "three"])
def test_in_the_trees_with_hidden_worlds_another_action_promises_most_in_another_world(game):
    """So that the twins below part if a search takes the priors of a wrong world."""
    states = random_states(game, 300, np.random.default_rng(1))
    blind = [
        state
        for state in states
        if (actor := state.current_player()) >= 0 and len(state.legal_actions()) > 2 and not sees(state.array[0], actor)
    ]
    differ = [len({most_promising(state, world) for world in range(4)}) > 1 for state in blind]
    assert len(differ) > 20
    assert np.mean(differ) > 0.7


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize(("widening", "width"), [(0.3, 1), (0.5, 2), (1.0, 8)])
@pytest.mark.parametrize("game", TWINS, ids=["two", "three"])
def test_hidden_worlds_are_widened_as_the_naive_twin_does(game, widening, width, observers):
    """Legal actions and priors differ from world to world; with the same stream both choose the same all the way."""
    state = game.new_initial_state().child(1)
    options = {"widening": widening, "width": width}
    found = ismcts(state, 600, observers=observers, exploration=1.5, **options)
    trees = grow(state, 600, np.random.default_rng(1), multiple=observers == "multiple", c=1.5, **options)
    assert found.num_sets == len(trees)
    for index, arms in enumerate(trees.values()):
        expected = sorted((action, arm.visits, arm.available, arm.total / arm.visits) for action, arm in arms.items())
        stored = found.statistics(index)
        columns = (stored.actions, stored.visits, stored.available, stored.values)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == [pytest.approx(arm) for arm in expected]


@pytest.mark.parametrize("options", [{"widening": 1.0, "width": 8}, {"widening": 0.4, "width": 1}], ids=str)
def test_when_all_have_come_in_the_values_are_those_without(options):
    """For a lone player, who has one best plan."""
    for seed in range(8):
        state = HiddenTree(seed=seed, players=1, depth=4, branching=4, reveal=40).new_initial_state().child(seed % 4)
        with_it, without = (
            ismcts(state, 20_000, max_sets=20_000, exploration=3.0, **some).statistics() for some in (options, {})
        )
        assert with_it.actions.tolist() == without.actions.tolist() == state.legal_actions()
        assert with_it.values.max() == pytest.approx(without.values.max(), abs=0.06)


# --- memory -----------------------------------------------------------------------------------------------------------


def test_an_action_has_no_memory_before_it_is_tried():
    state = Haystack(plies=4).new_initial_state()
    few, all_of_them = ismcts(state, 500, **WIDEN), ismcts(state, 500)
    assert few.trees.used[1] <= 500
    assert all_of_them.trees.used[1] == ACTIONS * all_of_them.num_sets
    options = InformationOptions(**WIDEN)
    assert sets_within(state.game, 1 << 20, options) > 50 * sets_within(state.game, 1 << 20)
    trees = InformationSetSearch(state.game, sets_within(state.game, 1 << 20, options), options).trees
    assert sum(array.nbytes for array in (trees.sets, trees.slots, trees.arms)) <= (1 << 20) + 100


@pytest.mark.parametrize("max_sets", [1, 4, 30])
def test_with_full_memory_it_goes_on_with_what_was_tried(max_sets):
    found = ismcts(Haystack(plies=4).new_initial_state(), 2000, max_sets=max_sets, **WIDEN)
    root = found.statistics()
    assert found.num_sets <= max_sets
    assert 1 <= len(root.actions) <= 2 * max_sets
    assert root.visits.sum() == 2000
    # What was the first to be tried could be chosen every time.
    assert root.available.max() == 2000
    assert (root.visits <= root.available).all()


def test_memory_is_reclaimed():
    state = Haystack(plies=4).new_initial_state()
    tree = mcts(state, 3000, prior="action", solver=False, max_nodes=5001, **WIDEN)
    assert tree.used <= 5001
    visits = visits_by_rank(tree)
    assert visits.sum() == 3000
    assert np.argmax(visits) == 0
    assert np.flatnonzero(visits).tolist() == list(range(math.ceil(8 * math.sqrt(2999))))


# --- as options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["ismcts:sims=200,widening=0.5", "mcts:sims=200,prior=action,widening=0.5,solver=false"])
def test_agents_take_it(spec):
    state = Haystack(place=9, plies=2).new_initial_state()
    analysis = gamelab.make_agent(spec).analyse(state, rng=1)
    assert rank(analysis.action) == 9
    assert sum(analysis.visits.values()) == 200
    assert {rank(action) for action in analysis.scores} == set(range(math.ceil(8 * math.sqrt(199))))
    narrow = gamelab.make_agent(spec + ",width=1").analyse(state, rng=1)
    assert {rank(action) for action in narrow.scores} == set(range(math.ceil(math.sqrt(199))))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ismcts:widening=0", "widening: '0' is not a number from 0.01 to 1"),
        ("ismcts:widening=1.5", "widening: '1.5' is not a number from 0.01 to 1"),
        ("ismcts:widening=0.5,width=0", "width: '0' is not a whole number from 1 to 1000000"),
        ("mcts:widening=0.5", "mcts, widening: progressive widening needs a prior"),
    ],
)
def test_options_that_make_no_sense_are_refused(spec, message):
    with pytest.raises(GamelabError, match=message):
        gamelab.make_agent(spec)


@pytest.mark.parametrize(("wrong", "message"), [({"widening": 0.0}, "widening: 0.0"), ({"width": 0}, "width: 0 is not")])
def test_information_set_search_refuses_them_too(wrong, message):
    with pytest.raises(ParameterError, match=message):
        InformationOptions(**wrong)
