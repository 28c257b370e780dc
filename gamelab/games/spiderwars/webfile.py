"""Web files: TOML that describes a web, read and checked. ``webs/standard.toml`` and ``webs/mini.toml`` show the format.

    name        what to call the web
    holes       list of holes, each "x,y" with whole numbers
    neighbours  "columns": holes of one column that are 2 apart in height, and holes of adjacent columns that are 1 apart;
                or a table that gives for every hole the list of its neighbours, each pair from both sides
    [nests.green], [nests.orange]
                at, where the nest lies: Green's left of every hole, Orange's right; neighbours, the holes beside it
    [start.green], [start.orange]
                daddies and small, lists of spiders "x,y-x,y"; 1 to 8 in all, of any mixture

There are at most 62 holes, for they and the nests are the bits of a word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from gamelab.core.datafiles import read_toml
from gamelab.core.errors import LONGEST_PATH, ParameterError, cut, known_names, quoted
from gamelab.games.spiderwars.web import MAX_HOLES, MAX_SPIDERS, NEST, Hole, Spider, Web

__all__ = ["WEBS", "WebError", "built_in_webs", "read_web"]

WEBS = Path(__file__).parent / "webs"
PLAYERS = ("green", "orange")
HOLE = r"-?[0-9]{1,3},-?[0-9]{1,3}"
SPIDER_PATTERN = re.compile(f"({HOLE})-({HOLE})")


class WebError(ParameterError):
    """A web that cannot be played on; the message names the file, the key and the reason."""


def built_in_webs() -> list[str]:
    """The names of the webs that come with the game."""
    return sorted(path.stem for path in WEBS.glob("*.toml"))


def read_web(which: str) -> Web:
    """The web of a name or of a file.

    Parameters
    ----------
    which : str
        One of `built_in_webs()`, or the path of a web file.

    Raises
    ------
    WebError
        If there is no such file, or what it says is no web.
    """
    path = WEBS / f"{which}.toml" if which in built_in_webs() else Path(which)
    label = f"spiderwars, web {quoted(which, LONGEST_PATH)}"
    return _Reader(which).web(read_toml(path, label, "web", built_in_webs(), WebError))


class _Reader:
    """Turns the tables of one file into a `Web`, checking each key; `which` names the file in errors."""

    def __init__(self, which: str) -> None:
        self._which = which
        self._numbers: dict[Hole, int] = {}

    def web(self, tables: dict[str, Any]) -> Web:
        self._check_keys("", tables, {"name", "holes", "neighbours", "nests", "start"})
        name = self._name(tables["name"])
        holes = self._holes(tables["holes"])
        self._numbers = {hole: number for number, hole in enumerate(holes)}
        beside = self._neighbours(tables["neighbours"])
        nests = self._nests(tables["nests"], beside)
        neighbours = tuple(frozenset(beside[hole]) for hole in holes)
        web = Web(name, holes, nests, neighbours, ((), ()))
        self._check_connected(web)
        return Web(name, holes, nests, neighbours, self._start(tables["start"], web))

    # --- values and their types ---------------------------------------------------------------------------------------

    def _fail(self, key: str, reason: str) -> NoReturn:
        raise WebError(f"spiderwars, web {quoted(self._which, LONGEST_PATH)}, {cut(key)}: {reason}")

    def _check_keys(self, key: str, table: object, required: set[str], optional: frozenset[str] = frozenset()) -> None:
        if not isinstance(table, dict):
            self._fail(key, f"{quoted(table)} is not a table with the keys {known_names(required | optional)}")
        for name in table:
            if name not in required | optional:
                self._fail(f"{key}.{name}".lstrip("."), f"unknown key; known: {known_names(required | optional)}")
        for name in sorted(required):
            if name not in table:
                self._fail(f"{key}.{name}".lstrip("."), "missing")

    def _texts(self, key: str, value: object) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._fail(key, f"{quoted(value)} is not a list of texts")
        return value

    def _place(self, key: str, text: object) -> Hole:
        """Coordinates, of a hole or not."""
        if not isinstance(text, str) or not re.fullmatch(HOLE, text):
            self._fail(key, f"{quoted(text)} is not written as x,y with whole numbers from -999 to 999")
        x, y = text.split(",")
        return int(x), int(y)

    def _hole(self, key: str, text: str) -> Hole:
        place = self._place(key, text)
        if place not in self._numbers:
            self._fail(key, f"{text} is not among the holes")
        return place

    # --- the parts of a file ------------------------------------------------------------------------------------------

    def _name(self, name: object) -> str:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._fail("name", f"{quoted(name)} is not a text of one line")
        return name

    def _holes(self, value: object) -> tuple[Hole, ...]:
        holes = [self._place("holes", text) for text in self._texts("holes", value)]
        for x, y in holes:
            if holes.count((x, y)) > 1:
                self._fail("holes", f"{x},{y} is listed twice")
        if not 1 <= len(holes) <= MAX_HOLES:
            self._fail("holes", f"{len(holes)} holes, not 1 to {MAX_HOLES}")
        return tuple(sorted(holes))

    def _neighbours(self, value: object) -> dict[Hole, set[int]]:
        """For each hole the numbers of its neighbours."""
        if value == "columns":
            return {hole: {n for other, n in self._numbers.items() if _by_columns(hole, other)} for hole in self._numbers}
        if not isinstance(value, dict):
            self._fail("neighbours", f'{quoted(value)} is neither "columns" nor a table of the holes\' neighbours')
        beside: dict[Hole, set[int]] = {hole: set() for hole in self._numbers}
        listed: set[Hole] = set()
        for text, texts in value.items():
            hole, key = self._hole("neighbours", text), f"neighbours.{text}"
            if hole in listed:
                self._fail(key, "the hole is listed twice")
            listed.add(hole)
            beside[hole] = self._list_of_holes(key, texts)
            if self._numbers[hole] in beside[hole]:
                self._fail(key, f"{text} is not a neighbour of itself")
        self._check_symmetric(beside)
        return beside

    def _list_of_holes(self, key: str, value: object) -> set[int]:
        numbers: set[int] = set()
        for text in self._texts(key, value):
            number = self._numbers[self._hole(key, text)]
            if number in numbers:
                self._fail(key, f"{text} is listed twice")
            numbers.add(number)
        return numbers

    def _check_symmetric(self, beside: Mapping[Hole, set[int]]) -> None:
        for (x, y), numbers in beside.items():
            for other in beside:
                if self._numbers[other] in numbers and self._numbers[x, y] not in beside[other]:
                    there = f"{other[0]},{other[1]}"
                    self._fail(f"neighbours.{x},{y}", f"one-way: {there} is a neighbour of {x},{y}, but not {x},{y} of {there}")

    def _nests(self, value: object, beside: dict[Hole, set[int]]) -> tuple[Hole, Hole]:
        """Where the nests lie. Each is entered as a neighbour of the holes beside it."""
        self._check_keys("nests", value, set(PLAYERS))
        places = []
        for player, colour in enumerate(PLAYERS):
            key, table = f"nests.{colour}", value[colour]  # type: ignore[index]
            self._check_keys(key, table, {"at", "neighbours"})
            x, y = self._place(f"{key}.at", table["at"])
            if not all(x < column if player == 0 else x > column for column, _ in self._numbers):
                self._fail(f"{key}.at", f"{x},{y} is not {('left', 'right')[player]} of every hole")
            numbers = self._list_of_holes(f"{key}.neighbours", table["neighbours"])
            if not numbers:
                self._fail(f"{key}.neighbours", "disconnected: no hole is beside the nest")
            for hole, number in self._numbers.items():
                if number in numbers:
                    beside[hole].add(NEST[player])
            places.append((x, y))
        return places[0], places[1]

    def _check_connected(self, web: Web) -> None:
        reached = web.steps_from(0)
        for spot, name in web.spot_names.items():
            if spot not in reached:
                self._fail("neighbours", f"disconnected: no way leads from {web.spot_names[0]} to {name}")

    def _start(self, value: object, web: Web) -> tuple[tuple[Spider, ...], tuple[Spider, ...]]:
        self._check_keys("start", value, set(PLAYERS))
        reach = web.reach()
        occupied: set[int] = set()
        sides = []
        for colour in PLAYERS:
            key, table = f"start.{colour}", value[colour]  # type: ignore[index]
            self._check_keys(key, table, set(), frozenset({"daddies", "small"}))
            spiders = []
            for group in ("daddies", "small"):
                for text in self._texts(f"{key}.{group}", table.get(group, [])):
                    spider = Spider(group == "daddies", self._legs(f"{key}.{group}", text, occupied))
                    if not int(reach[int(spider.daddy), spider.legs[0]]) >> spider.legs[1] & 1:
                        self._fail(f"{key}.{group}", f"{text}: the legs are out of each other's reach")
                    spiders.append(spider)
            if not 1 <= len(spiders) <= MAX_SPIDERS:
                self._fail(key, f"{len(spiders)} spiders, not 1 to {MAX_SPIDERS}")
            sides.append(tuple(spiders))
        return sides[0], sides[1]

    def _legs(self, key: str, text: str, occupied: set[int]) -> tuple[int, int]:
        found = SPIDER_PATTERN.fullmatch(text)
        if not found:
            self._fail(key, f"{quoted(text)} is not written as x,y-x,y, the holes of two legs")
        first, second = (self._numbers[self._hole(key, name)] for name in found.groups())
        for number, name in zip((first, second), found.groups(), strict=True):
            if number in occupied:
                self._fail(key, f"{text}: {name} is occupied already")
            occupied.add(number)
        return first, second


def _by_columns(hole: Hole, other: Hole) -> bool:
    apart = abs(hole[0] - other[0]), abs(hole[1] - other[1])
    return apart in ((0, 2), (1, 1))
