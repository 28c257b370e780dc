"""Web against its rule text: every rule in a position made for it, on a small deck; the known answers of the sample net."""

import re
from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import IllegalActionError, NotationError, ParameterError, PositionError
from gamelab.core.rules import TERMINAL
from gamelab.games.web import rules, table
from gamelab.games.web.cards import OFFSETS
from gamelab.games.web.view import dots_of_hands
from gamelab.search.playout import playout_batch
from gamelab.testing import check_game

DECK = """
name = "small"
straight = ["... 3", "1.5 2", "S.2 1", "... 4", "1.1 3", "2.. 1"]
bend = ["... 2", ".1. 3", "..1 3", "... 5", "S.. 1", "... 1"]
block = [".... 3", "1..1 2", "1.S. 2", ".... 1", ".2.. 4", "...3 1"]
"""
# Numbers of cards in it: straights 0-5, bends 6-11, blocks 12-17. The centre of a table of 15 is 7,7.
SHAPES = {
    "straight": [(0, 0), (1, 0), (2, 0)],
    "bend": [(0, 0), (1, 0), (0, 1)],
    "block": [(0, 0), (1, 0), (0, 1), (1, 1)],
}


# Twins that are written turned, and not side by side.
TURNED = """
name = "turned"
straight = ["3.. 1", "... 1", "..3 5", "1.. 2", "... 5", "1.. 3", "22. 1"]
bend = ["1.2 1", "... 2", "12. 5", "... 5", "... 3", "S.. 1"]
block = [".... 1", "1... 2", ".... 3", ".1.. 4", "...1 5", "..1. 1"]
"""


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("web") / "small.toml"
    path.write_text(DECK)
    return str(path)


@pytest.fixture
def load(deck):
    def loaded(**parameters):
        return gamelab.load("web", **{"deck": deck, "table": 15, **parameters})

    return loaded


@pytest.fixture
def at(load):
    def position(text, **parameters):
        return load(**parameters).state_from_text(text)

    return position


def names(state, kind=""):
    return {name for name in map(state.action_to_string, state.legal_actions()) if name.startswith(kind)}


def play(state, *words):
    for word in words:
        state.apply_action(state.string_to_action(word))
    return state


def dealt(game, seed=0):
    return play(game.new_initial_state(), f"deal {seed}")


def refused(state, word):
    with pytest.raises(IllegalActionError):
        play(state, word)


# --- the sample net ---------------------------------------------------------------------------------------------------

# Around the server 7,7: a block 7,8 8,8 7,9 8,9 above it, straights 8,7 9,7 10,7 (1 . 5) and 4,7 5,7 6,7 (S . 2).
NET = """
player 0 acts, 3 left
table 12@7,8 1@8,7 2@4,7
player 0: hand 0 6; front 3
player 1: hand 3 7; front 3
"""


def test_no_cable_is_diagonal(at):
    for word in ("cable 7,7 NE", "cable 7,7 S", "cable 7,7 W", "cable 7,7"):
        with pytest.raises(NotationError):
            at(NET).string_to_action(word)


def test_a_cable_starts_at_a_server_or_at_the_own_net(at):
    state = at(NET)
    # North and both sides of the central server, from the server on the card to its right; nothing lies below.
    assert names(state, "cable") == {"cable 7,7 N", "cable 7,7 E", "cable 6,7 E", "cable 4,7 E"}
    refused(state, "cable 7,8 N")  # meets neither
    play(state, "cable 7,7 N")
    assert names(state, "cable") >= {"cable 7,8 N", "cable 7,8 E"}
    play(state, "end", "card 3 @ 8,10 r0", "buy")
    assert "cable 7,8 N" not in names(state)  # another's net


def test_a_server_on_a_card_is_as_good_a_start(at):
    state = play(at(NET), "cable 4,7 E", "cable 5,7 E")
    assert state.array[0]["points"][0] == 2


def test_a_computer_takes_one_cable_and_ends_it(at):
    state = play(at(NET), "cable 7,7 E")
    assert state.array[0]["points"][0] == 1
    refused(state, "cable 8,7 E")  # going on from it
    state = play(at(NET), "cable 4,7 E", "cable 5,7 E")
    refused(state, "cable 6,7 E")  # a second cable of the same player
    play(state, "end", "card 3 @ 8,10 r0")
    refused(state, "cable 6,7 E")  # and of another
    assert state.array[0]["points"].tolist() == [2, 0, 0, 0]


def test_one_cable_crosses_a_side(at):
    text = NET.replace("player 1: hand 3 7; front 3", "player 1: hand 3 7; front 2; cables 7,7N")
    state = at(text)
    refused(state, "cable 7,7 N")


