"""Netwerk in plain Python: a slow twin of the compiled game, written from the rule text alone.

Squares are names such as ``"c4"``, a board is a dict from name to colour, groups are flood-filled
and networks are found by walking every chain.  Nothing here is meant to be fast.

References
----------
Sid Sackson, "Netwerk" (rule text 002_eb0eef8dfd2e0554.txt).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES = [file + rank for rank in RANKS for file in FILES]
CORNERS = {"a1", "h1", "a8", "h8"}
OTHER = {"W": "B", "B": "W"}

#     a b c d e f g h      W, B  goals of White and Black
#   8 . B B B B B B .      .     corner: nobody's
#   7 W             W      The two goals of a colour are listed in the order in which
#       ...                ``networks`` writes a chain: from a to h, from rank 8 to rank 1.
#   2 W             W
#   1 . B B B B B B .
GOALS = {
    "W": tuple({file + rank for rank in RANKS} - CORNERS for file in "ah"),
    "B": tuple({file + rank for file in FILES} - CORNERS for rank in "81"),
}
DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
LAST_LINE = re.compile(r"([WB])(?: hands (\d+) (\d+))?(?: ply (\d+))?(?: passes (\d+))?")

STONES_EACH = 10
NETWORK_STONES = 6  # at least
CROWD = 3  # so many connected stones of a colour are too many


@dataclass(frozen=True)
class Position:
    """One moment of a game.

    Attributes
    ----------
    stones : mapping of str to str
        Square name to ``"W"`` or ``"B"``; never modified in place.
    to_move : str
        ``"W"`` or ``"B"``; White is the first player.
    hands : tuple of int
        Stones that White and Black have yet to place.
    ply : int
        Moves played so far, passes included.
    passes : int
        Passes in a row just played.
    crowding : str
        ``"both"``: the no-crowd rule binds both players; ``"first"``: the second player is free
        of it while placing.
    max_plies : int
        The game is a draw once this many plies are played.
    """

    stones: Mapping[str, str]
    to_move: str
    hands: tuple[int, int]
    ply: int
    passes: int = 0
    crowding: str = "both"
    max_plies: int = 200

    def text(self) -> str:
        """Write the position as nine lines: ranks 8 to 1, then the side to move.

        The ninth line adds ``hands``, ``ply`` and ``passes`` only where they are not what the
        stones imply.

        Examples
        --------
        >>> print(play(start(), "c4").text().splitlines()[4])
        ..W.....
        """
        lines = ["".join(self.stones.get(f + r, ".") for f in FILES) for r in reversed(RANKS)]
        last = self.to_move
        if self.hands != implied_hands(self.stones):
            last += f" hands {self.hands[0]} {self.hands[1]}"
        last += f" ply {self.ply}" if self.ply != len(self.stones) else ""
        last += f" passes {self.passes}" if self.passes != 0 else ""
        return "\n".join([*lines, last])


def implied_hands(stones: Mapping[str, str]) -> tuple[int, int]:
    """Return ten minus the stones on the board, for White and for Black."""
    colours = list(stones.values())
    return STONES_EACH - colours.count("W"), STONES_EACH - colours.count("B")


def start(crowding: str = "both", max_plies: int = 200) -> Position:
    """Return the empty board with White to move and ten stones in either hand."""
    if crowding not in ("both", "first"):
        raise ValueError(f'crowding must be "both" or "first", not {crowding!r}')
    return Position({}, "W", implied_hands({}), 0, crowding=crowding, max_plies=max_plies)


def parse(text: str, crowding: str = "both", max_plies: int = 200) -> Position:
    """Read a position that ``Position.text`` wrote, or one set up by hand.

    Raises
    ------
    ValueError
        If the text is malformed or a stone stands where its colour never may.
    """
    *board, last = text.strip().splitlines()
    if len(board) != 8 or any(len(line) != 8 or set(line) - set("WB.") for line in board):
        raise ValueError("a position is eight lines of eight W, B or . and a line for the mover")
    stones: dict[str, str] = {}
    for rank, line in zip(reversed(RANKS), board, strict=True):
        stones |= {f + rank: c for f, c in zip(FILES, line, strict=True) if c != "."}
    if not all(may_stand(colour, square) for square, colour in stones.items()):
        raise ValueError("a stone stands in a corner or in the other's goals")
    match = LAST_LINE.fullmatch(last.strip())
    if match is None:
        raise ValueError(f"not a side to move with hands, ply and passes: {last!r}")
    to_move, white, black, ply, passes = match.groups()
    hands = implied_hands(stones) if white is None else (int(white), int(black))
    if min(hands) < 0:
        raise ValueError("a player has at most ten stones")
    return replace(
        start(crowding, max_plies),
        stones=stones,
        to_move=to_move,
        hands=hands,
        ply=len(stones) if ply is None else int(ply),
        passes=int(passes or 0),
    )


def may_stand(colour: str, square: str) -> bool:
    """Tell whether a colour may ever use a square: no corner, not the other's goals."""
    return square not in CORNERS and not any(square in goal for goal in GOALS[OTHER[colour]])


