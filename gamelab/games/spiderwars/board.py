"""A board of Spider Wars for the terminal."""

from __future__ import annotations

from typing import Any

from gamelab.games.spiderwars.text import KINDS, spiders_of, status
from gamelab.games.spiderwars.web import NEST, Web

__all__ = ["draw_board", "leg_labels"]

COLOURS = "GO"


def leg_labels(state: Any) -> dict[int, str]:
    """What stands on each occupied spot: colour, kind and number of the spider.

    `GD` is a leg of Green's Daddy, `O2*` Orange's second small spider, hanging, `O3!` a leg that has moved in this turn.
    """
    labels = {}
    for player, colour in enumerate(COLOURS):
        numbers = {True: 0, False: 0}
        most = int(state["daddies_at_start"][player])
        for daddy, legs in spiders_of(state, player):
            numbers[daddy] += 1
            number = "" if daddy and most == 1 else str(numbers[daddy])
            for spot in legs:
                mark = "*" if len(legs) == 1 else "!" if int(state["moved"]) >> spot & 1 else ""
                labels[spot] = f"{colour}{KINDS[daddy] if daddy else ''}{number}{mark}"
    return labels


def draw_board(web: Web, state: Any) -> str:
    """The web, holes of one height in a row: `.` a free hole, `[G]` and `[O]` the nests, spiders as `leg_labels` has it."""
    labels = dict.fromkeys(web.coordinates, ".") | {NEST[0]: "[G]", NEST[1]: "[O]"} | leg_labels(state)
    at = {place: labels[spot] for spot, place in web.coordinates.items()}
    xs = sorted({x for x, _ in at})
    rows = []
    for y in sorted({y for _, y in at}, reverse=True):
        rows.append(f"{y:>4} " + "".join(f"{at.get((x, y), ''):^5}" for x in xs).rstrip())
    rows.append("     " + "".join(f"{x:^5}" for x in xs).rstrip())
    return "\n".join([*rows, f"{status(state)}; turn {state['turn']}"])
