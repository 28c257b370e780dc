"""`gamelab tournament`, and `gamelab ratings` for what it leaves behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.cli.errors import INTERRUPTED, complain
from gamelab.cli.options import AsJson, GameName, Parameters, Seed, load_game
from gamelab.cli.output import interruptible, print_json, progress_bar
from gamelab.core.errors import ParameterError

if TYPE_CHECKING:
    from gamelab.arena.result import AnyResult
    from gamelab.arena.tournament import Tournament
    from gamelab.core.game import Game

__all__ = ["Ranks", "StoreFile", "default_bots", "open_ranked", "register"]

DEFAULT_BOTS = ("random", "greedy", "mcts:sims=1000", "alphabeta:depth=3")
DEFAULT_BOTS_IN_THE_DARK = ("random", "greedy", "pimc", "ismcts")  # with hidden information
USUAL_GAMES, MOST_GAMES = 240, 10_000_000

StoreFile = Annotated[Path, typer.Argument(metavar="FILE", help="A tournament's store.")]
Ranks = Annotated[
    str | None,
    typer.Option(
        "--ranks",
        metavar="BY",
        help="With more than two players what ranks, and with them ratings, go by: score, where the game has any, or return, "
        "for which it makes no difference who came second. Default: score.",
    ),
]


def open_ranked(file: Path, ranks: str | None) -> AnyResult:
    """Read a store, with ranks by what was asked for."""
    from gamelab.arena.multiplayer import MultiplayerResult
    from gamelab.arena.result import open_result

    result = open_result(file)
    if ranks is None:
        return result
    if not isinstance(result, MultiplayerResult):
        raise ParameterError(f"--ranks: ranks are for more than two players; {file} has games of {result.seats}")
    try:
        return result.ranked_by(ranks)
    except ParameterError as error:
        raise ParameterError(f"--ranks: {error}") from None


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("tournament")(tournament)
    app.command("ratings")(ratings)


def tournament(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "-a",
            "--agent",
            metavar="SPEC",
            help=f"An agent; once for each. `gamelab agents` lists them. Default: {', '.join(DEFAULT_BOTS)}; with hidden "
            f"information {', '.join(DEFAULT_BOTS_IN_THE_DARK)}.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            metavar="GAMES",
            max=MOST_GAMES,
            help="Games in all, an even number; for more than two players a whole number of blocks. "
            f"Default: {USUAL_GAMES}, or a few more.",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the games go; a store that is there is continued. Default: a new file in tournaments/."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, help="Processes. Default: one for each CPU.")
    ] = None,
    seed: Seed = 1,
    openings: Annotated[
        int, typer.Option("--openings", metavar="PLIES", min=0, help="Random plies at the start of each game.")
    ] = 0,
    move_limit: Annotated[
        float | None,
        typer.Option("--move-limit", metavar="SECONDS", help="An agent that takes longer for a move forfeits the game."),
    ] = None,
    allow_cheats: Annotated[
        bool, typer.Option("--allow-cheats", help="Let agents play that see what is hidden: cheat:SPEC.")
    ] = False,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament of agents.

    Everybody plays everybody, in pairs of games with the seats swapped; with more than two players every set of agents that
    fills the table, in blocks of games with the seats rotated. In a game for one all play with the same chance.

    \b
    For example:
      gamelab tournament netwerk
      gamelab tournament netwerk -a mcts:sims=2000 -a alphabeta:depth=4 -n 100 --openings 4
      gamelab tournament netwerk --store netwerk.db -n 1000 -p crowding=first

    Each game is stored as it ends. Stop with Ctrl-C, and go on with the same command and --store FILE. The same seed plays the
    same games on any number of processes, unless an agent's budget is time.
    """  # noqa: D301 - click keeps the lines of a paragraph that begins with \b
    from gamelab.arena.schedule import whole_blocks
    from gamelab.arena.tournament import Tournament
    from gamelab.cli.report import print_report

    loaded = load_game(game, parameters)
    bots = agents or default_bots(loaded)
    if games is None:
        games = whole_blocks(bots, loaded.num_players, USUAL_GAMES)
    event = Tournament(
        loaded, bots, games, seed,
        opening_plies=openings, move_limit=move_limit, allow_cheats=allow_cheats,
    )  # fmt: skip
    with _place(store, loaded.name) as event.store_path:
        try:
            with progress_bar(f"{loaded.title}, {len(event.agents)} agents") as progress:
                interruptible(lambda: _warm_up(event))
                result = event.run(workers or _processors(), progress=progress)
        except KeyboardInterrupt:
            _say_how_to_go_on(event.store_path, given=store is not None)
            raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result)


def default_bots(game: Game) -> tuple[str, ...]:
    """Who plays if nobody is named."""
    return DEFAULT_BOTS_IN_THE_DARK if game.hidden_information else DEFAULT_BOTS


def _warm_up(event: Tournament) -> None:
    """Compile what `Tournament.run` will compile, where an interrupt cannot disturb it."""
    from gamelab.agents import make_agent, warm_up

    for spec in event.agents:
        warm_up(make_agent(spec), event.game)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _place(store: Path | None, game: str) -> Iterator[Path]:
    """Where to write: the file that was named, or a new one that goes again if nothing comes of it."""
    if store is not None:
        yield store
        return
    path = _new_file(Path("tournaments"), f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}")
    try:
        yield path
    finally:
        with suppress(OSError):
            if path.stat().st_size == 0:
                path.unlink()
                path.parent.rmdir()  # if there is nothing else in it


def _new_file(folder: Path, stem: str) -> Path:
    """An empty file that nobody else has, in a folder that is made."""
    folder.mkdir(exist_ok=True)
    number = 1
    while True:
        path = folder / (f"{stem}.db" if number == 1 else f"{stem}-{number}.db")
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return path


def _say_how_to_go_on(path: Path, *, given: bool) -> None:
    from gamelab.arena.store import Store

    if not path.exists() or path.stat().st_size == 0:
        complain("interrupted before the first game")
        return
    with Store(path) as stored:
        done, planned = len(stored.game_ids()), stored.planned_games()
    how = "run the same command again" if given else f"run the same command with --store {path}"
    complain(f"interrupted; {done} of {planned} games are in {path}: to go on {how}")


def ratings(
    file: StoreFile,
    bootstrap: Annotated[
        int,
        typer.Option(
            "--bootstrap",
            metavar="N",
            min=0,
            max=1_000_000,
            help="Intervals from N resamples of pairs, or blocks, of games.",
        ),
    ] = 0,
    seed: Seed = 1,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="SHARE", help="Coverage of the intervals, between 0 and 1.")
    ] = 0.95,
    ranks: Ranks = None,
    as_json: AsJson = False,
) -> None:
    """Print a tournament's report from its store, finished or not."""
    from gamelab.cli.report import print_report

    if not 0 < confidence < 1:
        raise ParameterError(f"--confidence: {confidence} is not between 0 and 1")
    result = open_ranked(file, ranks)
    if as_json:
        print_json(result.to_dict(confidence=confidence, bootstrap=bootstrap, seed=seed))
    else:
        print_report(result, confidence=confidence, bootstrap=bootstrap, seed=seed)
