"""The rules of Hack Trick as compiled functions.

Two players, nine servers in a magic square (see `servers`), 18 cards: three each of 0 to 5. Each player has ten markers, one
of them the giant. Two cards are turned up and out of the game; the starter draws four, the other three. The starter opens the
row with one of the four; both announce the sum of the three they hold; the other player has the first turn.

A turn: spy, if you like and hold a captured marker, which goes out of the game: the opponent announces the sum of their hand.
Then play a card that differs from the last one of the row and infect the server that the two add up to, or draw a card if you
hold fewer than four. Infecting captures all markers that the opponent has there. Afterwards you may pay one of your markers for
a call: HACK (the opponent must play a card next turn, not draw) or FIREWALL (the opponent may not call HACK next turn). A
hacked player who cannot play shows the hand and draws. When the deck runs empty, the row except its last card is shuffled.

Three markers in line or on one server win at once; who has placed or paid the last marker without that loses. In a match the
winner scores 1, or 2 if the giant is one of the three and was not placed last; the loser starts the next game; 3 points win.

Source: rule text 001_ed736f565bd5016b.txt, "Hack Trick" (Hungarian), which leaves open, and here is decided:

- the other player, not the starter, has the first turn; one call a turn; under a FIREWALL one may call FIREWALL;
- a call is paid with a small marker while there is one, and so is spying; a call paid with the last marker loses;
- a hacked player without any card shows an empty hand and draws; the hand is shown when drawing, after spying if they spy;
- hands stay hidden when a game ends, and what was seen in earlier games of a match is not kept.

Actions, ascending as they are listed:

    0 .. 5     chance: a card of this number is turned up, dealt or drawn
    6 .. 11    open the row with number a - 6
    12         spy
    13 .. 18   play number a - 13 with a small marker
    19 .. 24   play number a - 19 with the giant
    25         draw
    26 27 28   no call, HACK, FIREWALL
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, mix, popcount
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype
from gamelab.games.hacktrick.cards import (
    FULL_DECK,
    HAND_LIMIT,
    NUMBERS,
    count,
    held,
    nth_card,
    nth_number,
    one,
    size,
    total,
)
from gamelab.games.hacktrick.servers import add, clear, completed_lines, markers_on

__all__ = ["DTYPE", "actor_of", "code_of", "owner_of_deal"]

# Actions.
CARD, OPEN, SPY, PLAY, GIANT, DRAW, NO_CALL, HACK, FIREWALL = 0, 6, 12, 13, 19, 25, 26, 27, 28
NUM_ACTIONS = 29
MAX_LEGAL_ACTIONS = 2 * HAND_LIMIT + 1  # spying, and each of four cards with either marker
# What stands in the record for an action that the game answers.
SHOWN = 29  # a hacked player drew, and showed a hand in which there was only the number that lay last in the row
SPIED = 32  # SPIED + the sum that was announced
ACTOR = 64  # added to an event of player 1

DEALING, OPENING, TURN, AFTER_SPYING, DRAWING, CALLING, OVER = range(7)
TURNED_UP, DEALT = 2, 9  # cards out of the game, and cards turned up or dealt in all
# 10 entries of the setup; then at most 39 turns of at most three (spy, play, call or spy, draw, card).
RECORD = 128
MARKERS = 10
IN_SUPPLY, CAPTURED, GONE = 0, 10, 11  # where a giant is, if on no server
NO_CARD = -1
ONGOING = -1
WINNING_SCORE = 3

DTYPE = state_dtype(
    [
        (
            ("what happened, in order: an action, SHOWN or SPIED + sum; + ACTOR if player 1 did it", "record"),
            np.int8,
            (RECORD,),
        ),
        (("cards held by each player, as counts", "hands"), np.uint64, (2,)),
        (("cards in the deck, as counts", "deck"), np.uint64),
        (("cards in the row, as counts", "row"), np.uint64),
        (("hash of what both players know", "public"), np.uint64),
        (("hash of the cards that each player was dealt and drew, with their times", "private"), np.uint64, (2,)),
        (("markers of each player on the servers, as bits (see servers.py)", "markers"), np.uint32, (2,)),
        (("entries in the record", "length"), np.uint8),
        (("unplaced markers of each player, the giant included", "supply"), np.uint8, (2,)),
        (("markers captured by each player and not yet spent", "zone"), np.uint8, (2,)),
        (("where each player's giant is: server, IN_SUPPLY, CAPTURED or GONE", "giant"), np.int8, (2,)),
        (("sums announced at the opening", "opening"), np.uint8, (2,)),
        (("number on the last card of the row, or NO_CARD", "last"), np.int8),
        (("DEALING, OPENING, TURN, AFTER_SPYING, DRAWING, CALLING or OVER", "phase"), np.uint8),
        (("whose turn it is, 0 or 1", "turn"), np.int8),
        (("call that binds the player whose turn it is: 0 none, 1 HACK, 2 FIREWALL", "call"), np.uint8),
        (("points of the match", "score"), np.uint8, (2,)),
        (("player who opens this game", "starter"), np.int8),
        (("ONGOING, or who has won the game or match", "result"), np.int8),
        (("points that the last game was worth, once all is over", "points"), np.uint8),
        (("parameter: 1 for a match to three points, 0 for a single game", "match"), np.uint8),
        (("parameter: player who opens the first game", "first_starter"), np.int8),
    ],
    __file__,
)

# A key for each number at each place of the record: private hashes can be put together in any order.
CARD_KEYS = np.random.default_rng(0x4861636B).integers(0, 2**64, (RECORD, NUMBERS), dtype=np.uint64)


# --- starting a game --------------------------------------------------------------------------------------------------


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    state["score"][0] = 0
    state["score"][1] = 0
    new_game(state, state["first_starter"])


@njit
def new_game(state, starter):  # type: ignore[no-untyped-def]
    """Empty board, all cards in the deck, all markers; only the score stays."""
    for i in range(RECORD):
        state["record"][i] = 0
    state["length"] = 0
    for player in range(2):
        state["hands"][player] = np.uint64(0)
        state["private"][player] = np.uint64(0)
        state["markers"][player] = 0
        state["supply"][player] = MARKERS
        state["zone"][player] = 0
        state["giant"][player] = IN_SUPPLY
        state["opening"][player] = 0
    state["deck"] = FULL_DECK
    state["row"] = np.uint64(0)
    state["last"] = NO_CARD
    state["phase"] = DEALING
    state["turn"] = starter
    state["call"] = 0
    state["starter"] = starter
    state["result"] = ONGOING
    state["points"] = 0
    state["public"] = np.uint64(0)
    publish(state, state["score"][0] + 8 * state["score"][1] + 64 * starter)


@njit
def publish(state, fact):  # type: ignore[no-untyped-def]
    """Take a fact, a small whole number, into the hash of what both know."""
    state["public"] = mix(state["public"] ^ np.uint64(fact))


@njit
def write(state, player, code):  # type: ignore[no-untyped-def]
    """Append an event to the record."""
    state["record"][state["length"]] = code + ACTOR * player
    state["length"] += 1


@njit
def actor_of(event):  # type: ignore[no-untyped-def]
    """Who did what an entry of the record says; of the cards turned up in the setup, player 0."""
    return np.int64(event) >> 6


@njit
def code_of(event):  # type: ignore[no-untyped-def]
    """What was done: an action, or SHOWN, or SPIED + sum."""
    return np.int64(event) & 63


@njit
def number_played(code):  # type: ignore[no-untyped-def]
    """The number on the card that a play, or the opening of the row, lays."""
    return np.int64(code) - (OPEN if code < SPY else PLAY if code < GIANT else GIANT)


@njit
def owner_of_deal(state, i):  # type: ignore[no-untyped-def]
    """Who gets the i-th card of the setup, from 0; -1 for those turned up."""
    if i < TURNED_UP:
        return np.int64(-1)
    starter = np.int64(state["starter"])
    return starter if i < TURNED_UP + HAND_LIMIT else 1 - starter


# --- whose turn, and what is legal ------------------------------------------------------------------------------------


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    if state["phase"] == DEALING or state["phase"] == DRAWING:
        return np.int64(CHANCE)
    return np.int64(TERMINAL) if state["phase"] == OVER else np.int64(state["turn"])


@njit
def playable(state):  # type: ignore[no-untyped-def]
    """The numbers that the player whose turn it is may play, in a word like that of `held`."""
    return held(state["hands"][state["turn"]]) & ~one(state["last"])


@njit
def may_spy(state):  # type: ignore[no-untyped-def]
    """Whether the player whose turn it is may spy."""
    return state["phase"] == TURN and state["zone"][state["turn"]] > 0


@njit
def may_draw(state, numbers):  # type: ignore[no-untyped-def]
    """Whether the player whose turn it is may draw, if `numbers` are playable."""
    return (state["call"] != HACK - NO_CALL or numbers == np.uint64(0)) and size(state["hands"][state["turn"]]) < HAND_LIMIT


@njit
def has_giant(state):  # type: ignore[no-untyped-def]
    """Whether the player whose turn it is has not yet placed the giant."""
    return state["giant"][state["turn"]] == IN_SUPPLY


@njit
def has_small(state):  # type: ignore[no-untyped-def]
    """Whether the player whose turn it is has a small marker to place."""
    return state["supply"][state["turn"]] > has_giant(state)


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    phase = state["phase"]
    if phase == OVER:
        return 0
    if phase == OPENING:
        return list_numbers(held(state["hands"][state["turn"]]), OPEN, out, 0)
    n = 0
    if phase == CALLING:
        for call in (NO_CALL, HACK, FIREWALL):
            if call != HACK or state["call"] != FIREWALL - NO_CALL:
                out[n] = call
                n += 1
        return n
    if may_spy(state):
        out[n] = SPY
        n += 1
    numbers = playable(state)
    if has_small(state):
        n = list_numbers(numbers, PLAY, out, n)
    if has_giant(state):
        n = list_numbers(numbers, GIANT, out, n)
    if may_draw(state, numbers):
        out[n] = DRAW
        n += 1
    return n


@njit
def list_numbers(numbers, first, out, n):  # type: ignore[no-untyped-def]
    """Append the action for each of the numbers to `out`, of which n are written; return how many then are."""
    for i in range(popcount(numbers)):
        out[n] = first + nth_number(numbers, i)
        n += 1
    return n


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """Counts the legal actions instead of listing them."""
    phase = state["phase"]
    if phase == CALLING:
        if state["call"] == FIREWALL - NO_CALL:
            return np.int64(NO_CALL if int(u * 2) == 0 else FIREWALL)
        return np.int64(NO_CALL + int(u * 3))
    if phase == OPENING:
        numbers = held(state["hands"][state["turn"]])
        return np.int64(OPEN + nth_number(numbers, int(u * popcount(numbers))))
    numbers = playable(state)
    cards = popcount(numbers)
    spying, small = np.int64(may_spy(state)), cards * np.int64(has_small(state))
    plays = small + cards * np.int64(has_giant(state))
    pick = int(u * (spying + plays + np.int64(may_draw(state, numbers)))) - spying
    if pick < 0:
        return np.int64(SPY)
    if pick < small:
        return np.int64(PLAY + nth_number(numbers, pick))
    if pick < plays:
        return np.int64(GIANT + nth_number(numbers, pick - small))
    return np.int64(DRAW)


# --- what an action does ----------------------------------------------------------------------------------------------


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    if action < OPEN:
        if state["phase"] == DEALING:
            deal(state, action)
        else:
            take(state, action)
    elif action < SPY:
        open_row(state, action)
    elif action == SPY:
        spy(state)
    elif action < DRAW:
        play(state, action)
    elif action == DRAW:
        draw(state)
    else:
        call(state, action)


@njit
def deal(state, card):  # type: ignore[no-untyped-def]
    """A card of the setup: turned up, or into a hand."""
    i = np.int64(state["length"])
    owner = owner_of_deal(state, i)
    state["deck"] -= one(card)
    if owner < 0:
        write(state, 0, card)
        publish(state, card)
    else:
        give(state, owner, card)
    if i == DEALT - 1:
        state["phase"] = OPENING


@njit
def give(state, player, card):  # type: ignore[no-untyped-def]
    """Put a card that only the player sees into their hand."""
    state["hands"][player] += one(card)
    state["private"][player] ^= CARD_KEYS[state["length"], card]
    write(state, player, card)


@njit
def open_row(state, action):  # type: ignore[no-untyped-def]
    """The first card of the row; then both sums are announced, and the other player has the first turn."""
    starter = np.int64(state["turn"])
    lay(state, starter, number_played(action))
    write(state, starter, action)
    publish(state, action)
    for player in range(2):
        state["opening"][player] = total(state["hands"][player])
        publish(state, state["opening"][player])
    end_turn(state, 0)


@njit
def lay(state, player, card):  # type: ignore[no-untyped-def]
    """Put a card from the hand to the end of the row."""
    state["hands"][player] -= one(card)
    state["row"] += one(card)
    state["last"] = card


@njit
def end_turn(state, binding):  # type: ignore[no-untyped-def]
    """The other player is next, bound by a call: 0 none, 1 HACK, 2 FIREWALL."""
    state["turn"] = 1 - state["turn"]
    state["phase"] = TURN
    state["call"] = binding


@njit
def spy(state):  # type: ignore[no-untyped-def]
    """Spend a captured marker, the opponent's giant last; the opponent announces a sum."""
    player = np.int64(state["turn"])
    other = 1 - player
    if state["zone"][player] == 1 and state["giant"][other] == CAPTURED:
        state["giant"][other] = GONE
    state["zone"][player] -= 1
    announced = SPIED + total(state["hands"][other])
    write(state, player, announced)
    publish(state, announced)
    state["phase"] = AFTER_SPYING


