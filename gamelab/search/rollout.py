"""Rollouts: each action is judged by games that a simple policy plays on from there.

A policy that is right more often than not, followed after one action of one's own choice, makes a better policy than it is
itself: choosing the action whose games end best is one step of policy iteration. Nothing is built up but a mean for each
action, so opponents and chance may branch as they like; where trees grow too broad to become deep, that is what is left.

All actions are compared on the same luck: the i-th game of each begins with the same random numbers, so that chance, and in
games with hidden information the world that is sampled, are alike as far as the actions let them be, and differences of means
have less noise than the means (common random numbers). The better half of the actions is kept, with all that was played so
far, and gets as many games again as the whole had, until two are left and compared (sequential halving).

In games with hidden information each game is played in a world of its own, sampled for the player who searches. The policy sees
all of that world, for everybody; so what is to be known later is overrated, as in perfect information Monte Carlo.

Sources: G. Tesauro, G. Galperin, "On-line policy improvement using Monte-Carlo search" (1996); D. Bertsekas, J. Tsitsiklis,
C. Wu, "Rollout algorithms for combinatorial optimization" (1997); Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration
in multi-armed bandits" (2013), for sequential halving.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels, rules
from gamelab.core._jit import njit_lean
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.search.compilation import compiling_rules
from gamelab.search.forward_pruning import actions_within, checked_width
from gamelab.search.playout import POLICIES, policy_action

__all__ = ["Comparison", "Rollouts", "sequential_halving"]

MOST_GAMES = int(np.iinfo(np.int64).max)


class Room(NamedTuple):
    """What a game played on needs; made once."""

    states: NDArray[np.void]  # (3,) the root, never changed; the state on the way; one to try actions on
    actions: NDArray[np.int32]  # (max_legal_actions,)
    values: NDArray[np.float64]  # (num_players,) the returns of one game
    promises: NDArray[np.float64]  # (max_legal_actions,) how good actions look
    belief: NDArray[np.float64]  # (belief_size,) written by `rules.prepare_belief`


@njit_lean
def play_on(room, player, action, policy, cutoff, rng):  # type: ignore[no-untyped-def]
    """The return for the player of one game from the root, the first action given.

    Parameters
    ----------
    room : Room
        With the root in `states[0]`, and the belief there.
    player : int
        Who is to act at the root.
    action : int
    policy : int
        One of `POLICIES`.
    cutoff : int
        Plies after which the game is cut off and evaluated; -1: never.
    rng : numpy.random.Generator
    """
    room.states[1] = room.states[0]
    state = room.states[1]
    rules.resample_given(state, player, room.belief, rng)
    rules.apply_action(state, action)
    plies = 0
    actor = np.int64(rules.current_player(state))
    while actor != TERMINAL and plies != cutoff:
        if actor == CHANCE:
            rules.apply_action(state, rules.sample_chance(state, rng))
        else:
            move = policy_action(state, policy, room.states, room.actions, room.values, room.promises, rng)
            rules.apply_action(state, move)
            plies += 1
        actor = np.int64(rules.current_player(state))
    if actor == TERMINAL:
        rules.returns(state, room.values)
    else:
        rules.evaluate(state, room.values)
    return room.values[player]


@dataclass(frozen=True)
class Comparison:
    """What was found out about the actions.

    Attributes
    ----------
    actions : ndarray of int32
        Ascending.
    games : ndarray of int64
        Played for each, at least one.
    values : ndarray of float64
        Mean returns of the player to act.
    """

    actions: NDArray[np.int32]
    games: NDArray[np.int64]
    values: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The index of the action to play: of those with most games the one with the highest mean, the first of several."""
        return int(np.argmax(np.where(self.games == self.games.max(), self.values, -np.inf)))


