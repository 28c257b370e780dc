"""Kreuz & Quer in plain Python: a slow twin of the compiled game, written from the rule text alone.

Cells are names such as ``"c4"``, a board is a dict from cell to what lies there, a tile is a tuple of its four sides.
Nothing here is meant to be fast.

References
----------
"Kreuz & Quer" (rule text 003_c511304264d22cbe.txt), with the tiles and boards reconstructed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

FILES, RANKS = "abcde", "12345"
CELLS = [file + rank for rank in RANKS for file in FILES]
MIDDLE = "c3"
ROUNDS = len(CELLS) - 1

Tile = tuple[str, str, str, str]
SIDES = ("north", "east", "south", "west")  # the order of a tile's sides: w wide, n narrow, - no pipe
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
CROSSING: Tile = ("n", "w", "n", "w")
FACE_DOWN = None

# Kinds 1 to 21, and how many there are of each: those with two pipes twice.
NAMES = [
    *("w-w-", "n-n-", "w-n-", "ww--", "nn--", "wn--", "nw--"),
    *("www-", "wwn-", "wnw-", "wnn-", "nww-", "nwn-", "nnw-", "nnn-"),
    *("wwww", "wwwn", "wwnn", "wnwn", "wnnn", "nnnn"),
]
KINDS: dict[int, Tile] = {number: (text[0], text[1], text[2], text[3]) for number, text in enumerate(NAMES, 1)}
COPIES = {number: 2 if tile.count("-") == 2 else 1 for number, tile in KINDS.items()}

# Outlets of each board, north, east, south, west, each read clockwise; the middle of a side is blank.
BOARDS = {
    "A": ("31-22", "31-22", "31-22", "31-22"),
    "B": ("12-32", "12-32", "12-32", "12-32"),
    "C": ("31-13", "22-22", "31-13", "22-22"),
    "D": ("12-21", "32-23", "12-21", "32-23"),
}
# The border cells along each side in the same order: north from the west, east from the north and so on round.
ALONG = {
    "north": [file + "5" for file in FILES],
    "east": ["e" + rank for rank in reversed(RANKS)],
    "south": [file + "1" for file in reversed(FILES)],
    "west": ["a" + rank for rank in RANKS],
}

Board = Mapping[str, Tile | None]


@dataclass(frozen=True)
class Position:
    """One moment of a game.

    Attributes
    ----------
    boards : tuple of mapping of str to tuple or None
        One for each player: what lies on which cell, None for a tile face down; never modified in place.
    left : mapping of int to int
        Copies of each kind that are not drawn yet.
    drawn : int or None
        The kind that is being placed; None if one is to be drawn.
    seat : int
        Whose turn it is to place what is drawn.
    board_of_seat : str
        The letter of each player's board.
    matching : str
        ``"strict"``: at a pipe lies the same pipe; ``"own"``: or no pipe of the new tile.
    """

    boards: tuple[Board, ...]
    left: Mapping[int, int]
    drawn: int | None = None
    seat: int = 0
    board_of_seat: str = "ABCD"
    matching: str = "strict"


def start(players: int = 2, matching: str = "strict", board_of_seat: str = "ABCD") -> Position:
    """Return the empty boards, on which only the crossing in the middle is printed."""
    if matching not in ("strict", "own"):
        raise ValueError(f'matching must be "strict" or "own", not {matching!r}')
    return Position(tuple({MIDDLE: CROSSING} for _ in range(players)), COPIES, None, 0, board_of_seat, matching)


@cache
def neighbour(cell: str, side: str) -> str | None:
    """Return the next cell beyond a side, or None beyond the border."""
    file, rank = FILES.index(cell[0]) + STEPS[side][0], RANKS.index(cell[1]) + STEPS[side][1]
    return FILES[file] + RANKS[rank] if 0 <= file < 5 and 0 <= rank < 5 else None


@cache
def outlets(letter: str) -> dict[tuple[str, str], int]:
    """Return the value of each of a board's 16 outlets, by cell and side."""
    return {
        (cell, side): int(value)
        for side, values in zip(SIDES, BOARDS[letter], strict=True)
        for cell, value in zip(ALONG[side], values, strict=True)
        if value != "-"
    }


