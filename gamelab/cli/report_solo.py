"""The result of a tournament in a game for one in words and tables."""

from __future__ import annotations

from gamelab.arena.solo import SoloResult
from gamelab.cli.output import print_table
from gamelab.cli.report_parts import effort_cells, interval, setup_line
from gamelab.core.numbers import in_short

__all__ = ["print_solo"]


def print_solo(result: SoloResult, *, confidence: float) -> None:
    """Print the mean score of each agent, and how far it is behind the best over the same chance."""
    if not result.scored():
        print(f"{setup_line(result)}\nNo game was finished, so there are no scores.\n")
        return
    means, behind, effort = result.mean_scores(confidence), result.behind_the_best(confidence), result.effort()
    rows = [
        (
            rank,
            spec,
            in_short(mean.value),
            interval(mean),
            in_short(behind[spec].value) if spec in behind else "",
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
