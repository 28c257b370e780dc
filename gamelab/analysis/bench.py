"""How fast this machine plays and searches: figures for a first impression.

`benchmarks/` compares with a C twin in the same run; that is what to quote.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gamelab.core.game import Game
from gamelab.search import alphabeta, mcts
from gamelab.search.clock import stop_after
from gamelab.search.playout import playout_batch

__all__ = ["Figure", "measure"]

REPETITIONS = 5
MCTS_NODES = 2_000_000
TABLE_BYTES = 1 << 26


@dataclass(frozen=True)
class Figure:
    """One measured quantity.

    Attributes
    ----------
    name, unit : str
    median, low, high : float
        Of `REPETITIONS` repetitions.
    compile_seconds : float
        What the first call took, compiling or loading from the cache.
    """

    name: str
    unit: str
    median: float
    low: float
    high: float
    compile_seconds: float


def measure(game: Game, seconds: float = 1.0, seed: int = 1) -> list[Figure]:
    """Random games, MCTS and, where it can play the game, alpha-beta, each `REPETITIONS` times for about `seconds`.

    Parameters
    ----------
    game : Game
    seconds : float
        For each repetition.
    seed : int
    """
    figures = [*_playouts(game, seconds, seed), _mcts(game, seconds, seed)]
    if game.num_players == 2 and game.chance_mode == "deterministic" and not game.hidden_information:
        figures += _alphabeta(game, seconds)
    return figures


def _repeat(names: list[tuple[str, str]], run: Callable[[], list[float]]) -> list[Figure]:
    """Figures, one a name and unit, from repeated runs; the first one, which compiles, does not count."""
    started = time.perf_counter()
    run()
    first = time.perf_counter() - started
    runs = [run() for _ in range(REPETITIONS)]
    return [
        Figure(name, unit, statistics.median(values), min(values), max(values), first)
        for (name, unit), values in zip(names, zip(*runs, strict=True), strict=True)
    ]


def _playouts(game: Game, seconds: float, seed: int) -> list[Figure]:
    states = np.concatenate([game.initial_array(), game.blank_array()])
    buffer, totals, rng = game.action_buffer(), np.zeros(game.num_players), np.random.default_rng(seed)

    def run() -> list[float]:
        games = plies = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            plies += playout_batch(states, 1000, buffer, totals, rng)
            games += 1000
        return [games / elapsed, plies / elapsed]

    return _repeat([("random games", "games/s"), ("random games", "plies/s")], run)


def _mcts(game: Game, seconds: float, seed: int) -> Figure:
    tree = mcts.Tree(game, MCTS_NODES, exploration=0.7, solver=True)
    rng = np.random.default_rng(seed)
    start = game.initial_array()

    def run() -> list[float]:
        tree.set_root(start)
        with stop_after(seconds) as stop:
            started = time.perf_counter()
            done = tree.run(np.iinfo(np.int32).max, rng, stop)
        return [done / (time.perf_counter() - started)]

    return _repeat([("MCTS from the start", "simulations/s")], run)[0]


def _alphabeta(game: Game, seconds: float) -> list[Figure]:
    searcher = alphabeta.Searcher(game, TABLE_BYTES)
    start = game.initial_array()

    def run() -> list[float]:
        searcher.forget()
        with stop_after(seconds) as stop:
            started = time.perf_counter()
            found = searcher.search(start, depth=alphabeta.MAX_DEPTH - 1, nodes=np.iinfo(np.int64).max, stop=stop)
        return [found.nodes / (time.perf_counter() - started), found.depth]

    return _repeat([("alpha-beta from the start", "nodes/s"), (f"alpha-beta, depth in {seconds:g} s", "plies")], run)
