"""A tournament's result in words and tables."""

from __future__ import annotations

import math
import shlex

from gamelab.arena.ratings import Ratings
from gamelab.arena.result import Result
from gamelab.arena.statistics import Estimate
from gamelab.cli.output import print_table, signed

__all__ = ["print_report"]

# With fewer different games than this share, agents repeat themselves and the intervals flatter.
FEW_DISTINCT = 0.9
SUGGESTED_OPENING = 4
SHOWN_FORFEITS = 10
# With more agents than this, shares in the cross table have no decimals.
WIDE = 8


def print_report(result: Result, *, confidence: float = 0.95, bootstrap: int = 0, seed: int = 1) -> None:
    """Print cross table, ratings, the first player's advantage, lengths and where it all lies."""
    ratings = result.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
    percent = f"{100 * confidence:g} %"
    _print_crosstable(result, [row["name"] for row in ratings.to_records()])
    _print_ratings(result, ratings, percent)
    share = result.first_player(confidence)
    print(f"First player: {_percent(share)} of the points")
    print(f"First-move advantage: {_elo(ratings.first_move_elo)}   (in brackets: {percent} intervals)")
    _print_games(result)
    _print_where(result)


def _print_crosstable(result: Result, order: list[str]) -> None:
    points, games = result.points()
    index = [result.setup.agents.index(name) for name in order]
    counts = {int(games[i, j]) for i in index for j in index if i != j}
    same = len(counts) == 1
    digits = 1 if len(order) <= WIDE else 0

    def cell(i: int, j: int) -> str:
        if i == j:
            return ""
        if not games[i, j]:
            return "-"
        share = f"{100 * points[i, j] / games[i, j]:.{digits}f}"
        return share if same else f"{share} ({games[i, j]})"

    rows = [(place + 1, order[place], *(cell(i, j) for j in index)) for place, i in enumerate(index)]
    print_table(
        f"{_setup(result)}: {_how_many(result)}\n"
        f"Row's share of the points against column in % ({f'{min(counts)} games each' if same else 'games'})",
        ("", "agent", *(str(place + 1) for place in range(len(order)))),
        rows,
        text_columns=2,
    )


def _how_many(result: Result) -> str:
    played, planned = len(result.records), result.planned_games
    return f"{played} games" if played >= planned else f"{played} of {planned} games, incomplete"


def _setup(result: Result) -> str:
    setup = result.setup
    words = [setup.game, *(f"{name}={value}" for name, value in setup.parameters.items()), f"seed {setup.seed}"]
    if setup.opening_plies:
        words.append(f"{setup.opening_plies} random plies at the start")
    if setup.move_limit is not None:
        words.append(f"at most {setup.move_limit:g} s a move")
    return ", ".join(words)


def _print_ratings(result: Result, ratings: Ratings, percent: str) -> None:
    effort = result.effort()
    rows = [
        (
            row["rank"],
            row["name"],
            signed(row["elo"]),
            f"{signed(row['low'])} .. {signed(row['high'])}",
            row["games"],
            f"{100 * row['score']:.1f} %",
            *_effort(*effort[row["name"]]),
        )
        for row in ratings.to_records()
    ]
    print_table(
        f"Ratings: Elo with mean 0, Davidson's model, {percent} intervals by {ratings.method}\n"
        "Nodes and milliseconds are means of a move",
        ("", "agent", "Elo", "interval", "games", "score", "nodes", "ms"),
        rows,
        text_columns=2,
    )
    if not ratings.connected:
        print("The games do not link all agents: ratings of different groups cannot be compared.")
    if ratings.method == "bootstrap" and any(score in (0.0, 1.0) for score in ratings.score.tolist()):
        print(
            "Who won or lost everything does so in each resample: for them, intervals without --bootstrap are the better guide."
        )


def _effort(nodes: float, seconds: float) -> tuple[str, str]:
    """Mean nodes and milliseconds of a move; not a number if the agent never chose one."""
    return ("-", "-") if math.isnan(nodes) else (f"{nodes:,.0f}", f"{1000 * seconds:.1f}")


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} .. {100 * estimate.high:.1f})"


def _elo(estimate: Estimate) -> str:
    return f"{signed(estimate.value)} Elo ({signed(estimate.low)} .. {signed(estimate.high)})"


def _print_games(result: Result) -> None:
    total, distinct, forfeits = len(result.records), result.distinct_games(), result.forfeits()
    if len(forfeits) < total:
        lengths = result.lengths()
        print(
            f"Game length: {lengths.mean:.1f} plies on average, median {lengths.median:g}, "
            f"from {lengths.shortest} to {lengths.longest}"
        )
    print(f"Distinct games: {distinct} of {total}")
    if distinct < FEW_DISTINCT * total:
        plies = result.setup.opening_plies
        how = f"--openings {plies + 2 if plies else SUGGESTED_OPENING}"
        print(f"Agents repeat themselves, so intervals are too narrow: try {how}.")
    shown = {ending: count for ending, count in result.endings().items() if not ending.startswith("forfeit")}
    if shown:
        print("Endings: " + ", ".join(f"{ending} {count}" for ending, count in shown.items()))
    if forfeits:
        print(f"Forfeits: {len(forfeits)}")
        for record in forfeits[:SHOWN_FORFEITS]:
            print(f"  game {record.pairing.game_id}: {record.ending.removeprefix('forfeit: ')}")
        if len(forfeits) > SHOWN_FORFEITS:
            print(f"  and {len(forfeits) - SHOWN_FORFEITS} more")


def _print_where(result: Result) -> None:
    timed = [agent for agent, kind in result.budgets.items() if kind == "time"]
    if timed:
        print(f"Budgets of time ({', '.join(timed)}): another run plays other games.")
    if result.planned_games > len(result.records):
        missing = result.planned_games - len(result.records)
        print(f"Incomplete: {missing} games are missing; run the tournament again with --store to go on.")
    if result.path is not None:
        word = shlex.quote(str(result.path))
        print(f"Store: {result.path}")
        print(f"Plots: gamelab plot {word}")
        print(f"This report again: gamelab ratings {word}")
