"""The depth-first search for the outcome against exhaustive minimax."""

import numpy as np
import pytest

import gamelab
from gamelab.core.rules import NO_ACTION
from gamelab.search import outcome
from gamelab.search.outcome import Question, new_table
from gamelab.search.solver import Solver, solve
from gamelab.testing import random_states
from tests.search.random_trees import RandomTree
from tests.search.test_solver import SHAPES, true_value

NEVER = np.zeros(1, np.uint8)
TWO_ENTRIES = 32


def check(state, proof, expected):
    """The value, and that the action keeps it."""
    assert proof.value == expected
    child = state.child(proof.action)
    value = np.sign(child.returns()[state.current_player()])
    if not child.is_terminal():
        value = true_value(child) * (1 if child.current_player() == state.current_player() else -1)
    assert value == expected
    assert proof.proof_size is None
    assert proof.strategies == ()


@pytest.mark.parametrize("memory", [1 << 18, TWO_ENTRIES, 8 * TWO_ENTRIES])
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_minimax_on_random_trees(shape, memory):
    found = {1: 0, 0: 0, -1: 0}
    for seed in range(40):
        state = RandomTree(seed=seed, **shape).new_initial_state()
        expected = true_value(state)
        check(state, solve(state, nodes=10**7, memory=memory, method="alphabeta"), expected)
        found[expected] += 1
    assert min(found[1], found[-1]) > 0


def test_what_was_found_before_changes_no_value():
    game = RandomTree(seed=3, depth=9, width=12, branching=4)
    solver, rng = Solver(game, 1 << 12, "alphabeta"), np.random.default_rng(1)
    for state in random_states(game, 300, rng):
        if not state.is_terminal():
            check(state, solver.solve(state.array, nodes=10**6, stop=NEVER), true_value(state))


@pytest.mark.parametrize(("game", "plies"), [({"columns": 4, "rows": 4}, 10), ({"columns": 5, "rows": 3, "connect": 3}, 8)])
def test_connect_four_positions_with_what_the_game_leaves_out_and_mirrors(game, plies):
    game, values = gamelab.load("connectfour", **game), {}
    solver, seen = Solver(game, 1 << 16, "alphabeta"), set()
    states = [state for state in random_states(game, 900, np.random.default_rng(2)) if len(state.history()) >= plies]
    for state in states[:60]:
        if not state.is_terminal():
            proof = solver.solve(state.array, nodes=10**6, stop=NEVER)
            assert proof.value == true_value(state, values)
            seen.add(proof.value)
            # A promise at an end of the scale is proven.
            for action, promise in proof.promises.items():
                if abs(promise) == 1:
                    child = state.child(action)
                    value = np.sign(child.returns()[state.current_player()])
                    assert promise == (value if child.is_terminal() else -true_value(child, values))
    assert len(seen) >= 2


def ask(state, nodes, memory=1 << 16, strict=True):
    """A question asked in portions: the answer, the number of positions, and the portions."""
    question, portions = Question(state.game, new_table(memory)), 1
    question.ask(state.array, 0, strict)
    while question.search(nodes, NEVER):
        portions += 1
    return question.answer, question.nodes, portions


def test_a_paused_search_goes_on_as_if_it_had_not_been():
    state = gamelab.load("connectfour", columns=4, rows=4).new_initial_state()
    answer, nodes, _ = ask(state, 10**9)
    again, same, portions = ask(state, 7)
    assert (again, same) == (answer, nodes)
    assert portions == -(-nodes // 7)


def test_the_stack_grows_in_mid_search(monkeypatch):
    states = [RandomTree(seed=seed, depth=30, width=6, branching=3).new_initial_state() for seed in range(30)]
    expected = [ask(state, 10**9)[:2] for state in states]
    monkeypatch.setattr(outcome, "FIRST_ROWS", 2)
    assert [ask(state, 10**9)[:2] for state in states] == expected


def test_a_line_too_long_for_the_stack_is_not_claimed(monkeypatch):
    monkeypatch.setattr(outcome, "FIRST_ROWS", 4)
    monkeypatch.setattr(outcome, "MOST_ROWS", 4)
    values = []
    for seed in range(60):
        state = RandomTree(seed=seed, depth=9, width=30, branching=3).new_initial_state()
        values.append(solve(state, memory=1 << 16, method="alphabeta").value)
        assert values[-1] in (None, true_value(state))
    assert {None, 1, -1} <= set(values)


def test_less_than_enough_is_never_a_claim():
    proven = []
    states = [RandomTree(seed=seed, depth=8, width=200, branching=4).new_initial_state() for seed in range(60)]
    values = [true_value(state) for state in states]
    for nodes in (1, 10, 40, 160, 640, 10**6):
        proofs = [solve(state, nodes=nodes, memory=1 << 20, method="alphabeta") for state in states]
        for state, value, proof in zip(states, values, proofs, strict=True):
            assert proof.value in (None, value)
            assert proof.action in state.legal_actions()
            assert proof.nodes <= nodes
        proven.append(sum(proof.proven for proof in proofs))
    assert proven == sorted(proven)
    assert proven[0] < 30
    assert proven[-1] == 60


def test_a_stopped_search_claims_nothing():
    state = gamelab.load("connectfour").new_initial_state()
    proof = Solver(state.game, 1 << 16, "alphabeta").solve(state.array, nodes=10**12, stop=np.ones(1, np.uint8))
    assert proof.value is None
    assert proof.action in state.legal_actions()


def test_both_questions_share_what_they_find():
    """Once both are answered all is known, whoever asks."""
    state = gamelab.load("connectfour", columns=5, rows=4).new_initial_state()
    table, nodes = new_table(1 << 24), []
    for strict, expected in ((True, False), (False, True)):
        question = Question(state.game, table)
        question.ask(state.array, 0, strict)
        question.search(10**9, NEVER)
        assert question.answer == expected
        nodes.append(question.nodes)
    for attacker, strict, expected in ((1, False, True), (1, True, False), (0, True, False)):
        question = Question(state.game, table)
        question.ask(state.array, attacker, strict)
        question.search(10**9, NEVER)
        assert question.answer == expected
        assert question.nodes < 100 < min(nodes)
        assert (question.deciding_action() == NO_ACTION) == (expected == (attacker == 1))


# The behaviour of the search in numbers: a change that claims to change nothing must keep them.
def test_node_counts_are_repeatable():
    state = gamelab.load("connectfour", columns=5, rows=4).new_initial_state()
    assert [ask(state, 10**9, 1 << 20, strict=strict)[:2] for strict in (True, False)] == [(False, 11969), (True, 29563)]


def test_what_cannot_be_is_refused():
    state = gamelab.load("tictactoe").new_initial_state()
    with pytest.raises(gamelab.GamelabError, match="31 bytes is less than a table of 2 entries takes .32 bytes."):
        solve(state, memory=TWO_ENTRIES - 1, method="alphabeta")
    with pytest.raises(gamelab.GamelabError, match="method: 'guess' is not one of dfpn, alphabeta"):
        solve(state, method="guess")
