"""Reading a position of Web; the form is described in `text`."""

from __future__ import annotations

import re
from typing import Any, NoReturn

import numpy as np

from gamelab.core.errors import PositionError, quoted
from gamelab.games.web import moves, rules
from gamelab.games.web.cables import CABLES, cable_number, cables_east, cables_north
from gamelab.games.web.cards import SHAPE_OF, SHAPES, Deck, as_word, cells_at
from gamelab.games.web.setup import NO_CARD, PILES, may_be_obstacle, place_obstacle
from gamelab.games.web.table import count_placements, empty
from gamelab.games.web.text import cards_of, lowest_look

__all__ = ["read_position"]

CELL = r"([0-9]{1,2}),([0-9]{1,2})"
TURN_PATTERN = re.compile(
    r"player ([0-9]) (?:(plays)(?:, ([0-9]) passed)?|(acts), ([1-5]) left|(was last)(?:, ([0-9]) passed)?)"
)
PLACE_PATTERN = re.compile(rf"([0-9]{{1,2}})@{CELL}(?:r([0-3]))?")
CABLE_PATTERN = re.compile(rf"{CELL}([ENen])")
PLAYER_PATTERN = re.compile(r"player ([0-9]): *(.*)")
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
Cell = tuple[int, int]
PILE_PATTERN = re.compile(r"pile ([0-5]): *(.*)")


def read_position(deck: Deck, text: str, state: Any) -> None:
    """Set a blank record to the position that the text describes; PositionError says what is wrong where."""
    rules.initial(state)
    if text.strip().lower() != "deal":
        _Reader(deck, state).read(text)


def _fail(where: str, reason: str) -> NoReturn:
    raise PositionError(f"web position, {where}: {reason}")


def _parts(where: str, words: str) -> dict[str, str]:
    """What is said of a player's hand, front and cables, as far as it is said."""
    parts: dict[str, str] = {}
    for part in words.split(";"):
        name, _, value = part.strip().partition(" ")
        if name not in ("hand", "front", "cables"):
            _fail(where, f"{quoted(name)} is none of hand, front, cables")
        if name in parts:
            _fail(where, f"{name} stands twice")
        parts[name] = value
    return parts


