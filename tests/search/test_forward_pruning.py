"""Selecting the most promising actions, against sorting them all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core.errors import ParameterError
from gamelab.search.forward_pruning import _list_actions_of, _select, actions_within, checked_width
from gamelab.testing import random_states
from tests.search.promising import promising
from tests.search.random_trees import RandomTree


@given(
    priors=st.lists(st.integers(-3, 3).map(lambda n: n / 2), min_size=2, max_size=200),
    data=st.data(),
    seed=st.integers(0, 1000),
)
@settings(max_examples=300, deadline=None)
def test_the_best_come_to_the_front_in_order(priors, data, seed):
    """Also among many equals, and wherever they stand."""
    width = data.draw(st.integers(1, len(priors) - 1))
    numbers = np.random.default_rng(seed).permutation(1000)[: len(priors)]
    ranked = sorted(zip(priors, numbers.tolist(), strict=True), key=lambda pair: (-pair[0], pair[1]))
    actions, values = numbers.astype(np.int32), np.array(priors)
    _select(actions, values, np.int64(width), np.int64(len(priors)))
    assert list(zip(values[:width].tolist(), actions[:width].tolist(), strict=True)) == ranked[:width]


@pytest.mark.parametrize("order", ["rising", "falling", "equal"])
def test_tens_of_thousands_of_actions(order):
    n, width = 60_000, 1000
    actions = np.arange(n, dtype=np.int32)
    priors = {"rising": np.arange(n), "falling": -np.arange(n), "equal": np.zeros(n)}[order].astype(float)
    _select(actions, priors, np.int64(width), np.int64(n))
    expected = np.arange(n)[::-1] if order == "rising" else np.arange(n)
    assert actions[:width].tolist() == expected[:width].tolist()


@pytest.mark.parametrize("name", ["netwerk", "spiderwars"])
def test_real_games(name):
    game, cut = gamelab.load(name), 0
    for state in random_states(game, 60, np.random.default_rng(1)):
        if state.current_player() >= 0:
            for width in (1, 7, 30, None):
                assert actions_within(game, state.array, width) == promising(state, width)
                cut += width is not None and len(state.legal_actions()) > width
    assert cut > 50


def test_actions_that_all_fit_stay_as_the_game_lists_them():
    for seed in range(50):
        state = RandomTree(seed=seed, branching=8).new_initial_state()
        legal = state.legal_actions()
        actions, priors = state.game.action_buffer(), np.zeros(8)
        assert _list_actions_of(state.array, actions, priors, np.int64(len(legal))) == (len(legal), len(legal))
        assert actions[: len(legal)].tolist() == legal


@pytest.mark.parametrize("width", [0, -1, 2.0, "3", True])
def test_widths_that_make_no_sense_are_refused(width):
    with pytest.raises(ParameterError, match="width: .* is not a whole number of at least 1"):
        checked_width(width, RandomTree())
