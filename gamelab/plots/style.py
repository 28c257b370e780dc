"""The look that the figures share: colours, the page with its heading and notes, and how things are put in words."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from gamelab.arena.played import Played
from gamelab.arena.statistics import Estimate

__all__ = [
    "FIRST", "INK", "LINE", "LOOK", "MUTED", "NEUTRAL", "SECOND", "bare", "label_width", "page", "percent", "signed",
    "source", "with_interval", "wrapped",
]  # fmt: skip

# Told apart by the colour-blind too (blue, orange and grey of P. Tol's schemes).
FIRST, SECOND, NEUTRAL = "#4477AA", "#EE7733", "#BBBBBB"
INK, MUTED = "#222222", "#666666"

# In force while a figure is drawn, so that it looks the same whatever the user's settings. Specs are no mathematics.
LOOK: Any = {
    "font.family": ["DejaVu Sans"], "font.size": 10, "text.color": INK, "text.usetex": False, "text.parse_math": False,
    "figure.facecolor": "white", "axes.facecolor": "white", "axes.edgecolor": MUTED, "axes.labelcolor": INK,
    "axes.labelsize": 10, "axes.linewidth": 0.8, "axes.grid": False, "axes.axisbelow": True,
    "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "xtick.labelsize": 10, "ytick.labelsize": 10, "grid.color": "#DDDDDD", "grid.linewidth": 0.8, "grid.linestyle": "-",
    "legend.frameon": False, "legend.fontsize": 10, "legend.labelcolor": INK, "hatch.color": "#AAAAAA",
}  # fmt: skip

# Inches. A character's mean width at 10 points is less in sentences than in specs.
MARGIN, TITLE, LINE, NOTE_LINE = 0.15, 0.46, 0.185, 0.165
CHARACTER, SPEC_CHARACTER = 0.074, 0.082
LABEL_WIDTH = 26  # characters


class Picture(Figure):
    """A figure that a notebook shows although pyplot was never imported."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=100)
        return buffer.getvalue()


def page(width: float, height: float, title: str, facts: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> Figure:
    """Make a figure with a title, groups of facts below it and notes at its foot.

    Parameters
    ----------
    width, height : float
        Inches for what lies between.
    title : str
    facts : sequence of sequence of str
        Each group begins a line.
    notes : sequence of str
        Each begins a line.
    """
    characters = int((width - 2 * MARGIN) / CHARACTER)
    above = [line for group in facts for line in _fold(group, characters)]
    below = [line for note in notes for line in textwrap.wrap(note, characters * 10 // 9)]
    head, foot = TITLE + LINE * len(above), MARGIN / 2 + NOTE_LINE * len(below)
    total = head + height + foot
    engine = ConstrainedLayoutEngine(rect=(0, foot / total, 1, height / total), w_pad=MARGIN, h_pad=MARGIN / 2)
    figure = Picture(figsize=(width, total), layout=engine)
    left = MARGIN / width
    figure.text(left, 1 - MARGIN / total, title, va="top", fontsize=13, fontweight="bold")
    figure.text(left, 1 - TITLE / total, "\n".join(above), va="top", color=MUTED, linespacing=1.25)
    figure.text(left, MARGIN / 2 / total, "\n".join(below), va="bottom", fontsize=9, color=MUTED, linespacing=1.2)
    return figure


def _fold(facts: Sequence[str], characters: int) -> list[str]:
    """Put facts in lines, none broken in two if it fits on one."""
    lines = [""]
    for fact in facts:
        joined = f"{lines[-1]}  ·  {fact}" if lines[-1] else fact
        if len(joined) <= characters:
            lines[-1] = joined
        else:
            lines += textwrap.wrap(fact, characters)
    return [line for line in lines if line]


def source(result: Played) -> list[str]:
    """Say what a figure is from: parameters, how many games, how they began."""
    setup, games = result.setup, len(result.records)
    of = "" if games == result.planned_games else f" of {result.planned_games} planned"
    opening = f"openings of {setup.opening_plies} random {'ply' if setup.opening_plies == 1 else 'plies'}"
    return [
        *(f"{name}={value}" for name, value in setup.parameters.items()),
        f"{games} game{'' if games == 1 else 's'}{of}, {result.distinct_games()} distinct",
        *([opening] if setup.opening_plies else []),
        f"seed {setup.seed}",
    ]


def bare(axes: Axes, *sides: str) -> None:
    """Take the spines and ticks of some sides away."""
    axes.spines[list(sides)].set_visible(False)
    no_ticks: dict[str, Any] = dict.fromkeys(sides, False)
    axes.tick_params(which="both", **no_ticks)


def wrapped(spec: str) -> str:
    r"""Break an agent's spec between its options where it is long.

    Examples
    --------
    >>> wrapped("mcts:sims=2000,c=0.7,solver=false")
    'mcts:sims=2000,c=0.7,\nsolver=false'
    """
    lines = [""]
    for option in re.findall(r"[^,]+,?", spec):
        for piece in textwrap.wrap(option, LABEL_WIDTH):
            if len(lines[-1]) + len(piece) > LABEL_WIDTH:
                lines.append("")
            lines[-1] += piece
    return "\n".join(lines)


def label_width(labels: Sequence[str]) -> float:
    """Estimate the inches that the longest line of some labels takes."""
    return SPEC_CHARACTER * max(len(line) for label in labels for line in label.split("\n"))


def signed(elo: float) -> str:
    """Put a number in words, rounded and with its sign; 0 has none."""
    return f"{round(elo):+d}".replace("-", "\N{MINUS SIGN}") if round(elo) else "0"


def percent(share: float, digits: int = 0) -> str:
    """Put a share in words; one that is not 0 or 1 does not look so."""
    least = 10.0**-digits
    shown = 100 * share if share in (0, 1) else min(max(100 * share, least), 100 - least)
    return f"{shown:.{digits}f} %"


def with_interval(estimate: Estimate, put: Callable[[float], str]) -> str:
    """Put an estimate and the ends of its interval in words, each with `put`."""
    return f"{put(estimate.value)} ({put(estimate.low)} to {put(estimate.high)})"
