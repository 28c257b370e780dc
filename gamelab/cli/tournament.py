"""`gamelab tournament`, `gamelab ratings` and `gamelab plot`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from gamelab.cli.output import AsJson, GameName, Parameters, Seed, complain, load_game, print_json, progress_bar
from gamelab.core.errors import ParameterError, StoreError

__all__ = ["DEFAULT_BOTS", "register"]

DEFAULT_BOTS = ("random", "greedy", "mcts:sims=1000", "alphabeta:depth=3")
INTERRUPTED = 130

StoreFile = Annotated[Path, typer.Argument(metavar="FILE", help="A tournament's store.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("tournament")(tournament)
    app.command("ratings")(ratings)
    app.command("plot")(plot)


def tournament(
    game: GameName,
    agents: Annotated[
        list[str] | None, typer.Option("-a", "--agent", metavar="SPEC", help=f"Default: {', '.join(DEFAULT_BOTS)}.")
    ] = None,
    games: Annotated[int, typer.Option("-n", "--games", help="Games in all, an even number.")] = 240,
    store: Annotated[
        Path | None, typer.Option("--store", help="Where to write; goes on where it stopped. Default: a new file.")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes. Default: one a processor.")] = None,
    seed: Seed = 1,
    openings: Annotated[int, typer.Option("--openings", min=0, help="Random plies at the start of each game.")] = 0,
    move_limit: Annotated[
        float | None, typer.Option("--move-limit", help="Seconds a move after which an agent forfeits the game.")
    ] = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin: everybody against everybody, in pairs of games with the seats swapped.

    For example: gamelab tournament netwerk -a mcts:sims=2000 -a alphabeta:time=0.1 -n 100
    """
    from gamelab.arena.tournament import Tournament
    from gamelab.cli.report import print_report

    loaded = load_game(game, parameters)
    event = Tournament(
        loaded, agents or DEFAULT_BOTS, games, seed, opening_plies=openings, move_limit=move_limit
    )  # fmt: skip
    event.store_path = store or _new_store(loaded.name)
    try:
        with progress_bar(f"{loaded.title}, {len(event.agents)} agents") as progress:
            result = event.run(workers or _processors(), progress=progress)
    except KeyboardInterrupt:
        _say_how_to_go_on(event.store_path, given=store is not None)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _new_store(game: str) -> Path:
    """A file that is not there yet, in a folder that is."""
    folder = Path("tournaments")
    folder.mkdir(exist_ok=True)
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    names = (folder / f"{stem}{suffix}.db" for suffix in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(path for path in names if not path.exists())


def _say_how_to_go_on(path: Path, *, given: bool) -> None:
    from gamelab.arena.store import Store

    with Store(path) as stored:
        done, planned = len(stored.game_ids()), stored.planned_games()
    how = "run the same command again" if given else f"run the same command with --store {path}"
    complain(f"interrupted; {done} of {planned} games are in {path}: to go on {how}")


def ratings(
    file: StoreFile,
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", min=0, max=1_000_000, help="Intervals from so many resamples of pairs of games.")
    ] = 0,
    seed: Seed = 1,
    confidence: Annotated[float, typer.Option("--confidence", help="Coverage of the intervals.")] = 0.95,
    as_json: AsJson = False,
) -> None:
    """Print a tournament's report from its store."""
    from gamelab.arena.result import open_result
    from gamelab.cli.report import print_report

    if not 0 < confidence < 1:
        raise ParameterError(f"--confidence: {confidence} is not between 0 and 1")
    result = open_result(file)
    if as_json:
        print_json(result.to_dict(confidence=confidence, bootstrap=bootstrap, seed=seed))
    else:
        print_report(result, confidence=confidence, bootstrap=bootstrap, seed=seed)


def plot(
    file: StoreFile,
    kind: Annotated[str, typer.Option("--kind", help="ratings, crosstable, lengths or all.")] = "all",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The PNG file, for a single kind. Default: beside the store.")
    ] = None,
) -> None:
    """Draw a tournament's figures as PNG files."""
    from gamelab.arena.result import open_result
    from gamelab.plots import KINDS, draw

    result = open_result(file)
    kinds = KINDS if kind == "all" else (kind,)
    if out is not None and len(kinds) > 1:
        raise ParameterError("--out names one file: choose one figure with --kind")
    for name in kinds:
        figure = draw(result, name)
        path = out or file.with_name(f"{file.stem}-{name}.png")
        # Under another name first: a full disk must not leave half a picture.
        partial = path.with_name(f".{path.name}.partial")
        try:
            figure.savefig(partial, format="png", dpi=150)
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise StoreError(f"{path}: {error.strerror or error}") from None
        print(path, file=sys.stdout)
