"""Spider Wars in text: actions, positions, and a board for the terminal.

A position is three lines: Green's spiders, Orange's, and whose turn it is. A spider is D (Daddy Longlegs) or S (small) with
the holes of its legs; a Dangler has one::

    Green: D 0,4-1,5 S 0,0-1,1 S 0,2-1,3
    Orange: D 7,3 S 7,1-8,0
    Orange to move; turn 7; moved 7,1

``turn`` is how many turns have been played; left out, it is 1 or 2, whichever the player fits. ``moved`` is the leg that has
moved already in this turn, ``passes`` how many were made in a row; each is left out if there is none. A spider that has won
has a leg in the nest. A position need not be reachable from the start, but must be one that the rules allow to stand.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import numpy as np

from gamelab.core.bits import bit
from gamelab.core.errors import NotationError, PositionError, cut, quoted
from gamelab.games.spiderwars.moves import NEST_BIT, has_first_action, has_move
from gamelab.games.spiderwars.rules import DRAW, ONGOING, PASS, REPLANT
from gamelab.games.spiderwars.web import NEST, NUM_SPOTS, Web

__all__ = [
    "KINDS",
    "NAMES",
    "action_to_string",
    "explain_actions",
    "read_position",
    "spiders_of",
    "status",
    "string_to_action",
    "write_position",
]

NAMES = ("Green", "Orange")
KINDS = ("S", "D")
SPOT = r"(-?[0-9]{1,3},-?[0-9]{1,3})"
ACTION_PATTERN = re.compile(f"{SPOT}([>+]){SPOT}")
LEGS_PATTERN = re.compile(f"{SPOT}(?:-{SPOT})?")


def action_to_string(web: Web, action: int) -> str:
    """`0,4>3,3` for a move, `4,4+3,5` for replanting, `pass`."""
    if action == PASS:
        return "pass"
    first, second = divmod(action % REPLANT, NUM_SPOTS)
    return f"{_name(web, first)}{'+' if action >= REPLANT else '>'}{_name(web, second)}"


def _name(web: Web, spot: int) -> str:
    """A spot's name; numbers that the web has no hole for stand in no legal action."""
    return web.spot_names.get(spot, f"#{spot}")


def string_to_action(web: Web, text: str) -> int:
    """The inverse of `action_to_string`; capital letters and space around are allowed."""
    word = text.strip().lower() if isinstance(text, str) else ""
    if word == "pass":
        return PASS
    match = ACTION_PATTERN.fullmatch(word)
    if not match:
        raise NotationError(f"{quoted(text)} is no move of spiderwars: write 0,4>3,3 (move), 4,4+3,5 (replant) or pass")
    spots = web.spots_by_name
    first, sign, second = match.groups()
    for name in (first, second):
        if name not in spots:
            raise NotationError(f"{quoted(text)} is no move of spiderwars: the web {web.name} has no hole {name}")
    return (REPLANT if sign == "+" else 0) + NUM_SPOTS * spots[first] + spots[second]


def explain_actions(web: Web, actions: list[int]) -> str:
    """The legal actions in words: for each leg where it can go."""
    if actions == [PASS]:
        return "You can neither move nor replant a leg: pass."
    lines = []
    for first, word, sign in ((0, "Move", ">"), (REPLANT, "Replant", "+")):
        group = [divmod(action - first, NUM_SPOTS) for action in actions if first <= action < first + REPLANT]
        if group:
            lines.append(f"{word} a leg (write it as from{sign}to):")
        for leg in sorted({leg for leg, _ in group}):
            lines.append(
                f"  {web.spot_names[leg]} to {' '.join(web.spot_names[spot] for start, spot in group if start == leg)}"
            )
    return "\n".join(lines)


def spiders_of(state: Any, player: int) -> list[tuple[bool, tuple[int, ...]]]:
    """A player's spiders, each whether it is a Daddy and the spots of its legs, ascending; Daddies first, then by spots."""
    legs, daddies, danglers = int(state["legs"][player]), int(state["daddies"]), int(state["danglers"])
    found: list[tuple[bool, tuple[int, ...]]] = []
    for spot in (spot for spot in range(NUM_SPOTS) if legs >> spot & 1):
        partner = int(state["partner"][spot])
        if danglers >> spot & 1:
            found.append((bool(daddies >> spot & 1), (spot,)))
        elif partner > spot:
            found.append((bool(daddies >> spot & 1), (spot, partner)))
    return sorted(found, key=lambda spider: (not spider[0], spider[1]))


