"""How long games were, and who won them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from gamelab.arena.match import GameRecord
from gamelab.arena.played import LengthSummary, Played
from gamelab.plots.style import FIRST, INK, NEUTRAL, SECOND, bare, page, percent, source

__all__ = ["figure"]

WIDTH, HEIGHT = 8.0, 3.8
MOST_BINS = 50
# Even ones but for 1: where players take turns the first one wins after an odd number of plies and the second after an
# even one, and bins that hold now more odd, now more even numbers would show a pattern that is none.
BIN_WIDTHS = (1, 2, 4, 10, 20, 40, 100, 200, 400, 1000, 2000)
Kinds = list[tuple[str, NDArray[np.bool_], str]]
WINNERS = (("first player won", 1, FIRST), ("draw", 0, NEUTRAL), ("second player won", -1, SECOND))


def figure(result: Played) -> Figure:
    """Draw a histogram of game lengths in plies, for two stacked by who won; forfeited games are left out."""
    lengths = result.lengths()
    finished = [record for record in result.records if record.forfeit is None]
    forfeits = len(result.records) - len(finished)
    notes = [f"Left out: {forfeits} forfeited game{'s' if forfeits > 1 else ''}."] if forfeits else []
    title = f"{result.setup.game}: length of games"
    drawn = page(WIDTH, HEIGHT, title, [source(result)], notes)
    axes = drawn.add_subplot()
    edges = _edges(lengths)
    width = int(edges[1] - edges[0])
    _draw_bars(axes, finished, _kinds(result, finished), edges)
    axes.axvline(lengths.mean, color=INK, linewidth=1.8, label=f"mean {lengths.mean:.1f}")
    axes.axvline(lengths.median, color=INK, linewidth=1.8, linestyle=(0, (1, 1.5)), label=f"median {lengths.median:g}")
    axes.set_xlabel("length (plies)" if width == 1 else f"length (plies, {width} to a bar)")
    axes.set_ylabel("games")
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
    axes.grid(axis="y")
    bare(axes, "left", "right", "top")
    # Above the axes, where no bar can be in its way.
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2, handlelength=1.6)
    return drawn


def _edges(lengths: LengthSummary) -> NDArray[np.float64]:
    """Give the ends of the bins, halfway between whole numbers."""
    span = lengths.longest - lengths.shortest + 1
    width = next((width for width in BIN_WIDTHS if span <= MOST_BINS * width), 2 * (span // MOST_BINS))
    # A bin of even width begins at an odd length: a game has one ply at least.
    start = lengths.shortest - (lengths.shortest - 1) % width
    return np.arange(start, lengths.longest + width + 1, width, dtype=np.float64) - 0.5


def _kinds(result: Played, finished: list[GameRecord]) -> Kinds:
    """The games to be told apart, each kind with its name and colour."""
    if result.seats != 2:
        return [("games", np.ones(len(finished), np.bool_), FIRST)]
    first = result.places()[:, 0].tolist()
    winners = np.sign(
        [record.returns[seat] for record, seat in zip(result.records, first, strict=True) if record.forfeit is None]
    )
    return [(name, winners == sign, colour) for name, sign, colour in WINNERS]


def _draw_bars(axes: Axes, finished: list[GameRecord], kinds: Kinds, edges: NDArray[np.float64]) -> None:
    """Put one bar on the other for each bin, the first kind at the bottom."""
    plies = np.array([record.plies for record in finished])
    bottom = np.zeros(len(edges) - 1, np.int64)
    for name, chosen, colour in kinds:
        heights, _ = np.histogram(plies[chosen], edges)
        total = int(heights.sum())
        label = f"{name}: {total} ({percent(total / len(finished))})"
        axes.bar(edges[:-1], heights, np.diff(edges), bottom, align="edge",
                 color=colour, edgecolor="white", linewidth=0.6, label=label)  # fmt: skip
        bottom += heights
    axes.set_ylim(0, 1.05 * bottom.max())
    # A lone bar should not fill the whole width.
    middle, half = (edges[0] + edges[-1]) / 2, max(edges[-1] - edges[0], 8 * (edges[1] - edges[0])) * 0.52
    axes.set_xlim(middle - half, middle + half)
