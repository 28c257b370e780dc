"""Netwerk as a picture: the board with its goals, the stones, the last move, and the network that won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelab.games.netwerk.chain import find_network
from gamelab.games.netwerk.geometry import ALL_GOALS, FIELD
from gamelab.games.netwerk.rules import DRAW, MOVE, ONGOING, PASS, SQUARES
from gamelab.games.netwerk.text import NAMES, action_to_string

__all__ = ["draw_svg"]

CELL = 44
MARGIN = 26
TRAY = 64  # beside the board, for the stones in hand
CAPTION = 34
BOARD = 8 * CELL
WIDTH, HEIGHT = MARGIN + BOARD + TRAY, MARGIN + BOARD + MARGIN + CAPTION

PAPER, INK, LINE = "#f6f1e7", "#3a342c", "#b9ab95"
FREE, CORNER = "#efe4cf", "#8d8273"
GOAL = ("#d4e3f3", "#f3d3c4")  # White's files, Black's ranks
STONE = (("#fffdf8", "#4a6f9c"), ("#2b2725", "#c05a36"))  # fill and rim
WINNING = ("#2f6fb5", "#d1491b")
FONT = 'font-family="Helvetica, Arial, sans-serif"'


def draw_svg(state: Any, last_action: int | None = None) -> str:
    """The position as an SVG image.

    White's goals are blue and Black's red, as are the rims of their stones; corners are dark. The last move is marked by a
    dot, with a dashed line from where a stone was lifted. A network that won is drawn as a line through its stones.

    Parameters
    ----------
    state : record of `rules.DTYPE`
    last_action : int, optional
        The action that led here.
    """
    caption = _caption(state, last_action)
    winner = int(state["result"]) if state["result"] in (0, 1) else None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" {FONT}>',
        f"<title>Netwerk: {caption}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>',
        *_squares(),
        *_coordinates(),
        *(_network_line(find_network(state, winner), winner) if winner is not None else ()),
        *_stones(state),
        *_last_move(last_action),
        *_hands(state),
        f'<text class="caption" x="{MARGIN}" y="{HEIGHT - 16}" font-size="15" fill="{INK}">{caption}</text>',
        "</svg>",
    ]
    return "".join(parts)


def _centre(square: int) -> tuple[int, int]:
    return MARGIN + CELL * (square % 8) + CELL // 2, MARGIN + CELL * (7 - square // 8) + CELL // 2


def _squares() -> list[str]:
    parts = []
    for square in range(SQUARES):
        x, y = _centre(square)
        fill = FREE
        for player in range(2):
            if int(ALL_GOALS[player]) >> square & 1:
                fill = GOAL[player]
        if not (int(FIELD[0]) | int(FIELD[1])) >> square & 1:
            fill = CORNER
        parts.append(
            f'<rect class="square" x="{x - CELL // 2}" y="{y - CELL // 2}" width="{CELL}" height="{CELL}" '
            f'fill="{fill}" stroke="{LINE}"/>'
        )
    return parts


def _coordinates() -> list[str]:
    def label(x: int, y: int, text: str) -> str:
        return f'<text x="{x}" y="{y + 5}" font-size="13" text-anchor="middle" fill="{INK}">{text}</text>'

    ranks = [label(MARGIN // 2, _centre(8 * rank)[1], str(rank + 1)) for rank in range(8)]
    files = [label(_centre(file)[0], MARGIN + BOARD + MARGIN // 2, "abcdefgh"[file]) for file in range(8)]
    return ranks + files


def _stone(x: int, y: int, player: int, radius: int, kind: str) -> str:
    fill, rim = STONE[player]
    return f'<circle class="{kind} {NAMES[player]}" cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{rim}" stroke-width="3"/>'


def _stones(state: Any) -> list[str]:
    return [
        _stone(*_centre(square), player, 15, "stone")
        for player in range(2)
        for square in range(SQUARES)
        if int(state["stones"][player]) >> square & 1
    ]


def _network_line(chain: Sequence[int], player: int) -> list[str]:
    points = " ".join(f"{x},{y}" for x, y in map(_centre, chain))
    line = f'<polyline class="network" points="{points}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return [
        f'{line} stroke="{PAPER}" stroke-width="12"/>',
        f'{line} stroke="{WINNING[player]}" stroke-width="7"/>',
    ]


def _last_move(action: int | None) -> list[str]:
    """A dot on the stone put down; a dashed line from where it was lifted."""
    if action is None or action == PASS:
        return []
    x, y = _centre(action if action < MOVE else (action - MOVE) % SQUARES)
    dot = f'<circle class="last" cx="{x}" cy="{y}" r="6" fill="#e0a100" stroke="none"/>'
    if action < MOVE:
        return [dot]
    from_x, from_y = _centre((action - MOVE) // SQUARES)
    return [
        f'<circle class="lifted" cx="{from_x}" cy="{from_y}" r="15" fill="none" stroke="#e0a100" stroke-width="2" '
        'stroke-dasharray="4 4"/>',
        f'<path class="lifted" d="M{from_x} {from_y}L{x} {y}" stroke="#e0a100" stroke-width="2" stroke-dasharray="4 4"/>',
        dot,
    ]


def _hands(state: Any) -> list[str]:
    """The stones in hand beside the board: Black's above, White's below."""
    parts = []
    for player in range(2):
        for i in range(int(state["hands"][player])):
            x = MARGIN + BOARD + 20 + 26 * (i % 2)
            step = 26 * (i // 2)
            y = MARGIN + BOARD - 14 - step if player == 0 else MARGIN + 14 + step
            parts.append(_stone(x, y, player, 9, "hand"))
    return parts


def _caption(state: Any, last_action: int | None) -> str:
    result = int(state["result"])
    if result == DRAW:
        text = "Draw"
    elif result == ONGOING:
        text = f"{NAMES[state['player']]} to move"
    else:
        text = f"{NAMES[result]} has won"
    return f"{text}, ply {state['ply']}" + (f", last {action_to_string(last_action)}" if last_action is not None else "")


