"""Information set Monte Carlo tree search: MCTS for hidden information, over `gamelab.search.information_simulation`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.search.compilation import compiling_rules
from gamelab.search.information_simulation import Worlds, search
from gamelab.search.information_tree import NONE, Trees, bytes_per_set, clear, make_trees
from gamelab.search.playout import POLICIES
from gamelab.search.simulation import MAX_DEPTH, Scratch, make_scratch
from gamelab.search.widening import DEFAULT_WIDTH, OFF, check_widening

__all__ = ["OBSERVERS", "ArmStatistics", "InformationSetSearch", "Options", "sets_within"]

OBSERVERS = ("single", "multiple")
ARMS_PER_SET_WIDENING = 2
MOST_ARMS_PER_SET = 256
MOST_INDICES = int(np.iinfo(np.int32).max)  # of arms, and of slots


@dataclass(frozen=True)
class Options:
    """What a search may do; the defaults are the plain algorithm with one observer.

    Attributes
    ----------
    observers : {"single", "multiple"}
        One tree, of the player who searches, or one for each.
    exploration : float
        Constant of the upper confidence bound; returns lie in [-1, 1].
    bias : float
        Weight of progressive bias: bias * `rules.action_prior` / (1 + visits) is added to the bound.
    widening : float or None
        Exponent of progressive widening, above 0 and at most 1: at an information set visited n times only the
        width * n^widening actions with the highest `rules.action_prior` can be chosen, of alike ones the lowest (see
        `gamelab.search.widening`). Where legal actions or priors differ from world to world there may be more: an action that
        was tried stays. None: all.
    width : int
        Actions that can be chosen at first, with widening.
    cutoff : int or None
        Playouts are cut off after so many plies and evaluated; None: they are played to the end.
    policy : {"random", "prior", "evaluation"}
        What the players go by in playouts; see `gamelab.search.playout.policy_action`.
    decisive : bool
        Playouts take a win where there is one.
    """

    observers: str = "single"
    exploration: float = 0.7
    bias: float = 0.0
    widening: float | None = None
    width: int = DEFAULT_WIDTH
    cutoff: int | None = None
    policy: str = "random"
    decisive: bool = False

    def __post_init__(self) -> None:
        if self.observers not in OBSERVERS:
            raise ParameterError(f"observers: {quoted(self.observers)} is not one of {', '.join(OBSERVERS)}")
        if self.policy not in POLICIES:
            raise ParameterError(f"policy: {quoted(self.policy)} is not one of {', '.join(POLICIES)}")
        check_widening(self.widening, self.width)


@dataclass(frozen=True)
class ArmStatistics:
    """What a search found out about the actions of one information set, ascending.

    Attributes
    ----------
    actions : ndarray of int32
    visits : ndarray of int64
    available : ndarray of int64
        Simulations that chose here in which the action could have been chosen; with widening, from the one that tried it first.
    values : ndarray of float64
        Mean return of the player who chose.
    """

    actions: NDArray[np.int32]
    visits: NDArray[np.int64]
    available: NDArray[np.int64]
    values: NDArray[np.float64]


class InformationSetSearch:
    """A search with its memory: the trees, grown anew from each root.

    Parameters
    ----------
    game : Game
    max_sets : int
        Information sets in all trees together, or fewer if their actions need the room;
        when it is used up, the trees grow no more.
    options : Options, optional

    Raises
    ------
    ParameterError
        If there is no room for the actions of the root.
    """

    def __init__(self, game: Game, max_sets: int, options: Options = Options()) -> None:
        self.trees: Trees = make_trees(max_sets, _arms_per_set(game, options))
        needed = game.max_legal_actions if options.widening is None else 1
        if len(self.trees.arms) < needed:
            raise ParameterError(f"memory: room for {len(self.trees.arms)} actions, {game.name} needs {needed} for the root")
        self.game, self.options = game, options
        self._scratch: Scratch = make_scratch(game)
        self._worlds = Worlds(
            np.zeros(game.belief_size),
            np.zeros(1, np.int64),
            np.full(1, options.observers == "multiple", np.uint8),
            np.zeros(game.num_players, np.uint64),
            np.zeros(MAX_DEPTH, np.int8),
            np.zeros(game.max_legal_actions, np.int32),
        )
        control = self._scratch.control
        control["exploration"], control["bias"] = options.exploration, options.bias
        control["widening"] = OFF if options.widening is None else options.widening
        control["width"] = options.width
        control["cutoff"] = -1 if options.cutoff is None else options.cutoff
        control["policy"] = POLICIES[options.policy]
        control["decisive"] = options.decisive

    def set_root(self, array: Array) -> None:
        """Begin anew from a state, of which only what the player to act knows is used.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            Unchanged.

        Raises
        ------
        ParameterError
            If no player is to act.
        """
        player = int(kernels.current_player(array))
        if player < 0:
            raise ParameterError("the root of a search is a state in which a player is to act")
        clear(self.trees)
        self._worlds.player[0] = player
        self._scratch.states[0] = array[0]
        self._scratch.control["simulations"] = 0
        kernels.prepare_belief(array, player, self._worlds.belief)

    def run(self, simulations: int, rng: np.random.Generator, stop: NDArray[np.uint8]) -> int:
        """Search on, until `simulations` are done since the root was set; return how many are.

        Raises
        ------
        AgentError
            If the game's rules cannot be compiled into a search.
        """
        with compiling_rules(self.game):
            search(self.trees, self._worlds, self._scratch, simulations, stop, rng)
        return int(self._scratch.control["simulations"][0])

    @property
    def num_sets(self) -> int:
        """Information sets in all trees together."""
        return int(self.trees.used[0])

    def statistics(self, index: int = 0) -> ArmStatistics:
        """What was found out about the actions tried in an information set: the first that was made is the root."""
        indices: list[int] = []
        visits, arm = 0, NONE
        if index < self.num_sets:
            node = self.trees.sets[self.trees.slots[index]]
            visits, arm = int(node["visits"]), int(node["first_arm"])
        while arm != NONE:
            indices.append(arm)
            arm = int(self.trees.arms[arm]["next"])
        arms = self.trees.arms[indices]
        arms = arms[arms["visits"] > 0]
        return ArmStatistics(
            arms["action"].copy(),
            arms["visits"].astype(np.int64),
            visits - arms["missed"].astype(np.int64),
            arms["value_sum"] / arms["visits"],
        )


def sets_within(game: Game, memory: int, options: Options = Options()) -> int:
    """The number of information sets for which so many bytes are enough."""
    arms = _arms_per_set(game, options)
    return min(memory // bytes_per_set(arms), MOST_INDICES // max(arms, 2))


def _arms_per_set(game: Game, options: Options) -> int:
    """Room for the actions of an information set on average: a guess, that most have half as many as there can be.

    Where there can be thousands that is far too many. With widening an action has room when it is tried, and a simulation tries
    one and comes to one new set at most.
    """
    return min(game.max_legal_actions // 2 + 1, MOST_ARMS_PER_SET) if options.widening is None else ARMS_PER_SET_WIDENING
