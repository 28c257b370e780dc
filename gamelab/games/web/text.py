"""Web in text: actions, and positions.

A position is lines in any order; before the deal it is the one word ``deal``::

    player 1 acts, 3 left
    obstacles 17,20 23,25
    player 0: hand 4 21 33; front 1; cables 20,20E 21,20N
    player 1: hand 8 40; front 3
    table 17@21,20r1 50@18,20
    pile 0: 5 9 2 11
    ...

First whose turn it is: ``player 1 plays`` a card (``player 1 plays, 1 passed`` before), ``player 1 acts, 3 left``, or
``player 1 was last`` in a game that is over. ``front`` is how many cables lie in front of a player, 3 if left out; those on the
table are behind ``cables``, the rest of the 18 is in store. As each began with three and bought by threes, the two together
are 3, 6, ... or 18. On the table a card lies as in ``card 17 @ 21,20 r1``, r0 may be left out; the central server is always
there. Piles are read from the top down. Cards named nowhere go to the piles, in ascending order from the bottom up, if both
piles of their shape are left out. Obstacles are named only if they were placed at random.

A position need not be reachable from the start, but must be one that the rules allow to stand: cards border on each other and
do not overlap, and the cables can be placed in some order.
"""

from __future__ import annotations

import re
from typing import Any

from gamelab.core.errors import NotationError, quoted
from gamelab.games.web import moves, rules
from gamelab.games.web.cards import Deck, distinct_rotations
from gamelab.games.web.hidden import pile_cards
from gamelab.games.web.setup import OBSTACLE_REACH, PILES, may_be_obstacle
from gamelab.games.web.table import walls

__all__ = [
    "action_to_string",
    "cable_name",
    "cards_of",
    "first_of_plays",
    "lowest_look",
    "open_lines",
    "place_of",
    "player_line",
    "random_obstacles",
    "string_to_action",
    "turn_line",
    "write_position",
]

ACTION_PATTERN = re.compile(
    r"(?P<word>deal|draw)\s+(?P<number>[0-9]{1,10})"
    r"|cable\s+(?P<x>[0-9]{1,2})\s*,\s*(?P<y>[0-9]{1,2})\s*(?P<way>[en])"
    r"|card\s+(?P<card>[0-9]{1,2})\s*@\s*(?P<left>[0-9]{1,2})\s*,\s*(?P<low>[0-9]{1,2})\s*(?:r\s*(?P<turned>[0-3]))?"
)
WORDS = {"buy": moves.BUY, "end": moves.END, "pass": moves.PASS}
HOW_TO = "write card 17 @ 20,21 r1, draw 3, buy, cable 20,21 E, end or pass"


def first_of_plays(side: int) -> int:
    """The lowest action that plays a card, on a table of `side` cells a side."""
    return moves.CABLE + 2 * side * side


def action_to_string(state: Any, action: int) -> str:
    """`card 17 @ 20,21 r1`, `draw 3`, `buy`, `cable 20,21 E`, `end`, `pass`; the deal is `deal 12345`."""
    side = int(state["table"])
    plays = first_of_plays(side)
    if state["phase"] == rules.DEALING or action >= plays + 4 * side * side * int(state["num_cards"]):
        return f"deal {action}"
    if action >= plays:
        turned, cell = divmod(action - plays, side * side)
        return f"card {turned // 4} @ {cell % side},{cell // side} r{turned % 4}"
    if action >= moves.CABLE:
        cell, way = divmod(action - moves.CABLE, 2)
        return f"cable {cell % side},{cell // side} {'EN'[way]}"
    return {number: word for word, number in WORDS.items()}.get(action, f"draw {action}")


