"""What users gave, as it stands in error messages: never long, never more than a line, never anything a terminal obeys."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core.errors import GamelabError, cut, quoted

REPEATABLE = settings(derandomize=True, deadline=None)
NASTY = "\x1b]0;title\x07\x1b[31m" + "x" * 10_000 + "\r\n\u202e"


@REPEATABLE
@given(st.text(st.characters()))
def test_what_is_shown_is_printable_and_short(text):
    for shown in (cut(text), quoted(text), quoted([text])):
        assert shown.isprintable()
        # An escape takes at most ten characters, \U0010ffff.
        assert len(shown) <= 10 * 60 + 2


@REPEATABLE
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_short_text_is_quoted_as_python_does(text):
    assert quoted(text) == repr(text)
    if text.isprintable():
        assert cut(text) == text


def test_long_text_keeps_both_ends():
    digits = "0123456789"
    assert cut("a" + digits * 10 + "z", most=15) == "a0123 ... 6789z"
    assert quoted("b" * 30 + "-" * 1000 + "e" * 30) == repr("b" * 27 + " ... " + "e" * 27)


class Silent:
    def __repr__(self):
        raise RuntimeError("says nothing")


def test_what_is_no_text_can_be_shown_too():
    assert [quoted(value) for value in (10**6000, Silent(), 2.5, None)] == ["<int>", "<Silent>", "2.5", "None"]


MANY = (
    lambda: gamelab.load(NASTY),
    lambda: gamelab.load("netwerk", crowding=NASTY),
    lambda: gamelab.load("netwerk", **{NASTY: 1}),
    lambda: gamelab.load("web", obstacles=NASTY),
    lambda: gamelab.make_agent(NASTY),
    lambda: gamelab.make_agent(f"mcts:{NASTY}"),
    lambda: gamelab.make_agent(f"mcts:{NASTY}=1"),
    lambda: gamelab.make_agent(f"{NASTY}.Bot"),
    lambda: gamelab.Tournament("tictactoe", ["random", "greedy"], games=NASTY, seed=1),
    lambda: gamelab.Tournament("tictactoe", NASTY, games=2, seed=1),
    lambda: gamelab.load("tictactoe").new_initial_state().apply_action(NASTY),
    lambda: gamelab.load("tictactoe").new_initial_state().belief(NASTY),
)


@pytest.mark.parametrize("call", MANY)
def test_errors_of_the_library_quote_so(call):
    with pytest.raises(GamelabError) as error:
        call()
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 600


@pytest.mark.parametrize("game", gamelab.game_names())
def test_errors_of_the_games_quote_so(game):
    state = gamelab.load(game).new_initial_state()
    for read in (state.string_to_action, state.game.state_from_text):
        with pytest.raises(GamelabError) as error:
            read(NASTY)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 600


def test_words_inside_a_position_are_quoted_so():
    text = "Green: S 0,0-1,1\nOrange: S 8,8-7,7\nGreen to move; moved {}".format("\x1b" + "9" * 1000)
    with pytest.raises(GamelabError) as error:
        gamelab.load("spiderwars").state_from_text(text)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300
