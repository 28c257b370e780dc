"""Expectiminimax: the expected return of a player who chooses the best action, in games with chance and without.

`Expectimax` deepens the kernel of `gamelab.search.star` iteratively until the budget is used up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels
from gamelab.core.bits import mix
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.numbers import is_whole
from gamelab.core.rules import NO_ACTION
from gamelab.search.chance import DEFAULT_SAMPLES, checked_samples
from gamelab.search.forward_pruning import checked_width
from gamelab.search.star import CONTROL, ENTRY, Workspace, expectimax

__all__ = ["DEFAULT_SAMPLES", "MAX_DEPTH", "Expectation", "Expectimax"]

MAX_DEPTH = 100
# Actions and chance outcomes in one line; a longer one is judged where it stands.
MAX_PLIES = 400


@dataclass(frozen=True)
class Expectation:
    """What a search found.

    Attributes
    ----------
    action : int
    value : float
        Expected return of the player to act.
    depth : int
        Actions deep in the last finished iteration.
    nodes : int
        States reached, all iterations together.
    """

    action: int
    value: float
    depth: int
    nodes: int


class Expectimax:
    """Iterative deepening over `expectimax`, with its memory.

    Parameters
    ----------
    game : Game
        What is hidden in it is open to the search.
    table_bytes : int
        At most so many for the transposition table; too few for a pair of entries: no table.
    star : {0, 1, 2}
        Pruning at chance nodes: none, Star1, Star2.
    samples : int, optional
        At a chance node with more outcomes than that, draw so many instead. Not given: all are listed; where that is
        impossible, `DEFAULT_SAMPLES` are drawn. With draws there is no probing, for two draws are not the same.
    bounds : (float, float), optional
        For a lone player: no score is lower or higher. Not given, chance nodes are not pruned.
    width : int, optional
        Each player, at each node, has only so many actions, those with the highest `rules.action_prior`; see
        `gamelab.search.forward_pruning`. Not given: all.

    Raises
    ------
    AgentError
        If the game has hidden information.
    ParameterError
        For a star, samples, bounds or width that make no sense.
    """

    def __init__(
        self,
        game: Game,
        table_bytes: int,
        *,
        star: int = 2,
        samples: int | None = None,
        bounds: tuple[float, float] | None = None,
        width: int | None = None,
    ) -> None:
        if not is_whole(star) or not 0 <= star <= 2:
            raise ParameterError(f"star: {quoted(star)} is not 0, 1 or 2")
        if bounds is not None and not bounds[0] < bounds[1]:
            raise ParameterError(f"bounds: {quoted(bounds)} leave no room")
        self.game = game
        self._samples, self._width = checked_samples(samples, game), checked_width(width, game)
        self._bounds = (-1.0, 1.0) if game.num_players > 1 else bounds or (-np.inf, np.inf)
        self._star = 0 if np.isinf(self._bounds).any() else min(star, 1) if self._samples else star
        self._listed = game.chance_mode != "sampled"
        self._entries = 1 << (table_bytes // ENTRY.itemsize).bit_length() >> 1
        self.forget()

    def forget(self) -> None:
        """Begin as new: what was learned in earlier searches is gone."""
        game = self.game
        width = max(game.max_legal_actions, game.max_chance_outcomes, self._samples)
        self.workspace = Workspace(
            states=np.zeros(MAX_PLIES + 1, game.dtype),
            table=np.zeros(self._entries if self._entries > 1 else 0, ENTRY),
            actions=np.zeros((MAX_PLIES, width), np.int32),
            order=np.zeros((MAX_PLIES, width)),
            chances=np.zeros((MAX_PLIES, width)),
            low=np.zeros((MAX_PLIES, width)),
            high=np.zeros((MAX_PLIES, width)),
            sums=np.zeros((MAX_PLIES, 2)),
            history=np.zeros((game.num_players, game.num_distinct_actions)),
            values=np.zeros(game.num_players),
            control=np.zeros(1, CONTROL),
            stop=np.zeros(1, np.uint8),
        )

    def search(
        self, array: Array, *, depth: int, nodes: int, stop: NDArray[np.uint8], rng: np.random.Generator | int = 0
    ) -> Expectation:
        """Search a state in which a player is to act.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            The state; unchanged.
        depth : int
            Actions at most, 1 to `MAX_DEPTH`.
        nodes : int
            States at most; the first iteration is always finished.
        stop : ndarray of uint8, shape (1,)
            Another thread may set it; the first iteration is finished all the same.
        rng : numpy.random.Generator or int
            For draws at chance nodes, where there are any.

        Raises
        ------
        ParameterError
            If the depth is out of range.
        """
        if not is_whole(depth) or not 1 <= depth <= MAX_DEPTH:
            raise ParameterError(f"depth: {quoted(depth)} is not a whole number from 1 to {MAX_DEPTH}")
        rng = np.random.default_rng(rng)
        w = self._begin(array, int(kernels.current_player(array)))
        w.history[:] /= 8
        value = self._run(w, 1, rng)
        found = Expectation(int(w.control["action"][0]), value, 1, int(w.control["nodes"][0]))
        w = w._replace(stop=stop)
        w.control["node_limit"] = nodes
        while found.depth < depth:
            value = self._run(w, found.depth + 1, rng)
            stopped = bool(w.control["stopped"][0])
            # The best of the last iteration is looked at first, so whatever is better by now counts.
            action = int(w.control["action"][0])
            found = Expectation(
                found.action if action == NO_ACTION else action,
                found.value if stopped else value,
                found.depth + (not stopped),
                int(w.control["nodes"][0]),
            )
            if stopped:
                break
        return found

    def value(self, array: Array, player: int, depth: int, rng: np.random.Generator | int = 0) -> float:
        """The value of any state for a player, `depth` actions deep; at depth 0 and at the end without a search."""
        w = self._begin(array, player)
        return self._run(w, depth, np.random.default_rng(rng))

    def _begin(self, array: Array, hero: int) -> Workspace:
        """Make a state the root, with no limits."""
        w = self.workspace
        w.states[0] = array[0]
        control = w.control[0]
        control["nodes"] = 0
        control["node_limit"] = np.iinfo(np.int64).max
        control["hero"], control["tag"] = hero, mix(np.uint64(hero + 1))
        control["lowest"], control["highest"] = self._bounds
        control["star"], control["samples"], control["listed"] = self._star, self._samples, self._listed
        control["width"] = self._width
        return w

    def _run(self, w: Workspace, depth: int, rng: np.random.Generator) -> float:
        w.control["stopped"], w.control["action"] = 0, NO_ACTION
        low, high = self._bounds
        return float(expectimax(w, rng, np.int64(0), np.int64(depth), float(low), float(high), np.int64(0)))
