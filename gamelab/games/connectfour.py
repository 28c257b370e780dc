"""Connect Four on a board of any size that fits a word: the benchmark of speed, and a game whose solution is known.

Two players drop stones into columns in turn, x (player 0) first. A stone falls onto the others of its column. Four in a row,
column or diagonal win; a full board without is a draw. The rules of Howard Wexler's game (Milton Bradley 1974), solved by
James D. Allen and by Victor Allis in 1988: on 7x6 x wins, beginning in the middle.

The board is a word, column by column from the bottom, with an empty row of sentinels on top. They end every line that would
wrap into the next column, and they are where the next stone would lie when the column is full.

     6 13 20 27 34 41 48     sentinels
     5 12 19 26 33 40 47     cell = column * (rows + 1) + row; the action is the column
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45     A line goes on at a distance of
     2  9 16 23 30 37 44         1           upwards
     1  8 15 22 29 36 43         rows + 1    to the right
     0  7 14 21 28 35 42         rows + 2    up and right, rows: down and right
     a  b  c  d  e  f  g

Bitboards of this shape are John Tromp's (https://tromp.github.io/c4/Connect4.java).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit, njit_inline
from gamelab.core.bits import bit, lowest_bit, mix, nth, popcount, without_lowest
from gamelab.core.errors import NotationError, ParameterError, PositionError, quoted
from gamelab.core.game import Game, Parameter
from gamelab.core.rules import TERMINAL, implements, state_dtype

__all__ = ["DTYPE", "ConnectFour"]

MAX_BITS = 64
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = "xo"
LOOKS = {"x": ("stone x", "#f2c230"), "o": ("stone o", "#c8402b"), ".": ("hole", "#f6f1e7")}  # SVG class and colour

DTYPE = state_dtype(
    [
        (("stones of the player to move, a bitboard", "own"), np.uint64),
        (("stones of the other player, who moved last", "other"), np.uint64),
        (("where each column's next stone would lie, on a sentinel if the column is full", "landing"), np.uint64),
        (("all cells, without the sentinels", "board"), np.uint64),
        (("cells of the first, third, fifth ... row from below", "odd_rows"), np.uint64),
        (("player to move, 0 or 1, or TERMINAL", "player"), np.int8),
        (("rows of the board", "rows"), np.uint8),
        (("columns of the board", "columns"), np.uint8),
        (("stones in line that win", "connect"), np.uint8),
        (("2**16 / (rows + 1), rounded up: dividing by multiplying", "reciprocal"), np.uint32),
    ],
    __file__,
)


# --- rules ------------------------------------------------------------------------------------------------------------


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    state["own"] = np.uint64(0)
    state["other"] = np.uint64(0)
    # The cells with none below: those above a sentinel, and cell 0.
    state["landing"] = state["board"] & ~(state["board"] << np.uint64(1))
    state["player"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    return np.int64(state["player"])


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["player"] == TERMINAL:
        return 0
    n = 0
    rest = state["landing"] & state["board"]
    while rest != np.uint64(0):
        out[n] = column_of(state, nth(rest, 0))
        rest = without_lowest(rest)
        n += 1
    return n


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """The n-th open column, found by counting bits; the columns are not listed."""
    rest = state["landing"] & state["board"]
    return column_of(state, nth(rest, np.int64(u * popcount(rest))))


@njit
def column_of(state, cell):  # type: ignore[no-untyped-def]
    """``cell // (rows + 1)``, right for all cells below 64."""
    return np.int64(np.uint64(cell) * np.uint64(state["reciprocal"]) >> np.uint64(16))


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    drop(state, state["landing"] & column_cells(state, action))


@njit_inline
def column_cells(state, column):  # type: ignore[no-untyped-def]
    """The cells of a column, without its sentinel."""
    rows = np.uint64(state["rows"])
    return ((np.uint64(1) << rows) - np.uint64(1)) << (np.uint64(column) * (rows + np.uint64(1)))


@implements(rules.apply_random, DTYPE)
def apply_random(state, buffer, u):  # type: ignore[no-untyped-def]
    rest = state["landing"] & state["board"]
    drop(state, bit(nth(rest, np.int64(u * popcount(rest)))))


@njit_inline
def drop(state, cell):  # type: ignore[no-untyped-def]
    """Put the mover's stone on a cell, given as the word with its bit."""
    rows = np.uint64(state["rows"])
    landing = state["landing"] + cell
    stones = state["own"] | cell
    state["own"] = state["other"]
    state["other"] = stones
    state["landing"] = landing
    over = has_line(stones, rows, state["connect"]) | (landing & state["board"] == np.uint64(0))
    state["player"] = TERMINAL if over else 1 - state["player"]


