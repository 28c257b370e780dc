"""Alpha-beta against plain minimax: the same values, whatever is pruned."""

import functools

import numpy as np
import pytest

import gamelab
from gamelab.search.alphabeta import SCALE, WIN, Searcher, mate_distance, value_of_score
from gamelab.testing import random_states

NEVER = np.zeros(1, np.uint8)
EVER = 2**62


@functools.cache
def load(name):
    return gamelab.load(name)


@functools.cache
def searcher(name):
    return Searcher(load(name), 1 << 20)


def minimax(state, depth, ply=0):
    """The score for the player to act, without any pruning."""
    best = -WIN
    for action in state.legal_actions():
        child, player = state.child(action), state.current_player()
        if child.is_terminal():
            value = child.returns()[player]
            score = round(SCALE * value) if abs(value) < 1 else int(value) * (WIN - ply - 1)
        elif depth == 1:
            score = int(np.rint(SCALE * child.evaluate()[player]))
        else:
            score = minimax(child, depth - 1, ply + 1)
            score = score if child.current_player() == player else -score
        best = max(best, score)
    return best


def open_states(name, count, seed, least_ply=0, most_actions=400):
    rng = np.random.default_rng(seed)
    states = random_states(load(name), 12 * count + 500, rng)
    states = [s for s in states if not s.is_terminal() and len(s.history()) >= least_ply]
    states = [s for s in states if len(s.legal_actions()) <= most_actions]
    return [states[i] for i in rng.choice(len(states), count, replace=False)]


@pytest.mark.parametrize(
    ("name", "depth", "count", "least_ply"),
    [("tictactoe", 3, 150, 0), ("tictactoe", 6, 40, 3), ("netwerk", 1, 150, 0), ("netwerk", 2, 25, 8), ("netwerk", 3, 8, 8)],
)
def test_equals_minimax(name, depth, count, least_ply):
    # Plain minimax in Python cannot look at many states.
    for state in open_states(name, count, depth, least_ply, most_actions=round(4000 ** (1 / depth))):
        searcher(name).forget()
        found = searcher(name).search(state.array, depth=depth, nodes=EVER, stop=NEVER)
        # A win that is found earlier ends the search earlier; its score is the same.
        assert found.score == minimax(state, depth), state
        assert found.action in state.legal_actions()


def test_the_principal_variation_leads_to_the_score():
    for state in open_states("netwerk", 30, 9):
        searcher("netwerk").forget()
        found = searcher("netwerk").search(state.array, depth=3, nodes=EVER, stop=NEVER)
        line = state
        for action in found.principal_variation:
            line = line.child(action)
        player = state.current_player()
        if mate_distance(found.score) is not None:
            assert len(found.principal_variation) == abs(mate_distance(found.score))
            assert line.returns()[player] == value_of_score(found.score)
        else:
            assert len(found.principal_variation) == 3
            assert round(SCALE * line.evaluate()[player]) == found.score


def test_tictactoe_is_a_draw():
    found = searcher("tictactoe").search(load("tictactoe").initial_array(), depth=9, nodes=EVER, stop=NEVER)
    assert found.score == 0
    assert found.depth == 9


WINNING = """
......B.
........
........
...B....
W......W
...B.B.W
.....W..
........
B
"""


def test_finds_the_mate_at_its_distance():
    # Black has 60-33-35-55 and lacks the stone in the other goal and one turn: see the known answers.
    state = load("netwerk").state_from_text(WINNING)
    distances = {}
    for depth in range(1, 5):
        searcher("netwerk").forget()
        found = searcher("netwerk").search(state.array, depth=depth, nodes=EVER, stop=NEVER)
        distances[depth] = mate_distance(found.score)
    assert distances == {1: None, 2: None, 3: 3, 4: 3}


def test_immediate_wins_are_found_by_every_search():
    rng = np.random.default_rng(1)
    agents = [gamelab.make_agent(spec) for spec in ("greedy", "alphabeta:depth=1", "alphabeta:depth=3", "mcts:sims=400")]
    checked = 0
    for state in open_states("netwerk", 400, 5, least_ply=10):
        player = state.current_player()
        wins = {a for a in state.legal_actions() if state.child(a).returns()[player] == 1}
        if wins and len(state.legal_actions()) < 60:
            checked += 1
            for agent in agents:
                agent.new_game()
                assert agent.choose(state, rng) in wins, (agent, state)
    assert checked > 5


def test_a_search_leaves_the_state_alone():
    state = load("netwerk").new_initial_state()
    before = state.clone()
    searcher("netwerk").search(state.array, depth=3, nodes=EVER, stop=NEVER)
    assert state == before


def test_node_budgets_are_kept():
    start = load("netwerk").initial_array()
    for nodes in (1, 1000, 20_000):
        searcher("netwerk").forget()
        found = searcher("netwerk").search(start, depth=20, nodes=nodes, stop=NEVER)
        # The budget is looked at before a state's moves are tried; the first iteration, 48 moves, is always finished.
        assert found.nodes <= nodes + 48
        assert found.depth >= 1


def test_a_stop_that_is_set_ends_the_search_after_the_first_iteration():
    stop = np.ones(1, np.uint8)
    found = searcher("netwerk").search(load("netwerk").initial_array(), depth=20, nodes=EVER, stop=stop)
    assert found.depth == 1


def test_what_was_learned_before_changes_no_value():
    """The same values with a table full of the last searches as with an empty one, at the same depth or deeper."""
    fresh = Searcher(load("tictactoe"), 1 << 16)
    for state in open_states("tictactoe", 60, 3):
        left = 9 - len(state.history())
        fresh.forget()
        expected = fresh.search(state.array, depth=left, nodes=EVER, stop=NEVER).score
        assert searcher("tictactoe").search(state.array, depth=left, nodes=EVER, stop=NEVER).score == expected


# The behaviour of the search in numbers: a change that claims to change nothing must keep them.
SIGNATURE = {("netwerk", 4): 15420, ("tictactoe", 9): 8428}


@pytest.mark.parametrize(("name", "depth"), SIGNATURE)
def test_node_counts_are_repeatable(name, depth):
    counts = set()
    for _ in range(2):
        searcher(name).forget()
        counts.add(searcher(name).search(load(name).initial_array(), depth=depth, nodes=EVER, stop=NEVER).nodes)
    assert len(counts) == 1
    assert counts == {SIGNATURE[name, depth]}


def test_mate_distances_and_values():
    assert mate_distance(WIN - 3) == 3
    assert mate_distance(3 - WIN) == -3
    assert mate_distance(SCALE) is None
    assert value_of_score(WIN - 3) == 1
    assert value_of_score(5000) == 0.5


def test_unsuited_memory_is_refused():
    with pytest.raises(gamelab.GamelabError, match="memory"):
        Searcher(load("tictactoe"), 16)
