"""Other libraries at the same work, where they are installed: OpenSpiel's MCTS in C++, and random games of pgx.

Both are optional: nothing else of this package needs them, and a `PeerError` says how to install what is missing.

Sources: M. Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games" (2019); S. Koyamada et al., "Pgx:
hardware-accelerated parallel game simulators for reinforcement learning" (2023).
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gamelab.analysis.bench import REPETITIONS, Figure
from gamelab.core.errors import GamelabError
from gamelab.core.game import Game
from gamelab.search.mcts import Options, Tree

__all__ = ["EXPLORATION", "OpenSpielSearch", "PeerError", "PgxGames", "compare_with_openspiel", "uct"]

EXPLORATION = 0.7
TREE_NODES = 4_000_000
TRIAL_SIMULATIONS = 1000
MOST_SIMULATIONS = 500_000
UNLIMITED_MEMORY = 0


class Peer(NamedTuple):
    """What the peers call a game, and whether searches may back up proven values: a game solved at once has no rate."""

    name: str
    solver: bool


PEERS = {"connectfour": Peer("connect_four", True), "tictactoe": Peer("tic_tac_toe", False)}


class PeerError(GamelabError, ImportError):
    """A peer that is not installed, or that does not play the game."""


def uct(game: Game, solver: bool, max_nodes: int = TREE_NODES) -> Tree:
    """The search that the peers do too: UCT with uniformly random playouts, by this package."""
    return Tree(game, max_nodes, Options(exploration=EXPLORATION, solver=solver))


class OpenSpielSearch:
    """UCT from the start of a game by OpenSpiel's MCTSBot, with one uniformly random playout a simulation.

    The algorithm is the same as this package's: children are made when a node is visited for the second time, visited first in
    random order, then chosen by mean value + c * sqrt(log(parent's visits) / visits).

    Parameters
    ----------
    game : Game
        Connect Four or tic-tac-toe, with default parameters.
    simulations : int
        For each search.
    solver : bool
        Whether proven values are backed up.
    seed : int

    Raises
    ------
    PeerError
        If OpenSpiel is not installed or does not play the game.
    """

    def __init__(self, game: Game, simulations: int, *, solver: bool, seed: int = 1) -> None:
        pyspiel = _import("pyspiel", "OpenSpiel is not installed: pip install open_spiel")
        peer = pyspiel.load_game(_peer(game, "OpenSpiel").name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        self._start = peer.new_initial_state()
        self._bot = pyspiel.MCTSBot(peer, evaluator, EXPLORATION, simulations, UNLIMITED_MEMORY, solver, seed, False)

    def run(self) -> Any:
        """Search with a fresh tree; return its root (`explore_count`, `total_reward`, `children`, each with its `action`)."""
        return self._bot.mcts_search(self._start)


class PgxGames:
    """Uniformly random games by pgx, many at once, in one compiled loop of jax.

    A finished game is replaced by a new one with one select, which is faster than pgx's own `auto_reset`: every step of every
    game in the batch is a ply played.

    Parameters
    ----------
    game : Game
        Connect Four or tic-tac-toe, with default parameters.
    batch : int
        Games at once.
    steps : int
        Plies of each in one run.
    seed : int

    Attributes
    ----------
    plies : int
        Played in one run.
    compile_seconds : float
        What the first run took.

    Raises
    ------
    PeerError
        If pgx is not installed or does not play the game.
    """

    def __init__(self, game: Game, batch: int, steps: int, seed: int = 1) -> None:
        jax, pgx = (_import(module, "pgx is not installed: pip install pgx") for module in ("jax", "pgx"))
        env = pgx.make(_peer(game, "pgx").name)
        self._key, start_key = jax.random.split(jax.random.PRNGKey(seed))
        self._states = jax.vmap(env.init)(jax.random.split(start_key, batch))
        self._loop = jax.jit(_random_plies(jax, env, batch, steps))
        self.plies = batch * steps
        started = time.perf_counter()
        self.run()
        self.compile_seconds = time.perf_counter() - started

    def run(self) -> int:
        """Play on; return how many games were finished."""
        self._states, self._key, finished = self._loop(self._states, self._key)
        return int(finished)  # waits for the result


def _random_plies(jax: Any, env: Any, batch: int, steps: int) -> Callable[[Any, Any], Any]:
    """A function that plays `steps` random plies of each game in a batch: states and key in, both and the games ended out."""
    jnp = jax.numpy
    step = jax.vmap(env.step)
    fresh = env.init(jax.random.PRNGKey(0))

    def choose(key: Any, legal: Any) -> Any:
        count = jnp.cumsum(legal, axis=-1)
        nth = (jax.random.uniform(key, (batch,)) * count[:, -1]).astype(jnp.int32)
        return jnp.argmax(count > nth[:, None], axis=-1)

    def restart(over: Any, new: Any, played: Any) -> Any:
        return jnp.where(over.reshape((-1,) + (1,) * (played.ndim - 1)), new, played)

    def ply(carry: Any, _: None) -> Any:
        states, key, finished = carry
        key, draw = jax.random.split(key)
        states = step(states, choose(draw, states.legal_action_mask))
        over = states.terminated
        states = jax.tree.map(lambda new, played: restart(over, new, played), fresh, states)
        return (states, key, finished + over.sum()), None

    def play(states: Any, key: Any) -> Any:
        return jax.lax.scan(ply, (states, key, jnp.int32(0)), None, length=steps)[0]

    return play


def compare_with_openspiel(game: Game, seconds: float = 1.0, seed: int = 1) -> list[Figure]:
    """Searches from the start by OpenSpiel and by this package, in turn, with the same number of simulations.

    Parameters
    ----------
    game : Game
    seconds : float
        About so long for each of OpenSpiel's searches.
    seed : int

    Returns
    -------
    list of Figure
        OpenSpiel's simulations a second, and this package's rate as a multiple of OpenSpiel's.

    Raises
    ------
    PeerError
        If OpenSpiel is not installed or does not play the game.
    """
    solver = _peer(game, "OpenSpiel").solver
    tree, rng, never = uct(game, solver), np.random.default_rng(seed), np.zeros(1, np.uint8)

    def search(simulations: int) -> None:
        tree.set_root(game.initial_array())
        tree.run(simulations, rng, never)

    trial = OpenSpielSearch(game, TRIAL_SIMULATIONS, solver=solver, seed=seed)
    compile_seconds = _seconds(lambda: search(TRIAL_SIMULATIONS))
    simulations = int(min(max(seconds / _seconds(trial.run), 1) * TRIAL_SIMULATIONS, MOST_SIMULATIONS))
    theirs = OpenSpielSearch(game, simulations, solver=solver, seed=seed)
    pairs = [(_seconds(theirs.run), _seconds(lambda: search(simulations))) for _ in range(REPETITIONS)]
    rates, ratios = [simulations / a for a, _ in pairs], [a / b for a, b in pairs]
    return [
        Figure(name, unit, statistics.median(values), min(values), max(values), compiling)
        for name, unit, values, compiling in (
            ("OpenSpiel's MCTSBot from the start", "simulations/s", rates, 0.0),
            ("MCTS, same simulations", "times OpenSpiel's", ratios, compile_seconds),
        )
    ]


def _seconds(work: Callable[[], object]) -> float:
    """Seconds that a call takes; what it returns is freed after the clock has stopped."""
    started = time.perf_counter()
    kept = work()
    elapsed = time.perf_counter() - started
    del kept
    return elapsed


def _peer(game: Game, library: str) -> Peer:
    standard = all(game.parameters[name] == spec.default for name, spec in game.parameter_specs.items())
    if game.name not in PEERS or not standard:
        raise PeerError(f"{library} is compared on {', '.join(PEERS)} with default parameters, not on {game!r}")
    return PEERS[game.name]


def _import(module: str, advice: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise PeerError(advice) from None
