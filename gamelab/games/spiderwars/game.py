"""Spider Wars as a `Game`: metadata, parameters, notation and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core.datafiles import full_path
from gamelab.core.game import Game, Parameter
from gamelab.games.spiderwars import evaluation as _evaluation  # noqa: F401 - binds rules.evaluate
from gamelab.games.spiderwars import rules, text
from gamelab.games.spiderwars.board import draw_board
from gamelab.games.spiderwars.drawing import draw_svg
from gamelab.games.spiderwars.moves import NEST_BIT
from gamelab.games.spiderwars.webfile import built_in_webs, read_web

__all__ = ["SpiderWars"]

FIRST = ("green", "orange")


class SpiderWars(Game):
    """Spider Wars for two players, no chance, nothing hidden. See `gamelab.games.spiderwars.rules`.

    Attributes
    ----------
    web : Web
        The web that is played on.
    """

    name = "spiderwars"
    title = "Spider Wars"
    dtype = rules.DTYPE
    num_distinct_actions = rules.NUM_ACTIONS
    max_legal_actions = rules.MAX_LEGAL_ACTIONS
    player_names = text.NAMES
    parameter_specs = {  # noqa: RUF012
        "web": Parameter("standard", "the web: standard, mini, or the path of a web file"),
        "first": Parameter("green", "who moves first", choices=FIRST),
        "max_turns": Parameter(200, "turns after which the game is drawn, both players' counted", low=1, high=60000),
    }
    rules_text = """\
Spider Wars (after the rule text 004_635ac42909cda101.txt, "Spider Wars")

Green and Orange face the two sides of one upright web. Holes are written x,y. Columns x = 0 to 8; even columns have holes at
the heights 0 2 4 6 8, odd ones at 1 3 5 7. Neighbours: the same column, 2 apart; the next column, 1 apart. Green's nest is
-1,7 beside 0,8 and 0,6; Orange's is 9,1 beside 8,0 and 8,2. Each player has a Daddy Longlegs and three small spiders; a
spider has two legs, each in a hole. Green moves first (first=orange: Orange).

A turn moves two different legs, of one spider or of two; the first turn of the game moves one leg only. A leg goes to a hole
without an own leg, within reach of its spider's other leg: one step for a small spider, one or two for a Daddy: `0,4>3,3`.
If only one leg can move, the turn ends with it. Who can do nothing at all passes: `pass`.

A leg that moves into a hole with an opponent's leg pushes it out: that spider is now a Dangler and hangs by its other leg. If
it was a Dangler already, it is knocked out of the game. A Dangler cannot move or attack. Instead of moving legs, a turn can
replant the dangling leg of one Dangler in an empty hole within reach of its planted leg, above, below or back, but never
nearer to the opponent's nest: `4,4+3,5`.

You win by putting one leg into the opponent's nest, or by knocking out the opponent's last spider; the game is over at once.
Draw: two passes in a row, or max_turns turns (200; a turn of either player counts one).

web=mini is a small web of 13 holes; web=FILE reads a web file, see gamelab/games/spiderwars/webfile.py.
"""

    def __init__(self, /, **parameters: object) -> None:
        super().__init__(**parameters)
        which = str(self._parameters["web"])
        if which not in built_in_webs():
            which = full_path("spiderwars, web", which)
            self._parameters["web"] = which
        self.web = read_web(which)
        self._reach, self._steps, self._columns = self.web.reach(), self.web.steps_to_goal(), self.web.columns()

    def write_parameters(self, state: Any) -> None:
        state["first"] = FIRST.index(str(self._parameters["first"]))
        state["max_turns"] = self._parameters["max_turns"]
        state["reach"], state["steps"], state["columns"] = self._reach, self._steps, self._columns
        for player, spiders in enumerate(self.web.start):
            state["spiders_at_start"][player] = len(spiders)
            state["daddies_at_start"][player] = sum(spider.daddy for spider in spiders)
            state["start"][player, : len(spiders)] = np.array([spider.legs for spider in spiders], np.uint8)

    def action_to_string(self, state: Any, action: int) -> str:
        return text.action_to_string(self.web, action)

    def string_to_action(self, state: Any, text_of_action: str) -> int:
        return text.string_to_action(self.web, text_of_action)

    def write_text(self, state: Any) -> str:
        return text.write_position(self.web, state)

    def read_text(self, text_of_position: str, state: Any) -> None:
        text.read_position(self.web, text_of_position, state)

    def draw_text(self, state: Any) -> str:
        return draw_board(self.web, state)

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        return draw_svg(self.web, state, last_action)

    def describe_end(self, state: Any) -> str:
        result = int(state["result"])
        if result in (0, 1):
            return "nest" if state["legs"][result] & NEST_BIT[1 - result] else "last spider knocked out"
        if result != rules.DRAW:
            return "not over"
        return "draw by passes" if state["passes"] >= 2 else "draw by max_turns"

    def explain_actions(self, state: Any, actions: list[int]) -> str:
        return text.explain_actions(self.web, actions)
