"""A player's belief about the other's hand as a dictionary, with a model of the opponent if there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core.errors import ParameterError, quoted
from gamelab.core.numbers import is_whole
from gamelab.core.state import State
from gamelab.games.hacktrick import rules
from gamelab.games.hacktrick.cards import FIRST_HAND, HANDS, NUMBERS, unpack
from gamelab.games.hacktrick.filtering import BELIEF_SIZE, SIZE, WEIGHTS, forward, start, step
from gamelab.games.hacktrick.rules import actor_of, code_of
from gamelab.games.hacktrick.text import action_of, action_to_string

__all__ = ["Hand", "Likelihood", "belief", "belief_of_record", "describe"]

Hand = tuple[int, ...]
Likelihood = Callable[[Hand, str], float]
MOST_SHOWN = 20


def belief(state: State, player: int, *, likelihood: Likelihood | None = None) -> dict[Hand, float]:
    """The exact distribution of the other player's hand, given all that `player` knows.

    All orders of the deck are equally likely, and nothing is assumed about how the opponent chooses: a play weighs 1 for every
    hand that holds the card. See `gamelab.games.hacktrick.filtering` for the method.

    Parameters
    ----------
    state : State
    player : int
        Who believes, 0 or 1.
    likelihood : callable, optional
        A model of the opponent: called with a hand (sorted numbers) and what the opponent chose with it in the notation of
        actions, such as "play 3 giant", "draw" or "hack"; returns a weight from 0 on, say the probability that the
        opponent would so choose. It is asked at each choice of the opponent that the hand may bear on: opening, spying,
        playing, drawing, calling or not; the hand is the one before the action.

    Returns
    -------
    dict of tuple of int to float
        Hands, sorted numbers each, with their probabilities; impossible hands are left out.

    Raises
    ------
    ParameterError
        If there is no such player, or the likelihood leaves no hand possible.

    Examples
    --------
    >>> import gamelab
    >>> state = gamelab.load("hacktrick").state_from_text("starter 0 cards 0 1  2 3 5 5  0 0 1")
    >>> len(belief(state, 0)), len(belief(state, 1))
    (46, 51)
    """
    if not is_whole(player) or player not in (0, 1):
        raise ParameterError(f"hacktrick has players 0 and 1, not {quoted(player)}")
    return belief_of_record(state.array[0], player, likelihood=likelihood)


def belief_of_record(state: Any, player: int, *, likelihood: Likelihood | None = None) -> dict[Hand, float]:
    """As `belief`, of a record of `rules.DTYPE`."""
    values = np.zeros(BELIEF_SIZE)
    if likelihood is None:
        forward(state, np.int64(player), values)
    else:
        start(state, np.int64(player), values)
        for i in range(rules.DEALT, int(state["length"])):
            if actor_of(state["record"][i]) != player and code_of(state["record"][i]) >= rules.OPEN:
                _weigh(values, likelihood, action_to_string(action_of(state["record"][i])))
            step(state, np.int64(player), values, np.int64(i))
    weights, hands = _of_the_size(values)
    total = float(weights.sum())
    if not total > 0:
        raise ParameterError("the likelihood leaves no hand possible")
    return {unpack(hand): float(weight) / total for hand, weight in zip(hands, weights, strict=True) if weight > 0}


def _of_the_size(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """The weights of hands of the current size, a live view, and those hands."""
    held = int(values[SIZE])
    hands = slice(int(FIRST_HAND[held]), int(FIRST_HAND[held + 1]))
    return values[WEIGHTS:][hands], HANDS[hands]


def _weigh(values: NDArray[np.float64], likelihood: Likelihood, choice: str) -> None:
    weights, hands = _of_the_size(values)
    for i in np.flatnonzero(weights):
        factor = float(likelihood(unpack(hands[i]), choice))
        if not 0 <= factor < np.inf:
            raise ParameterError(f"a likelihood is a number from 0 on, not {factor} (hand {unpack(hands[i])}, {choice})")
        weights[i] *= factor


def describe(hands: dict[Hand, float]) -> str:
    """A belief as a table: the likeliest hands, and of each number how likely the opponent holds one."""
    ranked = sorted(hands.items(), key=lambda item: (-item[1], item[0]))
    lines = [
        f"{100 * probability:6.2f} %  {' '.join(map(str, hand)) or 'no card'}" for hand, probability in ranked[:MOST_SHOWN]
    ]
    rest = ranked[MOST_SHOWN:]
    if rest:
        lines.append(f"{100 * sum(probability for _, probability in rest):6.2f} %  {len(rest)} other hands")
    holds = [sum(probability for hand, probability in ranked if number in hand) for number in range(NUMBERS)]
    lines.append("holds a   " + "".join(f"{number:>7}" for number in range(NUMBERS)))
    lines.append("          " + "".join(f"{100 * probability:5.0f} %" for probability in holds))
    return "\n".join(lines)
