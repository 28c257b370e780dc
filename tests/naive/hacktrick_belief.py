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
from collections.abc import Iterator, Sequence
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
    orders: list[Counter[Hand]] = [Counter() for _ in range(len(log) + 1)]
    for moment, deal in possible_deals(log, player):
        orders[moment][deal.hand] += deal.orders
    if not orders[-1]:
        raise ValueError("no deal agrees with what was seen")
    return [shares(table) for table in orders]


def hidden_cards(log: Sequence[Event], player: int) -> dict[Hand, Fraction]:
    """Return the distribution of what the opponent was dealt and drew, in order, after a log."""
    orders: Counter[Hand] = Counter()
    for moment, deal in possible_deals(log, player):
        if moment == len(log):
            orders[deal.places] += deal.orders
    return shares(orders)


def shares(table: Counter[Hand]) -> dict[Hand, Fraction]:
    """Return each entry's part of the whole."""
    return {cards: Fraction(n, table.total()) for cards, n in table.items()}


def possible_deals(log: Sequence[Event], player: int) -> Iterator[tuple[int, Deal]]:
    """Yield ``k, deal`` for each moment k and each deal that agrees with all events before it."""
    events = seen(log, player)
    waiting = [(0, Deal((), (), copies(DECK), 1))]
    while waiting:
        moment, deal = waiting.pop()
        yield moment, deal
        if moment < len(events):
            longer = after(deal, events[moment], 1 - player)
            waiting += [(moment + 1, deal) for deal in longer]


class Deal(NamedTuple):
    """The places of a deal that have come.

    Attributes
    ----------
    places : tuple of int
        What the opponent was dealt and drew, in order.
    hand : tuple of int
        What of it they still hold, sorted.
    left : tuple of int
        Copies of each number left in the deck.
    orders : int
        In how many ways single cards can lie on all places so far, as they are seen or assigned.
    """

    places: Hand
    hand: Hand
    left: tuple[int, ...]
    orders: int

    def next_place(self, card: int, *, for_opponent: bool) -> Deal:
        """Return the deal with a card on its next place, which the opponent gets or not."""
        places, hand = self.places, self.hand
        if for_opponent:
            places, hand = (*places, card), tuple(sorted((*hand, card)))
        left = (*self.left[:card], self.left[card] - 1, *self.left[card + 1 :])
        return Deal(places, hand, left, self.orders * self.left[card])


def copies(cards: Sequence[int]) -> tuple[int, ...]:
    """Return how many of each number there are."""
    return tuple(list(cards).count(number) for number in NUMBERS)


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