# --- writing ----------------------------------------------------------------------------------------------------------


def write_position(web: Web, state: Any) -> str:
    """The position as text; `read_position` is its exact inverse."""
    lines = [" ".join([f"{name}:", *_written_spiders(web, state, player)]) for player, name in enumerate(NAMES)]
    last = [f"{NAMES[state['player']]} to move", f"turn {state['turn']}"]
    if state["moved"]:
        last.append(f"moved {web.spot_names[int(state['moved']).bit_length() - 1]}")
    if state["passes"]:
        last.append(f"passes {state['passes']}")
    return "\n".join([*lines, "; ".join(last)])


def _written_spiders(web: Web, state: Any, player: int) -> list[str]:
    return [f"{KINDS[daddy]} {'-'.join(map(web.spot_names.__getitem__, legs))}" for daddy, legs in spiders_of(state, player)]


def status(state: Any) -> str:
    """Who is to move, or how it ended, in a few words."""
    result = int(state["result"])
    if result == ONGOING:
        left = "one leg" if state["moved"] or state["turn"] == 0 else "two legs"
        return f"{NAMES[state['player']]} to move {left}"
    return "Draw" if result == DRAW else f"{NAMES[result]} has won"


# --- reading ----------------------------------------------------------------------------------------------------------


def _fail(number: int, reason: str) -> NoReturn:
    raise PositionError(f"spiderwars position, line {number}: {reason}")