def test_colours_bend_past_each_other_cross_and_fork_in_an_open_cell(at):
    # Two bends and a block make 5,8 .. 8,9; servers at 7,7 and, turned, at 4,8 (card 2 upright: S at 4,8).
    text = """
    player 0 acts, 3 left
    table 12@7,8 15@5,8 2@4,8r1
    player 0: hand 0 6; front 0; cables 7,7N 7,8N 7,8E
    player 1: hand 3 7; front 3; cables 4,8E 5,8E 6,8E
    """
    state = at(text)
    # In 7,8 a cable of player 0 comes from below and forks north and east; one of player 1 comes from the west.
    play(state, "end", "card 3 @ 9,8 r0")
    # All four sides of 7,8 are crossed; from 6,8 player 1 can go north, and not into the full cell.
    assert names(state, "cable") & {"cable 7,8 N", "cable 7,8 E", "cable 7,7 N", "cable 6,8 E"} == set()
    assert "cable 6,8 N" in names(state)


def test_cables_cross(at):
    text = """
    player 0 acts, 1 left
    table 12@7,8 15@5,8 2@4,8r1
    player 0: hand 0 6; front 1; cables 7,7N 7,8N
    player 1: hand 3 7; front 0; cables 4,8E 5,8E 6,8E
    """
    state = play(at(text), "end", "card 3 @ 9,8 r0", "buy")
    assert "cable 7,8 E" in names(state)
    play(state, "cable 7,8 E")
    assert state.array[0]["built"].tolist()[:2] == [2, 4]


# Straights 7,8 to 7,10 and 4,8 to 4,10, between them the block 5,9 to 6,10: 5,8 and 6,8 are open to the south.
AROUND = """
player 0 acts, 5 left
table 0@7,8r1 3@4,8r1 15@5,9{}
player 0: hand 13 14; front 6
player 1: hand 8 16
"""


def gaps_of(state):
    return {(x, y) for y in range(15) for x in range(15) if int(table.gaps(state.array[0], y)) >> x & 1}


def test_a_space_that_a_card_still_fits_takes_no_cable(at):
    state = at(AROUND.format(""))
    assert gaps_of(state) == set()
    play(state, "cable 7,7 N")
    refused(state, "cable 6,8 E")
    refused(state, "cable 6,7 E")


@pytest.mark.parametrize(
    ("card", "gaps"),
    [
        ("5@4,7", {(5, 8), (6, 8)}),  # a straight 4,7 to 6,7 leaves two cells
        ("6@5,7", {(6, 8)}),  # a bend 5,7 6,7 5,8 leaves one
    ],
)
def test_a_gap_counts_as_an_open_cell(at, card, gaps):
    state = at(AROUND.format(f" {card}"))
    assert gaps_of(state) == gaps
    refused(state, "cable 6,8 N")  # no own net there yet
    play(state, "cable 7,7 N", "cable 6,8 E", "cable 6,8 N")
    assert {"cable 6,7 N", "cable 5,8 E"} <= names(state, "cable")
    play(state, "cable 6,7 N", "cable 5,8 E")
    assert state.array[0]["built"][0] == 5


def test_a_gap_appears_when_a_card_closes_it(at):
    state = at("player 0 plays\ntable 0@7,8r1 3@4,8r1 15@5,9\nplayer 0: hand 6 12\nplayer 1: hand 5 8")
    assert gaps_of(state) == set()
    play(state, "card 6 @ 5,7 r0")
    assert gaps_of(state) == {(6, 8)}
    play(state, "cable 6,7 E", "cable 6,7 N")
    play(state, "card 5 @ 8,8 r1", "buy", "card 12 @ 5,11 r0")
    assert "cable 6,8 E" in names(state)
    assert "cable 6,8 N" in names(state)


def test_no_cable_runs_off_the_cards(at):
    state = at("player 0 acts, 3 left\ntable 3@8,7\nplayer 0: hand 0\nplayer 1: hand 5")
    assert names(state, "cable") == {"cable 7,7 E"}
    play(state, "cable 7,7 E", "cable 8,7 E")
    assert names(state, "cable") == {"cable 9,7 E"}


def test_an_obstacle_is_a_wall_and_takes_no_cable(at):
    # 8,8 is empty between the straight below, obstacles right and above, and the block on the left.
    parameters = {"obstacles": "9,8 8,9"}
    state = at("player 0 acts, 3 left\ntable 3@8,7 12@6,8\nplayer 0: hand 0\nplayer 1: hand 5", **parameters)
    assert (8, 8) in gaps_of(state)
    play(state, "cable 7,7 E", "cable 8,7 N")
    assert names(state, "cable") == {"cable 7,7 N", "cable 7,8 E", "cable 8,7 E"}
    state = dealt(gamelab.load("web", table=15, obstacles="8,7 6,7 7,8"))
    cells = {tuple(map(int, name.split("@ ")[1].split(" ")[0].split(","))) for name in names(state)}
    assert all(y < 7 for _, y in cells)  # only the south side of the server is free


