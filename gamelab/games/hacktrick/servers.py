"""The nine servers, their lines, and the markers on them as bits.

    2 7 6        a magic square: three servers lie in line exactly if they add up to 15.
    9 5 1        Server s is bit s - 1 of a set of servers.
    4 3 8

The markers of one player are three such sets in one word: bits 0 to 8 for the servers with a marker at least, 9 to 17 for
those with two, 18 to 26 for those with three. More than three never lie on one server, for three win.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit
from gamelab.core.bits import bit, popcount

__all__ = ["LINES", "SERVERS", "SQUARE", "add", "clear", "completed_lines", "markers_on", "occupied", "wins_next"]

SERVERS = 9
SQUARE = ((2, 7, 6), (9, 5, 1), (4, 3, 8))
LINES = tuple(line for line in combinations(range(1, SERVERS + 1), 3) if sum(line) == 15)

ALL = np.uint64(0x1FF)
COLUMN = np.uint64(1 | 1 << 9 | 1 << 18)


def _lines_at(servers: int) -> list[int]:
    masks = [sum(1 << server - 1 for server in line) for line in LINES]
    return [mask for mask in masks if mask & servers == mask]


def _line_sets() -> NDArray[np.uint16]:
    """For each set of servers: those that lie on a line wholly inside it."""
    return np.array([np.bitwise_or.reduce([0, *_lines_at(servers)]) for servers in range(512)], dtype=np.uint16)


def _missing() -> NDArray[np.uint16]:
    """For each set of servers: those outside it that would complete a line."""
    missing = np.zeros(512, dtype=np.uint16)
    for servers in range(512):
        for server in range(SERVERS):
            if not servers >> server & 1 and int(IN_LINE[servers | 1 << server]) >> server & 1:
                missing[servers] |= 1 << server
    return missing


IN_LINE = _line_sets()
COMPLETES_LINE = _missing()


@njit
def markers_on(markers: Any, server: Any) -> Any:
    """How many markers lie on a server."""
    return popcount(markers >> np.uint64(server - 1) & COLUMN)


@njit
def add(markers: Any, server: Any) -> Any:
    """The markers with one more on a server that has at most two."""
    return markers | bit(server - 1 + 9 * markers_on(markers, server))


@njit
def clear(markers: Any, server: Any) -> Any:
    """The markers without those on a server."""
    return markers & ~(COLUMN << np.uint64(server - 1))


@njit
def occupied(markers: Any) -> Any:
    """The servers with a marker or more, as a set."""
    return markers & ALL


@njit
def completed_lines(markers: Any) -> Any:
    """The servers on lines that are complete, as a set."""
    return np.uint64(IN_LINE[markers & ALL])


@njit
def wins_next(markers: Any) -> Any:
    """The servers where one marker more would make three, in line or on the server, as a set."""
    return np.uint64(COMPLETES_LINE[markers & ALL]) | markers >> np.uint64(9) & ALL