def read_position(web: Web, text: str, state: Any) -> None:
    """Set a blank record to the position that the text describes; PositionError says what is wrong in which line."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) != 3:
        raise PositionError(f"spiderwars position: {len(lines)} lines, not 3 (Green's spiders, Orange's, who is to move)")
    for player in range(2):
        _read_spiders(web, lines[player], player, state)
    values = _read_last_line(lines[2])
    _set_turn(values, state)
    state["result"] = _winner(values, state)
    if state["result"] == ONGOING:
        _set_moved(web, values, state)
        _set_passes(values, state)
        _set_draw(state)


def _read_spiders(web: Web, line: str, player: int, state: Any) -> None:
    number = player + 1
    name, colon, rest = line.partition(":")
    if not colon or name.strip().lower() != NAMES[player].lower():
        _fail(number, f"begins with {NAMES[player]}: and not {quoted(line)}")
    words = rest.split()
    if len(words) % 2:
        _fail(number, f"a spider is two words, as in S 0,0-1,1; there are {len(words)} words")
    kinds = []
    for kind, legs in zip(words[::2], words[1::2], strict=True):
        if kind.upper() not in KINDS:
            _fail(number, f"{quoted(kind)} is not D (Daddy Longlegs) or S (small)")
        kinds.append(kind.upper() == "D")
        _place_spider(web, number, legs, kinds[-1], state)
    daddies, spiders = int(state["daddies_at_start"][player]), int(state["spiders_at_start"][player])
    for daddy, most in ((True, daddies), (False, spiders - daddies)):
        if kinds.count(daddy) > most:
            _fail(number, f"{kinds.count(daddy)} of kind {KINDS[daddy]}, but {NAMES[player]} has {most} on the web {web.name}")


def _place_spider(web: Web, number: int, text: str, daddy: bool, state: Any) -> None:
    """Put one spider into the record, leg by leg."""
    match = LEGS_PATTERN.fullmatch(text)
    if not match:
        _fail(number, f"{quoted(text)} is not written as 0,0-1,1 or, for a Dangler, 0,0")
    legs = [_spot(web, number, name) for name in match.groups() if name is not None]
    player = number - 1
    for spot in legs:
        if int(state["legs"][0] | state["legs"][1]) >> spot & 1:
            _fail(number, f"{text}: two legs in {web.spot_names[spot]}")
        if spot == NEST[player]:
            _fail(number, f"{text}: {web.spot_names[spot]} is {NAMES[player]}'s own nest")
        state["legs"][player] |= bit(spot)
        if daddy:
            state["daddies"] |= bit(spot)
    if len(legs) == 1:
        if legs[0] in NEST:
            _fail(number, f"{text}: a Dangler cannot hang from a nest")
        state["danglers"] |= bit(legs[0])
        return
    first, second = sorted(legs)
    if not int(state["reach"][int(daddy), first]) >> second & 1:
        _fail(number, f"{text}: the legs are out of each other's reach")
    state["partner"][first], state["partner"][second] = second, first


def _spot(web: Web, number: int, name: str) -> int:
    spots = web.spots_by_name
    if name not in spots:
        _fail(number, f"the web {web.name} has no hole {cut(name)}")
    return spots[name]


def _read_last_line(line: str) -> dict[str, str]:
    """The player, and the text behind each of turn, moved, passes that is given."""
    first, *parts = (part.strip() for part in line.split(";"))
    match = re.fullmatch(r"(green|orange)\s+to\s+move", first, re.IGNORECASE)
    if not match:
        _fail(3, f"begins with Green to move or Orange to move, not {quoted(first)}")
    values = {"player": match[1].capitalize()}
    for part in parts:
        name, _, value = part.partition(" ")
        if name not in ("turn", "moved", "passes") or name in values:
            _fail(3, f"{quoted(part)} is none of turn, moved, passes, each at most once, with its value")
        values[name] = value.strip()
    return values


def _number(values: dict[str, str], name: str, default: int) -> int:
    text = values.get(name, str(default))
    if not re.fullmatch("[0-9]{1,5}", text):
        _fail(3, f"{name}: {quoted(text)} is not a whole number")
    return int(text)


def _set_turn(values: dict[str, str], state: Any) -> None:
    player, first = NAMES.index(values["player"]), int(state["first"])
    turn = _number(values, "turn", 1 if player != first else 2)
    if not 0 <= turn <= state["max_turns"]:
        _fail(3, f"turn {turn} is past max_turns, {state['max_turns']}")
    if (turn + first) % 2 != player:
        _fail(3, f"after {turn} turns it is not {NAMES[player]}'s, for {NAMES[first]} had the first")
    state["player"], state["turn"] = player, turn


def _set_moved(web: Web, values: dict[str, str], state: Any) -> None:
    if "moved" not in values:
        return
    player, name = int(state["player"]), values["moved"]
    spot = _spot(web, 3, name)
    if not int(state["legs"][player] & ~state["danglers"]) >> spot & 1:
        _fail(3, f"moved {name}: no leg of a two-legged spider of {NAMES[player]}'s stands there")
    if state["turn"] == 0:
        _fail(3, f"moved {name}: the first turn of the game moves one leg only")
    state["moved"] = bit(spot)
    if not has_move(state, np.uint64(player)):
        _fail(3, f"moved {name}: no other leg can move, so the turn would be over")


def _set_passes(values: dict[str, str], state: Any) -> None:
    passes = _number(values, "passes", 0)
    if passes > min(2, state["turn"]) or (passes and state["moved"]):
        _fail(3, f"{passes} passes in a row do not fit turn {state['turn']}{' in mid-turn' if state['moved'] else ''}")
    for back in range(passes):
        player = (int(state["player"]) + 1 + back) % 2
        if has_first_action(state, np.uint64(player)):
            _fail(3, f"passes {passes}: {NAMES[player]} could have moved and may not have passed")
    state["passes"] = passes


def _winner(values: dict[str, str], state: Any) -> int:
    """Who has won, or ONGOING. It can only be the player who is not to move, with the turn just played."""
    player = int(state["player"])
    won = [bool(state["legs"][side] & NEST_BIT[1 - side]) or not state["legs"][1 - side] for side in range(2)]
    if won[player]:
        _fail(3, f"{NAMES[player]} has won already and cannot be to move")
    if not won[1 - player]:
        return ONGOING
    if "moved" in values or _number(values, "passes", 0) or state["turn"] == 0:
        _fail(3, f"{NAMES[1 - player]} has won with the last turn: there is no moved and no passes, and turn is not 0")
    return 1 - player


def _set_draw(state: Any) -> None:
    if state["passes"] == 2 or state["turn"] >= state["max_turns"]:
        if state["moved"]:
            _fail(3, f"turn {state['turn']} is the end, and nobody has moved")
        state["result"] = DRAW
