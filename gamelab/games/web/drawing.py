"""Web as a picture: the cards on the table with their computers and servers, the cables, hands and piles."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.games.web import moves, rules
from gamelab.games.web.cables import CABLES
from gamelab.games.web.cards import KINDS, SERVER, Card, Deck, cells_at
from gamelab.games.web.hidden import face_number, pile_cards
from gamelab.games.web.rules import score
from gamelab.games.web.setup import PILES
from gamelab.games.web.table import WALL, gaps
from gamelab.games.web.text import action_to_string, cards_of, first_of_plays, place_of
from gamelab.games.web.view import face_of, kinds_of, owners, status, window

__all__ = ["draw_svg"]

CELL, SMALL = 30, 15  # pixels of a cell on the table, in hands and piles
LEFT, TOP, PANEL = 30, 14, 330
FEWEST = 13  # cells each way are shown at least

FELT, EDGE, PAPER, INK, PALE = "#31553f", "#25412f", "#f6f1e7", "#2f2b26", "#8d8577"
CARD, RIM, LINE = "#e9e4d4", "#6d6656", "#c4bca6"
SCREEN, SERVER_FILL, OBSTACLE, GAP, LAST = "#9cc4d8", "#f2c33d", "#b9832f", "#a9c2a6", "#8a2be2"
COLOUR = ("#d0312d", "#1f6fd0", "#17924a", "#e08a00")
FONT = 'font-family="Helvetica, Arial, sans-serif"'


class _Table:
    """The part of the table that is drawn, and where its cells are in the picture."""

    def __init__(self, state: Any) -> None:
        left, low, right, high = window(state)
        side = int(state["table"])
        self.left, right = _widened(left, right, side)
        low, self.high = _widened(low, high, side)
        self.columns, self.rows = range(self.left, right + 1), range(low, self.high + 1)
        self.width, self.height = CELL * len(self.columns), CELL * len(self.rows)

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        return LEFT + CELL * (x - self.left), TOP + CELL * (self.high - y)

    def centre(self, x: int, y: int) -> tuple[int, int]:
        """The middle of a cell."""
        across, down = self.corner(x, y)
        return across + CELL // 2, down + CELL // 2


def _widened(low: int, high: int, side: int) -> tuple[int, int]:
    """A range of at least FEWEST cells around the given one, within the table."""
    more = max(0, FEWEST - (high - low + 1))
    low = max(0, low - (more + 1) // 2)
    high = min(side - 1, max(high, low + FEWEST - 1))
    return max(0, min(low, high - FEWEST + 1)), high


def draw_svg(state: Any, deck: Deck, *, player: int | None = None, last_action: int | None = None) -> str:
    """The position as an SVG image.

    Computers are blue screens with their points, servers yellow discs with an S, gaps are pale green, obstacles brown discs.
    Cables have their player's colour. Dots of cards in hand are shown where they are known, as "?" elsewhere. The last action
    is ringed in violet; the panel of the player whose turn it is has a thick edge.

    Parameters
    ----------
    state : record of `rules.DTYPE`
    deck : Deck
    player : int, optional
        Whose view: the dots of other hands are hidden. None: all are open.
    last_action : int, optional
        The action that led here.

    Returns
    -------
    str
        One self-contained ``<svg>`` element, the same on light and dark pages.
    """
    table = _Table(state)
    panel_left = LEFT + table.width + 16
    panel, panel_height = _panel(state, deck, player, panel_left)
    width, height = panel_left + PANEL + 10, max(TOP + table.height + 56, panel_height + 34)
    caption = status(state)
    if last_action is not None and state["phase"] != rules.DEALING:
        caption += f"; last: {action_to_string(state, last_action)}" if _is_shown(state, last_action) else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" {FONT}>',
        f"<title>Web: {caption}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        *_ground(state, table),
        *_cards(state, deck, table),
        *_cables(state, table),
        *_last(state, deck, table, last_action),
        *panel,
        _words(LEFT, height - 12, caption, 15, css="caption"),
        "</svg>",
    ]
    return "".join(parts)


def _words(x: float, y: float, text: object, size: int, *, fill: str = INK, anchor: str = "start", css: str = "") -> str:
    kind = f'class="{css}" ' if css else ""
    return f'<text {kind}x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{text}</text>'


# --- the table --------------------------------------------------------------------------------------------------------


def _ground(state: Any, table: _Table) -> list[str]:
    """The table itself, coordinates, obstacles and gaps."""
    place = f'x="{LEFT}" y="{TOP}" width="{table.width}" height="{table.height}"'
    parts = [f'<rect class="table" {place} fill="{FELT}" stroke="{EDGE}" stroke-width="2"/>']
    for x in table.columns:
        parts.append(_words(table.centre(x, 0)[0], TOP + table.height + 15, x, 11, fill=PALE, anchor="middle"))
    kinds = kinds_of(state)
    for y in table.rows:
        parts.append(_words(LEFT - 6, table.centre(0, y)[1] + 4, y, 11, fill=PALE, anchor="end"))
        row = int(gaps(state, y))
        for x in table.columns:
            across, down = table.corner(x, y)
            if row >> x & 1:
                parts.append(f'<rect class="gap" x="{across}" y="{down}" width="{CELL}" height="{CELL}" fill="{GAP}"/>')
            elif kinds[x, y] == WALL:
                middle = f'cx="{across + CELL // 2}" cy="{down + CELL // 2}"'
                parts.append(f'<circle class="obstacle" {middle} r="11" fill="{OBSTACLE}" stroke="#5f4110" stroke-width="2"/>')
    return parts


def _cards(state: Any, deck: Deck, table: _Table) -> list[str]:
    centre = int(state["table"]) // 2
    parts = _figure([(*table.corner(centre, centre), "S")], CELL, "card central")
    for number in cards_of(state["played"]):
        x, y, rotation = place_of(state, number)
        card = deck.cards[number]
        cells = [table.corner(x + dx, y + dy) for dx, dy in cells_at(card.shape, rotation)]
        parts += _figure([(*corner, kind) for corner, kind in zip(cells, card.cells, strict=True)], CELL, "card")
    return parts


def _figure(cells: list[tuple[int, int, str]], size: int, css: str) -> list[str]:
    """A card: its cells side by side, without a line between them where they are one piece, and a rim around."""
    squares = "".join(f"M{x} {y}h{size}v{size}h-{size}z" for x, y, _ in cells)
    corners = {(x, y) for x, y, _ in cells}
    rim = ""
    for x, y in sorted(corners):
        rim += f"M{x} {y}h{size}" * ((x, y - size) not in corners) + f"M{x} {y + size}h{size}" * ((x, y + size) not in corners)
        rim += f"M{x} {y}v{size}" * ((x - size, y) not in corners) + f"M{x + size} {y}v{size}" * ((x + size, y) not in corners)
    parts = [
        f'<path class="{css}" d="{squares}" fill="{CARD}" stroke="{LINE}"/>',
        f'<path d="{rim}" stroke="{RIM}" stroke-width="2" stroke-linecap="square" fill="none"/>',
    ]
    for x, y, kind in cells:
        parts += _cell(x + size / 2, y + size / 2, kind, size / CELL)
    return parts


def _cell(x: float, y: float, kind: str, scale: float) -> list[str]:
    """What is printed on a cell, around its middle."""
    number = KINDS.index(kind)
    font = max(9, round(13 * scale))
    if number == SERVER:
        circle = f'<circle class="server" cx="{x:g}" cy="{y:g}" r="{11 * scale:g}" fill="{SERVER_FILL}" stroke="{RIM}"/>'
        return [circle, _words(x, y + 0.36 * font, "S", font, anchor="middle")]
    if number == 0:
        return [f'<circle class="open" cx="{x:g}" cy="{y:g}" r="{2.5 * scale:g}" fill="{LINE}"/>']
    wide, high = 20 * scale, 15 * scale
    screen = f'x="{x - wide / 2:g}" y="{y - high / 2 - scale:g}" width="{wide:g}" height="{high:g}" rx="{2 * scale:g}"'
    foot = f'<path d="M{x - 6 * scale:g} {y + 10 * scale:g}h{12 * scale:g}" stroke="{RIM}" stroke-width="{2 * scale:g}"/>'
    rect = f'<rect class="computer" {screen} fill="{SCREEN}" stroke="{RIM}"/>'
    return [foot, rect, _words(x, y + 0.28 * font, number, font, anchor="middle")]


def _cables(state: Any, table: _Table) -> list[str]:
    """Cables from centre to centre, light around so that they stand out; at computers a plug, and servers above them."""
    parts = []
    kinds = kinds_of(state)
    for cable, owner in sorted(owners(state).items()):
        x, y, north = cable >> 1 & 63, cable >> 7, cable & 1
        ends = [(x, y), (x + 1 - north, y + north)]
        (ax, ay), (bx, by) = (table.centre(*end) for end in ends)
        path = f'd="M{ax} {ay}L{bx} {by}" stroke-linecap="round"'
        parts.append(f'<path {path} stroke="#fff" stroke-width="7"/>')
        parts.append(f'<path class="cable p{owner}" {path} stroke="{COLOUR[owner]}" stroke-width="5"/>')
        for end in ends:
            if 1 <= kinds[end] < SERVER:
                cx, cy = table.centre(*end)
                parts.append(f'<circle cx="{cx}" cy="{cy}" r="8" fill="{COLOUR[owner]}" stroke="#fff"/>')
                parts.append(_words(cx, cy + 4, kinds[end], 12, fill="#fff", anchor="middle"))
    for x, y in np.argwhere(kinds == SERVER).tolist():
        parts += _cell(*table.centre(x, y), "S", 0.7)
    return parts


def _is_shown(state: Any, action: int) -> bool:
    """Whether an action is one of a player's, not the deal."""
    side = int(state["table"])
    return action < first_of_plays(side) + 4 * side * side * int(state["num_cards"]) and bool(state["played"])


