"""Netwerk against the known answers of its rules, and against the naive twin that was written from the rule text."""

import functools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.search.perft import perft
from gamelab.search.playout import playout_batch
from gamelab.testing import random_states
from tests.naive import netwerk as naive

SLOW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@functools.cache
def load(crowding="both", max_plies=200):
    return gamelab.load("netwerk", crowding=crowding, max_plies=max_plies)


def squares_from_top_left(text):
    """Names of squares that are given as column-row digits counted from 0 at the top left."""
    return ["abcdefgh"[int(pair[0])] + str(8 - int(pair[1])) for pair in text.split()]


def position(black="", white="", to_move="W", rest=""):
    """The text of a position, of squares as column-row digits."""
    stones = dict.fromkeys(squares_from_top_left(black), "B")
    stones |= dict.fromkeys(squares_from_top_left(white), "W")
    rows = ["".join(stones.get(file + str(rank), ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    return "\n".join([*rows, f"{to_move}{rest}"]) + "\n"


def names(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def assert_twins(state, twin):
    """Both agree on text, moves and result."""
    assert state.to_text() == twin.text()
    assert sorted(names(state)) == sorted(naive.legal_moves(twin))
    expected = naive.result(twin)
    assert state.is_terminal() == (expected is not None)
    if expected is not None:
        assert state.returns() == {"W": [1, -1], "B": [-1, 1], "draw": [0, 0]}[expected]


# --- known answers ----------------------------------------------------------------------------------------------------

FOUR_NETWORKS = "20 60 13 33 25 35 55 65 57"


def test_a_position_with_networks_is_won():
    state = load().state_from_text(position(FOUR_NETWORKS, to_move="W"))
    assert state.returns() == [-1, 1]
    assert state.is_terminal()
    assert state.legal_actions() == []


def test_exactly_four_networks():
    twin = naive.parse(position(FOUR_NETWORKS))
    expected = [
        "60 65 55 33 35 57",
        "60 33 13 35 55 57",
        "20 25 35 13 33 55 57",
        "20 25 35 33 55 57",
    ]
    chains = {frozenset(chain) for chain in naive.networks(twin, "B")}
    assert chains == {frozenset(squares_from_top_left(chain)) for chain in expected}
    assert len(naive.networks(twin, "B")) == 4


def test_a_white_stone_leaves_only_the_first():
    text = position(FOUR_NETWORKS, white="56")
    assert len(naive.networks(naive.parse(text), "B")) == 1
    assert load().state_from_text(text).returns() == [-1, 1]
    # The first one needs 65; without it nothing is left.
    without = position(FOUR_NETWORKS.replace("65 ", ""), white="56")
    assert not load().state_from_text(without).is_terminal()


@pytest.mark.parametrize("stones", ["60 20 42 33 35 57", "20 42 60 65 55 57", "60 42 33 35 25 27"])
def test_no_network(stones):
    state = load().state_from_text(position(stones))
    assert not state.is_terminal()


def test_where_black_may_place():
    text = position("30 21 52 53 24 65 16 47", to_move="B")
    crowded = "10 20 40 11 31 41 51 61 12 22 32 42 62 43 63 44 54 64 15 25 56"
    corners = "00 70 07 77"
    white_goals = "01 02 03 04 05 06 71 72 73 74 75 76"
    stones = "30 21 52 53 24 65 16 47"
    everywhere = {file + rank for file in "abcdefgh" for rank in "12345678"}
    allowed = everywhere - set(squares_from_top_left(f"{crowded} {corners} {white_goals} {stones}"))
    state = load().state_from_text(text)
    assert set(names(state)) == allowed
    # The second player is free of the rule while placing, if it binds the first only.
    free = load("first").state_from_text(text)
    assert set(names(free)) == allowed | set(squares_from_top_left(crowded))


PASSING = """
........
........
.WW..WW.
........
........
.WW..WW.
........
........
W
"""


def test_a_player_without_a_placement_passes():
    state = load().state_from_text(PASSING)
    assert names(state) == ["pass"]
    state.apply_action(state.string_to_action("pass"))
    assert state.to_text().splitlines()[-1] == "B ply 9 passes 1"
    assert not state.is_terminal()


def test_two_passes_in_a_row_are_a_draw():
    state = load().state_from_text(PASSING.rstrip() + " ply 9 passes 1\n")
    state.apply_action(state.string_to_action("pass"))
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.game.describe_end(state.array[0]) == "draw by passes"


def test_a_lifted_stone_that_opens_a_line_gives_the_opponent_the_game():
    # Black's chain 60-65-55-33-35-57 is broken by a white stone on 46; White has to lift one.
    text = position("60 65 55 33 35 57", white="46 01 03 05 71 73 75 21", to_move="W", rest=" hands 0 4")
    state = load().state_from_text(text)
    assert not state.is_terminal()
    source = squares_from_top_left("46")[0]
    lifts = [action for action in state.legal_actions() if state.action_to_string(action).startswith(source + "-")]
    over = [state.child(action) for action in lifts if state.child(action).is_terminal()]
    # Only a stone put down on another line of the chain keeps it broken.
    assert len(lifts) > len(over) > len(lifts) / 2
    assert all(child.returns() == [-1, 1] for child in over)
    assert {child.game.describe_end(child.array[0]) for child in over} == {"network"}


def test_the_draw_by_max_plies():
    state = load(max_plies=3).new_initial_state()
    for move in ("c4", "e5", "f2"):
        state.apply_action(state.string_to_action(move))
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.game.describe_end(state.array[0]) == "draw by max_plies"


def test_a_network_on_the_last_ply_wins():
    before = position("60 65 55 33 35", to_move="B", rest=" ply 199")
    state = load().state_from_text(before)
    state.apply_action(state.string_to_action(squares_from_top_left("57")[0]))
    assert state.returns() == [-1, 1]


@pytest.mark.parametrize(("crowding", "plies", "white"), [("both", 27.1, 0.526), ("first", 26.5, 0.487)])
def test_random_games_are_as_long_and_as_even_as_they_should_be(crowding, plies, white):
    game, count = load(crowding), 100_000
    states = np.concatenate([game.initial_array(), game.blank_array()])
    totals = np.zeros(2)
    length = playout_batch(states, count, game.action_buffer(), totals, np.random.default_rng(7))
    assert length / count == pytest.approx(plies, abs=0.1)
    # Five standard errors; draws are rare.
    assert (totals[0] / count + 1) / 2 == pytest.approx(white, abs=5 * 0.5 / count**0.5)


# --- against the twin -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("crowding", ["both", "first"])
@given(seed=st.integers(0, 2**32), max_plies=st.sampled_from([12, 30, 200]))
@SLOW
def test_random_games(crowding, seed, max_plies):
    rng = np.random.default_rng(seed)
    state, twin = load(crowding, max_plies).new_initial_state(), naive.start(crowding, max_plies)
    while True:
        assert_twins(state, twin)
        if state.is_terminal():
            return
        action = int(rng.choice(state.legal_actions()))
        twin = naive.play(twin, state.action_to_string(action))
        state.apply_action(action)


@st.composite
def positions(draw):
    """Texts of positions with stones anywhere they may stand, dense ones and networks included."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    counts = [draw(st.integers(0, 10)), draw(st.integers(0, 10))]
    stones = {}
    for colour, count in zip("WB", counts, strict=True):
        free = [s for s in naive.SQUARES if naive.may_stand(colour, s) and s not in stones]
        # Half of the stones in the goals' columns or rows make networks likely.
        for square in rng.permutation(free)[:count]:
            stones[str(square)] = colour
    rows = ["".join(stones.get(file + str(rank), ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    hands = [draw(st.integers(0, 10 - count)) for count in counts]
    ply = draw(st.integers(sum(counts), 200))
    passes = draw(st.integers(0, min(1, ply - sum(counts))))
    last = f"{draw(st.sampled_from('WB'))} hands {hands[0]} {hands[1]} ply {ply} passes {passes}"
    return "\n".join([*rows, last]) + "\n"


@pytest.mark.parametrize("crowding", ["both", "first"])
@given(text=positions(), seed=st.integers(0, 2**32))
@SLOW
def test_arbitrary_positions(crowding, text, seed):
    state, twin = load(crowding).state_from_text(text), naive.parse(text, crowding)
    assert_twins(state, twin)
    rng = np.random.default_rng(seed)
    for action in rng.permutation(state.legal_actions())[:6]:
        assert_twins(state.child(int(action)), naive.play(twin, state.action_to_string(int(action))))


def test_networks_on_crowded_boards():
    """Many stones of one colour, so that networks and near misses are common."""
    rng = np.random.default_rng(11)
    found = {True: 0, False: 0}
    inner = [f + r for f in "bcdefg" for r in "234567"]
    for _ in range(2500):
        stones = dict.fromkeys(rng.choice(inner, 8, replace=False).tolist(), "B")
        stones |= {str(rng.choice(list("bcdefg"))) + "8": "B", str(rng.choice(list("bcdefg"))) + "1": "B"}
        for square in rng.choice(inner, 3, replace=False).tolist():
            stones.setdefault(square, "W")
        rows = ["".join(stones.get(f + str(r), ".") for f in "abcdefgh") for r in range(8, 0, -1)]
        text = "\n".join([*rows, "W"]) + "\n"
        expected = bool(naive.networks(naive.parse(text), "B"))
        assert (load().state_from_text(text).returns() == [-1, 1]) == expected, text
        found[expected] += 1
    assert min(found.values()) > 200


@pytest.mark.parametrize("crowding", ["both", "first"])
def test_perft_agrees_with_the_twin(crowding):
    state, twin = load(crowding).new_initial_state(), naive.start(crowding)
    for depth in range(1, 4):
        assert perft(state, depth) == naive.perft(twin, depth)


def test_perft_4_agrees_with_the_twin_below_sampled_openings():
    """The whole of depth 4 takes the twin minutes; here a random part of it, and the sum is in the data file."""
    rng = np.random.default_rng(4)
    start, twin = load().new_initial_state(), naive.start()
    for action in rng.choice(start.legal_actions(), 2, replace=False):
        child = naive.play(twin, start.action_to_string(int(action)))
        reply = str(rng.choice(naive.legal_moves(child)))
        state = start.child(int(action))
        assert perft(state.child(state.string_to_action(reply)), 2) == naive.perft(naive.play(child, reply), 2)


# --- keys and text ----------------------------------------------------------------------------------------------------


def test_keys_kept_up_incrementally_equal_keys_from_scratch():
    for state in random_states(load(), 500, np.random.default_rng(3)):
        assert state.key() == load().state_from_text(state.to_text()).key()


def test_different_positions_have_different_keys():
    states = random_states(load(), 20_000, np.random.default_rng(5))
    texts = {state.to_text(): state.key() for state in states}
    assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lines, not 9"),
        (PASSING.replace(".WW..WW.", ".WW..WW", 1), r"line 3 \(rank 6\): 7 squares"),
        (PASSING.replace(".WW..WW.", ".WX..WW.", 1), "line 3, c6: 'X'"),
        (PASSING.replace("........", "W.......", 1), "line 1, a8: White may never stand there"),
        (PASSING.replace("........", ".W......", 1), "line 1, b8: White may never"),
        (PASSING.replace(".WW..WW.", "BWW..WW.", 1), "line 3, a6: Black may never"),
        (PASSING.replace(".WW..WW.", "WWWWWWWW", 2), "16 stones"),
        (PASSING.rstrip()[:-1] + "X", "line 9: begins with the side to move"),
        (PASSING.rstrip() + " hands 3 0", "White has 8 stones on the board and 3 in hand"),
        (PASSING.rstrip() + " hands 3", "hands is followed by 2"),
        (PASSING.rstrip() + " ply 7", "ply 7 is not from 8"),
        (PASSING.rstrip() + " ply 201", "to 200"),
        (PASSING.rstrip() + " ply -1", "ply is followed by 1"),
        (PASSING.rstrip() + " passes 1", "1 passes in a row do not fit ply 8"),
        (PASSING.rstrip() + " ply 12 ply 12", "each at most once"),
        (PASSING.rstrip() + " tempo 1", "'tempo'"),
    ],
)
def test_impossible_positions_are_refused_with_the_place(text, message):
    with pytest.raises(gamelab.GamelabError, match=message):
        load().state_from_text(text)


@pytest.mark.parametrize("text", ["", "i1", "a9", "c4c5", "c4-", "c4-c", "pass!", "c4 - e6"])
def test_unreadable_moves_are_refused(text):
    with pytest.raises(gamelab.GamelabError, match="no move of netwerk"):
        load().new_initial_state().string_to_action(text)


def test_parameters_are_checked():
    with pytest.raises(gamelab.GamelabError, match="crowding.*one of both, first"):
        gamelab.load("netwerk", crowding="all")
    with pytest.raises(gamelab.GamelabError, match="max_plies.*whole number from 1"):
        gamelab.load("netwerk", max_plies=0)
    with pytest.raises(gamelab.GamelabError, match="known: crowding, max_plies"):
        gamelab.load("netwerk", size=9)


def test_illegal_actions_change_nothing():
    state = load().new_initial_state()
    before = state.clone()
    for move in ("a1", "b1", "c4-c5", "pass"):
        with pytest.raises(gamelab.IllegalActionError, match=f"{move}.*illegal in netwerk position"):
            state.apply_action(state.string_to_action(move))
    assert state == before
    assert state.history() == []
