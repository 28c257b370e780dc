"""The rules of Spider Wars as compiled functions.

Green (player 0) and Orange (player 1) have spiders on one web; a spider has two legs, each in a hole. A turn moves two
different legs, one action each; the first turn of the game moves one. A leg goes to a hole without an own leg within reach of
the spider's other leg: one step for a small spider, one or two for a Daddy Longlegs. A leg of the opponent's that stands there
is pushed out: its spider becomes a Dangler, that hangs by its other leg, or is knocked out if it was one. A Dangler neither
moves nor attacks; instead of moving legs a turn may replant its dangling leg, never towards the opponent's nest. A leg in the
opponent's nest wins, and so does knocking out the last spider. Two passes in a row, or `max_turns` turns, are a draw.

Source: Hasbro, "Spider Wars" (rulebook); rule text 004_635ac42909cda101.txt. Where the text is silent:

- a way to a hole may lead over occupied holes, but not through a nest; nobody enters the own nest;
- a Dangler's planted leg does not move; replanting does not go into a nest, and is the turn's first and only action;
- if no second leg can move, the turn ends; whoever has no action at all at its beginning passes;
- the game is over at once, in mid-turn too. A turn that wins counts as played;
- a win in the last turn before `max_turns` counts.

Actions, ascending as they are listed; spots are numbered as in `web`:

    64 * f + t           move the leg in hole f to spot t
    4096 + 64 * f + t    replant: the dangling leg of the spider that hangs from f into hole t
    8192                 pass

The state names legs by where they stand: `partner` tells where the other leg is. So positions that differ only in what legs or
spiders are called are one record.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, mix, nth, popcount, without_lowest
from gamelab.core.rules import TERMINAL, implements, state_dtype
from gamelab.games.spiderwars.moves import free_for, has_move, movers, replant_targets, targets
from gamelab.games.spiderwars.web import MAX_HOLES, MAX_SPIDERS, NUM_SPOTS

__all__ = ["DRAW", "DTYPE", "MAX_LEGAL_ACTIONS", "NUM_ACTIONS", "ONGOING", "PASS", "REPLANT"]

REPLANT = NUM_SPOTS * NUM_SPOTS
PASS = 2 * REPLANT
NUM_ACTIONS = PASS + 1
# Each leg of eight spiders, to any hole that none of them stands in, or to the nest.
MAX_LEGAL_ACTIONS = 2 * MAX_SPIDERS * (MAX_HOLES - 2 * MAX_SPIDERS + 1)
ONGOING = -1
DRAW = 2
NOTHING, ONE = np.uint64(0), np.uint64(1)
SIX, LOW_SIX = np.uint64(6), np.uint64(63)
OTHER = np.uint64(1)  # player ^ OTHER is the opponent

DTYPE = state_dtype(
    [
        (("legs on the web, a bitboard of spots for each player", "legs"), np.uint64, (2,)),
        (("legs of Daddies, of either player", "daddies"), np.uint64),
        (("planted legs of Danglers, of either player", "danglers"), np.uint64),
        (("the leg that has moved in this turn; 0 at its beginning", "moved"), np.uint64),
        (("for each leg of a two-legged spider the spot of the other, elsewhere 0", "partner"), np.uint8, (NUM_SPOTS,)),
        (("turns played, passes included", "turn"), np.uint16),
        (("parameter: turns after which the game is drawn", "max_turns"), np.uint16),
        (("passes in a row just made", "passes"), np.uint8),
        (("player to move, 0 Green or 1 Orange; at the end the one who did not make the last turn", "player"), np.uint8),
        (("ONGOING, the winner 0 or 1, or DRAW", "result"), np.int8),
        (("parameter: who moves first, 0 or 1", "first"), np.uint8),
        (
            ("parameter: spots within reach of a leg whose partner stands in the hole: small, Daddy", "reach"),
            np.uint64,
            (2, 62),
        ),
        (("parameter: the first hole of each column, and the number after the last hole", "columns"), np.uint64),
        (("parameter: steps from a hole to the opponent's nest, for each player", "steps"), np.uint8, (2, 62)),
        (("parameter: holes of the spiders' legs at the start, Daddies first", "start"), np.uint8, (2, MAX_SPIDERS, 2)),
        (("parameter: spiders at the start, for each player", "spiders_at_start"), np.uint8, (2,)),
        (("parameter: Daddies at the start, for each player", "daddies_at_start"), np.uint8, (2,)),
    ],
    __file__,
)


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    state["daddies"] = NOTHING
    state["danglers"] = NOTHING
    state["moved"] = NOTHING
    for spot in range(NUM_SPOTS):
        state["partner"][spot] = 0
    for player in range(2):
        state["legs"][player] = NOTHING
        for i in range(state["spiders_at_start"][player]):
            first, second = state["start"][player, i, 0], state["start"][player, i, 1]
            both = bit(first) | bit(second)
            state["legs"][player] |= both
            state["partner"][first] = second
            state["partner"][second] = first
            if i < state["daddies_at_start"][player]:
                state["daddies"] |= both
    state["turn"] = 0
    state["passes"] = 0
    state["player"] = state["first"]
    state["result"] = ONGOING


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    return np.int64(state["player"]) if state["result"] == ONGOING else np.int64(TERMINAL)


# --- what can be played -----------------------------------------------------------------------------------------------


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["result"] != ONGOING:
        return 0
    player = np.uint64(state["player"])
    free = free_for(state, player)
    legs = movers(state, player)
    n = 0
    while legs != NOTHING:
        leg = lowest(legs)
        legs = without_lowest(legs)
        spots = targets(state, np.uint64(leg), free)
        while spots != NOTHING:
            out[n] = NUM_SPOTS * leg + lowest(spots)
            spots = without_lowest(spots)
            n += 1
    hanging = state["legs"][player] & state["danglers"] if state["moved"] == NOTHING else NOTHING
    while hanging != NOTHING:
        planted = lowest(hanging)
        hanging = without_lowest(hanging)
        spots = replant_targets(state, player, np.uint64(planted))
        while spots != NOTHING:
            out[n] = REPLANT + NUM_SPOTS * planted + lowest(spots)
            spots = without_lowest(spots)
            n += 1
    if n == 0:
        out[0] = PASS
        return 1
    return n


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """Counts the actions of each leg instead of listing them: `buffer` holds how many there are up to each leg."""
    player = np.uint64(state["player"])
    free = free_for(state, player)
    moving = movers(state, player)
    hanging = state["legs"][player] & state["danglers"] if state["moved"] == NOTHING else NOTHING
    total = 0
    n = np.uint64(0)
    legs = moving
    while legs != NOTHING:
        total += popcount(targets(state, np.uint64(lowest(legs)), free))
        legs = without_lowest(legs)
        buffer[n] = total
        n += ONE
    moves, legs = total, hanging
    while legs != NOTHING:
        total += popcount(replant_targets(state, player, np.uint64(lowest(legs))))
        legs = without_lowest(legs)
        buffer[n] = total
        n += ONE
    if total == 0:
        return np.int64(PASS)
    pick = int(u * total)
    kind, legs = 0, moving
    n = np.uint64(0)
    if pick >= moves:
        kind, legs = REPLANT, hanging
        n = np.uint64(popcount(moving))
    before = 0 if kind == 0 else moves
    while pick >= buffer[n]:
        before = buffer[n]
        legs = without_lowest(legs)
        n += ONE
    leg = lowest(legs)
    spots = targets(state, np.uint64(leg), free) if kind == 0 else replant_targets(state, player, np.uint64(leg))
    return np.int64(kind + NUM_SPOTS * leg + nth(spots, pick - before))


# --- playing ----------------------------------------------------------------------------------------------------------


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    player = np.uint64(state["player"])
    leg, target = (np.uint64(action) >> SIX) & LOW_SIX, np.uint64(action) & LOW_SIX
    if action == PASS:
        state["passes"] += 1
        if state["passes"] >= 2:
            state["result"] = DRAW
        end_turn(state)
        return
    state["passes"] = 0
    if action >= REPLANT:
        replant(state, player, leg, target)
        end_turn(state)
        return
    move(state, player, leg, target)
    if target >= MAX_HOLES or state["legs"][player ^ OTHER] == NOTHING:
        state["result"] = player
        end_turn(state)
    elif state["moved"] != NOTHING or state["turn"] == 0:
        end_turn(state)
    else:
        state["moved"] = bit(target)
        if not has_move(state, player):
            end_turn(state)


@njit
def move(state, player, leg, target):  # type: ignore[no-untyped-def]
    """Move a leg, and push out the opponent's that stands there."""
    there, other = bit(target), player ^ OTHER
    if state["legs"][other] & there != NOTHING:
        state["legs"][other] ^= there
        state["daddies"] &= ~there
        if state["danglers"] & there != NOTHING:
            state["danglers"] ^= there
        else:
            planted = np.uint64(state["partner"][target])
            state["partner"][planted] = 0
            state["danglers"] |= bit(planted)
    step = bit(leg) | there
    state["legs"][player] ^= step
    if state["daddies"] & bit(leg) != NOTHING:
        state["daddies"] ^= step
    partner = np.uint64(state["partner"][leg])
    state["partner"][leg] = 0
    state["partner"][partner] = target
    state["partner"][target] = partner


