"""Figures of a tournament: made without pyplot, so that nothing global is touched and no screen is needed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from gamelab.core.errors import ParameterError, UnknownNameError, known_names, quoted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamelab.arena.played import Played

__all__ = ["KINDS", "draw"]

# Each is drawn by the module of its name. matplotlib takes a good part of a second to import, so only `draw` does it.
KINDS = ("ratings", "crosstable", "lengths", "scores")


def draw(result: Played, kind: str) -> Figure:
    """Draw one of the figures.

    Parameters
    ----------
    result : Result, MultiplayerResult or SoloResult
        With at least one game. Of a game for one only scores and lengths are drawn.
    kind : str
        "ratings": Elo with intervals; "crosstable": who scored what against whom; "lengths": how long games were and
        who won them; "scores": what agents scored, where the game has scores.

    Raises
    ------
    UnknownNameError
        For another kind; lists the known ones.
    ParameterError
        For one that this game has not, for its number of players or for want of scores.
    StoreError
        If no game was played yet or, for "lengths" and "scores", all were forfeited.

    Examples
    --------
    >>> import gamelab
    >>> result = gamelab.Tournament("tictactoe", ["random", "greedy"], games=4, seed=1).run()
    >>> draw(result, "crosstable").savefig("crosstable.png", dpi=150)  # doctest: +SKIP
    >>> draw(result, "pie")
    Traceback (most recent call last):
        ...
    gamelab.core.errors.UnknownNameError: no figure is called 'pie'; known: crosstable, lengths, ratings, scores
    """
    if kind not in KINDS:
        raise UnknownNameError(f"no figure is called {quoted(kind)}; known: {known_names(KINDS)}")
    result.check_games()
    if kind not in result.figures:
        why = "a game for one"
        if kind == "scores":
            finished = result.lengths().games  # StoreError if there is none
            why = f"{finished} games of which {result.games_with_scores()} have scores"
        raise ParameterError(f"{result.setup.game}: no figure {quoted(kind)} of {why}; there is: {known_names(result.figures)}")
    from matplotlib import rc_context

    from gamelab.plots.style import LOOK

    module = importlib.import_module(f"gamelab.plots.{kind}")
    with rc_context(LOOK):
        return module.figure(result)  # type: ignore[no-any-return]
