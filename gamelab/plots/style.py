"""The look that the figures share."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes

from gamelab.arena.result import Result

__all__ = ["FIRST", "MUTED", "NEUTRAL", "SECOND", "heading", "wrapped"]

# Told apart by the colour-blind too (blue, orange and grey of P. Tol's bright scheme).
FIRST, SECOND, NEUTRAL, MUTED = "#4477AA", "#EE7733", "#BBBBBB", "#666666"
LABEL_WIDTH = 26


def wrapped(spec: str) -> str:
    """An agent's spec, broken into lines where it is long."""
    return "\n".join(textwrap.wrap(spec.replace(",", ", "), LABEL_WIDTH, break_long_words=True)).replace(", ", ",")


def heading(axes: Axes, title: str, result: Result) -> None:
    """A title that says what is shown, and below it what it is from."""
    changed = "".join(f", {name}={value}" for name, value in result.setup.parameters.items())
    missing = "" if len(result.records) == result.planned_games else f" of {result.planned_games} planned"
    source = (
        f"{result.setup.game}{changed}; {len(result.records)} games{missing}, {result.distinct_games()} distinct, "
        f"seed {result.setup.seed}"
    )
    axes.set_title(f"{title}\n", loc="left", fontweight="bold")
    axes.text(0, 1.015, source, transform=axes.transAxes, fontsize=8, color=MUTED, va="bottom")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
