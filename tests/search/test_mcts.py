"""MCTS: right values, kept budgets, sound proofs, and trees that survive being cut."""

import functools

import numpy as np
import pytest

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import ParameterError
from gamelab.search.mcts import Options, RootStatistics, Tree, run_all
from gamelab.search.tree import NODE, NOT_EXPANDED, ROOT, bytes_per_node, keep_subtree
from gamelab.testing import random_states
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
PLAIN = Options(solver=False)
# Every option at least once, alone and with others.
EVERY_OPTION = [
    Options(),
    Options(first_play=0.1),
    Options(rule="puct", exploration=1.5, first_play=0.0),
    Options(rule="puct", prior="evaluation", temperature=0.5, first_play=-0.1),
    Options(rule="puct", prior="action"),
    Options(prior="evaluation", bias=1.0),
    Options(prior="action", bias=0.5, first_play=0.0),
    Options(prior="evaluation", widening=0.5, width=1),
    Options(prior="action", widening=0.3, width=2, first_play=0.5),
    Options(rule="puct", prior="action", widening=0.7, width=1, rave=20.0),
    Options(rave=100.0, first_play=0.0),
    Options(rave=30.0),
    Options(cutoff=0),
    Options(cutoff=2, rave=50.0, decisive=True),
    Options(decisive=True),
]


@functools.cache
def load(name):
    return gamelab.load(name)


def tree_for(state, simulations, options=Options(), *, seed=1, max_nodes=300_000):  # noqa: B008 - frozen
    tree = Tree(state.game, max_nodes, options)
    tree.set_root(state.array)
    tree.run(simulations, np.random.default_rng(seed), NEVER)
    return tree


def child_of(state, tree):
    found = tree.statistics()
    return state.child(int(found.actions[found.best()]))


