"""The compiled half of alpha-beta: principal variation search over any game without chance or hidden information.

Scores are whole numbers from the point of view of the side to act: SCALE times the value, and a win in n plies is WIN - n,
so that nearer wins count more. There are two sides. With two players they are the players; with more, the player at the root
stands against all others, who are taken to play only against that one (the paranoid reduction).

Sources: T. Marsland, M. Campbell, "Parallel search of strongly ordered game trees" (1982), for principal variation search;
S. Akl, M. Newborn, "The principal continuation and the killer heuristic" (1977); J. Schaeffer, "The history heuristic and
alpha-beta search enhancements in practice" (1989); J. Uiterwijk, "The countermove heuristic" (1992); N. Sturtevant, R. Korf,
"On pruning techniques for multi-player games" (2000), for the paranoid reduction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.game import Game
from gamelab.core.rules import NO_ACTION, TERMINAL
from gamelab.search.forward_pruning import list_actions
from gamelab.search.transposition import EXACT, LOWER, UPPER, find, store, unpack

__all__ = ["INFINITY", "LONGEST_WIN", "MAX_DEPTH", "SCALE", "WIN", "Workspace", "make_workspace", "negamax"]

SCALE = 10_000
WIN = 30_000
MAX_DEPTH = 152  # frames for 119 plies and 32 of quiescence
LONGEST_WIN = WIN - MAX_DEPTH - 1
INFINITY = WIN + 1

# Late moves: those from the fourth on, at three plies or more, are first looked at less deeply.
LATE = 3
REDUCIBLE_DEPTH = 3
HISTORY_LIMIT = 1 << 14
HISTORY, COUNTER = 0, 1

CONTROL = np.dtype(
    [
        (("states reached since the search began", "nodes"), np.int64),
        (("stop when so many are reached", "node_limit"), np.int64),
        (("goes into every key, so that unlike searches do not share results", "salt"), np.uint64),
        (("strength of late-move reductions, 0 for none", "reductions"), np.float64),
        (("actions at most that are searched at each state", "width"), np.int32),
        (("plies at most beyond the depth while the state is not quiet", "quiescence"), np.int16),
        (("number of the root, modulo GENERATIONS", "generation"), np.uint8),
        (("the player who is side 0", "me"), np.int8),
        (("1 when the search was stopped and its score means nothing", "stopped"), np.uint8),
        (("1 when an action has been left out, in any search that the table remembers", "left_out"), np.uint8),
    ],
    align=True,
)


def frame_dtype(game: Game) -> np.dtype[Any]:
    """What the search keeps for one ply."""
    width = (game.max_legal_actions,)
    return np.dtype(
        [
            (("order of the actions: the higher, the earlier", "order"), np.float64, width),
            (("returns or evaluation of the state", "values"), np.float64, (game.num_players,)),
            (("legal actions, the first ones already tried", "actions"), np.int32, width),
            (("principal variation from here", "line"), np.int32, (MAX_DEPTH + 1,)),
            (("actions that refuted at this ply", "killers"), np.int32, (2,)),
            (("actions in the line", "length"), np.int32),
            (("action being looked at", "action"), np.int32),
        ],
        align=True,
    )


class Workspace(NamedTuple):
    """All that one thread's search needs. Few arrays, for all of them are handed on at every ply."""

    states: NDArray[Any]  # (MAX_DEPTH + 1,) the line being looked at
    frames: NDArray[Any]  # (MAX_DEPTH + 1,) of frame_dtype, one a ply
    table: NDArray[Any]  # (2 ** n,) of SLOT, shared by threads
    learned: NDArray[np.int32]  # (2, 2, num_distinct_actions) for each side: HISTORY of an action, COUNTER to the last one
    control: NDArray[Any]  # (1,) of CONTROL
    stop: NDArray[np.uint8]  # (1,) another thread may set it


def make_workspace(game: Game, table: NDArray[Any]) -> Workspace:
    """Room for a search that has learned nothing, around a table."""
    learned = np.zeros((2, 2, game.num_distinct_actions), np.int32)
    learned[:, COUNTER] = NO_ACTION
    frames = np.zeros(MAX_DEPTH + 1, frame_dtype(game))
    frames["killers"] = NO_ACTION
    states = np.zeros(MAX_DEPTH + 1, game.dtype)
    return Workspace(states, frames, table, learned, np.zeros(1, CONTROL), np.zeros(1, np.uint8))


