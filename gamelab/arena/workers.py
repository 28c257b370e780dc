"""What plays the games of a tournament in one process: its agents, kept from game to game, and the game, made once."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from multiprocessing import get_context
from typing import Any

from gamelab.agents import make_agent, warm_up
from gamelab.agents.simple import Random
from gamelab.arena.match import GameRecord, play_game
from gamelab.arena.schedule import Pairing
from gamelab.core.errors import TournamentError
from gamelab.core.game import Game

__all__ = ["Players", "SharedGame", "play_in_worker", "process_pool", "quiet_fork"]


class Players:
    """The agents of a tournament, warmed up, as one process keeps them.

    Of each there are as many as can sit at a table at once: what one seat learned or remembers is not for another.
    """

    def __init__(self, game: Game, specs: Sequence[str]) -> None:
        self.game = game
        copies = max(1, game.num_players - len(specs) + 1)
        self.agents = {spec: [make_agent(spec) for _ in range(copies)] for spec in specs}
        for agent in chain.from_iterable(self.agents.values()):
            warm_up(agent, game)
        # The match itself calls compiled rules too, while an agent's clock runs.
        seats = (Random.name,) * game.num_players
        play_game(game, [Random()] * game.num_players, Pairing(0, 0, seats, seats), seed=0, opening_plies=1)

    def play(self, pairing: Pairing, *, seed: int, opening_plies: int, move_limit: float | None) -> GameRecord:
        places = [pairing.seats[:seat].count(spec) for seat, spec in enumerate(pairing.seats)]
        record = play_game(
            self.game, [self.agents[spec][place] for spec, place in zip(pairing.seats, places, strict=True)], pairing,
            seed=seed, opening_plies=opening_plies, move_limit=move_limit,
        )  # fmt: skip
        if record.forfeit is not None:
            # It may still be thinking in a thread of its own.
            spec = pairing.seats[record.forfeit]
            self.agents[spec][places[record.forfeit]] = make_agent(spec)
        return record


class SharedGame:
    """A game for workers. A process that gets it makes the game once, and sees that it is the same game there."""

    def __init__(self, game: Game | None, pickled: bytes = b"", fingerprint: str = "") -> None:
        self._game, self._pickled, self._fingerprint = game, pickled, fingerprint

    def __reduce__(self) -> tuple[Any, ...]:
        if not self._pickled:
            assert self._game
            self._pickled, self._fingerprint = pickle.dumps(self._game), self._game.rules_fingerprint()
        return SharedGame, (None, self._pickled, self._fingerprint)

    def game(self) -> Game:
        return self._game or _made(self._pickled, self._fingerprint)


@lru_cache(maxsize=4)
def _made(pickled: bytes, fingerprint: str) -> Game:
    game: Game = pickle.loads(pickled)
    if game.rules_fingerprint() != fingerprint:
        raise TournamentError(f"{game!r}: a worker finds other rules: a data file has changed since the tournament was set up")
    return game


class _Here(threading.local):
    """The players of this thread of this process: agents are no good to two threads at once."""

    key: tuple[Game, tuple[str, ...]] | None = None
    players: Players


_here = _Here()


def play_in_worker(shared: SharedGame, specs: tuple[str, ...], pairing: Pairing, limits: dict[str, Any]) -> GameRecord:
    """Play one game in a worker; its agents are made at the first one."""
    game = shared.game()
    if _here.key != (game, specs):
        _here.players, _here.key = Players(game, specs), (game, specs)
    return _here.players.play(pairing, **limits)


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Worker processes. Forked where that is safe, so that they start with everything compiled and loaded."""
    method = "fork" if sys.platform == "linux" else "spawn"
    return ProcessPoolExecutor(workers, mp_context=get_context(method), initializer=_leave_interrupts_to_parent)


def _leave_interrupts_to_parent() -> None:
    """A terminal's Ctrl-C reaches all processes; a worker that dies of it while it holds a queue's lock hangs the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def quiet_fork() -> Iterator[None]:
    """Python warns of forking beside threads; ours are idle ones of the linear algebra library, which handles it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
        yield
