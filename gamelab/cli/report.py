"""A tournament's result in words and tables."""

from __future__ import annotations

from gamelab.arena.result import Result
from gamelab.arena.statistics import Estimate
from gamelab.cli.output import print_table

__all__ = ["print_report"]

# With fewer different games than this share, agents repeat themselves and the intervals flatter.
FEW_DISTINCT = 0.9
SHOWN_FORFEITS = 10


def print_report(result: Result, *, confidence: float = 0.95, bootstrap: int = 0, seed: int = 1) -> None:
    """Print cross table, ratings, the first player's advantage, lengths and where it all lies."""
    ratings = result.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
    order = [row["name"] for row in ratings.to_records()]
    _print_crosstable(result, order)
    percent = f"{100 * confidence:g} %"
    rows = [
        (
            row["rank"],
            row["name"],
            f"{row['elo']:+.0f}",
            f"{row['low']:+.0f} .. {row['high']:+.0f}",
            row["games"],
            f"{100 * row['score']:.1f} %",
        )
        for row in ratings.to_records()
    ]
    print_table(
        f"Ratings (Davidson's model with an order effect; mean 0; {percent} intervals by {ratings.method})",
        ("", "agent", "Elo", "interval", "games", "score"),
        rows,
        text_columns=2,
    )
    if not ratings.connected:
        print("The games do not link all agents: ratings of different groups cannot be compared.")
    share = result.first_player(confidence)
    print(f"First player: {_percent(share)} of the points; advantage {_elo(ratings.first_move_elo)} ({percent} intervals)")
    _print_games(result)
    _print_where(result)


def _print_crosstable(result: Result, order: list[str]) -> None:
    points, games = result.points()
    index = [result.setup.agents.index(name) for name in order]
    rows = []
    for number, i in enumerate(index):
        cells = [
            "" if i == j else "-" if games[i, j] == 0 else f"{100 * points[i, j] / games[i, j]:.1f} ({games[i, j]})"
            for j in index
        ]
        rows.append((number + 1, order[number], *cells))
    parameters = "".join(f", {name}={value}" for name, value in result.setup.parameters.items())
    print_table(
        f"{result.setup.game}{parameters}, seed {result.setup.seed}: "
        f"{len(result.records)} games; row's share of points against column in % (games)",
        ("", "agent", *(str(number + 1) for number in range(len(order)))),
        rows,
        text_columns=2,
    )


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} .. {100 * estimate.high:.1f})"


def _elo(estimate: Estimate) -> str:
    return f"{estimate.value:+.0f} Elo ({estimate.low:+.0f} .. {estimate.high:+.0f})"


def _print_games(result: Result) -> None:
    total, distinct, forfeits = len(result.records), result.distinct_games(), result.forfeits()
    if len(forfeits) < total:
        lengths = result.lengths()
        print(
            f"Game length: {lengths.mean:.1f} plies on average, median {lengths.median:g}, "
            f"from {lengths.shortest} to {lengths.longest}"
        )
    hint = "" if distinct >= FEW_DISTINCT * total else "; agents repeat themselves: --openings 4 makes games differ"
    print(f"Distinct games: {distinct} of {total}{hint}")
    shown = {ending: count for ending, count in result.endings().items() if not ending.startswith("forfeit")}
    if shown:
        print("Endings: " + ", ".join(f"{ending} {count}" for ending, count in shown.items()))
    if forfeits:
        print(f"Forfeits: {len(forfeits)}")
        for record in forfeits[:SHOWN_FORFEITS]:
            print(f"  game {record.pairing.game_id}: {record.ending}")
    effort = [f"{agent} {nodes:.0f} nodes, {1000 * s:.1f} ms" for agent, (nodes, s) in result.effort().items()]
    print("Mean of a move: " + "; ".join(effort))
    timed = [agent for agent, kind in result.budgets.items() if kind == "time"]
    if timed:
        print(f"Time budgets ({', '.join(timed)}): another run gives other games.")


def _print_where(result: Result) -> None:
    if result.planned_games > len(result.records):
        print(f"Incomplete: {len(result.records)} of {result.planned_games} games; run the tournament again to go on.")
    if result.path is not None:
        print(f"Store: {result.path}")
        print(f"Plots: gamelab plot {result.path}    this report: gamelab ratings {result.path}")
