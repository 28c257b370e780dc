"""What a player of Web believes, by trying every way in which a small deck can have been dealt.

A deal puts each card on a place, and a place is named by the card that truly lies there; a game moves places about.  So another
deal of one shape is a permutation of its cards, and a player must hold it possible if it agrees with all that they have seen,
from the first position on.  The shapes are dealt apart, so each can be looked at alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

from tests.naive import web
from tests.naive.web import Card, Position


def same_face(one: Card, other: Card) -> bool:
    """Tell whether two cards look the same on the table, turned as one likes."""
    return one.shape == other.shape and web.rotations(one)[0] in web.rotations(other).values()


def face_number(deck: Sequence[Card], number: int) -> int:
    """Return the lowest number of a card that has the face of a card."""
    return min(other for other, card in enumerate(deck) if same_face(card, deck[number]))


def seen_faces(past: Sequence[Position]) -> set[int]:
    """Return the cards whose faces have been public at some time: in hands, on piles and on the table."""
    below = [{card for pile in position.piles for card in pile[1:]} for position in past]
    return set(range(len(past[0].deck))) - set.intersection(*below)


def seen_dots(past: Sequence[Position], player: int) -> set[int]:
    """Return the cards whose dots a player has seen: those that they have held and those that were played."""
    held = {card for position in past for card in position.hands[player]}
    last = past[-1]
    return held | (set(range(len(last.deck))) - {card for cards in (*last.hands, *last.piles) for card in cards})


def possible_deals(past: Sequence[Position], player: int, shape: str) -> list[dict[int, int]]:
    """Return every deal of a shape that a player must hold possible: what lies where each card truly lies."""
    deck = past[0].deck
    cards = [number for number, card in enumerate(deck) if card.shape == shape]
    faces, dots = seen_faces(past), seen_dots(past, player)

    def agrees(true: int, other: int) -> bool:
        if true in dots:
            return other == true
        return true not in faces or same_face(deck[true], deck[other])

    deals = [dict(zip(cards, order, strict=True)) for order in permutations(cards)]
    return [deal for deal in deals if all(agrees(true, other) for true, other in deal.items())]


def belief(past: Sequence[Position], player: int) -> dict[tuple[int, ...], Fraction]:
    """Return the dots in the other hands, listed by face number, then holder, then ascending, with probabilities."""
    deck, hands = past[0].deck, past[-1].hands
    others = [seat for seat in range(len(hands)) if seat != player]
    parts = []
    for shape in web.SHAPES:
        deals = possible_deals(past, player, shape)
        keys: Counter[tuple[int, ...]] = Counter()
        for deal in deals:
            held = [(deal[card], seat) for seat in others for card in hands[seat] if card in deal]
            listed = sorted((face_number(deck, card), seat, deck[card].dots) for card, seat in held)
            keys[tuple(dots for _, _, dots in listed)] += 1
        parts.append({key: Fraction(count, len(deals)) for key, count in keys.items()})
    joint: dict[tuple[int, ...], Fraction] = {}
    for (a, p), (b, q), (c, r) in product(*(part.items() for part in parts)):
        joint[a + b + c] = joint.get(a + b + c, Fraction(0)) + p * q * r
    return joint


def arrangements(past: Sequence[Position], player: int, shape: str) -> dict[str, Fraction]:
    """Return how the cards of a shape may lie in hands and piles, as ``arranged`` writes it, with probabilities."""
    last, deals = past[-1], possible_deals(past, player, shape)
    found = Counter(
        arranged(deal, [[deal.get(card, card) for card in cards] for cards in (*last.hands, *last.piles)], len(last.hands))
        for deal in deals
    )
    return {text: Fraction(count, len(deals)) for text, count in found.items()}


def arranged(shape: Sequence[int] | dict[int, int], groups: Sequence[Sequence[int]], hands: int) -> str:
    """Write the cards of a shape in hands, whose order does not matter, and piles, whose order does."""
    kept = [[card for card in cards if card in shape] for cards in groups]
    return str([sorted(cards) for cards in kept[:hands]] + kept[hands:])