@njit_inline
def has_line(stones, rows, connect):  # type: ignore[no-untyped-def]
    """Whether `connect` of the stones stand in line."""
    rows = np.uint64(rows)
    lines = runs(stones, np.uint64(1), connect) | runs(stones, rows, connect)
    lines |= runs(stones, rows + np.uint64(1), connect) | runs(stones, rows + np.uint64(2), connect)
    return lines != np.uint64(0)


@njit_inline
def runs(cells, step, length):  # type: ignore[no-untyped-def]
    """The cells from which `length` (3 to 8) of the cells follow each other at a distance of `step`."""
    length = np.uint64(length)
    two = cells & cells >> shift(step, np.uint64(1))
    if length <= np.uint64(4):
        return two & two >> shift(step, length - np.uint64(2))
    four = two & two >> shift(step, np.uint64(2))
    return four & four >> shift(step, length - np.uint64(4))


@njit_inline
def shift(step, times):  # type: ignore[no-untyped-def]
    """The distance of `times` steps, at most 63: nothing lies so far off, but the processor takes a distance modulo 64."""
    return min(step * times, np.uint64(63))


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    out[0] = 0.0
    out[1] = 0.0
    if state["player"] == TERMINAL and has_line(state["other"], state["rows"], state["connect"]):
        loser = popcount(state["own"] | state["other"]) & 1
        out[loser] = -1.0
        out[1 - loser] = 1.0


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    # Tromp's code of a position: a 1 on each column's top, below it the stones of one player. No two positions share it.
    return mix(state["own"] + state["landing"])


# --- what a search asks besides ---------------------------------------------------------------------------------------


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """Cells that complete a line, those of the right parity most, and the lines that can still be filled.

    With an even number of rows, columns get filled in pairs: at the end x comes to lie on odd rows, o on even ones, so each
    can wait for threats there (Allis 1988, "A knowledge-based approach of Connect-Four").
    """
    own, other = threats(state, state["own"]), threats(state, state["other"])
    playable = state["landing"] & state["board"]
    if own & playable != np.uint64(0):
        value = 0.98
    elif without_lowest(other & playable) != np.uint64(0):
        value = -0.97
    else:
        own_rows = state["odd_rows"] if state["player"] == 0 else ~state["odd_rows"]
        balance = 4 * (popcount(own) - popcount(other)) + 8 * (popcount(own & own_rows) - popcount(other & ~own_rows))
        balance += open_lines(state, state["other"]) - open_lines(state, state["own"])
        value = balance / (40.0 + abs(balance))
    player = np.int64(state["player"])
    out[player] = value
    out[1 - player] = -value


@implements(rules.is_quiet, DTYPE)
def is_quiet(state):  # type: ignore[no-untyped-def]
    """Whether neither player completes a line with the next stone."""
    both = threats(state, state["own"]) | threats(state, state["other"])
    return both & state["landing"] & state["board"] == np.uint64(0)


@implements(rules.action_prior, DTYPE)
def action_prior(state, action):  # type: ignore[no-untyped-def]
    """Most cells to complete a line first, then the middle: most lines lead through it. After Pascal Pons' move order."""
    stones = state["own"] | state["landing"] & column_cells(state, action)
    columns = 1.0 * state["columns"]
    return 2.0 * columns * popcount(threats(state, stones)) - abs(2.0 * np.int64(action) - columns + 1.0)


@implements(rules.relevant_actions, DTYPE)
def relevant_actions(state, out):  # type: ignore[no-untyped-def]
    """The win at once; or what the opponent would win with; or what does not lie below such a cell; or, if all is lost, any."""
    playable = state["landing"] & state["board"]
    theirs = threats(state, state["other"])
    for forced in (threats(state, state["own"]) & playable, theirs & playable):
        if forced != np.uint64(0):
            out[0] = column_of(state, nth(forced, 0))
            return 1
    rest = playable & ~(theirs >> np.uint64(1))
    if rest == np.uint64(0):
        rest = lowest_bit(playable)
    n = 0
    while rest != np.uint64(0):
        out[n] = column_of(state, nth(rest, 0))
        rest = without_lowest(rest)
        n += 1
    return n


@implements(rules.symmetric_key, DTYPE)
def symmetric_key(state):  # type: ignore[no-untyped-def]
    """The lesser of a position's code and its mirror image's."""
    height = np.uint64(state["rows"]) + np.uint64(1)
    column = (np.uint64(1) << height) - np.uint64(1)
    code = state["own"] + state["landing"]
    rest, mirrored = code, np.uint64(0)
    for _ in range(np.int64(state["columns"])):
        mirrored = mirrored << height | rest & column
        rest >>= height
    return mix(min(code, mirrored))


