"""Connect Four in plain Python: a slow twin of the compiled game, written from the rules alone.

A board is a tuple of columns, each a string of ``x`` and ``o`` from the bottom up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache


@dataclass(frozen=True)
class Position:
    rows: int
    connect: int
    columns: tuple[str, ...]

    def cell(self, column, row):
        return self.columns[column][row] if row < len(self.columns[column]) else "."

    def text(self):
        return "\n".join(
            "".join(self.cell(column, row) for column in range(len(self.columns))) for row in range(self.rows - 1, -1, -1)
        )


def start(rows, columns, connect):
    return Position(rows, connect, ("",) * columns)


def mover(position):
    return "xo"[sum(map(len, position.columns)) % 2]


def open_columns(position):
    return [column for column, stones in enumerate(position.columns) if len(stones) < position.rows]


def legal_actions(position):
    return [] if result(position) else open_columns(position)


def play(position, column):
    columns = list(position.columns)
    columns[column] += mover(position)
    return replace(position, columns=tuple(columns))


@cache
def lines(rows, columns, connect):
    """Every line of the board, as a list of (column, row)."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(connect)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                    found.append(line)
    return found


def lines_of(position):
    """For every line of the board its letters."""
    board = lines(position.rows, len(position.columns), position.connect)
    return [[position.cell(*cell) for cell in line] for line in board]


def result(position):
    """The letter of who has won, "draw", or None while the game goes on."""
    for line in lines_of(position):
        if line[0] != "." and set(line) == {line[0]}:
            return line[0]
    return None if open_columns(position) else "draw"


def threats(position, letter):
    """The empty cells that lack in a line that is else full of one player's stones."""
    found = set()
    for line in lines(position.rows, len(position.columns), position.connect):
        letters = [position.cell(*cell) for cell in line]
        if letters.count(letter) == len(line) - 1 and letters.count(".") == 1:
            found.add(line[letters.index(".")])
    return found
