"""What a player believes about the other's hand: exact Bayesian filtering over the record, and sampling backwards through it.

All orders of the deck are equally likely; given the watched player's hand, the deck is a uniform permutation of the other
unseen cards. So the hand is a hidden Markov chain (L. R. Rabiner, "A tutorial on hidden Markov models", 1989), whose states
are the at most 120 multisets of the known size. What the watcher sees weighs each of them:

    first deal                    as many ways as there are to choose the hand from the unseen cards
    the watched player draws      to each number, times the copies of it that are neither seen nor in the hand
    the watcher draws a number    times the copies of it that were neither seen nor in the hand
    the watched player plays n    to the hand without it; hands that do not hold n drop out, more copies count no more
    a sum, a hand that is shown   all other hands drop out
    the deck is empty             nothing to do: only the hand of all unseen cards has weight by then

Weights are not normalized: they count orders of the deck up to a common factor, whole numbers below 2**53, and so are exact.
Nothing is assumed about how players choose.

To sample a world, draw the hand, then go back through the record: each play returns its card, each draw takes one away, drawn
by the weights that stood before it (forward filtering, backward sampling; C. K. Carter, R. Kohn, "On Gibbs sampling for state
space models", 1994). The initial hand is left over, its cards dealt in any order.

A belief is an array of float64:

    UNSEEN         cards that the watcher has not seen, as counts (48 bits, exact)
    ROW, LAST      cards in the row, as counts, and the last one
    SIZE, DECK     cards in the watched hand and in the deck
    DRAWS          draws of the watched player so far
    WEIGHTS ...    of all 204 hands (see cards.py); meant are those of the current size
    STORED ...     for each draw of the watched player: UNSEEN and the weights of hands of its size, before it
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules as generic
from gamelab.core._jit import njit
from gamelab.core.records import scratch
from gamelab.core.rules import implements
from gamelab.games.hacktrick.cards import (
    FIRST_HAND,
    FULL_DECK,
    HAND_LIMIT,
    HANDS,
    NUM_HANDS,
    NUMBERS,
    TOTAL,
    WITH,
    WITHOUT,
    count,
    nth_card,
    one,
    size,
)
from gamelab.games.hacktrick.rules import (
    ACTOR,
    CARD_KEYS,
    DEALT,
    DRAW,
    DTYPE,
    OPEN,
    PLAY,
    SHOWN,
    SPIED,
    SPY,
    actor_of,
    code_of,
    number_played,
    owner_of_deal,
)

__all__ = ["BELIEF_SIZE", "SIZE", "WEIGHTS", "forward", "start", "step"]

UNSEEN, ROW, LAST, SIZE, DECK, DRAWS, WEIGHTS = range(7)
# Of one player: a hand of three grows to four at most, and the tenth play is the last.
MAX_DRAWS = HAND_LIMIT - 3 + 9
STORED = WEIGHTS + NUM_HANDS
LONGEST = int(FIRST_HAND[HAND_LIMIT] - FIRST_HAND[HAND_LIMIT - 1])  # hands of three: nobody draws at four
STRIDE = 1 + LONGEST
BELIEF_SIZE = STORED + MAX_DRAWS * STRIDE

# Ways to choose k of n copies.
CHOOSE = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]], dtype=np.float64)


# --- forward ----------------------------------------------------------------------------------------------------------


@njit
def cards_dealt(state):  # type: ignore[no-untyped-def]
    """How many cards of the setup have been turned up and dealt."""
    length = np.int64(state["length"])
    return length if length < DEALT else DEALT


@njit
def start(state, player, belief):  # type: ignore[no-untyped-def]
    """Set the belief of `player` after the cards dealt so far, before anything is played."""
    unseen, held = FULL_DECK, 0
    dealt = cards_dealt(state)
    for i in range(dealt):
        if owner_of_deal(state, i) == 1 - player:
            held += 1
        else:
            unseen -= one(code_of(state["record"][i]))
    for i in range(WEIGHTS, BELIEF_SIZE):
        belief[i] = 0.0
    belief[UNSEEN] = unseen
    belief[ROW] = 0
    belief[LAST] = 0
    belief[SIZE] = held
    belief[DECK] = size(FULL_DECK) - dealt
    belief[DRAWS] = 0
    for hand in range(FIRST_HAND[held], FIRST_HAND[held + 1]):
        weight = 1.0
        for number in range(NUMBERS):
            weight *= CHOOSE[count(unseen, number), count(HANDS[hand], number)]
        belief[WEIGHTS + hand] = weight


@njit
def step(state, player, belief, i):  # type: ignore[no-untyped-def]
    """Take the i-th entry of the record, one of those after the deal, into the belief of `player`."""
    event = state["record"][i]
    watched, code = actor_of(event) != player, code_of(event)
    if code < OPEN:
        if watched:
            watched_draws(belief)
        else:
            watcher_draws(belief, code)
        belief[DECK] -= 1
        if belief[DECK] == 0:
            reshuffle(belief)
    elif code < SPY or PLAY <= code < DRAW:
        lay(belief, number_played(code), watched)
        if i == DEALT:
            keep_total(belief, np.int64(state["opening"][1 - player]))
    elif code == SHOWN and watched:
        keep_number(belief, np.int64(belief[LAST]))
    elif code >= SPIED and not watched:
        keep_total(belief, code - SPIED)


@njit
def watched_draws(belief):  # type: ignore[no-untyped-def]
    """Every hand grows by each number, as likely as there are copies of it left in the deck."""
    held, unseen = np.int64(belief[SIZE]), np.uint64(belief[UNSEEN])
    stored = STORED + STRIDE * np.int64(belief[DRAWS])
    belief[stored] = unseen
    for hand in range(FIRST_HAND[held + 1], FIRST_HAND[held + 2]):
        belief[WEIGHTS + hand] = 0.0
    for hand in range(FIRST_HAND[held], FIRST_HAND[held + 1]):
        weight = belief[WEIGHTS + hand]
        belief[stored + 1 + hand - FIRST_HAND[held]] = weight
        if weight > 0:
            for number in range(NUMBERS):
                left = count(unseen, number) - count(HANDS[hand], number)
                if left > 0:
                    belief[WEIGHTS + WITH[hand, number]] += weight * left
    belief[SIZE] += 1
    belief[DRAWS] += 1


@njit
def watcher_draws(belief, number):  # type: ignore[no-untyped-def]
    """The watcher has drawn a number: as likely as the watched hand left copies of it in the deck."""
    held, unseen = np.int64(belief[SIZE]), np.uint64(belief[UNSEEN])
    for hand in range(FIRST_HAND[held], FIRST_HAND[held + 1]):
        if belief[WEIGHTS + hand] > 0:
            belief[WEIGHTS + hand] *= count(unseen, number) - count(HANDS[hand], number)
    belief[UNSEEN] = unseen - one(number)


@njit
def reshuffle(belief):  # type: ignore[no-untyped-def]
    """The row but its last card becomes the deck."""
    last = one(np.int64(belief[LAST]))
    returned = np.uint64(belief[ROW]) - last
    belief[UNSEEN] = np.uint64(belief[UNSEEN]) + returned
    belief[DECK] = size(returned)
    belief[ROW] = last


@njit
def lay(belief, number, watched):  # type: ignore[no-untyped-def]
    """A card is laid to the row; the watched player must have held it."""
    belief[ROW] = np.uint64(belief[ROW]) + one(number)
    belief[LAST] = number
    if watched:
        held = np.int64(belief[SIZE])
        for hand in range(FIRST_HAND[held - 1], FIRST_HAND[held]):
            before = np.int64(WITH[hand, number])
            belief[WEIGHTS + hand] = belief[WEIGHTS + before] if before >= 0 else 0.0
        belief[SIZE] = held - 1
        belief[UNSEEN] = np.uint64(belief[UNSEEN]) - one(number)


@njit
def keep_total(belief, total):  # type: ignore[no-untyped-def]
    """The watched player has announced the sum of the hand."""
    held = np.int64(belief[SIZE])
    for hand in range(FIRST_HAND[held], FIRST_HAND[held + 1]):
        if TOTAL[hand] != total:
            belief[WEIGHTS + hand] = 0.0


@njit
def keep_number(belief, number):  # type: ignore[no-untyped-def]
    """The watched player has shown a hand in which there is nothing but this number."""
    held = np.int64(belief[SIZE])
    for hand in range(FIRST_HAND[held], FIRST_HAND[held + 1]):
        if count(HANDS[hand], number) != held:
            belief[WEIGHTS + hand] = 0.0


@njit
def forward(state, player, belief):  # type: ignore[no-untyped-def]
    """Filter the whole record. Afterwards the weights of the current size are those of the hands given all that is known."""
    start(state, player, belief)
    for i in range(DEALT, np.int64(state["length"])):
        step(state, player, belief, i)


# --- backward ---------------------------------------------------------------------------------------------------------


@njit
def likely_hand(belief, rng):  # type: ignore[no-untyped-def]
    """A hand of the current size, drawn by its weight; the weights have been summed up."""
    held = np.int64(belief[SIZE])
    low, high = FIRST_HAND[held], FIRST_HAND[held + 1] - 1
    threshold = rng.random() * belief[WEIGHTS + high]
    while low < high:
        middle = (low + high) >> 1
        if belief[WEIGHTS + middle] > threshold:
            high = middle
        else:
            low = middle + 1
    return low


@njit
def likely_draw(belief, draw, hand, held, rng):  # type: ignore[no-untyped-def]
    """Which card was drawn in the watched player's `draw`-th draw, from 0, if it led to a hand of `held` cards."""
    stored = STORED + STRIDE * draw
    unseen = np.uint64(belief[stored])
    threshold, found = -1.0, 0
    # First the sum of the weights, then the card at which it passes the threshold.
    for searching in range(2):
        sum_of_weights = 0.0
        for number in range(NUMBERS):
            before = np.int64(WITHOUT[hand, number])
            if before >= 0:
                left = count(unseen, number) - count(HANDS[before], number)
                sum_of_weights += belief[stored + 1 + before - FIRST_HAND[held - 1]] * left
                if searching and sum_of_weights > threshold:
                    return np.int64(number)
                found = number
        threshold = rng.random() * sum_of_weights
    return np.int64(found)


