"""Random games with hidden information, and the smallest one in which guessing what is hidden goes wrong.

`HiddenTree` is a random tree (see `random_trees`) in which chance first draws one of a few worlds. Positions and moves are seen
by all, the world only by the seers; returns depend on it, and so do the actions that a seer may choose. What everybody can
infer is the set of worlds still possible: a seer's action rules out those in which it would be illegal, and some actions
reveal something by themselves. Worlds have unequal probabilities, in proportion to 1, 2, 3, ...

`Guess` is for one who acts: take a sure 0.2, or go on and name which of two worlds it is, for 1 or -1. Who knew the world would
go on; who does not should take what is sure.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import mix
from gamelab.core.errors import PositionError
from gamelab.core.game import Parameter
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype
from tests.search import random_trees
from tests.search.random_trees import RandomTree, count_actions, fact, modulo

MAX_WORLDS = 8
UNDEALT = -1

DTYPE = state_dtype(
    [
        (("seed of all hashes", "seed"), np.uint64),
        (("cell of this ply, 0 to width - 1", "cell"), np.uint32),
        (("plies played, the draw of the world not counted", "ply"), np.uint16),
        (("plies at most", "depth"), np.uint16),
        (("cells of a ply", "width"), np.uint32),
        (("1 to branching actions", "branching"), np.uint8),
        (("how many play", "players"), np.uint8),
        (("chance nodes, in percent", "chance"), np.uint8),
        (("actions that reveal something, in percent", "reveal"), np.uint8),
        (("number of worlds", "worlds"), np.uint8),
        (("players who see the world, a bit each", "seers"), np.uint8),
        (("1 if a seer's actions depend on the world", "restricted"), np.uint8),
        (("worlds possible to who does not see it, a bit each", "possible"), np.uint8),
        (("the world, or UNDEALT", "world"), np.int8),
    ],
    __file__,
)


@njit
def sees(state, player):
    return np.int64(state["seers"]) >> np.int64(player) & 1 == 1


@implements(rules.initial, DTYPE)
def initial(state):
    state["ply"] = 0
    state["cell"] = 0
    state["world"] = UNDEALT
    state["possible"] = (1 << np.int64(state["worlds"])) - 1


@implements(rules.current_player, DTYPE)
def current_player(state):
    if state["world"] == UNDEALT:
        return np.int64(CHANCE)
    if state["ply"] >= state["depth"] or (state["ply"] > 0 and modulo(fact(state, 0), 12) == 0):
        return np.int64(TERMINAL)
    if state["ply"] > 0 and modulo(fact(state, 1), 100) < state["chance"]:
        return np.int64(CHANCE)
    return modulo(fact(state, 2), state["players"])


@njit
def allows(state, world, action):
    """Whether a seer may choose an action in a world: one is legal in all, each other in about half of them."""
    if state["restricted"] == 0 or action == modulo(fact(state, 9), count_actions(state)):
        return True
    return np.int64(fact(state, 40 + action) >> np.uint64(world)) & 1 == 1


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):
    player = rules.current_player(state)
    if player == TERMINAL:
        return 0
    n = 0
    for action in range(count_actions(state)):
        if not sees(state, player) or allows(state, state["world"], action):
            out[n] = action
            n += 1
    return n


@njit
def alike(state, action, world):
    """Whether an action looks the same in a world as in the true one."""
    player = rules.current_player(state)
    if player >= 0 and sees(state, player) and not allows(state, world, action):
        return False
    if modulo(fact(state, 48 + action), 100) >= np.int64(state["reveal"]):
        return True
    signs = fact(state, 56 + action)
    return (signs >> np.uint64(world)) & np.uint64(1) == (signs >> np.uint64(state["world"])) & np.uint64(1)


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):
    if state["world"] == UNDEALT:
        state["world"] = action
        return
    possible = 0
    for world in range(np.int64(state["worlds"])):
        if np.int64(state["possible"]) >> world & 1 == 1 and alike(state, action, world):
            possible |= 1 << world
    state["possible"] = possible
    state["cell"] = modulo(fact(state, 16 + action), state["width"])
    state["ply"] += 1


@implements(rules.returns, DTYPE)
def returns(state, out):
    players = np.int64(state["players"])
    for player in range(players):
        out[player] = 0.0
    if rules.current_player(state) != TERMINAL:
        return
    luck = mix(fact(state, 5) + np.uint64(state["world"]))
    if players <= 2:
        out[0] = (modulo(luck, 21) - 10) / 10
        if players == 2:
            out[1] = -out[0]
        return
    for player in range(players):
        out[player] = 1.0 if player == modulo(luck, players) else -1.0 / (players - 1)


implements(rules.evaluate, DTYPE)(random_trees.evaluate)


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):
    n = np.int64(state["worlds"]) if state["world"] == UNDEALT else count_actions(state)
    for i in range(n):
        actions[i] = i
        probabilities[i] = (i + 1) / (n * (n + 1) / 2)
    return n


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):
    n = np.int64(state["worlds"]) if state["world"] == UNDEALT else count_actions(state)
    u = rng.random() * (n * (n + 1) / 2)
    for i in range(n):
        u -= i + 1
        if u < 0:
            return i
    return n - 1


@implements(rules.state_key, DTYPE)
def state_key(state):
    return mix(fact(state, 7) + np.uint64(state["possible"]) * np.uint64(64) + np.uint64(state["world"] + 1))


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):
    """Not the same in all worlds, and often the same for several actions."""
    return modulo(fact(state, 64 + 8 * np.int64(state["world"]) + action), 4)


@implements(rules.information_key, DTYPE)
def information_key(state, player):
    known = np.int64(state["world"]) + 1 if state["world"] == UNDEALT or sees(state, player) else MAX_WORLDS + 1
    return mix(fact(state, 7) + np.uint64(state["possible"]) * np.uint64(64) + np.uint64(known))


@njit
def total_weight(state):
    total = 0.0
    for world in range(np.int64(state["worlds"])):
        if np.int64(state["possible"]) >> world & 1 == 1:
            total += world + 1
    return total


@njit
def draw_world(state, player, total, rng):
    if state["world"] == UNDEALT or sees(state, player):
        return
    u = rng.random() * total
    last = -1
    for world in range(np.int64(state["worlds"])):
        if np.int64(state["possible"]) >> world & 1 == 1 and (last < 0 or u >= 0):
            u -= world + 1
            last = world
    state["world"] = last


@implements(rules.resample, DTYPE)
def resample(state, player, rng):
    draw_world(state, player, total_weight(state), rng)


@implements(rules.prepare_belief, DTYPE)
def prepare_belief(state, player, belief):
    belief[0] = total_weight(state)


@implements(rules.resample_given, DTYPE)
def resample_given(state, player, belief, rng):
    draw_world(state, player, belief[0], rng)


class HiddenTree(RandomTree):
    name = "hiddentree"
    title = "Hidden tree"
    dtype = DTYPE
    hidden_information = True
    belief_size = 1
    parameter_specs = {  # noqa: RUF012
        **{name: RandomTree.parameter_specs[name] for name in ("seed", "depth", "width", "branching", "chance")},
        "players": Parameter(2, "players", low=1, high=4),
        "reveal": Parameter(20, "actions that reveal something, in percent", low=0, high=100),
        "worlds": Parameter(4, "number of worlds", low=1, high=MAX_WORLDS),
        "seers": Parameter(0, "players who see the world, a bit each", low=0, high=15),
        "restricted": Parameter(True, "whether a seer's actions depend on the world"),
    }

    def __init__(self, /, **parameters):
        parameters = {name: spec.default for name, spec in self.parameter_specs.items()} | parameters
        super(RandomTree, self).__init__(**parameters)
        self.num_players = self.parameters["players"]
        self.player_names = tuple("abcd"[: self.num_players])
        self.chance_mode = "enumerated"

    def write_text(self, state):
        return f"{state['ply']} {state['cell']} {state['possible']} {state['world']}"

    def read_text(self, text, state):
        try:
            state["ply"], state["cell"], state["possible"], state["world"] = map(int, text.split())
        except ValueError:
            raise PositionError(f"{text!r} is not four numbers") from None

    def write_information(self, state, player):
        known = state["world"] if state["world"] == UNDEALT or sees(state, player) else "?"
        return f"{state['ply']} {state['cell']} {state['possible']} {known}"


# --- the guess --------------------------------------------------------------------------------------------------------

GUESS = state_dtype(
    [
        (("the world, 0 or 1, or UNDEALT", "world"), np.int8),
        (("actions played", "ply"), np.uint8),
        (("what was done first: 0 take what is sure, 1 go on", "first"), np.uint8),
        (("the guess", "guess"), np.uint8),
    ],
    __file__,
)
SURE = 0.2


@implements(rules.initial, GUESS)
def start(state):
    state["world"] = UNDEALT
    state["ply"] = 0
    state["first"] = 0
    state["guess"] = 0


@implements(rules.current_player, GUESS)
def who_acts(state):
    if state["world"] == UNDEALT:
        return np.int64(CHANCE)
    return np.int64(TERMINAL if state["ply"] == 2 or (state["ply"] == 1 and state["first"] == 0) else 0)


@implements(rules.legal_actions, GUESS)
def two_actions(state, out):
    if rules.current_player(state) == TERMINAL:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@implements(rules.apply_action, GUESS)
def act(state, action):
    if state["world"] == UNDEALT:
        state["world"] = action
        return
    if state["ply"] == 0:
        state["first"] = action
    else:
        state["guess"] = action
    state["ply"] += 1


@implements(rules.returns, GUESS)
def payoff(state, out):
    out[0] = 0.0
    if rules.current_player(state) == TERMINAL:
        out[0] = SURE if state["first"] == 0 else 1.0 if state["guess"] == state["world"] else -1.0
    out[1] = -out[0]


@implements(rules.evaluate, GUESS)
def no_idea(state, out):
    out[0] = 0.0
    out[1] = 0.0


@njit
def history_code(state):
    return np.uint64(state["ply"]) * np.uint64(4) + np.uint64(state["first"]) * np.uint64(2) + np.uint64(state["guess"])


@implements(rules.state_key, GUESS)
def guess_key(state):
    return mix(history_code(state) * np.uint64(4) + np.uint64(state["world"] + 1))


@implements(rules.information_key, GUESS)
def known_key(state, player):
    return mix(history_code(state) * np.uint64(4) + np.uint64(0 if state["world"] == UNDEALT else 3))


@implements(rules.chance_outcomes, GUESS)
def two_worlds(state, actions, probabilities):
    for world in range(2):
        actions[world] = world
        probabilities[world] = 0.5
    return 2


@implements(rules.sample_chance, GUESS)
def either_world(state, rng):
    return np.int64(rng.random() * 2)


@implements(rules.resample, GUESS)
def either_world_again(state, player, rng):
    if state["world"] != UNDEALT:
        state["world"] = np.int64(rng.random() * 2)


class Guess(HiddenTree):
    name = "guess"
    title = "A guess"
    dtype = GUESS
    num_distinct_actions = max_legal_actions = max_chance_outcomes = 2
    belief_size = 0
    parameter_specs = {}  # noqa: RUF012

    def __init__(self):
        super(RandomTree, self).__init__()
        self.num_players, self.player_names, self.chance_mode = 2, ("a", "b"), "enumerated"

    def write_text(self, state):
        return f"{state['world']} {state['ply']} {state['first']} {state['guess']}"

    def read_text(self, text, state):
        try:
            state["world"], state["ply"], state["first"], state["guess"] = map(int, text.split())
        except ValueError:
            raise PositionError(f"{text!r} is not four numbers") from None

    def write_information(self, state, player):
        return f"{'-' if state['world'] == UNDEALT else '?'} {state['ply']} {state['first']} {state['guess']}"