@cache
def step(square: str, direction: tuple[int, int]) -> str | None:
    """Return the next square in a direction, or None beyond the edge."""
    file = FILES.index(square[0]) + direction[0]
    rank = RANKS.index(square[1]) + direction[1]
    return FILES[file] + RANKS[rank] if 0 <= file < 8 and 0 <= rank < 8 else None


def group(stones: Mapping[str, str], square: str) -> set[str]:
    """Return the stones of one colour connected to that on ``square``, diagonals included."""
    found, waiting = {square}, [square]
    while waiting:
        here = waiting.pop()
        for direction in DIRECTIONS:
            there = step(here, direction)
            if there is None or there in found or stones.get(there) != stones[square]:
                continue
            found.add(there)
            waiting.append(there)
    return found


def landings(position: Position, stones: Mapping[str, str]) -> list[str]:
    """Return where the mover may put a stone down on a board.

    A stone to be moved is already lifted from ``stones``.
    """
    colour = position.to_move
    placing = position.hands["WB".index(colour)] > 0
    free_to_crowd = position.crowding == "first" and colour == "B" and placing
    squares = [s for s in SQUARES if s not in stones and may_stand(colour, s)]
    if free_to_crowd:
        return squares
    # Only the new stone's own group counts: larger groups that already stand may stay.
    return [s for s in squares if len(group({**stones, s: colour}, s)) < CROWD]


def legal_moves(position: Position) -> list[str]:
    """Return the legal moves, such as ``"c4"``, ``"c4-e6"`` or ``"pass"``.

    The list is empty only when the game is over; ``"pass"`` stands alone where nothing else goes.
    """
    if result(position) is not None:
        return []
    if position.hands["WB".index(position.to_move)] > 0:
        return landings(position, position.stones) or ["pass"]
    moves = []
    for origin in [s for s in SQUARES if position.stones.get(s) == position.to_move]:
        lifted = {s: colour for s, colour in position.stones.items() if s != origin}
        moves += [f"{origin}-{s}" for s in landings(position, lifted) if s != origin]
    return moves or ["pass"]


def play(position: Position, move: str) -> Position:
    """Return the position after a legal move.

    Raises
    ------
    ValueError
        If the move is not legal here.
    """
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    colour, stones, hands = position.to_move, dict(position.stones), list(position.hands)
    if "-" in move:
        origin, target = move.split("-")
        del stones[origin]
        stones[target] = colour
    elif move != "pass":
        stones[move] = colour
        hands["WB".index(colour)] -= 1
    return replace(
        position,
        stones=stones,
        to_move=OTHER[colour],
        hands=(hands[0], hands[1]),
        ply=position.ply + 1,
        passes=position.passes + 1 if move == "pass" else 0,
    )


def first_stone(stones: Mapping[str, str], square: str, direction: tuple[int, int]) -> str | None:
    """Return the nearest stone of either colour seen from a square, or None."""
    there = step(square, direction)
    while there is not None and there not in stones:
        there = step(there, direction)
    return there


def networks(position: Position, colour: str) -> set[tuple[str, ...]]:
    """Return every network of a colour, each once: from file a to h, or from rank 8 to 1."""
    stones = position.stones
    first_goal, last_goal = GOALS[colour]
    found = set()

    def extend(chain: tuple[str, ...], arrival: tuple[int, int] | None) -> None:
        for direction in DIRECTIONS:
            # Turning straight back needs no test: the stone met there is already in the chain.
            if direction == arrival:
                continue
            there = first_stone(stones, chain[-1], direction)
            if there is None or stones[there] != colour or there in chain or there in first_goal:
                continue
            longer = (*chain, there)
            if there not in last_goal:
                extend(longer, direction)
            elif len(longer) >= NETWORK_STONES:
                found.add(longer)

    for square in stones:
        if stones[square] == colour and square in first_goal:
            extend((square,), None)
    return found


def result(position: Position) -> str | None:
    """Return ``"W"``, ``"B"`` or ``"draw"`` for a game that is over, else None.

    The side not to move is taken to have just moved; where both have a network its opponent wins.
    """
    for colour in (position.to_move, OTHER[position.to_move]):
        if networks(position, colour):
            return colour
    if position.passes >= 2 or position.ply >= position.max_plies:
        return "draw"
    return None


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly ``depth`` moves; games that end earlier add nothing."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), depth - 1) for move in moves)
