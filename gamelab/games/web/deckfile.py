"""Deck files: TOML that lists the cards, read and checked. ``decks/standard.toml`` shows the format.

    name                    what to call the deck
    straight, bend, block   lists of cards, each "CELLS DOTS": the cells in the order of the shape (see `cards`), each `.`
                            open, `1` to `5` a computer or `S` a server; then the dots on the back, 1 to 5

Cards are numbered from 0: the straight ones, the bends, the blocks, each in the order of its list. The central server is in
every deck and is not listed. There are at most 64 cards, for sets of them are words, and of each shape at least two more than
players.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn

from gamelab.core.datafiles import read_toml
from gamelab.core.errors import LONGEST_PATH, ParameterError, cut, known_names, quoted
from gamelab.games.web.cards import KINDS, MAX_CARDS, SHAPE_CELLS, SHAPES, Card, Deck

__all__ = ["DECKS", "DeckError", "built_in_decks", "read_deck"]

DECKS = Path(__file__).parent / "decks"


class DeckError(ParameterError):
    """A deck that cannot be played with; the message names the file, the key and the reason."""


def built_in_decks() -> list[str]:
    """The names of the decks that come with the game."""
    return sorted(path.stem for path in DECKS.glob("*.toml"))


def read_deck(which: str, players: int) -> Deck:
    """The deck of a name or of a file.

    Parameters
    ----------
    which : str
        One of `built_in_decks()`, or the path of a deck file.
    players : int
        How many are to play with it.

    Raises
    ------
    DeckError
        If there is no such file, or what it says is no deck for so many players.
    """
    path = DECKS / f"{which}.toml" if which in built_in_decks() else Path(which)
    label = f"web, deck {quoted(which, LONGEST_PATH)}"
    return _Reader(which).deck(read_toml(path, label, "deck", built_in_decks(), DeckError), players)


class _Reader:
    """Turns the tables of one file into a `Deck`, checking each key; `which` names the file in errors."""

    def __init__(self, which: str) -> None:
        self._which = which

    def deck(self, tables: dict[str, Any], players: int) -> Deck:
        for key in tables:
            if key not in ("name", *SHAPES):
                self._fail(key, f"unknown key; known: {known_names(('name', *SHAPES))}")
        for key in ("name", *SHAPES):
            if key not in tables:
                self._fail(key, "missing")
        name = tables["name"]
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._fail("name", f"{quoted(name)} is not a text of one line")
        cards = [card for shape in range(len(SHAPES)) for card in self._cards(shape, tables[SHAPES[shape]], players)]
        if len(cards) > MAX_CARDS:
            self._fail(", ".join(SHAPES), f"{len(cards)} cards in all, more than {MAX_CARDS}")
        return Deck(name, tuple(cards))

    def _fail(self, key: str, reason: str) -> NoReturn:
        raise DeckError(f"web, deck {quoted(self._which, LONGEST_PATH)}, {cut(key)}: {reason}")

    def _cards(self, shape: int, value: object, players: int) -> list[Card]:
        key = SHAPES[shape]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._fail(key, f"{quoted(value)} is not a list of texts")
        if len(value) < players + 2:
            self._fail(key, f"{len(value)} cards, {players} players need {players + 2}: one each, and two piles")
        return [self._card(shape, number, text) for number, text in enumerate(value)]

    def _card(self, shape: int, number: int, text: str) -> Card:
        key, length = f"{SHAPES[shape]}[{number}]", int(SHAPE_CELLS[shape])
        words = text.split()
        if len(words) != 2:
            self._fail(key, f'{quoted(text)} is not two words, cells and dots, as in "{"1.S."[:length]} 3"')
        cells, dots = words
        if len(cells) != length or not all(cell in KINDS for cell in cells):
            self._fail(key, f"{quoted(cells)} is not {length} cells, each one of {' '.join(KINDS)}")
        if not re.fullmatch("[1-5]", dots):
            self._fail(key, f"{quoted(dots)} is not a number of dots from 1 to 5")
        return Card(shape, cells, int(dots))