@njit
def negamax(w, ply, depth, alpha, beta):  # type: ignore[no-untyped-def]
    """The score of `w.states[ply]` for its side to act, searched `depth` plies deep, exact between alpha and beta.

    Not called for a state to be evaluated at once. All arguments but the first are int64: a kernel that calls itself must have
    one signature.
    """
    # 1. Is there time?
    control = w.control[0]
    frame = w.frames[ply]
    frame["length"] = 0
    if w.stop[0] != 0 or control["nodes"] >= control["node_limit"]:
        control["stopped"] = 1
        return np.int64(0)

    # 2. No win from here can be nearer than the next ply, no loss nearer than the one after it.
    if ply > 0:
        alpha = max(alpha, -WIN + ply + 1)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha

    # 3. Is the state known?
    state = w.states[ply]
    key = rules.state_key(state) ^ control["salt"]
    known = find(w.table, key)
    table_action = np.int64(NO_ACTION)
    if known != np.uint64(0):
        table_action, score, known_depth, bound = unpack(known)
        if ply > 0 and known_depth >= depth and beta - alpha == 1:
            score = _score_from_table(score, ply)
            if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
                return score

    # 4. What can be played, and what first?
    side = _side(control, rules.current_player(state))
    count, legal = list_actions(state, frame["actions"], frame["order"], np.int64(control["width"]))
    if count < legal:
        control["left_out"] = 1
    last_action = np.int64(w.frames[ply - 1]["action"]) if ply > 0 else np.int64(NO_ACTION)
    _order(w, ply, side, count, table_action, last_action)

    # 5. Play each. The first with the whole window; the others, late ones less deeply, to show that they are no better.
    best = np.int64(-INFINITY)
    best_action = np.int64(NO_ACTION)
    first_alpha = alpha
    for i in range(count):
        action = _next_action(frame, i, count)
        child = w.states[ply + 1]
        w.states[ply + 1] = state
        rules.apply_action(child, action)
        control["nodes"] += 1
        next_player = rules.current_player(child)
        w.frames[ply + 1]["length"] = 0
        if next_player == TERMINAL:
            score = _score_of_end(w, ply + 1, side)
        elif depth <= 1 and (depth - 1 <= -control["quiescence"] or rules.is_quiet(child)):
            score = _score_of_leaf(w, ply + 1, side)
        else:
            reduction = _reduction(control["reductions"], i, depth)
            upper = beta if i == 0 else alpha + 1
            while True:
                if _side(control, next_player) == side:
                    score = negamax(w, ply + 1, depth - 1 - reduction, alpha, upper)
                else:
                    score = -negamax(w, ply + 1, depth - 1 - reduction, -upper, -alpha)
                if score <= alpha or (reduction == 0 and upper == beta):
                    break
                # Better than thought. Does that hold at full depth? Then find out by how much.
                if reduction > 0:
                    reduction = np.int64(0)
                else:
                    upper = beta
        if control["stopped"] == 1:
            return np.int64(0)
        if score > best:
            best, best_action = score, action
            if score > alpha:
                alpha = score
                _lengthen(w, ply, action)
                if alpha >= beta:
                    _remember_refutation(w, side, ply, depth, i, last_action)
                    break

    # 6. Keep what was found.
    bound = LOWER if best >= beta else UPPER if best <= first_alpha else EXACT
    store(w.table, key, best_action, _score_for_table(best, ply), depth, bound, control["generation"])
    return best


@njit
def _side(control, player):  # type: ignore[no-untyped-def]
    return np.int64(0) if player == control["me"] else np.int64(1)


@njit
def _score_for_table(score, ply):  # type: ignore[no-untyped-def]
    """Wins are counted from the root in the search, but from the state itself in the table."""
    return score + ply if score >= LONGEST_WIN else score - ply if score <= -LONGEST_WIN else score


