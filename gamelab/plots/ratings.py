"""Ratings with intervals."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from gamelab.arena.result import Result
from gamelab.plots.style import FIRST, MUTED, heading, wrapped

__all__ = ["figure"]


def figure(result: Result) -> Figure:
    """Elo of each agent with its interval, the best on top; the first player's advantage below."""
    ratings = result.ratings()
    order = np.argsort(ratings.elo)
    drawn = Figure(figsize=(8, 1.8 + 0.55 * len(order)), layout="constrained")
    axes = drawn.add_subplot()
    elo, low, high = ratings.elo[order], ratings.low[order], ratings.high[order]
    places = np.arange(len(order))
    axes.errorbar(elo, places, xerr=[elo - low, high - elo], fmt="o", color=FIRST, capsize=4, markersize=7, linewidth=2)
    for place, i in zip(places, order, strict=True):
        note = f"{ratings.elo[i]:+.0f}   {100 * ratings.score[i]:.0f} % of {ratings.games[i]}"
        axes.annotate(note, (ratings.elo[i], place), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=8)
    axes.set_yticks(places, [wrapped(ratings.names[i]) for i in order])
    axes.set_ylim(-0.6, len(order) - 0.3)
    axes.grid(axis="x", color="#DDDDDD")
    axes.set_axisbelow(True)
    advantage = ratings.first_move_elo
    axes.set_xlabel(
        f"Elo, mean 0, with {100 * ratings.confidence:g} % intervals\n"
        f"first-move advantage {advantage.value:+.0f} Elo ({advantage.low:+.0f} .. {advantage.high:+.0f})",
        color=MUTED,
    )
    heading(axes, "Ratings", result)
    return drawn
