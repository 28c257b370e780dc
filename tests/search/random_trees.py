"""Random game trees: a game made of hashes, to check searches on what no real game has so much of.

Positions are cells of a table, `depth` plies by `width`; everything about one follows from the hash of its ply, its cell and
the game's seed: who is to act (players in no order, or chance), the number of actions, where each leads (many lead to the same
cell), whether the game ends here, and with what returns. So trees have transpositions, turns of several actions, early ends,
draws, and chance with unequal probabilities.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import mix
from gamelab.core.errors import NotationError, PositionError
from gamelab.core.game import Game, Parameter
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype

MAX_ACTIONS = 8
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

DTYPE = state_dtype(
    [
        (("seed of all hashes", "seed"), np.uint64),
        (("cell of this ply, 0 to width - 1", "cell"), np.uint32),
        (("plies played", "ply"), np.uint16),
        (("plies at most", "depth"), np.uint16),
        (("cells of a ply", "width"), np.uint32),
        (("1 to branching actions", "branching"), np.uint8),
        (("how many play", "players"), np.uint8),
        (("chance nodes, in percent", "chance"), np.uint8),
        (("1 if some states are not quiet", "noisy"), np.uint8),
    ],
    __file__,
)


@njit
def fact(state, what):
    """A hash of the position and of what is asked about it."""
    position = np.uint64(state["ply"]) << np.uint64(32) | np.uint64(state["cell"])
    return mix(mix(mix(state["seed"] + GOLDEN) ^ position) + np.uint64(what) * GOLDEN)


@njit
def modulo(number, n):
    return np.int64(number % np.uint64(n))


@implements(rules.initial, DTYPE)
def initial(state):
    state["ply"] = 0
    state["cell"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):
    if state["ply"] >= state["depth"] or (state["ply"] > 0 and modulo(fact(state, 0), 12) == 0):
        return np.int64(TERMINAL)
    if state["ply"] > 0 and modulo(fact(state, 1), 100) < state["chance"]:
        return np.int64(CHANCE)
    return modulo(fact(state, 2), state["players"])


@njit
def count_actions(state):
    return 1 + modulo(fact(state, 3), state["branching"])


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):
    if rules.current_player(state) == TERMINAL:
        return 0
    n = count_actions(state)
    for action in range(n):
        out[action] = action
    return n


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):
    cell = modulo(fact(state, 16 + action), state["width"])
    state["cell"] = cell
    state["ply"] += 1


@implements(rules.returns, DTYPE)
def returns(state, out):
    players = np.int64(state["players"])
    for player in range(players):
        out[player] = 0.0
    if rules.current_player(state) != TERMINAL:
        return
    kind = modulo(fact(state, 4), 10)
    if kind < 2:
        return
    if kind < 5 and players == 2:
        out[0] = (modulo(fact(state, 5), 19) - 9) / 10
        out[1] = -out[0]
        return
    winner = modulo(fact(state, 6), players)
    for player in range(players):
        out[player] = 1.0 if player == winner else -1.0 / (players - 1)


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):
    players = np.int64(state["players"])
    total = 0.0
    for player in range(players):
        out[player] = modulo(fact(state, 8 + player), 161) - 80
        total += out[player]
    for player in range(players):
        out[player] = (out[player] - total / players) / 200


@implements(rules.state_key, DTYPE)
def state_key(state):
    return fact(state, 7)


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):
    n = count_actions(state)
    for i in range(n):
        actions[i] = i
        probabilities[i] = (i + 1) / (n * (n + 1) / 2)
    return n


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):
    n = count_actions(state)
    u = rng.random() * (n * (n + 1) / 2)
    for i in range(n):
        u -= i + 1
        if u < 0:
            return i
    return n - 1


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):
    return modulo(fact(state, 32 + action), 100) / 100


@implements(rules.is_quiet, DTYPE)
def is_quiet(state):
    return state["noisy"] == 0 or modulo(fact(state, 15), 3) != 0


class RandomTree(Game):
    name = "randomtree"
    title = "Random tree"
    dtype = DTYPE
    num_distinct_actions = MAX_ACTIONS
    max_legal_actions = MAX_ACTIONS
    max_chance_outcomes = MAX_ACTIONS
    parameter_specs = {  # noqa: RUF012
        "seed": Parameter(1, "seed of all hashes"),
        "depth": Parameter(6, "plies at most", low=1, high=1000),
        "width": Parameter(50, "cells of a ply", low=1),
        "branching": Parameter(4, "actions at most", low=1, high=MAX_ACTIONS),
        "players": Parameter(2, "players", low=2, high=4),
        "chance": Parameter(0, "chance nodes, in percent", low=0, high=90),
        "noisy": Parameter(False, "whether some states are not quiet"),
    }
    rules_text = "Everything is decided by hashes."

    def __init__(self, /, **parameters):
        super().__init__(**parameters)
        self.num_players = self.parameters["players"]
        self.player_names = tuple("abcd"[: self.num_players])
        self.chance_mode = "enumerated" if self.parameters["chance"] else "deterministic"

    def write_parameters(self, state):
        for name, value in self.parameters.items():
            state[name] = value

    def action_to_string(self, state, action):
        return str(action)

    def string_to_action(self, state, text):
        if not text.isdigit() or int(text) >= MAX_ACTIONS:
            raise NotationError(f"{text!r} is no action")
        return int(text)

    def write_text(self, state):
        return f"{state['ply']} {state['cell']}"

    def read_text(self, text, state):
        try:
            state["ply"], state["cell"] = map(int, text.split())
        except ValueError:
            raise PositionError(f"{text!r} is not a ply and a cell") from None

    def draw_text(self, state):
        return self.write_text(state)

    def draw_svg(self, state, *, player=None, last_action=None):
        return "<svg/>"

    def describe_end(self, state):
        return "the end"
