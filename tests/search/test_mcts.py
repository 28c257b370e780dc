"""MCTS: right values, kept budgets, sound proofs, and trees that survive being cut."""

import functools

import numpy as np
import pytest

import gamelab
from gamelab.search.mcts import Tree
from gamelab.search.tree import BYTES_PER_NODE, NODE, NOT_EXPANDED, ROOT
from gamelab.testing import random_states

NEVER = np.zeros(1, np.uint8)


@functools.cache
def load(name):
    return gamelab.load(name)


def tree_for(state, simulations, *, seed=1, max_nodes=300_000, solver=True):
    tree = Tree(state.game, max_nodes, exploration=0.7, solver=solver)
    tree.set_root(state.array)
    tree.run(simulations, np.random.default_rng(seed), NEVER)
    return tree


@functools.cache
def solved(text):
    """The true value of a tic-tac-toe position for the player to act."""
    state = load("tictactoe").state_from_text(text)
    if state.is_terminal():
        return state.returns()[0]
    values = [solved(state.child(action).to_text()) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def check_sums(tree, index=ROOT):
    """Visits add up along the tree, and means are means of returns."""
    node = tree.nodes[index]
    children = tree.children(index)
    assert abs(node["value_sum"]) <= node["visits"]
    if len(children):
        # All visits but the first, and those that ended at a proven node, went on to a child.
        assert children["visits"].sum() <= node["visits"]
        first = int(node["first_child"])
        assert (children["visits"][: node["tried"]] > 0).all()
        assert (children["visits"][node["tried"] :] == 0).all()
        for child in range(first, first + len(children)):
            if tree.nodes[child]["first_child"] != NOT_EXPANDED:
                check_sums(tree, child)


@pytest.mark.parametrize("name", ["tictactoe", "netwerk"])
def test_visits_add_up(name):
    check_sums(tree_for(load(name).new_initial_state(), 3000))


def test_proven_values_are_true():
    proven = 0
    for state in random_states(load("tictactoe"), 300, np.random.default_rng(2)):
        if state.is_terminal():
            continue
        tree = tree_for(state, 300)
        for index in range(int(tree.control["used"][0])):
            proven += int(tree.nodes[index]["proven"])
        if tree.nodes[ROOT]["proven"]:
            assert tree.nodes[ROOT]["proven_value"] == solved(state.to_text())
        for child in tree.children():
            if child["proven"]:
                assert child["proven_value"] == solved(state.child(int(child["action"])).to_text())
    assert proven > 1000


def test_small_games_are_solved():
    for state in random_states(load("tictactoe"), 200, np.random.default_rng(4)):
        if len(state.history()) >= 4 and not state.is_terminal():
            tree = tree_for(state, 5000)
            if solved(state.to_text()) != 0:
                assert tree.nodes[ROOT]["proven"] == 1
                assert tree.nodes[ROOT]["proven_value"] == solved(state.to_text())
            best = state.child(int(tree.nodes[tree.best_child()]["action"]))
            assert solved(best.to_text()) == solved(state.to_text())


def test_values_converge_without_the_solver():
    state = load("tictactoe").new_initial_state()
    tree = tree_for(state, 200_000, solver=False)
    assert abs(tree.mean_value(tree.best_child(), 0)) < 0.1  # a draw
    assert tree.nodes[ROOT]["proven"] == 0


def test_memory_is_a_limit_and_the_search_goes_on():
    state = load("netwerk").new_initial_state()
    room = state.game.max_legal_actions + 1
    tree = tree_for(state, 5000, max_nodes=room)
    assert tree.control["used"][0] <= room
    assert tree.control["simulations"][0] == 5000
    assert NODE.itemsize <= 40
    assert BYTES_PER_NODE <= 40
    with pytest.raises(gamelab.GamelabError, match="memory"):
        Tree(state.game, room - 1, 0.7, True)


def test_the_subtree_that_is_kept_is_the_one_below_the_move():
    state = load("netwerk").new_initial_state()
    tree = tree_for(state, 20_000)
    first = tree.best_child()
    action = int(tree.nodes[first]["action"])
    before = _shape(tree, first)
    assert tree.advance([action], state.child(action).array)
    assert _shape(tree, ROOT) == before
    assert tree.nodes[ROOT]["visits"] > 100
    # Searching on from there keeps it sound.
    tree.run(2000, np.random.default_rng(3), NEVER)
    assert tree.control["simulations"][0] == 2000
    check_sums(tree)


def _shape(tree, index, depth=4):
    """Actions and visits below a node, in a form that does not depend on where the nodes lie."""
    if depth == 0:
        return None
    first = int(tree.nodes[index]["first_child"])
    return {
        (int(child["action"]), int(child["visits"])): _shape(tree, first + i, depth - 1)
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


def test_the_same_seed_gives_the_same_tree():
    state = load("netwerk").new_initial_state()
    one, other, third = (tree_for(state, 2000, seed=seed) for seed in (1, 1, 2))
    used = int(one.control["used"][0])
    assert np.array_equal(one.nodes[:used], other.nodes[:used])
    assert not np.array_equal(one.nodes["action"][:49], third.nodes["action"][:49])


def test_a_set_stop_ends_it_at_once():
    tree = Tree(load("netwerk"), 10_000, 0.7, True)
    tree.set_root(load("netwerk").initial_array())
    assert tree.run(10**6, np.random.default_rng(1), np.ones(1, np.uint8)) == 0