@njit
def threats(state, stones):  # type: ignore[no-untyped-def]
    """The empty cells that would complete a line of the stones."""
    # With the usual length as a literal the compiler unrolls the loops.
    if state["connect"] == 4:
        return lacking(state, stones, 4)
    return lacking(state, stones, np.int64(state["connect"]))


@njit_inline
def lacking(state, stones, connect):  # type: ignore[no-untyped-def]
    rows = np.uint64(state["rows"])
    found = np.uint64(0)
    for step in (np.uint64(1), rows, rows + np.uint64(1), rows + np.uint64(2)):
        for missing in range(connect):
            # The line's other cells: those before the missing one, then those after it.
            line = state["board"]
            for i in range(1, missing + 1):
                line &= stones << shift(step, np.uint64(i))
            for i in range(1, connect - missing):
                line &= stones >> shift(step, np.uint64(i))
            found |= line
    return found & ~(state["own"] | state["other"])


@njit
def open_lines(state, against):  # type: ignore[no-untyped-def]
    """How many lines hold no stone of the player whose stones are `against`."""
    free, connect = state["board"] & ~against, state["connect"]
    rows = np.uint64(state["rows"])
    count = popcount(runs(free, np.uint64(1), connect)) + popcount(runs(free, rows, connect))
    count += popcount(runs(free, rows + np.uint64(1), connect)) + popcount(runs(free, rows + np.uint64(2), connect))
    return count


# --- the game seen from Python ----------------------------------------------------------------------------------------