# --- turns ------------------------------------------------------------------------------------------------------------


def test_three_actions(at):
    def left(*words):
        state = play(at(NET), *words)
        return [int(state.array[0][name][0]) for name in ("front", "built")]

    assert left("buy", "buy", "buy") == [12, 0]
    assert left("buy", "cable 7,7 N", "cable 7,8 N") == [4, 2]
    assert left("buy", "cable 7,7 N", "draw 3") == [5, 1]
    state = play(at(NET), "buy", "cable 7,7 N", "draw 3")
    assert state.current_player() == 1
    assert int(state.array[0]["hands"][0]).bit_count() == 3


def test_actions_may_be_left_and_the_store_is_finite(at):
    state = play(at(NET), "end")
    assert state.current_player() == 1
    full = at(NET.replace("hand 0 6; front 3", "hand 0 6; front 18"))
    assert "buy" not in names(full)
    play(full, "cable 7,7 N")
    assert "buy" not in names(full)
    assert "buy" in names(at(NET.replace("hand 0 6; front 3", "hand 0 6; front 15")))
    none = at(NET.replace("hand 0 6; front 3", "hand 0 6; front 0; cables 7,7N 7,8N 7,7E"))
    assert names(none, "cable") == set()


def test_a_card_has_as_many_actions_as_dots_and_they_become_known(at):
    state = at("player 0 plays\nplayer 0: hand 9 12\nplayer 1: hand 6 15")
    other = state.information_state_string(1)
    assert "hand like 6 (bend ./..), like 12 (block ../..)" in other
    play(state, "card 9 @ 8,7 r0")
    assert state.array[0]["actions"] == 5
    assert "table 9@8,7r0" in state.information_state_string(1)


