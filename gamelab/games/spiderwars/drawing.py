"""Spider Wars as a picture: the web with its nests, the spiders on it, Danglers hanging, and the last move."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gamelab.games.spiderwars.rules import PASS, REPLANT
from gamelab.games.spiderwars.text import NAMES, action_to_string, spiders_of, status
from gamelab.games.spiderwars.web import NEST, NUM_SPOTS, Hole, Web

__all__ = ["draw_svg"]

STEP_X, STEP_Y = 42, 24  # pixels for 1 of x and y: a triangular lattice has equal sides
LEFT, TOP = 52, 40
RIGHT, BOTTOM = 28, 86

PAPER, INK, STRAND, RIM = "#f6f1e7", "#3a342c", "#cfc4ae", "#a2957c"
COLOUR = ("#3f8f3a", "#e07b1a")
DARK = ("#24591f", "#9a4d07")
LAST = "#8a2be2"
FONT = 'font-family="Helvetica, Arial, sans-serif"'
Point = tuple[float, float]


def draw_svg(web: Web, state: Any, last_action: int | None = None) -> str:
    """The position as an SVG image, seen from Green's side.

    A spider is a body on two legs; the Daddy Longlegs is larger and wears a D. A Dangler hangs below its hole by one leg, the
    other one loose. The leg that has moved in the turn has a white dot. The last move is a dashed line from hole to hole.

    Parameters
    ----------
    web : Web
    state : record of `rules.DTYPE`
    last_action : int, optional
        The action that led here.

    Returns
    -------
    str
        One self-contained ``<svg>`` element, the same on light and dark pages.
    """
    places, background = _background(web)
    caption = f"{status(state)}, turn {state['turn']}"
    if last_action is not None:
        caption += f", last {action_to_string(web, last_action)}".replace(">", "&gt;")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {places.width} {places.height}" width="{places.width}" '
        f'height="{places.height}" role="img" {FONT}>',
        f"<title>Spider Wars: {caption}</title>",
        f'<rect width="{places.width}" height="{places.height}" rx="8" fill="{PAPER}"/>',
        background,
        *_last_move(last_action, places),
        *_spiders(state, places),
        *_moved(state, places),
        f'<text class="caption" x="{LEFT - 24}" y="{places.height - 14}" font-size="15" fill="{INK}">{caption}</text>',
        "</svg>",
    ]
    return "".join(parts)


class _Places:
    """Where spots are in the picture. Webs with coordinates far apart are drawn closer together."""

    def __init__(self, web: Web) -> None:
        self._web = web
        xs, ys = zip(*web.coordinates.values(), strict=True)
        self._x, self._y = min(xs), max(ys)
        self._step_x = min(STEP_X, 1000 / (max(xs) - self._x))
        self._step_y = min(STEP_Y, 1000 / max(1, self._y - min(ys)))
        self.width = round(LEFT + (max(xs) - self._x) * self._step_x + RIGHT)
        self.height = round(TOP + (self._y - min(ys)) * self._step_y + BOTTOM)

    def __getitem__(self, spot: int) -> Point:
        return self.at(self._web.coordinates[spot])

    def at(self, place: Hole) -> Point:
        return LEFT + (place[0] - self._x) * self._step_x, TOP + (self._y - place[1]) * self._step_y

    def labels(self) -> list[tuple[float, float, str]]:
        """The coordinates along the left and lower edge, each with its place."""
        holes = [self._web.coordinates[number] for number in range(len(self._web.holes))]
        left = [(16.0, self.at((self._x, y))[1], str(y)) for y in sorted({y for _, y in holes})]
        below = [(self.at((x, 0))[0], self.height - 40.0, str(x)) for x in sorted({x for x, _ in holes})]
        return left + below


@lru_cache(maxsize=8)
def _background(web: Web) -> tuple[_Places, str]:
    """What is the same in all pictures of a web."""
    places = _Places(web)
    return places, "".join([*_strands(web, places), *_coordinates(places), *_holes(web, places), *_nests(places)])


def _coordinates(places: _Places) -> list[str]:
    return [
        f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="12" text-anchor="middle" fill="{RIM}">{label}</text>'
        for x, y, label in places.labels()
    ]


def _strands(web: Web, places: _Places) -> list[str]:
    pairs = sorted({(min(a, b), max(a, b)) for a in range(len(web.holes)) for b in web.neighbours[a]})
    path = "".join("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*places[a], *places[b]) for a, b in pairs)
    return [f'<path class="web" d="{path}" stroke="{STRAND}" stroke-width="2.5" fill="none"/>']


def _holes(web: Web, places: _Places) -> list[str]:
    style = f'fill="{PAPER}" stroke="{RIM}" stroke-width="1.5"'
    centres = [places[number] for number in range(len(web.holes))]
    return [f'<circle class="hole" cx="{x:.1f}" cy="{y:.1f}" r="5" {style}/>' for x, y in centres]


def _nests(places: _Places) -> list[str]:
    parts = []
    for player, letter in enumerate("GO"):
        x, y = places[NEST[player]]
        place = f'x="{x - 15:.1f}" y="{y - 15:.1f}" width="30" height="30" rx="9"'
        parts.append(f'<rect class="nest {NAMES[player]}" {place} fill="{COLOUR[player]}" stroke="{DARK[player]}"/>')
        label = f'x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle" font-size="15" font-weight="bold"'
        parts.append(f'<text {label} fill="{PAPER}">{letter}</text>')
    return parts


# --- spiders ----------------------------------------------------------------------------------------------------------


def _spiders(state: Any, places: _Places) -> list[str]:
    parts = []
    for player in range(2):
        for daddy, legs in spiders_of(state, player):
            draw = _dangler if len(legs) == 1 else _spider
            parts += [f'<g class="{_class(player, daddy, len(legs))}">', *draw(legs, daddy, player, places), "</g>"]
    return parts


def _class(player: int, daddy: bool, legs: int) -> str:
    return f"{'spider' if legs == 2 else 'dangler'} {NAMES[player]} {'daddy' if daddy else 'small'}"


def _spider(legs: tuple[int, ...], daddy: bool, player: int, places: _Places) -> list[str]:
    """Two legs bent outwards from the holes to a body between them."""
    (ax, ay), (bx, by) = places[legs[0]], places[legs[1]]
    dx, dy = bx - ax, by - ay
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    # Off the line between the legs, to the upper side, so that bodies of crossing spiders do not meet.
    side_x, side_y = dy / length, -dx / length
    if side_y > 0 or (side_y == 0 and side_x < 0):
        side_x, side_y = -side_x, -side_y
    off = 15 if daddy else 11
    body = (ax + bx) / 2 + off * side_x, (ay + by) / 2 + off * side_y
    return [
        *(_leg(body, (x, y), (x + 0.9 * off * side_x, y + 0.9 * off * side_y), daddy, player) for x, y in ((ax, ay), (bx, by))),
        *(_peg(places[spot], player) for spot in legs),
        *_body(body, daddy, player),
    ]


def _dangler(legs: tuple[int, ...], daddy: bool, player: int, places: _Places) -> list[str]:
    """A body that hangs below the hole of its planted leg; the other leg swings free."""
    x, y = places[legs[0]]
    drop = 30 if daddy else 25
    body, loose = (x, y + drop), (x + 15, y + drop + 15)
    return [
        _leg(body, (x, y), (x, y + drop / 2), daddy, player),
        _leg(body, loose, (x + 17, y + drop - 6), daddy, player),
        _peg((x, y), player),
        *_body(body, daddy, player),
    ]


def _leg(body: Point, end: Point, bend: Point, daddy: bool, player: int) -> str:
    path = "M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*body, *bend, *end)
    style = f'stroke="{DARK[player]}" stroke-width="{3.5 if daddy else 3}" fill="none" stroke-linecap="round"'
    return f'<path class="leg" d="{path}" {style}/>'


def _peg(place: Point, player: int) -> str:
    x, y = place
    return f'<circle class="peg" cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{COLOUR[player]}" stroke="{DARK[player]}"/>'


def _body(place: Point, daddy: bool, player: int) -> list[str]:
    x, y = place
    radius = 11 if daddy else 7
    style = f'fill="{COLOUR[player]}" stroke="{DARK[player]}" stroke-width="1.5"'
    parts = [f'<ellipse class="body" cx="{x:.1f}" cy="{y:.1f}" rx="{radius}" ry="{radius - 1}" {style}/>']
    if daddy:
        middle = f'x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle"'
        parts.append(f'<text {middle} font-size="13" font-weight="bold" fill="{PAPER}">D</text>')
    else:
        parts += [f'<circle cx="{x + side:.1f}" cy="{y - 1:.1f}" r="1.6" fill="{PAPER}"/>' for side in (-2.5, 2.5)]
    return parts


# --- marks ------------------------------------------------------------------------------------------------------------


def _last_move(action: int | None, places: _Places) -> list[str]:
    """A dashed line from hole to hole, below the spiders, and a ring where the leg was put down."""
    if action is None or action == PASS:
        return []
    (from_x, from_y), (x, y) = (places[spot] for spot in divmod(action % REPLANT, NUM_SPOTS))
    style = f'fill="none" stroke="{LAST}" stroke-width="2.5"'
    return [
        f'<circle class="lifted" cx="{from_x:.1f}" cy="{from_y:.1f}" r="7" {style} stroke-dasharray="3 3"/>',
        f'<path class="lifted" d="M{from_x:.1f} {from_y:.1f}L{x:.1f} {y:.1f}" {style} stroke-dasharray="5 4"/>',
        f'<circle class="last" cx="{x:.1f}" cy="{y:.1f}" r="10" {style}/>',
    ]


def _moved(state: Any, places: _Places) -> list[str]:
    if not state["moved"]:
        return []
    x, y = places[int(state["moved"]).bit_length() - 1]
    return [f'<circle class="moved" cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="#ffffff"/>']
