"""How fast this machine plays and searches: figures for a first impression.

`benchmarks/` compares with a C twin in the same run; that is what to quote.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gamelab.core.game import Array, Game
from gamelab.search import alphabeta, mcts
from gamelab.search.clock import stop_after
from gamelab.search.playout import playout_batch

__all__ = ["Figure", "measure"]

REPETITIONS = 5
BATCH = 100  # random games between two looks at the clock
WARM_UP_SECONDS = 0.01
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
        What the first call took beyond its measuring: compiling, or loading what was compiled.
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

    Examples
    --------
    >>> import gamelab
    >>> [figure.unit for figure in measure(gamelab.load("tictactoe"), seconds=0.001)][:3]
    ['games/s', 'plies/s', 'simulations/s']
    """
    figures = _playouts(game, seconds, seed)
    if game.hidden_information:
        return figures  # neither search below may look at what is hidden
    figures += _mcts(game, seconds, seed)
    if game.num_players == 2 and game.chance_mode == "deterministic":
        figures += _alphabeta(game, seconds)
    return figures


def _repeat(names: list[tuple[str, str]], run: Callable[[float], list[float]], seconds: float) -> list[Figure]:
    """Figures, one a name and unit, from repeated runs; the first one, a short one that compiles, does not count."""
    started = time.perf_counter()
    run(WARM_UP_SECONDS)
    first = time.perf_counter() - started
    runs = [run(seconds) for _ in range(REPETITIONS)]
    return [
        Figure(name, unit, statistics.median(values), min(values), max(values), max(0.0, first - WARM_UP_SECONDS))
        for (name, unit), values in zip(names, zip(*runs, strict=True), strict=True)
    ]


def _playouts(game: Game, seconds: float, seed: int) -> list[Figure]:
    states = np.concatenate([game.initial_array(), game.blank_array()])
    buffer, totals, rng = game.action_buffer(), np.zeros(game.num_players), np.random.default_rng(seed)

    def run(limit: float) -> list[float]:
        games, plies, elapsed = 0, 0, 0.0
        started = time.perf_counter()
        while elapsed < limit:
            plies += playout_batch(states, BATCH, buffer, totals, rng)
            games += BATCH
            elapsed = time.perf_counter() - started
        return [games / elapsed, plies / elapsed]

    return _repeat([("random games", "games/s"), ("random games", "plies/s")], run, seconds)


def _mcts(game: Game, seconds: float, seed: int) -> list[Figure]:
    tree = mcts.Tree(game, MCTS_NODES)
    rng = np.random.default_rng(seed)
    start = _first_decision(game, seed)

    def run(limit: float) -> list[float]:
        tree.set_root(start)
        with stop_after(limit) as stop:
            started = time.perf_counter()
            done = tree.run(np.iinfo(np.int32).max, rng, stop)
        return [done / (time.perf_counter() - started)]

    return _repeat([("MCTS from the start", "simulations/s")], run, seconds)


def _alphabeta(game: Game, seconds: float) -> list[Figure]:
    searcher = alphabeta.Searcher(game, TABLE_BYTES)
    start = game.initial_array()

    def run(limit: float) -> list[float]:
        searcher.forget()
        with stop_after(limit) as stop:
            started = time.perf_counter()
            found = searcher.search(start, depth=alphabeta.MAX_DEPTH - 1, nodes=np.iinfo(np.int64).max, stop=stop)
        return [found.nodes / (time.perf_counter() - started), found.depth]

    names = [("alpha-beta from the start", "nodes/s"), (f"alpha-beta, depth in {seconds:g} s", "plies")]
    return _repeat(names, run, seconds)


def _first_decision(game: Game, seed: int) -> Array:
    """The start, past what chance does there."""
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while state.is_chance_node():
        state.apply_action(state.sample_chance(rng))
    return state.array
