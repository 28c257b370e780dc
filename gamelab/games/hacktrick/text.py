"""Hack Trick in text: actions, and positions as the record of a game.

A position is what has happened in the game, in the notation of the actions, with a first line that says who starts; in a match
also the score before this game::

    match 1-0 starter 1
    cards 0 1 2 2 3 5 0 1 4
    open 3
    play 1 giant hack
    play 4 no call
    spy draw card 5

The cards of the setup are the two turned up, four for the starter, three for the other player. Each turn has a line; but lines
and spaces mean nothing, ``card`` may stand for ``cards``, and a record may break off anywhere. Sums and hands that were
announced follow from the cards. Reading replays the record, so a position read is one that can happen.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gamelab.core import rules as generic
from gamelab.core.errors import NotationError, PositionError, quoted
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.games.hacktrick import rules
from gamelab.games.hacktrick.cards import unpack
from gamelab.games.hacktrick.rules import code_of

__all__ = ["action_of", "action_to_string", "read_position", "recorded_actions", "string_to_action", "write_position"]

WORDS = {rules.SPY: "spy", rules.DRAW: "draw", rules.NO_CALL: "no call", rules.HACK: "hack", rules.FIREWALL: "firewall"}
NAMES = {
    **{rules.CARD + number: f"card {number}" for number in range(6)},
    **{rules.OPEN + number: f"open {number}" for number in range(6)},
    **{rules.PLAY + number: f"play {number}" for number in range(6)},
    **{rules.GIANT + number: f"play {number} giant" for number in range(6)},
    **WORDS,
}
ACTIONS = {name: action for action, name in NAMES.items()}
HOW_TO = "write open 4, play 3, play 3 giant, draw, spy, no call, hack or firewall, for chance card 3"


def action_to_string(action: int) -> str:
    """`open 4`, `play 3`, `play 3 giant`, `draw`, `spy`, `no call`, `hack`, `firewall`; of chance `card 3`."""
    return NAMES[int(action)]


def string_to_action(text: str) -> int:
    """The inverse of `action_to_string`; capital letters and more space are allowed."""
    words = " ".join(text.lower().split()) if isinstance(text, str) else ""
    if words not in ACTIONS:
        raise NotationError(f"{quoted(text)} is no move of hacktrick: {HOW_TO}")
    return ACTIONS[words]


def action_of(event: int) -> int:
    """The action that an entry of the record stands for."""
    code = int(code_of(event))
    if code >= rules.SPIED:
        return rules.SPY
    return rules.DRAW if code == rules.SHOWN else code


def recorded_actions(state: Any) -> list[int]:
    """The actions of the game at hand, those of chance included, in order."""
    return [action_of(event) for event in state["record"][: int(state["length"])]]


# --- writing ----------------------------------------------------------------------------------------------------------


def write_position(state: Any) -> str:
    """The position as text; `read_position` is its exact inverse."""
    actions = recorded_actions(state)
    lines = [_header(state)]
    if actions:
        lines.append("cards " + " ".join(map(str, actions[: rules.DEALT])))
    line: list[str] = []
    for action in actions[rules.DEALT :]:
        line.append(action_to_string(action))
        if ends_turn(action):
            lines.append(" ".join(line))
            line = []
    return "\n".join(lines + [" ".join(line)] * bool(line))


def ends_turn(action: int) -> bool:
    """Whether a turn ends with this action: the opening, a card drawn, a call or none."""
    return action < rules.SPY or action >= rules.NO_CALL


def _header(state: Any) -> str:
    starter = f"starter {state['starter']}"
    if not state["match"]:
        return starter
    before = [int(points) for points in state["score"]]
    if state["phase"] == rules.OVER:
        before[state["result"]] -= int(state["points"])
    return f"match {before[0]}-{before[1]} {starter}"


# --- reading ----------------------------------------------------------------------------------------------------------


def read_position(text: str, state: Any) -> None:
    """Set a blank record to the position that the text describes; PositionError says which word is wrong, and why."""
    words = text.lower().split()
    generic.initial(state)
    done = _read_header(words, state)
    opening_score = tuple(state["score"])
    while done < len(words):
        if tuple(state["score"]) != opening_score or state["phase"] == rules.OVER:
            _fail(words, done, "the game is over before it")
        done = _read_actions(words, done, state)
    if tuple(state["score"]) != opening_score and state["phase"] != rules.OVER:
        _fail(words, done - 1, "it ends the game: the next one of the match has a record of its own")


def _fail(words: list[str], at: int, why: str) -> None:
    word = quoted(words[at]) if at < len(words) else "the end"
    raise PositionError(f"hacktrick position, word {at + 1}, {word}: {why}")


def _read_header(words: list[str], state: Any) -> int:
    """The first line: who starts, in a match the score. Returns how many words it has."""
    done = 0
    if state["match"]:
        if words[:1] != ["match"]:
            _fail(words, 0, "a position of a match begins with its score, such as match 1-0")
        if len(words) < 2 or not re.fullmatch("[0-2]-[0-2]", words[1]):
            _fail(words, 1, "the score before the game, such as 1-0, at most 2-2")
        done = 2
    if words[done : done + 1] != ["starter"]:
        _fail(words, done, "who starts, starter 0 or starter 1, stands before the cards")
    if words[done + 1 : done + 2] not in (["0"], ["1"]):
        _fail(words, done + 1, "the starter is 0 or 1")
    starter = int(words[done + 1])
    score = (int(words[1][0]), int(words[1][2])) if state["match"] else (0, 0)
    if score == (0, 0) and starter != state["first_starter"]:
        _fail(words, done + 1, f"the first game is started by {state['first_starter']}, the parameter starter")
    if (score[0] == 0) != (score[1] == 0) and score[starter] > 0:
        _fail(words, done + 1, f"the loser of the game before starts, and that is {1 - starter}")
    state["score"][0], state["score"][1] = score
    rules.new_game(state, starter)
    return done + 2


def _read_actions(words: list[str], at: int, state: Any) -> int:
    """One action, or several cards in a row, from word `at` on. Returns where the next begins."""
    word = words[at]
    if word in ("card", "cards"):
        end = at + 1
        while end < len(words) and words[end].isdecimal():
            _play(words, end, state, f"card {words[end]}")
            end += 1
        if end == at + 1:
            _fail(words, end, "a card is a number from 0 to 5")
        return end
    length = 2 if word in ("open", "play", "no") else 1
    if word == "play" and words[at + 2 : at + 3] == ["giant"]:
        length = 3
    _play(words, at, state, " ".join(words[at : at + length]))
    return at + length


def _play(words: list[str], at: int, state: Any, name: str) -> None:
    if name not in ACTIONS:
        _fail(words, at, f"{quoted(name)} is no action: {HOW_TO}")
    action = ACTIONS[name]
    player = int(generic.current_player(state))
    if (action < rules.OPEN) != (player == CHANCE) or player == TERMINAL or action not in _possible(state, player):
        _fail(words, at, f"{quoted(name)} is not possible here, but {_expected(state, player)}")
    generic.apply_action(state, action)


def _possible(state: Any, player: int) -> list[int]:
    if player == CHANCE:
        return sorted(set(unpack(state["deck"])))
    buffer = np.zeros(rules.MAX_LEGAL_ACTIONS, np.int32)
    return buffer[: generic.legal_actions(state, buffer)].tolist()  # type: ignore[no-any-return]


def _expected(state: Any, player: int) -> str:
    if player == TERMINAL:
        return "nothing: the game is over"
    names = ", ".join(action_to_string(action) for action in _possible(state, player))
    return f"for player {player}: {names}" if player >= 0 else names
