"""Web as a `Game`: metadata, parameters, notation, beliefs and pictures."""

from __future__ import annotations

import re
from typing import Any

from gamelab.core.datafiles import full_path
from gamelab.core.errors import ParameterError, cut, quoted
from gamelab.core.game import Game, Parameter
from gamelab.core.numbers import is_whole
from gamelab.games.web import evaluation as _evaluation  # noqa: F401 - binds rules.evaluate
from gamelab.games.web import moves, rules, text, view
from gamelab.games.web.cables import CABLES
from gamelab.games.web.cards import SHAPES, Deck, tables_of
from gamelab.games.web.deckfile import built_in_decks, read_deck
from gamelab.games.web.drawing import draw_svg
from gamelab.games.web.position import read_position
from gamelab.games.web.table import MAX_TABLE

__all__ = ["Web"]

MOST_OBSTACLES = 15 * 15 - 5  # within seven columns and rows of the centre, it and its neighbours excepted
OPENING_SIDES, SIDES_A_CARD = 4, 6  # of the central server; what a card adds at most, its own 8 less the two where it borders
PLACES_A_SIDE = (12, 12, 16)  # placements of a straight, a bend, a block that cover one cell: 4 rotations, 3 or 4 cells


class Web(Game):
    """Web for two to four, with hidden dots. See `gamelab.games.web.rules`; positions: `.text`; decks: `.deckfile`."""

    name = "web"
    title = "Web"
    dtype = rules.DTYPE
    chance_mode = "sampled"
    hidden_information = True
    num_sampled_outcomes = rules.NUM_DEALS
    parameter_specs = {  # noqa: RUF012
        "players": Parameter(2, "number of players", low=2, high=4),
        "deck": Parameter("standard", "name of a deck, or the path of a deck file"),
        "table": Parameter(41, "cells on a side of the table, an odd number", low=15, high=MAX_TABLE),
        "obstacles": Parameter("0", f'how many to place at random, or at most {rules.MAX_GIVEN} cells, such as "3,4 5,6"'),
        "lone_player": Parameter("end", "whether the game ends when one player has cards", choices=("end", "plays_on")),
    }
    rules_text = """\
Web (after the rule text 000_baa3e10e47c26906.txt, the "Web Rulebook"; card faces and what it leaves open are ours)

61 cards of square cells, 18 cables for each player. A cell is open `.`, a computer worth `1` to `5` points, or a server `S`.
On the back of a card are 1 to 5 dots. Shapes: straight, bend, block. The central server lies in the middle of the table.
Each player is dealt a card of each shape; the others are six piles, faces up: 0 1 straight, 2 3 bends, 4 5 blocks. The dots of
a card are known to who holds it only, until it is played. The player whose cards show the fewest computers starts.

A turn.
1. Play a card: `card 17 @ 20,21 r1` lays card 17, a quarter turn to the left, with its south-west corner on cell 20,21. It
   covers nothing, and one of its sides borders on a card. Whoever can play must; else `pass`.
2. Then take up to as many actions as the card has dots, in any order, and `end` the turn earlier if you like:
   `draw 3`        the top card of a pile
   `buy`           three cables, while your store has them; three are in front of you at the start
   `cable 20,21 E` places a cable from that cell to its neighbour in the east (or `N`, in the north)

Cables. One end must be a server, or an open cell with a cable of yours. At most one cable crosses a side of a cell. Open cells
take cables from all sides, of all players; a server one at each side; a computer one in all, and its points go to who placed
it. Both ends lie on cards, or in gaps: empty cells too few for any card. Obstacles take neither cards nor cables.

The game ends at once when a pile is exhausted, and at the end of a turn when only one player has cards (lone_player=plays_on:
when none has), or when nobody can play. Score: the points of your computers, less one for each card in hand. Most points win.

obstacles=4 places four at random near the centre; obstacles="18,20 22,20" names their cells. deck=FILE reads a deck file, see
gamelab/games/web/deckfile.py.
"""

    def __init__(self, /, **parameters: object) -> None:
        obstacles = parameters.get("obstacles")
        if is_whole(obstacles):
            parameters["obstacles"] = quoted(int(obstacles))  # not str, which refuses numbers of 5000 digits
        super().__init__(**parameters)
        self.num_players, side = int(self._parameters["players"]), int(self._parameters["table"])
        if side % 2 == 0:
            raise ParameterError(f"web, table: {side} is even, then no cell is in the middle")
        self._random_obstacles, self._given = _read_obstacles(str(self._parameters["obstacles"]), side)
        cells = " ".join(f"{x},{y}" for x, y in self._given)
        self._parameters["obstacles"] = cells or str(self._random_obstacles)  # one way to write it, for what tells games apart
        which = str(self._parameters["deck"])
        if which not in built_in_decks():
            which = full_path("web, deck", which)
            self._parameters["deck"] = which
        self.deck = read_deck(which, self.num_players)
        self._tables = tables_of(self.deck)
        self.player_names = tuple(f"player {player}" for player in range(self.num_players))
        self.num_distinct_actions = text.first_of_plays(side) + 4 * side * side * len(self.deck.cards)
        self.max_legal_actions = min(most_plays(self.deck), self.num_distinct_actions)

    def write_parameters(self, state: Any) -> None:
        state["players"] = self.num_players
        state["table"] = self._parameters["table"]
        state["plays_on"] = self._parameters["lone_player"] == "plays_on"
        state["random_obstacles"] = self._random_obstacles
        state["num_given"] = len(self._given)
        state["given"][: len(self._given)] = [64 * y + x for x, y in self._given]
        state["num_cards"] = len(self.deck.cards)
        for name, values in self._tables.items():
            state[name][: len(values)] = values
        state["first"] = first_of_piles(self.deck)

    def action_to_string(self, state: Any, action: int) -> str:
        return text.action_to_string(state, action)

    def string_to_action(self, state: Any, text_of_action: str) -> int:
        return text.string_to_action(state, self.deck, text_of_action)

    def write_text(self, state: Any) -> str:
        return text.write_position(state)

    def read_text(self, text_of_position: str, state: Any) -> None:
        read_position(self.deck, text_of_position, state)

    def write_information(self, state: Any, player: int) -> str:
        return view.write_information(state, self.deck, player)

    def belief(self, state: Any, player: int) -> dict[Any, float]:
        """The dots in the other hands: tuples ordered by face, holder and number, with their probabilities."""
        return dict(view.belief(state, player))

    def describe_belief(self, state: Any, player: int) -> str:
        """For each card in another's hand how many dots it may have."""
        return view.describe_belief(state, self.deck, player)

    def explain_actions(self, state: Any, actions: list[int]) -> str:
        return view.explain_actions(state, self.deck, actions)

    def draw_text(self, state: Any) -> str:
        return view.draw_table(state, self.deck)

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        return draw_svg(state, self.deck, player=player, last_action=last_action)

    def scores(self, state: Any) -> tuple[float, ...]:
        """Points of the computers connected, minus one for each card in hand."""
        return tuple(float(rules.score(state, player)) for player in range(self.num_players))

    def describe_end(self, state: Any) -> str:
        return view.describe_end(state)