def exact(state):
    """The value for each player when all play for themselves, chance averaged; for two players minimax."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        return sum(p * exact(state.child(a)) for a, p in state.chance_outcomes())
    player = state.current_player()
    return max((exact(state.child(action)) for action in state.legal_actions()), key=lambda values: values[player])


def has_ties(state):
    """Whether somewhere a player is indifferent between actions of which another is not."""
    if state.is_terminal():
        return False
    children = [state.child(action) for action in state.legal_actions()]
    if any(has_ties(child) for child in children):
        return True
    values = np.array([exact(child) for child in children])
    best = values[values[:, state.current_player()] == values[:, state.current_player()].max()]
    return bool((best != best[0]).any())


@functools.cache
def solved(text):
    """The true value of a tic-tac-toe position for x."""
    state = load("tictactoe").state_from_text(text)
    if state.is_terminal():
        return state.returns()[0]
    values = [solved(state.child(action).to_text()) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def check_sums(tree, index=ROOT):
    """Visits add up along the tree, and means are means of returns."""
    node = tree.nodes[index]
    children = tree.children(index)
    assert abs(node["value_sum"]) <= node["visits"] + 1e-9
    if len(children):
        # All visits but the first, and those that ended at a proven node, went on to a child.
        assert children["visits"].sum() <= node["visits"]
        first = int(node["first_child"])
        if tree.options.first_play is None:
            assert (children["visits"][: node["tried"]] > 0).all()
            assert (children["visits"][node["tried"] :] == 0).all()
        for child in range(first, first + len(children)):
            if tree.nodes[child]["first_child"] != NOT_EXPANDED:
                check_sums(tree, child)


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
@pytest.mark.parametrize("name", ["tictactoe", "netwerk"])
def test_visits_add_up(name, options):
    check_sums(tree_for(load(name).new_initial_state(), 2000, options))


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_proven_values_are_true(options):
    proven = 0
    for state in random_states(load("tictactoe"), 100, np.random.default_rng(2)):
        if state.is_terminal():
            continue
        tree = tree_for(state, 300, options, max_nodes=5000)
        proven += int(tree.nodes["proven"][: tree.used].sum())
        if tree.nodes[ROOT]["proven"]:
            assert tree.nodes[ROOT]["proven_value"] == solved(state.to_text())
        for child in tree.children():
            if child["proven"]:
                assert child["proven_value"] == solved(state.child(int(child["action"])).to_text())
    assert proven > 300


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_every_option_solves_small_games(options):
    """Draws too: where the best that is certain is a draw, open siblings are looked at until they are certain."""
    for state in random_states(load("tictactoe"), 100, np.random.default_rng(4)):
        if len(state.history()) >= 4 and not state.is_terminal():
            tree = tree_for(state, 3000, options, max_nodes=5000)
            assert tree.nodes[ROOT]["proven"] == 1
            assert tree.nodes[ROOT]["proven_value"] == solved(state.to_text())
            assert tree.control["simulations"][0] < 3000
            assert solved(child_of(state, tree).to_text()) == solved(state.to_text())


def end_distance(state):
    """Plies to the end with best play, negative if lost for the player to act, None for a draw: won soon, lost late."""
    ends = []
    for action in state.legal_actions():
        child = state.child(action)
        if child.is_terminal():
            value = child.returns()[state.current_player()]
            ends.append(int(value) if value else None)
        else:
            distance = end_distance(child)
            ends.append(None if distance is None else -distance - (1 if distance > 0 else -1))
    if any(end is not None and end > 0 for end in ends):
        return min(end for end in ends if end is not None and end > 0)
    return None if None in ends else min(ends)


def test_ends_are_found_at_their_distance():
    """In so small a game nothing nearer is missed where the end is lost, and a win at once never."""
    ends = set()
    for state in random_states(load("tictactoe"), 500, np.random.default_rng(6)):
        if state.is_terminal() or len(state.history()) < 3:
            continue
        expected = end_distance(state)
        tree = tree_for(state, 3000, max_nodes=5000)
        best = tree.statistics()
        found = tree.end_in(int(best.actions[best.best()]))
        if expected is None or expected < 0:
            assert found == expected
        else:
            assert found is not None
            assert found >= expected
            assert expected > 1 or found == 1
        ends.add(expected)
    assert {1, -2, 3, None} <= ends


def test_tictactoe_is_solved_from_the_start():
    tree = tree_for(load("tictactoe").new_initial_state(), 200_000)
    assert tree.nodes[ROOT]["proven"] == 1
    assert tree.nodes[ROOT]["proven_value"] == 0


@pytest.mark.parametrize("options", [PLAIN, *(o for o in EVERY_OPTION if o.rave == 0 and not o.bias)], ids=str)
@pytest.mark.parametrize("players", [2, 3])
def test_values_converge_to_the_exact_ones(players, options):
    """Means converge slowly, so the trees are small; exact() knows nothing of trees, bounds or playouts."""
    errors = []
    for seed in range(40):
        state = RandomTree(seed=seed, depth=4, branching=3, players=players, width=10).new_initial_state()
        if has_ties(state) or len(errors) == 10:
            continue
        tree = tree_for(state, 20_000, options, seed=seed)
        player, expected = state.current_player(), exact(state)
        found = tree.statistics()
        errors.append(abs(found.values()[found.best()] - expected[player]))
        assert exact(child_of(state, tree))[player] >= expected[player] - 0.05
    assert len(errors) == 10
    assert max(errors) < 0.08


@pytest.mark.parametrize("solver", [True, False])
def test_chance_is_averaged_by_its_probabilities(solver):
    for seed in range(25):
        state = RandomTree(seed=seed, depth=4, branching=4, chance=50, width=12).new_initial_state()
        tree = tree_for(state, 30_000, Options(solver=solver), seed=seed)
        expected = exact(state)[state.current_player()]
        found = tree.statistics()
        assert found.values()[found.best()] == pytest.approx(expected, abs=0.06)
        if tree.nodes[ROOT]["proven"]:
            assert tree.nodes[ROOT]["proven_value"] == pytest.approx(exact(state)[0], abs=1e-6)


def test_proofs_through_chance_are_sound():
    proven = 0
    for seed in range(60):
        state = RandomTree(seed=seed, depth=5, branching=3, chance=30, width=8).new_initial_state()
        tree = tree_for(state, 500, seed=seed)
        if tree.nodes[ROOT]["proven"]:
            proven += 1
            assert tree.nodes[ROOT]["proven_value"] == pytest.approx(exact(state)[0], abs=1e-6)
    assert proven > 20


def test_children_of_a_chance_node_are_visited_as_often_as_they_are_likely():
    game = RandomTree(seed=3, depth=6, branching=4, chance=60, width=100)
    tree = tree_for(game.new_initial_state(), 40_000, PLAIN)
    checked = 0
    for index in range(tree.used):
        if tree.nodes[index]["player"] == gamelab.CHANCE and tree.nodes[index]["visits"] > 3000:
            children = tree.children(index)
            n = len(children)
            likely = (children["action"] + 1) / (n * (n + 1) / 2)
            share = children["visits"] / children["visits"].sum()
            assert share == pytest.approx(likely, abs=0.04)
            checked += n > 1
    assert checked > 0


# --- what the options do ----------------------------------------------------------------------------------------------


def test_probabilities_of_puct_are_a_softmax():
    state = RandomTree(seed=5, branching=8, depth=8).new_initial_state()
    tree = tree_for(state, 50, Options(rule="puct", prior="action", temperature=0.3))
    children = tree.children()
    first = int(tree.nodes[ROOT]["first_child"])
    priors = [kernels.action_prior(state.array, int(a)) for a in children["action"]]
    weights = np.exp(np.array(priors) / 0.3)
    assert tree.arrays.priors[first : first + len(children)] == pytest.approx(weights / weights.sum(), rel=1e-5)
    assert len(children) > 1


def test_a_playout_cut_off_at_once_is_the_evaluation():
    state = RandomTree(seed=6, branching=5, depth=9).new_initial_state()
    player = state.current_player()
    tree = tree_for(state, len(state.legal_actions()), Options(cutoff=0, solver=False))
    for child in tree.children():
        after = state.child(int(child["action"]))
        assert child["visits"] == 1
        assert child["value_sum"] == pytest.approx(after.evaluate()[player])


def test_rave_counts_what_was_played_later():
    """Kept from tree and playouts alike: no action has fewer all-moves-as-first visits than visits."""
    tree = tree_for(load("netwerk").new_initial_state(), 3000, Options(rave=100.0, first_play=0.0))
    first, count = int(tree.nodes[ROOT]["first_child"]), int(tree.nodes[ROOT]["num_children"])
    rave = tree.arrays.rave[first : first + count]
    assert (rave["visits"] >= tree.children()["visits"]).all()
    # White places about half of the squares in a random game.
    assert rave["visits"].sum() > 5 * 3000
    assert (np.abs(rave["value_sum"]) <= rave["visits"]).all()


def test_decisive_playouts_take_a_win():
    # x wins at once with c3; random playouts from the start of o's bad moves lose it now and then.
    state = load("tictactoe").state_from_text("...\nooo\nxx.".replace("ooo", "oo."))
    plain = tree_for(state, 400, Options(solver=False))
    decisive = tree_for(state, 400, Options(solver=False, decisive=True))
    means = [tree.nodes[ROOT]["value_sum"] / tree.nodes[ROOT]["visits"] for tree in (plain, decisive)]
    assert means[1] > means[0]


def test_first_play_urgency_looks_deeper_sooner():
    state = load("netwerk").new_initial_state()
    depths = [tree_for(state, 2000, Options(first_play=fpu)).measures()["mean_depth"] for fpu in (None, 0.0)]
    assert depths[1] > depths[0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rule": "ucb"}, "rule: 'ucb' is not one of uct, puct"),
        ({"prior": "x"}, "prior: 'x' is not one of none, action, evaluation"),
        ({"bias": 1.0}, "bias: progressive bias needs a prior"),
        ({"widening": 0.5}, "widening: progressive widening needs a prior"),
        ({"prior": "action", "widening": 0.0}, "widening: 0.0 is not a number above 0 and at most 1"),
        ({"prior": "action", "widening": 1.1}, "widening: 1.1 is not"),
        ({"width": 0}, "width: 0 is not a number of actions from 1 to 1000000"),
        ({"cutoff": -1}, "cutoff: -1"),
        ({"exploration": -0.1}, "exploration: -0.1 is not a number from 0 on"),
        ({"rave": float("nan")}, "rave: nan"),
        ({"rule": "puct", "temperature": 0.0}, "temperature: 0.0 is not a number above 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(ParameterError, match=message):
        Options(**wrong)


# --- memory, reuse ----------------------------------------------------------------------------------------------------


def test_memory_is_a_limit_and_the_search_goes_on():
    state = load("netwerk").new_initial_state()
    room = state.game.max_legal_actions + 1
    for reclaim in (False, True):
        tree = tree_for(state, 5000, Options(reclaim=reclaim), max_nodes=room)
        assert tree.used <= room
        assert tree.control["simulations"][0] == 5000
    assert NODE.itemsize <= 40
    assert bytes_per_node() <= 40
    assert Options(rave=1.0).bytes_per_node > bytes_per_node()
    with pytest.raises(gamelab.GamelabError, match="memory"):
        Tree(state.game, room - 1)


@pytest.mark.parametrize("options", [Options(), Options(rave=100.0, first_play=0.0), Options(rule="puct", prior="evaluation")])
def test_memory_is_reclaimed(options):
    state = load("netwerk").new_initial_state()
    tree = tree_for(state, 20_000, options, max_nodes=6000)
    assert tree.used <= 6000
    assert tree.nodes[ROOT]["visits"] == 20_000
    check_sums(tree)
    # What is left is the most visited part: it reaches deeper than a tree that stopped growing.
    stuck = tree_for(state, 20_000, Options(**{**options.__dict__, "reclaim": False}), max_nodes=6000)
    assert tree.measures()["mean_depth"] > stuck.measures()["mean_depth"]


def test_a_proven_node_whose_children_were_given_up_is_searched_anew():
    """It is known to be won or lost, but not by what: there would be nothing to play."""
    checked = 0
    for state in random_states(load("tictactoe"), 200, np.random.default_rng(8)):
        if state.is_terminal() or len(state.history()) < 4:
            continue
        tree = tree_for(state, 3000, max_nodes=5000)
        tree.control["used"] = keep_subtree(tree.arrays, tree.used, ROOT, 10**6, np.empty(5000, np.int32))
        for action in state.legal_actions():
            child = state.child(action)
            if child.is_terminal():
                continue
            checked += 1
            if not tree.advance([action], child.array):
                tree.set_root(child.array)
            tree.run(3000, np.random.default_rng(1), NEVER)
            assert tree.statistics().best() is not None
            break
    assert checked > 30


def test_reclaiming_changes_no_value():
    for seed in range(10):
        state = RandomTree(seed=seed, depth=6, branching=4, width=20).new_initial_state()
        tree = tree_for(state, 20_000, Options(reclaim=True), max_nodes=60)
        if tree.nodes[ROOT]["proven"]:
            assert tree.nodes[ROOT]["proven_value"] == pytest.approx(exact(state)[0])


def test_the_subtree_that_is_kept_is_the_one_below_the_move():
    state = load("netwerk").new_initial_state()
    options = Options(rave=100.0, prior="evaluation", bias=0.1)
    tree = tree_for(state, 20_000, options, max_nodes=1_000_000)
    found = tree.statistics()
    action = int(found.actions[found.best()])
    before = _shape(tree, int(tree.nodes[ROOT]["first_child"]) + found.best())
    assert tree.advance([action], state.child(action).array)
    assert _shape(tree, ROOT) == before
    assert tree.nodes[ROOT]["visits"] > 100
    # Searching on from there keeps it sound.
    tree.run(2000, np.random.default_rng(3), NEVER)
    assert tree.control["simulations"][0] == 2000
    check_sums(tree)


def _shape(tree, index, depth=4):
    """What is known below a node, in a form that does not depend on where the nodes lie."""
    if depth == 0:
        return None
    first = int(tree.nodes[index]["first_child"])
    return {
        (
            int(child["action"]),
            int(child["visits"]),
            float(tree.arrays.priors[first + i]),
            tree.arrays.rave[first + i].tolist(),
        ): _shape(tree, first + i, depth - 1)
        for i, child in enumerate(tree.children(index))
    }


def test_a_move_that_was_never_looked_at_starts_anew():
    state = load("netwerk").new_initial_state()
    tree = tree_for(state, 10)
    unseen = next(int(child["action"]) for child in tree.children() if child["visits"] == 0)
    assert not tree.advance([unseen], state.child(unseen).array)


@pytest.mark.parametrize("reuse", ["true", "false"])
def test_reuse_plays_whole_games(reuse):
    agent = gamelab.make_agent(f"mcts:sims=300,reuse={reuse}")
    rng = np.random.default_rng(5)
    state = load("netwerk").new_initial_state()
    while not state.is_terminal():
        if state.current_player() == 0:
            before = state.clone()
            state.apply_action(agent.choose(state, rng))
            assert before.history() == state.history()[:-1]
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.returns() == [1, -1]


# --- repeatable, interruptible, parallel ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_the_same_seed_gives_the_same_tree_and_leaves_the_root_alone(options):
    state = load("netwerk").new_initial_state()
    before = state.clone()
    one, other, third = (tree_for(state, 1000, options, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.nodes[: one.used], other.nodes[: one.used])
    assert not np.array_equal(one.nodes["action"][:49], third.nodes["action"][:49])
    assert state == before


def test_a_set_stop_ends_it_at_once():
    tree = Tree(load("netwerk"), 10_000)
    tree.set_root(load("netwerk").initial_array())
    assert tree.run(10**6, np.random.default_rng(1), np.ones(1, np.uint8)) == 0


def test_several_trees_share_the_simulations():
    state = load("netwerk").new_initial_state()

    def grown():
        trees = [Tree(state.game, 100_000) for _ in range(3)]
        for tree in trees:
            tree.set_root(state.array)
        done = run_all(trees, 1000, np.random.default_rng(7).spawn(3), NEVER)
        return done, RootStatistics.together([tree.statistics() for tree in trees])

    done, found = grown()
    assert done == found.visits.sum() == 1000
    assert found.actions.tolist() == state.legal_actions()
    again = grown()[1]
    assert np.array_equal(found.visits, again.visits)
    assert np.array_equal(found.value_sums, again.value_sums)


def test_what_one_tree_has_proven_is_proven():
    def part(proven, values):
        return RootStatistics(
            np.array([2, 5], np.int32), np.array([10, 20]), np.array([1.0, 2.0]), np.array(proven), np.array(values)
        )

    found = RootStatistics.together([part([False, False], [0.0, 0.0]), part([True, False], [1.0, 0.0])])
    assert found.proven.tolist() == [True, False]
    assert found.values().tolist() == [1.0, 0.1]
    assert found.best() == 0
    assert RootStatistics.together([]).best() is None


# The behaviour of the search in numbers: a change that claims to change nothing must keep them.
SIGNATURE = {"netwerk": (4165, 3), "tictactoe": (1671, 9)}


@pytest.mark.parametrize("name", SIGNATURE)
def test_trees_are_those_of_before(name):
    measures = tree_for(load(name).new_initial_state(), 1000).measures()
    assert (measures["tree_nodes"], measures["tree_depth"]) == SIGNATURE[name]