@pytest.mark.parametrize(("card", "rotations"), [(1, 4), (0, 2), (7, 4), (12, 1), (13, 2), (14, 4)])
def test_placements_at_the_server(at, card, rotations):
    """Cells beside the centre, counted by sets; a straight like `1.1` looks the same turned twice, a block `1..1` too."""
    state = at(f"player 0 plays\nplayer 0: hand {card}\nplayer 1: hand 3")
    shape = SHAPES[("straight", "bend", "block")[card // 6]]
    beside = {(8, 7), (6, 7), (7, 8), (7, 6)}
    expected = set()
    for turned in range(rotations):
        cells = shape
        for _ in range(turned):
            cells = [(-y, x) for x, y in cells]
        for dx, dy in product(range(-5, 6), repeat=2):
            here = {(7 + dx + x, 7 + dy + y) for x, y in cells}
            if here & beside and (7, 7) not in here:
                left, low = min(x for x, _ in here), min(y for _, y in here)
                expected.add(f"card {card} @ {left},{low} r{turned}")
    assert names(state) == expected


def test_cells_of_turned_cards(at):
    """A quarter turn to the left takes the east arm to the north, and never mirrors the card."""
    seen = {}
    for rotation in range(4):
        state = at("player 0 plays\nplayer 0: hand 7 12\nplayer 1: hand 3")  # .1.: the east arm is a computer
        low = 7 if rotation < 2 else 6
        play(state, f"card 7 @ 8,{low} r{rotation}")
        cells = {(x, y - low): int(table.kind_at(state.array[0], x, y)) for x in (8, 9) for y in (low, low + 1)}
        seen[rotation] = {(x - 8, y): kind for (x, y), kind in cells.items()}
    empty = table.EMPTY
    assert seen[0] == {(0, 0): 0, (1, 0): 1, (0, 1): 0, (1, 1): empty}
    assert seen[1] == {(1, 0): 0, (1, 1): 1, (0, 0): 0, (0, 1): empty}
    assert seen[2] == {(1, 1): 0, (0, 1): 1, (1, 0): 0, (0, 0): empty}
    assert seen[3] == {(0, 1): 0, (0, 0): 1, (1, 1): 0, (1, 0): empty}


def test_a_rotation_that_looks_the_same_is_the_lowest(at):
    state = at("player 0 plays\nplayer 0: hand 4 13\nplayer 1: hand 3")
    assert state.string_to_action("card 4 @ 8,7 r2") == state.string_to_action("card 4 @ 8,7")
    assert state.action_to_string(state.string_to_action("CARD 13 @ 8,7 r3")) == "card 13 @ 8,7 r1"


def test_a_card_stays_on_the_table_and_off_others(at):
    # A row of cards from the centre to 13,7, one cell from the edge.
    state = at("player 0 plays\ntable 0@8,7 3@11,7\nplayer 0: hand 5\nplayer 1: hand 4")
    assert {"card 5 @ 14,7 r1", "card 5 @ 14,5 r3", "card 5 @ 12,8 r0"} <= names(state)
    assert all(int(name.split("@ ")[1].split(",")[0]) <= 12 for name in names(state) if name.endswith(("r0", "r2")))
    assert not names(state) & {f"card 5 @ 13,{y} r1" for y in (5, 6, 7)}


def test_passing_only_when_nothing_fits(at, load):
    assert "pass" not in names(dealt(load()))
    state = dealt(gamelab.load("web", table=15, obstacles=220))
    assert names(state) == {"pass"}
    first = state.current_player()
    play(state, "pass")
    assert state.current_player() == 1 - first
    assert state.game.state_from_text(state.to_text()) == state
    play(state, "pass")
    assert state.game.state_from_text(state.to_text()) == state
    assert state.current_player() == TERMINAL
    assert state.returns() == [0.0, 0.0]
    assert state.game.describe_end(state.array[0]) == "no card fits; scores -3 -3"


def test_with_three_players_all_who_have_cards_must_pass():
    state = dealt(gamelab.load("web", table=15, obstacles=220, players=3))
    play(state, "pass", "pass")
    assert state.current_player() >= 0
    play(state, "pass")
    assert state.current_player() == TERMINAL


# --- the end ----------------------------------------------------------------------------------------------------------


def test_an_exhausted_pile_ends_the_game_at_once(at):
    lines = "player 0 acts, 3 left\ntable 12@7,8\nplayer 0: hand 0; front 2; cables 7,7N\nplayer 1: hand 1"
    piles = "\npile 0: 2\npile 1: 3 4 5\npile 2: 6 7 8\npile 3: 9 10 11\npile 4: 13 14\npile 5: 15 16 17"
    state = play(at(lines + piles), "draw 0")
    assert state.current_player() == TERMINAL
    assert [int(rules.score(state.array[0], player)) for player in range(2)] == [-2, -1]
    assert state.returns() == [-1.0, 1.0]
    assert state.game.describe_end(state.array[0]) == "pile exhausted; scores -2 -1"


ONE_CARD = "player 0 plays\nplayer 0: hand 8\nplayer 1: hand 0 13"


def test_the_last_card_can_still_draw(at):
    state = play(at(ONE_CARD), "card 8 @ 8,7")
    assert state.current_player() == 0
    play(state, "draw 2", "end")
    assert state.current_player() == 1


def test_the_game_ends_when_one_player_has_cards(at):
    state = play(at(ONE_CARD), "card 8 @ 8,7", "end")
    assert state.current_player() == TERMINAL
    assert state.returns() == [1.0, -1.0]
    assert state.game.describe_end(state.array[0]) == "one player has cards; scores 0 -2"


def test_a_lone_player_plays_on_in_the_variant(at):
    state = play(at(ONE_CARD, lone_player="plays_on"), "card 8 @ 8,7", "end")
    assert state.current_player() == 1
    play(state, "card 0 @ 10,7", "end")
    assert state.current_player() == 1
    play(state, "card 13 @ 7,5 r0", "end")
    assert state.current_player() == TERMINAL
    assert state.returns() == [0.0, 0.0]
    assert state.game.describe_end(state.array[0]) == "nobody has cards; scores 0 0"


def test_who_is_out_is_skipped(at):
    text = "player 0 plays\nplayer 0: hand 8 9\nplayer 1: hand -\nplayer 2: hand 0 13"
    state = play(at(text, players=3), "card 8 @ 8,7", "end")
    assert state.current_player() == 2
    play(state, "card 0 @ 10,7", "end")
    assert state.current_player() == 0


@pytest.mark.parametrize(
    ("hands", "returns"),
    [
        (("0", "1 3", "4 5"), [1.0, -0.5, -0.5]),
        (("0", "1", "4 5"), [0.25, 0.25, -0.5]),
        (("0", "1", "4"), [0.0, 0.0, 0.0]),
    ],
)
def test_winners_share(at, hands, returns):
    lines = [f"player {player}: hand {hand}" for player, hand in enumerate(hands)]
    left = [card for card in (2, 3, 5) if str(card) not in " ".join(hands).split()]
    state = at("\n".join(["player 0 was last", *lines, f"pile 0: {' '.join(map(str, left))}", "pile 1: -"]), players=3)
    assert state.returns() == pytest.approx(returns)


# --- the deal ---------------------------------------------------------------------------------------------------------


def computers_shown(game, hand):
    return sum(kind in "12345" for n, card in enumerate(game.deck.cards) if hand >> n & 1 for kind in card.cells)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players):
    game = gamelab.load("web", players=players)
    for seed in range(20):
        state = dealt(game, seed)
        record = state.array[0]
        hands = [int(record["hands"][player]) for player in range(players)]
        for shape, total in enumerate((19, 22, 19)):
            assert all((hand & int(record["of_shape"][shape])).bit_count() == 1 for hand in hands)
            left = record["left"][2 * shape : 2 * shape + 2].tolist()
            assert sum(left) == total - players
            assert left[0] - left[1] in (0, 1)
        shown = [computers_shown(game, hand) for hand in hands]
        assert shown[state.current_player()] == min(shown)
        assert record["front"].tolist() == [3] * players + [0] * (4 - players)


def test_all_deals_are_likely_and_so_are_both_starters(load):
    game = load()
    starters, owners, tops = Counter(), Counter(), Counter()
    for seed in range(3000):
        record = dealt(game, seed).array[0]
        hands = [int(hand) for hand in record["hands"][:2]]
        # Cards 0 and 3 look the same: who has which is no matter of computers.
        owners[next((player for player in range(2) if hands[player] & 1), 2)] += 1
        tops[int(record["piles"][int(record["left"][0]) - 1])] += 1
        shown = [computers_shown(game, hand) for hand in hands]
        if shown[0] == shown[1]:
            starters[int(record["player"])] += 1
    assert owners[0] == pytest.approx(500, abs=70)
    assert owners[1] == pytest.approx(500, abs=70)
    assert all(tops[card] == pytest.approx(500, abs=80) for card in range(6))
    ties = sum(starters.values())
    assert ties > 500
    assert starters[0] == pytest.approx(ties / 2, abs=2 * ties**0.5)


def test_obstacles_are_one_parameter_however_they_are_written():
    assert gamelab.load("web", obstacles=" 04 ") == gamelab.load("web", obstacles=np.int64(4))
    assert gamelab.load("web", obstacles=" 3,4   15,06 ").parameters["obstacles"] == "3,4 15,6"


def test_as_many_obstacles_may_be_named_as_the_help_says():
    most = int(re.search("at most ([0-9]+) cells", gamelab.load("web").parameter_specs["obstacles"].description)[1])
    cells = [f"{x},{y}" for x in range(15) for y in range(5)]
    game = gamelab.load("web", obstacles=" ".join(cells[:most]))
    assert int(game.blank_array()["num_given"][0]) == most
    with pytest.raises(ParameterError, match=f"{most + 1} cells are named, not 1 to {most}"):
        gamelab.load("web", obstacles=" ".join(cells[: most + 1]))


def test_random_obstacles():
    game = gamelab.load("web", obstacles=20)
    seen = Counter()
    for seed in range(300):
        state = dealt(game, seed)
        words = next(line for line in state.to_text().splitlines() if line.startswith("obstacles")).split()[1:]
        cells = [tuple(map(int, word.split(","))) for word in words]
        assert len(set(cells)) == 20
        seen.update(cells)
    assert all(abs(x - 20) <= 7 and abs(y - 20) <= 7 and abs(x - 20) + abs(y - 20) > 1 for x, y in seen)
    assert len(seen) == 220
    assert max(seen.values()) < 55  # 27 expected of each


# --- what is hidden ---------------------------------------------------------------------------------------------------

# Cards with the face of 0: 0, 3 (3 and 4 dots). Of 6: 6, 9, 11 (2, 5, 1 dots). Of 12: 12, 15 (3 and 1).
SECRET = """
player 0 plays
table 15@8,7
player 0: hand 7 12
player 1: hand 3 6 9
pile 0: 1 2 5
pile 1: 4 0
pile 2: 8 10
pile 3: 11
"""


def test_belief_is_exact(at):
    state = at(SECRET)
    belief = state.belief(0)
    # 3 or 0, and two of the three plain bends, the third of which lies on pile 3.
    assert belief == pytest.approx({(d, *pair): 1 / 6 for d in (3, 4) for pair in ((2, 5), (1, 2), (1, 5))})
    assert sum(belief.values()) == pytest.approx(1)
    shares = dots_of_hands(state.array[0], 0)
    assert [entry[:2] for entry in shares] == [(1, 0), (1, 6), (1, 6)]
    assert shares[1][2] == pytest.approx({1: 1 / 3, 2: 1 / 3, 5: 1 / 3})
    # The last block with the face of 12 is on the table, so 1 knows all about 0's hand.
    assert state.belief(1) == {(3, 3): 1.0}
    assert "player 1, straight ...: dots 50 % 3, 50 % 4" in state.game.describe_belief(state.array[0], 0)


def test_a_belief_of_many_cards_is_there_at_once(tmp_path):
    """Forty blocks that look alike, eight with each number of dots: choosing hands card by card would take hours."""
    straights, bends = ([f"... {1 + i % 5}" for i in range(10)] for _ in range(2))
    blocks = [f".... {1 + i % 5}" for i in range(40)]
    path = tmp_path / "alike.toml"
    path.write_text(f'name = "alike"\nstraight = {straights}\nbend = {bends}\nblock = {blocks}\n')
    game = gamelab.load("web", deck=str(path))
    hand = " ".join(str(card) for card in range(21, 29))
    belief = game.state_from_text(f"player 0 plays\nplayer 0: hand 0 10 20\nplayer 1: hand {hand}").belief(0)
    assert len(belief) == 495 - 1  # multisets of eight out of five, less the one of which the viewer holds a card
    assert sum(belief.values()) == pytest.approx(1)
    # All eight cards with two dots of the 39 that the viewer does not hold.
    assert belief[(2,) * 8] == pytest.approx(1 / comb(39, 8))


def test_resampling_is_exact(at):
    state = at(SECRET)
    rng = np.random.default_rng(5)
    hands, deep = Counter(), Counter()
    for _ in range(3000):
        sampled = state.resample_from_infostate(0, rng)
        record = sampled.array[0]
        assert sampled.information_state_string(0) == state.information_state_string(0)
        hands[int(record["hands"][1])] += 1
        # Below the tops of piles 0 and 1 lie 2, 5 and whichever plain straight is not held.
        first = record["first"].tolist()
        deep[tuple(record["piles"][first[0] : first[0] + 2].tolist()), int(record["piles"][first[1]])] += 1
    assert len(hands) == 6
    assert all(count == pytest.approx(500, abs=80) for count in hands.values())
    assert len(deep) == 12
    assert all(count == pytest.approx(250, abs=60) for count in deep.values())


def test_twins_in_another_hand_cannot_be_told_apart(at):
    """Nor can the order of cards below the tops."""
    game_with_twins = SECRET.replace("hand 3 6 9", "hand 0 6 11").replace("1 2 5", "1 5 2").replace("4 0", "4 3")
    one, two = at(SECRET), at(game_with_twins.replace("pile 3: 11", "pile 3: 9"))
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_string(1) != two.information_state_string(1)
    keys = [[int(kernels.information_key(state.array, player)) for state in (one, two)] for player in range(2)]
    assert keys[0][0] == keys[0][1]
    assert keys[1][0] != keys[1][1]
    other = at(SECRET.replace("hand 3 6 9", "hand 3 6 8").replace("8 10", "9 10"))
    assert one.information_state_string(0) != other.information_state_string(0)


def test_drawing_tells_the_drawer_the_dots_and_the_others_the_face(at):
    state = at("player 0 acts, 1 left\ntable 15@8,7\nplayer 0: hand 7\nplayer 1: hand 3\npile 2: 9 8 10\npile 3: 6 11")
    play(state, "draw 2")
    assert "hand 7 (bend ./.1, 3 dots), 9 (bend ./.., 5 dots)" in state.information_state_string(0)
    assert "hand like 6 (bend ./..), like 7 (bend ./.1)" in state.information_state_string(1)
    # By faces: one of three plain bends, then card 7, which has no twin.
    assert state.belief(1) == pytest.approx({(2, 3): 1 / 3, (5, 3): 1 / 3, (1, 3): 1 / 3})


def test_twins_written_turned_or_apart_look_alike(tmp_path):
    path = tmp_path / "turned.toml"
    path.write_text(TURNED)
    check_game("web", deck=str(path), table=15, players=3, games=2)


# --- text and parameters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("player 0 plays\nplayer 2: hand 1", "player 2 is none of 0 to 1"),
        ("player 5 plays", "players are 0 to 1"),
        ("player 0: hand 1", "no line such as player 0 plays"),
        ("player 0 plays\nplayer 0 plays", "a second line for turn"),
        ("player 0 plays\nplayer 0: hand 1 1\nplayer 1: hand 2", "card 1 is named twice"),
        ("player 0 plays\nplayer 0: hand 99\nplayer 1: hand 2", "'99' is no card from 0 to 17"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\ntable 3@1,1", "card 3 borders on no card"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\ntable 3@6,7", "card 3 would lie on something at 7,7"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\ntable 3@8,7 4@11,7 5@14,7", "card 5 would lie over the edge"),
        ("player 0 plays\nplayer 0: hand 0; front 19\nplayer 1: hand 1", "front '19' is no number of cables from 0 to 18"),
        (
            "player 0 plays\nplayer 0: hand 0; front 2\nplayer 1: hand 1",
            "player 0: 2 cables on the table and in front are no",
        ),
        ("player 0 plays\nplayer 0: hand 0; front 0\nplayer 1: hand 1", "player 0: no cables on the table nor in front"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1; front 0", "player 1: no cables on the table nor in front"),
        (f"{NET.strip()}; cables 7,7N", "player 1: 4 cables on the table and in front are no multiple of three"),
        (NET.replace("3\nplayer 1", "0; cables 7,7N\nplayer 1"), "player 0: 1 cables on the table and in front are no"),
        (NET.replace("3\nplayer 1", "18; cables 7,7N\nplayer 1"), "player 0: front '18' is no number of cables from 0 to 17"),
        ("player 0 plays\nplayer 0: hand 0; cables 7,7E\nplayer 1: hand 1", "7,7E cannot be placed"),
        ("player 0 plays\nplayer 0: hand 0; rods 2\nplayer 1: hand 1", "'rods' is none of hand, front, cables"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\npile 0: 2 3 4", "card 5, a straight, is nowhere"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\npile 0: 6 2 3\npile 1: 4 5", "card 6 is no straight"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\npile 0: 2 3 4 5", "4 cards, more than 3"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\npile 0: 2 3 4\npile 1: -\n", "card 5, a straight, is nowhere"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand -", "the game is over"),
        ("player 0 plays\nplayer 1: hand 0 1", "the game is over"),
        ("player 0 was last\nplayer 0: hand 0\nplayer 1: hand 1", "the game is not over"),
        ("player 0 plays, 1 passed\nplayer 0: hand 0\nplayer 1: hand 1", "player 1 may not have passed: a straight fits"),
        ("player 0 was last, 2 passed\nplayer 0: hand 9\nplayer 1: hand 1", "player 0 may not have passed: a bend fits"),
        ("player 0 acts, 2 left\nplayer 0: hand 0\nplayer 1: hand 1", "none lies on the table"),
        ("player 0 was last, 3 passed\nplayer 0: hand 0\nplayer 1: hand 1", "3 passed: the game goes on until all 2 who"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\nobstacles 3,3", "1 cells, not 0"),
        ("player 0 plays\nplayer 0: hand 0; hand 2\nplayer 1: hand 1", "player 0: hand stands twice"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1; front 3; front 6", "player 1: front stands twice"),
        ("player 0 plays\nplayer 0: hand 0; cables 7,7E; cables 7,7E\nplayer 1: hand 1", "player 0: cables stands twice"),
        ("player 0 plays\nplayer 0: hand 0; cables 7,7E 07,7e\nplayer 1: hand 1", "player 0, cables: 07,7e is named twice"),
        ("player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\npile 0: 2\npile 0: 2", "a second line for pile 0"),
        ("player 0 plays\nplayer 0: hand 0\nplayer  0: hand 2", "a second line for player 0"),
        ("player 0 plays\ntable 3@8,7\ntable 3@8,7", "a second line for table"),
    ],
)
def test_what_is_no_position(load, text, message):
    with pytest.raises(PositionError, match=message):
        load().state_from_text(text)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("3,3 3,3", "3,3 is named twice"),
        ("3,4 03,4", "03,4 is named twice"),
        ("3,3", "1 cells, not 2"),
        ("3,3 4,4 5,5", "3 cells, not 2"),
        ("3,3 7,8", "'7,8' is no cell x,y within seven"),
    ],
)
def test_what_are_no_obstacles(load, cells, message):
    with pytest.raises(PositionError, match=f"web position, obstacles: {message}"):
        load(obstacles=2).state_from_text(f"player 0 plays\nplayer 0: hand 0\nplayer 1: hand 1\nobstacles {cells}")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 5}, "players: 5 is not a whole number from 2 to 4"),
        ({"table": 14}, "table: 14 is not a whole number from 15 to 63"),
        ({"table": 16}, "table: 16 is even"),
        ({"obstacles": 221}, "web, obstacles: 221 is more than 220"),
        ({"obstacles": 10**30}, "web, obstacles: 10+ is more than 220"),
        ({"obstacles": "7,7"}, "obstacles: the central server lies on 7,7"),
        ({"obstacles": "3,4 5"}, "obstacles: '5' is neither a number nor a cell"),
        ({"obstacles": "15,4"}, "obstacles: 15,4 is off the table"),
        ({"obstacles": "3,4 3,4"}, "obstacles: 3,4 is named twice"),
        ({"obstacles": ""}, "obstacles: 0 cells are named"),
        ({"lone_player": "stops"}, "lone_player: 'stops' is not one of end, plays_on"),
    ],
)
def test_what_is_no_parameter(parameters, message):
    with pytest.raises(ParameterError, match=message):
        gamelab.load("web", **{"table": 15, **parameters})


