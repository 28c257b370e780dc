"""Random deals and games of Web that visit its rare rules, and the list of those rules.

Uniformly random play scatters cards and cables; a style of play is a table of weights for the moves that do more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.naive import web
from tests.naive.web import Card, Cell, Position

# Weights of moves, 1 where not named.  "near" is the power with which distance from the centre counts against a card;
# "computer", "gap" and "across" are factors for cables that lead there or to a cable of another, "last" for a draw that
# ends the game.
STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "wiring": {"near": 6, "draw": 0.5, "last": 0.01, "buy": 0.5, "cable": 4, "computer": 4, "gap": 8, "across": 3, "end": 0.02},
    "drawing": {"draw": 30, "last": 3, "end": 0.01},
    "sparing": {"draw": 0.02, "near": 1, "cable": 2, "end": 0.1},
    "filling": {"near": 9, "draw": 20, "last": 0.02, "buy": 0.1, "cable": 0.1, "end": 0.01},
}


def random_deal(deck: Sequence[Card], players: int, rng: random.Random) -> tuple[list[list[int]], list[list[int]], int]:
    """Return hands, piles and starting player of a random deal."""
    hands: list[list[int]] = [[] for _ in range(players)]
    piles = []
    for shape in web.SHAPES:
        cards = [number for number, card in enumerate(deck) if card.shape == shape]
        rng.shuffle(cards)
        for hand in hands:
            hand.append(cards.pop())
        half = (len(cards) + 1) // 2
        piles += [cards[:half], cards[half:]]
    fewest = min(computers(deck, hand) for hand in hands)
    return hands, piles, rng.choice([seat for seat, hand in enumerate(hands) if computers(deck, hand) == fewest])


def computers(deck: Sequence[Card], hand: Sequence[int]) -> int:
    """Return how many computers the cards of a hand show."""
    return sum(printed.isdigit() for number in hand for printed in deck[number].face)


def random_move(position: Position, rng: random.Random, style: str) -> str:
    """Return a legal move in a style."""
    moves = sorted(position.moves)
    return rng.choices(moves, [weight(position, move, STYLES[style]) for move in moves])[0]


def weight(position: Position, move: str, weights: dict[str, float]) -> float:
    """Return how likely a move is in a style, on any scale."""
    word, *rest = move.split()
    result = weights.get(word, 1.0)
    if word == "card" and "near" in weights:
        centre = position.table // 2
        result *= (1 + sum(abs(int(n) - centre) for n in rest[2].split(","))) ** -weights["near"]
    elif word == "draw" and len(position.piles[int(rest[0])]) == 1:
        result *= weights.get("last", 1.0)
    elif word == "cable":
        met = [position.cells.get(cell) for cell in ends(move)]
        others = {owner for cell in ends(move) for owner in web.cables_in(position, cell)} - {position.to_move}
        result *= weights.get("gap", 1.0) if None in met else 1.0
        result *= weights.get("across", 1.0) if others else 1.0
        result *= weights.get("computer", 1.0) if any(map(is_computer, met)) else 1.0
    return result


def random_game(position: Position, rng: random.Random, style: str) -> Iterator[tuple[Position, str, Position]]:
    """Yield every step of a random game: the position, the move, the next position."""
    while position.over is None:
        move = random_move(position, rng, style)
        before, position = position, web.play(position, move)
        yield before, move, position


def ends(move: str) -> tuple[Cell, Cell]:
    """Return the two cells that a cable joins."""
    _, cell, direction = move.split()
    x, y = map(int, cell.split(","))
    return (x, y), ((x + 1, y) if direction == "E" else (x, y + 1))


def is_computer(printed: str | None) -> bool:
    """Tell whether what is printed on a cell is the points of a computer."""
    return printed is not None and printed.isdigit()


RULES = """
card turned | card of two looks | card at the edge | card beside an obstacle
hand does not fit | another hand fits | all pass
draw | last card drawn | last card drawn, actions lost | buy | last cables bought | store empty | no cable in front
actions left unused | actions used up
from the centre | from another server | server to server | server full | server shared
computer connected | computer taken already | loop | fork | crossing | bends past each other
into a gap | on from a gap | between gaps | gap at a wall | side in use
player out | lone player | lone player plays on | no cards | sole win | shared win
""".replace("\n", "|")
ALL_RULES = {rule.strip() for rule in RULES.split("|")} - {""}


def rules_met(before: Position, move: str, after: Position) -> set[str]:
    """Return which of ``ALL_RULES`` apply when a move is made."""
    word = move.split()[0]
    cases = {"draw": word == "draw", "buy": word == "buy", "actions left unused": word == "end"}
    if word == "card":
        cases |= card_rules(before, move, after)
    elif word == "pass":
        cases |= pass_rules(before)
    else:
        cases |= action_rules(before, word, after)
    if word == "cable":
        cases |= cable_rules(before, *ends(move)) | meeting_rules(before, *ends(move))
    if after.over is not None or after.actions is None:
        cases |= turn_rules(before, after)
    return {rule for rule, applies in cases.items() if applies}


def card_rules(before: Position, move: str, after: Position) -> dict[str, bool]:
    """Return what is special about a card that is played."""
    _, number, _, _, turns = move.split()
    new = set(after.cells) - set(before.cells)
    beside = {there for cell in new for there in web.neighbours(cell)}
    return {
        "card turned": turns != "r0",
        "card of two looks": len(web.rotations(before.deck[int(number)])) == 2,
        "card at the edge": any(not 0 <= n < before.table for cell in beside for n in cell),
        "card beside an obstacle": bool(beside & before.obstacles),
    }


def pass_rules(before: Position) -> dict[str, bool]:
    """Return whether others could still play when a turn is passed."""
    others = [player for player, hand in enumerate(before.hands) if hand and player != before.to_move]
    return {
        "hand does not fit": True,
        "another hand fits": any(web.placements(replace(before, to_move=player)) for player in others),
    }


def action_rules(before: Position, word: str, after: Position) -> dict[str, bool]:
    """Return what runs out with an action."""
    player = before.to_move
    return {
        "last card drawn": after.over == "pile",
        "last card drawn, actions lost": after.over == "pile" and after.actions != 0,
        "last cables bought": word == "buy" and after.store[player] == 0,
        "store empty": before.store[player] == 0,
        "no cable in front": before.front[player] == 0,
        "actions used up": word != "end" and after.actions is None,
    }


def cable_rules(before: Position, one: Cell, other: Cell) -> dict[str, bool]:
    """Return from where to where a new cable leads."""
    printed = {cell: before.cells.get(cell) for cell in (one, other)}
    servers = [cell for cell in printed if printed[cell] == "S"]
    gaps = [cell for cell in printed if printed[cell] is None]
    reached = web.net(before, before.to_move)
    middle = (before.table // 2, before.table // 2)
    around = {there for gap in gaps for there in web.neighbours(gap)} - set(before.cells) - {one, other}
    return {
        "from the centre": middle in servers,
        "from another server": bool(set(servers) - {middle}),
        "server to server": len(servers) == 2,
        "computer connected": any(map(is_computer, printed.values())),
        "into a gap": any(gap not in reached for gap in gaps),
        "on from a gap": any(gap in reached for gap in gaps),
        "between gaps": len(gaps) == 2,
        "gap at a wall": any(cell in before.obstacles or min(cell) < 0 or max(cell) >= before.table for cell in around),
        "loop": not servers and {one, other} <= reached,
    }


def meeting_rules(before: Position, one: Cell, other: Cell) -> dict[str, bool]:
    """Return what a new cable meets in the cells that it joins, and what stops it from leading elsewhere."""
    meetings = ("server full", "server shared", "fork", "crossing", "bends past each other")
    colour, cases = before.to_move, dict.fromkeys(meetings, False)
    for cell in (one, other):
        owners = [*web.cables_in(before, cell), colour]
        if before.cells.get(cell) == "S":
            cases["server full"] |= len(owners) == 4
            cases["server shared"] |= len(set(owners)) > 1
        elif before.cells.get(cell, ".") == ".":
            pairs = sorted(owners.count(owner) for owner in set(owners)) == [2, 2]
            straight = runs_straight(before, cell, colour, {one, other} - {cell})
            cases["fork"] |= owners.count(colour) >= 3
            cases["crossing"] |= pairs and straight
            cases["bends past each other"] |= pairs and not straight
    reached = web.net(before, colour)
    beside = [(here, there) for here in reached for there in web.neighbours(here)]
    cases["side in use"] = any(before.cables.get(web.edge(*pair), colour) != colour for pair in beside)
    cases["computer taken already"] = any(
        is_computer(before.cells.get(there)) and web.cables_in(before, there) not in ([], [colour]) for _, there in beside
    )
    return cases


def runs_straight(before: Position, cell: Cell, colour: int, new: set[Cell]) -> bool:
    """Tell whether a colour's cables in a cell, with a new one, come from opposite sides."""
    edges = {there: web.edge(cell, there) for there in web.neighbours(cell)}
    sides = new | {there for there, e in edges.items() if before.cables.get(e) == colour}
    return {(2 * cell[0] - x, 2 * cell[1] - y) for x, y in sides} == sides


def turn_rules(before: Position, after: Position) -> dict[str, bool]:
    """Return what happens between two turns or at the end."""
    with_cards = [player for player, hand in enumerate(after.hands) if hand]
    seats, points = len(after.hands), web.scores(after)
    following = (before.to_move + 1) % seats
    return {
        "player out": after.over is None and after.to_move != following,
        "lone player plays on": after.over is None and len(with_cards) == 1,
        "lone player": after.over == "lone player",
        "no cards": after.over == "no cards",
        "all pass": after.over == "passes",
        "sole win": after.over is not None and points.count(max(points)) == 1,
        "shared win": after.over is not None and points.count(max(points)) > 1,
    }
