"""The solver as an agent."""

import numpy as np
import pytest

import gamelab
from gamelab.testing import random_states
from tests.search.random_trees import RandomTree


def value_of(state, player):
    """Exhaustive minimax."""
    if state.is_terminal():
        return state.returns()[player]
    values = [value_of(state.child(action), player) for action in state.legal_actions()]
    return max(values) if state.current_player() == player else min(values)


def test_it_never_loses_at_tictactoe():
    solver, chance = gamelab.make_agent("solver"), np.random.default_rng(1)
    results = []
    for number in range(30):
        state, seat = gamelab.load("tictactoe").new_initial_state(), number % 2
        solver.new_game()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(solver.choose(state, chance) if mine else int(chance.choice(state.legal_actions())))
        results.append(state.returns()[seat])
    assert min(results) == 0
    assert max(results) == 1


def test_it_plays_what_keeps_the_value():
    agent = gamelab.make_agent("solver:nodes=100000")
    statuses = set()
    for state in random_states(gamelab.load("tictactoe"), 300, np.random.default_rng(4)):
        if state.is_terminal() or len(state.history()) < 3:
            continue
        player = state.current_player()
        analysis = agent.analyse(state, rng=1)
        value = value_of(state, player)
        assert analysis.proven
        assert analysis.value == value
        assert value_of(state.child(analysis.action), player) == value
        assert value_of(state.child(agent.choose(state, 1)), player) == value
        assert analysis.details["status"] == {1: "win", 0: "draw", -1: "loss"}[value]
        assert analysis.details["proof_size"] > 0
        statuses.add(analysis.details["status"])
    assert statuses == {"win", "draw", "loss"}


def test_either_method_plays_what_keeps_the_value():
    agent = gamelab.make_agent("solver:nodes=100000,method=alphabeta,memory=1")
    values = set()
    for state in random_states(gamelab.load("tictactoe"), 120, np.random.default_rng(6)):
        if not state.is_terminal() and len(state.history()) > 2:
            analysis, value = agent.analyse(state, rng=1), value_of(state, state.current_player())
            assert (analysis.proven, analysis.value) == (True, value)
            assert value_of(state.child(agent.choose(state, 1)), state.current_player()) == value
            assert analysis.details["proof_size"] is None
            values.add(value)
    assert values == {1, 0, -1}
    agent = gamelab.make_agent("solver:nodes=100,method=alphabeta")
    assert not agent.analyse(gamelab.load("netwerk").new_initial_state(), 1).proven
    with pytest.raises(gamelab.GamelabError, match="method: 'guess' is not one of dfpn, alphabeta"):
        gamelab.make_agent("solver:method=guess")


def test_scores_at_the_ends_of_the_scale_are_true():
    """An action whose promise is 1 or -1 wins or loses, proven or not at the root."""
    ends = set()
    for nodes in (20, 200):
        agent = gamelab.make_agent(f"solver:nodes={nodes}")
        for seed in range(40):
            state = RandomTree(seed=seed, depth=7, width=50, branching=4).new_initial_state()
            for action, score in agent.analyse(state, rng=1).scores.items():
                assert -1 <= score <= 1
                if abs(score) == 1:
                    assert np.sign(value_of(state.child(action), state.current_player())) == score
                    ends.add(score)
    assert ends == {1.0, -1.0}


def test_without_a_proof_it_says_so():
    state = gamelab.load("netwerk").new_initial_state()
    analysis = gamelab.make_agent("solver:nodes=2000").analyse(state, rng=1)
    assert analysis.details == {"status": "not proven", "proof_size": None}
    assert not analysis.proven
    assert -1 < analysis.value < 1
    assert analysis.action in state.legal_actions()
    assert analysis.value == max(analysis.scores.values())


def test_budgets():
    assert gamelab.make_agent("solver").settings["nodes"] == 1_000_000
    assert gamelab.make_agent("solver").budget == "nodes"
    assert gamelab.make_agent("solver:time=0.05").budget == "time"
    state = gamelab.load("netwerk").new_initial_state()
    agent = gamelab.make_agent("solver:nodes=3000")
    agent.choose(state, 1)
    assert 3000 <= agent.last_nodes < 3100


@pytest.mark.parametrize("parameters", [{"players": 3}, {"chance": 20}])
def test_other_games_are_refused(parameters):
    state = RandomTree(**parameters).new_initial_state()
    for call in (gamelab.make_agent("solver").choose, gamelab.make_agent("solver").analyse):
        with pytest.raises(gamelab.GamelabError, match="solver takes games for two without chance or hidden information"):
            call(state, 1)
    with pytest.raises(gamelab.GamelabError, match="randomtree"):
        gamelab.make_agent("solver").warm_up(state.game)
