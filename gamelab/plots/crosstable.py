"""Who scored what against whom."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from gamelab.arena.result import Result
from gamelab.plots.style import heading, wrapped

__all__ = ["figure"]

COLOURS = "RdBu"
DARK = 0.33  # a share so far from a half is drawn dark: white text on it


def figure(result: Result) -> Figure:
    """The share of points of the row's agent against the column's, in percent, with the number of games."""
    names = [row["name"] for row in result.ratings().to_records()]
    index = [result.setup.agents.index(name) for name in names]
    points, games = (table[np.ix_(index, index)] for table in result.points())
    n = len(names)
    drawn = Figure(figsize=(3.2 + 0.95 * n, 2.2 + 0.8 * n), layout="constrained")
    axes = drawn.add_subplot()
    with np.errstate(invalid="ignore"):
        share = np.where(games > 0, points / np.maximum(games, 1), np.nan)
    image = axes.imshow(100 * share, cmap=COLOURS, vmin=0, vmax=100, aspect="auto")
    for i in range(n):
        for j in range(n):
            if games[i, j]:
                colour = "white" if abs(share[i, j] - 0.5) > DARK else "black"
                axes.text(j, i, f"{100 * share[i, j]:.0f} %\n{games[i, j]}", ha="center", va="center", color=colour, fontsize=9)
            elif i != j:
                axes.text(j, i, "not met", ha="center", va="center", color="#888888", fontsize=7)
    axes.set_xticks(range(n), [wrapped(name) for name in names], rotation=35, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(n), [wrapped(name) for name in names])
    axes.set_xlabel("against")
    bar = drawn.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("points of the row's agent, %")
    heading(axes, "Cross table", result)
    return drawn
