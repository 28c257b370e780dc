"""What becomes of rules that numba cannot compile into a search: one clear error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.errors import NumbaError

from gamelab.core.errors import AgentError
from gamelab.core.game import Game

__all__ = ["compiling_rules"]


@contextmanager
def compiling_rules(game: Game) -> Iterator[None]:
    """Around the first call of a kernel: numba's errors become an AgentError that names the game."""
    try:
        yield
    except NumbaError as error:
        raise AgentError(
            f"the rules of {game.name} cannot be compiled into a search: they must make no arrays "
            f"(numpy.zeros and the like), and keep to what numba knows: {str(error).strip().splitlines()[-1]}"
        ) from None