@pytest.mark.parametrize(
    "word", ["deal 3", "draw 6", "card 60 @ 1,1", "card 1 @ 41,1", "cable 3,41 E", "card 1 @ 3,3 r4", "buy 3"]
)
def test_what_is_no_move(word):
    with pytest.raises(NotationError, match="is no move of web"):
        dealt(gamelab.load("web")).string_to_action(word)


def test_a_deal_is_a_number():
    state = gamelab.load("web").new_initial_state()
    assert state.string_to_action("deal 2147483647") == 2**31 - 1
    assert state.action_to_string(2**31 - 1) == "deal 2147483647"
    for word in ("deal 2147483648", "draw 3", "pass"):
        with pytest.raises(NotationError):
            state.string_to_action(word)
    with pytest.raises(IllegalActionError, match="outcome 2147483648 is none of 0 to 2147483647"):
        state.apply_action(2**31)
    with pytest.raises(ParameterError, match="cannot be listed"):
        state.chance_outcomes()


# --- all along random games -------------------------------------------------------------------------------------------


def empty_cells(record):
    side = int(record["table"])
    return {(x, y) for y in range(side) for x in range(side) if int(table.kind_at(record, x, y)) == table.EMPTY}


def coverable(empty):
    """The empty cells that some shape, turned in some way, has room to cover: the rule's own words."""
    found = set()
    for cells in SHAPES.values():
        for _ in range(4):
            cells = [(-y, x) for x, y in cells]
            for a, b in empty:
                here = {(a + x, b + y) for x, y in cells}
                if here <= empty:
                    found |= here
    return found


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), obstacles=st.sampled_from([0, 60]))
def test_gaps_are_the_cells_that_no_card_can_cover(seed, obstacles):
    state = dealt(gamelab.load("web", table=15, obstacles=obstacles), seed)
    rng = np.random.default_rng(seed)
    known = set()
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
        if state.array[0]["phase"] != rules.PLAYING:
            continue
        record = state.array[0]
        rows = [int(table.gaps(record, y)) for y in range(15)]
        gaps = {(x, y) for y in range(15) for x in range(64) if rows[y] >> x & 1}
        empty = empty_cells(record)
        assert gaps == empty - coverable(empty)
        assert known <= gaps
        known = gaps


