"""Proofs taken out of a table and checked: a strategy for one player, and that it does what is claimed.

A solved question leaves entries in a table, some of them replaced by now, and told apart by 64-bit keys alone. `Walk` goes
through the proof from the root, one action at the positions of the player who keeps to the strategy and every action at the
opponent's, and asks the rules at each end of the game. Where the table has lost an entry the position is solved again. What
comes out does not depend on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import mix
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION, TERMINAL
from gamelab.search.dfpn import FIRST_ROWS, Question, find, reached

__all__ = ["Strategy", "take_out"]

CHECKED, MISSING, WRONG, FULL, TOO_DEEP = 0, 1, 2, 3, 4
NEW, SEEN = 5, 6
FIRST_SLOTS = 1 << 10

CONTROL = np.dtype(
    [
        (("the player who keeps to the strategy", "player"), np.int64),
        (("attacker of the question", "attacker"), np.int64),
        (("whether the question is strict", "strict"), np.int64),
        (("tag of the question's entries", "tag"), np.uint64),
        (("row of the position whose actions are being walked; -1 before the root", "ply"), np.int64),
        (("positions in the strategy", "size"), np.int64),
    ],
    align=True,
)


class Walk(NamedTuple):
    """Where the walk stands; rows are plies from the root."""

    states: NDArray[Any]  # (rows + 1,)
    actions: NDArray[np.int32]  # (rows, max_legal_actions) those to be walked
    counts: NDArray[np.int64]  # (rows,) of those
    next: NDArray[np.int64]  # (rows,) index of the one that is next
    keys: NDArray[np.uint64]  # (slots,) positions walked, a hash set; 0 marks an empty slot
    choices: NDArray[np.int32]  # (slots,) the strategy's action, NO_ACTION where the opponent acts or the game is over
    values: NDArray[np.float64]  # (2,)
    control: NDArray[Any]  # (1,) of CONTROL


@njit
def walk(w, table):  # type: ignore[no-untyped-def]
    """Walk on. Returns CHECKED at the end; else why it came to a halt at `w.states[ply + 1]`."""
    control = w.control[0]
    while True:
        ply = np.int64(control["ply"])
        if ply >= 0:
            if w.next[ply] == w.counts[ply]:
                control["ply"] = ply - 1
                if ply == 0:
                    return CHECKED
                continue
            w.states[ply + 1] = w.states[ply]
            rules.apply_action(w.states[ply + 1], w.actions[ply, w.next[ply]])
        if ply + 1 == len(w.counts):
            return TOO_DEEP
        status = _enter(w, table, ply + 1)
        if status != NEW and status != SEEN:
            return status
        if ply >= 0:
            w.next[ply] += 1
        if status == NEW:
            control["ply"] = ply + 1


@njit
def _enter(w, table, ply):  # type: ignore[no-untyped-def]
    """Add a position to the set, and list what is to be walked from there."""
    control = w.control[0]
    state = w.states[ply]
    key = rules.state_key(state)
    slot = _slot(w.keys, key)
    if w.keys[slot] != 0:
        return SEEN
    if 2 * (control["size"] + 1) > len(w.keys):
        return FULL
    side = np.int64(0 if control["player"] == control["attacker"] else 1)
    player = rules.current_player(state)
    choice = np.int64(NO_ACTION)
    if player == TERMINAL:
        if reached(state, control["attacker"], control["strict"], w.values) != (side == 0):
            return WRONG
        w.counts[ply] = 0
    elif player == control["player"]:
        known = find(table, key ^ control["tag"])
        if known < 0 or table[known]["numbers"][side] != 0:
            return MISSING
        choice = np.int64(table[known]["action"])
        w.actions[ply, 0] = choice
        w.counts[ply] = 1
    else:
        w.counts[ply] = rules.legal_actions(state, w.actions[ply])
    w.next[ply] = 0
    w.keys[slot] = _nonzero(key)
    w.choices[slot] = choice
    control["size"] += 1
    return NEW


@njit
def _slot(keys, key):  # type: ignore[no-untyped-def]
    """Where a key stands in the hash set, or the empty slot where it belongs."""
    mask = np.uint64(len(keys) - 1)
    slot = mix(key) & mask
    while keys[slot] != 0 and keys[slot] != _nonzero(key):
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)


@njit
def _nonzero(key):  # type: ignore[no-untyped-def]
    return key if key != 0 else np.uint64(1)


@njit
def _move(old_keys, old_choices, keys, choices):  # type: ignore[no-untyped-def]
    """Fill a larger hash set with what is in the old one."""
    for i in range(len(old_keys)):
        if old_keys[i] != 0:
            slot = _slot(keys, old_keys[i])
            keys[slot] = old_keys[i]
            choices[slot] = old_choices[i]


@dataclass(frozen=True, eq=False)
class Strategy:
    """What a player has to do to get a result for sure: an action for every position that can then arise where they act.

    Attributes
    ----------
    player : int
        Who keeps to it.
    least : str
        What it is good for: "win" or "draw".
    keys : ndarray of uint64, shape (slots,)
        `state_key` of the positions, a hash set.
    choices : ndarray of int32, shape (slots,)
        The action there, NO_ACTION where the opponent acts or the game is over.
    size : int
        Positions that can arise, the root and the ends of the game included.
    """

    player: int
    least: str
    keys: NDArray[np.uint64]
    choices: NDArray[np.int32]
    size: int

    def action(self, key: int) -> int | None:
        """The action in a position given by its `State.key()`; None where it says none, NO_ACTION where there is none."""
        slot = _slot(self.keys, np.uint64(key))
        return int(self.choices[slot]) if self.keys[slot] else None


class Extraction(NamedTuple):
    """What came of taking a proof out of a table."""

    strategy: Strategy | None  # None if the budget ended before, or if the proof is wrong
    wrong: bool  # the proof does not hold, as a collision of keys could bring about
    nodes: int  # positions reached in solving anew what the table had lost


def take_out(game: Game, array: Array, question: Question, *, nodes: int, stop: NDArray[np.uint8]) -> Extraction:
    """The strategy behind an answer, every position of it walked.

    Parameters
    ----------
    game : Game
    array : structured ndarray, shape (1,)
        The position that the question was answered for.
    question : Question
        With its answer.
    nodes : int
        Positions at most to solve anew where the table has lost something.
    stop : ndarray of uint8, shape (1,)
    """
    asked = question.stack.control[0]
    attacker, strict = int(asked["attacker"]), bool(asked["strict"])
    player = attacker if question.answer else 1 - attacker
    w = _new_walk(game, FIRST_ROWS, FIRST_SLOTS)
    w.states[0] = array[0]
    w.control[0] = (player, attacker, strict, asked["tag"], -1, 0)
    again, spent = Question(game, question.table), 0
    while not stop[0]:
        status = walk(w, question.table)
        if status == CHECKED:
            least = "win" if strict == (player == attacker) else "draw"
            return Extraction(Strategy(player, least, w.keys, w.choices, int(w.control["size"][0])), False, spent)
        if status == WRONG:
            return Extraction(None, True, spent)
        if status == MISSING:
            here = int(w.control["ply"][0]) + 1
            again.ask(w.states[here : here + 1], attacker, strict)
            again.search(nodes - spent, stop)
            spent += again.nodes
            if again.answer != question.answer:
                return Extraction(None, again.answer is not None, spent)
        else:
            w = _larger(game, w, rows=status == TOO_DEEP, slots=status == FULL)
    return Extraction(None, False, spent)


def _new_walk(game: Game, rows: int, slots: int) -> Walk:
    return Walk(
        states=np.zeros(rows + 1, game.dtype),
        actions=np.zeros((rows, game.max_legal_actions), np.int32),
        counts=np.zeros(rows, np.int64),
        next=np.zeros(rows, np.int64),
        keys=np.zeros(slots, np.uint64),
        choices=np.zeros(slots, np.int32),
        values=np.zeros(2),
        control=np.zeros(1, CONTROL),
    )


def _larger(game: Game, w: Walk, *, rows: bool, slots: bool) -> Walk:
    """The same walk with twice the rows or slots."""
    larger = _new_walk(game, len(w.counts) << rows, len(w.keys) << slots)
    for name, old in w._asdict().items():
        if name not in ("keys", "choices"):
            getattr(larger, name)[: len(old)] = old
    _move(w.keys, w.choices, larger.keys, larger.choices)
    return larger
