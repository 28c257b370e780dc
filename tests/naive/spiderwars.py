"""Spider Wars in plain Python: a slow twin of the compiled game, written from the rule text alone.

Holes are coordinates such as ``(0, 4)``, a spider is an object with a set of legs, and how far one hole is from another is
found by walking.  Nothing here is meant to be fast.

References
----------
"Spider Wars" (rule text 004_635ac42909cda101.txt).  Its figures are missing: the web and the start are reconstructed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Hole = tuple[int, int]

OTHER = {"green": "orange", "orange": "green"}
REACH = {"daddy": 2, "small": 1}


@dataclass(frozen=True, eq=False)
class Web:
    """The holes of a web, nests not counted, and where everything starts.

    Attributes
    ----------
    holes : frozenset of Hole
    nests : dict of str to Hole
        Whose nest stands where; Green's at the left, Orange's at the right.
    green_start : tuple of (str, Hole, Hole)
        Kind and legs of each green spider; the orange ones stand where the half turn puts them.
    columns, height : int
        The half turn takes (x, y) to (columns - 1 - x, height - y).
    """

    holes: frozenset[Hole]
    nests: dict[str, Hole]
    green_start: tuple[tuple[str, Hole, Hole], ...]
    columns: int
    height: int

    def neighbours(self, place: Hole) -> set[Hole]:
        """Holes and nests one step away: two up or down in the same column, one up or down in the next."""
        x, y = place
        steps = {(x, y - 2), (x, y + 2), (x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1), (x + 1, y + 1)}
        return steps & (self.holes | set(self.nests.values()))

    def within(self, start: Hole, reach: int) -> set[Hole]:
        """Holes and nests at a distance from 1 to ``reach``; no way leads through a nest."""
        seen, edge = {start}, {start}
        for _ in range(reach):
            edge = {there for here in edge if here in self.holes for there in self.neighbours(here)} - seen
            seen |= edge
        return seen - {start}

    def turned(self, place: Hole) -> Hole:
        """Where the half turn takes a hole."""
        return self.columns - 1 - place[0], self.height - place[1]


def build(columns: int, height: int, green_start: tuple[tuple[str, Hole, Hole], ...]) -> Web:
    """A web of upright columns: even ones have holes at even heights, odd ones at odd heights."""
    holes = frozenset((x, y) for x in range(columns) for y in range(height + 1) if x % 2 == y % 2)
    nests = {"green": (-1, height - 1), "orange": (columns, 1)}
    return Web(holes, nests, green_start, columns, height)


#  y                                       y
#  8  o   o   o   o   o                    4      o   o   o
#  7 G  o   o   o   o     standard         3     G  o   o         mini
#  6  o   o   o   o   o                    2      o   o   o
#  5    o   o   o   o                      1        o   o  O
#  4  o   o   o   o   o                    0      o   o   o
#  3    o   o   o   o
#  2  o   o   o   o   o   G, O  the nests of Green and Orange
#  1    o   o   o   o  O
#  0  o   o   o   o   o   Columns are x = 0, 1, 2, ... from the left.
WEBS = {
    "standard": build(
        9,
        8,
        (
            ("daddy", (0, 4), (1, 5)),
            ("small", (0, 8), (1, 7)),
            ("small", (0, 2), (1, 3)),
            ("small", (0, 0), (1, 1)),
        ),
    ),
    "mini": build(5, 4, (("daddy", (0, 2), (1, 3)), ("small", (0, 0), (1, 1)))),
}


@dataclass(frozen=True)
class Spider:
    """A spider on the web: two legs in holes, or one if it is a Dangler."""

    player: str
    kind: str
    legs: frozenset[Hole]

    @property
    def dangles(self) -> bool:
        """Whether it hangs by one leg."""
        return len(self.legs) == 1


@dataclass(frozen=True)
class Position:
    """One moment of a game.

    Attributes
    ----------
    web : Web
    spiders : frozenset of Spider
        Those in the game; a set, so that legs and small spiders have no names.
    to_move : str
        ``"green"`` or ``"orange"``.
    moved : Hole, optional
        Where the leg stands that moved first in this turn; None at the start of a turn.
    turn : int
        Turns finished so far, passes included.
    passes : int
        Passes in a row just played.
    max_turns : int
        The game is a draw once so many turns are finished.
    """

    web: Web
    spiders: frozenset[Spider]
    to_move: str
    moved: Hole | None = None
    turn: int = 0
    passes: int = 0
    max_turns: int = 200

    def at(self, hole: Hole) -> Spider | None:
        """The spider with a leg in a hole."""
        return next((spider for spider in self.spiders if hole in spider.legs), None)

    def own(self) -> list[Spider]:
        """The spiders of the player to move."""
        return [spider for spider in self.spiders if spider.player == self.to_move]


def start(web: str = "standard", first: str = "green", max_turns: int = 200) -> Position:
    """Return the start position."""
    plan = WEBS[web]
    spiders = set()
    for kind, *legs in plan.green_start:
        spiders.add(Spider("green", kind, frozenset(legs)))
        spiders.add(Spider("orange", kind, frozenset(plan.turned(leg) for leg in legs)))
    return Position(plan, frozenset(spiders), first, max_turns=max_turns)


def leg_moves(position: Position) -> list[tuple[Hole, Hole]]:
    """Return where legs may go: pairs of the hole left and the hole or nest entered."""
    moves = []
    for spider in position.own():
        if spider.dangles:
            continue
        for leg in spider.legs - {position.moved}:
            (planted,) = spider.legs - {leg}
            for target in position.web.within(planted, REACH[spider.kind]):
                holder = position.at(target)
                # A leg's own hole holds an own leg, too.
                if target != position.web.nests[position.to_move] and (holder is None or holder.player != position.to_move):
                    moves.append((leg, target))
    return moves


def replantings(position: Position) -> list[tuple[Hole, Hole]]:
    """Return how Danglers may be replanted: pairs of the planted leg and the hole for the other."""
    found = []
    for spider in position.own():
        if not spider.dangles:
            continue
        (planted,) = spider.legs
        for target in position.web.within(planted, REACH[spider.kind]):
            ahead = target[0] > planted[0] if spider.player == "green" else target[0] < planted[0]
            if target in position.web.holes and position.at(target) is None and not ahead:
                found.append((planted, target))
    return found


def write(pair: tuple[Hole, Hole], sign: str) -> str:
    """Write an action: ``">"`` for a leg that moves, ``"+"`` for one that is replanted."""
    (x, y), (to_x, to_y) = pair
    return f"{x},{y}{sign}{to_x},{to_y}"


def legal_moves(position: Position) -> list[str]:
    """Return the legal actions, such as ``"0,4>3,3"``, ``"4,4+3,5"`` or ``"pass"``.

    The list is empty only when the game is over; ``"pass"`` stands alone where nothing else goes.
    """
    if result(position) is not None:
        return []
    moves = [write(pair, ">") for pair in leg_moves(position)]
    if position.moved is not None:
        return moves
    return moves + [write(pair, "+") for pair in replantings(position)] or ["pass"]


def captures(position: Position, move: str) -> bool:
    """Tell whether an action enters a hole with an opponent's leg."""
    return ">" in move and position.at(read(move.split(">")[1])) is not None


