"""The naive twin of Web against the answers of the rule text."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import gamelab.games
from tests.naive import web as naive
from tests.naive.web import Card
from tests.naive.web_play import ALL_RULES, STYLES, random_deal, random_game, rules_met

DECK = naive.read_deck(Path(gamelab.games.__file__).parent / "web" / "decks" / "standard.toml")
CORNER = 10  # pictures are laid with their south-west cell on (10, 10), clear of the table's edge


def cells_of(picture):
    """What is drawn on each cell, the northern row first; a space is a bare cell."""
    rows = picture.strip("\n").splitlines()
    return {
        (CORNER + x, CORNER + y): printed
        for y, row in enumerate(reversed(rows))
        for x, printed in enumerate(row)
        if printed != " "
    }


def turn(picture, *, owners=(), hands=((0,), (1,)), to_move=0, **changes):
    """A turn of player 0 with 20 actions and 9 cables; ``#`` is an obstacle.

    ``owners`` are texts such as ``"0: 10,10 E, 11,10 N"``: the cables that lie, by player.
    """
    drawn = cells_of(picture)
    lying = {cell: printed for cell, printed in drawn.items() if printed != "#"}
    rest = [number for number in range(len(DECK)) if not any(number in hand for hand in hands)]
    position = naive.start(DECK, hands, [rest[n::6] for n in range(6)], to_move, obstacles=set(drawn) - set(lying))
    seats = len(hands)
    return replace(
        position,
        **{
            "cells": lying,
            "cables": {edge: int(text[0]) for text in owners for edge in edges_of(text[2:])},
            "actions": 20,
            "front": (9,) * seats,
            "store": (9,) * seats,
            **changes,
        },
    )


def edges_of(text):
    for cable in text.split(","):
        column, row, direction = cable.replace(".", " ").split()
        x, y = int(column), int(row)
        yield (x, y), ((x + 1, y) if direction == "E" else (x, y + 1))


def cables(position):
    """The legal cables without the word."""
    return {move[6:] for move in naive.legal_moves(position) if move.startswith("cable")}


def after(position, *moves):
    for move in moves:
        position = naive.play(position, move)
    return position


def kinds_of(position):
    return {move.split()[0] for move in naive.legal_moves(position)}


# --- the setup --------------------------------------------------------------------------------------------------------


def test_the_deck():
    assert Counter(card.shape for card in DECK) == {"straight": 19, "bend": 22, "block": 19}
    assert all(set(card.face) & {".", "S"} for card in DECK)
    assert sum("S" in card.face for card in DECK) == 8
    points = [sum(map(int, filter(str.isdigit, card.face))) for card in DECK]
    assert all(4 <= shown + card.dots <= 8 for shown, card in zip(points, DECK, strict=True))
    assert 150 <= sum(points) <= 200
    looks = {}
    for card in DECK:
        looks.setdefault(frozenset(frozenset(look.items()) for look in naive.rotations(card).values()), []).append(card.dots)
    assert all(len(set(dots)) > 1 for dots in looks.values())


def test_the_setup():
    hands, piles, starter = random_deal(DECK, 3, random.Random(1))
    position = naive.start(DECK, hands, piles, starter)
    assert position.cells == {(20, 20): "S"}
    assert (position.front, position.store) == ((3, 3, 3), (15, 15, 15))
    assert list(map(len, piles)) == [8, 8, 10, 9, 8, 8]
    assert (naive.to_act(position), naive.scores(position)) == (starter, [-3, -3, -3])
    assert kinds_of(position) == {"card"}


def test_a_deal_is_the_whole_deck():
    with pytest.raises(ValueError, match="each once"):
        naive.start(DECK, [[0], [1]], [[2], [3], [4], [5], [6], [6]], 0)


# --- playing a card ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "places", "looks"),
    [
        # Beside one cell: a straight lying 3 + 3 + 1 + 1, a bend on each of its 7 neighbours, a block 2 on a side.
        (Card("straight", "22.", 1), 16, 2),
        (Card("straight", "2.2", 1), 16, 1),
        (Card("bend", "...", 1), 28, 1),
        (Card("block", "12..", 1), 8, 4),
        (Card("block", "2..2", 1), 8, 2),
        (Card("block", "....", 1), 8, 1),
    ],
)
def test_the_first_card_borders_on_the_central_server(card, places, looks):
    deck = (card, *DECK)
    rest = range(2, len(deck))
    position = naive.start(deck, [[0], [1]], [rest[n::6] for n in range(6)], 0)
    assert len(naive.legal_moves(position)) == len(set(naive.legal_moves(position))) == places * looks


@pytest.mark.parametrize(
    ("card", "turns", "picture"),
    [
        (Card("straight", "12.", 1), 0, "12."),
        (Card("straight", "12.", 1), 1, ".\n2\n1"),
        (Card("straight", "12.", 1), 2, ".21"),
        (Card("straight", "12.", 1), 3, "1\n2\n."),
        (Card("bend", "12.", 1), 0, ".\n12"),
        (Card("bend", "12.", 1), 1, " 2\n.1"),
        (Card("bend", "12.", 1), 2, "21\n ."),
        (Card("bend", "12.", 1), 3, "1.\n2"),
        (Card("block", "123.", 1), 0, "3.\n12"),
        (Card("block", "123.", 1), 1, ".2\n31"),
        (Card("block", "123.", 1), 2, "21\n.3"),
        (Card("block", "123.", 1), 3, "13\n2."),
    ],
)
def test_quarter_turns_to_the_left(card, turns, picture):
    look = naive.rotations(card)[turns]
    assert {(CORNER + x, CORNER + y): printed for (x, y), printed in look.items()} == cells_of(picture)


def test_a_card_is_never_mirrored():
    looks = naive.rotations(Card("block", "12.3", 1)).values()
    mirrored = dict(zip([(1, 0), (0, 0), (1, 1), (0, 1)], "12.3", strict=True))
    assert mirrored not in looks


def test_a_card_keeps_off_cards_obstacles_and_the_edge():
    """A server in the corner of the table; an obstacle leaves room beside it for a straight, lying south."""
    card = next(number for number, card in enumerate(DECK) if card.face == "..1")
    position = turn("S", hands=((card,), (59,)), actions=None)
    position = replace(position, cells={(0, 0): "S"}, obstacles=frozenset({(0, 1), (1, 1)}), table=15)
    assert set(naive.legal_moves(position)) == {f"card {card} @ 1,0 r0", f"card {card} @ 1,0 r2"}
    cornered = replace(position, obstacles=frozenset({(0, 1), (3, 0)}))
    assert set(naive.legal_moves(cornered)) == {f"card {card} @ 1,0 r1", f"card {card} @ 1,0 r3"}
    assert naive.legal_moves(replace(position, obstacles=frozenset({(0, 1), (1, 0)}))) == ["pass"]


def test_corners_that_touch_are_no_border():
    position = turn("S", hands=((0,), (1,)), actions=None)
    lying = {move.split()[3] for move in naive.legal_moves(position) if move.endswith("r0")}
    assert lying == {"7,10", "11,10", "8,9", "9,9", "10,9", "8,11", "9,11", "10,11"}


def test_the_dots_are_actions():
    for number, card in enumerate(DECK):
        position = turn("S", hands=((number, *{0, 1} - {number}), (59 if number != 59 else 58,)), actions=None)
        laid = after(position, naive.legal_moves(position)[0])
        assert (laid.actions, laid.to_move, number in laid.hands[0]) == (card.dots, 0, False)
        assert kinds_of(laid) >= {"draw", "buy", "end"}
        assert after(laid, *["draw 0"] * card.dots).to_move == 1
        assert after(laid, "end").to_move == 1


# --- actions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "front"),
    [
        (["buy", "buy", "buy"], 9),
        (["buy", "cable 10,10 E", "cable 11,10 E"], 1),
        (["buy", "cable 10,10 E", "draw 3"], 2),
    ],
)
def test_three_actions_of_the_example(moves, front):
    position = after(turn("S...", actions=3, front=(0, 3), store=(15, 15)), *moves)
    assert (position.front[0], position.to_move, position.actions) == (front, 1, None)


def test_cables_are_bought_three_at_a_time_while_the_store_has_them():
    position = turn("S.", store=(3, 15), front=(0, 3))
    assert cables(position) == set()
    position = after(position, "buy")
    assert (position.front, position.store) == ((3, 3), (0, 15))
    assert kinds_of(position) == {"draw", "cable", "end"}


def test_a_drawn_card_is_the_top_one():
    position = turn("S.")
    top, *rest = position.piles[4]
    drawn = after(position, "draw 4")
    assert (drawn.hands[0], drawn.piles[4]) == ((0, top), tuple(rest))


# --- cables -----------------------------------------------------------------------------------------------------------

# Two servers, computers, a single bare cell at 12,11 and bare cells beyond: the sample net in small.
SAMPLE = """
.2..3
.. .S
S..1.
"""


def test_cables_start_at_any_server_and_never_diagonally():
    position = turn(SAMPLE)
    assert cables(position) == {"10,10 E", "10,10 N", "14,10 N", "13,11 E", "14,11 N"}
    for wrong in ("cable 10,10 NE", "cable 11,10 E", "cable 10,9 N", "cable 9,10 E", "cable 14,11 E"):
        with pytest.raises(ValueError, match="not legal"):
            naive.play(position, wrong)


def test_cables_go_on_from_the_own_net_only():
    position = after(turn(SAMPLE), "cable 10,10 E", "cable 11,10 E")
    assert cables(position) >= {"12,10 E", "12,10 N", "11,10 N"}
    assert not cables(position) & {"12,11 N", "13,10 E", "11,11 E"}
    # The other player's cables help nobody else, but they do take the sides that they cross.
    assert cables(replace(position, to_move=1)) == {"10,10 N", "14,10 N", "13,11 E", "14,11 N"}


def test_a_computer_takes_one_cable_and_lets_none_go_on():
    position = turn(SAMPLE, owners=["0: 10.10 E, 11.10 E, 12.10 E", "1: 14.10 N"])
    assert naive.scores(position) == [0, -1]
    assert "13,10 N" not in cables(position)
    assert "13,10 E" not in cables(position)
    # Nor a second one of its owner or of the other player, from the south-east corner.
    own = replace(position, cables=dict.fromkeys(position.cables, 0))
    assert "13,10 E" not in cables(own)
    assert "13,10 E" not in cables(replace(position, to_move=1))
    without = {edge: owner for edge, owner in position.cables.items() if (13, 10) not in edge}
    assert "13,10 E" in cables(replace(position, to_move=1, cables=without))
    assert naive.scores(after(replace(position, to_move=1, cables=without), "cable 13,10 E")) == [-1, 0]


def test_a_computer_beside_a_server_is_connected_at_once():
    position = after(turn(SAMPLE), "cable 14,11 N")
    assert naive.scores(position) == [2, -1]
    assert "13,12 E" not in cables(position)


def test_two_colours_meet_in_an_open_cell():
    """They bend past each other, cross and fork, but never share a side."""
    picture = "S...\n....\n...."
    west = turn(picture, owners=["0: 10.11 N, 10.11 E, 11.10 N", "1: 10.12 E, 11.11 N"])  # bends in 11,11
    assert naive.cables_in(west, (11, 11)) == [1, 0, 0]
    assert cables(west) == {"10,10 N", "11,11 E", "10,10 E", "11,10 E"}
    theirs = cables(replace(west, to_move=1))
    assert theirs == {"11,11 E", "11,12 E"}
    crossed = turn(picture, owners=["0: 10.11 N, 10.11 E, 11.11 E", "1: 10.12 E, 11.11 N, 11.10 N"])
    assert naive.cables_in(crossed, (11, 11)) == [0, 1, 0, 1]
    assert not {move for move in cables(crossed) if move in {"11,11 N", "11,10 N"}}
    fork = after(west, "cable 11,11 E")
    assert sorted(naive.cables_in(fork, (11, 11))) == [0, 0, 0, 1]


def test_a_server_takes_one_cable_a_side():
    position = turn("...\n.S.\n...", owners=["0: 10.11 E, 11.10 N", "1: 11.11 E"])
    assert cables(replace(position, to_move=1)) >= {"11,11 N", "12,10 N", "12,11 N"}
    assert not cables(replace(position, to_move=1)) & {"10,11 E", "11,10 N", "11,11 E"}


def test_between_servers_and_in_a_loop():
    assert cables(turn("SS")) == {"10,10 E"}
    loop = turn("..\nS.", owners=["0: 10.10 E, 11.10 N, 10.10 N"])
    assert cables(loop) == {"10,11 E"}
    assert after(loop, "cable 10,11 E").front[0] == 8


# --- gaps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "gaps"),
    [
        ("...\nS .\n...", {(11, 11)}),
        ("....\nS  .\n....", {(11, 11), (12, 11)}),
        ("...\n. .\n. .\nS..", {(11, 11), (11, 12)}),
        (".....\nS   .\n.....", set()),
        ("....\n. ..\nS  .\n....", set()),
        ("....\n.  .\nS  .\n....", set()),
        ("....\n. ..\nS. .\n....", {(11, 12), (12, 11)}),  # corner to corner is no room
        ("...\n. #\nS..", {(11, 11)}),  # an obstacle is a wall and no gap
        (".#.\n# #\nS..", {(11, 11)}),
        ("...\nS  \n...", set()),
    ],
)
def test_what_is_a_gap(picture, gaps):
    position = turn(picture)
    around = [(x, y) for x in range(8, 17) for y in range(8, 17)]
    assert {cell for cell in around if naive.is_gap(position, cell)} == gaps


def test_the_tables_edge_is_a_wall():
    lying = {(0, 0): ".", (1, 1): ".", (0, 2): "S", (1, 0): "1"}
    position = replace(turn("S"), cells=lying)
    assert naive.is_gap(position, (0, 1))
    assert "0,1 N" in cables(position)
    assert not naive.is_gap(replace(position, cells={cell: "." for cell in lying if cell != (0, 2)}), (0, 1))


def test_a_gap_carries_cables_and_a_space_that_a_card_fits_does_not():
    position = turn("....\nS  .\n....")
    assert cables(position) == {"10,10 N", "10,11 E", "10,11 N"}
    position = after(position, "cable 10,11 E", "cable 11,11 E")
    assert cables(position) >= {"12,11 E", "12,11 N", "12,10 N", "11,11 N", "11,10 N"}
    wide = turn(".....\nS   .\n.....")
    assert cables(wide) == {"10,10 N", "10,11 N"}


def test_a_gap_is_one_whatever_cards_are_left_and_needs_no_border():
    """Behind obstacles, where nobody could lay anything: still room, or still none."""
    position = turn("S.###\n..# #\n..###")
    assert naive.is_gap(position, (13, 11))
    roomy = turn("S.#####\n..#   #\n..#####")
    assert not naive.is_gap(roomy, (13, 11))
    assert naive.legal_moves(replace(roomy, actions=None)) != ["pass"]


@pytest.mark.parametrize("seed", range(20))
def test_gaps_are_the_groups_of_one_or_two_bare_cells(seed):
    rng = random.Random(seed)
    everywhere = [(x, y) for x in range(15) for y in range(15)]
    lying = {cell: "." for cell in everywhere if rng.random() < 0.6}
    obstacles = {cell for cell in everywhere if cell not in lying and rng.random() < 0.1}
    position = replace(turn("S"), table=15, cells=lying, obstacles=frozenset(obstacles))
    bare = set(everywhere) - set(lying) - obstacles
    small = {cell for cell in bare if len(group(bare, cell)) <= 2}
    assert {cell for cell in everywhere if naive.is_gap(position, cell)} == small
    assert len(small) > 5


def group(cells, cell):
    found, waiting = {cell}, [cell]
    while waiting:
        for there in naive.neighbours(waiting.pop()):
            if there in cells and there not in found:
                found.add(there)
                waiting.append(there)
    return found


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_game_ends_at_once_with_a_pile():
    position = turn("S.", actions=3)
    position = replace(position, piles=((59,), *position.piles[1:]))
    over = after(position, "draw 0")
    assert (over.over, over.actions, naive.scores(over)) == ("pile", 2, [-2, -1])
    assert (naive.to_act(over), naive.legal_moves(over)) == (None, [])
    assert naive.returns(over) == [-1, 1]
    assert naive.returns(position) == [0, 0]


def test_a_lone_player_ends_the_game_at_the_end_of_a_turn():
    position = turn("S.", hands=((), (1,)), actions=2)
    drawn = after(position, "draw 0", "end")
    assert (drawn.over, drawn.to_move) == (None, 1)
    over = after(position, "buy", "end")
    assert (over.over, naive.returns(over)) == ("lone player", [1, -1])


def test_a_lone_player_who_plays_on():
    position = turn("S.", hands=((), (1,)), actions=1, lone_player="plays_on")
    position = after(position, "buy")
    assert naive.to_act(position) == 1
    position = after(position, "card 1 @ 12,10 r0")
    position = after(position, *["buy"] * (DECK[1].dots - 1))
    assert after(position, "buy").over == "no cards"
    assert after(position, "draw 2").to_move == 1


def test_who_has_no_cards_is_out():
    position = after(turn("S.", hands=((0,), (), (2,)), actions=1), "buy")
    assert position.to_move == 2
    position = after(replace(position, actions=1), "buy")
    assert position.to_move == 0


def test_a_turn_is_passed_only_where_nothing_fits():
    """One cell of room beside the server: nobody can play, and the game ends when all have said so."""
    shut = turn(" #\n#S#\n #", hands=((0,), (1,), ()), actions=None, obstacles=frozenset({(10, 11), (12, 11), (11, 10)}))
    shut = replace(shut, cells={(11, 11): "S"}, obstacles=shut.obstacles | {(11, 13), (10, 12), (12, 12)})
    assert naive.legal_moves(shut) == ["pass"]
    assert after(shut, "pass").over is None
    assert after(shut, "pass", "pass").over == "passes"
    lone = replace(shut, hands=((0,), (), ()), lone_player="plays_on")
    assert after(lone, "pass").over == "passes"


def test_a_card_between_two_passes():
    """Room for straights and bends, of which one player has none."""
    block = next(number for number, card in enumerate(DECK) if card.shape == "block")
    walls = {(x, y) for x in range(10, 20) for y in (9, 11)} | {(9, 10), (20, 10)}
    position = turn("S", hands=((block,), (0, 1, 2)), actions=None, obstacles=frozenset(walls))
    position = after(position, "pass", "card 0 @ 11,10 r0", "end")
    assert (position.passes, position.over) == (0, None)
    position = after(position, "pass", "card 1 @ 14,10 r0", "end", "pass", "card 2 @ 17,10 r0", "draw 0", "end", "pass")
    assert (position.passes, position.over) == (1, None)
    assert after(position, "pass").over == "passes"


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (((), (1,)), [1, -1]),
        (((0,), (1,)), [0, 0]),
        (((), (1,), (2,)), [1, Fraction(-1, 2), Fraction(-1, 2)]),
        (((), (), (2,)), [Fraction(1, 4), Fraction(1, 4), Fraction(-1, 2)]),
        (((), (), (), ()), [0, 0, 0, 0]),
        (((), (), (), (5,)), [Fraction(1, 9)] * 3 + [Fraction(-1, 3)]),
    ],
)
def test_a_win_is_shared_equally(hands, expected):
    assert naive.returns(turn("S", hands=hands, over="passes")) == expected


# --- random games -----------------------------------------------------------------------------------------------------


def test_what_every_position_keeps():
    for style in STYLES:
        for seed in range(3):
            rng = random.Random(seed)
            position = naive.start(DECK, *random_deal(DECK, 2 + seed % 3, rng), obstacles={(21, 22)})
            for before, move, now in random_game(position, rng, style):
                played = set(range(len(DECK))).difference(*now.hands, *now.piles)
                assert len(now.cells) == 1 + sum(len(DECK[card].face) for card in played)
                owned = Counter(now.cables.values())
                assert all(owned[p] + now.front[p] + now.store[p] == 18 for p in range(len(now.hands)))
                assert (21, 22) not in now.cells
                assert sum(naive.returns(now)) == 0
                assert rules_met(before, move, now) <= ALL_RULES