@cache
def turns(tile: Tile) -> set[Tile]:
    """Return the tile turned each way; ways that look the same are one."""
    north, east, south, west = tile
    return {(north, east, south, west), (west, north, east, south), (south, west, north, east), (east, south, west, north)}


def fits(board: Board, cell: str, tile: Tile, letter: str, matching: str) -> bool:
    """Tell whether a tile, as it is turned, may lie face up on a free cell."""
    continues = False
    for side, pipe in zip(SIDES, tile, strict=True):
        there = neighbour(cell, side)
        if there is None:
            if pipe != "-" and (cell, side) not in outlets(letter):
                return False  # into the blank border
            continue
        lying = board.get(there, FACE_DOWN)
        if lying is FACE_DOWN:
            continue  # a free cell or a tile face down
        other = lying[SIDES.index(OPPOSITE[side])]
        if pipe != other and not (matching == "own" and pipe == "-"):
            return False
        continues = continues or pipe == other != "-"
    return continues


def to_act(position: Position) -> int | str | None:
    """Return the seat whose turn it is, ``"chance"``, or None at the end."""
    if position.drawn is not None:
        return position.seat
    return None if all(len(board) == len(CELLS) for board in position.boards) else "chance"


def outcomes(position: Position) -> dict[str, Fraction]:
    """Return what can be drawn, such as ``"tile 7"``, with its probability."""
    if to_act(position) != "chance":
        return {}
    total = sum(position.left.values())
    return {f"tile {kind}": Fraction(copies, total) for kind, copies in position.left.items() if copies > 0}


def placements(position: Position) -> list[str]:
    """Return what the player to act may do, such as ``"c4 wn-n"`` or, face down, ``"c4 x"``; nothing if none is to act."""
    if position.drawn is None:
        return []
    board, letter = position.boards[position.seat], position.board_of_seat[position.seat]
    free = [cell for cell in CELLS if cell not in board]
    found = [f"{cell} x" for cell in free]
    for cell in free:
        for tile in sorted(turns(KINDS[position.drawn])):
            if fits(board, cell, tile, letter, position.matching):
                found.append(f"{cell} {''.join(tile)}")
    return found


def play(position: Position, text: str) -> Position:
    """Return the position after a legal placement, or after a tile is drawn.

    Raises
    ------
    ValueError
        If that cannot happen here.
    """
    if text in outcomes(position):
        kind = int(text.split()[1])
        left = {**position.left, kind: position.left[kind] - 1}
        return replace(position, left=left, drawn=kind, seat=0)
    if text not in placements(position):
        raise ValueError(f"{text!r} cannot be played here")
    cell, sides = text.split()
    tile = FACE_DOWN if sides == "x" else (sides[0], sides[1], sides[2], sides[3])
    boards = list(position.boards)
    boards[position.seat] = {**boards[position.seat], cell: tile}
    last = position.seat == len(boards) - 1
    return replace(
        position,
        boards=tuple(boards),
        drawn=None if last else position.drawn,
        seat=0 if last else position.seat + 1,
    )


def face_down(position: Position) -> list[int]:
    """Return how many tiles lie face down on each player's board."""
    return [list(board.values()).count(FACE_DOWN) for board in position.boards]


def minus_points(position: Position) -> list[int]:
    """Return the minus points of each player: outlets that no pipe reaches, and tiles face down."""
    totals = face_down(position)
    for seat, board in enumerate(position.boards):
        for (cell, side), value in outlets(position.board_of_seat[seat]).items():
            tile = board.get(cell, FACE_DOWN)
            if tile is FACE_DOWN or tile[SIDES.index(side)] == "-":
                totals[seat] += value
    return totals


def returns(position: Position) -> list[Fraction]:
    """Return the final returns, zeros before the end: alone minus the minus points, else zero-sum by share of the win."""
    players = len(position.boards)
    if to_act(position) is not None:
        return [Fraction(0)] * players
    minus = minus_points(position)
    if players == 1:
        return [Fraction(-minus[0])]
    winners = minus.count(min(minus))
    shares = [Fraction(1, winners) if points == min(minus) else Fraction(0) for points in minus]
    return [(players * share - 1) / (players - 1) for share in shares]


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly ``depth`` draws and placements; games that end earlier add nothing."""
    if depth == 0:
        return 1
    moves = [*outcomes(position), *placements(position)]
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), depth - 1) for move in moves)
