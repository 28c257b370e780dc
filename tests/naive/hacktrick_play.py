"""Random games of Hack Trick that visit its rare rules, and the list of those rules.

Uniformly random games end by a chance three in line after 14 turns and hardly ever reach the end
of the deck or of a supply.  A style of play is a table of weights for the moves that do more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tests.naive import hacktrick as naive
from tests.naive.hacktrick import Position

STYLES = {
    "uniform": {},
    "long": {"draw": 6, "hack": 0.1, "firewall": 0.1, "ends": 0.0001, "captures": 4},
    "spying": {"captures": 8, "spy": 10, "ends": 0.01},
    "calling": {"hack": 4, "firewall": 2, "draw": 0.3, "captures": 3, "ends": 0.02},
}


def random_move(position: Position, rng: random.Random, style: str) -> str:
    """Return a move of the player to act or of chance; chance as it should be."""
    if naive.to_act(position) == "chance":
        outcomes = naive.chances(position)
        return rng.choices(list(outcomes), [float(p) for p in outcomes.values()])[0]
    moves = naive.legal_moves(position)
    return rng.choices(moves, [weight(position, move, STYLES[style]) for move in moves])[0]


def weight(position: Position, move: str, weights: dict[str, float]) -> float:
    """Return how likely a move is in a style, on any scale."""
    result = weights.get(move, 1.0)
    if move.startswith("play") and weights:
        after = naive.play(replace(position, match=False), move)
        result *= weights["ends"] if after.phase == "over" else 1
        result *= weights["captures"] if captured(position, after) else 1
    return result


def random_game(
    rng: random.Random, style: str, *, match: bool = False, starter: int = 0
) -> Iterator[tuple[Position, str, Position]]:
    """Yield every step of a random game or match: the position, what happens, the next position."""
    position = naive.start(match=match, starter=starter)
    while naive.to_act(position) is not None:
        move = random_move(position, rng, style)
        before, position = position, naive.play(position, move)
        yield before, move, position


def captured(before: Position, after: Position) -> list[str]:
    """Return the sizes of the markers that the mover has just captured."""
    player = before.to_move
    return after.spying_zone[player][len(before.spying_zone[player]) :]


RULES = """
reshuffle | second reshuffle | four cards, no draw | no card in hand
spying | spying with the giant | spying by a hacked player
capture of one | capture of two | capture of the giant | own marker joined | only the giant left
hacked, no draw | hacked, no playable card | hacked, no card
hack by a hacked player | firewall by a hacked player | firewall stops a hack | firewall under a firewall
three in line | three on one server | two threes at once | three with the last marker
giant's point | giant's point beside another marker | giant placed last | giant elsewhere
last marker placed | last marker paid | last marker paid, the giant
""".replace("\n", "|")
ALL_RULES = {rule.strip() for rule in RULES.split("|")} - {""}


def rules_met(before: Position, move: str) -> set[str]:
    """Return which of ``ALL_RULES`` apply when a move is made."""
    before = replace(before, match=False)  # so that the end of the game can be looked at
    after = naive.play(before, move)
    kind = move.split()[0]
    cases = turn_rules(before) if before.phase == "turn" else {}
    if kind == "card":
        events = [event[0] for event in after.log]
        cases = {
            "reshuffle": events[-1] == "reshuffle",
            "second reshuffle": events[-1] == "reshuffle" and events.count("reshuffle") == 2,
        }
    elif kind == "play":
        cases |= play_rules(before, move, after)
    elif before.phase == "call":
        cases = call_rules(before, move, after)
    elif kind == "spy":
        giant = before.spying_zone[before.to_move] == ["giant"]
        cases |= {"spying": True, "spying by a hacked player": before.hacked, "spying with the giant": giant}
    return {rule for rule, applies in cases.items() if applies}


def turn_rules(before: Position) -> dict[str, bool]:
    """Return what restricts the choice at the beginning of a turn."""
    player, hacked = before.to_move, before.hacked
    hand, playable = before.hands[player], naive.playable(before)
    return {
        "four cards, no draw": len(hand) == 4,
        "no card in hand": not hand,
        "only the giant left": before.supply[player] == ["giant"],
        "hacked, no draw": hacked and bool(playable) and len(hand) < 4,
        "hacked, no playable card": hacked and bool(hand) and not playable,
        "hacked, no card": hacked and not hand,
    }


def call_rules(before: Position, move: str, after: Position) -> dict[str, bool]:
    """Return what is special about a call or about calling nothing."""
    lost, left = after.phase == "over", before.supply[before.to_move]
    return {
        "hack by a hacked player": before.hacked and move == "hack",
        "firewall by a hacked player": before.hacked and move == "firewall",
        "firewall stops a hack": before.firewalled,
        "firewall under a firewall": before.firewalled and move == "firewall",
        "last marker paid": lost,
        "last marker paid, the giant": lost and left == ["giant"],
    }


def play_rules(before: Position, move: str, after: Position) -> dict[str, bool]:
    """Return what a play captures and how it ends the game."""
    player = before.to_move
    server = after.row[-2] + after.row[-1]
    prey = captured(before, after)
    cases = {
        "capture of one": len(prey) == 1,
        "capture of two": len(prey) == 2,
        "capture of the giant": "giant" in prey,
        "own marker joined": len(after.servers[server]) == 2,
    }
    threes = naive.threes(after, player)
    if not threes:
        return cases | {"last marker placed": after.phase == "over"}
    giant = (player, "giant")
    on_board = [s for s in naive.SERVERS if giant in after.servers[s]]
    lines = [three for three in threes if len(three) == 3]
    point = after.score[player] - before.score[player] == 2
    return cases | {
        "three in line": bool(lines),
        "three on one server": len(lines) < len(threes),
        "two threes at once": len(threes) > 1,
        "three with the last marker": not after.supply[player],
        "giant's point": point,
        "giant's point beside another marker": point and bool(lines) and len(after.servers[on_board[0]]) > 1,
        "giant placed last": move.endswith("giant"),
        "giant elsewhere": bool(on_board) and not point and not move.endswith("giant"),
    }
