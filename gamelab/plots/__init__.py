"""Figures of a tournament: made without pyplot, so that nothing global is touched and no screen is needed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from gamelab.core.errors import UnknownNameError, known_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamelab.arena.result import Result

__all__ = ["KINDS", "draw"]

KINDS = ("ratings", "crosstable", "lengths")


def draw(result: Result, kind: str) -> Figure:
    """Draw one of the figures.

    Parameters
    ----------
    result : Result
        With at least one game.
    kind : str
        "ratings": Elo with intervals; "crosstable": who scored what against whom; "lengths": how long games were and who won
        them.

    Raises
    ------
    UnknownNameError
        For another kind; lists the known ones.
    StoreError
        If no game was played yet.
    """
    if kind not in KINDS:
        raise UnknownNameError(f"no figure is called {kind!r}; known: {known_names(KINDS)}")
    module = importlib.import_module(f"gamelab.plots.{kind}")
    return module.figure(result)  # type: ignore[no-any-return]
