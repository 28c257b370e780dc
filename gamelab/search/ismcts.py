"""Information set Monte Carlo tree search: MCTS for hidden information, any number of players, chance included.

Each simulation plays in a world of its own, a determinization: what is hidden from the player who searches is drawn anew
(`rules.resample_given`). All worlds share one tree, whose nodes are not states but information sets, so an action is judged by
its average over all that the player cannot tell apart; searches that solve each world by itself act as if they could.

1. Determinize. 2. Select: where a player is to act, take the legal action with the best upper confidence bound; draw chance.
Which actions are legal may differ from world to world, so a bound counts the simulations in which the action was available
instead of those of its parent (subset-armed bandits). 3. Expand: where an action is legal that was never tried, try one.
4. Play out. 5. Back up: each action on the way counts the result of the player who chose it.

Observers
---------
single : one tree, of what the searching player knows (SO-ISMCTS). The others' actions are chosen by averages over all that the
    searching player does not know, as if they did not know their own secrets either.
multiple : a tree for each player, of what that one knows (MO-ISMCTS). Each chooses by what it knows. At the root the others are
    in an information set that differs from world to world.

With both, what the searching player alone knows is the same in all worlds, so the others learn to reply to it: they seem to
see through every bluff.

A node is found by its owner's own actions and by `rules.information_key` where somebody is to act. So whatever the owner has
seen since, of chance or of others, tells nodes apart, and what it has not seen does not.

Source: P. Cowling, E. Powley, D. Whitehouse, "Information set Monte Carlo tree search" (2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from gamelab.core import kernels, rules
from gamelab.core._jit import njit_inline, njit_lean
from gamelab.core.bits import mix
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.search.information_tree import BYTES_PER_NODE, NONE, Trees, add_arm, clear, find_or_add, make_trees
from gamelab.search.simulation import MAX_DEPTH, Scratch, make_scratch, play_out

__all__ = ["BYTES_PER_NODE", "OBSERVERS", "ArmStatistics", "InformationSetSearch", "Options"]

OBSERVERS = ("single", "multiple")


class Worlds(NamedTuple):
    """What a search needs to know of the worlds it plays in, and of the one it is in."""

    belief: NDArray[np.float64]  # (belief_size,) written by `rules.prepare_belief`
    player: NDArray[np.int64]  # (1,) who searches
    multiple: NDArray[np.uint8]  # (1,) 1 if each player has a tree
    ways: NDArray[np.uint64]  # (num_players,) for each tree, hash of its owner's way through this world
    movers: NDArray[np.int8]  # (MAX_DEPTH,) who chose each action on the way
    legal_arms: NDArray[np.int32]  # (max_legal_actions,) scratch: arms of the actions that are legal


@njit_lean
def search(trees, worlds, scratch, limit, stop, rng):  # type: ignore[no-untyped-def]
    """Run simulations until there are `limit` of them or `stop[0]` is set.

    Parameters
    ----------
    trees : Trees
        Modified in place.
    worlds : Worlds
        With the belief at the root.
    scratch : gamelab.search.simulation.Scratch
        With the root in `states[0]`.
    limit : int
        Simulations of this root, those done before included.
    stop : ndarray of uint8, shape (1,)
        Another thread may set it.
    rng : numpy.random.Generator
    """
    control = scratch.control[0]
    state = scratch.states[1]
    while control["simulations"] < limit and stop[0] == 0:
        scratch.states[1] = scratch.states[0]
        rules.resample_given(state, worlds.player[0], worlds.belief, rng)
        depth = _descend(state, trees, worlds, scratch, rng)
        play_out(state, scratch, rng)
        for i in range(depth):
            arm = trees.arms[scratch.path[i]]
            arm["visits"] += 1
            arm["value_sum"] += scratch.values[worlds.movers[i]]
        control["simulations"] += 1


@njit_inline
def _descend(state, trees, worlds, scratch, rng):  # type: ignore[no-untyped-def]
    """Steps 2 and 3. Leaves the state where the playout begins, the arms on the way in `scratch.path`; returns their number."""
    depth = 0
    for i in range(len(worlds.ways)):
        worlds.ways[i] = mix(np.uint64(i + 1))
    while depth < MAX_DEPTH:
        player = np.int64(rules.current_player(state))
        if player == TERMINAL:
            break
        if player == CHANCE:
            rules.apply_action(state, rules.sample_chance(state, rng))
            continue
        tree = player if worlds.multiple[0] == 1 else worlds.player[0]
        key = mix(worlds.ways[tree] + np.uint64(rules.information_key(state, tree)))
        index = find_or_add(trees, key)
        if index == NONE:
            break
        arm = _select(state, trees, index, worlds.legal_arms, scratch, rng)
        if arm == NONE:
            break
        action = np.int64(trees.arms[arm]["action"])
        # Of others' actions a tree's owner knows what the next key tells.
        worlds.ways[tree] = mix(key + np.uint64(action + 1)) if tree == player else key
        worlds.movers[depth] = player
        scratch.path[depth] = arm
        depth += 1
        rules.apply_action(state, action)
        if trees.arms[arm]["visits"] == 0:
            break
    return depth


@njit_inline
def _select(state, trees, index, legal_arms, scratch, rng):  # type: ignore[no-untyped-def]
    """The arm to go on with: one never tried, if there is any, else the best; NONE if there is no room for a new one."""
    actions = scratch.actions
    arm = np.int64(trees.sets[index]["first_arm"])
    tried, untried = 0, 0
    for i in range(rules.legal_actions(state, actions)):
        action = actions[i]
        while arm != NONE and trees.arms[arm]["action"] < action:
            arm = np.int64(trees.arms[arm]["next"])
        if arm != NONE and trees.arms[arm]["action"] == action:
            trees.arms[arm]["available"] += 1
            legal_arms[tried] = arm
            tried += 1
        else:
            actions[untried] = action
            untried += 1
    if untried > 0:
        return add_arm(trees, index, actions[int(rng.random() * untried)])
    return _best_arm(state, trees.arms, legal_arms, tried, scratch.control[0])


@njit_inline
def _best_arm(state, arms, legal_arms, count, control):  # type: ignore[no-untyped-def]
    """The first of the legal arms with the best upper confidence bound."""
    best, best_bound = np.int64(NONE), -np.inf
    counted, logarithm = np.int64(0), 0.0
    for i in range(count):
        arm = arms[legal_arms[i]]
        available = np.int64(arm["available"])
        if available != counted:  # mostly all are the same, and logarithms are slow
            counted, logarithm = available, math.log(available)
        inverse = 1.0 / arm["visits"]
        bound = arm["value_sum"] * inverse + control["exploration"] * math.sqrt(logarithm * inverse)
        if control["bias"] > 0.0:
            bound += control["bias"] * rules.action_prior(state, arm["action"]) / (arm["visits"] + 1)
        if bound > best_bound:
            best, best_bound = np.int64(legal_arms[i]), bound
    return best


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
    cutoff : int or None
        Playouts are cut off after so many plies and evaluated; None: they are played to the end.
    decisive : bool
        Playouts take a win where there is one.
    """

    observers: str = "single"
    exploration: float = 0.7
    bias: float = 0.0
    cutoff: int | None = None
    decisive: bool = False

    def __post_init__(self) -> None:
        if self.observers not in OBSERVERS:
            raise ParameterError(f"observers: {self.observers!r} is not one of {', '.join(OBSERVERS)}")


