"""Kreuz & Quer as a picture: the boards with pipes and outlets, the tile to be placed, and the last placement."""

from __future__ import annotations

import math
from typing import Any

from gamelab.games.kreuzquer.geometry import (
    CELLS,
    CROSSING,
    FACE_DOWN,
    MIDDLE,
    NONE,
    OUTLET_POSITIONS,
    SIDES_OF,
    SIZE,
    STEPS,
    WIDE,
    border,
    lay_of,
)
from gamelab.games.kreuzquer.pieces import TileSet
from gamelab.games.kreuzquer.rules import DRAW, EMPTY, NO_TILE, ROUNDS
from gamelab.games.kreuzquer.text import action_to_string, cell_name, drawn_kinds, status

__all__ = ["draw_svg"]

CELL = 58
EDGE = 34  # around the cells: the outlets
FRAME = SIZE * CELL + 2 * EDGE
GAP, TITLE, FOOT = 24, 34, 92

PAPER, INK, BOARD, GRID = "#f6f1e7", "#3a342c", "#e3d8c3", "#c9bb9f"
TILE, TILE_RIM, BACK, BACK_INK = "#fffdf8", "#a2957c", "#b9a98a", "#7d6f55"
PIPE = {WIDE: ("#1d6a96", 20), 2: ("#c4571b", 8)}  # colour and width in pixels
REACHED, MISSED, LAST = "#3f8f3a", "#b3322b", "#8a2be2"
FONT = 'font-family="Helvetica, Arial, sans-serif"'
Point = tuple[float, float]


def draw_svg(tiles: TileSet, state: Any, last_action: int | None = None) -> str:
    """The position as an SVG image.

    Wide pipes are blue, narrow ones orange; a tile face down shows a spiral. An outlet is green once a pipe reaches it, red
    when none can any more. The last placement has a violet rim.

    Parameters
    ----------
    tiles : TileSet
    state : record of `rules.DTYPE`
    last_action : int, optional
        The action that led here.

    Returns
    -------
    str
        One self-contained ``<svg>`` element, the same on light and dark pages.
    """
    players = int(state["players"])
    columns = min(players, 2)
    width = columns * FRAME + (columns + 1) * GAP
    height = math.ceil(players / 2) * (FRAME + TITLE + GAP) + FOOT
    last_player = (int(state["seat"]) - 1) % players
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f"{FONT}>",
        f"<title>Kreuz &amp; Quer: {status(state)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    for player in range(players):
        x, y = GAP + player % 2 * (FRAME + GAP), TITLE + player // 2 * (FRAME + TITLE + GAP)
        marked = last_action % CELLS if last_action is not None and last_action < DRAW and player == last_player else None
        parts += _board(state, player, (x, y), marked)
    return "".join([*parts, *_foot(tiles, state, height - FOOT + 14, last_action), "</svg>"])


def _board(state: Any, player: int, corner: Point, marked: int | None) -> list[str]:
    x, y = corner
    to_move = state["tile"] != NO_TILE and state["seat"] == player and state["players"] > 1
    title = f"player {player}: {state['minus'][player]} minus points{'' if state['round'] == ROUNDS else ' as it stands'}"
    weight = ' font-weight="bold"' if to_move else ""
    parts = [
        f'<g class="board"><text x="{x + EDGE}" y="{y - 10}" font-size="15" fill="{INK}"{weight}>{title}</text>',
        f'<rect x="{x}" y="{y}" width="{FRAME}" height="{FRAME}" rx="10" fill="{BOARD}"/>',
    ]
    for cell in range(CELLS):
        lay = CROSSING if cell == MIDDLE else int(state["lays"][player, cell])
        parts += _cell(_centre(corner, cell), cell, lay)
    for side in range(4):
        parts += _outlets(state, player, corner, side)
    if marked is not None:
        cx, cy = _centre(corner, marked)
        place = f'x="{cx - CELL / 2 + 1}" y="{cy - CELL / 2 + 1}" width="{CELL - 2}" height="{CELL - 2}"'
        parts.append(f'<rect class="last" {place} rx="5" fill="none" stroke="{LAST}" stroke-width="3"/>')
    return [*parts, "</g>"]


