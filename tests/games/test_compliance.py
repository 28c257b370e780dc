"""Every game that can be loaded passes the public compliance suite, with each of its variants."""

import pytest

import gamelab
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


@pytest.mark.parametrize(
    ("name", "parameters"),
    [(name, parameters) for name in gamelab.game_names() for parameters in VARIANTS.get(name, [{}])],
)
def test_complies(name, parameters):
    check_game(name, **parameters)
