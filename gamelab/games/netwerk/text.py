"""Netwerk in text: squares and moves, positions, and a board for the terminal.

A position is eight lines of ``W``, ``B`` and ``.``, rank 8 first, and a ninth: the side to move, then, only where they
differ from what the stones imply, ``hands 2 0`` (White, Black; else ten minus the stones on the board), ``ply 31`` (else the
number of stones) and ``passes 1`` (else 0)::

    ........
    ........
    ........
    ........
    ..W.....
    ........
    ........
    ........
    B

A position set up by hand is judged as if the side not to move had just moved. It need not be reachable from the start (one
colour alone is fine, for a study), but no stone may stand where its colour may never be placed.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gamelab.core.bits import bit
from gamelab.core.errors import NotationError, PositionError, quoted
from gamelab.games.netwerk.geometry import FIELD, SQUARES
from gamelab.games.netwerk.rules import DRAW, MOVE, ONGOING, PASS, STONES, ZOBRIST, judge

__all__ = ["action_to_string", "draw_board", "read_position", "square_name", "string_to_action", "write_position"]

COLOURS = "WB"
NAMES = ("White", "Black")
NUMBERS = {"hands": 2, "ply": 1, "passes": 1}
MOVE_PATTERN = re.compile(r"([a-h][1-8])(?:-([a-h][1-8]))?")


def square_name(square: int) -> str:
    """The name of a square, `a1` for 0 to `h8` for 63."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def _square(name: str) -> int:
    return 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])


def action_to_string(action: int) -> str:
    """`c4` for placing, `c4-e6` for moving, `pass`."""
    if action == PASS:
        return "pass"
    if action < MOVE:
        return square_name(action)
    return f"{square_name((action - MOVE) // SQUARES)}-{square_name((action - MOVE) % SQUARES)}"


def string_to_action(text: str) -> int:
    """The inverse of `action_to_string`; capital letters and space around are allowed."""
    word = text.strip().lower() if isinstance(text, str) else ""
    if word == "pass":
        return PASS
    match = MOVE_PATTERN.fullmatch(word)
    if not match:
        raise NotationError(f"{quoted(text)} is no move of netwerk: write c4 (place), c4-e6 (move) or pass")
    first, second = match.groups()
    return _square(first) if second is None else MOVE + SQUARES * _square(first) + _square(second)


def _stones_at(state: Any, square: int) -> str:
    for player, letter in enumerate(COLOURS):
        if int(state["stones"][player]) >> square & 1:
            return letter
    return "."


def _implied(state: Any) -> dict[str, tuple[int, ...]]:
    on_board = [int(state["stones"][player]).bit_count() for player in range(2)]
    return {"hands": (STONES - on_board[0], STONES - on_board[1]), "ply": (sum(on_board),), "passes": (0,)}


def write_position(state: Any) -> str:
    """The position as text; `read_position` is its exact inverse."""
    lines = ["".join(_stones_at(state, 8 * rank + file) for file in range(8)) for rank in reversed(range(8))]
    words = [COLOURS[state["player"]]]
    for name, implied in _implied(state).items():
        actual = tuple(int(value) for value in np.atleast_1d(state[name]))
        if actual != implied:
            words += [name, *map(str, actual)]
    return "\n".join([*lines, " ".join(words)])


