"""`gamelab analyse`, and an agent's view of a position in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamelab.cli.options import AsJson, GameName, Parameters, PositionFile, Seed, load_game, read_state
from gamelab.cli.output import interruptible, prepare, print_json

if TYPE_CHECKING:
    from gamelab.agents import Analysis
    from gamelab.core.state import State

__all__ = ["describe_analysis", "moves_in_notation", "register"]

SHOWN_ACTIONS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyse")(analyse)


def analyse(
    game: GameName,
    position: PositionFile = None,
    agent: Annotated[
        str, typer.Option("-a", "--agent", metavar="SPEC", help="Who is asked; `gamelab agents` lists them.")
    ] = "alphabeta:time=2",
    seed: Seed = 1,
    every: Annotated[bool, typer.Option("--all", help=f"Compare all moves, not only the best {SHOWN_ACTIONS}.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """What an agent thinks of a position.

    \b
    For example:
      gamelab analyse netwerk --position game.txt
      gamelab analyse netwerk -a mcts:sims=50000 --all
    """  # noqa: D301 - click keeps the lines of a paragraph that begins with \b
    from gamelab.agents import make_agent, view_for
    from gamelab.core.seeds import stream

    state = read_state(load_game(game, parameters), position)
    player = make_agent(agent)
    if state.is_terminal():
        _print_ending(state, as_json)
        return
    prepare(lambda: player.warm_up(state.game))
    rng = stream(seed, "analyse", agent)
    view = view_for(player.spec, state, max(0, state.current_player()), rng)
    analysis = interruptible(lambda: player.analyse(view, rng), player.stop)
    if as_json:
        print_json({"game": state.game.name, "position": state.to_text(), "agent": player.spec, **_as_dict(view, analysis)})
    else:
        print(f"{state}\n")
        print(describe_analysis(view, analysis, len(analysis.scores | analysis.visits) if every else SHOWN_ACTIONS))


def _print_ending(state: State, as_json: bool) -> None:
    ending = state.game.describe_end(state.array[0])
    if as_json:
        print_json({"game": state.game.name, "position": state.to_text(), "returns": state.returns(), "ending": ending})
    else:
        print(f"{state}\n\nThe game is over: {ending}; returns {state.returns()}")


def _as_dict(state: State, analysis: Analysis) -> dict[str, Any]:
    def named(values: dict[int, Any]) -> dict[str, Any]:
        return {state.action_to_string(action): value for action, value in values.items()}

    return {
        "player": state.current_player(),
        "best": state.action_to_string(analysis.action),
        "value": analysis.value,
        "proven": analysis.proven,
        "end_in": analysis.end_in,
        "principal_variation": moves_in_notation(state, analysis.principal_variation),
        "visits": named(analysis.visits),
        "scores": named(analysis.scores),
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
        **{key: named(value) if isinstance(value, dict) else value for key, value in analysis.details.items()},
    }


def moves_in_notation(state: State, actions: list[int]) -> list[str]:
    """The actions from a state on in notation, each as it reads where it is played."""
    names, at = [], state.clone()
    for action in actions:
        names.append(at.action_to_string(action))
        at.apply_action(action)
    return names


def describe_analysis(state: State, analysis: Analysis, shown: int) -> str:
    """An agent's view in lines for a person: the best move, what it expects, and the `shown` best moves compared."""
    name = state.game.player_names[state.current_player()]
    lines = [f"Best for {name}: {state.action_to_string(analysis.action)}, {_verdict(state, analysis)}"]
    if analysis.principal_variation:
        lines.append("Expected: " + " ".join(moves_in_notation(state, analysis.principal_variation)))
    lines += [_compared(state, analysis, action) for action in _best_first(analysis)[:shown]]
    if analysis.nodes:
        # Figures of single actions are for --json.
        figures = {key: value for key, value in analysis.details.items() if not isinstance(value, dict)}
        details = "".join(f", {key.replace('_', ' ')} {_grouped(value)}" for key, value in figures.items())
        lines.append(f"{analysis.nodes:,} nodes in {analysis.seconds:.2f} s{details}")
    return "\n".join(lines)


def _best_first(analysis: Analysis) -> list[int]:
    """The move to play, then by visits where there are any, else by score."""

    def merit(action: int) -> tuple[bool, int, float]:
        return action == analysis.action, analysis.visits.get(action, 0), analysis.scores.get(action, -2.0)

    return sorted(analysis.visits | analysis.scores, key=merit, reverse=True)


def _compared(state: State, analysis: Analysis, action: int) -> str:
    score = _score(state, analysis.scores[action]) if action in analysis.scores else "-"
    visits = f"  {analysis.visits[action]:,} visits" if action in analysis.visits else ""
    return f"  {state.action_to_string(action):10}{score:>8}{visits}"


def _verdict(state: State, analysis: Analysis) -> str:
    if analysis.end_in is not None:
        plies = abs(analysis.end_in)
        return f"{'wins' if analysis.end_in > 0 else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"
    if not (analysis.scores or analysis.visits):
        return "without an estimate"
    if analysis.proven and state.game.num_players == 2:
        return {1.0: "a certain win", 0.0: "a certain draw", -1.0: "a certain loss"}.get(analysis.value, "for certain")
    return f"expected score {_score(state, analysis.value)}"


def _score(state: State, value: float) -> str:
    """Alone the score itself, else the share of the points that it stands for."""
    return f"{value:.2f}" if state.game.num_players == 1 else f"{50 + 50 * value:.1f} %"


def _grouped(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
