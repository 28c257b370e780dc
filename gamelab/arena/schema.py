"""The tables of a tournament's store.

Format 1 is for games of two, format 2 for any other number of seats: they differ in how a row says who sat where. Columns that
came later are not in the stores from before: they are added when a tournament goes on in one, and read as NULL until then.
"""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["ANY_SEATS", "FORMATS", "LATER_COLUMNS", "TWO_SEATS", "add_column", "columns", "tables"]

TWO_SEATS, ANY_SEATS = FORMATS = 1, 2
WHO = {
    TWO_SEATS: """\
    round INTEGER NOT NULL,       -- how often the two had met before, in pairs of games
    first TEXT NOT NULL,          -- who moved first: agent's spec
    second TEXT NOT NULL,
    opponents TEXT NOT NULL,      -- both, JSON, in the order of the tournament: what the games of a pair share""",
    ANY_SEATS: """\
    round INTEGER NOT NULL,       -- how often these had met before, in blocks of games
    seats TEXT NOT NULL,          -- agents' specs in the order of play, JSON
    opponents TEXT NOT NULL,      -- the same in the order of the tournament, alone all agents: what a block's games share""",
}
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    game_id INTEGER PRIMARY KEY,  -- place in the schedule, from 0
{who}
    seed INTEGER NOT NULL,        -- of the tournament; with the columns above it settles every random choice
    opening INTEGER NOT NULL,     -- random plies at the start
    moves TEXT NOT NULL,          -- all actions in notation, JSON
    returns TEXT NOT NULL,        -- for each seat, JSON
    ending TEXT NOT NULL,         -- how it ended
    forfeit INTEGER,              -- the seat that forfeited
    plies INTEGER NOT NULL,
    movers TEXT NOT NULL,         -- for each move an agent chose its seat, JSON
    seconds TEXT NOT NULL,        -- likewise: how long it took
    nodes TEXT NOT NULL,          -- likewise: states or simulations looked at
    versions TEXT NOT NULL,       -- of what played it
    scores TEXT,                  -- what each seat scored, JSON; NULL where there are no scores
    starter INTEGER               -- the seat that acted first; NULL where nobody did
);
"""
LATER_COLUMNS = {"scores": "TEXT", "starter": "INTEGER"}
SEATED = {TWO_SEATS: "first, second", ANY_SEATS: "seats"}


def tables(form: int) -> list[str]:
    """The statements that make the tables of a format."""
    return SCHEMA.format(who=WHO[form]).split(";\n")


def add_column(name: str) -> str:
    """The statement that adds one of the later columns."""
    return f"ALTER TABLE games ADD COLUMN {name} {LATER_COLUMNS[name]}"


def columns(form: int, missing: Collection[str] = ()) -> str:
    """The columns of a game, who sat where last; those missing in the table are NULL."""
    later = ", ".join("NULL" if name in missing else name for name in LATER_COLUMNS)
    return (
        "game_id, round, opponents, seed, opening, moves, returns, ending, forfeit, plies, "
        f"movers, seconds, nodes, versions, {later}, {SEATED[form]}"
    )
