"""The compiled half of information set MCTS: simulations in many worlds, for any number of players, chance included.

Each simulation plays in a world of its own, a determinization: what is hidden from the player who searches is drawn anew
(`rules.resample_given`). All worlds share one tree, whose nodes are not states but information sets, so an action is judged by
its average over all that the player cannot tell apart; searches that solve each world by itself act as if they could.

1. Determinize. 2. Select: where a player is to act, take the legal action with the best upper confidence bound; draw chance.
Which actions are legal may differ from world to world, so a bound counts the visits of the information set in which the action
was available instead of all (subset-armed bandits). 3. Expand: where an action is legal that was never tried, try one; with
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
from gamelab.search.information_tree import NONE, add_arms, find_or_add, insert_arm
from gamelab.search.simulation import MAX_DEPTH, play_out
from gamelab.search.widening import OFF, width_at

__all__ = ["Worlds", "search"]

ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio
END = np.int32(2**31 - 1)  # higher than any action
# What bounds are made of, for small numbers. Index 0 is never used in a bound.
TABULATED = 4096
SQRT_LOG = np.sqrt(np.log(np.maximum(np.arange(TABULATED), 1)))
INVERSE_SQRT = 1.0 / np.sqrt(np.maximum(np.arange(TABULATED), 1))


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
            arm = trees.arms[np.uint64(scratch.path[i])]
            arm["visits"] += 1
            arm["value_sum"] += scratch.values[np.uint64(worlds.movers[i])]
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
        tree = np.uint64(player if worlds.multiple[0] == 1 else worlds.player[0])
        own = np.uint64(player) == tree
        # The way is well mixed. Multiplying is enough for keys that may be near to each other.
        key = (worlds.ways[tree] + np.uint64(rules.information_key(state, np.int64(tree)))) * ODD
        slot = find_or_add(trees, key)
        if slot == NONE:
            break
        if scratch.control[0]["widening"] != OFF:
            arm = _select_of_few(state, trees, slot, worlds.legal_arms, scratch)
        elif own:
            arm = _select_of_all(state, trees, slot, scratch, rng)
        else:
            arm = _select(state, trees, slot, scratch, rng)
        if arm == NONE:
            break
        chosen = trees.arms[np.uint64(arm)]
        action = np.int64(chosen["action"])
        # Of others' actions a tree's owner knows what the next key tells.
        worlds.ways[tree] = mix(key + np.uint64(action + 1 if own else 0))
        worlds.movers[depth] = player
        scratch.path[depth] = arm
        depth += 1
        rules.apply_action(state, action)
        if chosen["visits"] == 0:
            break
    return depth


@njit_inline
def _select_of_all(state, trees, slot, scratch, rng):  # type: ignore[no-untyped-def]
    """As `_select`, where the tree's owner is to act: who knows what is legal, so that it is the same in all worlds."""
    actions, control, arms = scratch.actions, scratch.control[0], trees.arms
    node = trees.sets[np.uint64(slot)]
    if node["first_arm"] == NONE and not add_arms(trees, slot, actions, rules.legal_actions(state, actions)):
        return np.int64(NONE)
    node["visits"] += 1
    width = _width(node["visits"], control)
    index, untried = np.uint64(node["first_arm"]), np.uint64(0)
    best, best_bound = index, -np.inf
    while True:
        arm = arms[index]
        actions[untried] = index
        untried += np.uint64(arm["visits"] == 0)
        bound = _bound(state, arm, width, control)
        best = index if bound > best_bound else best  # no branch, which nobody could predict
        best_bound = max(bound, best_bound)
        if arm["next"] == NONE:
            break
        index += np.uint64(1)
    return np.int64(actions[np.uint64(rng.random() * untried)] if untried > 0 else best)