class _Reader:
    """Reads the lines of one position into a record."""

    def __init__(self, deck: Deck, state: Any) -> None:
        self.deck, self.state = deck, state
        self.players, self.side = int(state["players"]), int(state["table"])
        self.piles: dict[int, list[int]] = {}
        self.free = set(range(len(deck.cards)))  # cards not yet named
        self.lying = {(self.side // 2, self.side // 2)}  # cells of cards

    def read(self, text: str) -> None:
        lines = self._lines(text)
        self._obstacles(lines.pop("obstacles", ""))
        self._table(lines.pop("table", "-"))
        for player in range(self.players):
            if f"player {player}" in lines:
                self._player(player, lines.pop(f"player {player}"))
        for pile in range(PILES):
            if f"pile {pile}" in lines:
                self.piles[pile] = self._cards(f"pile {pile}", lines.pop(f"pile {pile}"))[::-1]
        self._fill_piles()
        self._turn(lines.pop("turn"))
        self._check_end()

    def _lines(self, text: str) -> dict[str, str]:
        """What is said of each thing, by its name."""
        found: dict[str, str] = {}
        for number, line in enumerate(text.strip().splitlines(), 1):
            words = " ".join(line.split())
            key, rest = self._split(f"line {number}", words)
            if key in found:
                _fail(f"line {number}", f"a second line for {key}")
            found[key] = rest
        if "turn" not in found:
            _fail("its turn", "no line such as player 0 plays, player 0 acts, 2 left, or player 0 was last; or all is: deal")
        return found

    def _split(self, where: str, line: str) -> tuple[str, str]:
        if TURN_PATTERN.fullmatch(line):
            return "turn", line
        word, _, rest = line.partition(" ")
        if word in ("table", "obstacles"):
            return word, rest
        if match := PLAYER_PATTERN.fullmatch(line):
            if int(match[1]) >= self.players:
                _fail(where, f"player {match[1]} is none of 0 to {self.players - 1}")
            return f"player {match[1]}", match[2]
        if match := PILE_PATTERN.fullmatch(line):
            return f"pile {match[1]}", match[2]
        _fail(where, f"{quoted(line)} is none of: whose turn it is, table, obstacles, player N: ..., pile N: ...")

    # --- cards and cells ----------------------------------------------------------------------------------------------

    def _card(self, where: str, word: str) -> int:
        """A card that was not named before."""
        if not re.fullmatch("[0-9]{1,2}", word) or int(word) >= len(self.deck.cards):
            _fail(where, f"{quoted(word)} is no card from 0 to {len(self.deck.cards) - 1}")
        if int(word) not in self.free:
            _fail(where, f"card {int(word)} is named twice")
        self.free.remove(int(word))
        return int(word)

    def _cards(self, where: str, words: str) -> list[int]:
        return [] if words in ("-", "") else [self._card(where, word) for word in words.split()]

    def _obstacles(self, words: str) -> None:
        wanted = int(self.state["random_obstacles"])
        cells: set[Cell] = set()
        for word in words.split():
            match = re.fullmatch(CELL, word)
            if not match or not may_be_obstacle(self.state, int(match[1]), int(match[2])):
                _fail("obstacles", f"{quoted(word)} is no cell x,y within seven of the centre and neither that nor beside it")
            cell = int(match[1]), int(match[2])
            if cell in cells:
                _fail("obstacles", f"{word} is named twice")
            cells.add(cell)
            place_obstacle(self.state, *cell)
        if len(cells) != wanted:
            _fail("obstacles", f"{len(cells)} cells, not {wanted} as the parameter obstacles has it")

    def _table(self, words: str) -> None:
        """Lay the cards, each when it borders on one that lies."""
        places: dict[tuple[int, int, int, int], list[Cell]] = {}
        for word in [] if words in ("-", "") else words.split():
            match = PLACE_PATTERN.fullmatch(word)
            if not match:
                _fail("table", f"{quoted(word)} is not written as 17@21,20r1")
            card = self._card("table", match[1])
            x, y, rotation = int(match[2]), int(match[3]), lowest_look(self.deck, card, int(match[4] or 0))
            cells = [(x + dx, y + dy) for dx, dy in cells_at(self.deck.cards[card].shape, rotation)]
            places[card, x, y, rotation] = cells
        while places:
            ready = {place: cells for place, cells in places.items() if self._borders(cells)}
            if not ready:
                _fail("table", f"card {next(iter(places))[0]} borders on no card")
            for (card, x, y, rotation), cells in ready.items():
                self._check_room(card, cells)
                rules.place_card(self.state, card, x, y, rotation)
                self.lying.update(cells)
                del places[card, x, y, rotation]

    def _borders(self, cells: list[Cell]) -> bool:
        return any((x + dx, y + dy) in self.lying for x, y in cells for dx, dy in SIDES)

    def _on_table(self, x: int, y: int) -> bool:
        return 0 <= x < self.side and 0 <= y < self.side

    def _check_room(self, card: int, cells: list[Cell]) -> None:
        for x, y in cells:
            if not self._on_table(x, y):
                _fail("table", f"card {card} would lie over the edge")
            if not int(empty(self.state, y)) >> x & 1:
                _fail("table", f"card {card} would lie on something at {x},{y}")

    # --- players ------------------------------------------------------------------------------------------------------

    def _player(self, player: int, words: str) -> None:
        where = f"player {player}"
        parts = _parts(where, words)
        self.state["hands"][player] = as_word(self._cards(where, parts.get("hand", "-")))
        self._cables(player, parts.get("cables", "").split())
        front = parts.get("front", "3")
        left = CABLES - int(self.state["built"][player])
        if not re.fullmatch("[0-9]{1,2}", front) or int(front) > left:
            _fail(where, f"front {quoted(front)} is no number of cables from 0 to {left}")
        taken = int(front) + int(self.state["built"][player])
        if taken % moves.BOUGHT:
            _fail(where, f"{taken} cables on the table and in front are no multiple of three: they are bought by threes")
        if taken < moves.BOUGHT:
            _fail(where, "no cables on the table nor in front: each begins with three in front")
        self.state["front"][player] = int(front)

    def _cables(self, player: int, words: list[str]) -> None:
        """Place the cables, each when it can be."""
        where = f"player {player}, cables"
        waiting: dict[tuple[int, int, int], str] = {}
        for word in words:
            match = CABLE_PATTERN.fullmatch(word)
            if not match or not self._on_table(int(match[1]), int(match[2])):
                _fail(where, f"{quoted(word)} is not written as 20,21E or 20,21N, from a cell of the table")
            cable = int(match[1]), int(match[2]), "EN".index(match[3].upper())
            if cable in waiting:
                _fail(where, f"{word} is named twice")
            waiting[cable] = word
        if len(waiting) > CABLES:
            _fail(where, f"{len(waiting)} are more than {CABLES}")
        while waiting:
            ready = [cable for cable in waiting if self._can_place(player, cable)]
            if not ready:
                _fail(where, f"{next(iter(waiting.values()))} cannot be placed by the rules")
            x, y, way = ready[0]
            rules.place_cable(self.state, player, int(cable_number(x, y, way)))
            del waiting[x, y, way]

    def _can_place(self, player: int, cable: tuple[int, int, int]) -> bool:
        x, y, way = cable
        row = (cables_east, cables_north)[way](self.state, player, y)
        return bool(int(row) >> x & 1)

    # --- piles, and whose turn ----------------------------------------------------------------------------------------

    def _fill_piles(self) -> None:
        for shape, name in enumerate(SHAPES):
            pair = (2 * shape, 2 * shape + 1)
            left = sorted(self.free & set(self.deck.of_shape(shape)))
            if not any(pile in self.piles for pile in pair):
                half = (len(left) + 1) // 2
                self.piles[pair[0]], self.piles[pair[1]] = left[:half], left[half:]
            elif left:
                _fail("piles", f"card {left[0]}, a {name}, is nowhere")
            for pile in pair:
                self._write_pile(pile, self.piles.get(pile, []), shape)

    def _write_pile(self, pile: int, cards: list[int], shape: int) -> None:
        for card in cards:
            if self.deck.cards[card].shape != shape:
                _fail(f"pile {pile}", f"card {card} is no {SHAPES[shape]}")
        total = len(self.deck.of_shape(shape))
        room = total - total // 2 if pile % 2 == 0 else total // 2
        if len(cards) > room:
            _fail(f"pile {pile}", f"{len(cards)} cards, more than {room}, half of all")
        first = int(self.state["first"][pile])
        self.state["piles"][first : first + room] = [*cards, *[NO_CARD] * (room - len(cards))]
        self.state["left"][pile] = len(cards)

    def _turn(self, line: str) -> None:
        match = TURN_PATTERN.fullmatch(line)
        assert match
        player = int(match[1])
        if player >= self.players:
            _fail("its turn", f"players are 0 to {self.players - 1}")
        self.state["player"] = player
        self.state["phase"] = rules.PLAYING if match[2] else rules.ACTING if match[4] else rules.OVER
        self.state["actions"] = int(match[5] or 0)
        self.state["passes"] = int(match[3] or match[7] or 0)

    def _check_passes(self) -> None:
        """Who passed, those before the player to play, had no card that fits."""
        state, player = self.state, int(self.state["player"])
        if state["passes"] and not any(state["hands"][: self.players]):
            _fail("its turn", "nobody has cards, so nobody passed")
        if state["phase"] == rules.OVER:
            player += 1  # the last pass was this player's
        for _ in range(int(state["passes"])):
            player = (player - 1) % self.players
            while not state["hands"][player]:
                player = (player - 1) % self.players
            for orientation, shape in enumerate(SHAPE_OF):
                if state["hands"][player] & state["of_shape"][shape] and count_placements(state, orientation):
                    _fail("its turn", f"player {player} may not have passed: a {SHAPES[shape]} fits")

    def _check_end(self) -> None:
        """Whether the game is over must fit what lies there."""
        state = self.state
        with_cards = int(rules.players_with_cards(state))
        exhausted = not np.all(state["left"])
        few = with_cards <= (0 if state["plays_on"] else 1)
        passes = int(state["passes"])
        passed = passes >= max(1, with_cards)
        over = state["phase"] == rules.OVER
        if over and not (exhausted or few or passed):
            _fail("its turn", "the game is not over: all piles have cards, and so have enough players")
        if passes > with_cards or (passes and exhausted) or (over and 0 < passes < with_cards):
            _fail(
                "its turn",
                f"{passes} passed: the game goes on until all {with_cards} who have cards have passed, or a pile is empty",
            )
        if not over and exhausted:
            _fail("its turn", "a pile is exhausted, so the game is over: write player N was last")
        if state["phase"] == rules.PLAYING:
            if few or passed:
                _fail("its turn", "the game is over: write player N was last")
            if not state["hands"][state["player"]]:
                _fail("its turn", f"player {state['player']} has no cards and cannot be to play")
        self._check_passes()
        if state["phase"] == rules.ACTING and not cards_of(state["played"]):
            _fail("its turn", "who acts has played a card, and none lies on the table")
