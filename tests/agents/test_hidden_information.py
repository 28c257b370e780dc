"""No agent's choice depends on what is hidden from it, however the hidden cards lie."""

import numpy as np
import pytest

import gamelab
from gamelab.arena.match import _ask
from gamelab.testing import random_states

AGENTS = ["random", "greedy", "mcts:sims=50"]
# These make their own guesses at what is hidden: even shown the truth, they do not look at it.
GUESSERS = [
    "ismcts:sims=50",
    "ismcts:sims=50,observers=multiple",
    "rollout:sims=40,policy=prior",
    "pimc:worlds=3,depth=1",
    "pimc:worlds=3,search=mcts,sims=20",
]
GAMES = [("kuhn", {}), ("kuhn", {"players": 4}), ("hacktrick", {}), ("hacktrick", {"match": True, "starter": 1})]
STATES = {"kuhn": 20, "hacktrick": 16}


def decisions(name, parameters):
    """States along random games in which a player is to act."""
    game = gamelab.load(name, **parameters)
    rng = np.random.default_rng(1)
    states = [state for state in random_states(game, 6 * STATES[name], rng) if state.current_player() >= 0]
    return [state for state in states if len(state.legal_actions()) > 1][: STATES[name]]


def permuted(state, number):
    """States that the player to act cannot tell from this one, and that are others."""
    player = state.current_player()
    others = [state.resample_from_infostate(player, np.random.default_rng([number, i])) for i in range(4)]
    return [other for other in others if other != state]


def asked(agent, state, seed):
    """What the agent plays when the arena asks it."""
    agent.new_game()
    return _ask(agent, agent.spec, state, np.random.default_rng(seed), None)


def chosen(agent, state, seed):
    """What the agent plays when it is handed the state itself."""
    agent.new_game()
    return agent.choose(state, np.random.default_rng(seed))


def disagreements(choose, spec, name, parameters):
    """How often another order of the hidden cards changed the choice, of how many comparisons."""
    agent, differ, compared = gamelab.make_agent(spec), 0, 0
    for number, state in enumerate(decisions(name, parameters)):
        expected = choose(agent, state, number)
        others = permuted(state, number)
        differ += sum(choose(agent, other, number) != expected for other in others)
        compared += len(others)
    assert compared > STATES[name]
    return differ


@pytest.mark.parametrize(("name", "parameters"), GAMES)
@pytest.mark.parametrize("spec", AGENTS + GUESSERS)
def test_the_arena_shows_no_agent_what_is_hidden(spec, name, parameters):
    assert disagreements(asked, spec, name, parameters) == 0


@pytest.mark.parametrize(("name", "parameters"), GAMES)
@pytest.mark.parametrize("spec", GUESSERS)
def test_agents_that_guess_do_not_look_at_what_they_are_handed(spec, name, parameters):
    assert disagreements(chosen, spec, name, parameters) == 0


@pytest.mark.parametrize("name", STATES)
def test_an_agent_that_believes_what_it_sees_would_be_found_out(name):
    """The comparison above tells: handed the state itself, this search plays by the other's cards."""
    assert disagreements(chosen, "mcts:sims=50", name, {}) > 5


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_equal_knowledge_and_equal_randomness_make_the_same_guess(name, parameters):
    """What is sampled depends on what the player knows alone."""
    for number, state in enumerate(decisions(name, parameters)):
        for player in range(state.game.num_players):
            other = state.resample_from_infostate(player, np.random.default_rng(number))
            guesses = [s.resample_from_infostate(player, np.random.default_rng([number, 1])) for s in (state, other)]
            assert guesses[0] == guesses[1]
            assert not guesses[0].history()
