"""Data files that a game's parameters name."""

from __future__ import annotations

import errno
import stat
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gamelab.core.errors import LONGEST_PATH, ParameterError, cut, known_names, quoted

__all__ = ["full_path", "read_toml"]

LARGEST_FILE = 100_000  # bytes


def full_path(owner: str, which: str) -> str:
    """The file's path from the root: a game is made anew from its parameters elsewhere, where another folder may be current.

    Parameters
    ----------
    owner : str
        Whose parameter it is, for the error: game and parameter.
    which : str
        A path, ``~`` allowed.

    Raises
    ------
    ParameterError
        If it is no path, or begins with the home folder of nobody.
    """
    try:
        return str(Path(which).expanduser().resolve())
    except (RuntimeError, ValueError, OSError) as error:
        raise ParameterError(f"{owner} {quoted(which, LONGEST_PATH)} is no path: {error}") from None


def read_toml(path: Path, label: str, noun: str, known: Iterable[str], error: type[ParameterError]) -> dict[str, Any]:
    """The tables of a TOML file.

    Parameters
    ----------
    path : Path
    label : str
        What is read, for errors: game, parameter and its value.
    noun : str
        What such a file holds.
    known : iterable of str
        The names of files that come with the game.
    error : type
        What to raise.

    Raises
    ------
    ParameterError
        As `error` says, if there is no such file, or it cannot be read, is too large or no TOML.
    """
    try:
        content = _beginning(path)
    except FileNotFoundError:
        raise error(f"{label}: no such file, and no {noun} of that name; known: {known_names(known)}") from None
    except OSError as reason:
        raise error(f"{label}: cannot be read: {reason.strerror}") from None
    except ValueError as reason:  # a path with a null byte
        raise error(f"{label}: cannot be read: {reason}") from None
    if len(content) > LARGEST_FILE:
        raise error(f"{label}: more than {LARGEST_FILE} bytes")
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as reason:  # not UTF-8, or not TOML
        raise error(f"{label}: not TOML: {cut(str(reason), 200)}") from None


def _beginning(path: Path) -> bytes:
    """At most one byte more than a data file may have."""
    kind = path.stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a pipe would keep us waiting for somebody to write to it
        raise OSError(errno.EINVAL, "no regular file")
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)
