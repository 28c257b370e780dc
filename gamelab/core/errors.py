"""What can go wrong, as exceptions.

Every error that gamelab raises on purpose is a `GamelabError`: its message is one line that says what is wrong and
where, fit to be shown to a user as it stands. Each is also the built-in exception that a Python programmer would expect.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "AgentError",
    "GamelabError",
    "IllegalActionError",
    "NotationError",
    "ParameterError",
    "PositionError",
    "SpecError",
    "StoreError",
    "TournamentError",
    "UnknownNameError",
    "known_names",
]


class GamelabError(Exception):
    """Base of all errors that gamelab raises on purpose."""


class UnknownNameError(GamelabError, ValueError):
    """A game, agent, option or parameter name that nobody knows; the message lists the known ones."""


class ParameterError(GamelabError, ValueError):
    """A known parameter or option with a value that it cannot take."""


class IllegalActionError(GamelabError, ValueError):
    """An action that is not legal in the state; the state is unchanged."""


class NotationError(GamelabError, ValueError):
    """Text that is no action of the game."""


class PositionError(GamelabError, ValueError):
    """Text or an array that is no position of the game."""


class SpecError(GamelabError, ValueError):
    """An agent specification that cannot be read."""


class AgentError(GamelabError, ValueError):
    """An agent that cannot play the game it was given."""


class StoreError(GamelabError, OSError):
    """A result store that cannot be read, written or continued."""


class TournamentError(GamelabError, ValueError):
    """A tournament that cannot be played as it was set up, or that was broken off."""


def known_names(names: Iterable[str]) -> str:
    """Names as they stand at the end of an error message.

    Examples
    --------
    >>> known_names(["web", "netwerk"])
    'netwerk, web'
    >>> known_names([])
    'none'
    """
    return ", ".join(sorted(names)) or "none"
