"""Hack Trick as a picture: the map with its markers, the row, and each player's hand, spying zone, supply and score."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from gamelab.games.hacktrick import rules
from gamelab.games.hacktrick.cards import size, unpack
from gamelab.games.hacktrick.rules import code_of
from gamelab.games.hacktrick.servers import LINES, SQUARE, markers_on
from gamelab.games.hacktrick.text import action_to_string
from gamelab.games.hacktrick.view import lines_and_stacks, row_of, status

__all__ = ["draw_svg"]

WIDTH, HEIGHT = 760, 470
PANEL = 210  # at the left for player 0, at the right for player 1
CELL = 104
MAP_LEFT, MAP_TOP = (WIDTH - 3 * CELL) // 2, 14
ROW_TOP = 348
CARD_WIDTH, CARD_HEIGHT = 36, 52

PAPER, INK, LINE = "#f6f1e7", "#2f2b26", "#b9ab95"
BOARD, SERVER, WIRE = "#2b3440", "#3d4957", "#6f8296"
FACE, BACK = "#ffffff", "#41566d"
FILL, RIM, PALE = ("#c8372d", "#e9b824"), ("#7c1710", "#8a6606"), ("#f3dcd6", "#f6ebc6")
NUMBER_FILL = ("#7a7a7a", "#2c7fb8", "#31a354", "#d95f0e", "#8856a7", "#c51b45")
LAST, WINNING = "#4fd0c0", "#ffffff"
FONT = 'font-family="Helvetica, Arial, sans-serif"'


def draw_svg(state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
    """The position as an SVG image.

    Player 0 is red and on the left, player 1 yellow and on the right; the giant markers are larger, with a star. The panel
    of the player whose turn it is has a thick edge. The server infected last is ringed, winning threes are joined.

    Parameters
    ----------
    state : record of `rules.DTYPE`
    player : int, optional
        Whose view: the other hand lies face down. None: both hands are open.
    last_action : int, optional
        The action that led here, for the caption; a card that was dealt or drawn is not told.

    Returns
    -------
    str
        One self-contained ``<svg>`` element, the same on light and dark pages.
    """
    caption = status(state)
    if last_action is not None and last_action >= rules.OPEN:
        caption += f"; last: {action_to_string(last_action)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" {FONT}>',
        f"<title>Hack Trick: {caption}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>',
        *_map(state),
        *_panel(state, 0, player),
        *_panel(state, 1, player),
        *_row(state),
        _words(16, HEIGHT - 14, caption, 15, css="caption"),
        "</svg>",
    ]
    return "".join(parts)


def _words(x: float, y: float, text: object, font: int, *, fill: str = INK, anchor: str = "start", css: str = "") -> str:
    kind = f'class="{css}" ' if css else ""
    return f'<text {kind}x="{x:g}" y="{y:g}" font-size="{font}" fill="{fill}" text-anchor="{anchor}">{text}</text>'


# --- the map ----------------------------------------------------------------------------------------------------------


def _centre(server: int) -> tuple[int, int]:
    for i, servers in enumerate(SQUARE):
        if server in servers:
            return MAP_LEFT + CELL * servers.index(server) + CELL // 2, MAP_TOP + CELL * i + CELL // 2
    raise AssertionError(server)


def _map(state: Any) -> list[str]:
    side = 3 * CELL
    parts = [f'<rect class="map" x="{MAP_LEFT}" y="{MAP_TOP}" width="{side}" height="{side}" rx="10" fill="{BOARD}"/>']
    parts += [_wire(*_ends(line), WIRE, 2, "wire") for line in LINES]
    for server in range(1, 10):
        x, y = _centre(server)
        parts.append(f'<circle class="server" cx="{x}" cy="{y}" r="43" fill="{SERVER}" stroke="{WIRE}" stroke-width="2"/>')
    parts += _last_infected(state)
    parts += _winning_wires(state)
    for server in range(1, 10):
        x, y = _centre(server)
        parts.append(_words(x - 27, y - 11, server, 20, fill="#dfe6ee", anchor="middle"))  # beside all wires
        parts += _stack(state, server)
    return parts


def _ends(line: tuple[int, ...]) -> tuple[int, int]:
    """The two servers of a line that lie farthest apart."""

    def distance(pair: tuple[int, int]) -> int:
        (ax, ay), (bx, by) = map(_centre, pair)
        return (ax - bx) ** 2 + (ay - by) ** 2

    return max(combinations(line, 2), key=distance)


def _wire(a: int, b: int, colour: str, width: int, css: str) -> str:
    (ax, ay), (bx, by) = _centre(a), _centre(b)
    return f'<path class="{css}" d="M{ax} {ay}L{bx} {by}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _last_infected(state: Any) -> list[str]:
    plays = [code for code in map(code_of, state["record"][: int(state["length"])]) if rules.PLAY <= code < rules.DRAW]
    row = row_of(state)
    if not plays or len(row) < 2:
        return []
    x, y = _centre(row[-1] + row[-2])
    return [f'<circle class="last" cx="{x}" cy="{y}" r="47" fill="none" stroke="{LAST}" stroke-width="4"/>']


def _winning_wires(state: Any) -> list[str]:
    if state["phase"] != rules.OVER:
        return []
    lines, stacks = lines_and_stacks(state, int(state["result"]))
    parts = []
    for line in lines:
        parts.append(_wire(*_ends(line), WINNING, 5, "winning"))
    for server in stacks:
        x, y = _centre(server)
        parts.append(f'<circle class="winning" cx="{x}" cy="{y}" r="43" fill="none" stroke="{WINNING}" stroke-width="6"/>')
    return parts


def _marker(x: float, y: float, player: int, radius: float, css: str, *, giant: bool = False) -> str:
    place = f'class="{css} p{player}{" giant" if giant else ""}" cx="{x:g}" cy="{y:g}" r="{radius:g}"'
    disc = f'<circle {place} fill="{FILL[player]}" stroke="{RIM[player]}" stroke-width="2"/>'
    star = _words(x, y + 0.45 * radius, "&#9733;", round(1.25 * radius), fill=RIM[player], anchor="middle") if giant else ""
    return disc + star


def _stack(state: Any, server: int) -> list[str]:
    """The markers on a server side by side; all are of one player."""
    x, y = _centre(server)
    parts = []
    for player in range(2):
        markers = int(markers_on(np.uint64(state["markers"][player]), server))
        for i in range(markers):
            giant = i == 0 and state["giant"][player] == server
            left = x + 25 * (i - (markers - 1) / 2)
            parts.append(_marker(left, y + 9, player, 16 if giant else 11, "marker", giant=giant))
    return parts


# --- the players ------------------------------------------------------------------------------------------------------


def _panel(state: Any, seat: int, viewer: int | None) -> list[str]:
    left, width, height = (12 if seat == 0 else WIDTH - PANEL + 2), PANEL - 14, 3 * CELL
    to_move = state["phase"] != rules.OVER and state["turn"] == seat
    edge = f'stroke="{RIM[seat]}" stroke-width="{4 if to_move else 1}"'
    box = f'x="{left}" y="{MAP_TOP}" width="{width}" height="{height}" rx="8"'
    parts = [
        f'<rect class="panel p{seat}" {box} fill="{PALE[seat]}" {edge}/>',
        _words(left + 12, MAP_TOP + 26, f"player {seat}", 17),
        *_hand(state, seat, viewer, left + 12, MAP_TOP + 40),
        _words(left + 12, MAP_TOP + 122, "supply", 13),
        *_markers_in_rows(int(state["supply"][seat]), seat, state["giant"][seat] == rules.IN_SUPPLY, left, 144, "supply"),
        _words(left + 12, MAP_TOP + 208, "spying zone", 13),
        *_markers_in_rows(int(state["zone"][seat]), 1 - seat, state["giant"][1 - seat] == rules.CAPTURED, left, 230, "zone"),
    ]
    if state["match"]:
        parts.append(
            _words(left + width - 12, MAP_TOP + 26, f"{state['score'][seat]} of 3 points", 14, anchor="end", css="score")
        )
    if to_move and state["call"]:
        word = ("", "HACKED", "FIREWALL")[state["call"]]
        parts.append(_words(left + 12, MAP_TOP + height - 12, word, 15, css="call"))
    return parts


def _hand(state: Any, seat: int, viewer: int | None, x: int, y: int) -> list[str]:
    if viewer in (seat, None):
        return [part for i, number in enumerate(unpack(state["hands"][seat])) for part in _card(x + 44 * i, y, number)]
    return [part for i in range(int(size(state["hands"][seat]))) for part in _card(x + 44 * i, y, None)]


def _card(x: float, y: float, number: int | None) -> list[str]:
    """A card with its number, or face down."""
    box = f'x="{x:g}" y="{y:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" stroke="{INK}"'
    if number is None:
        inner = f'x="{x + 5:g}" y="{y + 5:g}" width="{CARD_WIDTH - 10}" height="{CARD_HEIGHT - 10}" rx="3"'
        return [f'<rect class="card back" {box} fill="{BACK}"/>', f'<rect {inner} fill="none" stroke="#9fb2c6"/>']
    return [
        f'<rect class="card" {box} fill="{FACE}"/>',
        _words(x + CARD_WIDTH / 2, y + 36, number, 28, fill=NUMBER_FILL[number], anchor="middle"),
    ]


def _markers_in_rows(markers: int, player: int, giant: bool, left: int, top: int, css: str) -> list[str]:
    """Seven in a row, the giant first."""
    parts = []
    for i in range(markers):
        line, place = divmod(i, 7)
        big = giant and i == 0
        parts.append(_marker(left + 24 + 25 * place, MAP_TOP + top + 25 * line, player, 12 if big else 9, css, giant=big))
    return parts


# --- the row ----------------------------------------------------------------------------------------------------------


def _row(state: Any) -> list[str]:
    """The row, and at its right the deck and the cards that are out."""
    parts = [_words(16, ROW_TOP + 2, "row", 13)]
    row = row_of(state)
    step = min(CARD_WIDTH + 4, 540 / max(len(row), 1))
    for i, number in enumerate(row):
        parts += _card(16 + step * i, ROW_TOP + 10, number)
    parts.append(_words(608, ROW_TOP + 2, f"deck {size(state['deck'])}", 13))
    parts += _card(608, ROW_TOP + 10, None) if state["deck"] else []
    parts.append(_words(668, ROW_TOP + 2, "out", 13))
    for i in range(min(int(state["length"]), rules.TURNED_UP)):
        parts += _card(668 + (CARD_WIDTH + 4) * i, ROW_TOP + 10, int(code_of(state["record"][i])))
    return parts
