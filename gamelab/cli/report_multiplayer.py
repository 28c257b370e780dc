"""The result of a tournament with more than two players in words and tables."""

from __future__ import annotations

from gamelab.arena.multiplayer import MultiplayerResult, Standing
from gamelab.arena.plackett_luce import SeatRatings
from gamelab.arena.statistics import Estimate
from gamelab.cli.output import print_table, signed
from gamelab.cli.report_parts import effort_cells, in_percent, print_crosstable, print_scores

__all__ = ["print_multiplayer"]

METHODS = {
    "sandwich": "the sandwich estimator over blocks",
    "hessian": "Hessian",
    "wider": "the wider of Hessian and sandwich estimator over blocks",
    "bootstrap": "bootstrap over blocks",
}


def print_multiplayer(result: MultiplayerResult, *, confidence: float, bootstrap: int, seed: int) -> None:
    """Print cross table, ratings with returns, ranks and wins, and what each seat is worth."""
    ratings = result.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
    order = [row["name"] for row in ratings.to_records()]
    print_crosstable(result, order, "How often row finished ahead of column", "meetings")
    _print_ratings(result, ratings)
    _print_seats(result, ratings)
    print_scores(result, confidence, "blocks")
    if not ratings.connected:
        print("The games do not link all agents: ratings of different groups cannot be compared.")


def _print_ratings(result: MultiplayerResult, ratings: SeatRatings) -> None:
    standings, effort = result.by_agent(ratings.confidence), result.effort()
    rows = [
        (
            row["rank"],
            row["name"],
            signed(row["elo"]),
            f"{signed(row['low'])} .. {signed(row['high'])}",
            row["games"],
            *_cells(standings.get(row["name"])),
            *effort_cells(*effort[row["name"]]),
        )
        for row in ratings.to_records()
    ]
    print_table(
        f"Ratings: Elo with mean 0, Plackett-Luce model with seats, {100 * ratings.confidence:g} % intervals by "
        f"{METHODS[ratings.method]}\n"
        "Return and rank are means of a game, nodes and milliseconds of a move; those that tie share ranks and wins\n"
        f"Ranks, and with them ratings, go by {result.ranks_go_by()}",
        ("", "agent", "Elo", "interval", "games", "return", "rank", "wins", "nodes", "ms"),
        rows,
        text_columns=2,
    )


def _cells(standing: Standing | None) -> tuple[str, str, str]:
    """Mean return, mean rank and wins; of an agent that has not played, nothing."""
    if standing is None:
        return "-", "-", "-"
    return f"{standing.mean_return.value:+.3f}", f"{standing.mean_rank:.2f}", in_percent(standing.wins)


def _print_seats(result: MultiplayerResult, ratings: SeatRatings) -> None:
    standings = result.by_seat(ratings.confidence)
    rows = [
        (
            seat,
            signed(elo.value),
            f"{signed(elo.low)} .. {signed(elo.high)}",
            _with_interval(standing.mean_return),
            f"{standing.mean_rank:.2f}",
            in_percent(standing.wins),
        )
        for seat, (elo, standing) in enumerate(zip(ratings.seat_elo, standings, strict=True), start=1)
    ]
    print_table(
        "Seats in the order of play: what each is worth in Elo, with mean 0, and what was got there",
        ("seat", "Elo", "interval", "return", "rank", "wins"),
        rows,
    )


def _with_interval(estimate: Estimate) -> str:
    return f"{estimate.value:+.3f} ({estimate.low:+.3f} .. {estimate.high:+.3f})"
