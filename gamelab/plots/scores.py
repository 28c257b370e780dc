"""What agents scored in the game's own terms."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from gamelab.arena.played import Played
from gamelab.arena.statistics import Estimate
from gamelab.core.numbers import in_short
from gamelab.plots.style import FIRST, INK, LINE, bare, page, source, with_interval, wrapped

__all__ = ["figure"]

WIDTH = 8.0
ROW, AXIS = 0.42, 0.95  # inches: an agent's at least, and what is not agents
INNER, OUTER = (25, 75), (5, 95)  # percentiles


def figure(result: Played) -> Figure:
    """Draw how the scores of each agent spread, the best mean on top, and the mean with its interval."""
    means = result.mean_scores()
    scores, seated = result.seat_scores(), result.seated()
    numbers = [result.setup.agents.index(spec) for spec in means]
    samples = [scores[(seated == number) & ~np.isnan(scores)] for number in numbers]
    labels = [wrapped(spec) for spec in means]
    row = max(ROW, LINE * max(1 + label.count("\n") for label in labels) + 0.08)
    facts = [source(result), _seats(result)]
    drawn = page(WIDTH, AXIS + row * len(labels), f"{result.setup.game}: scores", facts, _notes(result))
    axes = drawn.add_subplot()
    _draw_spreads(axes, samples)
    _draw_means(axes, list(means.values()))
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel("score of a game")
    axes.xaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))
    axes.grid(axis="x")
    bare(axes, "left", "right", "top")
    return drawn


def _seats(result: Played) -> list[str]:
    if result.seats == 1:
        return []
    means = enumerate(result.mean_scores_by_seat(), start=1)
    return [f"seat {seat}: {with_interval(mean, _put) if np.isfinite(mean.low) else _put(mean.value)}" for seat, mean in means]


def _notes(result: Played) -> list[str]:
    notes = ["Bars: the middle half of the games; thin lines: nine in ten. Dots: means, with 95 % intervals in black."]
    forfeits = len(result.forfeits())
    if forfeits:
        games = f"{forfeits} forfeited game{'s' if forfeits > 1 else ''}"
        others = ", and nobody else has one" if result.seats > 1 else ""
        notes.append(f"In {games} who forfeited has the lowest score of all{others}.")
    return notes


def _draw_spreads(axes: Axes, samples: list[NDArray[np.float64]]) -> None:
    for percentiles, width, strength in ((OUTER, 1.5, 0.7), (INNER, 11.0, 0.4)):
        ends = np.array([np.percentile(sample, percentiles) for sample in samples])
        axes.hlines(range(len(samples)), ends[:, 0], ends[:, 1], color=FIRST, linewidth=width, alpha=strength)


def _draw_means(axes: Axes, means: list[Estimate]) -> None:
    rows = range(len(means))
    known = [(row, mean.low, mean.high) for row, mean in enumerate(means) if np.isfinite(mean.low)]
    if known:
        axes.hlines(*np.array(known).T, color=INK, linewidth=2.5)
    axes.scatter([mean.value for mean in means], rows, s=45, c="white", edgecolors=INK, linewidths=1.5, zorder=3)
    for row, mean in zip(rows, means, strict=True):
        axes.annotate(_put(mean.value), (1, row), (40, 0), xycoords=axes.get_yaxis_transform(),
                      textcoords="offset points", ha="right", va="center")  # fmt: skip


def _put(score: float) -> str:
    return in_short(score).replace("-", "\N{MINUS SIGN}")
