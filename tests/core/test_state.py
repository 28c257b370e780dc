"""`State` and `Game` handed what is no player, no action, no generator: errors of the library that say what is asked for."""

import re

import numpy as np
import pytest

import gamelab
from gamelab.core.errors import IllegalActionError, NotationError, ParameterError, PositionError

RNG = np.random.default_rng(1)
NO_NUMBERS = (None, "0", 0.0, True, [0], np.float64(0), np.zeros(2), {}, 10**6000)
PLAYER_CALLS = ("belief", "information_state_string", "to_svg")
ACTION_CALLS = ("apply_action", "child", "action_to_string")


def positions():
    """Where nothing is hidden, where cards are dealt, where chance can only be sampled, in play, and at the end."""
    kuhn, web = gamelab.load("kuhn"), gamelab.load("web")
    return [
        gamelab.load("tictactoe").new_initial_state(),
        kuhn.new_initial_state(),
        web.new_initial_state(),
        web.new_initial_state().child(3),
        kuhn.state_from_text("1 2 pp"),
    ]


@pytest.fixture(params=range(5))
def state(request):
    return positions()[request.param]


@pytest.mark.parametrize("call", [*PLAYER_CALLS, "resample_from_infostate"])
@pytest.mark.parametrize("player", [*NO_NUMBERS, -1, 2, 2**70], ids=lambda player: type(player).__name__)
def test_what_is_no_player(state, call, player):
    if call == "to_svg" and player is None:
        assert state.to_svg(None) == state.to_svg()
        return
    more = [RNG] if call == "resample_from_infostate" else []
    before = state.clone()
    with pytest.raises(ParameterError, match=rf"{state.game.name} has players 0 to 1, not .{{1,80}}$"):
        getattr(state, call)(player, *more)
    assert state == before


@pytest.mark.parametrize("call", ACTION_CALLS)
@pytest.mark.parametrize("action", [*NO_NUMBERS, -1, 2**40], ids=lambda action: type(action).__name__)
def test_what_is_no_action(state, call, action):
    before, played = state.clone(), state.history()
    with pytest.raises(IllegalActionError):
        getattr(state, call)(action)
    assert (state, state.history()) == (before, played)


@pytest.mark.parametrize("rng", [None, 1, np.random, np.random.RandomState(1), "rng"], ids=lambda rng: type(rng).__name__)
def test_what_is_no_generator(state, rng):
    asked = re.escape("rng is a generator, such as numpy.random.default_rng(1), not ")
    for call in (lambda: state.sample_chance(rng), lambda: state.resample_from_infostate(0, rng)):
        with pytest.raises(ParameterError, match=asked):
            call()


@pytest.mark.parametrize("plies", [*NO_NUMBERS, -1, 2], ids=lambda plies: type(plies).__name__)
def test_what_is_no_number_of_plies(plies):
    state = gamelab.load("tictactoe").state_from_actions([4])
    with pytest.raises(ParameterError, match="cannot take back .* of 1 actions"):
        state.before(plies)


@pytest.mark.parametrize("text", [None, 4, b"b2", ["b2"], float("nan")])
def test_what_is_no_text(state, text):
    with pytest.raises(NotationError):
        state.string_to_action(text)
    with pytest.raises(PositionError):
        state.game.state_from_text(text)


@pytest.mark.parametrize("actions", [4, None, "45", [4.0], [None]])
def test_what_are_no_actions(actions):
    with pytest.raises(IllegalActionError):
        gamelab.load("tictactoe").state_from_actions(actions)


def test_whole_numbers_of_numpy_are_numbers():
    state = gamelab.load("kuhn").state_from_actions(np.array([2, 3]))
    assert state.child(np.int8(1)) == state.child(1)
    assert state.belief(np.uint16(1)) == state.belief(1)
    assert state.before(np.int64(1)) == state.before()
    assert state.to_svg(np.int32(0)) == state.to_svg(0)
