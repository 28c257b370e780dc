"""Every game that can be loaded passes the public compliance suite, with each of its variants."""

import pytest

import gamelab
from gamelab.testing import check_game

VARIANTS = {"netwerk": [{}, {"crowding": "first"}, {"max_plies": 25}]}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [(name, parameters) for name in gamelab.game_names() for parameters in VARIANTS.get(name, [{}])],
)
def test_complies(name, parameters):
    check_game(name, **parameters)
