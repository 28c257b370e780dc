"""A quick judgement of a Hack Trick position with open cards, for searches that stop before the end.

If whoever is next can win at once, or the other can then win whatever is done, that decides. Else what counts are markers,
supplies, captures and cards, and how many ways to go on give the other a win. Searches call it in sampled worlds, so it reads
both hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, popcount, without_lowest
from gamelab.core.rules import implements
from gamelab.games.hacktrick.cards import HAND_LIMIT, number_mask, size
from gamelab.games.hacktrick.rules import (
    CALLING,
    DRAW,
    DRAWING,
    DTYPE,
    GIANT,
    HACK,
    NO_CALL,
    PLAY,
    SPY,
    number_played,
)
from gamelab.games.hacktrick.servers import clear, markers_on, occupied, wins_next

__all__ = ["FEATURES", "MATCH_VALUE", "WEIGHTS", "judge"]

NOTHING = np.uint64(0)
CERTAIN = 0.95  # who is next can win at once
FORCED = 0.8  # whatever the next does, the other can win then, as far as is looked at

# What is counted, mine less the opponent's, and the weight of one more.
FEATURES = (
    "markers on servers",
    "servers where one marker more would make three",
    "captured markers in the spying zone",
    "markers in supply",
    "how many fewer than four markers there are in supply",
    "cards in hand, a card about to be drawn included",
    "different numbers in hand",
    "1 if next to play or draw",
    "1 if next, and hacked",
    "if next: share of the ways to go on after which the opponent can win at once",
)
# Found by matches of one-move searches, each change kept if it won; such a search scores 96 % against random play.
WEIGHTS = np.array([0.08, 0.03, 0.35, 0.08, -0.18, 0.03, 0.18, 0.45, -0.05, -0.24])
ENOUGH_SUPPLY = 4.0

# How often a win scores two in matches of one-move searches: 26 % of 3000.
TWO_POINTS = 0.26


def _match_values() -> NDArray[np.float64]:
    """Expected result of a match between equal players at each score, float64, shape (5, 5); 3 and 4 points have won."""
    values = np.zeros((5, 5))
    for a in (4, 3, 2, 1, 0):
        for b in (4, 3, 2, 1, 0):
            if a >= 3 or b >= 3:
                values[a, b] = 1.0 if a > b else -1.0
            else:
                wins = (1 - TWO_POINTS) * values[a + 1, b] + TWO_POINTS * values[a + 2, b]
                loses = (1 - TWO_POINTS) * values[a, b + 1] + TWO_POINTS * values[a, b + 2]
                values[a, b] = (wins + loses) / 2
    return values


MATCH_VALUE = _match_values()


@njit
def reach(hand: Any, last: Any) -> Any:
    """The servers that a hand can infect after a card `last`, as a set."""
    numbers = number_mask(hand) & ~bit(last)
    # Sums are at least 1: two different numbers.
    return numbers << np.uint64(last) >> np.uint64(1)


@njit
def standing(state, player, weights):  # type: ignore[no-untyped-def]
    """What the player's markers and cards are worth, whoever is next."""
    markers, hand = np.uint64(state["markers"][player]), state["hands"][player]
    supply = np.float64(state["supply"][player])
    cards = size(hand) + (1 if state["phase"] == DRAWING and state["turn"] == player else 0)
    value = weights[0] * popcount(markers) + weights[1] * popcount(wins_next(markers))
    value += weights[2] * state["zone"][player] + weights[3] * supply + weights[4] * max(0.0, ENOUGH_SUPPLY - supply)
    return value + weights[5] * cards + weights[6] * popcount(number_mask(hand))


@njit
def replies_that_win(state, player):  # type: ignore[no-untyped-def]
    """The share of the ways to go on, of the player whose turn is next, after which the other can win at once."""
    other = 1 - player
    hand, last = state["hands"][player], np.int64(state["last"])
    markers, reply = np.uint64(state["markers"][other]), state["hands"][other]
    numbers = number_mask(hand) & ~bit(last)
    ways, losing = 0, 0
    if size(hand) < HAND_LIMIT and (not hacked_next(state) or numbers == NOTHING):
        ways += 1
        losing += wins_next(markers) & reach(reply, last) != NOTHING
    while numbers != NOTHING:
        card = lowest(numbers)
        numbers = without_lowest(numbers)
        ways += 1
        losing += wins_next(clear(markers, last + card)) & reach(reply, card) != NOTHING
    return losing / ways if ways > 0 else 0.0


@njit
def next_to_move(state):  # type: ignore[no-untyped-def]
    """Who plays or draws next: while a call or a drawn card is awaited, the other player."""
    turn = np.int64(state["turn"])
    return 1 - turn if state["phase"] == CALLING or state["phase"] == DRAWING else turn


@njit
def hacked_next(state):  # type: ignore[no-untyped-def]
    """Whether a HACK binds who plays or draws next. A call still awaited binds nobody."""
    return state["call"] == HACK - NO_CALL and state["phase"] != CALLING and state["phase"] != DRAWING


@njit
def judge(state, weights):  # type: ignore[no-untyped-def]
    """The game at hand for player 0, in (-1, 1)."""
    balance = standing(state, 0, weights) - standing(state, 1, weights)
    if state["last"] < 0:
        return FORCED * np.tanh(balance)
    player = next_to_move(state)
    sign = 1.0 if player == 0 else -1.0
    can_win = wins_next(np.uint64(state["markers"][player])) & reach(state["hands"][player], np.int64(state["last"]))
    if can_win != NOTHING:
        return sign * CERTAIN
    lost = replies_that_win(state, player)
    if lost == 1.0:
        return -sign * FORCED
    hacked = 1.0 if hacked_next(state) else 0.0
    return FORCED * np.tanh(balance + sign * (weights[7] + weights[8] * hacked + weights[9] * lost))


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    value = judge(state, WEIGHTS)
    if state["match"] != 0:
        # Between what the match is worth after either of them wins the game.
        mine, theirs = np.int64(state["score"][0]), np.int64(state["score"][1])
        win, loss = MATCH_VALUE[mine + 1, theirs], MATCH_VALUE[mine, theirs + 1]
        value = 0.5 * (win + loss + value * (win - loss))
    out[0] = value
    out[1] = -value


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):  # type: ignore[no-untyped-def]
    """Winning plays first, then those that capture, block or build; calls and spying behind."""
    if PLAY <= action < DRAW:
        player = np.int64(state["turn"])
        server = np.int64(state["last"]) + number_played(action)
        own, others = np.uint64(state["markers"][player]), np.uint64(state["markers"][1 - player])
        if wins_next(own) & bit(server - 1) != NOTHING:
            return 10.0
        value = 1.0 + 0.7 * markers_on(others, server)
        if wins_next(others) != NOTHING and wins_next(clear(others, server)) == NOTHING:
            value += 1.0
        # The giant is worth more early, when it can still become part of a later three.
        return value + (0.1 if action >= GIANT and occupied(own) == NOTHING else 0.0)
    return 0.3 if action > NO_CALL or action == SPY else 0.8
