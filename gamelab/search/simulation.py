"""The compiled half of MCTS: simulations on a tree, for any game.

A simulation has four steps. 1. Select: go down from the root, at each node to the child with the best upper confidence
bound, at a chance node to an outcome drawn with its true probability. 2. Expand: a node visited for the second time gets its
children. 3. Play out: finish the game with random actions, or guess its result. 4. Back up: every node on the way counts the
result from the point of view of the player who moved there, so any number of players is served.

With the solver on (two players), results that are certain are backed up as such: a node is won as soon as one child is won
for the player to act, and its value is known once all its children's are. A chance node's is known when all outcomes agree.
Where the best child is certain, and neither won nor the last one open, the simulation looks at an open sibling; what is
backed up above is the value that is certain.

Sources: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (2006), for UCT; C. Rosin, "Multi-armed bandits with
episode context" (2011) and D. Silver et al., "Mastering the game of Go without human knowledge" (2017), for PUCT; S. Gelly,
D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go" (2011), for RAVE; S. Gelly, Y. Wang,
"Exploration exploitation in Go" (2006), for first-play urgency; G. Chaslot et al., "Progressive strategies for Monte-Carlo
tree search" (2008), for progressive bias; M. Winands, Y. Bjornsson, J.-T. Saito, "Monte-Carlo tree search solver" (2008).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit_inline, njit_lean
from gamelab.core.game import Game
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.search.playout import RANDOM, playout, policy_action, winning_action
from gamelab.search.tree import NOT_EXPANDED, ROOT, UNKNOWN, make_node
from gamelab.search.widening import OFF, candidates

__all__ = ["CONTROL", "MAX_DEPTH", "NO_PRIOR", "PRIORS", "PUCT", "UCT", "Scratch", "make_scratch", "play_out", "search"]

MAX_DEPTH = 512
UCT, PUCT = 0, 1
NO_PRIOR, BY_ACTION, BY_EVALUATION = 0, 1, 2
PRIORS = {"none": NO_PRIOR, "action": BY_ACTION, "evaluation": BY_EVALUATION}

CONTROL = np.dtype(
    [
        (("exploration constant", "exploration"), np.float64),
        (("value of an untried action relative to the mean; not a number: try each once first", "first_play"), np.float64),
        (("weight of the progressive bias", "bias"), np.float64),
        (("softmax temperature that makes probabilities of priors", "temperature"), np.float64),
        (("visits at which RAVE counts as much as the visits' own mean, 0 for none", "rave"), np.float64),
        (("exponent of progressive widening, OFF for none", "widening"), np.float64),
        (("actions that can be chosen at first, with widening", "width"), np.float64),
        (("plies after which a playout is cut off and evaluated, -1 for never", "cutoff"), np.int64),
        (("simulations done since the root was set", "simulations"), np.int64),
        (("nodes in use", "used"), np.int64),
        (("UCT or PUCT", "rule"), np.uint8),
        (("NO_PRIOR, BY_ACTION or BY_EVALUATION", "prior"), np.uint8),
        (("one of POLICIES: what the players go by in playouts", "policy"), np.uint8),
        (("1 if playouts take a win where there is one", "decisive"), np.uint8),
        (("1 to back up proven values", "solver"), np.uint8),
        (("1 to stop when there is no room for more nodes", "stop_when_full"), np.uint8),
        (("1 when that has happened", "full"), np.uint8),
    ],
    align=True,
)


class Scratch(NamedTuple):
    """Room that a search needs besides the tree; made once."""

    states: NDArray[Any]  # (3,) the root, never changed; the state on the way; one to try actions on
    control: NDArray[Any]  # (1,) of CONTROL
    path: NDArray[np.int32]  # (MAX_DEPTH,) nodes from the root to the leaf
    certain: NDArray[np.float64]  # (MAX_DEPTH,) value for player 0 to back up from here on; not a number: what was simulated
    actions: NDArray[np.int32]  # (max_legal_actions,)
    outcomes: NDArray[np.int32]  # (max_chance_outcomes,)
    probabilities: NDArray[np.float64]  # (max_chance_outcomes,)
    values: NDArray[np.float64]  # (num_players,) the returns of one simulation
    promises: NDArray[np.float64]  # (max_legal_actions,) how good actions look
    played: NDArray[np.int64]  # (num_players, num_distinct_actions) the latest simulation in which the action was played


def make_scratch(game: Game) -> Scratch:
    """Room for searches of one game."""
    return Scratch(
        np.zeros(3, game.dtype),
        np.zeros(1, CONTROL),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(MAX_DEPTH),
        game.action_buffer(),
        np.zeros(game.max_chance_outcomes, np.int32),
        np.zeros(game.max_chance_outcomes),
        np.zeros(game.num_players),
        np.zeros(game.max_legal_actions),
        np.full((game.num_players, game.num_distinct_actions), -1, np.int64),
    )


@njit_lean
def search(tree, scratch, limit, stop, rng):  # type: ignore[no-untyped-def]
    """Run simulations until there are `limit` of them, `stop[0]` is set, or the root's value is proven.

    Parameters
    ----------
    tree : Arrays
        Modified in place.
    scratch : Scratch
        With the root in `states[0]`.
    limit : int
        Simulations of this root, those done before included.
    stop : ndarray of uint8, shape (1,)
        Another thread may set it.
    rng : numpy.random.Generator
    """
    control = scratch.control[0]
    root = tree.nodes[ROOT]
    state = scratch.states[1]
    control["full"] = 0
    if root["player"] == UNKNOWN:
        root["player"] = rules.current_player(scratch.states[0])
    while control["simulations"] < limit and stop[0] == 0 and root["proven"] == 0 and control["full"] == 0:
        scratch.states[1] = scratch.states[0]
        depth = _descend(state, tree, scratch, rng)
        _value_of_leaf(state, tree.nodes[scratch.path[depth]], scratch, rng)
        if control["rave"] > 0.0:
            _back_up_rave(tree, scratch, depth)
        _back_up(tree.nodes, scratch, depth)
        if control["solver"] == 1:
            _prove_upwards(tree.nodes, scratch, depth)
        control["simulations"] += 1


@njit_inline
def _descend(state, tree, scratch, rng):  # type: ignore[no-untyped-def]
    """Steps 1 and 2. Leaves the state at the leaf, the way in `scratch.path`; returns the leaf's depth."""
    nodes, control = tree.nodes, scratch.control[0]
    depth = 0
    index = np.int64(ROOT)
    scratch.path[0] = ROOT
    while nodes[index]["proven"] == 0 and nodes[index]["player"] != TERMINAL and depth + 1 < MAX_DEPTH:
        if nodes[index]["first_child"] == NOT_EXPANDED:
            if index != ROOT and nodes[index]["visits"] == 0:
                break
            if not _expand(state, tree, index, scratch, rng):
                break
        scratch.certain[depth] = np.nan
        if nodes[index]["player"] == CHANCE:
            index = _draw(state, nodes, index, rng)
        else:
            index = _select(tree, index, control, scratch.certain, depth)
        rules.apply_action(state, nodes[index]["action"])
        depth += 1
        scratch.path[depth] = index
        if nodes[index]["player"] == UNKNOWN:
            _discover(state, nodes[index], scratch)
    return depth


