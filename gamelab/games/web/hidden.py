"""What a player of Web knows, and drawing the rest.

Everybody sees the table, the faces of all hands, and the face on top of each pile. The dots of a card, and with them which of
the cards with that face it is, are known to who holds it, and to all once it is played. Of the cards below the tops nobody
knows anything. All shuffles being equally likely, and none of these facts telling more than which cards can lie in a place:
each place of a known face holds any of the unknown cards of that face, without repetition and all ways equally likely; the
cards that are left are in the piles below the tops, in any order.

Cards with the same face are *twins*; the lowest number among them stands for the face.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, mix, nth, popcount
from gamelab.core.rules import implements
from gamelab.games.web.cards import SHAPES
from gamelab.games.web.rules import DEALING, DTYPE, open_key
from gamelab.games.web.setup import NO_CARD, PILES
from gamelab.games.web.table import NOTHING

__all__ = ["face_number", "pile_cards", "top_of", "unknown_cards"]

TOP = 7  # in keys stands for a pile instead of a player


@njit
def face_number(state: Any, card: Any) -> Any:
    """The face of a card, as the lowest number of a card that has it."""
    return lowest(state["twins"][card])


@njit
def top_of(state: Any, pile: Any) -> Any:
    """Where the top card of a pile stands in `piles`; -1 if the pile is empty."""
    left = np.int64(state["left"][pile])
    return np.int64(state["first"][pile]) + left - 1 if left > 0 else np.int64(-1)


@njit
def unknown_cards(state: Any, player: Any) -> Any:
    """The cards that the player neither holds nor has seen on the table."""
    found = NOTHING
    for shape in range(len(SHAPES)):
        found |= state["of_shape"][shape]
    return found & ~(state["hands"][player] | state["played"])


@implements(rules.information_key, DTYPE)
def information_key(state, player):  # type: ignore[no-untyped-def]
    """What lies open, the own hand, and the faces of the other hands and of the tops.

    How it came about is no part of it: who drew and laid what and when says nothing about what is hidden.
    """
    key = mix(open_key(state) ^ mix(state["hands"][player]) ^ np.uint64(player))
    if state["phase"] == DEALING:
        return key
    for face in range(np.int64(state["num_cards"])):
        twins = state["twins"][face]
        if lowest(twins) == face:
            for other in range(np.int64(state["players"])):
                if other != player:
                    held = popcount(state["hands"][other] & twins)
                    if held > 0:
                        key ^= mix(np.uint64(face | held << 6 | other << 13))
    for pile in range(PILES):
        top = top_of(state, pile)
        if top >= 0:
            key ^= mix(np.uint64(face_number(state, state["piles"][top]) | TOP << 13 | pile << 16))
    return mix(key)


@implements(rules.resample, DTYPE)
def resample(state, player, rng):  # type: ignore[no-untyped-def]
    if state["phase"] == DEALING:
        return
    unknown = unknown_cards(state, player)
    deep = NOTHING
    for face in range(np.int64(state["num_cards"])):
        if lowest(state["twins"][face]) == face:
            deep |= _resample_face(state, player, face, unknown & state["twins"][face], rng)
    for shape in range(len(SHAPES)):
        _resample_piles(state, shape, deep & state["of_shape"][shape], rng)


@njit
def _drawn(cards: Any, rng: Any) -> Any:
    """One of the cards, as a set of one."""
    return bit(nth(cards, np.int64(rng.random() * popcount(cards))))


@njit
def _resample_face(state: Any, player: Any, face: Any, cards: Any, rng: Any) -> Any:
    """Deal the unknown cards of one face to the places where that face is seen; return those that are left."""
    twins = state["twins"][face]
    for other in range(np.int64(state["players"])):
        if other != player:
            held = popcount(state["hands"][other] & twins)
            hand = state["hands"][other] & ~twins
            for _ in range(held):
                card = _drawn(cards, rng)
                cards ^= card
                hand |= card
            state["hands"][other] = hand
    for pile in range(PILES):
        top = top_of(state, pile)
        if top >= 0 and twins & bit(state["piles"][top]) != NOTHING:
            card = _drawn(cards, rng)
            cards ^= card
            state["piles"][top] = lowest(card)
    return cards


@njit
def _resample_piles(state: Any, shape: Any, cards: Any, rng: Any) -> Any:
    """Put the cards of a shape that nobody has seen into the piles below the tops."""
    for pile in range(2 * shape, 2 * shape + 2):
        first = np.int64(state["first"][pile])
        for place in range(first, top_of(state, pile)):
            card = _drawn(cards, rng)
            cards ^= card
            state["piles"][place] = lowest(card)


def pile_cards(state: Any, pile: int) -> list[int]:
    """The cards of a pile from the top down."""
    first, left = int(state["first"][pile]), int(state["left"][pile])
    return [int(card) for card in state["piles"][first : first + left][::-1] if card != NO_CARD]
