"""What gamelab's speed is, as ratios measured in one run: `python benchmarks/run.py [--quick] [--json] [NAME ...]`.

Machines are noisy, so what is compared alternates, and every figure is the median of at least five repetitions, with the
range beside it. Compiling happens before any clock starts. README.md beside this file says what the lines mean.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from twin import Twin

import gamelab
from gamelab.arena.tournament import Tournament
from gamelab.core.game import Game
from gamelab.search import alphabeta, mcts
from gamelab.search.clock import stop_after
from gamelab.search.playout import playout_batch
from gamelab.search.tree import BYTES_PER_NODE

# A position that is far from proven: a search that proves its root stops there, and would look arbitrarily fast.
MIDGAME = """
....B...
..W..W..
..WBWB..
........
W...B.B.
........
........
........
W
"""


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    name: str
    unit: str
    median: float
    low: float
    high: float
    goal: str = ""


def line(name: str, unit: str, values: list[float], goal: str = "") -> Line:
    """The median and range of repeated measurements."""
    return Line(name, unit, statistics.median(values), min(values), max(values), goal)


def timed(work: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def two_states(game: Game, text: str | None = None) -> np.ndarray:
    """A state and room for another, as the kernels want them."""
    state = game.new_initial_state() if text is None else game.state_from_text(text)
    return np.concatenate([state.array, game.blank_array()])


def playout(quick: bool) -> list[Line]:
    """Uniformly random games against the C twin. First both must play the same game: as long, and won as often by White."""
    twin, games = Twin(), 20_000 if quick else 150_000
    lines = []
    for number, crowding in enumerate(("both", "first")):
        game = gamelab.load("netwerk", crowding=crowding)
        states, buffer, totals = two_states(game), game.action_buffer(), np.zeros(2)
        rng = np.random.default_rng(1)
        playout_batch(states, 1, buffer, totals, rng)
        totals[:] = 0
        ours, theirs, plies, their_plies, their_white, their_draws = [], [], 0, 0, 0, 0

        def play() -> None:
            nonlocal plies
            plies += playout_batch(states, games, buffer, totals, rng)  # noqa: B023

        for repetition in range(7):
            ours.append(games / timed(play))
            started = time.perf_counter()
            length, white, draws = twin.play(repetition + 1, games, number)
            theirs.append(games / (time.perf_counter() - started))
            their_plies, their_white, their_draws = their_plies + length, their_white + white, their_draws + draws
        total = 7 * games
        share, their_share = (totals[0] / total + 1) / 2, (their_white + their_draws / 2) / total
        if abs(share - their_share) > 4 / total**0.5 or abs(plies - their_plies) / total > 40 / total**0.5:
            sys.exit(f"benchmarks: the C twin plays another game: {plies / total:.2f} and {their_plies / total:.2f} plies, "
                     f"White {share:.3f} and {their_share:.3f}")  # fmt: skip
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        lines += [
            line(f"playout, {crowding}", "games/s", ours),
            line(f"playout, {crowding}", "plies/s", [rate * plies / total for rate in ours]),
            line(f"C twin, {crowding}", "games/s", theirs),
            line(f"playout, {crowding}", "of the C twin's", ratios, ">= 1.0"),
        ]
    return lines


def tree_search(quick: bool) -> list[Line]:
    """MCTS simulations against random games from the same state: the floor, for each simulation plays one."""
    game, simulations = gamelab.load("netwerk"), 10_000 if quick else 100_000
    lines = []
    for name, text in (("start", None), ("midgame", MIDGAME)):
        states, buffer, totals = two_states(game, text), game.action_buffer(), np.zeros(2)
        rng, never = np.random.default_rng(1), np.zeros(1, np.uint8)
        tree = mcts.Tree(game, 4_000_000, exploration=0.7, solver=True)

        def search() -> None:
            tree.set_root(states[:1])  # noqa: B023
            done = tree.run(simulations, rng, never)  # noqa: B023
            if done < simulations:
                sys.exit(f"benchmarks: the {name} was proven after {done} simulations, so their rate means nothing")  # noqa: B023

        def play() -> None:
            playout_batch(states, simulations, buffer, totals, rng)  # noqa: B023

        before = resident_bytes()
        search(), play()
        grown, used = resident_bytes() - before, int(tree.control["used"][0])
        pairs = [(simulations / timed(search), simulations / timed(play)) for _ in range(7)]
        lines.append(line(f"MCTS, {name}", "simulations/s", [a for a, _ in pairs]))
        lines.append(line(f"MCTS, {name}", "of the playouts'", [a / b for a, b in pairs], ">= 0.6"))
    lines.append(line("MCTS, memory taken", "bytes a node", [grown / used]))
    lines.append(line("MCTS, memory reserved", "bytes a node", [BYTES_PER_NODE], "<= 40"))
    return lines


def resident_bytes() -> int:
    """Memory that this process really holds, from the system; 0 where it does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def alpha_beta(quick: bool) -> list[Line]:
    """Alpha-beta from the start for a second."""
    game, seconds = gamelab.load("netwerk"), 0.2 if quick else 1.0
    searcher = alphabeta.Searcher(game, 64 << 20)
    searcher.search(game.initial_array(), depth=2, nodes=10**9, stop=np.zeros(1, np.uint8))
    rates, depths = [], []
    for _ in range(5):
        searcher.forget()
        with stop_after(seconds) as stop:
            started = time.perf_counter()
            found = searcher.search(game.initial_array(), depth=60, nodes=2**62, stop=stop)
        rates.append(found.nodes / (time.perf_counter() - started))
        depths.append(float(found.depth))
    return [line("alpha-beta", "nodes/s", rates), line(f"alpha-beta, depth in {seconds:g} s", "plies", depths)]


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


BENCHMARKS = {
    "playout": playout,
    "mcts": tree_search,
    "alphabeta": alpha_beta,
    "workers": workers,
    "python": from_python,
}


def main() -> None:
    """Run the benchmarks named, or all, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; default all")
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    unknown = set(given.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; known: {', '.join(BENCHMARKS)}")
    lines = [row for name in given.names or BENCHMARKS for row in BENCHMARKS[name](given.quick)]
    if given.json:
        print(json.dumps([asdict(row) for row in lines], indent=2))
        return
    for row in lines:
        figures = f"{show(row.median):>12} {row.unit:18}{show(row.low)} .. {show(row.high)}"
        print(f"{row.name:34}{figures:56}{row.goal and 'goal ' + row.goal}".rstrip())


def show(value: float) -> str:
    """A figure with as many digits as make sense."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