@njit
def draw(state):  # type: ignore[no-untyped-def]
    """Choose to draw; the card comes from chance. Only a hacked player who cannot play gets here hacked: they show the hand."""
    code = SHOWN if state["call"] == HACK - NO_CALL else DRAW
    write(state, np.int64(state["turn"]), code)
    publish(state, code)
    state["phase"] = DRAWING


@njit
def take(state, card):  # type: ignore[no-untyped-def]
    """The card drawn. If it was the last of the deck, the row without its last card is the new deck."""
    give(state, np.int64(state["turn"]), card)
    state["deck"] -= one(card)
    if state["deck"] == np.uint64(0):
        state["deck"] = state["row"] - one(state["last"])
        state["row"] = one(state["last"])
    end_turn(state, 0)


@njit
def play(state, action):  # type: ignore[no-untyped-def]
    """Lay a card, infect the server, capture what stands there; then the game may be over."""
    player = np.int64(state["turn"])
    with_giant = action >= GIANT
    card = number_played(action)
    server = np.int64(state["last"]) + card
    lay(state, player, card)
    write(state, player, action)
    publish(state, action)
    capture(state, player, server)
    state["supply"][player] -= 1
    state["markers"][player] = add(np.uint64(state["markers"][player]), server)
    three = winning_servers(np.uint64(state["markers"][player]), server)
    if three != np.uint64(0):
        # A giant placed now is still IN_SUPPLY by its field, and scores nothing.
        giant = np.int64(state["giant"][player])
        standing = IN_SUPPLY < giant < CAPTURED and three & bit(giant - 1) != np.uint64(0)
        if with_giant:
            state["giant"][player] = server
        finish(state, player, 2 if standing else 1)
        return
    if with_giant:
        state["giant"][player] = server
    if state["supply"][player] == 0:
        finish(state, 1 - player, 1)
    else:
        state["phase"] = CALLING


