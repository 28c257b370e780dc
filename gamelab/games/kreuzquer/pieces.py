"""What the game is played with: a tile set, and boards. Both are made by `datafiles`, which checks them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from gamelab.games.kreuzquer.geometry import tiles_by_surroundings, turns

__all__ = ["MAX_TILES", "MIN_TILES", "Boards", "TileSet"]

MAX_TILES = 28
MIN_TILES = 24  # one a round


@dataclass(frozen=True)
class TileSet:
    """The tiles of each player, by kind.

    Attributes
    ----------
    name : str
    sides : tuple of str
        For each kind its sides in some position, such as ``"wn-n"``.
    copies : tuple of int
        How many tiles of each kind there are.
    """

    name: str
    sides: tuple[str, ...]
    copies: tuple[int, ...]

    @cached_property
    def lays(self) -> tuple[tuple[int, ...], ...]:
        """For each kind the lays that look different, ascending."""
        return tuple(turns(sides) for sides in self.sides)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """For each kind its tiles, when all tiles are numbered kind by kind, a bit each."""
        ends = list(accumulate(self.copies))
        return tuple((1 << end) - (1 << end - copies) for end, copies in zip(ends, self.copies, strict=True))

    def takers(self, *, strict: bool) -> NDArray[np.uint32]:
        """The tiles that fit, for each surroundings of a cell; see `geometry.tiles_by_surroundings`."""
        return tiles_by_surroundings(self.lays, self.bits, strict)

    @cached_property
    def kind_of_lay(self) -> dict[int, int]:
        """The kind of a tile as it lies."""
        return {lay: kind for kind, lays in enumerate(self.lays) for lay in lays}


@dataclass(frozen=True)
class Boards:
    """Boards with their outlets.

    Attributes
    ----------
    name : str
    outlets : dict of str to tuple of int
        For each board, by its letter, the 16 values in the order of `geometry`.
    """

    name: str
    outlets: dict[str, tuple[int, ...]]