def read_position(text: str, state: Any) -> None:
    """Set a blank record to the position that the text describes; PositionError says what is wrong in which line."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) != 9:
        raise PositionError(f"netwerk position: {len(lines)} lines, not 9 (eight ranks, rank 8 first, and the side to move)")
    for number, line in enumerate(lines[:8]):
        _read_rank(line, number, state)
    values = _read_last_line(lines[8])
    state["player"] = values.pop("player")[0]
    _fill_in(state, {**_implied(state), **values})
    state["result"] = ONGOING
    judge(state, np.uint64(1 - state["player"]))
    if state["result"] == ONGOING and (state["passes"] == 2 or state["ply"] >= state["max_plies"]):
        state["result"] = DRAW


def _read_rank(line: str, number: int, state: Any) -> None:
    if len(line) != 8:
        raise PositionError(
            f"netwerk position, line {number + 1} (rank {8 - number}): {len(line)} squares, not 8: {quoted(line)}"
        )
    for file, letter in enumerate(line):
        if letter == ".":
            continue
        square = 8 * (7 - number) + file
        where = f"netwerk position, line {number + 1}, {square_name(square)}"
        if letter not in COLOURS:
            raise PositionError(f"{where}: {quoted(letter)} is not W, B or .")
        player = COLOURS.index(letter)
        if not int(FIELD[player]) >> square & 1:
            raise PositionError(f"{where}: {NAMES[player]} may never stand there (a corner, or the other's goal)")
        state["stones"][player] |= bit(square)
        state["key"] ^= ZOBRIST[player, square]


def _read_last_line(line: str) -> dict[str, tuple[int, ...]]:
    words = line.split()
    if not words or words[0] not in COLOURS:
        raise PositionError(f"netwerk position, line 9: begins with the side to move, W or B, not {quoted(line)}")
    values: dict[str, tuple[int, ...]] = {"player": (COLOURS.index(words[0]),)}
    position = 1
    while position < len(words):
        name = words[position]
        if name not in NUMBERS or name in values:
            raise PositionError(f"netwerk position, line 9: {quoted(name)} is none of hands, ply, passes, each at most once")
        numbers = words[position + 1 : position + 1 + NUMBERS[name]]
        if len(numbers) != NUMBERS[name] or not all(re.fullmatch("[0-9]{1,5}", number) for number in numbers):
            raise PositionError(f"netwerk position, line 9: {name} is followed by {NUMBERS[name]} whole number(s)")
        values[name] = tuple(map(int, numbers))
        position += 1 + NUMBERS[name]
    return values


def _fill_in(state: Any, values: dict[str, tuple[int, ...]]) -> None:
    """Write hands, ply and passes into the record, once they are seen to be possible."""
    on_board = [int(state["stones"][player]).bit_count() for player in range(2)]
    for player, name in enumerate(NAMES):
        if on_board[player] > STONES:
            raise PositionError(f"netwerk position: {on_board[player]} stones for {name}, not at most {STONES}")
        if on_board[player] + values["hands"][player] > STONES:
            raise PositionError(
                f"netwerk position, line 9: {name} has {on_board[player]} stones on the board and "
                f"{values['hands'][player]} in hand, more than {STONES} together"
            )
        state["hands"][player] = values["hands"][player]
    (ply,), (passes,) = values["ply"], values["passes"]
    if not sum(on_board) <= ply <= state["max_plies"]:
        raise PositionError(
            f"netwerk position, line 9: ply {ply} is not from {sum(on_board)} (the stones on the board) "
            f"to {state['max_plies']} (max_plies)"
        )
    if passes > min(2, ply - sum(on_board)):
        raise PositionError(f"netwerk position, line 9: {passes} passes in a row do not fit ply {ply}")
    state["ply"], state["passes"] = ply, passes


def draw_board(state: Any) -> str:
    """A board with coordinates: `#` nobody, `|` White's goals, `-` Black's goals."""
    rows = []
    for rank in reversed(range(8)):
        row = []
        for file in range(8):
            stone = _stones_at(state, 8 * rank + file)
            edge_file, edge_rank = file in (0, 7), rank in (0, 7)
            empty = "#" if edge_file and edge_rank else "|" if edge_file else "-" if edge_rank else "."
            row.append(stone if stone != "." else empty)
        rows.append(f"{rank + 1}  {' '.join(row)}")
    return "\n".join([*rows, "   a b c d e f g h", _status(state)])


def _status(state: Any) -> str:
    result = int(state["result"])
    hands = f"in hand: White {state['hands'][0]}, Black {state['hands'][1]}; ply {state['ply']}"
    if result == ONGOING:
        return f"{NAMES[state['player']]} to move; {hands}"
    return f"{'draw' if result == DRAW else NAMES[result] + ' has won'}; {hands}"
