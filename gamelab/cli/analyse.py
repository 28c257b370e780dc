"""`gamelab analyse`, and an agent's view of a position in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamelab.cli.options import AsJson, GameName, Parameters, PositionFile, Seed, load_game, read_state
from gamelab.cli.output import interruptible, prepare, print_json

if TYPE_CHECKING:
    import numpy as np

    from gamelab.agents import Analysis
    from gamelab.core.game import Game
    from gamelab.core.state import State

__all__ = ["describe_analysis", "moves_in_notation", "register"]

SHOWN_ACTIONS = 10
ANALYST, ANALYST_OF_CHANCE, ANALYST_IN_THE_DARK = "alphabeta:time=2", "mcts:time=2", "ismcts:time=2"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyse")(analyse)


def analyse(
    game: GameName,
    position: PositionFile = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "-a",
            "--agent",
            metavar="SPEC",
            help=f"Who is asked; `gamelab agents` lists them. Default: {ANALYST}; with chance {ANALYST_OF_CHANCE}; with hidden "
            f"information {ANALYST_IN_THE_DARK}.",
        ),
    ] = None,
    seed: Seed = 1,
    every: Annotated[bool, typer.Option("--all", help=f"Compare all moves, not only the best {SHOWN_ACTIONS}.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """What an agent thinks of a position.

    Where chance is to act, as at the start of a game of cards, it is drawn first, by the seed.

    \b
    For example:
      gamelab analyse netwerk --position game.txt
      gamelab analyse netwerk -a mcts:sims=50000 --all
    """  # noqa: D301 - click keeps the lines of a paragraph that begins with \b
    from gamelab.agents import make_agent, view_for, warm_up
    from gamelab.core.seeds import stream

    state = read_state(load_game(game, parameters), position)
    player = make_agent(agent or _analyst(state.game))
    drawn = _draw_chance(state, stream(seed, "analyse", "chance"))
    if state.is_terminal():
        _print_ending(state, as_json)
        return
    prepare(lambda: warm_up(player, state.game))
    rng = stream(seed, "analyse", agent or player.spec)
    view = view_for(player.spec, state, state.current_player(), rng)
    analysis = interruptible(lambda: player.analyse(view, rng), player.stop)
    if as_json:
        asked = {"game": state.game.name, "position": state.to_text(), "chance": drawn, "agent": player.spec}
        print_json(asked | _as_dict(view, analysis))
    else:
        if drawn:
            print(f"Chance is to act; drawn by --seed {seed}: {', '.join(drawn)}\n")
        print(f"{state}\n")
        print(describe_analysis(view, analysis, len(analysis.scores | analysis.visits) if every else SHOWN_ACTIONS))


def _analyst(game: Game) -> str:
    """Who is asked if nobody is named: one that can play the game."""
    if game.hidden_information:
        return ANALYST_IN_THE_DARK
    return ANALYST if game.chance_mode == "deterministic" and game.num_players > 1 else ANALYST_OF_CHANCE


def _draw_chance(state: State, rng: np.random.Generator) -> list[str]:
    """Let chance act until a player is to, or the game is over; what it did, in notation."""
    drawn = []
    while state.is_chance_node():
        action = state.sample_chance(rng)
        drawn.append(state.action_to_string(action))
        state.apply_action(action)
    return drawn


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
