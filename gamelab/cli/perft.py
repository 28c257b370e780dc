"""`gamelab perft`."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from gamelab.cli.options import AsJson, GameName, Parameters, PositionFile, load_game, read_state
from gamelab.cli.output import interruptible, prepare, print_json, print_table

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("perft")(perft)


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Plies.", min=0, max=64)],
    position: PositionFile = None,
    divide: Annotated[bool, typer.Option("--divide", help="Split the last count by the first move.")] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves from a position.

    For each depth up to DEPTH: the classic check of a game's rules, and a measure of its size.
    """
    from gamelab.search.perft import divide as split_by_move
    from gamelab.search.perft import perft as count

    state = read_state(load_game(game, parameters), position)
    prepare(lambda: count(state, 1))
    rows = []
    for plies in range(1, depth + 1):
        started = time.perf_counter()
        sequences = interruptible(lambda plies=plies: count(state, plies))  # type: ignore[misc]
        rows.append({"depth": plies, "sequences": sequences, "seconds": time.perf_counter() - started})
    split = None
    if divide:
        by_action = interruptible(lambda: split_by_move(state, depth))
        split = {state.action_to_string(action): sequences for action, sequences in by_action.items()}
    if as_json:
        print_json({"game": state.game.name, "perft": rows, **({} if split is None else {"divide": split})})
        return
    table = [(row["depth"], f"{row['sequences']:,}", f"{row['seconds']:.4f}") for row in rows]
    print_table(f"Perft of {state.game.title}", ("depth", "sequences", "seconds"), table, text_columns=0)
    if split is not None:
        print_table(f"By first move, depth {depth}", ("move", "sequences"), [(a, f"{n:,}") for a, n in split.items()])
