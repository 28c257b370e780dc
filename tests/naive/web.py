"""Web in plain Python: a slow twin of the compiled game, written from the rule text alone.

The table is a dict from cell to what is printed there, the cables are a dict from edge (a pair of
cells) to colour, and everything else is found by trying: a card is laid on every place beside the
lying cards, a gap is an empty cell on which every card was tried in vain.  Moves are the words of
the notation.  Nothing here is meant to be fast.

References
----------
Web, rule text 000_baa3e10e47c26906.txt (English).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")
Cell = tuple[int, int]  # x east, y north, from (0, 0) in the south-west
Edge = tuple[Cell, Cell]  # the western or southern cell first

# The cells of a card in the order in which it is written: west to east; corner, east arm, north
# arm; south-west, south-east, north-west, north-east.
SHAPES: dict[str, list[Cell]] = {
    "straight": [(0, 0), (1, 0), (2, 0)],
    "bend": [(0, 0), (1, 0), (0, 1)],
    "block": [(0, 0), (1, 0), (0, 1), (1, 1)],
}
CABLES_EACH = 18
CABLES_BOUGHT = 3  # also what a player begins with


class Card(NamedTuple):
    """A card: its shape, what is printed on its cells (``.``, ``S``, ``1`` to ``5``) and the dots on its back."""

    shape: str
    face: str
    dots: int


@dataclass(frozen=True)
class Position:
    """One moment of a game.

    Attributes
    ----------
    deck : tuple of Card
        All cards; elsewhere a card is its number in here.
    table : int
        Cells a side of the table.
    obstacles : frozenset of (int, int)
        Cells on which nothing may lie.
    lone_player : str
        ``"end"``: the game ends when one player only has cards; ``"plays_on"``: when nobody has.
    cells : mapping of (int, int) to str
        What is printed on the cells of the lying cards; never modified in place.
    cables : mapping of edges to int
        The owner of every cable; never modified in place.
    hands, piles : tuple of tuple of int
        Cards by number, the six piles from their tops down.
    front, store : tuple of int
        Cables that each player has in front of them, and those still to be bought.
    to_move : int
    actions : int or None
        Actions left in the turn; None while a card is still to be played.
    passes : int
        Passed turns in a row.
    over : str or None
        Why the game has ended: ``"pile"``, ``"lone player"``, ``"no cards"`` or ``"passes"``.
    """

    deck: tuple[Card, ...]
    table: int
    obstacles: frozenset[Cell]
    lone_player: str
    cells: Mapping[Cell, str]
    cables: Mapping[Edge, int]
    hands: tuple[tuple[int, ...], ...]
    piles: tuple[tuple[int, ...], ...]
    front: tuple[int, ...]
    store: tuple[int, ...]
    to_move: int
    actions: int | None = None
    passes: int = 0
    over: str | None = None

    @cached_property
    def moves(self) -> list[str]:
        """The legal moves, worked out once."""
        if self.over is not None:
            return []
        return actions(self) if self.actions is not None else placements(self) or ["pass"]


def read_deck(path: Path) -> tuple[Card, ...]:
    """Read the cards of a deck file in the order of their numbers."""
    lists = tomllib.loads(path.read_text())
    return tuple(Card(shape, *_face_and_dots(text)) for shape in SHAPES for text in lists[shape])


def _face_and_dots(text: str) -> tuple[str, int]:
    face, dots = text.split()
    return face, int(dots)


def start(
    deck: Sequence[Card],
    hands: Sequence[Sequence[int]],
    piles: Sequence[Sequence[int]],
    starter: int,
    *,
    table: int = 41,
    obstacles: Iterable[Cell] = (),
    lone_player: str = "end",
) -> Position:
    """Return the position after a deal: the central server lies alone in the middle of the table.

    Raises
    ------
    ValueError
        If a card of the deck is missing or dealt twice, or if ``lone_player`` is unknown.
    """
    if sorted(card for cards in (*hands, *piles) for card in cards) != list(range(len(deck))):
        raise ValueError("hands and piles are not the cards of the deck, each once")
    if lone_player not in ("end", "plays_on"):
        raise ValueError(f'lone_player must be "end" or "plays_on", not {lone_player!r}')
    return Position(
        deck=tuple(deck),
        table=table,
        obstacles=frozenset(obstacles),
        lone_player=lone_player,
        cells={(table // 2, table // 2): "S"},
        cables={},
        hands=tuple(map(tuple, hands)),
        piles=tuple(map(tuple, piles)),
        front=(CABLES_BOUGHT,) * len(hands),
        store=(CABLES_EACH - CABLES_BOUGHT,) * len(hands),
        to_move=starter,
    )


# --- cards on the table -----------------------------------------------------------------------------------------------


def turned(cells: Sequence[Cell], turns: int) -> list[Cell]:
    """Turn cells to the left by quarters and move them so that their bounding box begins in (0, 0)."""
    for _ in range(turns):
        cells = [(-y, x) for x, y in cells]
    west, south = min(x for x, _ in cells), min(y for _, y in cells)
    return [(x - west, y - south) for x, y in cells]


FOOTPRINTS = {frozenset(turned(cells, turns)) for cells in SHAPES.values() for turns in range(4)}


@cache
def rotations(card: Card) -> dict[int, dict[Cell, str]]:
    """Return what a card looks like after 0 to 3 turns; of turns that look the same only the first."""
    looks: dict[int, dict[Cell, str]] = {}
    for turns in range(4):
        look = dict(zip(turned(SHAPES[card.shape], turns), card.face, strict=True))
        if look not in looks.values():
            looks[turns] = look
    return looks


def neighbours(cell: Cell) -> list[Cell]:
    """Return the four cells that share a side with a cell."""
    x, y = cell
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


def is_free(position: Position, cell: Cell) -> bool:
    """Tell whether a cell is on the table with neither a card nor an obstacle on it."""
    x, y = cell
    on_table = 0 <= x < position.table and 0 <= y < position.table
    return on_table and cell not in position.cells and cell not in position.obstacles


def covering(cell: Cell, footprint: Iterable[Cell]) -> Iterable[tuple[Cell, list[Cell]]]:
    """Yield each way to lay a footprint over a cell: its south-west corner and the cells it takes."""
    footprint = list(footprint)
    for dx, dy in footprint:
        x, y = cell[0] - dx, cell[1] - dy
        yield (x, y), [(x + ex, y + ey) for ex, ey in footprint]


def landings(position: Position, footprint: Iterable[Cell]) -> set[Cell]:
    """Return where a footprint fits, as its south-west corner, with a side on a lying card."""
    border = {there for cell in position.cells for there in neighbours(cell) if is_free(position, there)}
    tried = dict(place for cell in border for place in covering(cell, footprint))
    return {corner for corner, cells in tried.items() if all(is_free(position, cell) for cell in cells)}


def placements(position: Position) -> list[str]:
    """Return every way to play a card of the player to move."""
    moves = []
    known: dict[frozenset[Cell], set[Cell]] = {}
    for number in position.hands[position.to_move]:
        for turns, look in rotations(position.deck[number]).items():
            footprint = frozenset(look)
            if footprint not in known:
                known[footprint] = landings(position, footprint)
            moves += [f"card {number} @ {x},{y} r{turns}" for x, y in known[footprint]]
    return moves


def is_gap(position: Position, cell: Cell) -> bool:
    """Tell whether a cell is free but no card of any shape has room to cover it."""
    if not is_free(position, cell):
        return False
    tried = [cells for footprint in FOOTPRINTS for _, cells in covering(cell, footprint)]
    return not any(all(is_free(position, c) for c in cells) for cells in tried)


def kind(position: Position, cell: Cell) -> str | None:
    """Return what a cable finds in a cell: ``.`` (a gap too), ``S``, ``1`` to ``5``, or None where none may lie."""
    printed = position.cells.get(cell)
    return "." if printed is None and is_gap(position, cell) else printed


# --- cables -----------------------------------------------------------------------------------------------------------


def edge(one: Cell, other: Cell) -> Edge:
    """Return the edge between two neighbouring cells."""
    return (one, other) if one < other else (other, one)


def cables_in(position: Position, cell: Cell) -> list[int]:
    """Return the owners of the cables that end in the middle of a cell."""
    edges = [edge(cell, there) for there in neighbours(cell)]
    return [position.cables[e] for e in edges if e in position.cables]


def net(position: Position, colour: int) -> set[Cell]:
    """Return the cells from which a colour may go on: all servers and the open cells that it has reached."""
    reached = {cell for e, owner in position.cables.items() if owner == colour for cell in e}
    servers = {cell for cell, printed in position.cells.items() if printed == "S"}
    return servers | {cell for cell in reached if kind(position, cell) == "."}


def cable_edges(position: Position) -> set[Edge]:
    """Return the edges on which the player to move may place a cable."""
    found = set()
    for here in net(position, position.to_move):
        for there in neighbours(here):
            printed = kind(position, there)
            taken_computer = printed not in (None, ".", "S") and cables_in(position, there)
            if printed is not None and not taken_computer and edge(here, there) not in position.cables:
                found.add(edge(here, there))
    return found


def actions(position: Position) -> list[str]:
    """Return what the player to move may do with an action, and ``end``."""
    player = position.to_move
    moves = [f"draw {number}" for number, pile in enumerate(position.piles) if pile]
    if position.store[player] >= CABLES_BOUGHT:
        moves.append("buy")
    if position.front[player] > 0:
        moves += [f"cable {x},{y} {'E' if x < x2 else 'N'}" for (x, y), (x2, _) in cable_edges(position)]
    return [*moves, "end"]


# --- playing ----------------------------------------------------------------------------------------------------------


def legal_moves(position: Position) -> list[str]:
    """Return the legal moves in the notation, such as ``"card 17 @ 20,21 r1"``; empty only at the end."""
    return position.moves


def play(position: Position, move: str) -> Position:
    """Return the position after a legal move.

    Raises
    ------
    ValueError
        If the move is not legal here.
    """
    if move not in position.moves:
        raise ValueError(f"{move!r} is not legal here")
    word, *rest = move.split()
    if word == "pass":
        return _next_turn(replace(position, passes=position.passes + 1))
    if word == "card":
        return _lay(position, int(rest[0]), _cell(rest[2]), int(rest[3][1:]))
    if word == "end":
        return _next_turn(position)
    assert position.actions is not None
    after = replace(position, actions=position.actions - 1)
    if word == "draw":
        after = _draw(after, int(rest[0]))
    elif word == "buy":
        after = _move_cables(after, bought=CABLES_BOUGHT)
    else:
        x, y = _cell(rest[0])
        there = (x + 1, y) if rest[1] == "E" else (x, y + 1)
        after = replace(_move_cables(after, placed=1), cables={**after.cables, ((x, y), there): after.to_move})
    return _next_turn(after) if after.actions == 0 and after.over is None else after


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def _lay(position: Position, number: int, corner: Cell, turns: int) -> Position:
    card = position.deck[number]
    laid = {(corner[0] + dx, corner[1] + dy): printed for (dx, dy), printed in rotations(card)[turns].items()}
    hand = tuple(other for other in position.hands[position.to_move] if other != number)
    hands = _changed(position.hands, position.to_move, hand)
    return replace(position, cells={**position.cells, **laid}, hands=hands, actions=card.dots, passes=0)


def _draw(position: Position, number: int) -> Position:
    top, *rest = position.piles[number]
    hands = _changed(position.hands, position.to_move, (*position.hands[position.to_move], top))
    piles = _changed(position.piles, number, tuple(rest))
    return replace(position, hands=hands, piles=piles, over=None if rest else "pile")


def _move_cables(position: Position, bought: int = 0, placed: int = 0) -> Position:
    player = position.to_move
    front = _changed(position.front, player, position.front[player] + bought - placed)
    return replace(position, front=front, store=_changed(position.store, player, position.store[player] - bought))


def _changed(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _next_turn(position: Position) -> Position:
    """Let the next player with cards play one, unless the game ends with this turn."""
    seats = len(position.hands)
    following = [(position.to_move + step) % seats for step in range(1, seats + 1)]
    with_cards = [player for player in following if position.hands[player]]
    over = None
    if not with_cards:
        over = "no cards"
    elif len(with_cards) == 1 and position.lone_player == "end":
        over = "lone player"
    elif position.passes >= len(with_cards):
        over = "passes"
    return replace(position, to_move=with_cards[0] if with_cards else position.to_move, actions=None, over=over)


# --- the end ----------------------------------------------------------------------------------------------------------


def scores(position: Position) -> list[int]:
    """Return each player's points: of the computers that they have connected, less one for every card in hand."""
    points = [-len(hand) for hand in position.hands]
    for ends, owner in position.cables.items():
        points[owner] += sum(int(position.cells[cell]) for cell in ends if position.cells.get(cell, ".") in "12345")
    return points


def returns(position: Position) -> list[Fraction]:
    """Return the final returns, zero-sum by share of the win; zeros before the end."""
    points, players = scores(position), len(position.hands)
    if position.over is None:
        return [Fraction(0)] * players
    share = Fraction(1, points.count(max(points)))
    return [(players * (share if own == max(points) else 0) - 1) / Fraction(players - 1) for own in points]


def to_act(position: Position) -> int | None:
    """Return the player to act, or None at the end."""
    return None if position.over is not None else position.to_move
