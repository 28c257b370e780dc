"""What plays, made from a spec: ``name`` or ``name:option=value,option=value``.

``cheat:`` before a spec makes an agent that sees what is hidden from its player, to measure what information is worth.

An agent in another package becomes known by an entry point in the group ``gamelab.agents`` that names its `Agent` class, or is
named in the spec itself by its module: ``mybots.clever.Bot:depth=3``.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

from gamelab.agents.alphabeta import AlphaBeta
from gamelab.agents.base import CHEAT, Agent, Analysis, view_for
from gamelab.agents.expectimax import Expectimax
from gamelab.agents.ismcts import ISMCTS
from gamelab.agents.mcts import MCTS
from gamelab.agents.pimc import PIMC
from gamelab.agents.rollout import Rollout
from gamelab.agents.simple import Greedy, Random
from gamelab.agents.solver import Solver
from gamelab.core.errors import AgentError, SpecError, UnknownNameError, cut, known_names, quoted
from gamelab.core.game import Game

__all__ = ["Agent", "Analysis", "agent_class", "agent_names", "make_agent", "view_for", "warm_up"]

KINDS = (Random, Greedy, MCTS, AlphaBeta, Expectimax, Solver, ISMCTS, PIMC, Rollout)
BUILT_IN: dict[str, type[Agent]] = {kind.name: kind for kind in KINDS}
ENTRY_POINTS = "gamelab.agents"


def agent_names() -> list[str]:
    """The names that a spec can begin with, sorted."""
    return sorted({*BUILT_IN, *(entry.name for entry in entry_points(group=ENTRY_POINTS))})


def agent_class(name: str) -> type[Agent]:
    """The class of an agent.

    Raises
    ------
    UnknownNameError
        If no agent has that name; lists those that are known.
    SpecError
        If the name is a dotted one that cannot be imported, or is no `Agent`.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            return entry.load()  # type: ignore[no-any-return]
    if "." in name:
        return _import(name)
    raise UnknownNameError(f"no agent is called {quoted(name)}; known: {known_names(agent_names())}, or module.Class")


def _import(name: str) -> type[Agent]:
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # a module can fail to import in any way
        raise SpecError(f"agent {quoted(name)} cannot be imported: {type(error).__name__}: {cut(str(error), 200)}") from None
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise SpecError(f"agent {quoted(name)} is no subclass of gamelab.Agent")
    if not isinstance(getattr(found, "name", None), str):
        raise SpecError(f"agent {quoted(name)} has no name: set the class attribute")
    return found


def make_agent(spec: str) -> Agent:
    """Make an agent from its spec.

    Parameters
    ----------
    spec : str
        ``name`` or ``name:option=value,option=value``, with ``cheat:`` before it for an agent that sees everything.

    Raises
    ------
    UnknownNameError
        For an unknown agent or option; lists the known ones.
    SpecError
        For a spec that cannot be read.
    ParameterError
        For a value that an option cannot take.

    Examples
    --------
    >>> make_agent("mcts:sims=2000")
    gamelab.make_agent('mcts:sims=2000')
    >>> make_agent("cheat:mcts").cheats
    True
    >>> make_agent("mcts:sims=0")
    Traceback (most recent call last):
    gamelab.core.errors.ParameterError: mcts, sims: '0' is not a whole number from 1 to 2147483647
    """
    if not isinstance(spec, str) or not spec.strip():
        raise SpecError(f"an agent's spec is a text such as mcts:sims=2000, not {quoted(spec)}")
    name, colon, rest = spec.strip().partition(":")
    if name.strip() == CHEAT.rstrip(":"):
        return _cheating(spec, rest)
    agent = agent_class(name.strip())(**(_options(spec, rest) if colon else {}))
    # In the spec the agent has the name that it was asked for by, so that the spec makes it again.
    agent.spec = name.strip() + agent.spec[len(agent.name) :]
    return agent


def _options(spec: str, rest: str) -> dict[str, str]:
    """What stands behind the colon."""
    if not rest.strip():
        raise SpecError(f"agent spec {quoted(spec)}: no option behind the colon")
    options: dict[str, str] = {}
    for number, item in enumerate(rest.split(","), 1):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not item.strip():
            raise SpecError(f"agent spec {quoted(spec)}: option {number} is empty: a comma stands between two options only")
        if not (key and equals and value):
            raise SpecError(f"agent spec {quoted(spec)}: {quoted(item)} is not option=value")
        if key in options:
            raise SpecError(f"agent spec {quoted(spec)}: {quoted(key)} stands twice")
        options[key] = value
    return options


def warm_up(agent: Agent, game: Game) -> None:
    """`Agent.warm_up`, where an agent that takes its memory there may ask for too much.

    Raises
    ------
    AgentError
        If there is not enough memory, or as `Agent.warm_up` does.
    """
    try:
        agent.warm_up(game)
    except MemoryError as error:
        asked, why = agent.settings.get("memory"), cut(str(error).partition(" for an array")[0])  # not its whole layout
        which = "" if asked is None else f", and the option memory allows it {asked} MiB: give less"
        raise AgentError(f"{cut(agent.spec)}: there is not as much memory as it asks for{which} ({why})") from None


def _cheating(spec: str, honest: str) -> Agent:
    if not honest.strip() or honest.partition(":")[0].strip() == CHEAT.rstrip(":"):
        raise SpecError(f"agent spec {quoted(spec)}: {CHEAT} is followed by the spec of an agent, {CHEAT}mcts:sims=1000")
    agent = make_agent(honest)
    agent.cheats = True
    agent.spec = f"{CHEAT}{agent.spec}"
    return agent
