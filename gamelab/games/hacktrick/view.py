"""Hack Trick as a player sees it, in words: what they know, a table for the terminal, and what their actions mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamelab.core import rules as generic
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.games.hacktrick import rules
from gamelab.games.hacktrick.cards import FULL_DECK, unpack
from gamelab.games.hacktrick.rules import actor_of, code_of, number_played, owner_of_deal
from gamelab.games.hacktrick.servers import LINES, SQUARE, markers_on
from gamelab.games.hacktrick.text import action_of, action_to_string, ends_turn

__all__ = [
    "draw_table",
    "events",
    "explain_actions",
    "how_it_was_won",
    "lines_and_stacks",
    "row_of",
    "status",
    "sums_that_bind",
    "write_information",
]

LETTERS = "ox"  # small markers of players 0 and 1; the giants are capitals
ALL_SEEN = None  # instead of a player: one who sees both hands


# --- the record -------------------------------------------------------------------------------------------------------


def events(state: Any) -> list[tuple[int, int]]:
    """The record: who did what, an action or SHOWN or SPIED + sum. Of cards turned up, player -1."""
    record = [int(event) for event in state["record"][: int(state["length"])]]
    return [
        (int(owner_of_deal(state, i)) if i < rules.DEALT else int(actor_of(event)), int(code_of(event)))
        for i, event in enumerate(record)
    ]


def row_of(state: Any) -> list[int]:
    """The numbers of the row from its first card on: since the last reshuffle, whose last card it begins with."""
    row: list[int] = []
    deck = len(unpack(FULL_DECK)) - rules.DEALT
    for _, code in events(state)[rules.DEALT :]:
        if rules.OPEN <= code < rules.DRAW and code != rules.SPY:
            row.append(int(number_played(code)))
        elif code < rules.OPEN:
            deck -= 1
            if deck == 0:
                row, deck = row[-1:], len(row) - 1
    return row


def sums_that_bind(state: Any, player: int) -> list[str]:
    """What the player's announcements say of the hand now: the last sum, and what was played and drawn since."""
    found: list[str] = []
    for actor, code in events(state)[rules.DEALT :]:
        if rules.OPEN <= code < rules.SPY:
            found = [f"sum {state['opening'][player]}"]
        elif code >= rules.SPIED and actor != player:
            found = [f"sum {code - rules.SPIED}"]
        elif code == rules.SHOWN and actor == player:
            found = ["hand shown"]
        elif rules.PLAY <= code < rules.DRAW and actor == player:
            found.append(f"played {number_played(code)}")
        elif code < rules.OPEN and actor == player:
            found.append("drew")
    return found


# --- what a player knows ----------------------------------------------------------------------------------------------


def write_information(state: Any, player: int) -> str:
    """All that `player` knows: the position as it lies, then the record with the other's cards hidden.

    Two states have the same text exactly if the player cannot tell them apart.
    """
    lines = _situation(state, player)
    lines += ["record"]
    line: list[str] = []
    for i, (actor, code) in enumerate(events(state)):
        line.append(_as_seen(actor, code, player, dealing=i < rules.DEALT))
        if (i + 1 == rules.DEALT) if i < rules.DEALT else ends_turn(action_of(code)):
            if i == rules.DEALT:
                line.append(f"sums {state['opening'][0]} {state['opening'][1]}")
            lines.append("  " + " ".join(line))
            line = []
    return "\n".join(lines + ["  " + " ".join(line)] * bool(line))


def _as_seen(actor: int, code: int, player: int, *, dealing: bool) -> str:
    if code >= rules.SPIED:
        return f"spy sum {code - rules.SPIED}"
    if code == rules.SHOWN:
        return "show draw"
    if code < rules.OPEN:
        card = str(code) if actor in (player, -1) else "?"
        return card if dealing else f"card {card}"
    return action_to_string(code)


def _situation(state: Any, player: int) -> list[str]:
    turned_up = [code for actor, code in events(state)[: rules.DEALT] if actor < 0]
    heard = ", ".join(sums_that_bind(state, 1 - player)) or "-"
    lines = [f"player {player}"]
    if state["match"]:
        lines.append(f"match {state['score'][0]}-{state['score'][1]}")
    lines += [
        f"hand {_numbers(unpack(state['hands'][player]))}",
        f"opponent's hand {_cards(state['hands'][1 - player])}; {heard}",
        f"out {_numbers(turned_up)}",
        f"row {_numbers(row_of(state))}",
        f"deck {_cards(state['deck'])}",
    ]
    for seat in range(2):
        name = "own" if seat == player else "opponent's"
        lines.append(f"{name} markers {_places(state, seat)}; supply {_supply(state, seat)}; captured {_zone(state, seat)}")
    return [*lines, status(state)]


def _cards(cards: Any) -> str:
    number = len(unpack(cards))
    return f"{number} card{'s' * (number != 1)}"


def _numbers(cards: Any) -> str:
    return " ".join(map(str, cards)) or "-"


def _places(state: Any, player: int) -> str:
    """The servers with the player's markers, a number for each marker; the giant's with an exclamation mark."""
    markers = int(state["markers"][player])
    places = [str(server) for server in range(1, 10) for _ in range(_on(markers, server))]
    giant = int(state["giant"][player])
    if rules.IN_SUPPLY < giant < rules.CAPTURED:
        places[places.index(str(giant))] += "!"
    return " ".join(places) or "-"


def _on(markers: int, server: int) -> int:
    return int(markers_on(np.uint64(markers), server))


def _supply(state: Any, player: int) -> str:
    return f"{state['supply'][player]}{' with the giant' if state['giant'][player] == rules.IN_SUPPLY else ''}"


def _zone(state: Any, player: int) -> str:
    return f"{state['zone'][player]}{' with the giant' if state['giant'][1 - player] == rules.CAPTURED else ''}"


