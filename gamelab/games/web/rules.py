"""The rules of Web as compiled functions.

Two to four players lay cards of square cells around a central server and join computers to servers by cables of their own
colour. A turn: play a card from hand beside those that lie, anywhere it fits, turned as you like. Then take up to as many
actions as it has dots on its back: draw the top card of a pile, buy three cables, or place a cable. The game ends when a
pile is exhausted, or at the end of a turn after which only one player has cards. Points of the computers connected, less one
for each card in hand, decide.

Source: rule text 000_baa3e10e47c26906.txt, "Web Rulebook" (Splotter). The faces of its cards are lost; `decks/standard.toml`
is ours. What the text leaves open, and what is decided here:

- the table is a square of `table` cells a side, which no card may leave; an obstacle takes neither cards nor cables;
- obstacles that are named by their cells may lie anywhere but on the centre;
- the player whose three cards show the fewest computers starts; ties are settled by lot;
- a card that can be played must be, else the turn is passed; if all who have cards pass in a row, the game ends;
- actions may be left unused. Who is out of cards may still use the actions of the last one, and draw;
- a cable may run from server to server, and close a ring; its owner may go on from a server whoever else is there;
- with `lone_player="plays_on"` the last player with cards goes on; the game then also ends when nobody has any;
- at the end hands stay hidden: only the number of cards counts;
- equal cards of a deck are told apart by their numbers, and so are plays of either.

Chance acts once: its action is a number below 2**31 from which the shuffle, the lot and random obstacles follow by a hash
(see `setup`). So a deal is one of 2**31, and what is hidden is drawn as if all shuffles were possible.

Actions are numbered in `moves`.

The record has 4720 bytes, of which 3312 are the rows of the table (69 with the margins, six words each; see `table`), and
996 are parameters: the deck above all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, mix, popcount, without_lowest
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype
from gamelab.games.web.cables import CABLES, add_cable, cable_number
from gamelab.games.web.cards import MAX_CARDS, OFFSETS, ORIENTATION, SHAPE_CELLS, SHAPES
from gamelab.games.web.moves import (
    BOUGHT,
    BUY,
    CABLE,
    DRAW,
    END,
    PASS,
    count_plays,
    first_play,
    list_plays,
    list_turn_actions,
    nth_play,
)
from gamelab.games.web.setup import NO_CARD, PILES, clear_table, deal, mark
from gamelab.games.web.table import NOTHING, ROWS, lay_cell

__all__ = ["DTYPE", "place_card", "score"]

NUM_DEALS = 2**31
MAX_PLAYERS = 4
MAX_GIVEN = 64
DEALING, PLAYING, ACTING, OVER = range(4)
NOT_LYING = 0

DTYPE = state_dtype(
    [
        (("cells on which something lies, or that are off the table: bit x of row y + MARGIN", "taken"), np.uint64, (ROWS,)),
        (("three bits of a taken cell's kind: cards.KINDS, or 7 for a wall", "kind"), np.uint64, (3, ROWS)),
        (("cables that run east from a cell", "east"), np.uint64, (ROWS,)),
        (("cables that run north from a cell", "north"), np.uint64, (ROWS,)),
        (("cards in each hand, as a set", "hands"), np.uint64, (MAX_PLAYERS,)),
        (("cards on the table, as a set", "played"), np.uint64),
        (("hash of what lies on the table: cards, cables and obstacles", "layout"), np.uint64),
        (("place of each card: 1 + 4 * (64 * y + x) + rotation, or NOT_LYING", "places"), np.uint16, (MAX_CARDS,)),
        (
            ("cables on the table by player, ascending (see cables.py), then NO_CABLE", "cables"),
            np.uint16,
            (MAX_PLAYERS, CABLES),
        ),
        (
            ("cards in the piles, each from the bottom up from its place `first` on, elsewhere NO_CARD", "piles"),
            np.uint8,
            (64,),
        ),
        (("cards left in each pile", "left"), np.uint8, (PILES,)),
        (("cables on the table, of each player", "built"), np.uint8, (MAX_PLAYERS,)),
        (("cables in front of each player", "front"), np.uint8, (MAX_PLAYERS,)),
        (("points of the computers that each player has connected", "points"), np.int16, (MAX_PLAYERS,)),
        (("player whose turn it is; at the end whose the last was", "player"), np.int8),
        (("DEALING, PLAYING, ACTING or OVER", "phase"), np.uint8),
        (("actions left in the turn", "actions"), np.uint8),
        (("passes in a row just made", "passes"), np.uint8),
        (("parameter: players", "players"), np.uint8),
        (("parameter: cells on a side of the table", "table"), np.uint8),
        (("parameter: 1 if a lone player plays on", "plays_on"), np.uint8),
        (("parameter: obstacles to be placed at random", "random_obstacles"), np.uint8),
        (("parameter: obstacles given by their cells", "num_given"), np.uint8),
        (("parameter: cards in the deck", "num_cards"), np.uint8),
        (("parameter: where each pile begins in `piles`", "first"), np.uint8, (PILES,)),
        (("parameter: cells of the obstacles given, 64 * y + x", "given"), np.uint16, (MAX_GIVEN,)),
        (("parameter: kinds of a card's cells, four bits each", "cells"), np.uint16, (MAX_CARDS,)),
        (("parameter: shape of each card", "shape"), np.uint8, (MAX_CARDS,)),
        (("parameter: dots of each card", "dots"), np.uint8, (MAX_CARDS,)),
        (("parameter: rotations in which a card looks different, as bits", "looks"), np.uint8, (MAX_CARDS,)),
        (("parameter: the cards with the same face as each card, as a set", "twins"), np.uint64, (MAX_CARDS,)),
        (("parameter: the cards of each shape, as a set", "of_shape"), np.uint64, (len(SHAPES),)),
    ],
    __file__,
)


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    clear_table(state)
    state["played"] = NOTHING
    for card in range(MAX_CARDS):
        state["places"][card] = NOT_LYING
        state["piles"][card] = NO_CARD
    for pile in range(PILES):
        state["left"][pile] = 0
    for player in range(MAX_PLAYERS):
        state["hands"][player] = NOTHING
        state["built"][player] = 0
        state["front"][player] = BOUGHT if player < state["players"] else 0
        state["points"][player] = 0
    state["player"] = 0
    state["phase"] = DEALING
    state["actions"] = 0
    state["passes"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    if state["phase"] == DEALING:
        return np.int64(CHANCE)
    return np.int64(TERMINAL) if state["phase"] == OVER else np.int64(state["player"])


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):  # type: ignore[no-untyped-def]
    return np.int64(rng.random() * NUM_DEALS)


# --- what can be played -----------------------------------------------------------------------------------------------


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["phase"] == PLAYING:
        return list_plays(state, out)
    return list_turn_actions(state, out) if state["phase"] == ACTING else 0


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """Counts the placements of each figure instead of listing them for each card: `buffer` holds the counts."""
    if state["phase"] != PLAYING:
        return np.int64(buffer[int(u * list_turn_actions(state, buffer))])
    total = count_plays(state, buffer)
    if total == 0:
        return np.int64(PASS)
    pick = np.int64(u * total)
    hand = state["hands"][state["player"]]
    while hand != NOTHING:
        card = lowest(hand)
        hand = without_lowest(hand)
        for rotation in range(4):
            if state["looks"][card] >> rotation & 1:
                count = np.int64(buffer[ORIENTATION[state["shape"][card], rotation]])
                if pick < count:
                    return nth_play(state, card, rotation, pick)
                pick -= count
    return np.int64(PASS)  # never


# --- what an action does ----------------------------------------------------------------------------------------------


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    action = np.int64(action)
    player = np.int64(state["player"])
    if state["phase"] == DEALING:
        deal(state, action)
        state["phase"] = PLAYING
    elif state["phase"] == PLAYING:
        if action == PASS:
            pass_turn(state)
        else:
            play(state, action - first_play(state))
    elif action == END:
        end_turn(state)
    else:
        state["actions"] -= 1
        if action < BUY:
            draw(state, player, action - DRAW)
        elif action == BUY:
            state["front"][player] += BOUGHT
        else:
            cell, side = (action - CABLE) >> 1, np.int64(state["table"])
            state["front"][player] -= 1
            place_cable(state, player, cable_number(cell % side, cell // side, (action - CABLE) & 1))
        if state["phase"] == ACTING and state["actions"] == 0:
            end_turn(state)


@njit
def play(state: Any, what: Any) -> Any:
    """Play a card from hand, `what` being the action less the lowest of its kind."""
    side = np.int64(state["table"])
    cell, turned = what % (side * side), what // (side * side)
    card = turned >> 2
    state["hands"][state["player"]] ^= bit(card)
    place_card(state, card, cell % side, cell // side, turned & 3)
    state["phase"] = ACTING
    state["actions"] = state["dots"][card]
    state["passes"] = 0


@njit
def place_card(state: Any, card: Any, x: Any, y: Any, rotation: Any) -> Any:
    """Lay a card on the table."""
    shape, place = np.int64(state["shape"][card]), 4 * (64 * y + x) + rotation
    for i in range(SHAPE_CELLS[shape]):
        kind = np.int64(state["cells"][card]) >> 4 * i & 15
        lay_cell(state, x + OFFSETS[shape, rotation, i, 0], y + OFFSETS[shape, rotation, i, 1], kind)
    state["played"] |= bit(card)
    state["places"][card] = 1 + place
    mark(state, place << 6 | card, 0)


@njit
def place_cable(state: Any, player: Any, cable: Any) -> Any:
    """Lay a cable on the table, and count the computer that it connects."""
    state["points"][player] += add_cable(state, player, cable)
    mark(state, cable << 2 | player, 1)


@njit
def draw(state: Any, player: Any, pile: Any) -> Any:
    """Take the top card of a pile; if it was the last, the game is over."""
    state["left"][pile] -= 1
    top = np.int64(state["first"][pile]) + np.int64(state["left"][pile])
    state["hands"][player] |= bit(state["piles"][top])
    state["piles"][top] = NO_CARD
    if state["left"][pile] == 0:
        finish(state)


@njit
def players_with_cards(state: Any) -> Any:
    """How many players hold a card."""
    found = 0
    for player in range(np.int64(state["players"])):
        if state["hands"][player] != NOTHING:
            found += 1
    return found


@njit
def end_turn(state: Any) -> Any:
    """The next player with cards is to play, unless too few have any."""
    state["actions"] = 0
    with_cards = players_with_cards(state)
    if with_cards == 0 or (with_cards == 1 and state["plays_on"] == 0):
        finish(state)
        return
    state["phase"] = PLAYING
    next_player(state)


@njit
def next_player(state: Any) -> Any:
    """On to the next seat with cards, which may be the same."""
    player = (np.int64(state["player"]) + 1) % np.int64(state["players"])
    while state["hands"][player] == NOTHING:
        player = (player + 1) % np.int64(state["players"])
    state["player"] = player


@njit
def pass_turn(state: Any) -> Any:
    """No card fits; if that is so for all, the game is over."""
    state["passes"] += 1
    if np.int64(state["passes"]) >= players_with_cards(state):
        finish(state)
    else:
        next_player(state)


@njit
def finish(state: Any) -> Any:
    """The game is over."""
    state["phase"] = OVER
    state["actions"] = 0


@njit
def score(state: Any, player: Any) -> Any:
    """Points of computers less one for each card in hand."""
    return np.int64(state["points"][player]) - popcount(state["hands"][player])


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    players = np.int64(state["players"])
    best, winners = -MAX_CARDS, 0
    for player in range(players):
        out[player] = 0.0
        if score(state, player) > best:
            best, winners = score(state, player), 0
        if score(state, player) == best:
            winners += 1
    if state["phase"] != OVER:
        return
    for player in range(players):
        share = 1.0 / winners if score(state, player) == best else 0.0
        out[player] = (players * share - 1.0) / (players - 1.0)


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    key = open_key(state)
    for player in range(np.int64(state["players"])):
        key = mix(key ^ state["hands"][player])
    for place in range(np.int64(state["num_cards"])):
        if state["piles"][place] != NO_CARD:
            key ^= mix(np.uint64(64 * place + np.int64(state["piles"][place])))
    return key


@njit
def open_key(state: Any) -> Any:
    """A hash of what everybody sees, besides the faces of hands and piles."""
    turn = np.int64(state["phase"]) | np.int64(state["player"]) << 2 | np.int64(state["actions"]) << 4
    turn |= np.int64(state["passes"]) << 7
    for player in range(np.int64(state["players"])):
        turn |= np.int64(state["front"][player]) << (10 + 5 * player)
    piles = np.int64(0)
    for pile in range(PILES):
        piles |= np.int64(state["left"][pile]) << 6 * pile
    return mix(state["layout"] ^ mix(np.uint64(turn) ^ mix(np.uint64(piles))))