def _centre(corner: Point, cell: int) -> Point:
    return corner[0] + EDGE + (cell % SIZE + 0.5) * CELL, corner[1] + EDGE + (SIZE - 0.5 - cell // SIZE) * CELL


def _cell(centre: Point, cell: int, lay: int) -> list[str]:
    x, y = centre
    if lay == EMPTY:
        place = f'x="{x - CELL / 2 + 1}" y="{y - CELL / 2 + 1}" width="{CELL - 2}" height="{CELL - 2}"'
        name = f'<text x="{x}" y="{y + 4}" font-size="11" text-anchor="middle" fill="{GRID}">{cell_name(cell)}</text>'
        return [f'<rect class="free" {place} fill="{PAPER}" stroke="{GRID}"/>', name]
    return _tile(centre, lay, "crossing" if cell == MIDDLE else "tile")


def _tile(centre: Point, lay: int, kind: str) -> list[str]:
    """A square with a stub of pipe to each side; the narrow ones lie above, so that both can be told apart in the middle."""
    x, y = centre
    place = f'x="{x - CELL / 2 + 1}" y="{y - CELL / 2 + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4"'
    if lay == FACE_DOWN:
        return [
            f'<g class="face-down"><rect {place} fill="{BACK}" stroke="{BACK_INK}"/>',
            f'<path d="{_spiral(centre)}" fill="none" stroke="{BACK_INK}" stroke-width="3" stroke-linecap="round"/></g>',
        ]
    ground = PAPER if kind == "crossing" else TILE
    parts = [f'<g class="{kind}"><rect {place} fill="{ground}" stroke="{TILE_RIM}"/>']
    half = CELL / 2 - 1
    for pipe, (colour, width) in PIPE.items():
        ends = [STEPS[side] for side in range(4) if SIDES_OF[lay, side] == pipe]
        if ends:
            path = "".join(f"M{x} {y}L{x + half * right:.1f} {y - half * up:.1f}" for up, right in ends)
            parts.append(f'<path class="pipe" d="{path}" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>')
    widest = min(int(pipe) for pipe in SIDES_OF[lay] if pipe != NONE)
    colour, width = PIPE[widest]
    return [*parts, f'<circle cx="{x}" cy="{y}" r="{width / 2 + 2:.0f}" fill="{colour}"/></g>']


def _spiral(centre: Point) -> str:
    x, y = centre
    points = [(1.5 * turn * math.cos(turn), 1.5 * turn * math.sin(turn)) for turn in (i * 0.3 for i in range(1, 47))]
    return "M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in points)


def _outlets(state: Any, player: int, corner: Point, side: int) -> list[str]:
    up, right = STEPS[side]
    cells = border(side)
    parts = []
    for number, position in enumerate(OUTLET_POSITIONS):
        value, cell = int(state["outlets"][player, 4 * side + number]), cells[position]
        cx, cy = _centre(corner, cell)
        away = (CELL + EDGE) / 2
        x, y = cx + right * away, cy - up * away
        lay = int(state["lays"][player, cell])
        reached = lay not in (EMPTY, FACE_DOWN) and SIDES_OF[lay, side] != NONE
        colour = REACHED if reached else PAPER if lay == EMPTY else MISSED
        ink = INK if lay == EMPTY else PAPER
        parts.append(
            f'<circle class="outlet" cx="{x}" cy="{y}" r="13" fill="{colour}" stroke="{INK}"/>'
            f'<text x="{x}" y="{y + 5}" font-size="15" text-anchor="middle" fill="{ink}">{value}</text>'
        )
    return parts


def _foot(tiles: TileSet, state: Any, y: float, last_action: int | None) -> list[str]:
    """The tile to be placed, and a caption."""
    drawn = len(drawn_kinds(tiles, state))
    caption = f"round {max(1, drawn)}, {status(state)}"
    if last_action is not None:
        caption += f"; last {action_to_string(last_action)}"
    parts, x = [], float(GAP)
    if state["tile"] != NO_TILE:
        kind = int(state["tile"])
        parts += [f'<g class="current">{"".join(_tile((x + CELL / 2, y + CELL / 2), lay_of(tiles.sides[kind]), "tile"))}</g>']
        caption = f"tile {kind + 1}: {caption}"
        x += CELL + 14
    return [*parts, f'<text class="caption" x="{x}" y="{y + CELL / 2 + 5}" font-size="15" fill="{INK}">{caption}</text>']
