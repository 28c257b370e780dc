"""`gamelab games`, `gamelab rules` and `gamelab agents`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from gamelab.cli.options import AsJson, GameName
from gamelab.cli.output import print_json, print_table

if TYPE_CHECKING:
    from gamelab.core.game import Game, Parameter

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("games")(games)
    app.command("rules")(rules)
    app.command("agents")(agents)


def games(as_json: AsJson = False) -> None:
    """List the games."""
    from gamelab.games import game_names, load

    known = [load(name) for name in game_names()]
    if as_json:
        print_json([_game(game) for game in known])
        return
    rows = [(game.name, game.title, game.num_players, _summary(game.parameter_specs)) for game in known]
    print_table("Games", ("name", "title", "players", "parameters, for -p"), rows, text_columns=4)


def rules(game: GameName) -> None:
    """Print the rules of a game and its parameters."""
    from gamelab.games import game_class

    kind = game_class(game)
    print(kind.rules_text)
    for name, spec in kind.parameter_specs.items():
        print(f"Parameter {name}: {spec.description}; {spec.takes()}, default {_plain(spec.default)}.")


def agents(as_json: AsJson = False) -> None:
    """List the agents and their options.

    An agent's spec is its name and the options that differ from the default: mcts:sims=2000,c=0.5
    """
    from gamelab.agents import agent_class, agent_names

    known = [(name, agent_class(name)) for name in agent_names()]
    if as_json:
        print_json([{"name": name, "options": _described(kind.options)} for name, kind in known])
        return
    for name, kind in known:
        print(f"{name}: {(kind.__doc__ or '').strip().partition(chr(10))[0]}")
        for option, spec in kind.options.items():
            default = "" if spec.default is None else f", default {_plain(spec.default)}"
            print(f"    {option}: {spec.description}; {spec.takes()}{default}")
    print("\nAs a spec: mcts:sims=2000,c=0.5 (a name, a colon, options). An agent of your own: module.Class:option=value")


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "players": game.num_players,
        "chance": game.chance_mode,
        "hidden_information": game.hidden_information,
        "parameters": _described(game.parameter_specs),
    }


def _summary(specs: Mapping[str, Parameter]) -> str:
    return "; ".join(f"{name}={_plain(spec.default)} ({spec.takes()})" for name, spec in specs.items()) or "none"


def _described(specs: Mapping[str, Parameter]) -> dict[str, dict[str, object]]:
    return {
        name: {"default": spec.default, "takes": spec.takes(), "description": spec.description} for name, spec in specs.items()
    }


def _plain(value: object) -> str:
    """A value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