@njit
def capture(state, player, server):  # type: ignore[no-untyped-def]
    """Take all of the opponent's markers on a server into the player's spying zone."""
    other = 1 - player
    markers = np.uint64(state["markers"][other])
    state["zone"][player] += markers_on(markers, server)
    state["markers"][other] = clear(markers, server)
    if state["giant"][other] == server:
        state["giant"][other] = CAPTURED


@njit
def winning_servers(markers, server):  # type: ignore[no-untyped-def]
    """The servers of all threes that the marker just placed on `server` completes, as a set."""
    three = completed_lines(markers)
    if markers_on(markers, server) == 3:
        three |= bit(server - 1)
    return three


@njit
def call(state, action):  # type: ignore[no-untyped-def]
    """A call, paid with an unplaced marker, or none; then the turn ends."""
    player = np.int64(state["turn"])
    write(state, player, action)
    publish(state, action)
    if action != NO_CALL:
        state["supply"][player] -= 1
        if state["supply"][player] == 0:
            if state["giant"][player] == IN_SUPPLY:
                state["giant"][player] = GONE
            finish(state, 1 - player, 1)
            return
    end_turn(state, action - NO_CALL)


@njit
def finish(state, winner, points):  # type: ignore[no-untyped-def]
    """A game is won; in a match that is not yet decided, the loser starts the next."""
    if state["match"] != 0:
        state["score"][winner] += points
        if state["score"][winner] < WINNING_SCORE:
            new_game(state, 1 - winner)
            return
    state["phase"] = OVER
    state["result"] = winner
    state["points"] = points


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    out[0] = 0.0
    out[1] = 0.0
    if state["phase"] == OVER:
        out[state["result"]] = 1.0
        out[1 - state["result"]] = -1.0


