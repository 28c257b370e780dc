"""Hack Trick as a `Game`: metadata, parameters, notation, beliefs and pictures."""

from __future__ import annotations

from typing import Any

from gamelab.core.game import Game, Parameter
from gamelab.core.rules import CHANCE
from gamelab.games.hacktrick import evaluation as _evaluation  # noqa: F401 - binds rules.evaluate
from gamelab.games.hacktrick import posterior, rules, text, view
from gamelab.games.hacktrick.cards import NUMBERS
from gamelab.games.hacktrick.drawing import draw_svg
from gamelab.games.hacktrick.filtering import BELIEF_SIZE

__all__ = ["HackTrick"]


class HackTrick(Game):
    """Hack Trick for two, with chance and hidden hands. See `gamelab.games.hacktrick.rules`; positions: `.text`."""

    name = "hacktrick"
    title = "Hack Trick"
    dtype = rules.DTYPE
    chance_mode = "enumerated"
    hidden_information = True
    num_distinct_actions = rules.NUM_ACTIONS
    max_legal_actions = rules.MAX_LEGAL_ACTIONS
    max_chance_outcomes = NUMBERS
    belief_size = BELIEF_SIZE
    player_names = ("player 0", "player 1")
    parameter_specs = {  # noqa: RUF012
        "match": Parameter(False, "games until somebody has three points, instead of one game"),
        "starter": Parameter(0, "player who opens the first game; the other has the first turn", low=0, high=1),
    }
    rules_text = """\
Hack Trick (after the rule text 001_ed736f565bd5016b.txt, in Hungarian)

Nine servers in a magic square; three that add up to 15 lie in line:    2 7 6
18 cards: three each of 0 1 2 3 4 5.                                    9 5 1
Ten markers a player, one of them the giant.                            4 3 8

Setup. Two cards are turned up and out of this game. The starter draws four cards, the other player three. The starter lays one
as the first of the row: `open 4`. Both announce the sum of the three cards they hold. The other player has the first turn.

A turn. First, if you like and hold a captured marker, `spy`: one goes out of the game (a small one first), and the opponent
announces the sum of their hand. Then either
  - play a card whose number differs from the last card of the row: `play 3`, or `play 3 giant` to place the giant. Your
    marker goes to the server that the last two cards add up to; markers that the opponent has there are captured, all of them;
  - or `draw` a card, if you hold fewer than four.
When the deck runs empty, all cards of the row but the last are shuffled into a new one.

Calls. After playing, not after drawing, you may pay one of your unplaced markers (a small one first) for one call:
  - `hack`: on their next turn the opponent must play a card; who cannot shows the hand and draws;
  - `firewall`: on their next turn the opponent may not call HACK.
Otherwise `no call`.

You win at once with three of your markers in line or on one server. If you place or pay your last marker without that, you
lose.

With match=true games go on until somebody has three points. A win scores 1; it scores 2 if the giant is part of the winning
three and was not the marker placed last. The loser starts the next game.
"""

    def write_parameters(self, state: Any) -> None:
        state["match"] = self._parameters["match"]
        state["first_starter"] = self._parameters["starter"]

    def action_to_string(self, state: Any, action: int) -> str:
        return text.action_to_string(action)

    def string_to_action(self, state: Any, text_of_action: str) -> int:
        return text.string_to_action(text_of_action)

    def action_as_seen(self, state: Any, action: int, viewer: int) -> str:
        """A card dealt to or drawn by the other player is hidden; those turned up are not."""
        if rules.current_player(state) != CHANCE:
            return text.action_to_string(action)
        dealing = state["phase"] == rules.DEALING
        owner = int(rules.owner_of_deal(state, int(state["length"])) if dealing else state["turn"])
        return text.action_to_string(action) if owner in (viewer, -1) else f"a card for player {owner}"

    def write_text(self, state: Any) -> str:
        return text.write_position(state)

    def read_text(self, text_of_position: str, state: Any) -> None:
        text.read_position(text_of_position, state)

    def write_information(self, state: Any, player: int) -> str:
        return view.write_information(state, player)

    def belief(self, state: Any, player: int) -> dict[Any, float]:
        """The hands that the other player may hold, sorted numbers each, with their probabilities."""
        return dict(posterior.belief_of_record(state, player))

    def describe_belief(self, state: Any, player: int) -> str:
        """The likeliest hands of the other player, and of each number how likely they hold it."""
        return posterior.describe(posterior.belief_of_record(state, player))

    def explain_actions(self, state: Any, actions: list[int]) -> str:
        return view.explain_actions(state, actions)

    def draw_text(self, state: Any) -> str:
        return view.draw_table(state)

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        return draw_svg(state, player=player, last_action=last_action)

    def scores(self, state: Any) -> tuple[float, ...] | None:
        """The points of a match; a single game has none."""
        return tuple(map(float, state["score"])) if state["match"] else None

    def describe_end(self, state: Any) -> str:
        if state["phase"] != rules.OVER:
            return "not over"
        how = view.how_it_was_won(state)
        return f"{how}; match {state['score'][0]}-{state['score'][1]}" if state["match"] else how
