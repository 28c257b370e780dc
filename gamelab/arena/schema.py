"""The tables of a tournament's store.

Format 1 is for games of two, format 2 for any other number of seats: they differ in how a row says who sat where. Stores from
before scores were kept lack that column: it is added when a tournament goes on in one, and read as NULL where it is not there.
"""

from __future__ import annotations

__all__ = ["ADD_SCORES", "ANY_SEATS", "FORMATS", "TWO_SEATS", "columns", "tables"]

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
    scores TEXT                   -- what each seat scored, JSON; NULL where there are no scores
);
"""
ADD_SCORES = "ALTER TABLE games ADD COLUMN scores TEXT"
SEATED = {TWO_SEATS: "first, second", ANY_SEATS: "seats"}


def tables(form: int) -> list[str]:
    """The statements that make the tables of a format."""
    return SCHEMA.format(who=WHO[form]).split(";\n")


def columns(form: int, *, scores: bool = True) -> str:
    """The columns of a game, who sat where last; `scores`: whether the table has them."""
    return (
        "game_id, round, opponents, seed, opening, moves, returns, ending, forfeit, plies, "
        f"movers, seconds, nodes, versions, {'scores' if scores else 'NULL'}, {SEATED[form]}"
    )