@njit
def rewrite(state, i, player, card):  # type: ignore[no-untyped-def]
    """Another card in the record, where `player` got one that nobody else sees."""
    state["record"][i] = card + ACTOR * player
    state["private"][player] ^= CARD_KEYS[i, card]


@njit
def deal_again(state, watched, hand, rng):  # type: ignore[no-untyped-def]
    """The first cards of the watched player, in any order."""
    cards = HANDS[hand]
    left = size(cards)
    for i in range(cards_dealt(state)):
        if owner_of_deal(state, i) == watched:
            card = nth_card(cards, int(rng.random() * left))
            cards -= one(card)
            left -= 1
            rewrite(state, i, watched, card)


@njit
def backward(state, player, belief, rng):  # type: ignore[no-untyped-def]
    """Rewrite what `player` cannot know: the other's hand, what they were dealt and drew, and so the deck."""
    watched = 1 - player
    hand, held = likely_hand(belief, rng), np.int64(belief[SIZE])
    state["deck"] = state["deck"] + state["hands"][watched] - HANDS[hand]
    state["hands"][watched] = HANDS[hand]
    state["private"][watched] = np.uint64(0)
    draw = np.int64(belief[DRAWS])
    for back in range(np.int64(state["length"]) - DEALT):
        i = np.int64(state["length"]) - 1 - back
        event = state["record"][i]
        code = code_of(event)
        if actor_of(event) != watched or code >= DRAW or code == SPY:
            continue
        if code < OPEN:
            draw -= 1
            card = likely_draw(belief, draw, hand, held, rng)
            rewrite(state, i, watched, card)
            hand = np.int64(WITHOUT[hand, card])
            held -= 1
        else:
            hand = np.int64(WITH[hand, number_played(code)])
            held += 1
    deal_again(state, watched, hand, rng)


# --- the generic functions --------------------------------------------------------------------------------------------


@implements(generic.prepare_belief, DTYPE)
def prepare_belief(state, player, belief):  # type: ignore[no-untyped-def]
    """Filter, then sum up the final weights."""
    forward(state, player, belief)
    held = np.int64(belief[SIZE])
    for hand in range(FIRST_HAND[held] + 1, FIRST_HAND[held + 1]):
        belief[WEIGHTS + hand] += belief[WEIGHTS + hand - 1]


@implements(generic.resample_given, DTYPE)
def resample_given(state, player, belief, rng):  # type: ignore[no-untyped-def]
    backward(state, player, belief, rng)


@implements(generic.resample, DTYPE)
def resample(state, player, rng):  # type: ignore[no-untyped-def]
    belief = scratch(BELIEF_SIZE)
    generic.prepare_belief(state, player, belief)
    backward(state, player, belief, rng)