def _last(state: Any, deck: Deck, table: _Table, action: int | None) -> list[str]:
    """A ring around the cells of the last card, or along the last cable."""
    if action is None or action < moves.CABLE or not _is_shown(state, action):
        return []
    side = int(state["table"])
    style = f'fill="none" stroke="{LAST}" stroke-width="3"'
    if action >= first_of_plays(side):
        turned, cell = divmod(action - first_of_plays(side), side * side)
        offsets = cells_at(deck.cards[turned // 4].shape, turned % 4)
        corners = [table.corner(cell % side + dx, cell // side + dy) for dx, dy in offsets]
        return [
            f'<rect class="last" x="{x + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" {style}/>' for x, y in corners
        ]
    cell, north = divmod(action - moves.CABLE, 2)
    ax, ay = table.centre(cell % side, cell // side)
    bx, by = table.centre(cell % side + 1 - north, cell // side + north)
    return [f'<circle class="last" cx="{(ax + bx) / 2:g}" cy="{(ay + by) / 2:g}" r="9" {style}/>']


# --- hands and piles --------------------------------------------------------------------------------------------------


def _panel(state: Any, deck: Deck, viewer: int | None, left: int) -> tuple[list[str], int]:
    """A box for each player, then the piles; and where it ends."""
    parts: list[str] = []
    top = TOP
    for seat in range(int(state["players"])):
        box, top = _player(state, deck, seat, viewer, (left, top))
        parts += box
    if state["phase"] == rules.DEALING:
        return parts, top
    parts.append(_words(left + 4, top + 18, "piles", 13))
    for pile in range(PILES):
        cards = pile_cards(state, pile)
        x, y = left + 4 + 54 * pile, top + 26
        if cards:
            parts += _small_card(face_of(state, deck, cards[0]), x, y)
        parts.append(_words(x, y + 4 * SMALL - 4, f"{pile}: {len(cards)} left", 10, css="pile"))
    return parts, top + 26 + 4 * SMALL


def _player(state: Any, deck: Deck, seat: int, viewer: int | None, corner: tuple[int, int]) -> tuple[list[str], int]:
    left, top = corner
    hand = cards_of(state["hands"][seat])
    known = viewer in (seat, None)
    if not known:  # in an order that tells nothing but faces
        hand.sort(key=lambda number: int(face_number(state, number)))
    a_row = PANEL // 56
    rows = max(1, (len(hand) + a_row - 1) // a_row)
    height = 36 + 66 * rows
    to_move = state["phase"] not in (rules.DEALING, rules.OVER) and state["player"] == seat
    box = f'x="{left}" y="{top}" width="{PANEL}" height="{height}" rx="6"'
    front, built = int(state["front"][seat]), int(state["built"][seat])
    parts = [
        f'<rect class="panel p{seat}" {box} fill="#fff" stroke="{COLOUR[seat]}" stroke-width="{4 if to_move else 1}"/>',
        f'<circle cx="{left + 16}" cy="{top + 16}" r="7" fill="{COLOUR[seat]}"/>',
        _words(left + 30, top + 21, f"player {seat}", 15),
        _words(
            left + 100, top + 21, f"score {int(score(state, seat))} = {state['points'][seat]} - {len(hand)}", 13, css="score"
        ),
    ]
    for i in range(front):
        parts.append(
            f'<rect class="rod" x="{left + 214 + 4 * i}" y="{top + 8}" width="2.5" height="15" fill="{COLOUR[seat]}"/>'
        )
    parts.append(_words(left + PANEL - 8, top + 21, f"+{CABLES - front - built}", 12, anchor="end"))
    for i, number in enumerate(hand):
        x, y = left + 10 + 56 * (i % a_row), top + 34 + 66 * (i // a_row)
        parts += _small_card(deck.cards[number] if known else face_of(state, deck, number), x, y)
        label = f"{number}: {deck.cards[number].dots}&#8226;" if known else "?"
        parts.append(_words(x, y + 4 * SMALL - 3, label, 11, css="dots"))
    return parts, top + height + 8


def _small_card(card: Card, left: int, top: int) -> list[str]:
    cells = cells_at(card.shape, 0)
    high = max(y for _, y in cells)
    corners = [(left + SMALL * x, top + SMALL * (high - y)) for x, y in cells]
    return _figure([(*corner, kind) for corner, kind in zip(corners, card.cells, strict=True)], SMALL, "card")
