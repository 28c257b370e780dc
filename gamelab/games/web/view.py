"""Web as a player sees it, in words: what they know, what they believe, a table for the terminal, and what actions mean."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core.errors import ParameterError
from gamelab.games.web import rules
from gamelab.games.web.cables import CABLES
from gamelab.games.web.cards import KINDS, SHAPES, Card, Deck
from gamelab.games.web.hidden import face_number, pile_cards, unknown_cards
from gamelab.games.web.rules import score
from gamelab.games.web.setup import PILES
from gamelab.games.web.table import EMPTY, MARGIN, WALL
from gamelab.games.web.text import action_to_string, cards_of, first_of_plays, open_lines, player_line, turn_line

__all__ = [
    "belief",
    "card_in_words",
    "describe_belief",
    "describe_end",
    "dots_of_hands",
    "draw_table",
    "explain_actions",
    "face_in_words",
    "face_of",
    "kinds_of",
    "owners",
    "status",
    "window",
    "write_information",
]

LETTERS = "abcd"  # of the players' cables
MOST_POSSIBILITIES = 100_000
TOO_MANY = f"web: the other hands may have dots in more than {MOST_POSSIBILITIES} ways"
SHOWN = 12


def face_in_words(card: Card) -> str:
    """A card as it lies: `block 1S/.2` is the upper row above the lower one."""
    cells = card.cells
    rows = (cells, f"{cells[2]}/{cells[:2]}", f"{cells[2:]}/{cells[:2]}")[card.shape]
    return f"{SHAPES[card.shape]} {rows}"


def face_of(state: Any, deck: Deck, card: int) -> Card:
    """What the front of a card shows to those who do not know which of those with that face it is.

    That is the first card of them. Another may be written turned in the deck's file, which would tell it apart.
    """
    return deck.cards[int(face_number(state, card))]


def card_in_words(deck: Deck, card: int) -> str:
    """A card with number, face and dots."""
    dots = deck.cards[card].dots
    return f"{card} ({face_in_words(deck.cards[card])}, {dots} dot{'s' * (dots != 1)})"


# --- what a player knows ----------------------------------------------------------------------------------------------


def write_information(state: Any, deck: Deck, player: int) -> str:
    """All that the player knows. Two states have the same text exactly if the player cannot tell them apart.

    It is the table as the terminal has it, and the position as `text` has it, but of the other hands and of the piles it tells
    faces, by the lowest number of a card that has the face.
    """
    if state["phase"] == rules.DEALING:
        return f"player {player}\ndeal"
    lines = [f"known to player {player}", *_table_lines(state), turn_line(state), *open_lines(state)]
    for seat in range(int(state["players"])):
        cards = cards_of(state["hands"][seat])
        if seat == player:
            hand = [card_in_words(deck, card) for card in cards]
        else:
            hand = [_like(deck, face) for face in sorted(int(face_number(state, card)) for card in cards)]
        lines.append(player_line(state, seat, ", ".join(hand) or "-"))
    for pile in range(PILES):
        cards = pile_cards(state, pile)
        top = f", on top {_like(deck, int(face_number(state, cards[0])))}" if cards else ""
        lines.append(f"pile {pile}: {len(cards)}{top}")
    return "\n".join(lines)


def _like(deck: Deck, face: int) -> str:
    """A card of which only the face is known."""
    return f"like {face} ({face_in_words(deck.cards[face])})"


def _faces_of_others(state: Any, player: int) -> dict[int, dict[int, int]]:
    """For each face in another's hand how many cards of it each of the others holds, by the faces' numbers."""
    found: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for other in range(int(state["players"])):
        if other != player:
            for card in cards_of(state["hands"][other]):
                found[int(face_number(state, card))][other] += 1
    return {face: dict(found[face]) for face in sorted(found)}


def _unknown_of_face(state: Any, player: int, face: int) -> list[int]:
    return cards_of(int(unknown_cards(state, player)) & int(state["twins"][face]))


def dots_of_hands(state: Any, player: int) -> list[tuple[int, int, dict[int, float]]]:
    """For each card in another's hand who holds it, its face's number, and how likely it has so many dots."""
    found = []
    for face, held in _faces_of_others(state, player).items():
        dots = [int(state["dots"][card]) for card in _unknown_of_face(state, player, face)]
        shares = {number: dots.count(number) / len(dots) for number in sorted(set(dots))}
        found += [(other, face, shares) for other, count in sorted(held.items()) for _ in range(count)]
    return sorted(found, key=lambda entry: entry[:2])


def belief(state: Any, player: int) -> dict[tuple[int, ...], float]:
    """The dots in the other hands, with probabilities. A key lists them by face number, then holder, then ascending.

    Raises
    ------
    ParameterError
        If there are too many possibilities to list.
    """
    faces = _faces_of_others(state, player) if state["phase"] != rules.DEALING else {}
    parts = []
    for face, held in faces.items():
        parts.append(_belief_of_face(_unknown_of_face(state, player, face), list(held.values()), state["dots"]))
    if prod(len(part) for part in parts) > MOST_POSSIBILITIES:
        raise ParameterError(TOO_MANY)
    joint: dict[tuple[int, ...], float] = {(): 1.0}
    for part in parts:
        joint = {key + dots: p * share for key, p in joint.items() for dots, share in part.items()}
    return joint


def _belief_of_face(cards: list[int], counts: list[int], dots: Any) -> dict[tuple[int, ...], float]:
    """The dots that hands with so many cards each may get of these cards, which have the same face."""
    stock = Counter(int(dots[card]) for card in cards)
    ways = prod(comb(len(cards) - sum(counts[:i]), count) for i, count in enumerate(counts))
    found: dict[tuple[int, ...], float] = {}
    for key, number in _deals(stock, counts):
        if len(found) == MOST_POSSIBILITIES:
            raise ParameterError(TOO_MANY)
        found[key] = number / ways
    return found


def _deals(stock: Counter[int], counts: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """The dots of hands of so many cards, each hand's ascending, and in how many ways the cards can be dealt like that."""
    if not counts:
        yield (), 1
        return
    for hand, ways in _hands(sorted(stock.items()), counts[0]):
        for rest, others in _deals(stock - Counter(hand), counts[1:]):
            yield hand + rest, ways * others


