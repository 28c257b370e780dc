"""ISMCTS as an agent."""

import math
import time

import numpy as np
import pytest

import gamelab
from gamelab.core.errors import AgentError
from tests.search.hidden_trees import HiddenTree

GAME = HiddenTree(seed=11, seers=2, depth=9, width=1000)


def start():
    return GAME.new_initial_state().child(1)


@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_an_analysis_tells_what_was_found(observers):
    state = start()
    before = state.clone()
    agent = gamelab.make_agent(f"ismcts:sims=2000,observers={observers}")
    analysis = agent.analyse(state, rng=1)
    assert state == before
    assert analysis.nodes == agent.last_nodes == sum(analysis.visits.values()) == 2000
    assert list(analysis.visits) == list(analysis.scores) == state.legal_actions()
    assert analysis.visits[analysis.action] == max(analysis.visits.values())
    assert analysis.value == analysis.scores[analysis.action]
    assert analysis.principal_variation == [analysis.action]
    available = analysis.details["available"]
    # All are legal in all worlds, so all but the first few simulations could have chosen each.
    assert all(2000 - len(available) < times <= 2000 for times in available.values())
    assert 1 < analysis.details["information_sets"] <= 2000
    assert agent.choose(state, rng=1) == analysis.action
    assert agent.analyse(state, rng=1).visits == analysis.visits


def test_what_was_never_tried_has_no_score():
    analysis = gamelab.make_agent("ismcts:sims=1").analyse(start(), rng=1)
    assert sum(analysis.visits.values()) == len(analysis.scores) == 1
    assert len(analysis.visits) > 1


def test_it_cannot_tell_what_is_hidden():
    state = start()
    for spec in ("ismcts:sims=300", "ismcts:sims=300,observers=multiple"):
        seen = [gamelab.make_agent(spec).analyse(GAME.new_initial_state().child(world), rng=5) for world in range(4)]
        assert all(one.visits == seen[0].visits and one.scores == seen[0].scores for one in seen)
    assert state.current_player() == 0


def test_budgets():
    assert gamelab.make_agent("ismcts").settings["sims"] == 1000
    kinds = {"ismcts": "simulations", "ismcts:nodes=50": "nodes", "ismcts:time=1": "time"}
    assert {spec: gamelab.make_agent(spec).budget for spec in kinds} == kinds
    agent = gamelab.make_agent("ismcts:nodes=50")
    assert agent.analyse(start(), rng=1).details["information_sets"] <= 50
    assert gamelab.make_agent("ismcts:sims=70,nodes=50").analyse(start(), 1).nodes == 50
    timed = gamelab.make_agent("ismcts:time=0.1,memory=1")
    timed.warm_up(GAME)
    started = time.perf_counter()
    assert timed.analyse(start(), rng=1).nodes > 100
    assert 0.08 < time.perf_counter() - started < 10


def test_options_reach_the_search():
    plain = gamelab.make_agent("ismcts:sims=200").analyse(start(), 1).scores
    for option in ("c=5", "bias=2", "cutoff=1", "observers=multiple"):
        assert gamelab.make_agent(f"ismcts:sims=200,{option}").analyse(start(), 1).scores != plain
    state = gamelab.load("tictactoe").new_initial_state()
    scores = [gamelab.make_agent(f"ismcts:sims=200,decisive={how}").analyse(state, 1).scores for how in ("true", "false")]
    assert scores[0] != scores[1]


def test_too_little_memory_names_the_option():
    class Vast(type(gamelab.load("tictactoe"))):
        max_legal_actions = 10**6

    with pytest.raises(AgentError, match="ismcts:memory=1: memory: room for .* actions, tictactoe needs 1000000"):
        gamelab.make_agent("ismcts:memory=1").choose(Vast().new_initial_state(), rng=1)


def test_stopped_before_anything_was_done():
    agent = gamelab.make_agent("ismcts:sims=5")
    searcher = agent._searcher_for(start())
    agent._searcher_for = lambda state: searcher
    searcher.run = lambda simulations, rng, stop: simulations
    with pytest.raises(AgentError, match="stopped before its first simulation"):
        agent.choose(start(), rng=1)


def test_it_beats_random_play_in_the_dark():
    rng, score, games = np.random.default_rng(3), 0.0, 100
    agent = gamelab.make_agent("ismcts:sims=200")
    for number in range(games):
        game = HiddenTree(seed=number, depth=8, width=1000, branching=4, seers=number % 4, chance=15)
        state, seat = game.new_initial_state(), number // 4 % 2
        while not state.is_terminal():
            if state.is_chance_node():
                action = state.sample_chance(rng)
            elif state.current_player() == seat:
                action = agent.choose(state.resample_from_infostate(seat, rng), rng)
            else:
                action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
        score += state.returns()[seat]
    # The results of random play have a standard deviation of about 0.6.
    assert score > 3 * 0.6 * math.sqrt(games)
