"""The result of a tournament in a game for one in words and tables."""

from __future__ import annotations

from gamelab.arena.solo import SoloResult
from gamelab.cli.output import print_table
from gamelab.cli.report_parts import effort_cells, interval, setup_line

__all__ = ["print_solo"]


def print_solo(result: SoloResult, *, confidence: float) -> None:
    """Print the mean score of each agent, and how far it is behind the best over the same chance."""
    means, behind, effort = result.mean_scores(confidence), result.behind_the_best(confidence), result.effort()
    rows = [
        (
            rank,
            spec,
            f"{mean.value:.4g}",
            interval(mean),
            f"{behind[spec].value:.4g}" if spec in behind else "",
            interval(behind[spec]) if spec in behind else "",
            *effort_cells(*effort[spec]),
        )
        for rank, (spec, mean) in enumerate(means.items(), start=1)
    ]
    print_table(
        f"{setup_line(result)}\n"
        f"Mean scores, and by how much they are behind the best over the same chance, with {100 * confidence:g} % intervals\n"
        "Nodes and milliseconds are means of a move",
        ("", "agent", "score", "interval", "behind", "interval", "nodes", "ms"),
        rows,
        text_columns=2,
    )
