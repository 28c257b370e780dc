"""Max^n: every player maximises their own return. For any number of players, with chance or without.

A state is worth a vector, one value a player: that of the child which is best for the player to act. Chance nodes are worth the
average of their outcomes. Depth counts actions of players only; at depth 0 a state is judged as it stands, chance nodes too.
(C. Luckhardt, K. Irani, "An algorithmic solution of n-person games", 1986.)

Of actions equally good for the player to act the first in the list is taken. That makes results repeatable, and it is a choice:
what is a tie to one player may decide between the others, so another rule can lead to other values, each a subgame-perfect
equilibrium of the tree that was searched. With two players there is but one, the minimax value.

Pruning changes neither values nor choices. Returns add up to 0 and none is below -1, so when a player has found x, the others
together get -x, and any one of them at most n - 2 - x. If that is less than the player one ply up already has, this position
will not be chosen (shallow pruning: R. Korf, "Multi-player alpha-beta pruning", 1991). It goes no deeper than one ply: what is
of no use to a player further up can still decide what those in between choose. Beyond a chance node nothing is pruned.

Chance nodes whose outcomes are too many to list are worth the average of some that are drawn. With a width, players have no
other actions than those that `gamelab.search.forward_pruning` keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import AgentError, ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.numbers import is_whole
from gamelab.core.rules import CHANCE, NO_ACTION, TERMINAL
from gamelab.search.chance import checked_samples, list_outcomes
from gamelab.search.forward_pruning import checked_width, list_actions
from gamelab.search.star import make_child, next_action

__all__ = ["MAX_DEPTH", "MaxN", "MaxNResult"]

MAX_DEPTH = 100
# Actions and chance outcomes in one line; a longer one is judged where it stands.
MAX_PLIES = 200
# Values that add up to 0 do so only almost; this much more than rounding errors can come to.
MARGIN = 1e-8
FIRST = 1e12

STOPPED, CUT, EXACT = 0, 1, 2

ENTRY = np.dtype(
    [
        (("key of the state", "key"), np.uint64),
        (("best action", "action"), np.int32),
        (("actions searched below; 0 marks an empty entry", "depth"), np.uint8),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        (("states reached since the search began", "nodes"), np.int64),
        (("stop when so many are reached", "node_limit"), np.int64),
        (("action to look at first at the root, or NO_ACTION", "first"), np.int64),
        (("draws at a chance node with more outcomes, or with none that can be listed; 0: list all", "samples"), np.int64),
        (("actions at most that a player chooses from", "width"), np.int64),
        (("1 if outcomes can be listed", "listed"), np.uint8),
        (("1 when the search was stopped", "stopped"), np.uint8),
    ],
    align=True,
)


class Workspace(NamedTuple):
    """All that one search needs; rows are plies from the root, chance included."""

    states: NDArray[Any]  # (MAX_PLIES + 1,)
    actions: NDArray[np.int32]  # (MAX_PLIES, width) legal actions, or outcomes
    order: NDArray[np.float64]  # (MAX_PLIES, width) the higher, the earlier
    chances: NDArray[np.float64]  # (MAX_PLIES, width) probabilities of the outcomes
    values: NDArray[np.float64]  # (MAX_PLIES + 1, players) what the state is worth
    variation: NDArray[np.int32]  # (MAX_PLIES + 1, MAX_PLIES + 1) principal variation from each ply on, up to chance
    lengths: NDArray[np.int32]  # (MAX_PLIES + 1,) of those
    history: NDArray[np.float64]  # (players, num_distinct_actions) how much each action has cut off
    table: NDArray[Any]  # (0,) or (2 ** n,) of ENTRY, in pairs: deepest first, newest second
    vectors: NDArray[np.float64]  # (entries, players) of those
    control: NDArray[Any]  # (1,) of CONTROL
    stop: NDArray[np.uint8]  # (1,) another thread may set it


@njit
def maxn(w, rng, ply, depth, floor, ties):  # type: ignore[no-untyped-def]
    """Write what `w.states[ply]` is worth into `w.values[ply]` and return EXACT, or CUT if it is of no use one ply up.

    It is of use if it gives the player one ply up more than `floor`, or just that much where `ties` is 1; a floor of -inf
    prunes nothing. All numbers are int64 and float64: a kernel that calls itself must have one signature.
    """
    # 1. Is there time?
    control = w.control[0]
    if w.stop[0] != 0 or control["nodes"] >= control["node_limit"]:
        control["stopped"] = 1
        return np.int64(STOPPED)
    control["nodes"] += 1

    # 2. Is this the end of the line?
    state, worth = w.states[ply], w.values[ply]
    w.lengths[ply] = 0
    player = np.int64(rules.current_player(state))
    if player == TERMINAL:
        rules.returns(state, worth)
        return np.int64(EXACT)
    if depth == 0 or ply + 1 == len(w.states):
        rules.evaluate(state, worth)
        return np.int64(EXACT)

    # 3. Is the state known?
    key = rules.state_key(state)
    first = np.int64(control["first"]) if ply == 0 else np.int64(NO_ACTION)
    slot = _find(w.table, key)
    if slot >= 0 and ply > 0:
        first = np.int64(w.table[slot]["action"])
        if w.table[slot]["depth"] == depth:
            worth[:] = w.vectors[slot]
            _begin_line(w, ply, first)
            return np.int64(EXACT)

    # 4. Chance: the average.
    if player == CHANCE:
        worth[:] = 0.0
        for i in range(list_outcomes(w, rng, ply)):
            make_child(w, ply, w.actions[ply, i])
            if maxn(w, rng, ply + 1, depth, -np.inf, np.int64(0)) == STOPPED:
                return np.int64(STOPPED)
            for other in range(len(worth)):
                worth[other] += w.chances[ply, i] * w.values[ply + 1, other]
        _store(w, key, np.int64(NO_ACTION), depth, worth)
        return np.int64(EXACT)

    # 5. A player: the best child. The first of several, whichever is looked at first.
    count, _ = list_actions(state, w.actions[ply], w.order[ply], control["width"])
    for i in range(count):
        action = w.actions[ply, i]
        w.order[ply, i] = FIRST if action == first else w.history[player, action] + w.order[ply, i]
    best, best_action = -np.inf, np.int64(NO_ACTION)
    for i in range(count):
        action = next_action(w.actions[ply], w.order[ply], i, count)
        if best >= 1.0 and action > best_action:
            continue  # nothing can be better
        make_child(w, ply, action)
        needed = best if rules.current_player(w.states[ply + 1]) != player else -np.inf
        found = maxn(w, rng, ply + 1, depth - 1, needed, np.int64(action < best_action))
        if found == STOPPED:
            return np.int64(STOPPED)
        value = w.values[ply + 1, player]
        if found == CUT or value < best or (value == best and action > best_action):
            continue
        best, best_action = value, action
        worth[:] = w.values[ply + 1]
        _lengthen(w, ply, action)
        # 6. What is left for the player one ply up?
        most = len(worth) - 2 - best
        if most < floor - MARGIN or (ties == 0 and most <= floor):
            w.history[player, action] += depth * depth
            return np.int64(CUT)
    _store(w, key, best_action, depth, worth)
    return np.int64(EXACT)


@njit
def _begin_line(w, ply, action):  # type: ignore[no-untyped-def]
    """A principal variation of one action, if there is one."""
    w.variation[ply, 0] = action
    w.lengths[ply] = 0 if action == NO_ACTION else 1


@njit
def _lengthen(w, ply, action):  # type: ignore[no-untyped-def]
    """The principal variation from `ply`: the action, then the one found behind it."""
    behind = w.lengths[ply + 1]
    w.variation[ply, 0] = action
    for i in range(behind):
        w.variation[ply, i + 1] = w.variation[ply + 1, i]
    w.lengths[ply] = behind + 1


@njit
def _find(table, key):  # type: ignore[no-untyped-def]
    """Where a key stands in the table, or -1."""
    if len(table) > 0:
        slot = np.int64(key & np.uint64(len(table) - 2))
        for i in range(slot, slot + 2):
            if table[i]["key"] == key and table[i]["depth"] != 0:
                return i
    return np.int64(-1)


@njit
def _store(w, key, action, depth, worth):  # type: ignore[no-untyped-def]
    """Keep a result: in the first slot of its pair if no other state there was searched deeper, else in the second."""
    if len(w.table) == 0:
        return
    slot = np.int64(key & np.uint64(len(w.table) - 2))
    if w.table[slot]["depth"] != 0 and w.table[slot]["key"] != key:
        if w.table[slot]["depth"] > depth:
            slot += 1
        else:
            w.table[slot + 1] = w.table[slot]
            w.vectors[slot + 1] = w.vectors[slot]
    entry = w.table[slot]
    entry["key"] = key
    entry["action"] = action
    entry["depth"] = depth
    w.vectors[slot] = worth


@dataclass(frozen=True)
class MaxNResult:
    """What a search found.

    Attributes
    ----------
    action : int
    values : list of float
        Of each player, from the last finished iteration.
    depth : int
        Actions deep in that iteration.
    nodes : int
        States reached, all iterations together.
    principal_variation : list of int
        What everybody is expected to do, up to the first chance node.
    """

    action: int
    values: list[float]
    depth: int
    nodes: int
    principal_variation: list[int]


class MaxN:
    """Iterative deepening over `maxn`, with its memory.

    Parameters
    ----------
    game : Game
        Two players or more; what is hidden is open to the search.
    table_bytes : int
        At most so many for the transposition table; too few for a pair of entries: no table.
    samples : int, optional
        At a chance node with more outcomes than that, draw so many instead. Not given: all are listed; where that is
        impossible, `DEFAULT_SAMPLES` are drawn (see `gamelab.search.chance`).
    width : int, optional
        Each player, at each node, has only so many actions, those with the highest `rules.action_prior`; see
        `gamelab.search.forward_pruning`. Not given: all.

    Raises
    ------
    AgentError
        If the game is for one.
    ParameterError
        For samples or a width that are no whole number of at least 1.
    """

    def __init__(self, game: Game, table_bytes: int = 0, *, samples: int | None = None, width: int | None = None) -> None:
        if game.num_players < 2:
            raise AgentError(f"maxn plays games for two or more; {game.name} is none")
        self.game = game
        self._samples, self._width = checked_samples(samples, game), checked_width(width, game)
        entries = 1 << (table_bytes // (ENTRY.itemsize + 8 * game.num_players)).bit_length() >> 1
        self._entries = entries if entries > 1 else 0
        self.forget()

    def forget(self) -> None:
        """Begin as new: what was learned in earlier searches is gone."""
        game = self.game
        width = max(game.max_legal_actions, game.max_chance_outcomes, self._samples)
        self.workspace = Workspace(
            states=np.zeros(MAX_PLIES + 1, game.dtype),
            actions=np.zeros((MAX_PLIES, width), np.int32),
            order=np.zeros((MAX_PLIES, width)),
            chances=np.zeros((MAX_PLIES, width)),
            values=np.zeros((MAX_PLIES + 1, game.num_players)),
            variation=np.zeros((MAX_PLIES + 1, MAX_PLIES + 1), np.int32),
            lengths=np.zeros(MAX_PLIES + 1, np.int32),
            history=np.zeros((game.num_players, game.num_distinct_actions)),
            table=np.zeros(self._entries, ENTRY),
            vectors=np.zeros((self._entries, game.num_players)),
            control=np.zeros(1, CONTROL),
            stop=np.zeros(1, np.uint8),
        )

    def search(
        self, array: Array, *, depth: int, nodes: int, stop: NDArray[np.uint8], rng: np.random.Generator | int = 0
    ) -> MaxNResult:
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
        w = self._begin(array)
        w.history[:] /= 8
        found = self._iteration(w, None, rng)
        w = w._replace(stop=stop)
        w.control["node_limit"] = nodes
        while found.depth < depth and not w.control["stopped"][0]:
            found = self._iteration(w, found, rng)
        return found

    def values(self, array: Array, depth: int, rng: np.random.Generator | int = 0) -> list[float]:
        """What any state is worth to each player, `depth` actions deep; at depth 0 and at the end without a search."""
        w = self._begin(array)
        maxn(w, np.random.default_rng(rng), np.int64(0), np.int64(depth), -np.inf, np.int64(0))
        return w.values[0].tolist()  # type: ignore[no-any-return]

    def _begin(self, array: Array) -> Workspace:
        """Make a state the root, with no limits."""
        w = self.workspace
        w.states[0] = array[0]
        control = w.control[0]
        control["nodes"], control["node_limit"], control["stopped"] = 0, np.iinfo(np.int64).max, 0
        control["first"] = NO_ACTION
        control["samples"], control["listed"] = self._samples, self.game.chance_mode != "sampled"
        control["width"] = self._width
        return w

    def _iteration(self, w: Workspace, last: MaxNResult | None, rng: np.random.Generator) -> MaxNResult:
        """One action deeper than `last`. If it is stopped, what it has found so far counts: the last choice came first."""
        w.control["first"] = NO_ACTION if last is None else last.action
        depth = 1 if last is None else last.depth + 1
        maxn(w, rng, np.int64(0), np.int64(depth), -np.inf, np.int64(0))
        nodes = int(w.control["nodes"][0])
        line = w.variation[0, : w.lengths[0]].tolist()
        if last is None or not w.control["stopped"][0]:
            return MaxNResult(line[0], w.values[0].tolist(), depth, nodes, line)
        line = line or last.principal_variation
        return MaxNResult(line[0], last.values, last.depth, nodes, line)
