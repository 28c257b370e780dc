"""The stones of a network in order, for pictures and reports: plain Python, where `network` only says whether there is one."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.games.netwerk.geometry import ALL_GOALS, GOALS, NO_DIRECTION, first_stone
from gamelab.games.netwerk.network import NETWORK_STONES

__all__ = ["find_network"]


def find_network(state: Any, player: int) -> tuple[int, ...]:
    """The squares of one of the player's shortest networks, from goal to goal; empty if there is none."""
    own = int(state["stones"][player])
    occupied = state["stones"][0] | state["stones"][1]
    starts = [square for square in range(64) if own & int(GOALS[player, 0]) & 1 << square]
    # Breadth first, so that the first one found is as short as any.
    chains: list[tuple[tuple[int, ...], int]] = [((square,), NO_DIRECTION) for square in starts]
    while chains:
        longer = []
        for chain, came in chains:
            for square, direction in _next_stones(chain, came, own, occupied):
                if int(GOALS[player, 1]) & 1 << square:
                    if len(chain) + 1 >= NETWORK_STONES:
                        return (*chain, square)
                elif not int(ALL_GOALS[player]) & 1 << square:
                    longer.append(((*chain, square), direction))
        chains = longer
    return ()


def _next_stones(chain: tuple[int, ...], came: int, own: int, occupied: np.uint64) -> list[tuple[int, int]]:
    """The own stones that the chain can go on to, each with the direction to it."""
    found = []
    for direction in range(8):
        square = int(first_stone(chain[-1], direction, occupied))
        if direction != came and square >= 0 and own & 1 << square and square not in chain:
            found.append((square, direction))
    return found