class ConnectFour(Game):
    """Connect Four. A position is a line of ``x``, ``o`` and ``.`` for each row, the top one first; who moves follows."""

    name = "connectfour"
    title = "Connect Four"
    dtype = DTYPE
    player_names = ("x", "o")
    parameter_specs = {  # noqa: RUF012
        "rows": Parameter(6, "height of the board; columns * (rows + 1) is at most 64", low=1, high=63),
        "columns": Parameter(7, "width of the board", low=1, high=26),
        "connect": Parameter(4, "stones in line that win, at most the longer side of the board", low=3, high=8),
    }
    rules_text = """\
Connect Four (Howard Wexler, Milton Bradley 1974)

Drop a stone into a column that is not full: `d` is the middle one of seven. It falls onto the stones below. x moves first.
Four of your stones (connect) in a row, a column or a diagonal win; a full board without is a draw.
"""

    def __init__(self, /, **parameters: object) -> None:
        super().__init__(**parameters)
        self.rows, self.columns, self.connect = (int(self._parameters[name]) for name in ("rows", "columns", "connect"))
        if self.columns * (self.rows + 1) > MAX_BITS:
            raise ParameterError(
                f"connectfour, rows and columns: columns * (rows + 1) is {self.columns} * {self.rows + 1} "
                f"= {self.columns * (self.rows + 1)}, but at most {MAX_BITS}"
            )
        if self.connect > max(self.rows, self.columns):
            raise ParameterError(
                f"connectfour, connect: {self.connect} stones fit neither in {self.rows} rows nor in {self.columns} columns"
            )
        self.num_distinct_actions = self.max_legal_actions = self.columns

    def write_parameters(self, state: Any) -> None:
        cells = [self._cell(column, row) for column in range(self.columns) for row in range(self.rows)]
        odd = [self._cell(column, row) for column in range(self.columns) for row in range(0, self.rows, 2)]
        state["board"], state["odd_rows"] = (np.uint64(sum(1 << cell for cell in group)) for group in (cells, odd))
        state["rows"], state["columns"], state["connect"] = self.rows, self.columns, self.connect
        state["reciprocal"] = (1 << 16) // (self.rows + 1) + 1

    def action_to_string(self, state: Any, action: int) -> str:
        return LETTERS[action]

    def string_to_action(self, state: Any, text: str) -> int:
        word = text.strip().lower() if isinstance(text, str) else ""
        if len(word) != 1 or word not in LETTERS[: self.columns]:
            raise NotationError(f"{quoted(text)} is no move of connectfour: write a column, a to {LETTERS[self.columns - 1]}")
        return LETTERS.index(word)

    def write_text(self, state: Any) -> str:
        return "\n".join("".join(self._mark(state, column, row) for column in range(self.columns)) for row in self._rows())

    def read_text(self, text: str, state: Any) -> None:
        stones = self._read_stones(text)
        counts = [word.bit_count() for word in stones]
        if counts[0] - counts[1] not in (0, 1):
            raise PositionError(f"connectfour position: {counts[0]} x and {counts[1]} o, but x begins and they take turns")
        mover = counts[0] - counts[1]
        state["own"], state["other"] = np.uint64(stones[mover]), np.uint64(stones[1 - mover])
        bottom = sum(1 << self._cell(column, 0) for column in range(self.columns))
        state["landing"] = np.uint64(stones[0] + stones[1] + bottom)
        over = self._check_lines(stones, mover) or sum(counts) == self.rows * self.columns
        state["player"] = TERMINAL if over else mover

    def draw_text(self, state: Any) -> str:
        rows = [" ".join(line) for line in self.write_text(state).split()]
        return "\n".join([*rows, " ".join(LETTERS[: self.columns]), self._status(state)])

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        width, height = 44 * self.columns + 12, 44 * self.rows + 36
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">',
            f"<title>Connect Four, {self._status(state)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#f6f1e7"/>',
            f'<rect width="{width}" height="{height - 24}" rx="8" fill="#2f5d94"/>',
        ]
        for column in range(self.columns):
            x = 28 + 44 * column
            parts.append(f'<text x="{x}" y="{height - 7}" text-anchor="middle" fill="#3a342c">{LETTERS[column]}</text>')
            for row in range(self.rows):
                kind, fill = LOOKS[self._mark(state, column, row)]
                y = 28 + 44 * (self.rows - 1 - row)
                parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="18" fill="{fill}"/>')
        if last_action is not None:
            height_of = [self._mark(state, last_action, row) != "." for row in range(self.rows)].count(True)
            place = f'cx="{28 + 44 * last_action}" cy="{28 + 44 * (self.rows - height_of)}" r="8"'
            parts.append(f'<circle class="last" {place} fill="none" stroke="#3a342c" stroke-width="3"/>')
        return "".join([*parts, "</svg>"])

    def describe_end(self, state: Any) -> str:
        if state["player"] != TERMINAL:
            return "not over"
        return f"{self.connect} in line" if self._winner(state) else "draw, board full"

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _cell(self, column: int, row: int) -> int:
        return column * (self.rows + 1) + row

    def _rows(self) -> range:
        return range(self.rows - 1, -1, -1)

    def _mark(self, state: Any, column: int, row: int) -> str:
        last = _last_player(state)
        for stones, letter in ((state["own"], MARKS[1 - last]), (state["other"], MARKS[last])):
            if int(stones) >> self._cell(column, row) & 1:
                return letter
        return "."

    def _winner(self, state: Any) -> str:
        won = has_line(state["other"], state["rows"], state["connect"])
        return MARKS[_last_player(state)] if won else ""

    def _status(self, state: Any) -> str:
        if state["player"] != TERMINAL:
            return f"{MARKS[state['player']]} to move"
        return f"{self._winner(state)} has won" if self._winner(state) else "draw"

    def _read_stones(self, text: str) -> list[int]:
        """The bitboards of x and o; PositionError unless every stone lies on another or on the floor."""
        lines = [line.strip().lower() for line in text.strip().splitlines()]
        if len(lines) != self.rows:
            raise PositionError(f"connectfour position: {len(lines)} lines, but the board has {self.rows} rows")
        stones = [0, 0]
        for number, line in enumerate(lines, 1):
            if not re.fullmatch(f"[xo.]{{{self.columns}}}", line):
                raise PositionError(f"connectfour position, line {number}: {quoted(line)} is not {self.columns} of x, o and .")
            for column, letter in enumerate(line):
                if letter == ".":
                    continue
                if number < self.rows and lines[number][column] == ".":
                    where = f"line {number}, column {LETTERS[column]}"
                    raise PositionError(f"connectfour position, {where}: {letter} floats, the cell below is empty")
                stones[MARKS.index(letter)] |= 1 << self._cell(column, self.rows - number)
        return stones

    def _check_lines(self, stones: list[int], mover: int) -> bool:
        """Whether the last player has won; PositionError if the game must have ended before."""
        mine, theirs = MARKS[mover], MARKS[1 - mover]
        if self._has_line(stones[mover]):
            raise PositionError(f"connectfour position: {mine} has {self.connect} in line, and the game went on")
        if not self._has_line(stones[1 - mover]):
            return False
        occupied = stones[0] | stones[1]
        for column in range(self.columns):
            floor = self._cell(column, 0)
            height = (occupied >> floor & ((1 << self.rows) - 1)).bit_length()
            top = 1 << floor + height - 1 if height else 0
            if top & stones[1 - mover] and not self._has_line(stones[1 - mover] ^ top):
                return True
        raise PositionError(f"connectfour position: {theirs} has more lines than its last stone can have made")

    def _has_line(self, stones: int) -> bool:
        return bool(has_line(np.uint64(stones), np.uint64(self.rows), np.uint8(self.connect)))


def _last_player(state: Any) -> int:
    """Who dropped the last stone; o at the start."""
    return 1 if int(state["own"]).bit_count() == int(state["other"]).bit_count() else 0