@njit_inline
def _discover(state, node, scratch):  # type: ignore[no-untyped-def]
    """Note who is to act at a node reached for the first time; to the solver the value of an end is certain."""
    node["player"] = rules.current_player(state)
    if node["player"] == TERMINAL and scratch.control[0]["solver"] == 1:
        rules.returns(state, scratch.values)
        node["proven"] = 1
        node["proven_value"] = scratch.values[0]


@njit_inline
def _expand(state, tree, index, scratch, rng):  # type: ignore[no-untyped-def]
    """Give a node its children, in random order. False if there is no room, or chance cannot be listed."""
    nodes, control = tree.nodes, scratch.control[0]
    if nodes[index]["player"] == CHANCE:
        actions = scratch.outcomes
        n = rules.chance_outcomes(state, actions, scratch.probabilities)
    else:
        actions = scratch.actions
        n = rules.legal_actions(state, actions)
        # Children are first visited in this order, so it must not favour low actions.
        for i in range(n - 1, 0, -1):
            j = int(rng.random() * (i + 1))
            actions[i], actions[j] = actions[j], actions[i]
    first = control["used"]
    if n == 0:
        return False
    if first + n > len(nodes):
        control["full"] = control["stop_when_full"]
        return False
    for i in range(n):
        make_node(nodes[first + i], actions[i])
    nodes[index]["first_child"] = first
    nodes[index]["num_children"] = n
    control["used"] = first + n
    if control["rave"] > 0.0:
        for child in range(first, first + n):
            tree.rave[child]["value_sum"] = 0.0
            tree.rave[child]["visits"] = 0
    if len(tree.priors) > 0 and nodes[index]["player"] != CHANCE:
        _set_priors(state, tree, index, scratch)
    if not np.isnan(control["first_play"]) and control["widening"] == OFF:
        nodes[index]["tried"] = n  # no need to try each
    return True


