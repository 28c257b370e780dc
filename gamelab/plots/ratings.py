"""Ratings with intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from gamelab.arena.multiplayer import MultiplayerResult
from gamelab.arena.plackett_luce import SeatRatings
from gamelab.arena.ratings import Ratings
from gamelab.arena.result import Result
from gamelab.plots.style import FIRST, LINE, MUTED, bare, page, percent, signed, source, with_interval, wrapped

__all__ = ["figure"]

WIDTH = 8.0
ROW, AXIS = 0.34, 0.95  # inches: an agent's at least, and what is not agents
COLUMN = 50  # points
POINTS = "of the points, a draw being half a point"


def figure(result: Result | MultiplayerResult) -> Figure:
    """Draw the Elo of each agent with its interval, the best on top, and write its figures beside it."""
    ratings = result.ratings()
    order = np.argsort(-ratings.elo, kind="stable")
    labels = [wrapped(ratings.names[i]) for i in order]
    row = max(ROW, LINE * max(1 + label.count("\n") for label in labels) + 0.08)
    facts = [source(result), _seats(result, ratings)]
    title = f"{result.setup.game}: ratings of {len(labels)} agents"
    drawn = page(WIDTH, AXIS + row * len(labels), title, facts, _notes(result, ratings))
    axes = drawn.add_subplot()
    _draw_intervals(axes, ratings, order)
    _write_columns(axes, ratings, order)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel("Elo (0: mean of the agents)")
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda elo, _: signed(elo)))
    axes.grid(axis="x")
    bare(axes, "left", "right", "top")
    return drawn


def _seats(result: Result | MultiplayerResult, ratings: Ratings | SeatRatings) -> list[str]:
    """Say what it is worth to move first, or to sit on each seat."""
    if isinstance(ratings, SeatRatings):
        worth = enumerate(ratings.seat_elo, start=1)
        return [f"seat {seat} is worth {with_interval(elo, signed)} Elo" for seat, elo in worth]
    facts = [f"moving first is worth {with_interval(ratings.first_move_elo, signed)} Elo"]
    if isinstance(result, Result):
        facts.append(f"first player's score: {with_interval(result.first_player(), lambda share: percent(share, 1))}")
    return facts


def _notes(result: Result | MultiplayerResult, ratings: Ratings | SeatRatings) -> list[str]:
    points = POINTS
    if isinstance(result, MultiplayerResult):
        points = f"of the others that it finished ahead of by {result.ranks_go_by()}, a tie being half"
    notes = [f"Bars and brackets: {100 * ratings.confidence:g} % intervals. Score: share {points}."]
    if (ratings.games == 0).any():
        notes.append("Hollow: no games yet.")
    if not ratings.connected:
        notes.append("Not all agents are linked by games; ratings of agents that are not linked cannot be compared.")
    return notes


def _draw_intervals(axes: Axes, ratings: Ratings | SeatRatings, order: NDArray[np.int64]) -> None:
    rows = np.arange(len(order))
    axes.axvline(0, color=MUTED, linewidth=1)
    axes.hlines(rows, ratings.low[order], ratings.high[order], color=FIRST, alpha=0.45, linewidth=5)
    faces = [FIRST if games else "white" for games in ratings.games[order]]
    axes.scatter(ratings.elo[order], rows, s=60, c=faces, edgecolors=FIRST, linewidths=1.5, zorder=3)


def _write_columns(axes: Axes, ratings: Ratings | SeatRatings, order: NDArray[np.int64]) -> None:
    """Elo, score and number of games of each agent, right of the axes."""
    columns = {
        "Elo": [signed(elo) for elo in ratings.elo[order]],
        "score": [percent(ratings.score[i], 1) if ratings.games[i] else "-" for i in order],
        "games": [str(games) for games in ratings.games[order]],
    }
    # In points from the axes' edge, so that columns keep their distance however wide the axes come out.
    place: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "ha": "right"}
    for column, (name, cells) in enumerate(columns.items(), start=1):
        axes.annotate(name, (1, -0.5), (COLUMN * column, 4), va="bottom", color=MUTED, **place)
        for row, cell in enumerate(cells):
            axes.annotate(cell, (1, row), (COLUMN * column, 0), va="center", **place)
