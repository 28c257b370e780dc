"""`gamelab plot`."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.cli.tournament import Ranks, StoreFile, open_ranked
from gamelab.core.errors import ParameterError, StoreError, UnknownNameError, known_names, quoted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["register"]

ALL = "all"
DOTS_PER_INCH = 150


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot")(plot)


def plot(
    file: StoreFile,
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="ratings, crosstable, lengths, scores or all.")] = ALL,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="OUT", help="The PNG file, for a single kind. Default: FILE-kind.png beside FILE."),
    ] = None,
    ranks: Ranks = None,
) -> None:
    """Draw a tournament's figures as PNG files.

    Prints their paths. Figures that are there are replaced.
    """
    from gamelab.plots import KINDS

    if kind not in (*KINDS, ALL):
        raise UnknownNameError(f"--kind: no figure is called {quoted(kind)}; known: {known_names((*KINDS, ALL))}")
    if out is not None and kind == ALL:
        raise ParameterError(f"--out {out}: names one file; choose one figure with --kind")

    result = open_ranked(file, ranks)
    kinds = result.figures if kind == ALL else (kind,)
    # All are drawn before any is written, so that a figure that cannot be drawn leaves none of the others behind.
    figures = [(out or file.with_name(f"{file.stem}-{name}.png"), result.plot(name)) for name in kinds]
    for path, figure in figures:
        _save(figure, path)
        print(path)


def _save(figure: Figure, path: Path) -> None:
    """Write a figure under another name first: a full disk must not leave half a picture."""
    if path.is_dir():
        raise StoreError(f"{path}: a folder, not a file to write a figure to")
    if path.exists() and not path.is_file():  # a device would be gone
        raise StoreError(f"{path}: not a file to write a figure to")
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        figure.savefig(partial, format="png", dpi=DOTS_PER_INCH)
        partial.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            partial.unlink()
