"""What a player of Hack Trick can know of the other's hand: all deals tried one after another.

A deal is a whole order of the deck.  Of its 18 places a player has seen some (the cards turned up,
the own cards) and not others: the opponent's cards as dealt and drawn, and what is still in the
deck.  Assigning a number to each of the opponent's places, in the order in which they came, fixes
everything that has happened so far; the rest of the deck is free.  So many of the 18! orders of
the single cards agree with an assignment:

    (product over all places that have come of the copies of the number not yet used) * rest!

and ``rest!`` is the same for all assignments.  Seen places count in the product too: a number that
the opponent got leaves fewer copies for the own hand.  A reshuffle makes a new deck of cards that
all can see, in an order independent of everything before: the sequence of places goes on with new
copies, and the counts of orders multiply.

Nothing is normalised or merged on the way: each deal is followed by itself from its first card to
the first thing that contradicts it, and whatever is still possible after an event adds its number
of orders to that event's table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tests.naive.hacktrick import DECK, Event

HIDDEN = None  # stands for a card that the player has not seen

NUMBERS = range(6)

Hand = tuple[int, ...]


def seen(log: Sequence[Event], player: int) -> list[Event]:
    """Return a game's log as a player saw it: without the cards dealt to and drawn by the other."""
    hides = [("dealt", 1 - player), ("drawn", 1 - player)]
    return [(*event[:2], HIDDEN) if event[:2] in hides else event for event in log]


def beliefs(log: Sequence[Event], player: int) -> list[dict[Hand, Fraction]]:
    """Return the distribution over the opponent's hand at every moment of a game.

    Parameters
    ----------
    log : sequence of tuple
        The events of the game; what the player has not seen is not looked at.
    player : int
        The one who wonders.

    Returns
    -------
    list of dict
        Entry k after the first k events: from sorted hands to probabilities, which add up to 1.

    Raises
    ------
    ValueError
        If no deal agrees with the log.
    """
    events = seen(log, player)
    orders: list[Counter[Hand]] = [Counter() for _ in range(len(events) + 1)]
    follow(Deal((), copies(DECK), 1), events, 0, 1 - player, orders)
    if not orders[-1]:
        raise ValueError("no deal agrees with what was seen")
    return [{hand: Fraction(n, table.total()) for hand, n in table.items()} for table in orders]


class Deal(NamedTuple):
    """The places of a deal that have come: the opponent's hand, the copies of each number left in
    the deck, and how many orders of single cards these places have."""

    hand: Hand
    left: tuple[int, ...]
    orders: int

    def next_place(self, card: int, *, for_opponent: bool) -> Deal:
        """Return the deal with a card on its next place, which the opponent gets or not."""
        hand = tuple(sorted((*self.hand, card))) if for_opponent else self.hand
        left = (*self.left[:card], self.left[card] - 1, *self.left[card + 1 :])
        return Deal(hand, left, self.orders * self.left[card])


def copies(cards: Sequence[int]) -> tuple[int, ...]:
    """Return how many of each number there are."""
    return tuple(list(cards).count(number) for number in NUMBERS)


def follow(deal: Deal, events: list[Event], index: int, other: int, tables: list[Counter[Hand]]) -> None:
    """Follow a deal that agrees with all events before ``index``, through all that it may become.

    Adds its orders to the opponent's hand in the table of each moment that it lives to see.
    """
    tables[index][deal.hand] += deal.orders
    if index < len(events):
        for longer in after(deal, events[index], other):
            follow(longer, events, index + 1, other, tables)


def after(deal: Deal, event: Event, other: int) -> list[Deal]:
    """Return what a deal may be after an event: nothing if the event contradicts it."""
    kind, *_, what = event
    hand = deal.hand
    if kind == "reshuffle":
        return [deal._replace(left=copies(what))]
    if kind in ("out", "dealt", "drawn"):
        hidden = what is HIDDEN
        cards = NUMBERS if hidden else [what]
        return [deal.next_place(card, for_opponent=hidden) for card in cards if deal.left[card]]
    if event[1] != other:
        return [deal]
    if kind in ("open", "play"):
        at = hand.index(what) if what in hand else None
        return [] if at is None else [deal._replace(hand=hand[:at] + hand[at + 1 :])]
    agrees = sum(hand) == what if kind == "sum" else hand == what
    return [deal] if agrees else []
