"""Netwerk as a picture: the board with its goals, the stones, the last move, and the network that won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelab.games.netwerk.chain import find_network
from gamelab.games.netwerk.geometry import ALL_GOALS, FIELD, SQUARES
from gamelab.games.netwerk.rules import DRAW, MOVE, ONGOING, PASS
from gamelab.games.netwerk.text import NAMES, action_to_string

__all__ = ["draw_svg"]

CELL = 44
MARGIN = 26
TRAY = 84  # beside the board, for the stones in hand
HAND_HEIGHT = 156
CAPTION = 34
BOARD = 8 * CELL
WIDTH, HEIGHT = MARGIN + BOARD + TRAY, MARGIN + BOARD + MARGIN + CAPTION

PAPER, INK, LINE = "#f6f1e7", "#3a342c", "#b9ab95"
FREE, CORNER = "#efe4cf", "#8d8273"
GOAL = ("#d4e3f3", "#f3d3c4")  # White's files, Black's ranks
STONE = (("#fffdf8", "#4a6f9c"), ("#2b2725", "#c05a36"))  # fill and rim
WINNING = ("#2f6fb5", "#d1491b")
LAST = "#e0a100"
FONT = 'font-family="Helvetica, Arial, sans-serif"'


def draw_svg(state: Any, last_action: int | None = None) -> str:
    """The position as an SVG image.

    White's goals are blue and Black's red, as are the rims of their stones and the hands beside the board; the hand
    of the side to move has a thick edge. Corners are dark. The last move is marked by a ring on the stone put down,
    with a dashed line from where it was lifted. A network that won is drawn as a line through its stones.

    Parameters
    ----------
    state : record of `rules.DTYPE`
    last_action : int, optional
        The action that led here.

    Returns
    -------
    str
        One self-contained ``<svg>`` element, the same on light and dark pages.
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
        *_lifted(last_action),
        *(_network_line(find_network(state, winner), winner) if winner is not None else ()),
        *_stones(state),
        *_put_down(last_action),
        *_hand(state, 0),
        *_hand(state, 1),
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
    place = f'class="{kind} {NAMES[player]}" cx="{x}" cy="{y}" r="{radius}"'
    return f'<circle {place} fill="{fill}" stroke="{rim}" stroke-width="3"/>'


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


def _lifted(action: int | None) -> list[str]:
    """Where a stone was lifted, and its way; below the stones, for it may lead over some."""
    if action is None or not MOVE <= action < PASS:
        return []
    source, target = divmod(action - MOVE, SQUARES)
    (from_x, from_y), (x, y) = _centre(source), _centre(target)
    style = f'fill="none" stroke="{LAST}" stroke-width="2.5" stroke-dasharray="4 4"'
    return [
        f'<circle class="lifted" cx="{from_x}" cy="{from_y}" r="15" {style}/>',
        f'<path class="lifted" d="M{from_x} {from_y}L{x} {y}" {style}/>',
    ]


def _put_down(action: int | None) -> list[str]:
    """A ring on the stone just put down."""
    if action is None or action == PASS:
        return []
    x, y = _centre(action if action < MOVE else (action - MOVE) % SQUARES)
    return [f'<circle class="last" cx="{x}" cy="{y}" r="8" fill="none" stroke="{LAST}" stroke-width="3.5"/>']


def _hand(state: Any, player: int) -> list[str]:
    """The stones in hand beside the board: Black's above, White's below."""
    left, width = MARGIN + BOARD + 12, TRAY - 24
    top = MARGIN + BOARD - HAND_HEIGHT if player == 0 else MARGIN
    to_move = state["result"] == ONGOING and state["player"] == player
    edge = f'stroke="{STONE[player][1]}" stroke-width="3"' if to_move else f'stroke="{LINE}"'
    box = f'x="{left}" y="{top}" width="{width}" height="{HAND_HEIGHT}" rx="6"'
    middle = f'x="{left + width // 2}" y="{top + 17}" text-anchor="middle"'
    parts = [
        f'<rect class="tray {NAMES[player]}" {box} fill="{GOAL[player]}" {edge}/>',
        f'<text {middle} font-size="13" fill="{INK}">{NAMES[player]}</text>',
    ]
    for i in range(int(state["hands"][player])):
        row, column = divmod(i, 2)
        parts.append(_stone(left + 17 + 26 * column, top + 35 + 26 * row, player, 9, "hand"))
    return parts


def _caption(state: Any, last_action: int | None) -> str:
    result = int(state["result"])
    if result == DRAW:
        text = "Draw"
    elif result == ONGOING:
        text = f"{NAMES[state['player']]} to move"
    else:
        text = f"{NAMES[result]} has won"
    last = "" if last_action is None else f", last {action_to_string(last_action)}"
    return f"{text}, ply {state['ply']}{last}"