def _hands(stock: list[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The dots of one hand, ascending, from so many cards with each number of dots, and in how many ways."""
    if not stock:
        if size == 0:
            yield (), 1
        return
    (dots, there), *others = stock
    for taken in range(min(there, size) + 1):
        for rest, ways in _hands(others, size - taken):
            yield (dots,) * taken + rest, comb(there, taken) * ways


def describe_belief(state: Any, deck: Deck, player: int) -> str:
    """For each card in another's hand how many dots it may have."""
    lines = []
    for other, face, shares in dots_of_hands(state, player):
        chances = ", ".join(f"{100 * share:.0f} % {number}" for number, share in shares.items())
        lines.append(f"player {other}, {face_in_words(deck.cards[face])}: dots {chances}")
    return "\n".join(lines) or "no cards in other hands"


# --- the terminal -----------------------------------------------------------------------------------------------------


def status(state: Any) -> str:
    """What is going on, in a few words."""
    if state["phase"] == rules.DEALING:
        return "cards are dealt"
    if state["phase"] == rules.OVER:
        return f"game over, {describe_end(state)}"
    return turn_line(state)


def describe_end(state: Any) -> str:
    """How the game ended and the scores."""
    if state["phase"] != rules.OVER:
        return "not over"
    with_cards = int(rules.players_with_cards(state))
    if not all(state["left"]):
        how = "pile exhausted"
    elif state["passes"]:
        how = "no card fits"
    else:
        how = "one player has cards" if with_cards else "nobody has cards"
    return f"{how}; scores {' '.join(str(int(score(state, player))) for player in range(int(state['players'])))}"


def window(state: Any, margin: int = 1) -> tuple[int, int, int, int]:
    """The part of the table in use: lowest x and y, highest x and y, with a margin if there is room."""
    xs, ys = np.nonzero(kinds_of(state) < WALL)
    left, low, right, high = int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())
    last = int(state["table"]) - 1
    return max(0, left - margin), max(0, low - margin), min(last, right + margin), min(last, high + margin)


def kinds_of(state: Any) -> NDArray[np.uint64]:
    """The kind of each cell of the table, from 0 to 8, indexed by x and y."""
    side = int(state["table"])
    rows, columns = slice(MARGIN, MARGIN + side), np.arange(side, dtype=np.uint64)[:, None]
    taken, *bits = (words[rows] >> columns & np.uint64(1) for words in (state["taken"], *state["kind"]))
    return np.where(taken, bits[0] + 2 * bits[1] + 4 * bits[2], np.uint64(EMPTY))


def owners(state: Any) -> dict[int, int]:
    """Whose each cable on the table is."""
    found = {}
    for player in range(int(state["players"])):
        for cable in state["cables"][player, : int(state["built"][player])]:
            found[int(cable)] = player
    return found


def draw_table(state: Any, deck: Deck) -> str:
    """The table with open cells `.`, computers, servers `S`, obstacles `#`, and cables as players' letters; then the rest."""
    lines = [*_table_lines(state), status(state)]
    if state["phase"] == rules.DEALING:
        return "\n".join(lines)
    for player in range(int(state["players"])):
        lines.append(_player_in_words(state, deck, player))
    for pile in range(PILES):
        cards = pile_cards(state, pile)
        top = f", on top {face_in_words(face_of(state, deck, cards[0]))}" if cards else ""
        lines.append(f"pile {pile}: {len(cards)}{top}")
    return "\n".join(lines)


def _table_lines(state: Any) -> list[str]:
    """What lies on the table, from the north down, and the columns' numbers in two rows."""
    left, low, right, high = window(state)
    cables = owners(state)

    def cable(x: int, y: int, way: int) -> str:
        owner = cables.get(2 * (64 * y + x) + way)
        return " " if owner is None else LETTERS[owner]

    kinds = kinds_of(state)
    lines = []
    for y in range(high, low - 1, -1):
        if y < high:
            lines.append("   " + " ".join(cable(x, y, 1) for x in range(left, right + 1)).rstrip())
        cells = "".join(_sign(int(kinds[x, y])) + cable(x, y, 0) for x in range(left, right + 1))
        lines.append(f"{y:>2} {cells.rstrip()}")
    lines += ["   " + " ".join(str(x // 10) for x in range(left, right + 1)).rstrip()]
    lines += ["   " + " ".join(str(x % 10) for x in range(left, right + 1)).rstrip()]
    return lines


def _sign(kind: int) -> str:
    return {EMPTY: " ", WALL: "#"}.get(kind) or KINDS[kind]


def _player_in_words(state: Any, deck: Deck, player: int) -> str:
    hand = ", ".join(card_in_words(deck, card) for card in cards_of(state["hands"][player])) or "-"
    front, built = int(state["front"][player]), int(state["built"][player])
    return (
        f"player {player} ({LETTERS[player]}): {state['points'][player]} points; cables {front} in front, "
        f"{CABLES - front - built} in store; hand {hand}"
    )


# --- what actions mean ------------------------------------------------------------------------------------------------


def explain_actions(state: Any, deck: Deck, actions: list[int]) -> str:
    """The legal actions in words, placements of a card in one line."""
    plays = first_of_plays(int(state["table"]))
    cells = int(state["table"]) ** 2
    by_card: dict[int, list[int]] = defaultdict(list)
    lines = []
    for action in actions:
        if action >= plays:
            by_card[(action - plays) // cells // 4].append(action)
        elif action < PILES:
            cards = pile_cards(state, action)
            lines.append(f"  draw {action}: the {face_in_words(face_of(state, deck, cards[0]))} on {len(cards) - 1} more")
        else:
            lines.append(f"  {action_to_string(state, action)}")
    for card, ways in by_card.items():
        names = [action_to_string(state, action).split("@ ")[1] for action in ways]
        more = f" ... {len(names)} ways" if len(names) > SHOWN else ""
        lines.append(f"  card {card_in_words(deck, card)} @ {'; '.join(names[:SHOWN])}{more}")
    return "\n".join(lines)