@njit_lean
def _set_priors(state, tree, index, scratch):  # type: ignore[no-untyped-def]
    """Fill in the priors of a node's children: as the game gives them, or for PUCT as probabilities, all alike without."""
    node, control = tree.nodes[index], scratch.control[0]
    first, n = np.int64(node["first_child"]), np.int64(node["num_children"])
    if control["prior"] == BY_EVALUATION:
        for i in range(n):
            scratch.actions[i] = tree.nodes[first + i]["action"]
        rules.evaluate_actions(state, scratch.actions, n, scratch.states[2], scratch.values, scratch.promises)
    highest = -np.inf
    for child in range(first, first + n):
        prior = 0.0
        if control["prior"] == BY_ACTION:
            prior = rules.action_prior(state, tree.nodes[child]["action"])
        elif control["prior"] == BY_EVALUATION:
            prior = scratch.promises[child - first]
        tree.priors[child] = prior
        highest = max(highest, prior)
    if control["rule"] == PUCT:
        total = 0.0
        for child in range(first, first + n):
            tree.priors[child] = math.exp((tree.priors[child] - highest) / control["temperature"])
            total += tree.priors[child]
        for child in range(first, first + n):
            tree.priors[child] /= total


@njit_inline
def _draw(state, nodes, index, rng):  # type: ignore[no-untyped-def]
    """The child to go to at a chance node."""
    outcome = rules.sample_chance(state, rng)
    child = np.int64(nodes[index]["first_child"])
    while nodes[child]["action"] != outcome:
        child += 1
    return child


@njit_inline
def _select(tree, index, control, certain, depth):  # type: ignore[no-untyped-def]
    """The child to go to at a player's node."""
    nodes = tree.nodes
    node = nodes[index]
    first = np.int64(node["first_child"])
    count = np.int64(node["num_children"])
    if control["widening"] != OFF:
        count = candidates(tree, index, control)
    if node["tried"] < count:
        child = first + node["tried"]
        node["tried"] += 1
        return child
    visits = max(node["visits"], 1)
    wide = control["exploration"] * (math.sqrt(math.log(visits)) if control["rule"] == UCT else math.sqrt(visits))
    every_tried = np.isnan(control["first_play"])
    plain = every_tried and control["rule"] == UCT and control["rave"] == 0.0 and control["bias"] == 0.0
    untried = 0.0 if every_tried else _mean_of_children(nodes, first, count) + control["first_play"]
    sign = 1.0 if node["player"] == 0 else -1.0
    best, best_bound = np.int64(first), -np.inf
    settled, settled_bound = np.int64(-1), -np.inf
    # Unsigned: numba would test signed indices for being negative.
    for child in range(np.uint64(first), np.uint64(first + count)):
        if nodes[child]["proven"] == 1:
            # What is certain needs no exploration.
            bound = sign * nodes[child]["proven_value"]
            if bound > settled_bound:
                settled, settled_bound = np.int64(child), bound
            continue
        if plain:
            inverse = 1.0 / nodes[child]["visits"]
            bound = nodes[child]["value_sum"] * inverse + wide * math.sqrt(inverse)
        else:
            bound = _bound(tree, child, control, wide, untried)
        if bound > best_bound:
            best, best_bound = np.int64(child), bound
    if settled_bound > best_bound:
        certain[depth] = nodes[settled]["proven_value"]
        if best_bound == -np.inf:
            return settled
    return best


@njit_lean
def _mean_of_children(nodes, first, count):  # type: ignore[no-untyped-def]
    """The mean result of the node's player, of all simulations that went on from it; 0 if there were none."""
    visits, value_sum = 0, 0.0
    for child in range(first, first + count):
        visits += nodes[child]["visits"]
        value_sum += nodes[child]["value_sum"]
    return value_sum / visits if visits > 0 else 0.0


@njit_inline
def _bound(tree, child, control, wide, untried):  # type: ignore[no-untyped-def]
    """The upper confidence bound of a child; `wide` is what its width is a fraction of."""
    node = tree.nodes[child]
    visits = np.float64(node["visits"])
    if visits > 0.0:
        inverse = 1.0 / visits
        value = node["value_sum"] * inverse
        width = wide * math.sqrt(inverse)
    else:
        value = untried
        width = 0.0
    if control["rave"] > 0.0 and tree.rave[child]["visits"] > 0:
        share = math.sqrt(control["rave"] / (3.0 * visits + control["rave"]))
        value += share * (tree.rave[child]["value_sum"] / tree.rave[child]["visits"] - value)
    if control["bias"] > 0.0:
        value += control["bias"] * tree.priors[child] / (visits + 1.0)
    if control["rule"] == PUCT:
        width = wide * tree.priors[child] / (visits + 1.0)
    return value + width