def test_every_rotation_keeps_the_shape():
    for number, cells in enumerate(SHAPES.values()):
        for rotation in range(4):
            turned = [tuple(OFFSETS[number, rotation, i].tolist()) for i in range(len(cells))]
            assert min(x for x, _ in turned) == min(y for _, y in turned) == 0
            cells_now = cells
            for _ in range(rotation):
                cells_now = [(-y, x) for x, y in cells_now]
            shifts = {(a - x, b - y) for (a, b), (x, y) in zip(turned, cells_now, strict=True)}
            assert len(shifts) == 1


def test_random_games_are_as_long_as_an_independent_program_found_them():
    """About 22 card plays and 52 actions, score about -1; what can be counted here is plies, the ends of turns among them."""
    game = gamelab.load("web")
    states, totals = np.zeros(2, game.dtype), np.zeros(2)
    states[0] = game.initial_array()[0]
    plies = playout_batch(states, 500, game.action_buffer(), totals, np.random.default_rng(3))
    assert plies / 500 == pytest.approx(74, abs=6)
    assert abs(totals[0]) / 500 < 0.15
    assert totals[0] == -totals[1]


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_the_terminal_shows_cells_and_cables(at):
    shown = str(play(at(NET), "cable 7,7 E", "cable 7,7 N", "cable 7,8 E"))
    assert "7   S . 2 Sa1 . 5" in shown
    assert ".a." in shown
    assert (
        "player 0 (a): 1 points; cables 0 in front, 15 in store; hand 0 (straight ..., 3 dots), 6 (bend ./.., 2 dots)" in shown
    )


def test_the_picture_hides_dots(at):
    state = play(at(NET), "cable 7,7 E")
    everything, seen = state.to_svg(), state.to_svg(player=0)
    assert everything.count('class="cable p0"') == 1
    assert everything.count('class="last"') == 1
    assert everything.count('class="gap"') == 0
    assert ">3: 4&#8226;<" in everything
    assert ">3: 4&#8226;<" not in seen
    assert ">0: 3&#8226;<" in seen


def test_nobody_passes_without_cards():
    text = "player 0 was last, 1 passed\nplayer 0: hand -\nplayer 1: hand -"
    with pytest.raises(PositionError):
        gamelab.load("web").state_from_text(text)
