"""Files of tiles and of boards: TOML, read and checked. ``tiles/standard.toml`` and ``boards/standard.toml`` show the formats.

Tiles:

    name     what to call the set
    tiles    list of kinds, each a table: sides, four of w (wide), n (narrow) and - (no pipe), north east south west in any
             position of the tile; copies, how many there are. 24 to 28 tiles in all, each with a pipe, no kind listed twice.

Boards:

    name        what to call them
    [boards.X]  a board for each letter X: north, east, south and west, each read clockwise, five of 1, 2, 3 (the value of an
                outlet) and -, which stands in the middle and nowhere else
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn

from gamelab.core.datafiles import read_toml
from gamelab.core.errors import LONGEST_PATH, ParameterError, cut, known_names, quoted
from gamelab.games.kreuzquer.geometry import turns
from gamelab.games.kreuzquer.pieces import MAX_TILES, MIN_TILES, Boards, TileSet

__all__ = ["FOLDERS", "PieceError", "built_in", "read_boards", "read_tiles"]

FOLDERS = {kind: Path(__file__).parent / kind for kind in ("tiles", "boards")}
DIRECTIONS = ("north", "east", "south", "west")


class PieceError(ParameterError):
    """Tiles or boards that cannot be played with; the message names the file, the key and the reason."""


def built_in(kind: str) -> list[str]:
    """The names of the files that come with the game; `kind` is "tiles" or "boards"."""
    return sorted(path.stem for path in FOLDERS[kind].glob("*.toml"))


def read_tiles(which: str) -> TileSet:
    """The tile set of a name or of a file.

    Parameters
    ----------
    which : str
        One of ``built_in("tiles")``, or the path of a file.

    Raises
    ------
    PieceError
        If there is no such file, or what it says is no tile set.
    """
    return _Reader("tiles", which).tiles()


def read_boards(which: str) -> Boards:
    """The boards of a name or of a file.

    Parameters
    ----------
    which : str
        One of ``built_in("boards")``, or the path of a file.

    Raises
    ------
    PieceError
        If there is no such file, or what it says are no boards.
    """
    return _Reader("boards", which).boards()


class _Reader:
    """Turns the tables of one file into what it describes, checking each key."""

    def __init__(self, kind: str, which: str) -> None:
        self._label = f"kreuzquer, {kind} {quoted(which, LONGEST_PATH)}"
        self._tables = self._parse(kind, which)

    def tiles(self) -> TileSet:
        self._check_keys("", self._tables, {"name", "tiles"})
        rows = self._tables["tiles"]
        if not isinstance(rows, list):
            self._fail("tiles", f"{quoted(rows)} is not a list of tables")
        sides: list[str] = []
        copies: list[int] = []
        for number, row in enumerate(rows, start=1):
            key = f"tiles, kind {number}"
            self._check_keys(key, row, {"sides", "copies"})
            sides.append(self._sides(f"{key}, sides", row["sides"], sides))
            copies.append(self._copies(f"{key}, copies", row["copies"]))
        if not MIN_TILES <= sum(copies) <= MAX_TILES:
            self._fail("tiles", f"{sum(copies)} tiles, not {MIN_TILES} to {MAX_TILES}")
        return TileSet(self._name(), tuple(sides), tuple(copies))

    def boards(self) -> Boards:
        self._check_keys("", self._tables, {"name", "boards"})
        tables = self._tables["boards"]
        if not isinstance(tables, dict) or not tables:
            self._fail("boards", f"{quoted(tables)} is not a table with a board for each letter")
        outlets = {}
        for letter, table in tables.items():
            key = f"boards.{letter}"
            if not re.fullmatch("[A-Z]", letter):
                self._fail(key, "a board is called by one letter, A to Z")
            self._check_keys(key, table, set(DIRECTIONS))
            sides = [self._outlets(f"{key}.{direction}", table[direction]) for direction in DIRECTIONS]
            outlets[letter] = tuple(value for side in sides for value in side)
        return Boards(self._name(), outlets)

    # --- the parts of a file ------------------------------------------------------------------------------------------

    def _sides(self, key: str, value: object, earlier: list[str]) -> str:
        if not isinstance(value, str) or not re.fullmatch("[wn-]{4}", value):
            self._fail(key, f"{quoted(value)} is not four of w (wide), n (narrow) and - (no pipe)")
        if value == "----":
            self._fail(key, "a tile without a pipe could never be laid")
        for number, other in enumerate(earlier, start=1):
            if turns(other) == turns(value):
                self._fail(key, f"{value} is kind {number}, {other}, turned: give that one more copies")
        return value

    def _copies(self, key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_TILES:
            self._fail(key, f"{quoted(value)} is not a whole number from 1 to {MAX_TILES}")
        return value

    def _outlets(self, key: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, str) or not re.fullmatch("[0-9-]{5}", value):
            self._fail(key, f"{quoted(value)} is not five of 1, 2, 3 and -, clockwise")
        for position, mark in enumerate(value):
            if (mark == "-") != (position == 2):
                wrong = "the middle of a side has no outlet" if position == 2 else "there is an outlet missing"
                self._fail(key, f"{value}: {wrong}, place {position + 1} of 5")
            if mark not in "123-":
                self._fail(key, f"{value}: outlets are worth 1 to 3, not {mark}")
        return tuple(int(mark) for mark in value if mark != "-")

    def _name(self) -> str:
        name = self._tables["name"]
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._fail("name", f"{quoted(name)} is not a text of one line")
        return name

    # --- files and tables ---------------------------------------------------------------------------------------------

    def _fail(self, key: str, reason: str) -> NoReturn:
        raise PieceError(f"{self._label}, {cut(key)}: {reason}")

    def _check_keys(self, key: str, table: object, required: set[str]) -> None:
        if not isinstance(table, dict):
            self._fail(key, f"{quoted(table)} is not a table with the keys {known_names(required)}")
        for name in table:
            if name not in required:
                self._fail(f"{key}, {name}".lstrip(", "), f"unknown key; known: {known_names(required)}")
        for name in sorted(required):
            if name not in table:
                self._fail(f"{key}, {name}".lstrip(", "), "missing")

    def _parse(self, kind: str, which: str) -> dict[str, Any]:
        path = FOLDERS[kind] / f"{which}.toml" if which in built_in(kind) else Path(which)
        return read_toml(path, self._label, "file", built_in(kind), PieceError)
