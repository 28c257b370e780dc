"""Alpha-beta: principal variation search for two-player games without chance.

Scores are whole numbers from the point of view of the player to act: `SCALE` times the value, and beyond the heuristic
values `WIN` less the plies from the root to the end, so that of two wins the nearer is better. A player may act several times
running; the sign changes only when the player does.

The kernel `negamax` is one node, in numbered steps. `Searcher` deepens it iteratively, each time with a narrow window around
the last score (aspiration), until the budget is used up.

Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975); T. Marsland, M. Campbell, "Parallel search of
strongly ordered game trees" (1982) for the principal variation; J. Schaeffer, "The history heuristic" (1989); D. Breuker,
J. Uiterwijk, H. J. van den Herik, "Replacement schemes for transposition tables" (1994) for the two-tier table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION, TERMINAL

__all__ = ["MAX_DEPTH", "SCALE", "WIN", "SearchResult", "Searcher", "mate_distance", "value_of_score"]

SCALE = 10_000
WIN = 30_000
MAX_DEPTH = 120
LONGEST_WIN = WIN - MAX_DEPTH - 1
INFINITY = WIN + 1
ASPIRATION = 300
WIDER = 4
HISTORY_LIMIT = 1 << 20

EXACT, LOWER, UPPER = 1, 2, 3

ENTRY = np.dtype(
    [
        (("key of the state", "key"), np.uint64),
        (("best or refuting action, or NO_ACTION", "action"), np.int32),
        (("score; wins counted from this state", "score"), np.int16),
        (("depth searched below, in plies", "depth"), np.uint8),
        (("EXACT, LOWER or UPPER; 0 marks an empty entry", "bound"), np.uint8),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        (("states reached since the search began", "nodes"), np.int64),
        (("stop when so many are reached", "node_limit"), np.int64),
        (("1 when the search was stopped and its score means nothing", "stopped"), np.uint8),
    ],
    align=True,
)


class Workspace(NamedTuple):
    """All that one search needs; rows are plies from the root."""

    states: NDArray[Any]  # (MAX_DEPTH + 1,) the line being looked at
    table: NDArray[Any]  # (2 ** n,) of ENTRY, in pairs: deepest first, newest second
    actions: NDArray[np.int32]  # (MAX_DEPTH, max_legal_actions)
    order: NDArray[np.float64]  # (MAX_DEPTH, max_legal_actions) the higher, the earlier
    killers: NDArray[np.int32]  # (MAX_DEPTH, 2) actions that refuted at this ply
    history: NDArray[np.int32]  # (2, num_distinct_actions) how much each action has refuted
    variation: NDArray[np.int32]  # (MAX_DEPTH + 1, MAX_DEPTH + 1) principal variation from each ply on
    lengths: NDArray[np.int32]  # (MAX_DEPTH + 1,) of those
    values: NDArray[np.float64]  # (2,)
    control: NDArray[Any]  # (1,) of CONTROL
    stop: NDArray[np.uint8]  # (1,) another thread may set it


@njit
def negamax(w, ply, depth, alpha, beta):  # type: ignore[no-untyped-def]
    """The score of `w.states[ply]` for its player to act, searched `depth` >= 1 plies deep, exact between alpha and beta.

    All arguments but the first are int64: a kernel that calls itself must have one signature.
    """
    # 1. Is there time?
    control = w.control[0]
    w.lengths[ply] = 0
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
    key = rules.state_key(state)
    slot = _find(w.table, key)
    table_action = np.int64(NO_ACTION)
    if slot >= 0:
        entry = w.table[slot]
        table_action = np.int64(entry["action"])
        if ply > 0 and entry["depth"] >= depth and beta - alpha == 1:
            known = _score_from_table(entry["score"], ply)
            bound = entry["bound"]
            if bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha):
                return known

    # 4. What can be played, and what first?
    player = rules.current_player(state)
    actions = w.actions[ply]
    order = w.order[ply]
    count = rules.legal_actions(state, actions)
    for i in range(count):
        order[i] = _promise(w, state, player, ply, actions[i], table_action)

    # 5. Play each. The first with the whole window, the others to show that they are no better.
    best = np.int64(-INFINITY)
    best_action = np.int64(NO_ACTION)
    first_alpha = alpha
    for i in range(count):
        action = _next_action(actions, order, i, count)
        w.states[ply + 1] = state
        rules.apply_action(w.states[ply + 1], action)
        control["nodes"] += 1
        next_player = rules.current_player(w.states[ply + 1])
        w.lengths[ply + 1] = 0
        if next_player == TERMINAL:
            score = _score_of_end(w, ply + 1, player)
        elif depth == 1:
            score = _score_of_leaf(w, ply + 1, player)
        else:
            upper = beta if i == 0 else alpha + 1
            while True:
                if next_player == player:
                    score = negamax(w, ply + 1, depth - 1, alpha, upper)
                else:
                    score = -negamax(w, ply + 1, depth - 1, -upper, -alpha)
                if upper == beta or score < upper:
                    break
                upper = beta  # better than thought: find out by how much
        if control["stopped"] == 1:
            return np.int64(0)
        if score > best:
            best, best_action = score, action
            if score > alpha:
                alpha = score
                _lengthen(w, ply, action)
                if alpha >= beta:
                    _remember_refutation(w, player, ply, depth, action)
                    break

    # 6. Keep what was found.
    bound = LOWER if best >= beta else UPPER if best <= first_alpha else EXACT
    _store(w.table, key, best_action, _score_for_table(best, ply), depth, bound)
    return best


@njit
def _find(table, key):  # type: ignore[no-untyped-def]
    """Where a state stands in the table, or -1."""
    slot = np.int64(key & np.uint64(len(table) - 2))
    for i in range(slot, slot + 2):
        if table[i]["key"] == key and table[i]["bound"] != 0:
            return i
    return np.int64(-1)


@njit
def _store(table, key, action, score, depth, bound):  # type: ignore[no-untyped-def]
    """Keep a result: in the first slot of its pair if no other state there was searched deeper, else in the second."""
    slot = np.int64(key & np.uint64(len(table) - 2))
    deep = table[slot]
    if deep["bound"] != 0 and deep["key"] != key and deep["depth"] > depth:
        slot += 1
    elif deep["bound"] != 0 and deep["key"] != key:
        table[slot + 1] = table[slot]
    entry = table[slot]
    entry["key"] = key
    entry["action"] = action
    entry["score"] = score
    entry["depth"] = depth
    entry["bound"] = bound


@njit
def _score_for_table(score, ply):  # type: ignore[no-untyped-def]
    """Wins are counted from the root in the search, but from the state itself in the table."""
    return score + ply if score >= LONGEST_WIN else score - ply if score <= -LONGEST_WIN else score


@njit
def _score_from_table(score, ply):  # type: ignore[no-untyped-def]
    score = np.int64(score)
    return score - ply if score >= LONGEST_WIN else score + ply if score <= -LONGEST_WIN else score


@njit
def _score_of_end(w, ply, player):  # type: ignore[no-untyped-def]
    rules.returns(w.states[ply], w.values)
    value = w.values[player]
    if value >= 1.0:
        return np.int64(WIN - ply)
    if value <= -1.0:
        return np.int64(ply - WIN)
    return np.int64(np.rint(SCALE * value))


@njit
def _score_of_leaf(w, ply, player):  # type: ignore[no-untyped-def]
    rules.evaluate(w.states[ply], w.values)
    return np.int64(np.rint(SCALE * w.values[player]))


@njit
def _promise(w, state, player, ply, action, table_action):  # type: ignore[no-untyped-def]
    """The order of actions: the table's, the killers, then those that refuted most; the game's prior among equals."""
    if action == table_action:
        return 4.0 * HISTORY_LIMIT
    if action == w.killers[ply, 0]:
        return 3.0 * HISTORY_LIMIT
    if action == w.killers[ply, 1]:
        return 2.0 * HISTORY_LIMIT
    return w.history[player, action] + rules.action_prior(state, action)


@njit
def _next_action(actions, order, start, count):  # type: ignore[no-untyped-def]
    """Bring the most promising of the actions from `start` on to the front."""
    best = start
    for i in range(start + 1, count):
        if order[i] > order[best]:
            best = i
    actions[start], actions[best] = actions[best], actions[start]
    order[start], order[best] = order[best], order[start]
    return np.int64(actions[start])


@njit
def _lengthen(w, ply, action):  # type: ignore[no-untyped-def]
    """The principal variation from `ply`: the action, then the one found behind it."""
    behind = w.lengths[ply + 1]
    w.variation[ply, 0] = action
    for i in range(behind):
        w.variation[ply, i + 1] = w.variation[ply + 1, i]
    w.lengths[ply] = behind + 1


@njit
def _remember_refutation(w, player, ply, depth, action):  # type: ignore[no-untyped-def]
    if w.killers[ply, 0] != action:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = action
    w.history[player, action] += depth * depth
    if w.history[player, action] >= HISTORY_LIMIT:
        for row in range(2):
            for i in range(w.history.shape[1]):
                w.history[row, i] >>= 1


def mate_distance(score: int) -> int | None:
    """Plies to the end if the score is a sure win (positive) or loss (negative), else None.

    Examples
    --------
    >>> mate_distance(WIN - 3), mate_distance(2 - WIN), mate_distance(120)
    (3, -2, None)
    """
    if abs(score) < LONGEST_WIN:
        return None
    return WIN - score if score > 0 else -WIN - score


def value_of_score(score: int) -> float:
    """The score on the scale of returns, [-1, 1]."""
    return float(np.sign(score)) if abs(score) >= LONGEST_WIN else score / SCALE


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    action : int
    score : int
        For the player to act; see `value_of_score` and `mate_distance`.
    depth : int
        Plies of the last finished iteration.
    nodes : int
        States reached, all iterations together.
    principal_variation : list of int
    """

    action: int
    score: int
    depth: int
    nodes: int
    principal_variation: list[int] = field(default_factory=list)


