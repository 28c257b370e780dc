"""Depth-first proof-number search: whether a player can force a result, whatever the opponent does.

One search answers one yes-or-no question about a position of a two-player game without chance or hidden information: does
the attacker get more than 0 (`strict`), or at least 0? A position has a proof number, the fewest positions that must still be
decided to prove "yes", and a disproof number for "no"; the search always goes on where the fewer are missing, and stays
below a position until its numbers pass limits that make another one more promising.

    attacker to act    proof = least proof of the children      disproof = sum of their disproofs
    opponent to act    proof = sum of the children's proofs     disproof = least disproof of the children

Which of the two rules holds follows from who is to act, so that a player may act several times running, or pass.

Transpositions share an entry of the table, and may be counted twice in a sum: numbers are then too large, never an answer
wrong, for 0 stands only where terminal positions prove it. For the same reason no answer is wrong in a game where positions
recur without a trace in `state_key`; but such a search may not end. Games here end, or keep in the key what bounds them.

The search is a loop over a stack of its own, one row a ply, so it can be paused and resumed at any position. The children's
numbers of the line being looked at stay on the stack: a table that is far too small costs time, but loses no answer.

Sources: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search" (1994); A. Nagai, "Df-pn algorithm for
searching AND/OR trees and its applications" (2002); J. Pawlewicz, L. Lew, "Improving depth-first PN-search: 1 + epsilon
trick" (2007); A. Kishimoto, M. Winands, M. Mueller, J.-T. Saito, "Game-tree search using proof numbers: the first twenty
years" (2012).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import mix
from gamelab.core.errors import ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION, TERMINAL

__all__ = ["DECIDED", "ENTRY", "INFINITY", "PAUSED", "TOO_DEEP", "Question", "Stack", "find", "new_table", "reached"]

INFINITY = 1 << 31
# A brother may become this much worse (1 / EPSILON of his number) before the search turns to another: less thrashing.
EPSILON = 4
WAYS = 4
MOST_WORK = 2**32 - 1
FIRST_ROWS, MOST_ROWS = 64, 1 << 14

DECIDED, PAUSED, TOO_DEEP = 0, 1, 2

ENTRY = np.dtype(
    [
        (("key of the state and the question", "key"), np.uint64),
        (("proof and disproof number", "numbers"), np.uint32, (2,)),
        (("positions looked at below; 0 marks an empty entry", "work"), np.uint32),
        (("most promising action; the deciding one where the player to act has won the argument", "action"), np.int32),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        (("the player who wants the answer yes", "attacker"), np.int64),
        (("1: more than 0 is asked for; 0: 0 is enough", "strict"), np.int64),
        (("what sets the question's entries apart from those of others", "tag"), np.uint64),
        (("row of the position being looked at", "ply"), np.int64),
        (("positions reached since the question was asked", "nodes"), np.int64),
    ],
    align=True,
)


class Stack(NamedTuple):
    """The line being looked at; rows are plies from the root, `side` 0 stands for proof and 1 for disproof."""

    states: NDArray[Any]  # (rows + 1,)
    actions: NDArray[np.int32]  # (rows + 1, max_legal_actions)
    counts: NDArray[np.int64]  # (rows,) of those
    numbers: NDArray[np.int64]  # (rows, 2, max_legal_actions) of the children
    found: NDArray[np.int64]  # (rows, 2) of the position itself
    limits: NDArray[np.int64]  # (rows, 2) a number that reaches its limit sends the search back up
    sides: NDArray[np.int64]  # (rows,) 0 where the attacker acts, 1 where the opponent does
    current: NDArray[np.int64]  # (rows,) index of the child being looked at
    keys: NDArray[np.uint64]  # (rows,)
    begun: NDArray[np.int64]  # (rows,) nodes when the search came here
    values: NDArray[np.float64]  # (2,)
    control: NDArray[Any]  # (1,) of CONTROL


@njit
def search(stack, table, node_limit, stop):  # type: ignore[no-untyped-def]
    """Go on until the root is decided, `node_limit` nodes are reached, or `stop` is set. Returns why it ended."""
    control = stack.control[0]
    ply = np.int64(control["ply"])
    while True:
        best, second = _summarise(stack, ply)
        if stack.found[ply, 0] >= stack.limits[ply, 0] or stack.found[ply, 1] >= stack.limits[ply, 1]:
            _keep(stack, table, ply, best)
            if ply == 0:
                return DECIDED
            ply -= 1
            _take_over(stack, ply)
        elif control["nodes"] >= node_limit or stop[0] != 0:
            control["ply"] = ply
            return PAUSED
        elif ply + 1 == len(stack.counts):
            control["ply"] = ply
            return TOO_DEEP
        else:
            _descend(stack, ply, best, second)
            ply += 1
            expand(stack, table, ply)


@njit
def expand(stack, table, ply):  # type: ignore[no-untyped-def]
    """List the children of `stack.states[ply]` with their numbers, up to the first that decides the position."""
    control = stack.control[0]
    state, child = stack.states[ply], stack.states[ply + 1]
    side = np.int64(0 if rules.current_player(state) == control["attacker"] else 1)
    stack.sides[ply] = side
    stack.keys[ply] = rules.state_key(state) ^ control["tag"]
    stack.begun[ply] = control["nodes"]
    count = np.int64(rules.legal_actions(state, stack.actions[ply]))
    for i in range(count):
        stack.states[ply + 1] = state
        rules.apply_action(child, stack.actions[ply, i])
        control["nodes"] += 1
        _first_numbers(stack, table, ply, i)
        if stack.numbers[ply, side, i] == 0:
            count = np.int64(i + 1)
            break
    stack.counts[ply] = count


@njit
def _first_numbers(stack, table, ply, i):  # type: ignore[no-untyped-def]
    """The numbers of a child: known at the end of the game, those of the table, or 1 and its number of actions."""
    child = stack.states[ply + 1]
    if rules.current_player(child) == TERMINAL:
        yes = reached(child, stack.control[0]["attacker"], stack.control[0]["strict"], stack.values)
        stack.numbers[ply, 0, i] = 0 if yes else INFINITY
        stack.numbers[ply, 1, i] = INFINITY if yes else 0
        return
    slot = find(table, rules.state_key(child) ^ stack.control[0]["tag"])
    if slot >= 0:
        for side in range(2):
            stack.numbers[ply, side, i] = np.int64(table[slot]["numbers"][side])
        return
    # One action may do for the player to act; to prove the contrary all have to be answered.
    side = 0 if rules.current_player(child) == stack.control[0]["attacker"] else 1
    stack.numbers[ply, side, i] = 1
    stack.numbers[ply, 1 - side, i] = rules.legal_actions(child, stack.actions[ply + 1])


@njit
def reached(state, attacker, strict, values):  # type: ignore[no-untyped-def]
    """Whether a terminal state is what the attacker wants. `values` is scratch."""
    rules.returns(state, values)
    return values[attacker] > 0 or (strict == 0 and values[attacker] == 0)


@njit
def _summarise(stack, ply):  # type: ignore[no-untyped-def]
    """The position's numbers from its children's. Returns the index of the best child and the second least number."""
    side = stack.sides[ply]
    best, least, second = np.int64(0), np.int64(INFINITY), np.int64(INFINITY)
    total = np.int64(0)
    for i in range(stack.counts[ply]):
        number = stack.numbers[ply, side, i]
        total += stack.numbers[ply, 1 - side, i]
        if number < least:
            best, least, second = np.int64(i), number, least
        elif number < second:
            second = number
    stack.found[ply, side] = least
    # Infinity means decided, so no sum of undecided children may get there.
    stack.found[ply, 1 - side] = INFINITY if least == 0 else min(total, np.int64(INFINITY - 1))
    return best, second


@njit
def _descend(stack, ply, best, second):  # type: ignore[no-untyped-def]
    """Make the best child the next row's position, with the limits up to which it stays the best one."""
    side = stack.sides[ply]
    other = 1 - side
    stack.current[ply] = best
    stack.limits[ply + 1, side] = min(stack.limits[ply, side], second + second // EPSILON + 1)
    room = stack.limits[ply, other] - stack.found[ply, other]
    stack.limits[ply + 1, other] = min(np.int64(INFINITY), room + stack.numbers[ply, other, best])
    stack.states[ply + 1] = stack.states[ply]
    rules.apply_action(stack.states[ply + 1], stack.actions[ply, best])


@njit
def _take_over(stack, ply):  # type: ignore[no-untyped-def]
    """What was found for the child in the next row."""
    for side in range(2):
        stack.numbers[ply, side, stack.current[ply]] = stack.found[ply + 1, side]


@njit
def _keep(stack, table, ply, best):  # type: ignore[no-untyped-def]
    """Store the position's numbers, in place of whichever entry of the bucket took the least work."""
    key = stack.keys[ply]
    bucket = _bucket(table, key)
    slot = bucket
    for i in range(bucket, bucket + WAYS):
        if table[i]["key"] == key and table[i]["work"] != 0:
            slot = i
            break
        if table[i]["work"] < table[slot]["work"]:
            slot = i
    entry = table[slot]
    known = np.int64(entry["work"]) if entry["key"] == key else 0
    entry["key"] = key
    entry["work"] = min(np.int64(MOST_WORK), known + max(1, stack.control[0]["nodes"] - stack.begun[ply]))
    entry["numbers"][0] = stack.found[ply, 0]
    entry["numbers"][1] = stack.found[ply, 1]
    entry["action"] = stack.actions[ply, best]


@njit
def find(table, key):  # type: ignore[no-untyped-def]
    """Where a key stands in the table, or -1."""
    bucket = _bucket(table, key)
    for i in range(bucket, bucket + WAYS):
        if table[i]["key"] == key and table[i]["work"] != 0:
            return i
    return np.int64(-1)


@njit
def _bucket(table, key):  # type: ignore[no-untyped-def]
    return np.int64(key & np.uint64(len(table) - WAYS))


@njit
def _put_away(stack, table):  # type: ignore[no-untyped-def]
    """Leave a paused search: store all that the line being looked at has shown, up to the root."""
    for ply in range(stack.control[0]["ply"], -1, -1):
        best, _ = _summarise(stack, ply)
        _keep(stack, table, ply, best)
        if ply > 0:
            _take_over(stack, ply - 1)
    stack.control[0]["ply"] = 0


@njit
def child_works(stack, table, out):  # type: ignore[no-untyped-def]
    """The work that each child of the root took so far, into `out`; 0 where the table has lost it. Returns their number."""
    state = stack.states[0]
    count = rules.legal_actions(state, stack.actions[0])
    for i in range(count):
        stack.states[1] = state
        rules.apply_action(stack.states[1], stack.actions[0, i])
        out[i] = 0
        if rules.current_player(stack.states[1]) != TERMINAL:
            slot = find(table, rules.state_key(stack.states[1]) ^ stack.control[0]["tag"])
            out[i] = np.int64(table[slot]["work"]) if slot >= 0 else 0
    return count


def new_table(size: int) -> Array:
    """An empty table of at most `size` bytes, shared by all questions about a game.

    Raises
    ------
    ParameterError
        If not even one bucket fits.
    """
    least = WAYS * ENTRY.itemsize
    if size < least:
        raise ParameterError(f"memory: {size} bytes is less than a table of {WAYS} entries takes ({least} bytes)")
    return np.zeros(WAYS << ((size // least).bit_length() - 1), ENTRY)


class Question:
    """Does the attacker get more than 0 (strict), or at least 0? Asked about one position after another.

    Parameters
    ----------
    game : Game
        For two, without chance or hidden information.
    table : ndarray of ENTRY
        From `new_table`.
    """

    def __init__(self, game: Game, table: Array) -> None:
        self.table = table
        self.stack = _new_stack(game, FIRST_ROWS)
        self.answer: bool | None = None
        self._game = game

    def ask(self, array: Array, attacker: int, strict: bool) -> None:
        """Begin with a position that is not terminal; `array` has shape (1,) and is copied."""
        stack = self.stack
        stack.states[0] = array[0]
        stack.control[0] = (attacker, strict, mix(np.uint64(1 + 2 * attacker + strict)), 0, 0)
        stack.limits[0] = INFINITY
        self.answer = None
        expand(stack, self.table, np.int64(0))

    @property
    def nodes(self) -> int:
        """Positions reached since the question was asked."""
        return int(self.stack.control["nodes"][0])

    def search(self, nodes: int, stop: NDArray[np.uint8]) -> bool:
        """Search on, through at most about `nodes` positions more. Returns whether it makes sense to go on later."""
        limit = self.nodes + nodes
        while True:
            status = search(self.stack, self.table, np.int64(limit), stop)
            if status != TOO_DEEP:
                break
            if len(self.stack.counts) >= MOST_ROWS:
                return False
            self.stack = _deeper(self._game, self.stack)
        if status == DECIDED:
            self.answer = bool(self.stack.found[0, 0] == 0)
        return self.answer is None

    def put_away(self) -> None:
        """Store what a search that was not finished has found."""
        if self.answer is None:
            _put_away(self.stack, self.table)

    def children(self) -> dict[int, tuple[int, int]]:
        """Proof and disproof number of each action at the root; those behind one that decides are left out."""
        count = self.stack.counts[0]
        numbers = self.stack.numbers[0, :, :count].T.tolist()
        return {action: (p, d) for action, (p, d) in zip(self.stack.actions[0, :count].tolist(), numbers, strict=True)}

    def deciding_action(self) -> int:
        """The action that makes the answer what it is for the player to act at the root; NO_ACTION if they all lose."""
        side = self.stack.sides[0]
        decides = np.flatnonzero(self.stack.numbers[0, side, : self.stack.counts[0]] == 0)
        return int(self.stack.actions[0, decides[0]]) if len(decides) else NO_ACTION

    def stubborn_action(self) -> int:
        """The action at the root that took the most work to refute."""
        works = np.zeros(self._game.max_legal_actions, np.int64)
        count = child_works(self.stack, self.table, works)
        return int(self.stack.actions[0, works[:count].argmax()])


def _new_stack(game: Game, rows: int) -> Stack:
    width = game.max_legal_actions
    return Stack(
        states=np.zeros(rows + 1, game.dtype),
        actions=np.zeros((rows + 1, width), np.int32),
        counts=np.zeros(rows, np.int64),
        numbers=np.zeros((rows, 2, width), np.int64),
        found=np.zeros((rows, 2), np.int64),
        limits=np.zeros((rows, 2), np.int64),
        sides=np.zeros(rows, np.int64),
        current=np.zeros(rows, np.int64),
        keys=np.zeros(rows, np.uint64),
        begun=np.zeros(rows, np.int64),
        values=np.zeros(2),
        control=np.zeros(1, CONTROL),
    )


def _deeper(game: Game, stack: Stack) -> Stack:
    """The same stack with twice the rows."""
    larger = _new_stack(game, 2 * len(stack.counts))
    for name, old in stack._asdict().items():
        getattr(larger, name)[: len(old)] = old
    return larger
