"""A game for one: three dice are rolled in turn, and each is kept, which adds to the score, or dropped."""

import numpy as np

from gamelab.core import rules
from gamelab.core.bits import mix
from gamelab.core.game import Game
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype

KEEP, DROP = 0, 1

DTYPE = state_dtype(
    [
        (("rolls to come, the one on the table included", "left"), np.uint8),
        (("the die on the table, 1 to 6, or 0", "die"), np.uint8),
        (("sum of the dice kept", "score"), np.uint8),
    ],
    __file__,
)


@implements(rules.initial, DTYPE)
def initial(state):
    state["left"] = 3
    state["die"] = 0
    state["score"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):
    if state["left"] == 0:
        return np.int64(TERMINAL)
    return np.int64(CHANCE) if state["die"] == 0 else np.int64(0)


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):
    if state["left"] == 0:
        return 0
    out[0] = KEEP
    out[1] = DROP
    return 2


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):
    if state["die"] == 0:
        state["die"] = action + 1
        return
    if action == KEEP:
        state["score"] += state["die"]
    state["die"] = 0
    state["left"] -= 1


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):
    for face in range(6):
        actions[face] = face
        probabilities[face] = 1 / 6
    return 6


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):
    return np.int64(rng.random() * 6)


@implements(rules.returns, DTYPE)
def returns(state, out):
    out[0] = np.float64(state["score"]) if state["left"] == 0 else 0.0


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):
    out[0] = np.float64(state["score"])


@implements(rules.state_key, DTYPE)
def state_key(state):
    return mix(np.uint64(state["left"]) << np.uint64(16) | np.uint64(state["die"]) << np.uint64(8) | np.uint64(state["score"]))


class Dice(Game):
    name = "dice"
    title = "Dice"
    dtype = DTYPE
    num_players = 1
    num_distinct_actions = 6
    max_legal_actions = 2
    max_chance_outcomes = 6
    chance_mode = "enumerated"
    player_names = ("you",)
    rules_text = "Keep or drop each of three dice."

    def action_to_string(self, state, action):
        return f"roll {action + 1}" if state["die"] == 0 else ("keep", "drop")[action]

    def string_to_action(self, state, text):
        return int(text[5:]) - 1 if text.startswith("roll ") else ("keep", "drop").index(text)

    def write_text(self, state):
        return f"{state['left']} {state['die']} {state['score']}"

    def read_text(self, text, state):
        state["left"], state["die"], state["score"] = map(int, text.split())

    def draw_text(self, state):
        return self.write_text(state)

    def draw_svg(self, state, *, player=None, last_action=None):
        return "<svg/>"

    def describe_end(self, state):
        return "all rolled"