def sequential_halving(
    play: Callable[[NDArray[np.intp]], None],
    sums: NDArray[np.float64],
    stop: NDArray[np.uint8],
    *,
    games: int | None = None,
    seconds: float | None = None,
) -> None:
    """Find the best of several arms: in each round all that are left are played equally often, then the worse half is dropped.

    Parameters
    ----------
    play : callable
        Called with the indices of arms, adds one result for each of them to `sums`.
    sums : ndarray of float64, shape (arms,)
        Of results so far; the higher, the better.
    stop : ndarray of uint8, shape (1,)
        Another thread may set it.
    games, seconds : int, float, optional
        As in `Rollouts.compare`.
    """
    left = np.arange(len(sums))
    rounds = max(1, math.ceil(math.log2(len(sums))))
    started = time.monotonic()
    for number in range(1, rounds + 1):
        share = MOST_GAMES if games is None else games // (rounds * len(left))
        until = math.inf if seconds is None else started + seconds * number / rounds
        play(left)
        done = 1
        while done < share and not stop[0] and time.monotonic() < until:
            play(left)
            done += 1
        if stop[0]:
            return
        left = np.sort(left[np.argsort(-sums[left], kind="stable")[: (len(left) + 1) // 2]])


class Rollouts:
    """Compares the actions of a state by games that a policy plays on.

    Parameters
    ----------
    game : Game
    policy : {"evaluation", "prior", "random"}
        Who plays on, for all players: whoever takes what the game's evaluation likes best after the action, or what
        `rules.action_prior` likes best, or anything.
    cutoff : int, optional
        Games are cut off after so many plies and evaluated; not given, they are played to the end.
    width : int, optional
        Only so many actions are compared, those with the highest priors, of alike ones the lowest; not given, all.

    Raises
    ------
    ParameterError
        For an unknown policy, or a width that makes no sense.
    """

    def __init__(self, game: Game, policy: str = "evaluation", *, cutoff: int | None = None, width: int | None = None) -> None:
        if policy not in POLICIES:
            raise ParameterError(f"policy: {quoted(policy)} is not one of {', '.join(POLICIES)}")
        self.game, self._policy = game, POLICIES[policy]
        self._width = None if width is None else checked_width(width, game)
        self._cutoff = -1 if cutoff is None else cutoff
        self._room = Room(
            np.zeros(3, game.dtype),
            game.action_buffer(),
            np.zeros(game.num_players),
            np.zeros(game.max_legal_actions),
            np.zeros(game.belief_size),
        )

    def compare(
        self,
        array: Array,
        rng: np.random.Generator,
        stop: NDArray[np.uint8],
        *,
        games: int | None = None,
        seconds: float | None = None,
    ) -> Comparison:
        """Play the actions of a state against each other.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            The state; unchanged. Of what is hidden from the player to act nothing is used.
        rng : numpy.random.Generator
            Gives the seed of each piece of luck.
        stop : ndarray of uint8, shape (1,)
            Another thread may set it; one game for each action is played all the same.
        games, seconds : int, float, optional
            Games in all, and time; each round gets the same share. At least one game for each action is played, and in every
            round one for each that is left.

        Raises
        ------
        ParameterError
            If no player is to act.
        AgentError
            If the game's rules cannot be compiled into a search.
        """
        player = int(kernels.current_player(array))
        if player < 0:
            raise ParameterError("actions are compared in a state in which a player is to act")
        self._room.states[0] = array[0]
        kernels.prepare_belief(array, player, self._room.belief)
        actions = self._candidates(array, player, rng)
        played, sums = np.zeros(len(actions), np.int64), np.zeros(len(actions))
        luck = np.random.Generator(np.random.PCG64(0))

        def play(alive: NDArray[np.intp]) -> None:
            luck.bit_generator.state = np.random.PCG64(int(rng.integers(MOST_GAMES))).state
            begin = luck.bit_generator.state
            for i in alive:
                luck.bit_generator.state = begin
                sums[i] += play_on(self._room, player, int(actions[i]), self._policy, self._cutoff, luck)
                played[i] += 1

        with compiling_rules(self.game):
            sequential_halving(play, sums, stop, games=games, seconds=seconds)
        return Comparison(actions, played, sums / played)

    def _candidates(self, array: Array, player: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """The actions to be compared, ascending."""
        if self._width is None:
            actions = self.game.action_buffer()
            return actions[: kernels.legal_actions(array, actions)].copy()
        # Priors may tell of what is hidden, so those of the true state must not choose.
        world = array.copy()
        kernels.resample_given(world, player, self._room.belief, rng)
        return np.array(actions_within(self.game, world, self._width), np.int32)
