"""The compiled half of information set MCTS: simulations in many worlds, for any number of players, chance included.

Each simulation plays in a world of its own, a determinization: what is hidden from the player who searches is drawn anew
(`rules.resample_given`). All worlds share one tree, whose nodes are not states but information sets, so an action is judged by
its average over all that the player cannot tell apart; searches that solve each world by itself act as if they could.

1. Determinize. 2. Select: where a player is to act, take the legal action with the best upper confidence bound; draw chance.
Which actions are legal may differ from world to world, so a bound counts the simulations in which the action was available
instead of those of its parent (subset-armed bandits). 3. Expand: where an action is legal that was never tried, try one; with
progressive widening (`gamelab.search.widening`) only while fewer legal ones were tried than the visits allow, and then the one
with the highest prior in this world. 4. Play out. 5. Back up: each action on the way counts the result of the player who chose
it.

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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit_inline, njit_lean
from gamelab.core.bits import mix
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.search.information_tree import NONE, add_arms, arm_of, find_or_add
from gamelab.search.simulation import MAX_DEPTH, play_out
from gamelab.search.widening import OFF, width_at

__all__ = ["Worlds", "search"]


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
        slot = find_or_add(trees, key)
        if slot == NONE:
            break
        if scratch.control[0]["widening"] == OFF:
            arm = _select(state, trees, slot, worlds.legal_arms, scratch, rng)
        else:
            arm = _select_of_few(state, trees, slot, worlds.legal_arms, scratch)
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
def _select(state, trees, slot, legal_arms, scratch, rng):  # type: ignore[no-untyped-def]
    """The arm to go on with: one never tried, if there is any, else the best; NONE if there is no room for arms."""
    actions = scratch.actions
    count = rules.legal_actions(state, actions)
    if trees.sets[slot]["first_arm"] == NONE and not add_arms(trees, slot, actions, count):
        return np.int64(NONE)
    before, tried, untried = np.int64(NONE), 0, 0
    for i in range(count):
        arm = arm_of(trees, slot, actions[i], before)
        if arm == NONE:  # no room for one more
            continue
        before = arm
        if trees.arms[arm]["visits"] == 0:
            actions[untried] = arm  # what stood here was read
            untried += 1
        else:
            trees.arms[arm]["available"] += 1
            legal_arms[tried] = arm
            tried += 1
    if untried > 0:
        arm = np.int64(actions[int(rng.random() * untried)])
        trees.arms[arm]["available"] = 1
        return arm
    return _best_arm(state, trees.arms, legal_arms, tried, scratch.control[0])


@njit_lean
def _select_of_few(state, trees, slot, legal_arms, scratch):  # type: ignore[no-untyped-def]
    """As `_select`, with progressive widening: an action has no arm before it is tried."""
    actions, control, arms = scratch.actions, scratch.control[0], trees.arms
    arm, tried, untried, visits = np.int64(trees.sets[slot]["first_arm"]), 0, 0, 0
    for i in range(rules.legal_actions(state, actions)):
        while arm != NONE and arms[arm]["action"] < actions[i]:  # not legal in this world
            visits += arms[arm]["visits"]
            arm = np.int64(arms[arm]["next"])
        if arm != NONE and arms[arm]["action"] == actions[i]:
            visits += arms[arm]["visits"]
            arms[arm]["available"] += 1
            legal_arms[tried] = arm
            tried += 1
            arm = np.int64(arms[arm]["next"])
        else:
            actions[untried] = actions[i]  # what stood there was read
            untried += 1
    while arm != NONE:
        visits += arms[arm]["visits"]
        arm = np.int64(arms[arm]["next"])
    if untried > 0 and tried < width_at(control, visits):
        arm = arm_of(trees, slot, _most_promising(state, actions, untried), np.int64(NONE))
        if arm != NONE:
            arms[arm]["available"] = 1
            return arm
    return _best_arm(state, arms, legal_arms, tried, control)


@njit_inline
def _most_promising(state, actions, count):  # type: ignore[no-untyped-def]
    """The first of the actions with the highest prior."""
    best, highest = actions[0], rules.action_prior(state, actions[0])
    for i in range(1, count):
        prior = rules.action_prior(state, actions[i])
        if prior > highest:
            best, highest = actions[i], prior
    return best


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
