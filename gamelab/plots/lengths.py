"""How long games were, and who won them."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gamelab.arena.result import Result
from gamelab.plots.style import FIRST, NEUTRAL, SECOND, heading

__all__ = ["figure"]

MOST_BINS = 60


def figure(result: Result) -> Figure:
    """A histogram of game lengths in plies, stacked by who won; forfeited games are left out."""
    lengths = result.lengths()
    finished = [record for record in result.records if record.forfeit is None]
    plies = np.array([record.plies for record in finished])
    first = np.array([record.returns[0] for record in finished])
    width = 1 + (lengths.longest - lengths.shortest) // MOST_BINS
    bins = np.arange(lengths.shortest, lengths.longest + width + 1, width) - 0.5
    groups = {"first player won": (first > 0, FIRST), "draw": (first == 0, NEUTRAL), "second player won": (first < 0, SECOND)}
    shown = {f"{name} ({100 * which.mean():.0f} %)": (plies[which], colour) for name, (which, colour) in groups.items() if which.any()}
    drawn = Figure(figsize=(8, 4.5), layout="constrained")
    axes = drawn.add_subplot()
    axes.hist(
        [values for values, _ in shown.values()],
        bins=bins.tolist(),
        stacked=True,
        label=list(shown),
        color=[colour for _, colour in shown.values()],
        edgecolor="white",
        linewidth=0.5,
    )
    axes.axvline(lengths.mean, color="black", linestyle="--", label=f"mean {lengths.mean:.1f}")
    axes.axvline(lengths.median, color="black", linestyle=":", label=f"median {lengths.median:g}")
    axes.set_xlabel("plies" if width == 1 else f"plies, {width} to a bar")
    axes.set_ylabel("games")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    forfeits = len(result.records) - len(finished)
    axes.legend(frameon=False, title=f"{forfeits} forfeited games left out" if forfeits else None)
    heading(axes, "Game length", result)
    return drawn
