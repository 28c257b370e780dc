"""`gamelab games`, `gamelab rules` and `gamelab agents`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from gamelab.cli.output import AsJson, GameName, print_json, print_table

if TYPE_CHECKING:
    from gamelab.core.game import Parameter

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("games")(games)
    app.command("rules")(rules)
    app.command("agents")(agents)


def games(as_json: AsJson = False) -> None:
    """List the games."""
    from gamelab.games import game_class, game_names

    known = [game_class(name) for name in game_names()]
    if as_json:
        print_json([{"name": kind.name, "title": kind.title, "parameters": _described(kind.parameter_specs)} for kind in known])
        return
    rows = [(kind.name, kind.title, kind.num_players, _summary(kind.parameter_specs)) for kind in known]
    print_table("Games", ("name", "title", "players", "parameters"), rows, text_columns=4)


def rules(game: GameName) -> None:
    """Print the rules of a game and its parameters."""
    from gamelab.games import game_class

    kind = game_class(game)
    print(kind.rules_text)
    for name, spec in kind.parameter_specs.items():
        print(f"Parameter {name}: {spec.description}; {spec.takes()}, default {spec.default}.")


def agents(as_json: AsJson = False) -> None:
    """List the agents and their options, as they stand in a spec: mcts:sims=2000,c=0.5."""
    from gamelab.agents import agent_class, agent_names

    known = [(name, agent_class(name)) for name in agent_names()]
    if as_json:
        print_json([{"name": name, "options": _described(kind.options)} for name, kind in known])
        return
    for name, kind in known:
        print(f"{name}: {(kind.__doc__ or '').strip().splitlines()[0]}")
        for option, spec in kind.options.items():
            default = "" if spec.default is None else f", default {str(spec.default).lower()}"
            print(f"    {option}: {spec.description}; {spec.takes()}{default}")


def _summary(specs: Mapping[str, Parameter]) -> str:
    return "; ".join(f"{name}={spec.default} ({spec.takes()})" for name, spec in specs.items()) or "none"


def _described(specs: Mapping[str, Parameter]) -> dict[str, dict[str, object]]:
    return {
        name: {"default": spec.default, "takes": spec.takes(), "description": spec.description} for name, spec in specs.items()
    }
