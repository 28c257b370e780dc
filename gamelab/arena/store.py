"""Results on disk: one SQLite file a tournament, written game by game.

Table `meta` holds the set-up, as JSON under a key each; table `games` one row a game. Every game is its own transaction, so a
run that is killed loses at most the games it was playing, and a row is whole or not there.

Where a parameter of the game may name a data file, the key `rules` holds a fingerprint of what the file said, and a store is
not continued by another. Stores from before there was this key are read as ever; the first that goes on with one writes it.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gamelab.arena.match import GameRecord
from gamelab.arena.schedule import Pairing
from gamelab.arena.schema import ANY_SEATS, FORMATS, LATER_COLUMNS, TWO_SEATS, add_column, columns, tables
from gamelab.arena.setup import Setup, differences, named_files
from gamelab.core.errors import LONGEST_PATH, StoreError, cut, quoted
from gamelab.core.numbers import is_score

__all__ = ["Store"]

# What is raised by reading text that was changed.
DAMAGE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


class Store:
    """A tournament's results in an SQLite file, or in memory.

    Parameters
    ----------
    path : str or Path, optional
        None: in memory.
    create : bool
        Whether to make the file if there is none.
    seats : int
        Of the games, for a file that is made.

    Attributes
    ----------
    seats : int
        Of the games that it holds.

    Raises
    ------
    StoreError
        If the file cannot be opened, or is no store; names the file.
    """

    def __init__(self, path: str | Path | None = None, *, create: bool = True, seats: int = 2) -> None:
        self.path = None if path is None else _checked_path(path, create)
        self._name = "store in memory" if path is None else cut(str(path), LONGEST_PATH)
        with self._errors():
            self._db = self._connect() if create else self._connect_to_read()
            try:
                self.seats = self._prepare(create, seats)
            except BaseException:
                self._db.close()
                raise

    def _connect(self, how: str = "") -> sqlite3.Connection:
        name = ":memory:" if self.path is None else f"{self.path.absolute().as_uri()}{how}"
        return sqlite3.connect(name, isolation_level=None, timeout=30, uri=self.path is not None)

    def _connect_to_read(self) -> sqlite3.Connection:
        """Reading a log beside the file writes to the disk; where that cannot be, nobody else is writing either."""
        connection = self._connect("?mode=rw")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            connection.close()
            return self._connect("?mode=ro&immutable=1")
        return connection

    def _prepare(self, create: bool, seats: int) -> int:
        """Make the tables if they are not there; the seats of the games."""
        there = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if there - {"meta", "games"} or (not create and not there):
            raise StoreError(f"{self._name}: an SQLite file, but no store of a gamelab tournament")
        if create and not there:
            # A log beside the file: readers can look while games are written, and a killed writer leaves it whole.
            self._db.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                form = TWO_SEATS if seats == 2 else ANY_SEATS
                for statement in tables(form):
                    self._db.execute(statement)
                self._write_meta("format", form)
                if form == ANY_SEATS:
                    self._write_meta("seats", seats)
        if create:
            self._db.execute("PRAGMA synchronous = NORMAL")
        found = self._read_meta("format")
        if found not in FORMATS:
            raise StoreError(
                f"{self._name}: store format {quoted(found)}, this version reads {' and '.join(map(str, FORMATS))}"
            )
        known = 2 if found == TWO_SEATS else int(self._read_meta("seats"))
        if create and known != seats and self._read_meta("setup") is None:
            raise StoreError(f"{self._name}: made for games of {known} seats, not of {seats}")
        self._format = found
        self._columns = columns(found, self._missing_columns())
        return known

    def _missing_columns(self) -> list[str]:
        """Those that a store from before they came has not."""
        there = {name for _, name, *_ in self._db.execute("PRAGMA table_info(games)")}
        return [name for name in LATER_COLUMNS if name not in there]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self._name}: {error}") from error
        except DAMAGE as error:
            raise StoreError(f"{self._name}: damaged store: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # a full disk has rolled it back already
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _write_meta(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def _read_meta(self, key: str) -> Any:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    # --- the set-up ---------------------------------------------------------------------------------------------------

    def begin(self, setup: Setup, games: int, budgets: dict[str, str]) -> None:
        """Say what tournament this is: a new one, or one that goes on.

        Raises
        ------
        StoreError
            If the store holds another tournament, or a longer one; says what differs.
        """
        with self._errors(), self._transaction():
            known = self._read_setup()
            if known is None:
                self._write_meta("setup", {name: value for name, value in asdict(setup).items() if name != "rules"})
                self._write_meta("budgets", budgets)
            else:
                self._check_same(known, setup)
            if setup.rules is not None:
                self._write_meta("rules", setup.rules)
            planned = self._read_meta("games") or 0
            if planned > games:
                raise StoreError(f"{self._name}: holds a tournament of {planned} games, more than the {games} asked for")
            self._write_meta("games", games)
            for name in self._missing_columns():
                self._db.execute(add_column(name))
            self._columns = columns(self._format)

    def _read_setup(self) -> Setup | None:
        known = self._read_meta("setup")
        return None if known is None else Setup(**known, rules=self._read_meta("rules"))

    def _check_same(self, known: Setup, asked: Setup) -> None:
        found = "; ".join(differences(known, asked))
        if found:
            raise StoreError(f"{self._name}: holds another tournament: {found}")
        if None not in (known.rules, asked.rules) and known.rules != asked.rules:
            raise StoreError(
                f"{self._name}: its games were played by other rules: {named_files(asked)} has changed since, or what gamelab "
                "makes of it. Put it back as it was, or begin a new store"
            )

    def setup(self) -> Setup:
        """The set-up; StoreError if none was written."""
        with self._errors():
            setup = self._read_setup()
            if setup is None:
                raise StoreError(f"{self._name}: holds no tournament")
            if not (isinstance(setup.agents, list) and all(isinstance(agent, str) for agent in setup.agents)):
                raise ValueError("agents is no list of texts")
            return setup

    def planned_games(self) -> int:
        """How many games the tournament is to have."""
        with self._errors():
            return int(self._read_meta("games") or 0)

    def budgets(self) -> dict[str, str]:
        """The kind of budget of each agent: "time" is the one that results cannot be repeated with."""
        with self._errors():
            return dict(self._read_meta("budgets") or {})

    # --- the games ----------------------------------------------------------------------------------------------------

    def add(self, record: GameRecord, seed: int, versions: str) -> None:
        """Write one game, in a transaction of its own. One that is there already stays as it is."""
        pairing = record.pairing
        row = (
            pairing.game_id, pairing.round, json.dumps(pairing.opponents), seed, record.opening,
            json.dumps(record.moves), json.dumps(record.returns), record.ending, record.forfeit, record.plies,
            json.dumps(record.movers), json.dumps([round(second, 6) for second in record.seconds]),
            json.dumps(record.nodes), versions, None if record.scores is None else json.dumps(record.scores),
            record.starter, *self._seated(pairing),
        )  # fmt: skip
        with self._errors():
            marks = ", ".join("?" * len(row))
            self._db.execute(f"INSERT OR IGNORE INTO games ({self._columns}) VALUES ({marks})", row)

    def _seated(self, pairing: Pairing) -> tuple[str, ...]:
        """Who sat where, as the columns have it."""
        return pairing.seats if self.seats == 2 else (json.dumps(pairing.seats),)

    def game_ids(self) -> set[int]:
        """The games that are there."""
        with self._errors():
            return {game_id for (game_id,) in self._db.execute("SELECT game_id FROM games")}

    def records(self) -> list[GameRecord]:
        """The games that are there, in the order of the schedule."""
        with self._errors():
            rows = self._db.execute(f"SELECT {self._columns} FROM games ORDER BY game_id").fetchall()
            records = []
            for row in rows:
                try:
                    records.append(_checked(_record(row), self.seats))
                except DAMAGE as error:
                    raise StoreError(f"{self._name}: damaged store, game {row[0]}: {error}") from error
            return records

    def versions(self) -> list[str]:
        """The versions that played the games, each once."""
        with self._errors():
            return [text for (text,) in self._db.execute("SELECT DISTINCT versions FROM games ORDER BY versions")]

    def close(self) -> None:
        """Close the file; the log beside it is folded in."""
        with self._errors():
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _checked_path(path: object, create: bool) -> Path:
    """The path, if it can be a store; StoreError otherwise."""
    if not isinstance(path, str | os.PathLike) or str(path) in ("", ".", ":memory:"):
        name = quoted(str(path) if isinstance(path, os.PathLike) else path)
        raise StoreError(f"{name} is no name of a file to keep games in")
    checked, name = Path(path), cut(str(path), LONGEST_PATH)
    try:
        if checked.is_dir():
            raise StoreError(f"{name}: a folder, not a store; name a file")
        if checked.exists() and not checked.is_file():  # a pipe would keep us waiting
            raise StoreError(f"{name}: no regular file, and no store")
        if not create and not checked.exists():
            raise StoreError(f"{name}: there is no such file")
        if create and not checked.parent.is_dir():
            raise StoreError(f"{name}: there is no folder {cut(str(checked.parent), LONGEST_PATH)}")
    except (ValueError, OSError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    return checked


def _checked(record: GameRecord, number: int) -> GameRecord:
    """The record, if it can be one; ValueError or TypeError otherwise."""
    seats, chosen = range(number), len(record.movers)
    players, opponents = record.pairing.seats, record.pairing.opponents
    possible = {
        "seats": len(players) == number and (sorted(players) == sorted(opponents) or (number == 1 and players[0] in opponents)),
        "moves": all(isinstance(move, str) for move in record.moves) and 0 <= record.opening <= len(record.moves),
        "returns": len(record.returns) == number
        and all(-1 <= value <= 1 if number > 1 else math.isfinite(value) for value in record.returns),
        "ending": isinstance(record.ending, str),
        "forfeit": record.forfeit is None or record.forfeit in seats,
        "movers": all(seat in seats for seat in record.movers),
        "seconds": len(record.seconds) == chosen and all(second >= 0 for second in record.seconds),
        "nodes": len(record.nodes) == chosen and all(count >= 0 for count in record.nodes),
        "starter": record.starter is None or record.starter in seats,
        "scores": record.scores is None
        or (record.forfeit is None and len(record.scores) == number and all(map(is_score, record.scores))),
    }
    impossible = [name for name, holds in possible.items() if not holds]
    if impossible:
        raise ValueError(f"{', '.join(impossible)} cannot be")
    return record


def _record(row: tuple[Any, ...]) -> GameRecord:
    game_id, round_, opponents, _seed, opening, moves, returns, ending, forfeit, _plies, *per_move, _, scores, starter = row[
        :16
    ]
    movers, seconds, nodes = (tuple(json.loads(column)) for column in per_move)
    seats = tuple(row[16:]) if len(row) > 17 else tuple(json.loads(row[16]))
    pairing = Pairing(game_id, round_, seats, tuple(json.loads(opponents)))
    played, values = tuple(json.loads(moves)), tuple(json.loads(returns))
    scored = None if scores is None else tuple(json.loads(scores))
    return GameRecord(pairing, played, opening, values, ending, forfeit, movers, seconds, nodes, scored, starter)