def read(text: str) -> Hole:
    """Read a hole such as ``"3,5"``."""
    x, y = text.split(",")
    return int(x), int(y)


def play(position: Position, move: str) -> Position:
    """Return the position after a legal action.

    Raises
    ------
    ValueError
        If the action is not legal here.
    """
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    if move == "pass":
        return next_turn(replace(position, passes=position.passes + 1))
    position = replace(position, passes=0)
    if "+" in move:
        planted, target = map(read, move.split("+"))
        spider = position.at(planted)
        return next_turn(exchange(position, spider, replace(spider, legs=spider.legs | {target})))
    after = move_leg(position, *map(read, move.split(">")))
    if result(after) is not None:
        return after
    # The very first turn of a game moves one leg. A second action that is nowhere to be had is left out.
    only_one = position.turn == 0 or position.moved is not None or not leg_moves(after)
    return next_turn(after) if only_one else after


def move_leg(position: Position, leg: Hole, target: Hole) -> Position:
    """Move a leg, and push out the one that it meets."""
    victim = position.at(target)
    if victim is not None and victim.dangles:
        position = exchange(position, victim)
    elif victim is not None:
        position = exchange(position, victim, replace(victim, legs=victim.legs - {target}))
    spider = position.at(leg)
    moved = exchange(position, spider, replace(spider, legs=spider.legs - {leg} | {target}))
    return replace(moved, moved=target)


def exchange(position: Position, old: Spider, *new: Spider) -> Position:
    """Put another spider, or none, in the place of one."""
    return replace(position, spiders=position.spiders - {old} | set(new))


def next_turn(position: Position) -> Position:
    """Finish a turn."""
    return replace(position, to_move=OTHER[position.to_move], moved=None, turn=position.turn + 1)


def result(position: Position) -> str | None:
    """Return ``"green"``, ``"orange"`` or ``"draw"`` for a game that is over, else None."""
    for player, other in OTHER.items():
        enemies = [spider for spider in position.spiders if spider.player == other]
        arrived = any(position.web.nests[other] in spider.legs for spider in position.spiders if spider.player == player)
        if arrived or not enemies:
            return player
    return "draw" if position.passes >= 2 or position.turn >= position.max_turns else None


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly ``depth`` actions; games that end earlier add nothing."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), depth - 1) for move in moves)
