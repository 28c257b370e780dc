"""Data files that a game's parameters name."""

from __future__ import annotations

from pathlib import Path

from gamelab.core.errors import ParameterError

__all__ = ["full_path"]


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
        raise ParameterError(f"{owner} {which[:80]!r} is no path: {error}") from None