@njit
def replant(state, player, planted, target):  # type: ignore[no-untyped-def]
    """A Dangler stands on two legs again."""
    there = bit(target)
    state["legs"][player] |= there
    state["danglers"] ^= bit(planted)
    if state["daddies"] & bit(planted) != NOTHING:
        state["daddies"] |= there
    state["partner"][planted] = target
    state["partner"][target] = planted


@njit
def end_turn(state):  # type: ignore[no-untyped-def]
    """The other player is to move, unless the game is over."""
    state["moved"] = NOTHING
    state["turn"] += 1
    state["player"] ^= 1
    if state["result"] == ONGOING and state["turn"] >= state["max_turns"]:
        state["result"] = DRAW


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    out[0] = 0.0
    out[1] = 0.0
    if state["result"] == 0 or state["result"] == 1:
        out[state["result"]] = 1.0
        out[1 - state["result"]] = -1.0


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    """The turn counts, for the draw by `max_turns`; so no position repeats in a game, and what a search keeps stays true."""
    rest = np.uint64(state["turn"]) << np.uint64(16) | np.uint64(state["passes"]) << np.uint64(8) | np.uint64(state["player"])
    key = mix(state["legs"][0] ^ mix(state["legs"][1] ^ mix(state["moved"] ^ mix(rest))))
    key ^= mix(state["daddies"] ^ mix(state["danglers"]))
    # The pairs, each once: which leg belongs to which.
    legs = (state["legs"][0] | state["legs"][1]) & ~state["danglers"]
    while legs != NOTHING:
        leg = np.uint64(lowest(legs))
        partner = np.uint64(state["partner"][leg])
        key ^= mix(leg << SIX | partner)
        legs &= ~(bit(leg) | bit(partner))
    return key
