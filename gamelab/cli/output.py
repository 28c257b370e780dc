"""What the commands print and show: tables, JSON, progress."""

from __future__ import annotations

import json
import math
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from gamelab.arena.tournament import Progress

__all__ = ["interruptible", "prepare", "print_json", "print_table", "progress_bar", "signed"]

Value = TypeVar("Value")

# A table in a pipe or a file is not cut to the width of a terminal.
PIPE_WIDTH = 160
# Columns of text are made no narrower than this to fit a terminal.
SHORTEST_TEXT = 12
# Loading what was compiled before takes less.
PATIENCE_SECONDS = 3.0


def print_json(value: Any) -> None:
    """One JSON document on standard output. What is no number in JSON (infinity, NaN) becomes null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def signed(number: float) -> str:
    """A rounded number with its sign; zero has none.

    Examples
    --------
    >>> signed(12.4), signed(-0.3)
    ('+12', '0')
    """
    return f"{number:+.0f}" if round(number) else "0"


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, text_columns: int = 1) -> None:
    """Print a table; the first `text_columns` are aligned left, the others right. In a pipe it is plain text."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    body = list(rows)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        # Where a terminal is too narrow, text folds, but not to single letters; numbers stay whole.
        needed = max((len(str(row[i])) for row in body), default=0)
        left = i < text_columns
        shortest = min(SHORTEST_TEXT, needed) if left else max(needed, len(column))
        table.add_column(column, justify="left" if left else "right", overflow="fold", min_width=shortest)
    for row in body:
        table.add_row(*(Text(str(cell)) for cell in row))  # Text: brackets in a name are no markup
    plain = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(width=width, highlight=False, color_system=None if plain else "auto")
    with console.capture() as drawn:
        console.print(Text(title, style="bold"), soft_wrap=True)
        console.print(table)
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


@contextmanager
def progress_bar(what: str) -> Iterator[Progress | None]:
    """A progress bar on standard error if that is a terminal, else None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("elapsed"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    # Refreshed from here, not from a thread of its own: worker processes are forked, and forks and threads do not mix.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as progress:
        # No game is reported before everything is compiled.
        task = progress.add_task(f"{what}: preparing", total=None)
        progress.refresh()

        def report(done: int, total: int) -> None:
            progress.update(task, description=what, completed=done, total=total, refresh=True)

        yield report


def prepare(call: Callable[[], object]) -> None:
    """Call what compiles. If it takes long, a person at a terminal is told why."""
    note = threading.Timer(PATIENCE_SECONDS, lambda: print("Compiling; from now on this is kept.", file=sys.stderr))
    note.daemon = True
    if sys.stderr.isatty():
        note.start()
    try:
        interruptible(call)
    finally:
        note.cancel()


def interruptible(call: Callable[[], Value], stop: Callable[[], None] | None = None) -> Value:
    """What `call` returns or raises, from a thread of its own, so that Ctrl-C is answered at once.

    Python looks for signals only between its own instructions; the main thread would not do so while it is in a compiled
    search. And an interrupt in the middle of compiling confuses the compiler, which may then raise anything.

    Parameters
    ----------
    call : callable
    stop : callable, optional
        Asks a search under way to come to an end; called when interrupted.
    """
    values: list[Value] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            values.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        if stop is not None:
            stop()
        raise
    if errors:
        raise errors[0]
    return values[0]
