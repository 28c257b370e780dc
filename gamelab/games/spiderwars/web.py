"""A web: its holes and nests, who neighbours whom, and where the spiders start.

A *spot* is a hole or a nest. Holes are numbered from 0 by column, then by height, so that a higher number never means less
progress for Green; the nests are the last two bits of a word::

    y
    4   2     7    12          The web of webs/mini.toml: hole numbers.
    3 N    4     9             N (at -1,3) is Green's nest, spot 62, beside holes 1 and 2;
    2   1     6    11          its counterpart at 5,1 is Orange's, spot 63, beside 10 and 11.
    1      3     8    N
    0   0     5    10
     -1 0  1  2  3  4  5  x
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["MAX_HOLES", "MAX_SPIDERS", "NEST", "NOWHERE", "NUM_SPOTS", "Hole", "Spider", "Web"]

MAX_HOLES = 62
MAX_SPIDERS = 8  # of one player
NUM_SPOTS = 64
NEST = (62, 63)  # the spots of Green's and of Orange's nest
NOWHERE = 255  # in tables of steps: cannot be reached

Hole = tuple[int, int]  # x, y


class Spider(NamedTuple):
    """A spider at the start: its kind and the holes of its legs."""

    daddy: bool
    legs: tuple[int, int]


@dataclass(frozen=True)
class Web:
    """A web that has been checked; made by `webfile.read_web`.

    Attributes
    ----------
    name : str
    holes : tuple of (x, y)
        Ascending; the index is the hole's number.
    nests : pair of (x, y)
        Green's, Orange's.
    neighbours : tuple of frozenset of int
        For each hole the spots one step away.
    start : pair of tuple of Spider
        Green's spiders, Orange's; Daddies first.
    """

    name: str
    holes: tuple[Hole, ...]
    nests: tuple[Hole, Hole]
    neighbours: tuple[frozenset[int], ...]
    start: tuple[tuple[Spider, ...], tuple[Spider, ...]]

    @cached_property
    def coordinates(self) -> dict[int, Hole]:
        """Where each spot lies: all holes, then the nests."""
        return {**dict(enumerate(self.holes)), **dict(zip(NEST, self.nests, strict=True))}

    @cached_property
    def spot_names(self) -> dict[int, str]:
        """Each spot in the game's notation, such as ``3,5``."""
        return {spot: f"{x},{y}" for spot, (x, y) in self.coordinates.items()}

    @cached_property
    def spots_by_name(self) -> dict[str, int]:
        """The inverse of `spot_names`."""
        return {name: spot for spot, name in self.spot_names.items()}

    def steps_from(self, spot: int) -> dict[int, int]:
        """Steps along neighbours to every spot that can be reached; a way may end in a nest, but not lead through one."""
        steps = {spot: 0}
        frontier = [spot]
        while frontier:
            ahead = []
            for here in frontier:
                for there in self._next_to(here, source=spot):
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        ahead.append(there)
            frontier = ahead
        return steps

    def _next_to(self, here: int, source: int) -> Iterable[int]:
        if here not in NEST:
            return self.neighbours[here]
        beside = [hole for hole in range(len(self.holes)) if here in self.neighbours[hole]]
        return beside if here == source else ()

    def reach(self) -> NDArray[np.uint64]:
        """The spots within reach of a leg: bitboards, uint64, shape (2, MAX_HOLES).

        Element [0, h] is for the small spider whose other leg stands in hole h (1 step), [1, h] for the Daddy (1 or 2).
        """
        words = np.zeros((2, MAX_HOLES), np.uint64)
        for hole in range(len(self.holes)):
            steps = self.steps_from(hole)
            for kind in range(2):
                words[kind, hole] = sum(1 << spot for spot, distance in steps.items() if 1 <= distance <= 1 + kind)
        return words

    def steps_to_goal(self) -> NDArray[np.uint8]:
        """Steps from each hole to the nest that a player is after; uint8, shape (2, MAX_HOLES), NOWHERE past the holes."""
        table = np.full((2, MAX_HOLES), NOWHERE, np.uint8)
        for player in range(2):
            for spot, distance in self.steps_from(NEST[1 - player]).items():
                if spot < len(self.holes):
                    table[player, spot] = distance
        return table

    def columns(self) -> np.uint64:
        """The first hole of each column, and the number after the last hole, as bits."""
        first = {x: number for number, (x, _) in reversed(list(enumerate(self.holes)))}
        return np.uint64(sum(1 << number for number in (*first.values(), len(self.holes))))
