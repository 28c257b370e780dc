"""What gamelab's speed is, as ratios measured in one run: `python benchmarks/run.py [--quick] [--json] [NAME ...]`.

Machines are noisy, so what is compared alternates, and every figure is the median of at least five repetitions, with the
range beside it. Compiling happens before any clock starts. README.md beside this file says what the lines mean.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict

import connectfour
import games
import machinery
import netwerk
import peers
import threads
from measure import Line

BENCHMARKS: dict[str, tuple[Callable[[bool], list[Line]], ...]] = {
    "playout": (netwerk.playout,),
    "mcts": (netwerk.tree_search,),
    "alphabeta": (netwerk.alpha_beta,),
    "connectfour": (connectfour.playouts, connectfour.tree_search, connectfour.solving),
    "openspiel": (peers.openspiel,),
    "pgx": (peers.pgx,),
    "games": (games.random_play,),
    "policy": (games.policy_play,),
    "ismcts": (games.information_set_search,),
    "threads": (threads.mcts, threads.alpha_beta),
    "workers": (machinery.workers,),
    "python": (machinery.from_python,),
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
    found = []
    for name in given.names or BENCHMARKS:
        for benchmark in BENCHMARKS[name]:
            lines = benchmark(given.quick)
            found += [asdict(row) for row in lines]
            if not given.json:
                print("\n".join(map(show, lines)), flush=True)
    if given.json:
        print(json.dumps(found, indent=2))


def show(row: Line) -> str:
    """A line of the table."""
    if row.median is None or row.low is None or row.high is None:
        return f"{row.name:36}{row.note}"
    median, low, high = (figure(value) for value in (row.median, row.low, row.high))
    figures = f"{median:>12} {row.unit:20}{low} .. {high}"
    return f"{row.name:36}{figures:58}{row.goal and 'goal ' + row.goal}".rstrip()


def figure(value: float) -> str:
    """A figure with as many digits as make sense."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
