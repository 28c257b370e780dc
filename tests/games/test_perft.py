"""Perft counts of every game, from a data file."""

import tomllib
from pathlib import Path

import pytest

import gamelab
from gamelab.search.perft import divide, perft

CASES = [
    # With the game's compliance: only one worker compiles it.
    pytest.param(
        case, marks=pytest.mark.xdist_group(case["game"]), id=f"{case['game']}-{case['parameters']}-{'position' in case}"
    )
    for case in tomllib.loads((Path(__file__).parent / "data" / "perft.toml").read_text())["perft"]
]


@pytest.mark.parametrize("case", CASES)
def test_perft(case):
    game = gamelab.load(case["game"], **case["parameters"])
    state = game.state_from_text(case["position"]) if "position" in case else game.new_initial_state()
    assert [perft(state, depth + 1) for depth in range(len(case["counts"]))] == case["counts"]


def test_divide_adds_up():
    state = gamelab.load("netwerk").new_initial_state()
    split = divide(state, 3)
    assert set(split) == set(state.legal_actions())
    assert sum(split.values()) == perft(state, 3)


def test_depth_zero_and_nonsense():
    state = gamelab.load("tictactoe").new_initial_state()
    assert perft(state, 0) == 1
    for depth in (-1, 65, 1.0, True, "2"):
        with pytest.raises(gamelab.GamelabError, match="depth"):
            perft(state, depth)
