"""Boards of Kreuz & Quer for the terminal."""

from __future__ import annotations

from typing import Any

from gamelab.games.kreuzquer.geometry import (
    CROSSING,
    FACE_DOWN,
    MIDDLE,
    OUTLET_POSITIONS,
    SIDES_OF,
    SIZE,
)
from gamelab.games.kreuzquer.pieces import TileSet
from gamelab.games.kreuzquer.rules import EMPTY, NO_TILE
from gamelab.games.kreuzquer.text import drawn_kinds, status

__all__ = ["draw_boards"]

UPRIGHT, FLAT = " ║│", " ═─"  # by pipe: none, wide, narrow
COVERED = ("░░░░░",) * 3
LEFT = 5  # columns before the board


def draw_boards(tiles: TileSet, state: Any) -> str:
    """The boards, two abreast, and what is to be placed.

    Double lines are wide pipes, single ones narrow; a grey tile lies face down. The outlets' values stand around the board.
    """
    players = range(int(state["players"]))
    boards = [_board(state, player) for player in players]
    rows = []
    for first in players[::2]:
        pair = boards[first : first + 2]
        rows += ["    ".join(lines).rstrip() for lines in zip(*pair, strict=True)]
        rows.append("")
    return "\n".join([*rows, _last_line(tiles, state)])


def _last_line(tiles: TileSet, state: Any) -> str:
    drawn = len(drawn_kinds(tiles, state))
    line = f"round {max(1, drawn)}; {status(state)}"
    if state["tile"] != NO_TILE:
        line += f" tile {state['tile'] + 1}, {tiles.sides[state['tile']]}"
    return line


def _board(state: Any, player: int) -> list[str]:
    values = [_along(state, player, side) for side in range(4)]
    title = f"player {player}: {state['minus'][player]} minus points as it stands"
    rows = [title, _row_of_values(values[0])]
    for row in range(SIZE - 1, -1, -1):
        cells = [_cell(_lay(state, player, SIZE * row + column)) for column in range(SIZE)]
        lines = ["".join(parts) for parts in zip(*cells, strict=True)]
        west, east = values[3][row], values[1][SIZE - 1 - row]
        rows += [f"     {lines[0]}", f"{row + 1}  {west} {lines[1]} {east}", f"     {lines[2]}"]
    rows += [_row_of_values(values[2][::-1]), " " * LEFT + "".join(f"  {letter}  " for letter in "abcde")]
    width = LEFT + 5 * SIZE + 2
    return [f"{line:{max(width, len(title))}}" for line in rows]


def _along(state: Any, player: int, side: int) -> list[str]:
    """What stands along a border, clockwise: values, and a space for the blank."""
    marks = [" "] * SIZE
    for number, position in enumerate(OUTLET_POSITIONS):
        marks[position] = str(state["outlets"][player, 4 * side + number])
    return marks


def _row_of_values(marks: list[str]) -> str:
    return " " * LEFT + "".join(f"  {mark}  " for mark in marks)


def _lay(state: Any, player: int, cell: int) -> int:
    return CROSSING if cell == MIDDLE else int(state["lays"][player, cell])


def _cell(lay: int) -> tuple[str, ...]:
    """Three lines of five characters."""
    if lay == EMPTY:
        return "     ", "  .  ", "     "
    if lay == FACE_DOWN:
        return COVERED
    north, east, south, west = SIDES_OF[lay]
    return f"  {UPRIGHT[north]}  ", f"{FLAT[west] * 2}o{FLAT[east] * 2}", f"  {UPRIGHT[south]}  "
