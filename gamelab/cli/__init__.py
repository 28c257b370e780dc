"""The command `gamelab`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from gamelab import __version__
from gamelab.cli import bench, games, play, position, tournament
from gamelab.cli.output import complain
from gamelab.core.errors import GamelabError

__all__ = ["app", "main"]

# What typer raises for bad usage; newer versions bring a parser of their own, so it cannot be imported from click.
UsageProblem: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="gamelab",
    help="Game-AI research: play, search and run tournaments of connection and network games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (games, play, tournament, position, bench):
    module.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gamelab {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Global options."""


def run(arguments: list[str] | None = None) -> int:
    """Run the command; the exit status. Bad input of any kind is one line on standard error and status 2."""
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="gamelab")
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except UsageProblem as error:
        complain(error.format_message())  # type: ignore[attr-defined]
    except BrokenPipeError:
        # Whoever reads us has heard enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (GamelabError, OSError, UnicodeError, MemoryError) as error:
        complain(str(error) or type(error).__name__)
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    return BAD_INPUT


def main() -> None:
    """The console entry point."""
    sys.exit(run())
