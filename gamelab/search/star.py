"""Alpha-beta with chance: the kernel of expectiminimax, pruning at chance nodes included.

The player to act at the root, here the hero, maximises their own expected return; everybody else minimises it. For two players
that is the value of the game, for more the paranoid reduction (N. Sturtevant, R. Korf, "On pruning techniques for multi-player
games", 2000), and for one a plain expectation.

Depth counts actions of players only. A chance node costs none; at depth 0 it is judged as it stands, like any other state.

At a chance node the values of the outcomes are known to lie in [-1, 1] before any is searched, so that an average can be out of
reach after a few of them. Star1 narrows the window of each outcome accordingly; Star2 first probes one action after each
outcome, which is a bound already. (B. Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983;
T. Hauk, M. Buro, J. Schaeffer, "*-minimax performance in backgammon" and "Rediscovering *-minimax search", 2006.) The scores of
a lone player have no such bounds, unless the caller knows some.

The table answers only for the very depth that is asked for. So neither it nor any pruning changes a value. A width does: with
one, players have no other actions than those that `gamelab.search.forward_pruning` keeps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.rules import CHANCE, NO_ACTION, TERMINAL
from gamelab.search.chance import list_outcomes
from gamelab.search.forward_pruning import list_actions
from gamelab.search.transposition import EXACT, LOWER, UPPER

__all__ = ["CONTROL", "ENTRY", "Workspace", "expectimax", "make_child", "next_action"]

TABLE_FIRST = 1e12

ENTRY = np.dtype(
    [
        (("key of the state, for this hero", "key"), np.uint64),
        (("value for the hero", "value"), np.float64),
        (("best or refuting action, or NO_ACTION", "action"), np.int32),
        (("actions searched below", "depth"), np.uint8),
        (("EXACT, LOWER or UPPER; 0 marks an empty entry", "bound"), np.uint8),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        (("states reached since the search began", "nodes"), np.int64),
        (("stop when so many are reached", "node_limit"), np.int64),
        (("the player whose return is maximised", "hero"), np.int64),
        (("keeps heroes apart in the table", "tag"), np.uint64),
        (("no value is lower", "lowest"), np.float64),
        (("no value is higher", "highest"), np.float64),
        (("0: no pruning at chance nodes, 1: Star1, 2: Star2", "star"), np.int64),
        (("draws at a chance node with more outcomes, or with none that can be listed; 0: list all", "samples"), np.int64),
        (("actions at most that a player chooses from", "width"), np.int64),
        (("1 if outcomes can be listed", "listed"), np.uint8),
        (("1 when the search was stopped and its value means nothing", "stopped"), np.uint8),
        (("best action at the root so far, or NO_ACTION", "action"), np.int32),
    ],
    align=True,
)


class Workspace(NamedTuple):
    """All that one search needs; rows are plies from the root, chance included."""

    states: NDArray[Any]  # (rows + 1,)
    table: NDArray[Any]  # (0,) or (2 ** n,) of ENTRY, in pairs: deepest first, newest second
    actions: NDArray[np.int32]  # (rows, width) legal actions, or outcomes
    order: NDArray[np.float64]  # (rows, width) the higher, the earlier
    chances: NDArray[np.float64]  # (rows, width) probabilities of the outcomes
    low: NDArray[np.float64]  # (rows, width) the value of each outcome is at least that,
    high: NDArray[np.float64]  # (rows, width) at most that
    sums: NDArray[np.float64]  # (rows, 2) both averaged
    history: NDArray[np.float64]  # (players, num_distinct_actions) how much each action has refuted
    values: NDArray[np.float64]  # (players,)
    control: NDArray[Any]  # (1,) of CONTROL
    stop: NDArray[np.uint8]  # (1,) another thread may set it


@njit
def expectimax(w, rng, ply, depth, alpha, beta, probe):  # type: ignore[no-untyped-def]
    """The value of `w.states[ply]` for the hero: exact between alpha and beta, else a bound on that side.

    With `probe` 1 only the most promising action of a player is tried: a lower bound if it is the hero, else an upper one.
    All numbers are int64 and float64: a kernel that calls itself must have one signature.
    """
    # 1. Is there time?
    control = w.control[0]
    if w.stop[0] != 0 or control["nodes"] >= control["node_limit"]:
        control["stopped"] = 1
        return 0.0
    control["nodes"] += 1

    # 2. Is this the end of the line?
    state = w.states[ply]
    player = np.int64(rules.current_player(state))
    if player == TERMINAL or depth == 0 or ply + 1 == len(w.states):
        return _value_of_leaf(w, state, player)

    # 3. Is the state known?
    key = rules.state_key(state) ^ control["tag"]
    table_action = np.int64(NO_ACTION)
    slot = _find(w.table, key)
    if slot >= 0:
        entry = w.table[slot]
        table_action = np.int64(entry["action"])
        value, bound = entry["value"], entry["bound"]
        usable = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if ply > 0 and entry["depth"] == depth and usable:
            return value

    best, best_action = -np.inf, np.int64(NO_ACTION)
    if player == CHANCE:
        # 4. Star2: try one action after each outcome.
        count = list_outcomes(w, rng, ply)
        _set_bounds(w, ply, count)
        for i in range(count if control["star"] == 2 else 0):
            make_child(w, ply, w.actions[ply, i])
            actor = np.int64(rules.current_player(w.states[ply + 1]))
            # A lower bound can only cut off at beta, an upper one only at alpha.
            if actor < 0 or not (beta < control["highest"] if actor == control["hero"] else alpha > control["lowest"]):
                continue
            low, high = _window(w, ply, i, alpha, beta)
            if actor == control["hero"]:
                value = expectimax(w, rng, ply + 1, depth, w.low[ply, i], min(high, w.high[ply, i]), np.int64(1))
                _narrow(w, ply, i, max(value, w.low[ply, i]), w.high[ply, i])
            else:
                value = expectimax(w, rng, ply + 1, depth, max(low, w.low[ply, i]), w.high[ply, i], np.int64(1))
                _narrow(w, ply, i, w.low[ply, i], min(value, w.high[ply, i]))
            if control["stopped"] == 1:
                return 0.0
            if w.sums[ply, 0] >= beta:
                _store(w.table, key, best_action, w.sums[ply, 0], depth, LOWER)
                return w.sums[ply, 0]
            if w.sums[ply, 1] <= alpha:
                _store(w.table, key, best_action, w.sums[ply, 1], depth, UPPER)
                return w.sums[ply, 1]

        # 5. Star1: search each outcome, within the window in which its value matters.
        best = 0.0
        for i in range(count):
            make_child(w, ply, w.actions[ply, i])
            low, high = _window(w, ply, i, alpha, beta)
            value = expectimax(w, rng, ply + 1, depth, max(low, w.low[ply, i]), min(high, w.high[ply, i]), np.int64(0))
            if control["stopped"] == 1:
                return 0.0
            if value >= high:
                _narrow(w, ply, i, value, w.high[ply, i])
                _store(w.table, key, best_action, w.sums[ply, 0], depth, LOWER)
                return w.sums[ply, 0]
            if value <= low:
                _narrow(w, ply, i, w.low[ply, i], value)
                _store(w.table, key, best_action, w.sums[ply, 1], depth, UPPER)
                return w.sums[ply, 1]
            _narrow(w, ply, i, value, value)
            best += w.chances[ply, i] * value
        _store(w.table, key, best_action, best, depth, EXACT)
        return best

    # 6. A player chooses. From here on values are those of this player: the hero's, or the contrary.
    sign = 1.0 if player == control["hero"] else -1.0
    lower, upper = (alpha, beta) if sign > 0 else (-beta, -alpha)
    count, _ = list_actions(state, w.actions[ply], w.order[ply], control["width"])
    _order(w, ply, player, count, table_action)
    tried = 1 if probe == 1 else count
    for i in range(tried):
        action = next_action(w.actions[ply], w.order[ply], i, count)
        make_child(w, ply, action)
        floor = max(lower, best)
        if sign > 0:
            value = expectimax(w, rng, ply + 1, depth - 1, floor, upper, np.int64(0))
        else:
            value = -expectimax(w, rng, ply + 1, depth - 1, -upper, -floor, np.int64(0))
        if control["stopped"] == 1:
            return 0.0
        if value > best:
            best, best_action = value, action
            if ply == 0:
                control["action"] = action
            if best >= upper:
                w.history[player, action] += depth * depth
                break

    # 7. Keep what was found. One action that is no good says nothing about the others.
    at_least = best >= upper or tried < count
    if best > lower or tried == count:
        bound = EXACT if best > lower and not at_least else LOWER if at_least == (sign > 0) else UPPER
        _store(w.table, key, best_action, sign * best, depth, bound)
    return sign * best


@njit
def _value_of_leaf(w, state, player):  # type: ignore[no-untyped-def]
    if player == TERMINAL:
        rules.returns(state, w.values)
    else:
        rules.evaluate(state, w.values)
    return w.values[w.control[0]["hero"]]


@njit
def make_child(w, ply, action):  # type: ignore[no-untyped-def]
    """The state after an action or outcome, in the next row."""
    w.states[ply + 1] = w.states[ply]
    rules.apply_action(w.states[ply + 1], action)


@njit
def _set_bounds(w, ply, count):  # type: ignore[no-untyped-def]
    """Begin with the widest bounds for each outcome."""
    control = w.control[0]
    for i in range(count):
        w.low[ply, i] = control["lowest"]
        w.high[ply, i] = control["highest"]
    w.sums[ply, 0] = control["lowest"]
    w.sums[ply, 1] = control["highest"]


@njit
def _window(w, ply, i, alpha, beta):  # type: ignore[no-untyped-def]
    """Between which values of outcome i the average can still end up between alpha and beta."""
    if w.control[0]["star"] == 0:
        return -np.inf, np.inf
    share = w.chances[ply, i]
    low = (alpha - (w.sums[ply, 1] - share * w.high[ply, i])) / share
    high = (beta - (w.sums[ply, 0] - share * w.low[ply, i])) / share
    return low, high


@njit
def _narrow(w, ply, i, low, high):  # type: ignore[no-untyped-def]
    """Outcome i is worth `low` to `high`."""
    if w.control[0]["star"] > 0:
        w.sums[ply, 0] += w.chances[ply, i] * (low - w.low[ply, i])
        w.sums[ply, 1] += w.chances[ply, i] * (high - w.high[ply, i])
        w.low[ply, i] = low
        w.high[ply, i] = high


@njit
def _order(w, ply, player, count, table_action):  # type: ignore[no-untyped-def]
    """Make of priors the order of actions: the table's, then those that refuted most; the prior among equals."""
    for i in range(count):
        action = w.actions[ply, i]
        w.order[ply, i] = TABLE_FIRST if action == table_action else w.history[player, action] + w.order[ply, i]


