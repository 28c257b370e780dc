"""The transposition table of alpha-beta: what is known of states seen before, shared by threads without a lock.

A result is packed into 64 bits, its data, and stored beside the state's key xor that data. A thread that reads a slot while
another is writing it sees halves that do not fit together, so the key does not come out and nothing is found: no lock is
needed (R. Hyatt, T. Mann, "A lock-less transposition table implementation for parallel search chess engines", 2002).

Slots come in pairs. The first keeps the deepest search of the latest root, the second whatever came last.

    data:  bits 0-31 action   32-47 score   48-55 depth + DEPTH_OFFSET   56-57 bound   58-63 generation
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit

__all__ = ["EXACT", "GENERATIONS", "LOWER", "SLOT", "UPPER", "find", "make_table", "store", "unpack"]

EXACT, LOWER, UPPER = 1, 2, 3
DEPTH_OFFSET = 64  # depths below 0 belong to the quiescence search
GENERATIONS = 64

SLOT = np.dtype(
    [
        (("key of the state, xor data", "check"), np.uint64),
        (("packed result; 0 marks an empty slot", "data"), np.uint64),
    ],
    align=True,
)
NOTHING = np.uint64(0)


def make_table(num_bytes: int) -> NDArray[Any]:
    """An empty table of a power of two of slots, at most `num_bytes` large; at least two slots."""
    slots = max(2, 1 << ((num_bytes // SLOT.itemsize).bit_length() - 1))
    return np.zeros(slots, SLOT)


@njit
def find(table, key):  # type: ignore[no-untyped-def]
    """The data stored for a key, uint64; 0 if there are none."""
    first = np.int64(key & np.uint64(len(table) - 2))
    for i in range(first, first + 2):
        data = table[i]["data"]
        if data != NOTHING and table[i]["check"] ^ data == key:
            return data
    return NOTHING


@njit
def unpack(data):  # type: ignore[no-untyped-def]
    """Action, score, depth and bound, each int64."""
    action = np.int64(np.int32(data & np.uint64(0xFFFFFFFF)))
    score = np.int64(np.int16(data >> np.uint64(32) & np.uint64(0xFFFF)))
    depth = np.int64(data >> np.uint64(48) & np.uint64(0xFF)) - DEPTH_OFFSET
    bound = np.int64(data >> np.uint64(56) & np.uint64(3))
    return action, score, depth, bound


@njit
def store(table, key, action, score, depth, bound, generation):  # type: ignore[no-untyped-def]
    """Keep a result: in the first slot of its pair unless another state was searched deeper from the same root."""
    data = (
        np.uint64(action) & np.uint64(0xFFFFFFFF)
        | (np.uint64(score) & np.uint64(0xFFFF)) << np.uint64(32)
        | np.uint64(depth + DEPTH_OFFSET) << np.uint64(48)
        | np.uint64(bound) << np.uint64(56)
        | np.uint64(generation) << np.uint64(58)
    )
    slot = np.int64(key & np.uint64(len(table) - 2))
    old = table[slot]["data"]
    old_check = table[slot]["check"]
    if old != NOTHING and old_check ^ old != key:
        deeper = np.int64(old >> np.uint64(48) & np.uint64(0xFF)) - DEPTH_OFFSET > depth
        if deeper and np.int64(old >> np.uint64(58)) == generation:
            slot += 1
        else:
            table[slot + 1]["check"] = old_check
            table[slot + 1]["data"] = old
    table[slot]["check"] = key ^ data
    table[slot]["data"] = data
