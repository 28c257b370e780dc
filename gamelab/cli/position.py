"""`gamelab perft` and `gamelab analyse`."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from gamelab.cli.output import AsJson, GameName, Parameters, PositionFile, Seed, load_game, print_json, print_table, read_state

__all__ = ["describe_analysis", "register"]

SHOWN_ACTIONS = 10


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("perft")(perft)
    app.command("analyse")(analyse)


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(help="Plies.", min=0, max=64)],
    position: PositionFile = None,
    divide: Annotated[bool, typer.Option("--divide", help="Split the last count by the first move.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves from a position, for each depth up to DEPTH."""
    from gamelab.search.perft import divide as split_by_move
    from gamelab.search.perft import perft as count

    state = read_state(load_game(game, parameters), position)
    count(state, 1)  # compiles
    rows = []
    for plies in range(1, depth + 1):
        started = time.perf_counter()
        rows.append({"depth": plies, "sequences": count(state, plies), "seconds": time.perf_counter() - started})
    split = {state.action_to_string(a): n for a, n in split_by_move(state, depth).items()} if divide else None
    if as_json:
        print_json({"game": state.game.name, "perft": rows, **({} if split is None else {"divide": split})})
        return
    table = [(row["depth"], f"{row['sequences']:,}", f"{row['seconds']:.3f}") for row in rows]
    print_table(f"Perft of {state.game.title}", ("depth", "sequences", "seconds"), table, text_columns=0)
    if split is not None:
        print_table(f"By first move, depth {depth}", ("move", "sequences"), [(a, f"{n:,}") for a, n in split.items()])


def analyse(
    game: GameName,
    position: PositionFile = None,
    agent: Annotated[str, typer.Option("-a", "--agent", metavar="SPEC", help="Who is asked.")] = "alphabeta:time=2",
    seed: Seed = 1,
    every: Annotated[bool, typer.Option("--all", help=f"Show all moves, not the best {SHOWN_ACTIONS}.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """What an agent thinks of a position.

    For example: gamelab analyse netwerk --position game.txt -a mcts:sims=50000
    """
    from gamelab.agents import make_agent
    from gamelab.core.seeds import stream

    state = read_state(load_game(game, parameters), position)
    player = make_agent(agent)
    if state.is_terminal():
        ending = state.game.describe_end(state.array[0])
        if as_json:
            print_json({"game": state.game.name, "position": state.to_text(), "returns": state.returns(), "ending": ending})
        else:
            print(f"{state}\nThe game is over: {ending}; returns {state.returns()}")
        return
    player.warm_up(state.game)
    analysis = player.analyse(state, stream(seed, "analyse", agent))
    if as_json:
        print_json({"game": state.game.name, "position": state.to_text(), "agent": player.spec, **_as_dict(state, analysis)})
    else:
        print(state)
        print()
        print(describe_analysis(state, analysis, shown=len(state.legal_actions()) if every else SHOWN_ACTIONS))


def _as_dict(state: Any, analysis: Any) -> dict[str, Any]:
    def named(values: dict[int, Any]) -> dict[str, Any]:
        return {state.action_to_string(action): value for action, value in values.items()}

    return {
        "player": state.current_player(),
        "best": state.action_to_string(analysis.action),
        "value": analysis.value,
        "proven": analysis.proven,
        "end_in": analysis.end_in,
        "principal_variation": _line(state, analysis.principal_variation),
        "visits": named(analysis.visits),
        "scores": named(analysis.scores),
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
        **analysis.details,
    }


def _line(state: Any, actions: list[int]) -> list[str]:
    """The actions in notation, each as it reads where it is played."""
    names, state = [], state.clone()
    for action in actions:
        names.append(state.action_to_string(action))
        state.apply_action(action)
    return names


def describe_analysis(state: Any, analysis: Any, shown: int) -> str:
    """An agent's view in lines for a person: the best move, what it expects, and the `shown` best moves compared."""
    name = state.game.player_names[state.current_player()]
    lines = [f"Best for {name}: {state.action_to_string(analysis.action)}, {_verdict(analysis)}"]
    if analysis.principal_variation:
        lines.append("Expected: " + " ".join(_line(state, analysis.principal_variation)))
    best_first = sorted(
        {*analysis.visits, *analysis.scores},
        key=lambda action: (action == analysis.action, analysis.visits.get(action, 0), analysis.scores.get(action, -2)),
        reverse=True,
    )
    for action in best_first[:shown]:
        score = f"{50 + 50 * analysis.scores[action]:5.1f} %" if action in analysis.scores else "      -"
        visits = f"  {analysis.visits[action]:,} visits" if action in analysis.visits else ""
        lines.append(f"  {state.action_to_string(action):8}{score}{visits}")
    details = "".join(f", {key.replace('_', ' ')} {value:,}" for key, value in analysis.details.items())
    lines.append(f"{analysis.nodes:,} nodes in {analysis.seconds:.2f} s{details}")
    return "\n".join(lines)


def _verdict(analysis: Any) -> str:
    if analysis.end_in is not None:
        return f"{'wins' if analysis.end_in > 0 else 'loses'} in {abs(analysis.end_in)} plies"
    sure = " for certain" if analysis.proven else ""
    return f"expected score {50 + 50 * analysis.value:.1f} %{sure}"
