"""What the commands share on the command line, and what is made of it: a game, a position."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.core.errors import ParameterError, PositionError, cut

if TYPE_CHECKING:
    from gamelab.core.game import Game
    from gamelab.core.state import State

__all__ = ["AsJson", "GameName", "Parameters", "PositionFile", "Seed", "load_game", "read_state"]

# No position is as long as this: whoever names a disk image by mistake is told so.
LONGEST_TEXT = 1 << 20

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `gamelab games` lists them.")]
Parameters = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the game; may be repeated.")
]
PositionFile = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE",
        help="A position as text, as `text` in `gamelab play` prints it if nothing is hidden; - is standard input. "
        "Default: the start.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", min=0, max=2**63 - 1, help="Settles every random choice.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]


def load_game(name: str, parameters: Sequence[str] | None) -> Game:
    """The game with its parameters from the command line, each as ``name=value``.

    Raises
    ------
    GamelabError
        For an unknown name, or a value that a parameter cannot take.
    """
    from gamelab.core.game import check_parameters
    from gamelab.games import game_class

    kind = game_class(name)
    given: dict[str, object] = {}
    for item in parameters or ():
        key, equals, value = item.partition("=")
        if not (key and equals):
            raise ParameterError(f"-p {cut(item)}: not NAME=VALUE")
        if key in given:
            raise ParameterError(f"-p {cut(item)}: {cut(key)} is given twice")
        given[key] = value
    check_parameters(kind.name, kind.parameter_specs, given)  # first, for a name may be one that Python itself takes
    return kind(**given)


def read_state(game: Game, file: str | None) -> State:
    """The position in a file (``-``: standard input), or the start.

    Raises
    ------
    PositionError
        If the file holds no position of the game; names the file.
    OSError
        If it cannot be read.
    """
    if file is None:
        return game.new_initial_state()
    if not file:
        raise PositionError("--position: '' names no file; - is standard input")
    try:
        text = _read_text(file)
    except UnicodeDecodeError as error:
        raise PositionError(f"{file}: not a text file in UTF-8 ({error.reason} at byte {error.start})") from None
    if len(text) > LONGEST_TEXT:
        raise PositionError(f"{file}: more than {LONGEST_TEXT:,} characters, which is no position")
    try:
        return game.state_from_text(text)
    except PositionError as error:
        raise PositionError(f"{file}: {error}") from None


def _read_text(file: str) -> str:
    """At most one character more than `LONGEST_TEXT`."""
    if file != "-":
        with open(file, encoding="utf-8") as stream:
            return stream.read(LONGEST_TEXT + 1)
    if hasattr(sys.stdin, "buffer"):
        return str(sys.stdin.buffer.read(LONGEST_TEXT + 1).decode("utf-8"))
    return sys.stdin.read(LONGEST_TEXT + 1)
