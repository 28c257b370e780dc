"""Kreuz & Quer in text: actions, and positions.

A position is a line for each player, then the tiles that were drawn::

    player 0: b3 nw-w c4 wn-n d3 x
    player 1: c4 wn-n d3 -n-n
    drawn 6 12 20; tile 20

A tile is its cell and its sides as they lie, north east south west: w wide, n narrow, - no pipe, or x face down; commas,
semicolons and line-ends may stand between tiles, in any order. ``drawn`` has the kinds drawn so far, a number for each tile,
``tile`` the one of them that is to be placed; whose turn it is follows from the numbers of tiles that lie.
``drawn`` may be left out if some player has all tiles face up: then these, and the tile, are what was drawn.

All face-up tiles must be of kinds that were drawn, and there must be an order in which each player could have laid them. A
position need not be reachable beyond that: the orders of two players can be at odds.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NoReturn

from gamelab.core import rules
from gamelab.core.errors import NotationError, PositionError, quoted
from gamelab.games.kreuzquer.geometry import (
    BLANK,
    CELLS,
    CROSSING,
    FACE_DOWN,
    MIDDLE,
    NEIGHBOUR,
    NONE,
    SIDES_OF,
    SIZE,
    lay_of,
    written_sides,
)
from gamelab.games.kreuzquer.pieces import TileSet
from gamelab.games.kreuzquer.rules import DRAW, EMPTY, NO_TILE, ROUNDS

__all__ = ["action_to_string", "cell_name", "read_position", "status", "string_to_action", "tiles_on", "write_position"]

COLUMNS = "abcde"
PLACEMENT = re.compile("([a-e][1-5])[ ]+([wn-]{4}|x)")
TILE = re.compile("tile ([1-9][0-9]?)")


def cell_name(cell: int) -> str:
    """`a1` to `e5`."""
    return f"{COLUMNS[cell % SIZE]}{cell // SIZE + 1}"


def cell_of(name: str) -> int:
    """The inverse of `cell_name`."""
    return SIZE * (int(name[1]) - 1) + COLUMNS.index(name[0])


def action_to_string(action: int) -> str:
    """`c4 wn-n`, `c4 x` for face down, `tile 7` for chance."""
    if action >= DRAW:
        return f"tile {action - DRAW + 1}"
    lay, cell = divmod(action, CELLS)
    return f"{cell_name(cell)} {'x' if lay == FACE_DOWN else written_sides(lay)}"


def string_to_action(tiles: TileSet, text: str) -> int:
    """The inverse of `action_to_string`; capital letters and space around are allowed."""
    word = text.strip().lower() if isinstance(text, str) else ""
    if match := TILE.fullmatch(word):
        kind = int(match[1])
        if kind > len(tiles.sides):
            raise NotationError(
                f"{quoted(text)} is no tile of kreuzquer: the set {tiles.name} has the kinds 1 to {len(tiles.sides)}"
            )
        return DRAW + kind - 1
    if match := PLACEMENT.fullmatch(word):
        cell, sides = match.groups()
        if cell == "c3":
            raise NotationError(f"{quoted(text)} is no move of kreuzquer: the crossing is printed on c3")
        if sides == "----":
            raise NotationError(f"{quoted(text)} is no move of kreuzquer: no tile is without a pipe, and face down is {cell} x")
        return CELLS * (FACE_DOWN if sides == "x" else lay_of(sides)) + cell_of(cell)
    raise NotationError(
        f"{quoted(text)} is no move of kreuzquer: write c4 wn-n (sides as they lie), c4 x (face down), tile 7 (chance)"
    )


def tiles_on(state: Any, player: int) -> dict[int, int]:
    """The player's tiles: cell to lay, cells ascending, without the crossing."""
    lays = enumerate(state["lays"][player].tolist())
    return {cell: lay for cell, lay in lays if lay != EMPTY and cell != MIDDLE}


def drawn_kinds(tiles: TileSet, state: Any) -> list[int]:
    """The kinds drawn so far, ascending, one for each tile."""
    left = int(state["left"])
    drawn = []
    for kind, copies in enumerate(tiles.copies):
        drawn += [kind] * (copies - (left & int(state["tiles_of"][kind])).bit_count())
    return drawn


def status(state: Any) -> str:
    """Who is to place, or how it ended, in a few words."""
    players = int(state["players"])
    points = ", ".join(str(minus) for minus in state["minus"][:players])
    if state["tile"] != NO_TILE:
        return f"player {state['seat']} to place" if players > 1 else "to place"
    return f"minus points {points}" if state["round"] == ROUNDS else "a tile is drawn"


# --- writing ----------------------------------------------------------------------------------------------------------


