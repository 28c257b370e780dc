"""Solve Connect Four: what each first move leads to, proven by a search to the end of the game.

    .venv/bin/python scripts/solve_connectfour.py --columns 6 --rows 5
    .venv/bin/python scripts/solve_connectfour.py --moves d --memory 2048

For each first move of x two questions are asked: does x win, and if not, does x hold the draw? A line is printed for each, with
the positions reached and the seconds of processor time it took; then the value of the board. Mirror images are not searched.
The search is that of `gamelab.search.outcome`. It reaches the same positions on any machine, if the memory and the moves asked
are the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NoReturn

import numpy as np

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import GamelabError
from gamelab.core.game import Array, Game
from gamelab.core.state import State
from gamelab.search.outcome import Question, new_table

# Positions between two looks at the keyboard: a kernel cannot be interrupted.
CHUNK = 5_000_000
WORDS = {1: "x wins", 0: "draw", -1: "o wins", None: "x does not win"}


def first_moves(game: Game, letters: str | None) -> list[int]:
    """The first moves to look at, the middle first, of mirror images the left one; or those named."""
    start = game.new_initial_state()
    if letters:
        return [start.string_to_action(letter) for letter in letters]
    left = [action for action in start.legal_actions() if 2 * action <= game.num_distinct_actions - 1]
    return sorted(left, key=lambda action: -kernels.action_prior(start.array, action))


def answer(state: State, table: Array, *, strict: bool) -> tuple[bool, int]:
    """Whether x gets more than 0 (strict) or at least 0, and the positions reached to find out."""
    if state.is_terminal():
        value = state.returns()[0]
        return value > 0 or (value == 0 and not strict), 0
    question = Question(state.game, table)
    question.ask(state.array, 0, strict)
    while question.search(CHUNK, np.zeros(1, np.uint8)):
        pass
    return bool(question.answer), question.nodes


def solve(state: State, table: Array, *, wins_only: bool) -> tuple[int | None, int]:
    """The value for x, or None if all that was asked is whether x wins and x does not; and the positions reached."""
    wins, nodes = answer(state, table, strict=True)
    if wins:
        return 1, nodes
    if wins_only:
        return None, nodes
    holds, more = answer(state, table, strict=False)
    return 0 if holds else -1, nodes + more


def report(game: Game, given: argparse.Namespace) -> None:
    """Solve each first move; a line each."""
    start, table = game.new_initial_state(), new_table(given.memory << 20)
    moves = first_moves(game, given.moves)
    warm_up(game)
    values: list[int | None] = []
    for action in moves:
        started = time.process_time()
        value, nodes = solve(start.child(action), table, wins_only=given.wins)
        seconds = time.process_time() - started
        print(f"{start.action_to_string(action)}: {WORDS[value]}, {nodes} positions, {seconds:.1f} s", flush=True)
        values.append(value)
    if not given.moves or 1 in values:
        best = max((value for value in values if value is not None), default=None)
        print(f"{game.columns}x{game.rows}: {WORDS[best]}")


def warm_up(game: Game) -> None:
    """Compile before any clock starts."""
    question = Question(game, new_table(1 << 10))
    start = game.new_initial_state()
    question.ask(start.child(start.legal_actions()[0]).array, 0, True)
    question.search(1, np.zeros(1, np.uint8))


def main() -> None:
    """Read the command line and solve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=7)
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--connect", type=int, default=4, help="stones in line that win (default 4)")
    parser.add_argument("--moves", help="first moves to look at, such as dc (default: all but mirror images)")
    parser.add_argument("--wins", action="store_true", help="ask only whether x wins")
    parser.add_argument("--memory", type=int, default=256, help="MiB for the table at most (default 256)")
    given = parser.parse_args()
    if given.memory < 1:
        parser.error(f"--memory: {given.memory} is less than 1")
    try:
        report(gamelab.load("connectfour", columns=given.columns, rows=given.rows, connect=given.connect), given)
    except GamelabError as error:
        fail(str(error))
    except MemoryError:
        fail(f"--memory: {given.memory} MiB cannot be had")


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"solve_connectfour: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
