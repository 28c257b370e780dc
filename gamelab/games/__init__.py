"""The games, and how to get one by its name.

A game in another package becomes known to `load` by an entry point in the group ``gamelab.games`` that names its `Game` class.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

from gamelab.core.errors import UnknownNameError, known_names, quoted
from gamelab.core.game import Game

__all__ = ["game_class", "game_names", "load"]

# Name: where its class stands. A game is imported when it is first asked for, for its kernels take time to set up.
BUILT_IN = {
    "connectfour": "gamelab.games.connectfour:ConnectFour",
    "hacktrick": "gamelab.games.hacktrick:HackTrick",
    "kreuzquer": "gamelab.games.kreuzquer:KreuzQuer",
    "kuhn": "gamelab.games.kuhn:Kuhn",
    "netwerk": "gamelab.games.netwerk:Netwerk",
    "spiderwars": "gamelab.games.spiderwars:SpiderWars",
    "tictactoe": "gamelab.games.tictactoe:TicTacToe",
    "web": "gamelab.games.web:Web",
}
ENTRY_POINTS = "gamelab.games"


def game_names() -> list[str]:
    """The names that `load` knows, sorted."""
    return sorted({*BUILT_IN, *(entry.name for entry in entry_points(group=ENTRY_POINTS))})


def game_class(name: str) -> type[Game]:
    """The class of a game.

    Raises
    ------
    UnknownNameError
        If no game has that name; lists those that are known.
    """
    if isinstance(name, str) and name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            return entry.load()  # type: ignore[no-any-return]
    raise UnknownNameError(f"no game is called {quoted(name)}; known: {known_names(game_names())}")


def load(name: str, /, **parameters: object) -> Game:
    """Get a game by its name.

    Parameters
    ----------
    name : str
        One of `game_names()`.
    **parameters
        The game's own; see its ``parameter_specs`` or ``gamelab rules NAME``.

    Raises
    ------
    UnknownNameError
        For an unknown game or parameter; lists the known ones.
    ParameterError
        For a value that a parameter cannot take.

    Examples
    --------
    >>> load("netwerk", crowding="first")
    gamelab.load('netwerk', crowding='first')
    """
    return game_class(name)(**parameters)