@njit
def next_action(actions, order, start, count):  # type: ignore[no-untyped-def]
    """Bring the most promising of the actions from `start` on to the front."""
    best = start
    for i in range(start + 1, count):
        if order[i] > order[best]:
            best = i
    actions[start], actions[best] = actions[best], actions[start]
    order[start], order[best] = order[best], order[start]
    return np.int64(actions[start])


@njit
def _find(table, key):  # type: ignore[no-untyped-def]
    """Where a key stands in the table, or -1."""
    if len(table) > 0:
        slot = np.int64(key & np.uint64(len(table) - 2))
        for i in range(slot, slot + 2):
            if table[i]["key"] == key and table[i]["bound"] != 0:
                return i
    return np.int64(-1)


@njit
def _store(table, key, action, value, depth, bound):  # type: ignore[no-untyped-def]
    """Keep a result: in the first slot of its pair if no other state there was searched deeper, else in the second."""
    if len(table) == 0:
        return
    slot = np.int64(key & np.uint64(len(table) - 2))
    if table[slot]["bound"] != 0 and table[slot]["key"] != key:
        if table[slot]["depth"] > depth:
            slot += 1
        else:
            table[slot + 1] = table[slot]
    entry = table[slot]
    entry["key"] = key
    entry["value"] = value
    entry["action"] = action
    entry["depth"] = depth
    entry["bound"] = bound
