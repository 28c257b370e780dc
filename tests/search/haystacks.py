"""A game of a thousand actions of which one is good: to check searches that do not look at all of them.

Player 0 takes an action, and wins with the good one and loses with every other. `plies` says how many more turns follow, of
either player and a thousand actions each, that change nothing. The priors rank all actions, in no order of their numbers, and
`place` says how far down the good one stands: 0 is first, 1000 means that no action is good.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.game import Game, Parameter
from gamelab.core.rules import TERMINAL, implements, state_dtype

ACTIONS = 1000
SPREAD = 387  # no divisor in common with ACTIONS

DTYPE = state_dtype(
    [
        (("rank of player 0's first action", "chosen"), np.int32),
        (("rank of the good action", "place"), np.int32),
        (("turns taken", "ply"), np.int16),
        (("turns in all", "plies"), np.int16),
    ],
    __file__,
)


@njit
def rank(action):
    return np.int64(action) * SPREAD % ACTIONS


@implements(rules.initial, DTYPE)
def initial(state):
    state["chosen"] = -1
    state["ply"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):
    return np.int64(TERMINAL) if state["ply"] == state["plies"] else np.int64(state["ply"]) % 2


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):
    if rules.current_player(state) == TERMINAL:
        return 0
    for action in range(ACTIONS):
        out[action] = action
    return ACTIONS


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):
    if state["ply"] == 0:
        state["chosen"] = rank(action)
    state["ply"] += 1


@implements(rules.returns, DTYPE)
def returns(state, out):
    out[0] = 0.0
    if rules.current_player(state) == TERMINAL:
        out[0] = 1.0 if state["chosen"] == state["place"] else -1.0
    out[1] = -out[0]


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):
    out[0] = out[1] = 0.0


@implements(rules.state_key, DTYPE)
def state_key(state):
    return np.uint64(state["chosen"] + 1) * np.uint64(1000) + np.uint64(state["ply"])


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):
    return -rank(action) / ACTIONS


class Haystack(Game):
    name = "haystack"
    title = "Haystack"
    dtype = DTYPE
    num_distinct_actions = ACTIONS
    max_legal_actions = ACTIONS
    parameter_specs = {  # noqa: RUF012
        "place": Parameter(0, "rank of the good action", low=0, high=ACTIONS),
        "plies": Parameter(1, "turns in all", low=1, high=100),
    }
    player_names = ("searcher", "other")
    rules_text = "One action is good."

    def write_parameters(self, state):
        for name, value in self.parameters.items():
            state[name] = value

    def action_to_string(self, state, action):
        return str(action)

    def string_to_action(self, state, text):
        return int(text)

    def write_text(self, state):
        return f"{state['chosen']} {state['ply']}"

    def read_text(self, text, state):
        state["chosen"], state["ply"] = map(int, text.split())

    def draw_text(self, state):
        return self.write_text(state)

    def draw_svg(self, state, *, player=None, last_action=None):
        return "<svg/>"

    def describe_end(self, state):
        return "the end"
