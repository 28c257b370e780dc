"""Every game that can be loaded passes the public compliance suite, with each of its variants."""

import math

import numpy as np
import pytest

import gamelab
from gamelab.core import kernels
from gamelab.games.kreuzquer.game import KreuzQuer
from gamelab.games.tictactoe import TicTacToe
from gamelab.testing import check_game

VARIANTS = {
    "connectfour": [
        {},
        {"rows": 5, "columns": 5},
        {"rows": 4, "columns": 12},
        {"rows": 7, "columns": 8, "connect": 5},
        {"rows": 3, "columns": 3, "connect": 3},
        {"rows": 1, "columns": 26},
        {"rows": 63, "columns": 1},
    ],
    "hacktrick": [{}, {"match": True}, {"starter": 1}],
    "kreuzquer": [{}, {"players": 1, "matching": "own"}, {"players": 3, "board_of_seat": "DDA"}, {"players": 4}],
    "kuhn": [{}, {"players": 3}, {"players": 10}],
    "netwerk": [{}, {"crowding": "first"}, {"max_plies": 25}],
    "spiderwars": [{}, {"web": "mini"}, {"first": "orange", "max_turns": 30}, {"web": "mini", "max_turns": 1}],
    "web": [
        {"games": 4},
        {"games": 3, "players": 3, "obstacles": 40, "table": 15},
        {"games": 3, "players": 4, "lone_player": "plays_on", "obstacles": "19,20 22,20 24,18"},
    ],
}


# A game's variants go to one worker, so that only one compiles the game.
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        pytest.param(name, parameters, marks=pytest.mark.xdist_group(name))
        for name in gamelab.game_names()
        for parameters in VARIANTS.get(name, [{}])
    ],
)
def test_complies(name, parameters):
    check_game(name, **parameters)


@pytest.mark.parametrize(
    ("scores", "complaint"),
    [
        ((1.0, 0.0), "do not fit scores"),  # whoever wins
        ((0.0, 0.0), "do not fit scores"),
        ((1.0,), "tictactoe: Game.scores must be a tuple with a finite number for each player, not "),
        ((math.inf, 0.0), "Game.scores must be"),
        ("10", "Game.scores must be a tuple .*, not '10'"),
        ((None, 0), "Game.scores must be"),
        (3, "Game.scores must be"),
    ],
)
def test_scores_that_contradict_the_returns_are_found(monkeypatch, scores, complaint):
    monkeypatch.setattr(TicTacToe, "scores", lambda self, state: scores)
    with pytest.raises(AssertionError, match=complaint):
        check_game("tictactoe", games=8)


def test_scores_that_say_more_than_the_returns_are_right(monkeypatch):
    worth = {(1.0, -1.0): (9.0, 2.0), (-1.0, 1.0): (-3.0, 0.0), (0.0, 0.0): (1.0, 1.0)}

    def scores(self, record):
        out = np.zeros(2)
        kernels.returns(np.array([record]), out)
        return worth[tuple(out)]

    monkeypatch.setattr(TicTacToe, "scores", scores)
    check_game("tictactoe", games=8)


def test_alone_the_score_is_the_return(monkeypatch):
    monkeypatch.setattr(KreuzQuer, "scores", lambda self, state: (1.0,))
    with pytest.raises(AssertionError, match="alone the return is the score"):
        check_game("kreuzquer", games=1, players=1)
