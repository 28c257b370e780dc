"""What the reports of all tournaments have in common."""

from __future__ import annotations

import math
import shlex

from gamelab.arena.multiplayer import MultiplayerResult
from gamelab.arena.played import Played
from gamelab.arena.result import Result
from gamelab.arena.statistics import Estimate
from gamelab.cli.output import print_table, signed
from gamelab.core.errors import LONGEST_PATH, cut
from gamelab.core.numbers import in_short

__all__ = [
    "effort_cells",
    "in_elo",
    "in_percent",
    "interval",
    "print_crosstable",
    "print_games",
    "print_scores",
    "print_where",
    "setup_line",
]

# With fewer different games than this share, agents repeat themselves and the intervals flatter.
FEW_DISTINCT = 0.9
SUGGESTED_OPENING = 4
SHOWN_FORFEITS = 10
SHOWN_ENDINGS = 6
# With more agents than this, shares in the cross table have no decimals.
WIDE = 8


def print_crosstable(result: Result | MultiplayerResult, order: list[str], what: str, unit: str = "games") -> None:
    """Print the share of points of each row against each column, in that order of agents; `what` says what points are."""
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
        f"{setup_line(result)}\n{what} in % ({f'{min(counts)} {unit} each' if same else unit})",
        ("", "agent", *(str(place + 1) for place in range(len(order)))),
        rows,
        text_columns=2,
    )


def setup_line(result: Played) -> str:
    """What was played, and how many games of it."""
    setup, played, planned = result.setup, len(result.records), result.planned_games
    parameters = [cut(f"{name}={value}", LONGEST_PATH) for name, value in setup.parameters.items()]
    words = [setup.game, *parameters, f"seed {setup.seed}"]
    if setup.opening_plies:
        words.append(f"{setup.opening_plies} random plies at the start")
    if setup.move_limit is not None:
        words.append(f"at most {setup.move_limit:g} s a move")
    how_many = f"{played} games" if played >= planned else f"{played} of {planned} games, incomplete"
    return f"{', '.join(words)}: {how_many}"


def effort_cells(nodes: float, seconds: float) -> tuple[str, str]:
    """Mean nodes and milliseconds of a move; not a number if the agent never chose one."""
    return ("-", "-") if math.isnan(nodes) else (f"{nodes:,.0f}", f"{1000 * seconds:.1f}")


def in_percent(estimate: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} .. {100 * estimate.high:.1f})"


def in_elo(estimate: Estimate) -> str:
    """Elo with its interval."""
    return f"{signed(estimate.value)} Elo ({signed(estimate.low)} .. {signed(estimate.high)})"


def print_scores(result: Result | MultiplayerResult, confidence: float, unit: str) -> None:
    """Print what agents scored in the game's own terms, and what was scored on each seat, if the game has scores."""
    with_scores, finished = result.games_with_scores(), len(result.records) - len(result.forfeits())
    if with_scores < finished and with_scores:
        print(f"Of {finished} finished games only {with_scores} were kept with scores: there are no means of them.\n")
    if not result.scored():
        return
    names = ["first player", "second player"] if result.seats == 2 else [f"seat {i + 1}" for i in range(result.seats)]
    seats = zip(names, result.mean_scores_by_seat(confidence), strict=True)
    print_table(
        f"Scores of the game: means with {100 * confidence:g} % intervals over {unit}, of agents and in the order of play",
        ("", "score", "interval"),
        [(who, in_short(mean.value), interval(mean)) for who, mean in [*result.mean_scores(confidence).items(), *seats]],
        text_columns=1,
    )
    if result.forfeits():
        print("A forfeit counts as the lowest score of all; it says nothing of the others, nor of the order of play.\n")


def interval(estimate: Estimate) -> str:
    """The ends of an interval on any scale; of a single observation there are none."""
    return f"{in_short(estimate.low)} .. {in_short(estimate.high)}" if math.isfinite(estimate.low) else "-"


def print_games(result: Played) -> None:
    """Print lengths, how many games differ, how they ended, and forfeits with their reasons."""
    total, distinct, forfeits = len(result.records), result.distinct_games(), result.forfeits()
    if len(forfeits) < total:
        lengths = result.lengths()
        print(
            f"Game length: {lengths.mean:.1f} plies on average, median {lengths.median:g}, "
            f"from {lengths.shortest} to {lengths.longest}"
        )
    print(f"Distinct games: {distinct} of {total}")
    if _repeats(result):
        plies = result.setup.opening_plies
        how = f"--openings {plies + 2 if plies else SUGGESTED_OPENING}"
        print(f"Agents repeat themselves, so intervals are too narrow: try {how}.")
    shown = {ending: count for ending, count in result.endings().items() if not ending.startswith("forfeit")}
    if shown:
        print(f"Endings: {_how_often(shown)}")
    if forfeits:
        print(f"Forfeits: {len(forfeits)}")
        for record in forfeits[:SHOWN_FORFEITS]:
            print(f"  game {record.pairing.game_id}: {record.ending.removeprefix('forfeit: ')}")
        if len(forfeits) > SHOWN_FORFEITS:
            print(f"  and {len(forfeits) - SHOWN_FORFEITS} more")


def _repeats(result: Played) -> bool:
    """Whether agents repeat themselves.

    With rotated seats the games of a block may well be the same ones; there only whole rounds that repeat the first tell.
    """
    total, distinct = len(result.records), result.distinct_games()
    if result.seats == 2:
        return distinct < FEW_DISTINCT * total
    first_round = sum(record.pairing.round == 0 for record in result.records)
    return distinct <= first_round < total


def print_where(result: Played) -> None:
    """Print what keeps the tournament from being repeated or complete, and where it lies."""
    timed = [agent for agent, kind in result.budgets.items() if kind == "time"]
    if timed:
        print(f"Budgets of time ({', '.join(timed)}): another run plays other games.")
    if result.planned_games > len(result.records):
        missing = result.planned_games - len(result.records)
        print(f"Incomplete: {missing} games are missing; run the tournament again with --store to go on.")
    if result.path is not None:
        word = shlex.quote(str(result.path))
        print(f"Store: {result.path}")
        ranks = f" --ranks {result.ranks_by}" if isinstance(result, MultiplayerResult) and result.ranks_by != "score" else ""
        print(f"Plots: gamelab plot {word}{ranks}")
        print(f"This report again: gamelab ratings {word}{ranks}")


def _how_often(endings: dict[str, int]) -> str:
    """The most frequent endings with their numbers."""
    shown = [f"{ending} ({count})" for ending, count in list(endings.items())[:SHOWN_ENDINGS]]
    others = len(endings) - len(shown)
    return ", ".join(shown) + (f", and {others} others" if others else "")
