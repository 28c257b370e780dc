"""Errors as the command line shows them: one line on standard error and an exit status, never a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress

import typer

from gamelab.core.errors import LONGEST_PATH, GamelabError, cut

__all__ = ["BAD_INPUT", "INTERRUPTED", "complain", "exit_status"]

BAD_INPUT = 2
INTERRUPTED = 130
LONGEST_LINE = 2000  # of an error: what is longer is no message but somebody's data

# What typer raises for a command line it cannot read. The class stands in click or in typer, by typer's version.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def complain(message: str) -> None:
    """One line on standard error."""
    with suppress(OSError):  # nobody may be listening any more
        print(f"gamelab: {cut(' '.join(message.split()), LONGEST_LINE)}", file=sys.stderr, flush=True)


def exit_status(command: Callable[[], object]) -> int:
    """Run something and say what went wrong, if anything; the exit status.

    Only errors that the user can mend are caught: anything else is a bug, and its traceback is wanted.
    """
    _mend_streams()
    try:
        command()
        sys.stdout.flush()
        return 0
    except typer.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:
        _discard_output()
        return 0
    except UsageError as error:
        complain(_usage(error))
    except (GamelabError, OSError, UnicodeError, MemoryError) as error:
        complain(_explain(error))
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    return BAD_INPUT


def _usage(error: Exception) -> str:
    """What is wrong with the command line, and where to read how it goes."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "gamelab"
    words = " ".join(cut(word) for word in message.rstrip(".").split(" "))  # it quotes what was typed, whole
    return f"{words}; see `{command} --help`"


def _explain(error: BaseException) -> str:
    if isinstance(error, GamelabError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        # Whatever is written to a file names the file. What does not is what we print.
        where = "standard output" if error.filename is None else cut(str(error.filename), LONGEST_PATH) or "''"
        return f"{where}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"out of memory {error}"
    return str(error) or type(error).__name__


def _mend_streams() -> None:
    """A closed stream, or a character that it cannot show or read, is no reason to fall over."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - lives as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _discard_output() -> None:
    """Whoever reads us has heard enough. Python would complain once more when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
