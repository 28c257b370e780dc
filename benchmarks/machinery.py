"""What is around the searches: worker processes, the Python face, starting."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from measure import Line, line, timed

import gamelab
from gamelab.arena.tournament import Tournament

__all__ = ["from_python", "workers"]


def workers(quick: bool) -> list[Line]:
    """The same tournament with one process and with two: with their start included, and in two that play already."""
    games = 8 if quick else 120
    bots = ["mcts:sims=2000", "alphabeta:depth=4"]

    def rate(count: int = 1, executor: ProcessPoolExecutor | None = None) -> float:
        tournament = Tournament("netwerk", bots, games=games, seed=1)
        return 60 * games / timed(lambda: tournament.run(workers=count, executor=executor))

    rate()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as running:
        rate(executor=running)
        rates = [(rate(), rate(2), rate(executor=running)) for _ in range(1 if quick else 5)]
    return [
        line("tournament, one worker", "games/minute", [a for a, _, _ in rates]),
        line("tournament, two workers", "games/minute", [b for _, b, _ in rates]),
        line("tournament, two workers", "of one's", [b / a for a, b, _ in rates], ">= 1.8"),
        line("two workers, start excluded", "of one's", [c / a for a, _, c in rates], ">= 1.8"),
    ]


def from_python(quick: bool) -> list[Line]:
    """What a notebook feels: moves through `State`, and importing."""
    game, rounds = gamelab.load("netwerk"), 5 if quick else 40

    def play() -> int:
        rng, plies = np.random.default_rng(1), 0
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
            plies += len(state.history())
        return plies

    plies = play()
    start = [sys.executable, "-c", "import gamelab; gamelab.load('netwerk')"]
    subprocess.run(start, check=True)
    return [
        line("State, random game from Python", "plies/s", [plies / timed(play) for _ in range(5)]),
        line("python, load netwerk", "s", [timed(lambda: subprocess.run(start, check=True)) for _ in range(5)]),
    ]