def status(state: Any) -> str:
    """What is going on, in a few words."""
    phase, turn = int(state["phase"]), int(state["turn"])
    if phase == rules.OVER:
        return f"player {state['result']} has won"
    doing = {
        rules.DEALING: "cards are dealt",
        rules.OPENING: f"player {turn} opens the row",
        rules.DRAWING: f"player {turn} draws",
        rules.CALLING: f"player {turn} may call",
    }.get(phase, f"player {turn} to play or draw")
    return doing + ("", ", hacked", ", under a firewall")[state["call"]]


def how_it_was_won(state: Any) -> str:
    """How a finished game ended, in a few words."""
    winner = int(state["result"])
    if state["supply"][1 - winner] == 0:
        return "out of markers"
    lines, stacks = lines_and_stacks(state, winner)
    return " and ".join(["three in line"] * bool(lines) + ["three on one server"] * bool(stacks))


def lines_and_stacks(state: Any, player: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """The lines that the player has complete, and the servers with three of the player's markers."""
    markers = int(state["markers"][player])
    lines: list[tuple[int, ...]] = [line for line in LINES if all(_on(markers, server) for server in line)]
    return lines, [server for server in range(1, 10) if _on(markers, server) == 3]


# --- the terminal -----------------------------------------------------------------------------------------------------


def draw_table(state: Any) -> str:
    """The map with the markers, and what lies around it, with all cards open.

    Player 0's small markers are `o`, the giant `O`; player 1's `x` and `X`.
    """
    lines = [_hand_line(state, 1)]
    for servers in SQUARE:
        lines.append("  " + "  ".join(f"{server} {_stack(state, server):<4}" for server in servers).rstrip())
    row = row_of(state)
    lines += [
        _hand_line(state, 0),
        f"row {_numbers(row)}; deck {len(unpack(state['deck']))}",
        status(state),
    ]
    if state["match"]:
        lines.append(f"match {state['score'][0]}-{state['score'][1]}")
    return "\n".join(lines)


def _hand_line(state: Any, player: int) -> str:
    letter = LETTERS[player]
    supply, zone = _supply(state, player), _zone(state, player)
    hand = _numbers(unpack(state["hands"][player]))
    return f"player {player} ({letter}): hand {hand}; supply {supply}; captured {zone}"


def _stack(state: Any, server: int) -> str:
    letters = ""
    for player, letter in enumerate(LETTERS):
        on_server = letter * _on(int(state["markers"][player]), server)
        letters += letter.upper() + on_server[1:] if state["giant"][player] == server else on_server
    return letters or "."


# --- what actions mean ------------------------------------------------------------------------------------------------


def explain_actions(state: Any, actions: list[int]) -> str:
    """What each of the legal actions does, a line each, for the player who is to choose."""
    player = int(generic.current_player(state))
    if player in (CHANCE, TERMINAL):
        return " ".join(action_to_string(action) for action in actions)
    lines = []
    if state["call"] == rules.HACK - rules.NO_CALL and state["phase"] != rules.CALLING:
        lines.append("You are hacked: you must play a card if you can.")
    if state["call"] == rules.FIREWALL - rules.NO_CALL:
        lines.append("You are under a firewall: you may not call HACK this turn.")
    # Plays with the giant do the same as those with a small marker: they are told of in one line.
    smalls = {action for action in actions if rules.PLAY <= action < rules.GIANT}
    for action in actions:
        if not (rules.GIANT <= action < rules.DRAW and action - rules.GIANT + rules.PLAY in smalls):
            lines.append(f"  {action_to_string(action):<15} {_meaning(state, action, player)}")
    if smalls and any(rules.GIANT <= action < rules.DRAW for action in actions):
        lines.append("Add the word giant to place the giant marker: play 3 giant." if smalls else "")
    return "\n".join(lines)


def _meaning(state: Any, action: int, player: int) -> str:
    if action < rules.SPY:
        return "put this card down as the first of the row; then both sums are announced"
    if rules.PLAY <= action < rules.DRAW:
        return _effect(state, action, player)
    left = int(state["supply"][player])
    paid = "" if left > 1 else ", your last: you lose at once"
    giant_next = int(state["zone"][player]) == 1 and state["giant"][1 - player] == rules.CAPTURED
    return {
        rules.SPY: f"pay a captured marker{' (the giant)' if giant_next else ''}: the opponent announces the sum of their hand",
        rules.DRAW: _drawing(state),
        rules.NO_CALL: "end your turn",
        rules.HACK: f"pay one of your {left} markers{paid}; next turn the opponent must play a card other than {state['last']}",
        rules.FIREWALL: f"pay one of your {left} markers{paid}; next turn the opponent may not call HACK",
    }[action]


def _drawing(state: Any) -> str:
    if state["call"] == rules.HACK - rules.NO_CALL:
        return "you cannot play: show your hand, then take a card from the deck"
    return f"take a card from the deck of {len(unpack(state['deck']))}"


def _effect(state: Any, action: int, player: int) -> str:
    """What playing a card does: the server, captures, and whether it wins or loses at once."""
    card = int(number_played(action))
    server = int(state["last"]) + card
    words = [f"infects server {server}"]
    captured = _on(int(state["markers"][1 - player]), server)
    if captured:
        giant = " with the giant" if state["giant"][1 - player] == server else ""
        words.append(f"captures {captured}{giant}")
    after = state.copy()
    generic.apply_action(after, action)
    if after["phase"] == rules.OVER or tuple(after["score"]) != tuple(state["score"]):
        lost = after["result"] == 1 - player or after["score"][1 - player] > state["score"][1 - player]
        words.append("your last marker: you lose" if lost else "three: you win")
    return ", ".join(words)