# --- chance -----------------------------------------------------------------------------------------------------------


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):  # type: ignore[no-untyped-def]
    deck = state["deck"]
    left = size(deck)
    n = 0
    for card in range(NUMBERS):
        copies = count(deck, card)
        if copies > 0:
            actions[n] = card
            probabilities[n] = copies / left
            n += 1
    return n


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):  # type: ignore[no-untyped-def]
    return nth_card(state["deck"], int(rng.random() * size(state["deck"])))


# --- keys -------------------------------------------------------------------------------------------------------------


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    """All that matters for the rest of the game with open cards: not the record, nor what was announced."""
    small = np.uint64(state["phase"]) | np.uint64(state["turn"]) << np.uint64(3) | np.uint64(state["call"]) << np.uint64(4)
    small |= np.uint64(state["starter"]) << np.uint64(6) | np.uint64(state["match"]) << np.uint64(7)
    small |= np.uint64(state["last"] + 1) << np.uint64(8)
    rest = np.uint64(state["supply"][0]) | np.uint64(state["supply"][1]) << np.uint64(4)
    rest |= np.uint64(state["giant"][0]) << np.uint64(8) | np.uint64(state["giant"][1]) << np.uint64(12)
    zones = np.uint64(state["zone"][0]) | np.uint64(state["zone"][1]) << np.uint64(5)
    scores = np.uint64(state["score"][0]) | np.uint64(state["score"][1]) << np.uint64(3)
    key = mix(state["hands"][0] | small << np.uint64(48))
    key = mix(key ^ (state["hands"][1] | rest << np.uint64(48)))
    key = mix(key ^ (state["deck"] | zones << np.uint64(48)))
    key = mix(key ^ (state["row"] | scores << np.uint64(48)))
    return mix(key ^ (np.uint64(state["markers"][0]) | np.uint64(state["markers"][1]) << np.uint64(32)))


@implements(rules.information_key, DTYPE)
def information_key(state, player):  # type: ignore[no-untyped-def]
    """All that both have seen, and the cards that the player got, each with its time: nothing is forgotten within a game.

    The length of the record tells that the other got a card, which is no fact of its own in `public`.
    """
    return state["public"] ^ mix(state["private"][player] ^ np.uint64(2 * np.int64(state["length"]) + player))
