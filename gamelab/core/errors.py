"""What can go wrong, as exceptions.

Every error that gamelab raises on purpose is a `GamelabError`: its message is one line that says what is wrong and
where, fit to be shown to a user as it stands. Each is also the built-in exception that a Python programmer would expect.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "LONGEST_PATH",
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
    "cut",
    "known_names",
    "quoted",
]

LONGEST_QUOTE, LONGEST_PATH = 60, 200  # characters; of a path more can matter


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


def cut(text: str, most: int = LONGEST_QUOTE) -> str:
    r"""What a user gave, fit for one line of a terminal: long text loses its middle, control characters are escaped.

    Examples
    --------
    >>> print(cut("\x1b[31mred"))
    \x1b[31mred
    >>> cut("x" * 10_000, most=11)
    'xxx ... xxx'
    """
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in _without_middle(text, most))


def quoted(value: object, most: int = LONGEST_QUOTE) -> str:
    r"""A value that a user gave, as it stands in an error message: as Python writes it, but never long, and on one line.

    Examples
    --------
    >>> print(quoted("b4"), quoted(2.5), quoted("two\nlines"))
    'b4' 2.5 'two\nlines'
    """
    if isinstance(value, str):
        return repr(_without_middle(str(value), most))
    try:
        return cut(repr(value), most)
    except Exception:  # an object of the user's may fail in any way, and Python writes no number of 5000 digits
        return f"<{type(value).__name__}>"


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = (most - len(" ... ")) // 2
    return f"{text[:half]} ... {text[-half:]}"