def write_position(tiles: TileSet, state: Any) -> str:
    """The position as text; `read_position` is its exact inverse."""
    lines = []
    for player in range(int(state["players"])):
        placed = [action_to_string(CELLS * lay + cell) for cell, lay in tiles_on(state, player).items()]
        lines.append(" ".join([f"player {player}:", *placed]))
    last = " ".join(["drawn", *(str(kind + 1) for kind in drawn_kinds(tiles, state))])
    if state["tile"] != NO_TILE:
        last += f"; tile {state['tile'] + 1}"
    return "\n".join([*lines, last])


# --- reading ----------------------------------------------------------------------------------------------------------


def _fail(reason: str) -> NoReturn:
    raise PositionError(f"kreuzquer position, {reason}")


def read_position(tiles: TileSet, text: str, state: Any) -> None:
    """Set a blank record to the position that the text describes; PositionError says what is wrong where."""
    players = int(state["players"])
    boards, last = _split(text, players)
    placed = [_read_board(board, player) for player, board in enumerate(boards)]
    given, tile = _read_last_line(tiles, last)
    kinds = [_kinds(tiles, lays, player) for player, lays in enumerate(placed)]
    drawn = Counter(given) if given is not None else _drawn_from(placed, kinds, tile)
    seat = _seat(placed, drawn, tile)
    _check_drawn(tiles, kinds, drawn, tile, seat)
    rules.initial(state)
    for player, lays in enumerate(placed):
        # In a record that has one player to place after the other: `apply_action` keeps all else right.
        for cell in _order(lays, bool(state["strict"]), player):
            state["seat"], state["tile"] = player, 0
            rules.apply_action(state, CELLS * lays[cell] + cell)
    for kind, count in drawn.items():
        for _ in range(count):
            rules.apply_action(state, DRAW + kind)
    state["seat"], state["tile"] = seat, NO_TILE if tile is None else tile
    state["round"] = drawn.total() - (tile is not None)


def _split(text: str, players: int) -> tuple[list[str], str]:
    """What stands behind ``player 0:``, ``player 1:``, ...; and the rest, beginning with ``drawn`` or ``tile``."""
    words = " ".join(re.sub("[,;]", " ", text.lower()).split())
    body, keyword, rest = re.match("(.*?)(?:(drawn|tile)(.*))?$", words).groups()  # type: ignore[union-attr]
    first, *pieces = re.split(r"player ([0-9]+) ?:", body)
    if first.strip():
        _fail(f"beginning: {quoted(first)}, not player 0:")
    if pieces[::2] != [str(player) for player in range(players)]:
        found = ", ".join(f"player {number}" for number in pieces[::2]) or "none"
        _fail(f"players: {found}, not player 0 to player {players - 1}, each with a colon")
    return [piece.strip() for piece in pieces[1::2]], f"{keyword}{rest}" if keyword else ""


def _read_board(text: str, player: int) -> dict[int, int]:
    """Cell to lay."""
    words = text.split()
    lays: dict[int, int] = {}
    for i in range(0, len(words), 2):
        pair = " ".join(words[i : i + 2])
        match = PLACEMENT.fullmatch(pair)
        if not match or match[2] == "----":
            _fail(f"player {player}: {quoted(pair)} is not a cell and its tile, as in c4 wn-n or c4 x")
        cell = cell_of(match[1])
        if cell == MIDDLE:
            _fail(f"player {player}: {pair}: the crossing is printed on c3")
        if cell in lays:
            _fail(f"player {player}: {match[1]} is covered twice")
        lays[cell] = FACE_DOWN if match[2] == "x" else lay_of(match[2])
    return lays


def _read_last_line(tiles: TileSet, text: str) -> tuple[list[int] | None, int | None]:
    """The kinds drawn, None if not given, and the tile to be placed, None if there is none."""
    match = re.fullmatch(r"(?:drawn((?: [0-9]{1,3})*))?(?: ?tile ([0-9]{1,3}))?", text)
    if not match:
        _fail(f"{quoted(text)} is not written as drawn 3 5 5; tile 5")
    kinds = None if match[1] is None else [_kind(tiles, word) for word in match[1].split()]
    return kinds, None if match[2] is None else _kind(tiles, match[2])


def _kind(tiles: TileSet, word: str) -> int:
    if not 1 <= int(word) <= len(tiles.sides):
        _fail(f"tile {word}: the set {tiles.name} has the kinds 1 to {len(tiles.sides)}")
    return int(word) - 1


