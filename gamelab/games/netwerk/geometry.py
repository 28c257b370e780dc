"""The board of Netwerk as tables of bitboards; squares, goals and directions are drawn below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit
from gamelab.core.bits import bit, highest, highest_bit, lowest, lowest_bit

__all__ = [
    "ALL_GOALS",
    "BEYOND",
    "FIELD",
    "GOALS",
    "NO_DIRECTION",
    "SQUARES",
    "crowded_squares",
    "first_stone",
    "joined",
    "neighbours",
    "open_lines",
    "seen_east_west",
    "seen_falling",
    "seen_from",
    "seen_north_south",
    "seen_rising",
]

#    rank 8   #  B  B  B  B  B  B  #        square s = 8 * rank + file, a1 = 0, h1 = 7, h8 = 63
#         7   W  .  .  .  .  .  .  W        # corner: nobody
#         6   W  .  .  .  .  .  .  W        W goal of White (player 0): files a and h
#         5   W  .  .  .  .  .  .  W        B goal of Black (player 1): ranks 1 and 8
#         4   W  .  .  .  .  .  .  W
#         3   W  .  .  .  .  .  .  W        directions      3 2 1      0 to 3: towards higher squares
#         2   W  .  .  .  .  .  .  W                        4   0      4 to 7: towards lower ones
#         1   #  B  B  B  B  B  B  #                        5 6 7
#             a  b  c  d  e  f  g  h
SQUARES = 64
NO_DIRECTION = -1
# (file, rank) steps of the eight directions; 0 to 3 lead to higher square numbers, 4 to 7 back.
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
UPWARDS = 4

FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0x00000000000000FF)
RANK_8 = np.uint64(0xFF00000000000000)
CORNERS = np.uint64(0x8100000000000081)
EVERYWHERE = ~np.uint64(0)
NOT_FILE_A, NOT_FILE_H = ~FILE_A, ~FILE_H
ONE, SEVEN, EIGHT, NINE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)


def _rays() -> NDArray[np.uint64]:
    """For each square and direction the squares beyond it, up to the edge. Shape (64, 8)."""
    rays = np.zeros((SQUARES, 8), dtype=np.uint64)
    for direction, (step_file, step_rank) in enumerate(STEPS):
        for square in range(SQUARES):
            file, rank = square % 8 + step_file, square // 8 + step_rank
            while 0 <= file < 8 and 0 <= rank < 8:
                rays[square, direction] |= bit(8 * rank + file)
                file, rank = file + step_file, rank + step_rank
    return rays


def _beyond() -> NDArray[np.uint64]:
    """For each two squares on a line the squares behind the second, seen from the first. Shape (64, 64)."""
    beyond = np.zeros((SQUARES, SQUARES), dtype=np.uint64)
    for square in range(SQUARES):
        for direction in range(8):
            for other in range(SQUARES):
                if RAYS[square, direction] & bit(other):
                    beyond[square, other] = RAYS[other, direction]
    return beyond


RAYS = _rays()
BEYOND = _beyond()
# GOALS[player] holds the two goals of a player, FIELD[player] the squares on which a player's stones may stand.
GOALS = np.array([[FILE_A & ~CORNERS, FILE_H & ~CORNERS], [RANK_1 & ~CORNERS, RANK_8 & ~CORNERS]])
ALL_GOALS = np.array([GOALS[0, 0] | GOALS[0, 1], GOALS[1, 0] | GOALS[1, 1]])
FIELD = np.array([~CORNERS & ~ALL_GOALS[1], ~CORNERS & ~ALL_GOALS[0]])


@njit
def first_stone(square: int, direction: int, occupied: np.uint64) -> int:
    """The first occupied square that is seen from `square` in a direction, or -1."""
    # Unsigned indices: numba would test signed ones for being negative.
    seen = RAYS[np.uint64(square), np.uint64(direction)] & occupied
    if seen == np.uint64(0):
        return -1
    return lowest(seen) if direction < UPWARDS else highest(seen)


@njit
def seen_from(square: np.uint64, occupied: np.uint64) -> np.uint64:
    """The first occupied squares seen from a square, in all directions: without a branch, which no processor would predict."""
    seen = np.uint64(0)
    for direction in range(UPWARDS):
        seen |= lowest_bit(RAYS[square, np.uint64(direction)] & occupied)
        seen |= highest_bit(RAYS[square, np.uint64(direction + UPWARDS)] & occupied)
    return seen


@njit
def line_up(stones: np.uint64, empty: np.uint64, one: np.uint64, keep: np.uint64) -> np.uint64:
    """The stones, and the empty squares before them up along the axis whose step is `one`.

    All stones look at once: the squares are filled in parallel, doubling the distance (the Kogge-Stone fill of the chess
    programmers). `keep` are the squares where a step can arrive without wrapping round.
    """
    two, four = one + one, one * np.uint64(4)
    filled, way = stones, empty & keep
    filled |= way & (filled << one)
    way &= way << one
    filled |= way & (filled << two)
    way &= way << two
    return filled | (way & (filled << four))


@njit
def line_down(stones: np.uint64, empty: np.uint64, one: np.uint64, keep: np.uint64) -> np.uint64:
    """As `line_up`, the other way."""
    two, four = one + one, one * np.uint64(4)
    filled, way = stones, empty & keep
    filled |= way & (filled >> one)
    way &= way >> one
    filled |= way & (filled >> two)
    way &= way >> two
    return filled | (way & (filled >> four))


@njit
def seen_along(stones: np.uint64, empty: np.uint64, one: np.uint64, keep_up: np.uint64, keep_down: np.uint64) -> np.uint64:
    """The first squares seen from any of the stones, both ways along an axis; see `line_up`."""
    up, down = line_up(stones, empty, one, keep_up), line_down(stones, empty, one, keep_down)
    return ((up << one) & keep_up) | ((down >> one) & keep_down)


@njit
def open_lines(stones: np.uint64, empty: np.uint64) -> np.uint64:
    """The empty squares that are seen from at least one of the stones, in any direction and at any distance."""
    lines = line_up(stones, empty, ONE, NOT_FILE_A) | line_down(stones, empty, ONE, NOT_FILE_H)
    lines |= line_up(stones, empty, NINE, NOT_FILE_A) | line_down(stones, empty, NINE, NOT_FILE_H)
    lines |= line_up(stones, empty, EIGHT, EVERYWHERE) | line_down(stones, empty, EIGHT, EVERYWHERE)
    lines |= line_up(stones, empty, SEVEN, NOT_FILE_H) | line_down(stones, empty, SEVEN, NOT_FILE_A)
    return lines & empty


@njit
def seen_east_west(stones: np.uint64, empty: np.uint64) -> np.uint64:
    """See `seen_along`."""
    return seen_along(stones, empty, ONE, NOT_FILE_A, NOT_FILE_H)


@njit
def seen_rising(stones: np.uint64, empty: np.uint64) -> np.uint64:
    """See `seen_along`: the diagonals that lead up to the right."""
    return seen_along(stones, empty, NINE, NOT_FILE_A, NOT_FILE_H)


@njit
def seen_north_south(stones: np.uint64, empty: np.uint64) -> np.uint64:
    """See `seen_along`."""
    return seen_along(stones, empty, EIGHT, EVERYWHERE, EVERYWHERE)


@njit
def seen_falling(stones: np.uint64, empty: np.uint64) -> np.uint64:
    """See `seen_along`: the diagonals that lead up to the left."""
    return seen_along(stones, empty, SEVEN, NOT_FILE_H, NOT_FILE_A)


@njit
def joined(seeds: np.uint64, own: np.uint64, empty: np.uint64, goals: np.uint64) -> np.uint64:
    """The own stones that can be reached from `seeds` along open lines, turns ignored, without going on from a goal.

    The seeds themselves look around even in a goal.
    """
    reached = seeds
    wave = seeds
    while wave != np.uint64(0):
        seen = seen_east_west(wave, empty) | seen_north_south(wave, empty)
        seen |= seen_rising(wave, empty) | seen_falling(wave, empty)
        wave = seen & own & ~reached
        reached |= wave
        wave &= ~goals
    return reached


@njit
def neighbours(stones: np.uint64) -> np.uint64:
    """The squares beside at least one of the stones, orthogonally or diagonally."""
    sideways = ((stones << ONE) & ~FILE_A) | ((stones >> ONE) & ~FILE_H)
    row = stones | sideways
    return sideways | (row << EIGHT) | (row >> EIGHT)


@njit
def crowded_squares(stones: np.uint64) -> np.uint64:
    """The squares where one more stone would belong to a group of three or more.

    That is so with two neighbouring stones, or with one that already has a neighbour; larger groups have either.
    """
    east, west = (stones << ONE) & ~FILE_A, (stones >> ONE) & ~FILE_H
    pair = east & west
    sideways = east | west
    row = stones | sideways
    # How many stones lie beside a square, counted in two saturating digits: at least one, at least two.
    row_twice = (stones & sideways) | pair
    up, down = row << EIGHT, row >> EIGHT
    twice = pair | (row_twice << EIGHT) | (row_twice >> EIGHT)
    twice |= (sideways & up) | (sideways & down) | (up & down)
    paired = stones & (sideways | up | down)
    return twice | neighbours(paired)
