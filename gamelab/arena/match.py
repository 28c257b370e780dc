"""One game between agents, played to its end whatever they do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from gamelab.agents import Agent, view_for
from gamelab.arena.schedule import Pairing
from gamelab.core.errors import IllegalActionError, cut
from gamelab.core.game import Game
from gamelab.core.seeds import stream
from gamelab.core.state import State

__all__ = ["GameRecord", "play_game"]

FORFEIT = "forfeit"
LONGEST_REASON = 1000  # characters of an agent's own message
# How long an agent that overran its limit is given to let go before its thread is left behind.
GRACE_SECONDS = 1.0


@dataclass(frozen=True)
class GameRecord:
    """A game that was played.

    Attributes
    ----------
    pairing : Pairing
    moves : tuple of str
        All actions in the game's notation, the opening's and chance's included.
    opening : int
        How many of them were the random opening.
    returns : tuple of float
        For each seat; a forfeit is a loss for the one, and the others share the win. Alone it is 0, which is no score.
    ending : str
        How it ended, such as "network" or "forfeit: mcts raised ...".
    forfeit : int or None
        The seat that forfeited.
    movers, seconds, nodes : tuple
        For each move that an agent chose, in order: its seat, its time and the nodes it looked at.
    scores : tuple of float or None
        What each seat scored, the more the better. None where the game has no scores, or was forfeited, or was kept by a
        version that did not know of them.
    starter : int or None
        The seat that acted first. None if nobody did, or if the game was kept by a version that did not write it down.
    """

    pairing: Pairing
    moves: tuple[str, ...]
    opening: int
    returns: tuple[float, ...]
    ending: str
    forfeit: int | None
    movers: tuple[int, ...]
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    starter: int | None = None

    @property
    def plies(self) -> int:
        """Length of the game in actions."""
        return len(self.moves)


class Forfeit(Exception):
    """Why an agent lost a game without its rules saying so."""


def play_game(
    game: Game,
    agents: Sequence[Agent],
    pairing: Pairing,
    *,
    seed: int,
    opening_plies: int = 0,
    move_limit: float | None = None,
) -> GameRecord:
    """Play one game.

    The opening and chance draw from streams that the games of a block share; each seat's agent has a stream of its own. An
    agent that raises, plays an illegal action or takes longer than `move_limit` seconds for a move forfeits. With hidden
    information an agent is handed a state resampled for it, never the true one, unless its spec in the pairing begins with
    ``cheat:``.

    Parameters
    ----------
    game : Game
    agents : sequence of Agent
        In the order of the seats. Made to forget earlier games.
    pairing : Pairing
    seed : int
        The tournament's.
    opening_plies : int
        Uniformly random actions before the agents begin; fewer if the game would end.
    move_limit : float, optional
        Hard limit in seconds.
    """
    key = (game.name, *sorted(game.parameters.items()), pairing.opponents, pairing.round)
    chance = stream(seed, "chance", *key)
    streams = [stream(seed, "agent", *key, seat, pairing.seats) for seat in range(game.num_players)]
    state = game.new_initial_state()
    moves = _play_opening(state, opening_plies, stream(seed, "opening", *key), chance)
    opening = len(moves)
    log = _MoveLog([], [], [])

    def forfeited(seat: int, reason: Forfeit) -> GameRecord:
        others = game.num_players - 1
        lost = tuple(-1.0 if other == seat else 1.0 / others for other in range(game.num_players)) if others else (0.0,)
        ending = f"{FORFEIT}: {reason}"
        return GameRecord(pairing, tuple(moves), opening, lost, ending, seat, *log.columns(), None, _starter(state))

    for seat, agent in enumerate(agents):
        try:
            with _as_forfeit(agent):
                agent.new_game()
        except Forfeit as reason:
            return forfeited(seat, reason)
    while not state.is_terminal():
        if state.is_chance_node():
            action = state.sample_chance(chance)
        else:
            seat = state.current_player()
            try:
                with log.timed(seat, agents[seat]):
                    action = _ask(agents[seat], pairing.seats[seat], state, streams[seat], move_limit)
            except Forfeit as reason:
                return forfeited(seat, reason)
        moves.append(state.action_to_string(action))
        state.apply_action(action)
    ending, returns = game.describe_end(state.array[0]), tuple(state.returns())
    return GameRecord(pairing, tuple(moves), opening, returns, ending, None, *log.columns(), state.scores(), _starter(state))


def _starter(state: State) -> int | None:
    """The player who acted first, or would have; None if chance has not done yet what comes before."""
    past = state.before(len(state.history()))
    for action in state.history():
        if not past.is_chance_node():
            break
        past.apply_action(action)
    player = past.current_player()
    return player if player >= 0 else None


@dataclass(frozen=True)
class _MoveLog:
    """Who chose each move, how long it took, and how much was looked at."""

    movers: list[int]
    seconds: list[float]
    nodes: list[int]

    @contextmanager
    def timed(self, seat: int, agent: Agent) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.movers.append(seat)
            self.seconds.append(time.perf_counter() - started)
            self.nodes.append(int(agent.last_nodes))

    def columns(self) -> tuple[tuple[int, ...], tuple[float, ...], tuple[int, ...]]:
        return tuple(self.movers), tuple(self.seconds), tuple(self.nodes)


def _play_opening(state: State, plies: int, rng: np.random.Generator, chance: np.random.Generator) -> list[str]:
    """Play random actions, but none that ends the game; the moves played."""
    moves: list[str] = []
    while plies > 0:
        at_chance = state.is_chance_node()
        action = state.sample_chance(chance) if at_chance else int(rng.choice(state.legal_actions()))
        if state.child(action).is_terminal():
            break
        moves.append(state.action_to_string(action))
        state.apply_action(action)
        plies -= 0 if at_chance else 1
    return moves


def _ask(agent: Agent, spec: str, state: State, rng: np.random.Generator, move_limit: float | None) -> int:
    """The agent's action, if it comes in time and is legal; Forfeit otherwise."""
    seat = state.current_player()
    view = view_for(spec, state, seat, rng)
    with _as_forfeit(agent):
        action = agent.choose(view, rng) if move_limit is None else _within(agent, view, rng, move_limit)
    try:
        state.child(action)
    except (IllegalActionError, ValueError) as error:
        raise Forfeit(f"{agent} played an illegal move: {_told(error, name=False)}") from error
    return int(action)


@contextmanager
def _as_forfeit(agent: Agent) -> Iterator[None]:
    """An agent may fail in any way, sys.exit included, and the tournament goes on."""
    try:
        yield
    except (Forfeit, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Forfeit(f"{agent} raised {_told(error)}") from error


def _told(error: BaseException, *, name: bool = True) -> str:
    """An error in one line, whatever its message."""
    kind = type(error).__name__
    try:
        message = cut(" ".join(str(error).split()), LONGEST_REASON)
    except Exception:
        message = "(an error whose message cannot be printed)"
    return f"{kind}: {message}" if name else message


def _within(agent: Agent, view: State, rng: np.random.Generator, move_limit: float) -> int:
    """As `agent.choose`, but Forfeit when the limit has passed. A thread that does not let go is left behind."""
    outcome: list[int | BaseException] = []

    def think() -> None:
        try:
            outcome.append(agent.choose(view, rng))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=think, daemon=True, name=f"gamelab {agent}")
    thread.start()
    thread.join(min(move_limit, threading.TIMEOUT_MAX))
    if thread.is_alive():
        agent.stop()
        thread.join(GRACE_SECONDS)
        raise Forfeit(f"{agent} took longer than {move_limit:g} s for a move")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
