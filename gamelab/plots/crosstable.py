"""Who scored what against whom."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from gamelab.arena.multiplayer import MultiplayerResult
from gamelab.arena.plackett_luce import SeatRatings
from gamelab.arena.ratings import Ratings
from gamelab.arena.result import Result
from gamelab.plots.style import INK, LINE, MUTED, bare, label_width, page, percent, source, wrapped

__all__ = ["figure"]

CELL = 0.62  # inches
COLOURS = "RdBu"  # diverging, white at a half, and told apart by the colour-blind
BLANK = "#E2E2E2"  # the diagonal
DARK = 0.3  # a share so far from a half is drawn dark: white text on it


def figure(result: Result | MultiplayerResult) -> Figure:
    """Draw the share of points of the row's agent against the column's, in per cent, with the number of games.

    With more than two players that is how often the row's agent finished ahead of the column's, and how often they met.
    """
    ratings = result.ratings()
    order = np.argsort(-ratings.elo, kind="stable")
    points, games = result.points()
    points, games = points[np.ix_(order, order)], games[np.ix_(order, order)]
    labels, n = [wrapped(ratings.names[agent]) for agent in order], len(order)
    cell = max(CELL, LINE * max(1 + label.count("\n") for label in labels) + 0.1)
    width = max(5.4, cell * (n + 1) + label_width(labels) + 0.8)
    what = "who scored what against whom" if isinstance(result, Result) else "who finished ahead of whom"
    title = f"{result.setup.game}: {what}"
    drawn = page(width, cell * n + 0.55, title, [source(result)], _notes(result, games))
    axes = drawn.add_subplot(anchor="W")
    _colour_cells(axes, points, games)
    _write_cells(axes, points, games)
    _write_totals(axes, ratings, order)
    _label(axes, labels)
    return drawn


def _notes(result: Result | MultiplayerResult, games: NDArray[np.int64]) -> list[str]:
    if isinstance(result, Result):
        what = "Share of the row's agent in the points against the column's, and the number of games."
    else:
        by = result.ranks_go_by()
        what = f"How often the row's agent finished ahead of the column's by {by}, ties half, and how often they met."
    notes = [f"{what} Blue: the row is ahead; red: behind."]
    if len(_never_met(games)):
        notes.append("Hatched: never met.")
    return notes


def _never_met(games: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the cells off the diagonal without games."""
    return np.argwhere((games == 0) & ~np.eye(len(games), dtype=bool))


def _colour_cells(axes: Axes, points: NDArray[np.float64], games: NDArray[np.int64]) -> None:
    share = np.ma.masked_array(points / np.maximum(games, 1), games == 0)
    axes.imshow(100 * share, cmap=colormaps[COLOURS].with_extremes(bad=BLANK), vmin=0, vmax=100)
    for row, column in _never_met(games):
        corner = (column - 0.5, row - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, facecolor="white", edgecolor="#AAAAAA", hatch="///", linewidth=0))
    edges = np.arange(len(points) + 1) - 0.5
    axes.set_xticks(edges, minor=True)
    axes.set_yticks(edges, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.set_axisbelow(False)


def _write_cells(axes: Axes, points: NDArray[np.float64], games: NDArray[np.int64]) -> None:
    for row, column in np.argwhere(games > 0):
        share = points[row, column] / games[row, column]
        _write(axes, column, row, percent(share), games[row, column], color="white" if abs(share - 0.5) > DARK else INK)


def _write_totals(axes: Axes, ratings: Ratings | SeatRatings, order: NDArray[np.int64]) -> None:
    """Write right of the table the share of each agent in the points of all its games."""
    x = len(order)
    axes.text(x, -0.6, "all", va="bottom", ha="center", color=MUTED)
    for row, agent in enumerate(order):
        if ratings.games[agent]:
            _write(axes, x, row, percent(ratings.score[agent]), ratings.games[agent], color=INK)


def _label(axes: Axes, labels: list[str]) -> None:
    """Put numbers at rows and columns; names at the rows only, for above the columns they would be too long."""
    numbers = [str(rank) for rank in range(1, len(labels) + 1)]
    axes.set_yticks(range(len(labels)), numbers)
    axes.set_xticks(range(len(labels)), numbers)
    axes.tick_params(labeltop=True, labelbottom=False)
    bare(axes, "left", "right", "top", "bottom")
    for row, label in enumerate(labels):
        axes.annotate(
            label, (0, row), (-30, 0), va="center", ha="right",
            xycoords=axes.get_yaxis_transform(), textcoords="offset points",
        )  # fmt: skip


def _write(axes: Axes, column: float, row: float, share: str, games: int, color: str) -> None:
    axes.text(column, row - 0.12, share, ha="center", va="center", color=color)
    axes.text(column, row + 0.24, str(games), ha="center", va="center", color=color, fontsize=8)