@njit_inline
def _value_of_leaf(state, leaf, scratch, rng):  # type: ignore[no-untyped-def]
    """Step 3: the returns of one simulation, into `scratch.values`."""
    if leaf["proven"] == 1:
        scratch.values[0] = leaf["proven_value"]
        scratch.values[1] = -leaf["proven_value"]
    else:
        play_out(state, scratch, rng)


@njit_inline
def play_out(state, scratch, rng):  # type: ignore[no-untyped-def]
    """Finish the game, or guess its result, as the options in `scratch.control` say; the returns go into `scratch.values`."""
    control = scratch.control[0]
    if control["cutoff"] < 0 and control["decisive"] == 0 and control["rave"] == 0.0 and control["policy"] == RANDOM:
        playout(state, scratch.actions, rng)
        rules.returns(state, scratch.values)
    else:
        _play_out_with_options(state, scratch, rng)


@njit_lean
def _play_out_with_options(state, scratch, rng):  # type: ignore[no-untyped-def]
    """As `playout`, but wins are taken, actions noted, and the end cut off, as the options say."""
    control = scratch.control[0]
    plies = 0
    player = rules.current_player(state)
    while player != TERMINAL and plies != control["cutoff"]:
        if player == CHANCE:
            rules.apply_action(state, rules.sample_chance(state, rng))
            player = rules.current_player(state)
            continue
        action = np.int64(-1)
        if control["decisive"] == 1:
            action = winning_action(state, player, scratch.states, scratch.actions, scratch.values)
        if action < 0:
            action = policy_action(
                state, control["policy"], scratch.states, scratch.actions, scratch.values, scratch.promises, rng
            )
        scratch.played[player, action] = control["simulations"]
        rules.apply_action(state, action)
        plies += 1
        player = rules.current_player(state)
    if player == TERMINAL:
        rules.returns(state, scratch.values)
    else:
        rules.evaluate(state, scratch.values)


@njit_inline
def _back_up(nodes, scratch, depth):  # type: ignore[no-untyped-def]
    """Step 4."""
    for i in range(depth, 0, -1):
        mover = max(np.int64(nodes[scratch.path[i - 1]]["player"]), 0)
        node = nodes[scratch.path[i]]
        node["visits"] += 1
        node["value_sum"] += scratch.values[mover]
        if not np.isnan(scratch.certain[i - 1]):
            scratch.values[0] = scratch.certain[i - 1]
            scratch.values[1] = -scratch.certain[i - 1]
    root = nodes[ROOT]
    root["visits"] += 1
    root["value_sum"] += scratch.values[max(np.int64(root["player"]), 0)]


@njit_lean
def _back_up_rave(tree, scratch, depth):  # type: ignore[no-untyped-def]
    """At every node on the way, count the result for each action that its player played from there on, whenever it was."""
    now = scratch.control[0]["simulations"]
    for i in range(depth - 1, -1, -1):
        node = tree.nodes[scratch.path[i]]
        player = np.int64(node["player"])
        if player == CHANCE:
            continue
        scratch.played[player, tree.nodes[scratch.path[i + 1]]["action"]] = now
        first = np.int64(node["first_child"])
        for child in range(first, first + node["num_children"]):
            if scratch.played[player, tree.nodes[child]["action"]] == now:
                tree.rave[child]["visits"] += 1
                tree.rave[child]["value_sum"] += scratch.values[player]


@njit_inline
def _prove_upwards(nodes, scratch, depth):  # type: ignore[no-untyped-def]
    """If the leaf is proven, prove its ancestors as far as that goes."""
    for i in range(depth, 0, -1):
        if nodes[scratch.path[i]]["proven"] == 0 or not _prove(nodes, scratch.path[i - 1], scratch.path[i]):
            return


@njit_lean
def _prove(nodes, index, child):  # type: ignore[no-untyped-def]
    """Settle a node's value if that is possible now that a child's is known. Returns whether it is settled."""
    node = nodes[index]
    sign = 1.0
    if node["player"] != CHANCE:
        sign = 1.0 if node["player"] == 0 else -1.0
        if sign * nodes[child]["proven_value"] >= 1.0:
            node["proven"] = 1
            node["proven_value"] = nodes[child]["proven_value"]
            return True
    best = nodes[child]["proven_value"]
    for other in range(node["first_child"], node["first_child"] + node["num_children"]):
        value = nodes[other]["proven_value"]
        if nodes[other]["proven"] == 0 or (node["player"] == CHANCE and value != best):
            return False
        if sign * value > sign * best:
            best = value
    node["proven"] = 1
    node["proven_value"] = best
    return True
