"""Random games are uniform, and equal the slow way of playing them."""

import numpy as np
import pytest

import gamelab
from gamelab.core import kernels
from gamelab.search.clock import stop_after
from gamelab.search.playout import playout_batch
from gamelab.testing import random_states


@pytest.mark.parametrize("name", ["tictactoe", "netwerk"])
def test_every_action_is_drawn_by_its_fraction(name):
    game = gamelab.load(name)
    buffer = game.action_buffer()
    for state in random_states(game, 60, np.random.default_rng(1)):
        actions = state.legal_actions()
        drawn = [kernels.random_action(state.array, buffer, (i + 0.5) / len(actions)) for i in range(len(actions))]
        assert drawn == actions


def test_tictactoe_results_are_those_of_uniform_play():
    game = gamelab.load("tictactoe")
    states, totals = np.concatenate([game.initial_array(), game.blank_array()]), np.zeros(2)
    count = 200_000
    playout_batch(states, count, game.action_buffer(), totals, np.random.default_rng(1))
    # x wins 0.5849 of uniformly random games and loses 0.2881 (exact, by enumeration).
    assert totals[0] / count == pytest.approx(0.58492 - 0.28810, abs=0.01)
    assert totals[0] == -totals[1]


def test_the_start_is_not_changed_and_seeds_repeat():
    game = gamelab.load("netwerk")
    results = []
    for _ in range(2):
        states, totals = np.concatenate([game.initial_array(), game.blank_array()]), np.zeros(2)
        plies = playout_batch(states, 500, game.action_buffer(), totals, np.random.default_rng(8))
        assert (states[:1] == game.initial_array()).all()
        results.append((plies, totals.tolist()))
    assert results[0] == results[1]


def test_the_clock_sets_its_flag():
    with stop_after(0.01) as stop:
        while stop[0] == 0:
            pass
    with stop_after(None) as stop:
        assert stop[0] == 0