class Searcher:
    """Iterative deepening over `negamax`, with its memory.

    Parameters
    ----------
    game : Game
        Two players, no chance, nothing hidden.
    table_bytes : int
        At most so many for the transposition table.

    Raises
    ------
    AgentError
        If the game is of another kind.
    ParameterError
        If there is no room for a table of two entries.
    """

    def __init__(self, game: Game, table_bytes: int) -> None:
        if game.num_players != 2 or game.chance_mode != "deterministic" or game.hidden_information:
            raise AgentError(f"alphabeta plays games for two without chance or hidden information; {game.name} is none")
        if table_bytes < 2 * ENTRY.itemsize:
            raise ParameterError(f"memory: {table_bytes} bytes is less than two table entries ({2 * ENTRY.itemsize} bytes)")
        self.game = game
        self._entries = 1 << ((table_bytes // ENTRY.itemsize).bit_length() - 1)
        self.forget()

    def forget(self) -> None:
        """Begin as new: what was learned in earlier searches is gone."""
        width = self.game.max_legal_actions
        self.workspace = Workspace(
            states=np.zeros(MAX_DEPTH + 1, self.game.dtype),
            table=np.zeros(self._entries, ENTRY),
            actions=np.zeros((MAX_DEPTH, width), np.int32),
            order=np.zeros((MAX_DEPTH, width)),
            killers=np.full((MAX_DEPTH, 2), NO_ACTION, np.int32),
            history=np.zeros((2, self.game.num_distinct_actions), np.int32),
            variation=np.zeros((MAX_DEPTH + 1, MAX_DEPTH + 1), np.int32),
            lengths=np.zeros(MAX_DEPTH + 1, np.int32),
            values=np.zeros(2),
            control=np.zeros(1, CONTROL),
            stop=np.zeros(1, np.uint8),
        )

    def search(self, array: Array, *, depth: int, nodes: int, stop: NDArray[np.uint8]) -> SearchResult:
        """Search a state that is not at its end.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            The state; unchanged.
        depth : int
            Plies at most, 1 to `MAX_DEPTH` - 1.
        nodes : int
            States at most; the first iteration is always finished.
        stop : ndarray of uint8, shape (1,)
            Another thread may set it; the first iteration is finished all the same.
        """
        w = self.workspace._replace(stop=stop)
        w.states[0] = array[0]
        w.killers.fill(NO_ACTION)
        w.history[:] >>= 3
        w.control["nodes"] = 0
        found = self._first_iteration(w)
        w.control["node_limit"] = nodes
        while found.depth < depth and mate_distance(found.score) is None:
            found, finished = self._iteration(w, found)
            if not finished:
                break
        return found

    def _first_iteration(self, w: Workspace) -> SearchResult:
        w = w._replace(stop=np.zeros(1, np.uint8))
        w.control["node_limit"] = np.iinfo(np.int64).max
        w.control["stopped"] = 0
        score = _root(w, 1, -INFINITY, INFINITY)
        return self._result(w, score, 1)

    def _iteration(self, w: Workspace, last: SearchResult) -> tuple[SearchResult, bool]:
        """One ply deeper than `last`. Returns what is known now, and whether the iteration was finished."""
        depth, margin = last.depth + 1, ASPIRATION
        alpha, beta = last.score - margin, last.score + margin
        while True:
            score = _root(w, depth, max(alpha, -INFINITY), min(beta, INFINITY))
            if w.control[0]["stopped"]:
                return self._interrupted(w, last, alpha), False
            if alpha < score < beta:
                return self._result(w, score, depth), True
            margin *= WIDER
            wide = margin >= SCALE
            alpha = -INFINITY if wide else min(alpha, last.score - margin) if score <= alpha else alpha
            beta = INFINITY if wide else max(beta, last.score + margin) if score >= beta else beta

    def _result(self, w: Workspace, score: int, depth: int) -> SearchResult:
        line = w.variation[0, : w.lengths[0]].tolist()
        return SearchResult(line[0], int(score), depth, int(w.control[0]["nodes"]), line)

    def _interrupted(self, w: Workspace, last: SearchResult, alpha: int) -> SearchResult:
        """An unfinished iteration counts if it has already found something: what it looks at first is the best so far."""
        nodes = int(w.control[0]["nodes"])
        line = w.variation[0, : w.lengths[0]].tolist() or last.principal_variation
        return SearchResult(line[0], last.score, last.depth, nodes, line)


def _root(w: Workspace, depth: int, alpha: int, beta: int) -> int:
    return int(negamax(w, np.int64(0), np.int64(depth), np.int64(alpha), np.int64(beta)))
