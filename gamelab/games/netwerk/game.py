"""Netwerk as a `Game`: metadata, parameters, notation and pictures."""

from __future__ import annotations

from typing import Any

from gamelab.core.game import Game, Parameter
from gamelab.games.netwerk import evaluation as _evaluation  # noqa: F401 - binds rules.evaluate
from gamelab.games.netwerk import rules, text
from gamelab.games.netwerk.drawing import draw_svg

__all__ = ["Netwerk"]


class Netwerk(Game):
    """Sid Sackson's Network on 8x8, two players, no chance, nothing hidden. See `gamelab.games.netwerk.rules`."""

    name = "netwerk"
    title = "Netwerk"
    dtype = rules.DTYPE
    num_distinct_actions = rules.NUM_ACTIONS
    max_legal_actions = rules.MAX_LEGAL_ACTIONS
    player_names = text.NAMES
    parameter_specs = {  # noqa: RUF012
        "crowding": Parameter(
            "both",
            "whom the no-crowd rule binds while placing: both, or the first player only (the text's game for the advanced)",
            choices=rules.CROWDING,
        ),
        "max_plies": Parameter(200, "plies after which the game is drawn", low=1, high=60000),
    }
    rules_text = """\
Netwerk (Sid Sackson's "Network"; after the rule text 002_eb0eef8dfd2e0554.txt, "Netwerk", in Dutch)

Board 8x8, a1 bottom left. White moves first and joins the files a and h; Black joins the ranks 1 and 8. Nobody may place
on a corner, nor in the other's goals. Ten stones each.

A turn. While you have stones in hand, put one on an empty square: `c4`. Later lift one and put it on another empty
square: `c4-e6`. Moving is compulsory. Who has no legal move passes: `pass`.

No crowds. The stone just put down may not belong to a group (side by side or diagonally) of three or more of its colour;
a lifted stone does not count. With crowding=first that binds the first player always, the second only when moving.

You win with a network: a chain of at least six of your stones from one of your goals to the other, where
  - its first stone stands in one goal, its last in the other, and no other stone of it in a goal;
  - consecutive stones lie on one row, column or diagonal with every square between them empty;
  - no stone is used twice (lines may cross), and at every stone in between the line changes direction.
A lifted stone can open a line: if your move leaves your opponent with a network, your opponent wins.

Draw: two passes in a row, or max_plies plies (200) without a network.
"""

    def write_parameters(self, state: Any) -> None:
        state["crowding"] = rules.CROWDING.index(str(self._parameters["crowding"]))
        state["max_plies"] = self._parameters["max_plies"]

    def action_to_string(self, state: Any, action: int) -> str:
        return text.action_to_string(action)

    def string_to_action(self, state: Any, text_of_action: str) -> int:
        return text.string_to_action(text_of_action)

    def write_text(self, state: Any) -> str:
        return text.write_position(state)

    def read_text(self, text_of_position: str, state: Any) -> None:
        text.read_position(text_of_position, state)

    def draw_text(self, state: Any) -> str:
        return text.draw_board(state)

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        return draw_svg(state, last_action)

    def describe_end(self, state: Any) -> str:
        if state["result"] in (0, 1):
            return "network"
        if state["result"] != rules.DRAW:
            return "not over"
        return "draw by passes" if state["passes"] >= 2 else "draw by max_plies"

    def explain_actions(self, state: Any, actions: list[int]) -> str:
        if actions == [rules.PASS]:
            return "You can neither place nor move: pass."
        if actions[0] < rules.MOVE:
            return "Place a stone: " + _by_rank(actions)
        lines = ["Move a stone (write it as from-to):"]
        for source in sorted({(action - rules.MOVE) // 64 for action in actions}):
            targets = [(a - rules.MOVE) % 64 for a in actions if (a - rules.MOVE) // 64 == source]
            lines.append(f"  {text.square_name(source)} to {_by_rank(targets)}")
        return "\n".join(lines)


def _by_rank(squares: list[int]) -> str:
    return " ".join(text.square_name(square) for square in squares)