def string_to_action(state: Any, deck: Deck, text: str) -> int:
    """The inverse of `action_to_string`; capital letters do not matter, and a rotation may be any that looks the same."""
    word = text.strip().lower() if isinstance(text, str) else ""
    dealing = state["phase"] == rules.DEALING
    if word in WORDS and not dealing:
        return WORDS[word]
    match = ACTION_PATTERN.fullmatch(word)
    if not match or (match["word"] == "deal") != dealing:
        raise NotationError(f"{quoted(text)} is no move of web here: {'write deal and a number' if dealing else HOW_TO}")
    if match["word"]:
        number = int(match["number"])
        if number >= (rules.NUM_DEALS if dealing else PILES):
            last = f"deals are 0 to {rules.NUM_DEALS - 1}" if dealing else f"piles are 0 to {PILES - 1}"
            raise NotationError(f"{quoted(text)} is no move of web: {last}")
        return number
    side = int(state["table"])
    x, y = (int(match[name]) for name in (("x", "y") if match["way"] else ("left", "low")))
    if x >= side or y >= side:
        raise NotationError(f"{quoted(text)} is no move of web: the table's cells are 0,0 to {side - 1},{side - 1}")
    if match["way"]:
        return moves.CABLE + 2 * (side * y + x) + "en".index(match["way"])
    card, rotation = int(match["card"]), int(match["turned"] or 0)
    if card >= len(deck.cards):
        raise NotationError(f"{quoted(text)} is no move of web: the cards are 0 to {len(deck.cards) - 1}")
    return first_of_plays(side) + (4 * card + lowest_look(deck, card, rotation)) * side * side + side * y + x


def lowest_look(deck: Deck, card: int, rotation: int) -> int:
    """The lowest rotation in which a card looks as in the given one."""
    looks = distinct_rotations(deck.cards[card])
    return rotation if rotation in looks else rotation % len(looks)


# --- writing ----------------------------------------------------------------------------------------------------------


def cards_of(word: Any) -> list[int]:
    """The cards of a set, ascending."""
    return [card for card in range(64) if int(word) >> card & 1]


def place_of(state: Any, card: int) -> tuple[int, int, int]:
    """x, y and rotation of a card on the table."""
    place = int(state["places"][card]) - 1
    return place >> 2 & 63, place >> 8, place & 3


def cable_name(cable: int) -> str:
    """`20,21E`: from that cell to the east."""
    return f"{cable >> 1 & 63},{cable >> 7}{'EN'[cable & 1]}"


def random_obstacles(state: Any) -> list[tuple[int, int]]:
    """The obstacles that were placed at random, row by row."""
    if not state["random_obstacles"]:
        return []
    centre = int(state["table"]) // 2
    near = range(centre - OBSTACLE_REACH, centre + OBSTACLE_REACH + 1)
    return [(x, y) for y in near for x in near if may_be_obstacle(state, x, y) and int(walls(state, y)) >> x & 1]


def turn_line(state: Any) -> str:
    """Whose turn it is and what they may do."""
    player = f"player {state['player']}"
    if state["phase"] == rules.ACTING:
        return f"{player} acts, {state['actions']} left"
    passed = f", {state['passes']} passed" if state["passes"] else ""
    return f"{player} plays{passed}" if state["phase"] == rules.PLAYING else f"{player} was last{passed}"


def write_position(state: Any) -> str:
    """The position as text; `position.read_position` is its exact inverse."""
    if state["phase"] == rules.DEALING:
        return "deal"
    lines = [turn_line(state), *open_lines(state)]
    for player in range(int(state["players"])):
        lines.append(player_line(state, player, " ".join(map(str, cards_of(state["hands"][player]))) or "-"))
    for pile in range(PILES):
        lines.append(f"pile {pile}: {' '.join(map(str, pile_cards(state, pile))) or '-'}")
    return "\n".join(lines)


def open_lines(state: Any) -> list[str]:
    """Obstacles and cards on the table."""
    lines = []
    obstacles = random_obstacles(state)
    if obstacles:
        lines.append(f"obstacles {' '.join(f'{x},{y}' for x, y in obstacles)}")
    cards = [(card, *place_of(state, card)) for card in cards_of(state["played"])]
    return [*lines, f"table {' '.join(f'{card}@{x},{y}r{turned}' for card, x, y, turned in cards) or '-'}"]


def player_line(state: Any, player: int, hand: str) -> str:
    """A player's hand, cables in front, and cables on the table."""
    cables = [cable_name(int(cable)) for cable in state["cables"][player, : int(state["built"][player])]]
    line = f"player {player}: hand {hand}; front {state['front'][player]}"
    return line + (f"; cables {' '.join(cables)}" if cables else "")