@njit
def _score_from_table(score, ply):  # type: ignore[no-untyped-def]
    return score - ply if score >= LONGEST_WIN else score + ply if score <= -LONGEST_WIN else score


@njit
def _score_of_end(w, ply, side):  # type: ignore[no-untyped-def]
    values = w.frames[ply]["values"]
    rules.returns(w.states[ply], values)
    value = values[w.control[0]["me"]]
    if side == 1:
        value = -value
    if value >= 1.0:
        return np.int64(WIN - ply)
    if value <= -1.0:
        return np.int64(ply - WIN)
    return np.int64(np.rint(SCALE * value))


@njit
def _score_of_leaf(w, ply, side):  # type: ignore[no-untyped-def]
    values = w.frames[ply]["values"]
    rules.evaluate(w.states[ply], values)
    score = np.int64(np.rint(SCALE * values[w.control[0]["me"]]))
    return score if side == 0 else -score


@njit
def _reduction(strength, i, depth):  # type: ignore[no-untyped-def]
    """Plies by which the i-th action is looked at less deeply: more for later ones, and where there is more depth."""
    if strength == 0.0 or i < LATE or depth < REDUCIBLE_DEPTH:
        return np.int64(0)
    return min(np.int64(strength * math.log(depth) * math.log(i)), depth - 2)


@njit
def _order(w, ply, side, count, table_action, last_action):  # type: ignore[no-untyped-def]
    """Make of priors the promise of each action: the table's first, the killers, the counter move, then what refuted most.

    The game's prior decides among equals. Whatever was learned only puts the actions that are listed in order.
    """
    frame = w.frames[ply]
    counter = np.int64(NO_ACTION)
    if last_action != NO_ACTION:
        counter = np.int64(w.learned[side, COUNTER, last_action])
    for i in range(count):
        action = frame["actions"][i]
        if action == table_action:
            promise = 8.0 * HISTORY_LIMIT
        elif action == frame["killers"][0]:
            promise = 6.0 * HISTORY_LIMIT
        elif action == frame["killers"][1]:
            promise = 4.0 * HISTORY_LIMIT
        else:
            promise = w.learned[side, HISTORY, action] + frame["order"][i]
            if action == counter:
                promise += 2.0 * HISTORY_LIMIT
        frame["order"][i] = promise


@njit
def _next_action(frame, start, count):  # type: ignore[no-untyped-def]
    """Bring the most promising of the actions from `start` on to the front, and note it as the one being looked at."""
    order, actions = frame["order"], frame["actions"]
    best = start
    for i in range(start + 1, count):
        if order[i] > order[best]:
            best = i
    actions[start], actions[best] = actions[best], actions[start]
    order[start], order[best] = order[best], order[start]
    frame["action"] = actions[start]
    return np.int64(actions[start])


@njit
def _lengthen(w, ply, action):  # type: ignore[no-untyped-def]
    """The principal variation from `ply`: the action, then the one found behind it."""
    frame, behind = w.frames[ply], w.frames[ply + 1]
    frame["line"][0] = action
    for i in range(behind["length"]):
        frame["line"][i + 1] = behind["line"][i]
    frame["length"] = behind["length"] + 1


@njit
def _remember_refutation(w, side, ply, depth, i, last_action):  # type: ignore[no-untyped-def]
    """The i-th action refuted the last one: it goes up in the history, those tried before it go down."""
    frame = w.frames[ply]
    action = frame["actions"][i]
    if frame["killers"][0] != action:
        frame["killers"][1] = frame["killers"][0]
        frame["killers"][0] = action
    if last_action != NO_ACTION:
        w.learned[side, COUNTER, last_action] = action
    depth = max(depth, np.int64(1))
    bonus = min(depth * depth, HISTORY_LIMIT // 4)
    _adjust(w.learned[side, HISTORY], action, bonus)
    for j in range(i):
        _adjust(w.learned[side, HISTORY], frame["actions"][j], -bonus)


@njit
def _adjust(history, action, bonus):  # type: ignore[no-untyped-def]
    """Move an entry by the bonus, by less the nearer it is to the limit already."""
    history[action] += bonus - history[action] * abs(bonus) // HISTORY_LIMIT
