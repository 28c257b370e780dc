"""The command `gamelab`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from gamelab import __version__
from gamelab.cli import analyse, bench, games, perft, play, plot, tournament
from gamelab.cli.errors import INTERRUPTED, exit_status

__all__ = ["app", "main", "run"]


class _Group(TyperGroup):
    """The group of all commands, with our way of reporting errors however it is called."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run the command line and exit."""
        sys.exit(run(args))


app = typer.Typer(
    name="gamelab",
    cls=_Group,
    help="Game-AI research: play, search and run tournaments of connection and network games.",
    epilog="Each command tells more: gamelab tournament --help",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain text: rich's boxes would be all that a terminal and a pipe show differently.
    rich_markup_mode=None,
)
for module in (games, play, tournament, plot, analyse, perft, bench):
    module.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gamelab {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Global options."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (default: the process's own); the exit status.

    Bad input of any kind is one line on standard error and status 2.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    group = typer.main.get_command(app)

    def invoke() -> None:
        # Not `group(...)`: that has its own ways with errors, interrupts and broken pipes.
        with group.make_context("gamelab", words) as context:
            group.invoke(context)

    return exit_status(invoke)


def main() -> None:
    """The console entry point."""
    status = run()
    if status == INTERRUPTED:
        # A thread may be left in compiled code that is not to be interrupted; the interpreter's own way out can crash on it.
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)