def first_of_piles(deck: Deck) -> list[int]:
    """Where each pile begins in the record: each has room for half of the cards of its shape."""
    first = [0]
    for shape in range(len(SHAPES)):
        cards = len(deck.of_shape(shape))
        first += [first[-1] + cards - cards // 2, first[-1] + cards]
    return first[:-1]


def most_plays(deck: Deck) -> int:
    """An upper bound for the legal actions of any state.

    With k cards on the table their sides towards empty cells are at most 4 + 6k. Each play covers an empty cell at such a
    side, in one of `PLACES_A_SIDE` ways for each card in hand; and hand, table and the six piles, none of them empty, share
    the deck. Random games come to some 3,300. Actions after a card are fewer: 2 for each of 9 + 2C.
    """
    cards = len(deck.cards) - 2 * len(SHAPES)
    counts = [len(deck.of_shape(shape)) for shape in range(len(SHAPES))]
    most = 0
    for lying in range(cards):
        held = cards - lying
        blocks = min(held, counts[2])
        ways = PLACES_A_SIDE[2] * blocks + PLACES_A_SIDE[0] * (held - blocks)
        most = max(most, ways * (OPENING_SIDES + SIDES_A_CARD * lying))
    return max(most, moves.CABLE + 4 * (2 * CABLES + 4 * len(deck.cards)))


def _read_obstacles(words: str, side: int) -> tuple[int, list[tuple[int, int]]]:
    """How many obstacles are placed at random, and the cells of those that are given."""
    if re.fullmatch("[0-9]+", words.strip()):
        if len(words.strip()) > 9 or int(words) > MOST_OBSTACLES:
            raise ParameterError(
                f"web, obstacles: {cut(words.strip())} is more than {MOST_OBSTACLES}, all cells where they may lie"
            )
        return int(words), []
    cells = []
    for word in words.split():
        match = re.fullmatch("([0-9]{1,2}),([0-9]{1,2})", word)
        if not match:
            raise ParameterError(f"web, obstacles: {quoted(word)} is neither a number nor a cell such as 18,20")
        x, y = int(match[1]), int(match[2])
        if x >= side or y >= side:
            raise ParameterError(f"web, obstacles: {word} is off the table, whose cells are 0,0 to {side - 1},{side - 1}")
        if (x, y) == (side // 2, side // 2):
            raise ParameterError(f"web, obstacles: the central server lies on {word}")
        if (x, y) in cells:
            raise ParameterError(f"web, obstacles: {word} is named twice")
        cells.append((x, y))
    if not 1 <= len(cells) <= rules.MAX_GIVEN:
        raise ParameterError(f"web, obstacles: {len(cells)} cells are named, not 1 to {rules.MAX_GIVEN}; none at all is 0")
    return 0, cells