@dataclass(frozen=True)
class ArmStatistics:
    """What a search found out about the actions of one information set, ascending.

    Attributes
    ----------
    actions : ndarray of int32
    visits : ndarray of int64
    available : ndarray of int64
        Simulations in which the action could have been chosen, from the one that tried it first.
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
    max_nodes : int
        Actions in all trees together, at `BYTES_PER_NODE` bytes each; when there is no more room, the trees grow no more.
    options : Options, optional

    Raises
    ------
    ParameterError
        If there is no room for the actions of the root.
    """

    def __init__(self, game: Game, max_nodes: int, options: Options = Options()) -> None:
        if max_nodes < game.max_legal_actions:
            raise ParameterError(
                f"memory: room for {max_nodes} nodes of {BYTES_PER_NODE} bytes, {game.name} needs {game.max_legal_actions} "
                "for the actions of the root"
            )
        self.game, self.options = game, options
        self.trees: Trees = make_trees(max_nodes)
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
        control["cutoff"] = -1 if options.cutoff is None else options.cutoff
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
        try:
            search(self.trees, self._worlds, self._scratch, simulations, stop, rng)
        except NumbaError as error:
            raise AgentError(
                f"the rules of {self.game.name} cannot be compiled into a search: they must make no arrays "
                f"(numpy.zeros and the like), and keep to what numba knows: {str(error).strip().splitlines()[-1]}"
            ) from None
        return int(self._scratch.control["simulations"][0])

    @property
    def num_sets(self) -> int:
        """Information sets in all trees together."""
        return int(self.trees.used[0])

    @property
    def num_nodes(self) -> int:
        """Actions in all trees together."""
        return int(self.trees.used[1])

    def statistics(self, index: int = 0) -> ArmStatistics:
        """What was found out about the actions of an information set, by default the root's."""
        indices = []
        arm = int(self.trees.sets[index]["first_arm"]) if index < self.num_sets else NONE
        while arm != NONE:
            indices.append(arm)
            arm = int(self.trees.arms[arm]["next"])
        arms = self.trees.arms[indices]
        return ArmStatistics(
            arms["action"].copy(),
            arms["visits"].astype(np.int64),
            arms["available"].astype(np.int64),
            arms["value_sum"] / np.maximum(arms["visits"], 1),
        )
