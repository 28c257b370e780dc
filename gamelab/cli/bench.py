"""`gamelab bench`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.cli.errors import complain
from gamelab.cli.options import AsJson, Parameters, load_game
from gamelab.cli.output import print_json, print_table

if TYPE_CHECKING:
    from gamelab.analysis.bench import Figure
    from gamelab.core.game import Game

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game's name.")] = "netwerk",
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", min=0.01, max=3600, help="For each repetition.")] = 1.0,
    peers: Annotated[bool, typer.Option("--peers", help="Compare with OpenSpiel's MCTS too, where it is installed.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Measure how fast this machine plays and searches a game.

    Each figure is the median of five repetitions on one core, after a first call that compiles. The source's benchmarks/
    compares with a C twin, which says more than rates do.
    """
    from gamelab.analysis.bench import measure

    loaded = load_game(game, parameters)
    figures = measure(loaded, seconds)
    if peers:
        figures += _compare(loaded, seconds)
    if as_json:
        print_json([asdict(figure) for figure in figures])
        return
    rows = [
        (f.name, _number(f.median), f.unit, f"{_number(f.low)} .. {_number(f.high)}", f"{f.compile_seconds:.2f}")
        for f in figures
    ]
    print_table(
        f"{loaded.title} on one core, median of five times {seconds:g} s",
        ("what", "median", "unit", "range", "compiling or loading, s"),
        rows,
    )
    print("Rates depend on the machine and what else it does; benchmarks/ in the source compares with a C twin.")


def _compare(game: Game, seconds: float) -> list[Figure]:
    """Figures beside OpenSpiel's; if there can be none, that is said and nothing else is lost."""
    from gamelab.analysis.peers import PeerError, compare_with_openspiel

    try:
        return compare_with_openspiel(game, seconds)
    except PeerError as error:
        complain(str(error))
        return []


def _number(value: float) -> str:
    """Ratios need digits after the point, rates do not."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
