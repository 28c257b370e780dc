"""Expectimax as an agent."""

import numpy as np
import pytest

import gamelab
from gamelab.testing import random_states
from tests.search.promising import promising
from tests.search.random_trees import RandomTree


def after(state, action, player, depth, width=None):
    """Plain expectimax of what follows."""

    def value(state, depth):
        if state.is_terminal() or depth == 0:
            return state.evaluate()[player]
        if state.is_chance_node():
            return sum(p * value(state.child(outcome), depth) for outcome, p in state.chance_outcomes())
        values = [value(state.child(action), depth - 1) for action in promising(state, width)]
        return max(values) if state.current_player() == player else min(values)

    return value(state.child(action), depth - 1)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("width", [None, 2])
def test_it_plays_and_scores_as_plain_expectimax(players, width):
    game = RandomTree(seed=8, depth=10, width=200, branching=4, chance=40, players=players)
    agent = gamelab.make_agent("expectimax:depth=3" + (f",width={width}" if width else ""))
    for state in random_states(game, 150, np.random.default_rng(1)):
        player = state.current_player()
        if player < 0:
            continue
        values = {action: after(state, action, player, 3, width) for action in promising(state, width)}
        analysis = agent.analyse(state, rng=1)
        assert analysis.scores == pytest.approx(values, abs=1e-12)
        assert analysis.value == pytest.approx(max(values.values()), abs=1e-12)
        assert values[analysis.action] == pytest.approx(max(values.values()), abs=1e-12)
        assert values[agent.choose(state, 1)] == pytest.approx(max(values.values()), abs=1e-12)


def test_it_beats_random_play_in_a_game_of_chance():
    rng, score = np.random.default_rng(3), 0.0
    agent = gamelab.make_agent("expectimax:depth=4")
    for number in range(120):
        state = RandomTree(seed=number, depth=12, width=100, branching=4, chance=25).new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = state.sample_chance(rng)
            elif state.current_player() == number % 2:
                action = agent.choose(state, rng)
            else:
                action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
        score += state.returns()[number % 2]
    # Between two random players the total has mean 0 and a standard deviation of less than the square root of 120.
    assert score > 3 * 11


def test_budgets_and_options():
    assert gamelab.make_agent("expectimax").settings["depth"] == 2
    assert gamelab.make_agent("expectimax").budget == "depth"
    assert gamelab.make_agent("expectimax:time=1").budget == "time"
    agent = gamelab.make_agent("expectimax:nodes=2000,star=1,samples=3")
    assert agent.budget == "nodes"
    state = RandomTree(seed=5, depth=30, width=10**6, branching=6, chance=30).new_initial_state()
    agent.warm_up(state.game)
    assert agent.choose(state, 1) in state.legal_actions()
    assert 1900 < agent.last_nodes <= 2000
    for spec in ("expectimax:star=3", "expectimax:samples=0", "expectimax:depth=101"):
        with pytest.raises(gamelab.GamelabError, match=r"star|samples|from 1 to 100"):
            gamelab.make_agent(spec)


def test_hidden_information_is_refused():
    game = RandomTree()
    game.hidden_information = True
    with pytest.raises(gamelab.GamelabError, match="expectimax: expectimax plays games without hidden information"):
        gamelab.make_agent("expectimax").choose(game.new_initial_state(), 1)
