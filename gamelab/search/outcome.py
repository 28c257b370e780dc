"""The outcome alone, by depth-first search: whether player 0 gets at least so much, with no depth, distance or evaluation.

This is alpha-beta with a null window, the whole rest of the game as one search. A position is answered yes or no by the first
action that gives the player to act what they wish for; so nearly all depends on which action is looked at first.

- The game leaves out what need not be looked at (`rules.relevant_actions`) and ranks the rest (`rules.action_prior`); of equal
  ones, those that decided most positions so far come first.
- The table keeps bounds on the outcome for player 0: at least 1, at least 0, at most 0, at most -1, or 0. So the two questions
  that settle a position help each other, and so do questions about other positions and from either player's side. It holds on
  to what took most work.
- Mirror images share an entry where the game knows any (`rules.symmetric_key`). No actions are kept, so it does not matter
  which of them was seen.

The search is a loop over a stack of its own, one row a ply, so it can be paused and resumed at any position.

Sources: J. Tromp, "Solving Connect-4 on medium board sizes" (2008), and his Fhourstones benchmark, for bounds and work in the
table; P. Pons, "Solving Connect 4: how to build a perfect AI" (2015), for threats as move order; D. Breuker, J. Uiterwijk,
J. van den Herik, "Replacement schemes for transposition tables" (1994).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit_lean
from gamelab.core.errors import ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION, TERMINAL
from gamelab.search.transposition import EXACT, LOWER, SLOT, UPPER, find, make_table, store, unpack

__all__ = ["Question", "new_table"]

NO, YES, UNKNOWN = 0, 1, 2
DECIDED, PAUSED, TOO_DEEP = 0, 1, 2
FIRST_ROWS, MOST_ROWS = 64, 1 << 14
# What takes less work than this is sooner found again than looked up.
LEAST_WORK = 2
# The prior decides; the history only among equals.
TIE_BREAK = 1e-12
# Proof and disproof numbers in the place of which answers stand; see `gamelab.search.dfpn`.
CERTAIN = 1 << 31

CONTROL = np.dtype(
    [
        (("does player 0 get at least 0, or (1) more?", "least"), np.int64),
        (("row of the position being looked at", "ply"), np.int64),
        (("positions reached since the question was asked", "nodes"), np.int64),
        (("YES or NO at the end", "answer"), np.int64),
    ],
    align=True,
)


def frame_dtype(game: Game) -> np.dtype[Any]:
    """What the search keeps for one ply."""
    width = (game.max_legal_actions,)
    return np.dtype(
        [
            (("order of the actions: the higher, the earlier", "order"), np.float64, width),
            (("actions to look at, the first ones already tried", "actions"), np.int32, width),
            (("how many there are", "count"), np.int64),
            (("how many are tried", "tried"), np.int64),
            (("the answer that the player to act wishes for", "wish"), np.int64),
            (("key of the position", "key"), np.uint64),
            (("nodes when the search came here", "begun"), np.int64),
        ],
        align=True,
    )


class Stack(NamedTuple):
    """The line being looked at; rows are plies from the root.

    Kernels are handed the stack and a ply.
    """

    states: NDArray[Any]  # (rows + 1,)
    frames: NDArray[Any]  # (rows,) of frame_dtype
    history: NDArray[np.int64]  # (2, num_distinct_actions) by wish: how often an action decided, less how often it failed to
    values: NDArray[np.float64]  # (2,)
    control: NDArray[Any]  # (1,) of CONTROL


@njit_lean
def search(stack, table, node_limit, stop):  # type: ignore[no-untyped-def]
    """Go on until the root is answered, `node_limit` nodes are reached, or `stop` is set. Returns why it ended."""
    control = stack.control[0]
    ply = np.int64(control["ply"])
    while True:
        frame = stack.frames[ply]
        wish = np.int64(frame["wish"])
        # 1. Without an action left the answer is what the player to act does not wish for.
        if frame["tried"] == frame["count"]:
            answer = np.int64(1 - wish)
        elif control["nodes"] >= node_limit or stop[0] != 0:
            control["ply"] = ply
            return PAUSED
        elif ply + 1 == len(stack.frames):
            control["ply"] = ply
            return TOO_DEEP
        else:
            # 2. Else play the next one. If the child is not known, it is the next row.
            action = _next_action(stack, ply)
            stack.states[ply + 1] = stack.states[ply]
            rules.apply_action(stack.states[ply + 1], action)
            control["nodes"] += 1
            answer = _known(stack, table, ply + 1)
            if answer == UNKNOWN:
                ply += 1
                _expand(stack, ply)
                continue
            if answer != wish:
                continue
        # 3. The position is answered, and with it those before it whose player wished for that.
        while True:
            if answer == stack.frames[ply]["wish"]:
                _learn(stack, ply)
            _keep(stack, table, ply, answer)
            if ply == 0:
                control["answer"] = answer
                control["ply"] = 0
                return DECIDED
            ply -= 1
            if answer != stack.frames[ply]["wish"]:
                break


@njit_lean
def _next_action(stack, ply):  # type: ignore[no-untyped-def]
    """Bring the most promising of the actions not yet tried behind those that are, and count it as tried."""
    frame = stack.frames[ply]
    order, actions = frame["order"], frame["actions"]
    start = np.int64(frame["tried"])
    best = start
    for i in range(start + 1, np.int64(frame["count"])):
        if order[i] > order[best]:
            best = np.int64(i)
    actions[start], actions[best] = actions[best], actions[start]
    order[start], order[best] = order[best], order[start]
    frame["tried"] = start + 1
    return np.int64(actions[start])


@njit_lean
def _known(stack, table, ply):  # type: ignore[no-untyped-def]
    """The answer for `stack.states[ply]` if the game is over or the table has it. Notes the key for the row."""
    state, least = stack.states[ply], np.int64(stack.control[0]["least"])
    if rules.current_player(state) == TERMINAL:
        rules.returns(state, stack.values)
        return np.int64(YES if np.sign(stack.values[0]) >= least else NO)
    key = rules.symmetric_key(state)
    stack.frames[ply]["key"] = key
    data = find(table, key)
    if data != np.uint64(0):
        _, score, _, bound = unpack(data)
        if bound != UPPER and score >= least:
            return np.int64(YES)
        if bound != LOWER and score < least:
            return np.int64(NO)
    return np.int64(UNKNOWN)


@njit_lean
def _expand(stack, ply):  # type: ignore[no-untyped-def]
    """List what to look at in `stack.states[ply]`. At the root that is every legal action: users ask about them."""
    state, frame = stack.states[ply], stack.frames[ply]
    frame["wish"] = YES if rules.current_player(state) == 0 else NO
    frame["begun"] = stack.control[0]["nodes"]
    frame["tried"] = 0
    if ply == 0:
        frame["count"] = rules.legal_actions(state, frame["actions"])
    else:
        frame["count"] = rules.relevant_actions(state, frame["actions"])
    if frame["count"] > 1:
        history = stack.history[frame["wish"]]
        for i in range(frame["count"]):
            action = np.int64(frame["actions"][i])
            frame["order"][i] = rules.action_prior(state, action) + TIE_BREAK * history[action]


@njit_lean
def _learn(stack, ply):  # type: ignore[no-untyped-def]
    """The last action tried decided the position, those before it did not."""
    frame = stack.frames[ply]
    history, actions = stack.history[frame["wish"]], frame["actions"]
    last = np.int64(frame["tried"]) - 1
    for i in range(last):
        history[actions[i]] -= 1
    history[actions[last]] += last


@njit_lean
def _keep(stack, table, ply, answer):  # type: ignore[no-untyped-def]
    """Store the answer, together with what the table has from the other question."""
    frame = stack.frames[ply]
    work = stack.control[0]["nodes"] - frame["begun"]
    if work < LEAST_WORK:
        return
    score = np.int64(stack.control[0]["least"])
    bound = np.int64(LOWER)
    if answer == NO:
        score, bound = score - 1, np.int64(UPPER)
    depth = _length(work)
    data = find(table, frame["key"])
    if data != np.uint64(0):
        _, known, known_depth, known_bound = unpack(data)
        depth = max(depth, known_depth)
        if score == 0 and known == 0 and bound != known_bound:
            bound = np.int64(EXACT)
    store(table, frame["key"], np.int64(NO_ACTION), score, depth, bound, np.int64(0))


@njit_lean
def _length(number):  # type: ignore[no-untyped-def]
    """Binary digits of a number: the scale on which the table compares work."""
    length = np.int64(0)
    while number > 0:
        number >>= 1
        length += 1
    return length


@njit_lean
def begin(stack):  # type: ignore[no-untyped-def]
    """Make `stack.states[0]`, which is not terminal, the root."""
    control = stack.control[0]
    control["ply"] = 0
    control["nodes"] = 0
    control["answer"] = UNKNOWN
    stack.frames[0]["key"] = rules.symmetric_key(stack.states[0])
    _expand(stack, np.int64(0))


@njit_lean
def work_below(stack, table, action):  # type: ignore[no-untyped-def]
    """Binary digits of the work that an action at the root took; 0 where the table does not know."""
    stack.states[1] = stack.states[0]
    rules.apply_action(stack.states[1], action)
    if rules.current_player(stack.states[1]) == TERMINAL:
        return np.int64(0)
    data = find(table, rules.symmetric_key(stack.states[1]))
    if data == np.uint64(0):
        return np.int64(0)
    _, _, depth, _ = unpack(data)
    return depth


def new_table(size: int) -> Array:
    """An empty table of at most `size` bytes, shared by all questions about a game.

    Raises
    ------
    ParameterError
        If not even two entries fit.
    """
    least = 2 * SLOT.itemsize
    if size < least:
        raise ParameterError(f"memory: {size} bytes is less than a table of 2 entries takes ({least} bytes)")
    return make_table(size)


class Question:
    """Does the attacker get more than 0 (strict), or at least 0? Asked about one position after another.

    The same face as `gamelab.search.dfpn.Question`.

    Parameters
    ----------
    game : Game
        For two, without chance or hidden information.
    table : ndarray of SLOT
        From `new_table`.
    """

    def __init__(self, game: Game, table: Array) -> None:
        self.table = table
        self.answer: bool | None = None
        self._game = game
        self._stack = _new_stack(game, FIRST_ROWS)
        self._attacker = 0

    def ask(self, array: Array, attacker: int, strict: bool) -> None:
        """Begin with a position that is not terminal; `array` has shape (1,) and is copied."""
        self._stack.states[0] = array[0]
        self._attacker = attacker
        # "Player 1 gets more than 0" is "player 0 does not get at least 0".
        self._stack.control["least"] = int(strict == (attacker == 0))
        # So that the search depends on nothing but the table.
        self._stack.history.fill(0)
        self.answer = None
        begin(self._stack)

    @property
    def nodes(self) -> int:
        """Positions reached since the question was asked."""
        return int(self._stack.control["nodes"][0])

    def search(self, nodes: int, stop: NDArray[np.uint8]) -> bool:
        """Search on, through at most `nodes` positions more. Returns whether it makes sense to go on later."""
        limit = self.nodes + nodes
        while (status := search(self._stack, self.table, np.int64(limit), stop)) == TOO_DEEP:
            if len(self._stack.frames) >= MOST_ROWS:
                return False
            self._stack = _deeper(self._game, self._stack)
        if status == DECIDED:
            self.answer = self._for_attacker(int(self._stack.control["answer"][0]))
        return self.answer is None

    def _for_attacker(self, answer: int) -> bool:
        return (answer == YES) == (self._attacker == 0)

    def put_away(self) -> None:
        """Nothing to do: what is finished is in the table already."""

    def children(self) -> dict[int, tuple[int, int]]:
        """Each action at the root, as if by proof and disproof number; those behind one that decides are left out."""
        root = self._stack.frames[0]
        wish, tried = int(root["wish"]), int(root["tried"])
        actions = root["actions"][: root["count"]].tolist()
        yes, no = (0, CERTAIN), (CERTAIN, 0)
        wished, failed = (yes, no) if self._for_attacker(wish) else (no, yes)
        if self.answer is not None:
            decided = [failed] * tried
            if int(self._stack.control["answer"][0]) == wish:
                decided[-1] = wished
            return dict(zip(actions, decided, strict=False))
        # The last one tried is being looked at, if the search is below it; then it looked better than those to come.
        looking = int(tried > 0 and int(self._stack.control["ply"][0]) > 0)
        known = [failed] * (tried - looking) + [(1, 1)] * looking
        return dict(zip(actions, known + [(2, 1)] * (len(actions) - tried), strict=True))

    def deciding_action(self) -> int:
        """The action that makes the answer what it is for the player to act at the root; NO_ACTION if they all lose."""
        root = self._stack.frames[0]
        decides = self.answer is not None and self._stack.control["answer"][0] == root["wish"]
        return int(root["actions"][root["tried"] - 1]) if decides else NO_ACTION

    def stubborn_action(self) -> int:
        """The action at the root that took the most work to refute."""
        actions = self._stack.frames[0]["actions"][: self._stack.frames[0]["count"]].tolist()
        return int(max(actions, key=lambda action: work_below(self._stack, self.table, np.int64(action))))


def _new_stack(game: Game, rows: int) -> Stack:
    return Stack(
        states=np.zeros(rows + 1, game.dtype),
        frames=np.zeros(rows, frame_dtype(game)),
        history=np.zeros((2, game.num_distinct_actions), np.int64),
        values=np.zeros(2),
        control=np.zeros(1, CONTROL),
    )


def _deeper(game: Game, stack: Stack) -> Stack:
    """The same stack with twice the rows."""
    larger = _new_stack(game, 2 * len(stack.frames))
    for name, old in stack._asdict().items():
        getattr(larger, name)[: len(old)] = old
    return larger