@njit_inline
def _select(state, trees, slot, scratch, rng):  # type: ignore[no-untyped-def]
    """The arm to go on with: one never tried, if there is any, else the best; NONE if there is no room for arms."""
    actions, control, arms = scratch.actions, scratch.control[0], trees.arms
    count = rules.legal_actions(state, actions)
    node = trees.sets[np.uint64(slot)]
    if node["first_arm"] == NONE and not add_arms(trees, slot, actions, count):
        return np.int64(NONE)
    node["visits"] += 1
    index, untried = np.int64(node["first_arm"]), np.uint64(0)
    best, best_bound = np.int64(NONE), -np.inf
    for i in range(np.uint64(count)):
        action = actions[i]
        index = _pass_by(arms, index, action)
        if index == NONE or arms[np.uint64(index)]["action"] != action:
            new = insert_arm(trees, slot, action)
            if new == NONE:  # no room for one more
                continue
            index = new
        arm = arms[np.uint64(index)]
        actions[untried] = index  # what stood here was read
        untried += np.uint64(arm["visits"] == 0)
        bound = _bound(state, arm, _width(node["visits"] - arm["missed"], control), control)
        best = index if bound > best_bound else best
        best_bound = max(bound, best_bound)
        index = np.int64(arm["next"])
    _pass_by(arms, index, END)
    return np.int64(actions[np.uint64(rng.random() * untried)]) if untried > 0 else best


@njit_inline
def _pass_by(arms, index, action):  # type: ignore[no-untyped-def]
    """From an arm on, the first whose action is not lower; those before it are not legal in this world."""
    while index != NONE and arms[np.uint64(index)]["action"] < action:
        arms[np.uint64(index)]["missed"] += 1
        index = np.int64(arms[np.uint64(index)]["next"])
    return index


@njit_lean
def _select_of_few(state, trees, slot, legal_arms, scratch):  # type: ignore[no-untyped-def]
    """As `_select`, with progressive widening: an action has no arm before it is tried."""
    actions, control, arms, node = scratch.actions, scratch.control[0], trees.arms, trees.sets[slot]
    index, tried, untried = np.int64(node["first_arm"]), 0, 0
    for i in range(rules.legal_actions(state, actions)):
        index = _pass_by(arms, index, actions[i])
        if index != NONE and arms[index]["action"] == actions[i]:
            legal_arms[tried] = index
            tried += 1
            index = np.int64(arms[index]["next"])
        else:
            actions[untried] = actions[i]  # what stood there was read
            untried += 1
    _pass_by(arms, index, END)
    node["visits"] += 1
    if untried > 0 and tried < width_at(control, node["visits"] - 1):
        index = insert_arm(trees, slot, _most_promising(state, actions, untried))
        if index != NONE:
            return index
    return _best_arm(state, trees, slot, legal_arms, tried, control)


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
def _best_arm(state, trees, slot, legal_arms, count, control):  # type: ignore[no-untyped-def]
    """The first of the legal arms with the best upper confidence bound."""
    best, best_bound = np.int64(NONE), -np.inf
    for i in range(count):
        arm = trees.arms[legal_arms[i]]
        bound = _bound(state, arm, _width(trees.sets[slot]["visits"] - arm["missed"], control), control)
        if bound > best_bound:
            best, best_bound = np.int64(legal_arms[i]), bound
    return best


@njit_inline
def _width(available, control):  # type: ignore[no-untyped-def]
    """What is added to the mean of an arm that was tried once, so many times available."""
    few = available < TABULATED
    return control["exploration"] * (SQRT_LOG[np.uint64(available)] if few else math.sqrt(math.log(available)))


@njit_inline
def _bound(state, arm, width, control):  # type: ignore[no-untyped-def]
    """The upper confidence bound of an arm: its mean and `width` / sqrt(visits). Means nothing if it was never tried."""
    visits = arm["visits"]
    spread = INVERSE_SQRT[np.uint64(visits)] if visits < TABULATED else 1.0 / math.sqrt(visits)
    bound = (arm["value_sum"] * spread + width) * spread
    if control["bias"] > 0.0:
        bound += control["bias"] * rules.action_prior(state, arm["action"]) / (visits + 1)
    return bound
