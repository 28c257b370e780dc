"""Tic-tac-toe: the smallest game of the library, to check searches on and to show how a game is written.

Two players put their marks on a 3x3 board in turn, x (player 0) first. Three in a row, column or diagonal win; a full board
without is a draw.

    3  6 7 8        cell = 3 * row + column; the action is the cell
    2  3 4 5
    1  0 1 2
       a b c
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import mix, popcount
from gamelab.core.errors import NotationError, PositionError, quoted
from gamelab.core.game import Game
from gamelab.core.rules import TERMINAL, implements, state_dtype

__all__ = ["DTYPE", "TicTacToe"]

CELLS = 9
ONGOING, DRAW = -1, 2
FULL = np.uint64(0b111_111_111)
LINES = np.array(
    [0b000000111, 0b000111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100],
    dtype=np.uint64,
)

DTYPE = state_dtype(
    [
        (("cells marked, a bitboard for each player", "marks"), np.uint64, (2,)),
        (("player to move, 0 or 1", "player"), np.int8),
        (("ONGOING, the winner 0 or 1, or DRAW", "result"), np.int8),
    ],
    __file__,
)


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    state["marks"][0] = np.uint64(0)
    state["marks"][1] = np.uint64(0)
    state["player"] = 0
    state["result"] = ONGOING


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    return np.int64(state["player"]) if state["result"] == ONGOING else np.int64(TERMINAL)


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["result"] != ONGOING:
        return 0
    n = 0
    taken = state["marks"][0] | state["marks"][1]
    for cell in range(CELLS):
        if taken >> np.uint64(cell) & np.uint64(1) == np.uint64(0):
            out[n] = cell
            n += 1
    return n


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    player = np.int64(state["player"])
    state["marks"][player] |= np.uint64(1) << np.uint64(action)
    if has_line(state["marks"][player]):
        state["result"] = player
    elif state["marks"][0] | state["marks"][1] == FULL:
        state["result"] = DRAW
    state["player"] = 1 - player


@njit
def has_line(marks: np.uint64) -> bool:
    """Whether three of the marks stand in line."""
    for line in LINES:
        if marks & line == line:
            return True
    return False


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    out[0] = 0.0
    out[1] = 0.0
    if state["result"] == 0 or state["result"] == 1:
        out[state["result"]] = 1.0
        out[1 - state["result"]] = -1.0


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """Lines that a player can still fill, and has begun to."""
    total = 0
    for line in LINES:
        if state["marks"][1] & line == np.uint64(0):
            total += popcount(state["marks"][0] & line)
        if state["marks"][0] & line == np.uint64(0):
            total -= popcount(state["marks"][1] & line)
    out[0] = total / 20
    out[1] = -out[0]


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    return mix(state["marks"][0] << np.uint64(9) | state["marks"][1])


class TicTacToe(Game):
    """Tic-tac-toe. A position is three lines of ``x``, ``o`` and ``.``, the top row first; who moves follows from it."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    dtype = DTYPE
    num_distinct_actions = CELLS
    max_legal_actions = CELLS
    player_names = ("x", "o")
    rules_text = """\
Tic-tac-toe

Put your mark on an empty cell of the 3x3 board: `b2` is the middle. x moves first. Three of your marks in a row, a column
or a diagonal win; a full board without is a draw.
"""

    def action_to_string(self, state: Any, action: int) -> str:
        return "abc"[action % 3] + str(action // 3 + 1)

    def string_to_action(self, state: Any, text: str) -> int:
        word = text.strip().lower() if isinstance(text, str) else ""
        if not re.fullmatch("[abc][123]", word):
            raise NotationError(f"{quoted(text)} is no move of tictactoe: write a cell, a1 to c3")
        return 3 * (int(word[1]) - 1) + "abc".index(word[0])

    def write_text(self, state: Any) -> str:
        letters = ["".join(_mark(state, 3 * row + column) for column in range(3)) for row in (2, 1, 0)]
        return "\n".join(letters)

    def read_text(self, text: str, state: Any) -> None:
        lines = [line.strip().lower() for line in text.strip().splitlines()]
        if len(lines) != 3 or any(not re.fullmatch("[xo.]{3}", line) for line in lines):
            raise PositionError(f"tictactoe position: not three lines of x, o and .: {quoted(text)}")
        for cell in range(CELLS):
            letter = lines[2 - cell // 3][cell % 3]
            if letter != ".":
                state["marks"]["xo".index(letter)] |= np.uint64(1 << cell)
        counts = [int(marks).bit_count() for marks in state["marks"]]
        if counts[0] - counts[1] not in (0, 1):
            raise PositionError(f"tictactoe position: {counts[0]} x and {counts[1]} o, but x begins and they take turns")
        state["player"] = counts[0] - counts[1]
        lines_of = [has_line(marks) for marks in state["marks"]]
        # The last to move may have won; then the other cannot have.
        if lines_of[state["player"]]:
            raise PositionError(f"tictactoe position: {'xo'[state['player']]} has three in line, and the game went on")
        full = sum(counts) == CELLS
        state["result"] = 1 - state["player"] if lines_of[1 - state["player"]] else DRAW if full else ONGOING

    def draw_text(self, state: Any) -> str:
        rows = self.write_text(state).split()
        board = [f"{3 - i}  {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join([*board, "   a b c", self._status(state)])

    def _status(self, state: Any) -> str:
        if state["result"] == ONGOING:
            return f"{'xo'[state['player']]} to move"
        return "draw" if state["result"] == DRAW else f"{'xo'[state['result']]} has won"

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        parts = [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 180" width="180" height="180">',
            f"<title>Tic-tac-toe, {self._status(state)}</title>",
            '<rect width="180" height="180" fill="#f4efe6"/>',
        ]
        for at in (60, 120):
            parts.append(f'<path d="M{at} 6V174M6 {at}H174" stroke="#555" stroke-width="3"/>')
        for cell in range(CELLS):
            x, y = 30 + 60 * (cell % 3), 150 - 60 * (cell // 3)
            width = 9 if cell == last_action else 6
            if _mark(state, cell) == "x":
                path = f"M{x - 16} {y - 16}L{x + 16} {y + 16}M{x - 16} {y + 16}L{x + 16} {y - 16}"
                parts.append(f'<path class="x" d="{path}" stroke="#1f5a94" stroke-width="{width}"/>')
            elif _mark(state, cell) == "o":
                parts.append(
                    f'<circle class="o" cx="{x}" cy="{y}" r="17" fill="none" stroke="#b5461e" stroke-width="{width}"/>'
                )
        return "".join([*parts, "</svg>"])

    def describe_end(self, state: Any) -> str:
        if state["result"] == ONGOING:
            return "not over"
        return "draw, board full" if state["result"] == DRAW else "three in line"


def _mark(state: Any, cell: int) -> str:
    for marks, letter in zip(state["marks"], "xo", strict=True):
        if int(marks) >> cell & 1:
            return letter
    return "."
