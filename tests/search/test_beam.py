"""Beam search against exhaustive search, and against what its lines come to when they are played."""

import functools

import numpy as np
import pytest

import gamelab
from gamelab.core.errors import IllegalActionError, ParameterError
from gamelab.core.game import Parameter
from gamelab.search.beam import beam_search
from tests.search.random_trees import RandomTree


class Alone(RandomTree):
    parameter_specs = {**RandomTree.parameter_specs, "players": Parameter(1, "players", low=1, high=1)}  # noqa: RUF012


@functools.cache
def kreuzquer(**parameters):
    return gamelab.load("kreuzquer", players=1, **parameters)


def exhaustive(state, outcomes):
    """The best return by plain recursion, and how many states the player's actions lead to, each way counted."""
    if state.is_terminal():
        return state.returns()[0], 0
    if state.is_chance_node():
        return exhaustive(state.child(outcomes[0]), outcomes[1:])
    found = [exhaustive(state.child(action), outcomes) for action in state.legal_actions()]
    return max(value for value, _ in found), sum(1 + nodes for _, nodes in found)


def search(state, outcomes, width):
    """A beam search whose line is played to its end."""
    found = beam_search(state.game, state.array, outcomes, width=width)
    end, played = state.clone(), iter(found.actions)
    coming = iter(outcomes)
    while not end.is_terminal():
        chance = end.is_chance_node()
        action = next(played)
        assert not chance or action == next(coming)
        end.apply_action(action)
    assert next(played, None) is None
    assert end.returns()[0] == found.value
    return found


def late(seed, rounds_left, *, drawn):
    """A random game's state with so many rounds to come, before or after the draw, and what is drawn from there on."""
    rng = np.random.default_rng(seed)
    state, outcomes, mark = kreuzquer().new_initial_state(), [], None
    while not state.is_terminal():
        chance = state.is_chance_node()
        if len(outcomes) == 24 - rounds_left + drawn and chance != drawn and mark is None:
            mark = state.clone(), len(outcomes)
        if chance:
            outcomes.append(state.sample_chance(rng))
            state.apply_action(outcomes[-1])
        else:
            actions = state.legal_actions()
            up = [action for action in actions if not state.action_to_string(action).endswith(" x")]
            state.apply_action(int(rng.choice(up if up and rng.random() < 0.9 else actions)))
    return mark[0], outcomes[mark[1] :]


@pytest.mark.parametrize("drawn", [False, True])
def test_last_rounds_exactly(drawn):
    dropped = 0
    for seed in range(8):
        state, outcomes = late(seed, 4, drawn=drawn)
        best, nodes = exhaustive(state, outcomes)
        wide = search(state, outcomes, 5000)
        assert wide.exact
        assert wide.value == best
        # Tiles face down in another order are the same state, which is kept once.
        assert wide.nodes < nodes
        for width in (1, 3, 20):
            narrow = search(state, outcomes, width)
            assert narrow.value <= best
            assert not narrow.exact or narrow.value == best
            assert narrow.nodes <= wide.nodes
            dropped += not narrow.exact
    assert dropped > 8


def test_random_trees_exactly():
    """Lines of many lengths, with chance now and then, and at the end of some."""
    values, dropped = [], 0
    for seed in range(60):
        state = Alone(seed=seed, depth=5, width=20, branching=2, chance=50).new_initial_state()
        outcomes = [0] * 5  # always possible
        best, _ = exhaustive(state, outcomes)
        wide = search(state, outcomes, 1000)
        assert (wide.value, wide.exact) == (best, True)
        narrow = search(state, outcomes, 1)
        assert narrow.value == best if narrow.exact else narrow.value <= best
        dropped += not narrow.exact
        values.append(best)
    assert set(values) == {0, 1}
    assert dropped > 10


def test_without_chance():
    for seed in range(20):
        state = Alone(seed=seed, depth=6, width=50, branching=4).new_initial_state()
        assert search(state, [], 1000).value == exhaustive(state, [])[0]


def test_wider_is_better_on_average_and_whole_games_end():
    game, rng = kreuzquer(), np.random.default_rng(5)
    means = []
    luck = [late(seed, 24, drawn=False)[1] for seed in rng.integers(10**6, size=6)]
    for width in (1, 10, 100):
        found = [search(game.new_initial_state(), outcomes, width) for outcomes in luck]
        assert all(len(line.actions) == 48 and not line.exact for line in found)
        means.append(np.mean([line.value for line in found]))
    assert -20 < means[0] < means[1] < means[2] <= 0


def test_the_same_again():
    state, outcomes = late(3, 24, drawn=False)
    assert search(state, outcomes, 50) == search(state, outcomes, 50)


def test_the_end_and_outcomes_to_spare():
    state, outcomes = late(1, 1, drawn=True)
    end = state.child(state.legal_actions()[0])
    found = beam_search(end.game, end.array, [], width=1)
    assert (found.value, found.actions, found.exact, found.nodes) == (end.returns()[0], [], True, 0)
    before = state.array.copy()
    assert search(state, [*outcomes, 0, 0], 9).value == exhaustive(state, outcomes)[0]
    assert np.array_equal(state.array, before)


def test_nonsense():
    game = kreuzquer()
    array = game.initial_array()
    _, outcomes = late(0, 24, drawn=False)
    for width in (0, -1, True, 2.0, "3"):
        with pytest.raises(ParameterError, match="width"):
            beam_search(game, array, outcomes, width=width)
    for width in (10**13, 10**30):
        with pytest.raises(ParameterError, match="width: there is not memory enough"):
            beam_search(game, array, outcomes, width=width)
    with pytest.raises(ParameterError, match="23 outcomes of chance are too few"):
        beam_search(game, array, outcomes[:-1], width=2)
    # No kind is there three times.
    with pytest.raises(IllegalActionError, match="cannot come in this order"):
        beam_search(game, array, outcomes[:1] * 3 + outcomes, width=2)
    for name in ("tictactoe", "kuhn", "kreuzquer"):
        other = gamelab.load(name)
        with pytest.raises(ParameterError, match="not a game for one player"):
            beam_search(other, other.initial_array(), [], width=2)
