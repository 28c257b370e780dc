"""gamelab: a game-AI research library for connection and network games.

A game is an array with compiled rules; every search plays every game; a tournament of bots is one line; what comes out is
statistics and pictures that hold up.

>>> import gamelab
>>> state = gamelab.load("netwerk").new_initial_state()
>>> agent = gamelab.make_agent("greedy")
>>> state.apply_action(agent.choose(state, rng=0))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gamelab.core.players import CHANCE, TERMINAL

if TYPE_CHECKING:
    from gamelab.agents import Agent, Analysis, make_agent
    from gamelab.arena.result import Result, open_result
    from gamelab.arena.tournament import Tournament
    from gamelab.core.errors import GamelabError, IllegalActionError
    from gamelab.core.game import Game
    from gamelab.core.state import State
    from gamelab.games import game_names, load

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Agent",
    "Analysis",
    "Game",
    "GamelabError",
    "IllegalActionError",
    "Result",
    "State",
    "Tournament",
    "game_names",
    "load",
    "make_agent",
    "open_result",
]
__version__ = "0.1.0"

# Where the names above stand. They are imported when first asked for: a program that only loads a game should not wait for
# the arena.
_HOMES = {
    "Agent": "gamelab.agents",
    "Analysis": "gamelab.agents",
    "Game": "gamelab.core.game",
    "GamelabError": "gamelab.core.errors",
    "IllegalActionError": "gamelab.core.errors",
    "Result": "gamelab.arena.result",
    "State": "gamelab.core.state",
    "Tournament": "gamelab.arena.tournament",
    "game_names": "gamelab.games",
    "load": "gamelab.games",
    "make_agent": "gamelab.agents",
    "open_result": "gamelab.arena.result",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gamelab' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
