"""Scores of a lone player on given luck: what agents make of it, and what a player could who knew all of it in advance.

How well an agent plays a game of luck alone shows best in comparison. All agents meet the same outcomes of chance, and their
scores are compared with that of a clairvoyant, who knows these from the start. Nobody can play like that, so the regret
against it never goes to zero: part of it is the worth of knowing, which no search makes up for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gamelab.agents import Agent, view_for
from gamelab.arena.statistics import Estimate, student_interval
from gamelab.core.errors import ParameterError
from gamelab.core.game import Game
from gamelab.core.seeds import stream
from gamelab.core.state import State
from gamelab.search.beam import Line, beam_search

__all__ = ["DEFAULT_WIDTH", "best_line", "best_score", "luck", "mean_score", "score"]

DEFAULT_WIDTH = 1000


def luck(game: Game, seed: int) -> list[int]:
    """All that chance brings in one game, each outcome drawn with its probability.

    For games in which the player's actions change neither what chance can bring nor when, else it is of no use to others.

    Parameters
    ----------
    game : Game
        With one player.
    seed : int
        At least 0.

    Returns
    -------
    list of int
        The outcomes in order.
    """
    rng, state = stream(seed, "luck", game.name), game.new_initial_state()
    outcomes = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes.append(state.sample_chance(rng))
            state.apply_action(outcomes[-1])
        else:
            state.apply_action(state.legal_actions()[0])
    return outcomes


def best_line(state: State, outcomes: Sequence[int], *, width: int = DEFAULT_WIDTH) -> Line:
    """The best line from a state, found by a beam search, for a player who knows what chance brings from here on.

    Parameters
    ----------
    state : State
        Of a game with one player.
    outcomes : sequence of int
        Of chance, in order.
    width : int
        States kept after each action. The more, the better the line, and the longer it takes, in proportion.

    Returns
    -------
    Line
        If it is not `exact`, there may be better ones.

    Raises
    ------
    ParameterError, IllegalActionError
        As `gamelab.search.beam.beam_search`.
    """
    return beam_search(state.game, state.array, outcomes, width=width)


def best_score(game: Game, outcomes: Sequence[int], *, width: int = DEFAULT_WIDTH) -> float:
    """The best return that is found for a player who knows all outcomes of chance; at most the optimum. See `best_line`.

    Examples
    --------
    >>> import gamelab
    >>> game = gamelab.load("kreuzquer", players=1)
    >>> best_score(game, luck(game, seed=1), width=1) <= best_score(game, luck(game, seed=1), width=30)
    True
    """
    return best_line(game.new_initial_state(), outcomes, width=width).value


def score(agent: Agent, game: Game, outcomes: Sequence[int], rng: np.random.Generator) -> float:
    """The return of an agent in one game in which chance brings these outcomes, of which it knows nothing.

    Parameters
    ----------
    agent : Agent
    game : Game
        With one player.
    outcomes : sequence of int
        Of chance, in order.
    rng : numpy.random.Generator
        The agent's.

    Raises
    ------
    ParameterError
        If the game has more players, or the outcomes are too few.
    IllegalActionError
        If an outcome is impossible when its turn comes, or the agent's choice is.
    """
    if game.num_players != 1:
        raise ParameterError(f"{game!r} has {game.num_players} players; a score is that of a lone one")
    agent.new_game()
    state, coming = game.new_initial_state(), iter(outcomes)
    while not state.is_terminal():
        if state.is_chance_node():
            action = next(coming, None)
            if action is None:
                raise ParameterError(f"{game.name}: {len(outcomes)} outcomes of chance are too few for a whole game")
        else:
            action = agent.choose(view_for(agent.spec, state, 0, rng), rng)
        state.apply_action(action)
    return state.returns()[0]


def mean_score(scores: Iterable[float], confidence: float = 0.95) -> Estimate:
    """The mean of independent scores with Student's interval for it.

    Raises
    ------
    ParameterError
        For fewer than two scores, or a confidence that is not between 0 and 1.

    Examples
    --------
    >>> mean_score([-3.0, -5.0, -4.0]).value
    -4.0
    """
    sample = np.array(list(scores), np.float64)
    if len(sample) < 2:
        raise ParameterError(f"{len(sample)} scores have no interval")
    return student_interval(sample, confidence)
