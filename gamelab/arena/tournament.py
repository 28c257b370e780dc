"""Tournaments: every line-up of agents, on any number of processes, written game by game."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from gamelab.agents import Agent, make_agent
from gamelab.agents.base import CHEAT
from gamelab.arena.match import GameRecord
from gamelab.arena.result import AnyResult, result_from
from gamelab.arena.schedule import Pairing, round_robin
from gamelab.arena.setup import Setup
from gamelab.arena.store import Store
from gamelab.arena.workers import Players, SharedGame, play_in_worker, process_pool, quiet_fork
from gamelab.core._jit import fingerprint
from gamelab.core.errors import ParameterError, TournamentError, quoted
from gamelab.core.game import Game
from gamelab.core.numbers import is_whole
from gamelab.games import load

__all__ = ["MAX_WORKERS", "Tournament", "versions"]

# Games handed to the workers beyond those being played: enough that none waits, few enough to stop soon.
QUEUED_PER_WORKER = 4
MAX_WORKERS = 1024
LARGEST_SEED = 2**63 - 1  # what a store can hold

Progress = Callable[[int, int], None]


def versions() -> str:
    """What plays here, in one line: two games with the same line and seed are the same game."""
    from gamelab import __version__

    return (
        f"gamelab {__version__} ({fingerprint()}), python {platform.python_version()}, numpy {np.__version__}, "
        f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, {platform.machine()}"
    )


class Tournament:
    """A round robin of agents, in blocks of games with the seats rotated; for two, in pairs with the seats swapped.

    Line-ups and seats are described in `gamelab.arena.schedule.round_robin`.

    Parameters
    ----------
    game : str or Game
        A load name, or a game with its parameters chosen.
    agents : sequence of str
        Specs, all different; two or more, or at least one in a game for one.
    games : int
        Games in all, a whole number of blocks, for two players an even number; as evenly spread over the line-ups as can be.
    seed : int
        Of every random choice: 0 to 2**63 - 1.
    store : str or Path, optional
        The file to write to. If it holds a part of this tournament, that is not played again; None keeps results in memory.
    opening_plies : int
        Uniformly random plies at the start of each game, the same in all games of a block.
    move_limit : float, optional
        Seconds a move after which an agent forfeits. Not a budget: those are in the specs.
    allow_cheats : bool
        Whether agents that see what is hidden (``cheat:``) may take part: the ratings of all depend on it.

    Raises
    ------
    GamelabError
        If anything of it cannot be; nothing is written then.

    Examples
    --------
    >>> result = Tournament("netwerk", ["random", "greedy"], games=4, seed=1).run()
    >>> len(result.records)
    4
    """

    def __init__(
        self,
        game: str | Game,
        agents: Sequence[str | Agent],
        games: int,
        seed: int,
        *,
        store: str | Path | None = None,
        opening_plies: int = 0,
        move_limit: float | None = None,
        allow_cheats: bool = False,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        if not isinstance(self.game, Game):
            raise TournamentError(f"game is a name, or a game that gamelab.load made, not {quoted(game)}")
        if isinstance(agents, str) or not isinstance(agents, Iterable):
            raise TournamentError(f"agents is a list of specs, not {quoted(agents)}")
        self.agents = [_canonical(agent, allow_cheats) for agent in agents]
        self.schedule = list(round_robin(self.agents, games, self.game.num_players))
        self.games = len(self.schedule)
        self.seed = _whole("seed", seed, 0, LARGEST_SEED)
        self.opening_plies = _whole("opening_plies", opening_plies, 0, 10_000)
        number = isinstance(move_limit, int | float) and not isinstance(move_limit, bool)
        if move_limit is not None and not (number and 0 < move_limit < float("inf")):
            raise ParameterError(f"move_limit: {quoted(move_limit)} is not a positive number of seconds")
        self.move_limit = None if move_limit is None else float(move_limit)
        self.store_path = store

    @property
    def setup(self) -> Setup:
        """What a store must agree with."""
        parameters = dict(self.game.parameters)
        rules = self.game.rules_fingerprint() if _may_name_files(self.game) else None
        return Setup(self.game.name, parameters, self.agents, self.seed, self.opening_plies, self.move_limit, rules)

    def run(self, workers: int = 1, *, executor: Executor | None = None, progress: Progress | None = None) -> AnyResult:
        """Play what the store does not hold yet.

        Parameters
        ----------
        workers : int
            Processes; 1 plays in this one. The games are the same for any number, unless agents have time budgets.
        executor : concurrent.futures.Executor, optional
            Play there instead.
        progress : callable, optional
            Called with the games done and the games in all, at the start and after each game.

        Raises
        ------
        StoreError
            If the store cannot be written, or holds another tournament.
        TournamentError
            If a worker process died. Finished games are in the store; run again to go on.
        """
        _whole("workers", workers, 1, MAX_WORKERS)
        players = Players(self.game, self.agents)  # finds out now who cannot play, and compiles before any clock starts
        report = progress or (lambda done, total: None)
        store = Store(self.store_path, seats=self.game.num_players)
        try:
            store.begin(self.setup, self.games, {spec: players.agents[spec][0].budget for spec in self.agents})
            done = store.game_ids()
            waiting = [pairing for pairing in self.schedule if pairing.game_id not in done]
            played = self.games - len(waiting)
            report(played, self.games)
            stamp = versions()
            with self._records(waiting, players, workers, executor) as records:
                for record in records:
                    store.add(record, self.seed, stamp)
                    played += 1
                    report(played, self.games)
            return result_from(store)
        finally:
            store.close()

    @contextmanager
    def _records(
        self, waiting: list[Pairing], players: Players, workers: int, executor: Executor | None
    ) -> Iterator[Iterator[GameRecord]]:
        """The games as they are finished."""
        limits: dict[str, Any] = {"seed": self.seed, "opening_plies": self.opening_plies, "move_limit": self.move_limit}
        if executor is None and (workers == 1 or len(waiting) < 2):
            yield (players.play(pairing, **limits) for pairing in waiting)
        elif executor is not None:
            yield self._results(executor, waiting, limits, 2 * QUEUED_PER_WORKER)
        else:
            pool = process_pool(min(workers, len(waiting)))
            try:
                yield self._results(pool, waiting, limits, min(workers, len(waiting)) * QUEUED_PER_WORKER)
            except BaseException:
                # Nobody wants to wait for the games under way.
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                raise
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _results(self, executor: Executor, waiting: list[Pairing], limits: dict[str, Any], ahead: int) -> Iterator[GameRecord]:
        """Keep `ahead` games with the executor, and yield what comes back in any order."""
        coming, game = iter(waiting), SharedGame(self.game)
        pending: dict[Future[GameRecord], Pairing] = {}
        while True:
            for pairing in islice(coming, ahead - len(pending)):
                pending[self._submit(executor, game, pairing, limits)] = pairing
            if not pending:
                return
            finished = wait(pending, return_when=FIRST_COMPLETED).done
            # Games that were finished come before the news that a worker died.
            for future in sorted(finished, key=lambda done: isinstance(done.exception(), BrokenExecutor)):
                pairing = pending.pop(future)
                try:
                    yield future.result()
                except BrokenExecutor:
                    raise _died(pairing) from None

    def _submit(self, executor: Executor, game: SharedGame, pairing: Pairing, limits: dict[str, Any]) -> Future[GameRecord]:
        try:
            with quiet_fork():
                return executor.submit(play_in_worker, game, tuple(self.agents), pairing, limits)
        except BrokenExecutor:
            raise _died(pairing) from None


def _died(pairing: Pairing) -> TournamentError:
    return TournamentError(
        f"a worker process died (killed, or out of memory) at about game {pairing.game_id} "
        f"({' against '.join(pairing.seats)}); what was finished is stored, run again to go on"
    )


def _canonical(agent: str | Agent, allow_cheats: bool) -> str:
    player = agent if isinstance(agent, Agent) else make_agent(agent)
    if (player.cheats or player.spec.startswith(CHEAT)) and not allow_cheats:
        raise TournamentError(
            f"{player.spec} sees what is hidden from the others, and ratings would count it as skill: "
            "allow_cheats (--allow-cheats) lets it play all the same"
        )
    return player.spec


def _may_name_files(game: Game) -> bool:
    """Whether a parameter may name a data file: one that takes any text, and has not its default, which comes with the game."""
    specs = game.parameter_specs
    return any(
        isinstance(value, str) and not specs[name].choices and value != specs[name].default
        for name, value in game.parameters.items()
    )


def _whole(name: str, value: object, low: int, high: int) -> int:
    if not is_whole(value) or not low <= value <= high:
        raise ParameterError(f"{name}: {quoted(value)} is not a whole number from {low} to {high}")
    return int(value)
