"""A tournament's result in words and tables."""

from __future__ import annotations

from gamelab.arena.multiplayer import MultiplayerResult
from gamelab.arena.ratings import Ratings
from gamelab.arena.result import AnyResult, Result
from gamelab.arena.solo import SoloResult
from gamelab.cli.output import print_table, signed
from gamelab.cli.report_parts import effort_cells, in_elo, in_percent, print_crosstable, print_games, print_scores, print_where

__all__ = ["print_report"]


def print_report(result: AnyResult, *, confidence: float = 0.95, bootstrap: int = 0, seed: int = 1) -> None:
    """Print tables of the agents, what seats are worth, lengths and where it all lies."""
    if isinstance(result, SoloResult):
        from gamelab.cli.report_solo import print_solo

        print_solo(result, confidence=confidence)
    elif isinstance(result, MultiplayerResult):
        from gamelab.cli.report_multiplayer import print_multiplayer

        print_multiplayer(result, confidence=confidence, bootstrap=bootstrap, seed=seed)
    else:
        _print_two(result, confidence=confidence, bootstrap=bootstrap, seed=seed)
    print_games(result)
    print_where(result)


def _print_two(result: Result, *, confidence: float, bootstrap: int, seed: int) -> None:
    """Print cross table, ratings and the first player's advantage."""
    ratings = result.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
    percent = f"{100 * confidence:g} %"
    order = [row["name"] for row in ratings.to_records()]
    print_crosstable(result, order, "Row's share of the points against column")
    _print_ratings(result, ratings, percent)
    print_scores(result, confidence, "pairs of games")
    share = result.first_player(confidence)
    print(f"First player: {in_percent(share)} of the points")
    print(f"First-move advantage: {in_elo(ratings.first_move_elo)}   (in brackets: {percent} intervals)")


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
            *effort_cells(*effort[row["name"]]),
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
            "Who won or lost everything does so in each resample: intervals are at least as wide as those without --bootstrap."
        )
