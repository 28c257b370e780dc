"""What the commands share: options, tables, complaints, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamelab.core.errors import ParameterError

if TYPE_CHECKING:
    from rich.console import Console

    from gamelab.arena.tournament import Progress
    from gamelab.core.game import Game
    from gamelab.core.state import State

__all__ = [
    "AsJson",
    "GameName",
    "Parameters",
    "PositionFile",
    "Seed",
    "complain",
    "load_game",
    "print_json",
    "print_table",
    "progress_bar",
    "read_state",
]

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `gamelab games` lists them.")]
Parameters = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the game; may be repeated.")
]
PositionFile = Annotated[
    str | None,
    typer.Option("--position", metavar="FILE", help="A position as text; `-` is standard input. Default: the start."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Of every random choice.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
# A table in a pipe or a file is not cut to the width of a terminal.
PIPE_WIDTH = 160


def complain(message: str) -> None:
    """One line on standard error."""
    print(f"gamelab: {' '.join(message.split())}", file=sys.stderr)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    print(json.dumps(value, indent=2, allow_nan=False))


def console() -> Console:
    """Standard output, plain in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, text_columns: int = 1) -> None:
    """Print a table; the first `text_columns` are aligned left, the others right."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, title_style="bold", pad_edge=False)
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i < text_columns else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    console().print(table)


@contextmanager
def progress_bar(what: str) -> Iterator[Progress | None]:
    """A progress bar on standard error if that is a terminal, else None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("elapsed"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    # Refreshed from here, not from a thread of its own: worker processes are forked, and forks and threads do not mix.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as progress:
        task = progress.add_task(what, total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, refresh=True)

        yield report


def load_game(name: str, parameters: Sequence[str] | None) -> Game:
    """The game with its parameters from the command line."""
    from gamelab.games import load

    given: dict[str, object] = {}
    for item in parameters or ():
        key, equals, value = item.partition("=")
        if not (key and equals):
            raise ParameterError(f"-p {item}: not NAME=VALUE")
        if key in given:
            raise ParameterError(f"-p {item}: {key} is given twice")
        given[key] = value
    return load(name, **given)


def read_state(game: Game, file: str | None) -> State:
    """The position in a file, or the start."""
    from gamelab.core.errors import PositionError

    if file is None:
        return game.new_initial_state()
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PositionError(f"{file}: not a text file in UTF-8 ({error.reason} at byte {error.start})") from None
    try:
        return game.state_from_text(text)
    except PositionError as error:
        raise PositionError(f"{file}: {error}") from None