def _kinds(tiles: TileSet, lays: dict[int, int], player: int) -> Counter[int]:
    """The kinds of a player's face-up tiles."""
    kinds: Counter[int] = Counter()
    for cell, lay in lays.items():
        if lay != FACE_DOWN:
            if lay not in tiles.kind_of_lay:
                _fail(f"player {player}: {cell_name(cell)} {written_sides(lay)}: no tile of the set {tiles.name}")
            kinds[tiles.kind_of_lay[lay]] += 1
    return kinds


def _drawn_from(placed: list[dict[int, int]], kinds: list[Counter[int]], tile: int | None) -> Counter[int]:
    """What was drawn, told by a player who has all tiles face up, a latecomer rather than one who has placed the tile."""
    fewest = min(map(len, placed))
    for lays, counts in zip(placed, kinds, strict=True):
        if FACE_DOWN not in lays.values():
            drawn = counts.copy()
            if tile is not None and (len(lays) == fewest):
                drawn[tile] += 1
            return drawn
    _fail("drawn: missing; it can be left out only where a player has all tiles face up")


def _seat(placed: list[dict[int, int]], drawn: Counter[int], tile: int | None) -> int:
    """Who is to place: the first who has not."""
    rounds = drawn.total()
    counts = [len(lays) for lays in placed]
    if tile is None:
        if counts != [rounds] * len(counts):
            _fail(f"drawn: {rounds} tiles were drawn and none is to be placed, but there lie {', '.join(map(str, counts))}")
        return 0
    seat = counts.count(rounds)
    if seat == len(counts) or counts != [rounds] * seat + [rounds - 1] * (len(counts) - seat):
        lie = ", ".join(map(str, counts))
        _fail(f"tile: with {rounds} drawn and one to be placed there lie {lie}: {rounds} for those who have, then {rounds - 1}")
    return seat


def _check_drawn(tiles: TileSet, kinds: list[Counter[int]], drawn: Counter[int], tile: int | None, seat: int) -> None:
    """Everybody's face-up tiles must be among those that they were to place."""
    if drawn.total() > ROUNDS:
        _fail(f"drawn: {drawn.total()} tiles, but a game has {ROUNDS} rounds")
    for kind, count in sorted(drawn.items()):
        if count > tiles.copies[kind]:
            _fail(f"drawn: {count} tiles of kind {kind + 1}, but there are {tiles.copies[kind]} in the set {tiles.name}")
    if tile is not None and not drawn[tile]:
        _fail(f"tile {tile + 1} is not among those drawn")
    for player, counts in enumerate(kinds):
        had = drawn.copy()
        if tile is not None and player >= seat:
            had[tile] -= 1
        for kind, count in sorted(counts.items()):
            if count > had[kind]:
                _fail(f"player {player}: {count} face-up tiles of kind {kind + 1}, {had[kind]} drawn so far")


def _order(lays: dict[int, int], strict: bool, player: int) -> list[int]:
    """The cells in an order in which the tiles could have been laid.

    Every tile is laid as soon as it can: it must be linked to one that lies, and with `matching` "own" a side without a pipe
    must wait until the neighbour whose pipe runs against it lies.
    """
    lying = {MIDDLE: CROSSING}
    waiting = {cell: lay for cell, lay in lays.items() if lay != FACE_DOWN}
    while waiting:
        ready = [cell for cell in waiting if _may_lie(cell, {**waiting, **lying}, lying, strict, player)]
        if not ready:
            names = ", ".join(cell_name(cell) for cell in sorted(waiting))
            _fail(f"player {player}: no tile could have been laid next of those on {names}")
        lying[ready[0]] = waiting.pop(ready[0])
    del lying[MIDDLE]
    return [*lying, *(cell for cell, lay in lays.items() if lay == FACE_DOWN)]


def _may_lie(cell: int, lays: dict[int, int], lying: dict[int, int], strict: bool, player: int) -> bool:
    """Whether a tile can be laid now, given all lays and those that lie; PositionError if it never can."""
    linked, waits = False, False
    for side in range(4):
        pipe, there = int(SIDES_OF[lays[cell], side]), int(NEIGHBOUR[cell, side]).bit_length() - 1  # -1 beyond the border
        if pipe != NONE and int(BLANK[side]) >> cell & 1:
            _fail(f"player {player}: {cell_name(cell)} has a pipe towards the blank middle of the border")
        if there not in lays:
            continue
        facing = int(SIDES_OF[lays[there], side ^ 2])
        if pipe != facing and (strict or (pipe != NONE and facing != NONE)):
            _fail(f"player {player}: {cell_name(cell)} and {cell_name(there)} do not match")
        linked |= pipe != NONE and pipe == facing and there in lying
        waits |= pipe == NONE and facing != NONE and there not in lying
    return linked and not waits
