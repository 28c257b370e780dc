"""A position that says something twice is none, in every game: a line, a part of one, a word."""

import re

import numpy as np
import pytest

import gamelab
from gamelab.core.errors import PositionError

GAMES = {
    "web": ("web", {}),
    "web with obstacles": ("web", {"obstacles": 4, "players": 3}),
    **{name: (name, {}) for name in ("connectfour", "hacktrick", "kreuzquer", "kuhn", "netwerk", "spiderwars", "tictactoe")},
}
WORD, PART, ALL_PARTS = r"(?<=[ \n])[^ \n;]+", r";[^;\n]*", r"(?<=: )[^;\n]+"


def random_position(game, rng):
    state = game.new_initial_state()
    for _ in range(int(rng.integers(3, 60))):
        if state.is_terminal():
            break
        state.apply_action(state.sample_chance(rng) if state.is_chance_node() else int(rng.choice(state.legal_actions())))
    return state


def said_twice(text):
    lines = text.split("\n")
    yield from ("\n".join(lines[: i + 1] + lines[i:]) for i in range(len(lines)))
    for pattern, between in ((WORD, " "), (PART, ""), (ALL_PARTS, "; ")):
        yield from (text[: found.end()] + between + found[0] + text[found.end() :] for found in re.finditer(pattern, text))


@pytest.mark.parametrize("which", GAMES)
def test_nothing_is_said_twice(which):
    name, parameters = GAMES[which]
    game, rng = gamelab.load(name, **parameters), np.random.default_rng(3)
    for _ in range(5):
        state = random_position(game, rng)
        for text in said_twice(state.to_text()):
            if name == "hacktrick":  # a record: the same action, or the same card, can come twice, and then it is another game
                try:
                    assert game.state_from_text(text) != state
                except PositionError:
                    continue
            else:
                with pytest.raises(PositionError):
                    game.state_from_text(text)
