"""Kreuz & Quer: every rule in a position made by hand, known figures, text, pictures, and agents."""

import functools
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import IllegalActionError, NotationError, PositionError
from gamelab.core.rules import CHANCE
from gamelab.games.kreuzquer.evaluation import CLASS, FEATURES, expected_minus
from gamelab.search.playout import playout_batch
from gamelab.testing import random_states

SLOW = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
CELLS = [column + row for row in "12345" for column in "abcde"]
FREE_AT_START = [cell for cell in CELLS if cell != "c3"]
# The outlets' cells, clockwise: north, east, south, west.
AROUND = {0: "a5 b5 d5 e5", 1: "e5 e4 e2 e1", 2: "e1 d1 b1 a1", 3: "a1 a2 a4 a5"}
BOARD_A = "3122" * 4
FACE_UP, DRAW = 25, 2025  # face down comes first, chance last


@functools.cache
def load(**parameters):
    return gamelab.load("kreuzquer", **{"players": 1, **parameters})


def position(tiles, tile=None, drawn=None, **parameters):
    """A position of one player, with what was drawn told by the tiles unless it is given."""
    last = f"drawn {drawn}" if drawn is not None else ""
    return load(**parameters).state_from_text(f"player 0: {tiles}\n{last}" + (f"; tile {tile}" if tile else ""))


def names(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def lays(state, cell=None):
    """The legal ways to lay the tile face up, on one cell: only how it lies."""
    pairs = [name.split() for name in names(state) if not name.endswith("x")]
    return (
        {f"{where} {sides}" for where, sides in pairs} if cell is None else {sides for where, sides in pairs if where == cell}
    )


def play(state, *moves):
    state = state.clone()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def choose(state, rng, face_up):
    """A random action; with `face_up` one that lays the tile face up, if there is any."""
    if state.is_chance_node():
        return state.sample_chance(rng)
    legal = state.legal_actions()
    wanted = [action for action in legal if action >= FACE_UP] if face_up else []
    return int(rng.choice(wanted or legal))


def random_state(plies, seed, *, face_up=True, **parameters):
    state, rng = load(**parameters).new_initial_state(), np.random.default_rng(seed)
    while plies > 0 and not state.is_terminal():
        state.apply_action(choose(state, rng, face_up))
        plies -= 1
    return state


def laid(state, player=0):
    """What lies on a player's board by its text: cell to sides, or x."""
    words = state.to_text().splitlines()[player].split()[2:]
    return dict(zip(words[::2], words[1::2], strict=True))


def counted_minus(state, values, player=0):
    """Minus points as the rules have them, from the text of a position: open outlets count as missed."""
    board, missed = laid(state, player), 0
    for side, cells in AROUND.items():
        for cell, value in zip(cells.split(), values[4 * side : 4 * side + 4], strict=True):
            sides = board.get(cell, "----")
            missed += int(value) * (sides == "x" or sides[side] == "-")
    return missed + list(board.values()).count("x")


# --- known figures ----------------------------------------------------------------------------------------------------


def test_uniformly_random_games():
    game = load()
    roots, totals = np.concatenate([game.initial_array(), game.blank_array()]), np.zeros(1)
    plies = playout_batch(roots, 5000, game.action_buffer(), totals, np.random.default_rng(1))
    assert plies == 5000 * 24
    assert -totals[0] / 5000 == pytest.approx(52, abs=0.7)


@pytest.mark.parametrize(("face_up", "minus", "down"), [(False, 52, 20.7), (True, 26.4, 7.0)])
def test_random_games_face_up_or_as_it_comes(face_up, minus, down):
    found, legal, stuck, games = [], [], Counter(), 250
    rng = np.random.default_rng(2)
    for _ in range(games):
        state = load().new_initial_state()
        for number in range(1, 25):
            state.apply_action(state.sample_chance(rng))
            legal.append(len(state.legal_actions()))
            stuck[number] += not any(action >= FACE_UP for action in state.legal_actions())
            state.apply_action(choose(state, rng, face_up))
        found.append((-state.returns()[0], list(laid(state).values()).count("x")))
    means = np.mean(found, axis=0)
    assert means[0] == pytest.approx(minus, abs=1.3)
    assert means[1] == pytest.approx(down, abs=0.6)
    assert np.mean(legal) == pytest.approx(15, abs=0.7)
    if face_up:
        assert stuck[1] == 0
        assert stuck[10] / games == pytest.approx(0.09, abs=0.06)
        assert stuck[20] / games == pytest.approx(0.64, abs=0.1)


# --- the tiles drawn --------------------------------------------------------------------------------------------------


def test_a_kind_is_as_likely_as_it_has_copies_left():
    state = load().new_initial_state()
    assert dict(state.chance_outcomes()) == {DRAW + kind: (2 if kind < 7 else 1) / 28 for kind in range(21)}
    state = play(state, "tile 1", "a1 x", "tile 21", "a2 x")
    after = {DRAW + kind: (2 if kind < 7 else 1) / 26 for kind in range(1, 20)} | {DRAW: 1 / 26}
    assert dict(state.chance_outcomes()) == after
    assert DRAW not in dict(play(state, "tile 1", "a3 x").chance_outcomes())


def test_tiles_are_drawn_as_often_as_they_are_likely():
    state, rng = play(load().new_initial_state(), "tile 1", "a1 x"), np.random.default_rng(3)
    outcomes = dict(state.chance_outcomes())
    counts = Counter(state.sample_chance(rng) for _ in range(5400))
    assert set(counts) == set(outcomes)
    # Chi-squared with 20 degrees of freedom: above 45 one time in a thousand.
    assert sum((counts[a] - 5400 * p) ** 2 / (5400 * p) for a, p in outcomes.items()) < 45


def test_one_tile_a_round_for_all_and_seats_in_turn():
    state = load(players=3).new_initial_state()
    assert state.is_chance_node()
    state = play(state, "tile 2")
    for player, move in enumerate(("c4 n-n-", "a1 x", "c2 n-n-")):
        assert state.current_player() == player
        assert lays(state) == {"c4 n-n-", "c2 n-n-"}  # nobody's board affects another's
        state = play(state, move)
    assert state.is_chance_node()
    assert [laid(state, player) for player in range(3)] == [{"c4": "n-n-"}, {"a1": "x"}, {"c2": "n-n-"}]


# --- where a tile may lie ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (1, "b3 -w-w, d3 -w-w"),
        (2, "c4 n-n-, c2 n-n-"),
        (3, "c4 w-n-, c2 n-w-, b3 -w-n, d3 -n-w"),
        (16, "b3 wwww, d3 wwww"),
        (19, "c4 nwnw, c2 nwnw, b3 nwnw, d3 nwnw"),
        (21, "c4 nnnn, c2 nnnn"),
    ],
)
def test_first_tiles_are_laid_at_the_crossing(tile, expected):
    state = play(load().new_initial_state(), f"tile {tile}")
    assert lays(state) == set(expected.split(", "))
    assert {name for name in names(state) if name.endswith("x")} == {f"{cell} x" for cell in FREE_AT_START}
    assert len(set(names(state))) == len(names(state)) == 24 + len(lays(state))


@pytest.mark.parametrize("matching", ["strict", "own"])
def test_no_pipe_runs_into_a_side_without_one(matching):
    # d4 lies at the narrow pipe of c4 and above d3, whose upper side has no pipe.
    state = position("c4 nnnn d3 -w-w", tile=5, matching=matching)
    assert lays(state, "d4") == {"n--n"}
    assert lays(play(position("c4 nnnn d3 -w-w", matching=matching), "tile 20"), "d4") == set()


def test_no_pipe_at_a_pipe_only_with_own_matching():
    # d4 lies at the narrow pipe of c4 and above d3, whose upper side has a wide pipe.
    tiles = "c4 nnnn d3 w--w"
    assert lays(position(tiles, tile=5), "d4") == set()
    assert lays(position(tiles, tile=5, matching="own"), "d4") == {"n--n"}
    # wide at wide and narrow at narrow is fine with both
    assert lays(position(tiles, tile=6), "d4") == lays(position(tiles, tile=6, matching="own"), "d4") == {"--wn"}


def test_own_matching_needs_a_pipe_that_goes_on():
    state = position("c4 nnnn", tile=2, matching="own")
    # Beside c4: the narrow pipe goes on, but nowhere would a tile lie beside pipes without meeting one.
    assert lays(state, "d4") == lays(state, "b4") == {"-n-n"}
    assert lays(state, "d3") == lays(state, "b3") == set()


def test_nothing_goes_to_the_blank_middle_of_a_border():
    assert lays(position("c4 n-n-", tile=5), "c5") == {"-nn-", "--nn"}
    assert lays(position("c4 n-n-", tile=2, drawn="2 2"), "c5") == set()
    assert lays(position("d3 -w-w", tile=4), "e3") == {"w--w", "--ww"}
    assert lays(position("c2 n-n-", tile=5), "c1") == {"nn--", "n--n"}
    assert lays(position("b3 -w-w", tile=4), "a3") == {"ww--", "-ww-"}


@pytest.mark.parametrize(
    ("tile", "expected", "minus"),
    [
        (5, "nn-- -nn-", {"nn--": 31, "-nn-": 32}),
        (6, "wn--", {"wn--": 31}),
        (7, "-nw-", {"-nw-": 32}),
        (2, "-n-n", {"-n-n": 32}),
    ],
)
def test_an_outlet_takes_either_pipe_or_none(tile, expected, minus):
    # b5 has an outlet worth 1 to the north.
    state = position("c4 n-n- c5 --nn", tile=tile, drawn=" ".join(map(str, sorted([2, 5, tile]))))
    assert lays(state, "b5") == set(expected.split())
    assert {sides: int(play(state, f"b5 {sides}").array["minus"][0, 0]) for sides in minus} == minus


def test_a_corner_reaches_two_outlets():
    state = position("c4 n-n- c5 --nn b5 -n-n", tile=21, drawn="2 2 5 21")
    corner = play(state, "a5 nnnn")
    # On board A the corner in the north-west has 3 to the north and, last of the west side, 2 to the west.
    assert int(corner.array["minus"][0, 0]) == 32 - 3 - 2


def test_face_down_anywhere_and_no_neighbour():
    state = position("b3 x", tile=1, drawn="1 1")
    assert lays(state) == {"d3 -w-w"}  # b3 links nothing, and is taken
    assert "b3 x" not in names(state)
    # Towards a tile face down anything goes: up to d4 and down to d2.
    state = position("d4 x d2 x", tile=4, drawn="1 2 4")
    assert lays(state, "d3") == {"w--w", "--ww"}


def test_a_tile_that_fits_may_lie_face_down_all_the_same():
    state = play(load().new_initial_state(), "tile 1")
    assert lays(state)
    assert int(play(state, "d3 x").array["minus"][0, 0]) == 33


def test_what_lies_lies():
    state = play(load().new_initial_state(), "tile 2", "c4 n-n-", "tile 2")
    assert not any(name.startswith(("c4", "c3")) for name in names(state))
    with pytest.raises(IllegalActionError):
        state.apply_action(state.string_to_action("c4 x"))


def test_every_legal_lay_keeps_the_rules_and_no_other_does():
    """Against the sentences of the rules, read off the text."""
    north_of = {cell: cell[0] + str(int(cell[1]) + 1) for cell in CELLS}
    for seed, matching in [(seed, matching) for seed in range(8) for matching in ("strict", "own")]:
        state = random_state(9 + 4 * seed, seed, matching=matching)
        if state.is_chance_node():
            state.apply_action(state.sample_chance(np.random.default_rng(seed)))
        board = {**laid(state), "c3": "nwnw"}
        sides = load().tiles.sides[int(state.array["tile"][0])]
        expected = set()
        for cell in set(CELLS) - set(board):
            east, south = chr(ord(cell[0]) + 1) + cell[1], cell[0] + str(int(cell[1]) - 1)
            beside = [north_of[cell], east, south, chr(ord(cell[0]) - 1) + cell[1]]
            blanks = ["c5", "e3", "c1", "a3"]
            for lay in {sides[i:] + sides[:i] for i in range(4)}:
                pairs = [(lay[s], board[beside[s]][(s + 2) % 4]) for s in range(4) if board.get(beside[s], "x") != "x"]
                matches = all(a == b or (matching == "own" and a == "-") for a, b in pairs)
                goes_on = any(a == b != "-" for a, b in pairs)
                if matches and goes_on and not any(cell == blanks[s] and lay[s] != "-" for s in range(4)):
                    expected.add(f"{cell} {lay}")
        assert lays(state) == expected


# --- the end ----------------------------------------------------------------------------------------------------------


def full_board(**up):
    return " ".join(f"{cell} {up.get(cell, 'x')}" for cell in FREE_AT_START)


def ended(*boards):
    drawn = "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 9 10 11 12 13 14 15 16 17"
    lines = [f"player {number}: {board}" for number, board in enumerate(boards)]
    return load(players=len(boards)).state_from_text("\n".join([*lines, f"drawn {drawn}"]))


@pytest.mark.parametrize(
    ("boards", "minus", "returns"),
    [
        ([{}], "56", [-56]),
        ([{"c4": "n-n-"}], "55", [-55]),
        ([{}, {"c4": "n-n-"}], "56, 55", [-1, 1]),
        ([{}, {}], "56, 56", [0, 0]),
        ([{"c4": "n-n-"}, {"c2": "n-n-"}, {}], "55, 55, 56", [0.25, 0.25, -0.5]),
        ([{}, {}, {"d3": "-w-w", "c2": "n-n-"}, {}], "56, 56, 54, 56", [-1 / 3, -1 / 3, 1, -1 / 3]),
        ([{}, {}, {"d3": "-w-w"}, {"d3": "-w-w"}], "56, 56, 55, 55", [-1 / 3, -1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_fewest_minus_points_win(boards, minus, returns):
    state = ended(*(full_board(**up) for up in boards))
    assert state.is_terminal()
    assert state.returns() == pytest.approx(returns)
    assert state.game.describe_end(state.array[0]) == f"all tiles placed; minus points {minus}"


def test_minus_points_stand_in_the_results_and_are_no_kinds_of_ending():
    result = gamelab.Tournament("kreuzquer", ["greedy", "random"], games=4, seed=4).run()
    assert all(record.ending.startswith("all tiles placed; minus points ") for record in result.records)
    assert result.endings() == {"all tiles placed": 4}


@pytest.mark.parametrize("letter", "ABCD")
def test_minus_points_counted_from_the_text(letter):
    sides = {"A": "3122", "B": "1232", "C": "3113 2222 3113 2222", "D": "1221 3223 1221 3223"}[letter].split()
    values = "".join(sides if len(sides) == 4 else sides * 4)
    for seed in range(6):
        state = random_state(12 * seed, seed, board_of_seat=letter)
        assert int(state.array["minus"][0, 0]) == counted_minus(state, values)


def test_each_seat_has_its_board():
    state = random_state(200, 5, players=2, board_of_seat="DA")
    assert int(state.array["minus"][0, 0]) == counted_minus(state, "1221322312213223", player=0)
    assert int(state.array["minus"][0, 1]) == counted_minus(state, BOARD_A, player=1)


# --- keys and text ----------------------------------------------------------------------------------------------------


def test_the_order_of_rounds_does_not_matter_but_what_was_drawn_does():
    start = load().new_initial_state()
    one = play(start, "tile 2", "c4 n-n-", "tile 1", "a1 x")
    other = play(start, "tile 1", "a1 x", "tile 2", "c4 n-n-")
    third = play(start, "tile 3", "a1 x", "tile 2", "c4 n-n-")
    assert one == other
    assert one.key() == other.key() != third.key()
    assert one.to_text() == other.to_text() == "player 0: a1 x c4 n-n-\ndrawn 1 2"


def test_keys_differ():
    states = {state.to_text(): state.key() for seed in range(20) for state in [random_state(30, seed, players=2)]}
    assert len(set(states.values())) == len(states)


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 120), players=st.integers(1, 4), own=st.booleans(), up=st.booleans())
@SLOW
def test_text_reads_back(seed, plies, players, own, up):
    state = random_state(plies, seed, face_up=up, players=players, matching="own" if own else "strict")
    again = state.game.state_from_text(state.to_text())
    assert again == state
    assert again.key() == state.key()
    assert again.chance_outcomes() == state.chance_outcomes()
    for action in state.legal_actions():
        name = state.action_to_string(action)
        assert state.string_to_action(f"  {name.upper()} ") == action
        if action < DRAW:
            assert again.child(action) == state.child(action)


@given(seed=st.integers(0, 10**6), plies=st.integers(2, 48))
@SLOW
def test_text_in_any_order(seed, plies):
    state = random_state(plies, seed)
    tiles = [f"{cell} {sides}" for cell, sides in laid(state).items()]
    np.random.default_rng(seed).shuffle(tiles)
    text = f"PLAYER 0 :\n  {', '.join(tiles)}\n{state.to_text().splitlines()[1]}\n\n"
    assert state.game.state_from_text(text) == state


def test_what_was_drawn_is_told_by_tiles_face_up():
    assert position("c4 n-n-, d3 -w-w") == position("c4 n-n- d3 -w-w", drawn="1 2")
    state = load(players=2).state_from_text("player 0: c4 n-n- a1 x\nplayer 1: c2 n-n-\ntile 3")
    assert state.current_player() == 1
    assert state.to_text().endswith("drawn 2 3; tile 3")
    # A hidden tile could be anything
    with pytest.raises(PositionError, match="drawn: missing"):
        position("c4 x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("player 0: c4 n-n-", "none, not player 0 to player 1|players: player 0, not"),
        ("c4 n-n-", "beginning"),
        ("player 0: c4\nplayer 1:\ndrawn", "'c4' is not a cell and its tile"),
        ("player 0: f4 x\nplayer 1:\ndrawn", "'f4 x' is not a cell and its tile"),
        ("player 0: c4 ----\nplayer 1:\ndrawn", "'c4 ----' is not"),
        ("player 0: c3 x\nplayer 1:\ndrawn", "printed on c3"),
        ("player 0: a1 x a1 x\nplayer 1:\ndrawn", "a1 is covered twice"),
        ("player 0:\nplayer 1:\ndrawn 22", "tile 22: the set standard has the kinds 1 to 21"),
        ("player 0:\nplayer 1:\ndrawn 3; tile 4", "tile 4 is not among those drawn"),
        ("player 0:\nplayer 1:\ndrawn three", "is not written as drawn 3 5 5; tile 5"),
        ("player 0: a1 x\nplayer 1:\ndrawn 3", "there lie 1, 0"),
        ("player 0:\nplayer 1: a1 x\ndrawn 3; tile 3", "there lie 0, 1"),
        ("player 0: a1 x\nplayer 1: a1 x\ndrawn 3; tile 3", "there lie 1, 1"),
        ("player 0: a1 x a2 x\nplayer 1: a1 x a2 x\ndrawn 8 8", "2 tiles of kind 8, but there are 1"),
        ("player 0: c4 n-n-\nplayer 1: a1 x\ndrawn 1", "player 0: 1 face-up tiles of kind 2, 0 drawn so far"),
        ("player 0: a1 x c4 n-n-\nplayer 1: c4 n-n-\ndrawn 1 2; tile 2", "player 1: 1 face-up tiles of kind 2, 0 drawn"),
        ("player 0: a1 nnnn\nplayer 1: a1 x\ndrawn 21", "no tile could have been laid next of those on a1"),
        ("player 0: c4 w-w-\nplayer 1: a1 x\ndrawn 1", "c4 and c3 do not match"),
        ("player 0: c4 n-n- c5 n-n-\nplayer 1: a1 x a2 x\ndrawn 2 2", "c5 has a pipe towards the blank"),
    ],
)
def test_positions_that_are_none(text, reason):
    with pytest.raises(PositionError, match=f"kreuzquer position, .*({reason})"):
        load(players=2).state_from_text(text)


def test_own_matching_lets_a_side_without_a_pipe_lie_at_a_pipe_only_if_it_came_later():
    tiles = "c4 nnnn d3 w--w d4 n--n"
    assert laid(position(tiles, matching="own")) == dict(zip(tiles.split()[::2], tiles.split()[1::2], strict=True))
    with pytest.raises(PositionError, match="d3 and d4 do not match|d4 and d3 do not match"):
        position(tiles)
    # The pipe of d4 runs against c4, so c4 came last; it can, for it hangs from the crossing.
    assert position("d3 w--w d4 --wn c4 n-n-", matching="own")
    # Here d4 hangs from d5, that from c5, that from c4: so c4 came first, and the pipe of d4 may not run against it.
    with pytest.raises(PositionError, match="no tile could have been laid next of those on c4, d4, c5, d5"):
        position("c4 n-n- c5 -nn- d5 --nn d4 n--w", matching="own")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c4", "write c4 wn-n"),
        ("c4 wn-", "write c4 wn-n"),
        ("c4 ----", "face down is c4 x"),
        ("c3 nnnn", "printed on c3"),
        ("g4 x", "write c4 wn-n"),
        ("tile 22", "kinds 1 to 21"),
        ("tile 0", "write c4 wn-n"),
        (7, "write c4 wn-n"),
    ],
)
def test_notation_that_means_nothing(text, reason):
    with pytest.raises(NotationError, match=reason):
        load().new_initial_state().string_to_action(text)


# --- what people see --------------------------------------------------------------------------------------------------


def classes(svg):
    return Counter(element.get("class") for element in ElementTree.fromstring(svg).iter() if element.get("class"))


def test_picture():
    state = play(load(players=2).new_initial_state(), "tile 2", "c4 n-n-", "a1 x", "tile 19", "c2 nwnw")
    found = classes(state.to_svg())
    assert (found["board"], found["crossing"], found["face-down"], found["outlet"]) == (2, 2, 1, 32)
    assert (found["free"], found["last"], found["current"]) == (22 + 23, 1, 1)
    assert found["tile"] == 2 + 1  # laid, and the one to be placed
    assert "tile 19: round 2, player 1 to place" in state.to_svg()
    end = ended(full_board(), full_board(c4="n-n-"))
    assert "minus points 56, 55" in end.to_svg()
    assert classes(end.to_svg())["current"] == 0


def test_board_for_the_terminal():
    state = play(load().new_initial_state(), "tile 3", "c4 w-n-", "tile 1", "a1 x", "tile 19")
    lines = str(state).splitlines()
    assert lines[0] == "player 0: 33 minus points as it stands"
    assert lines[1].split() == ["3", "1", "2", "2"]
    assert "══o══" in str(state)
    assert str(state).count("░░░░░") == 3
    assert lines[-1] == "round 3; to place tile 19, wnwn"
    assert [line[5 + 12] for line in lines[5:8]] == ["║", "o", "│"]  # c4: wide to the north, narrow to the south


# --- judging and playing ----------------------------------------------------------------------------------------------


def counted_features(state):
    """The minus points that are certain, and how often each weight counts: what a change of it by one changes."""
    ones = np.eye(FEATURES)[:, None, :].repeat(len(CELLS), axis=1)
    certain = expected_minus(state.array[0], 0, np.zeros((len(CELLS), FEATURES)))
    return certain, np.array([expected_minus(state.array[0], 0, weights) for weights in ones]) - certain


@pytest.mark.parametrize("matching", ["strict", "own"])
def test_features_count_what_each_cell_can_take(matching):
    values = {(cell, side): int(value) for side in AROUND for cell, value in zip(AROUND[side].split(), "3122", strict=True)}
    for seed in range(6):
        state = random_state(2 * (3 * seed + 4), seed, matching=matching)
        left, fitting, reaching = Counter(), Counter(), Counter()
        for outcome, probability in state.chance_outcomes():
            copies = round(probability * (28 - len(laid(state))))
            found = [lay.split() for lay in lays(state.child(outcome))]
            cells = {cell for cell, _ in found}
            left[len(cells)] += copies
            fitting.update(dict.fromkeys(cells, copies))
            reached = {(cell, side) for cell, sides in found for side in range(4) if sides[side] != "-"}
            reaching.update(dict.fromkeys(reached & set(values), copies))
        certain, counts = counted_features(state)
        free = set(FREE_AT_START) - set(laid(state))
        by_class = Counter(int(CLASS[fitting[cell]]) for cell in free if fitting[cell])
        assert [counts[k] for k in range(1, 8)] == [by_class[k] for k in range(1, 8)]
        assert counts[:12].sum() == len(free)
        outlets = Counter()
        for outlet in reaching:
            outlets[int(CLASS[reaching[outlet]])] += values[outlet]
        assert [counts[12 + k] for k in range(1, 8)] == [outlets[k] for k in range(1, 8)]
        drawn = len(free) / (28 - len(laid(state)))
        scarce = [left[0], left[1], left[2], left[3] + left[4]]
        assert counts[24:28] == pytest.approx([drawn * n for n in scarce])
        assert certain + counts[12:24].sum() == state.array["minus"][0, 0]


def test_who_has_fewer_minus_points_to_come_is_ahead():
    state = load(players=2).state_from_text("player 0: c4 n-n- d3 -w-w\nplayer 1: a1 x b1 x\ndrawn 1 2")
    first, second = state.evaluate()
    assert first == pytest.approx(-second)
    assert 0.3 < first < 0.99


def mean_minus(spec, games, **parameters):
    agent, total = gamelab.make_agent(spec), 0.0
    for seed in range(games):
        rng, chance = np.random.default_rng(seed), np.random.default_rng(seed + 1000)
        state = load(**parameters).new_initial_state()
        agent.new_game()
        while not state.is_terminal():
            state.apply_action(state.sample_chance(chance) if state.is_chance_node() else agent.choose(state, rng))
        total -= state.returns()[0]
    return total / games


def test_agents_alone():
    greedy = mean_minus("greedy", 25)
    assert greedy < 11  # random but face up has 26
    assert mean_minus("expectimax:depth=2", 25) < greedy
    assert mean_minus("mcts:sims=300,rule=puct,prior=evaluation,c=3,cutoff=0", 8) < 11


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "spec", ["expectimax:depth=1", "expectimax:depth=2,samples=3", "mcts:sims=60", "mcts:sims=60,cutoff=0"]
)
def test_agents_together(players, spec):
    state = play(random_state(0, 0, players=players), "tile 9")
    analysis = gamelab.make_agent(spec).analyse(state, 1)
    assert analysis.action in state.legal_actions()
    assert all(-1 <= score <= 1 for score in analysis.scores.values())


def test_random_action_picks_from_the_list():
    for state in random_states(load(players=2), 150, np.random.default_rng(8)):
        if state.current_player() >= 0:
            actions, buffer = state.legal_actions(), state.game.action_buffer()
            drawn = [int(kernels.random_action(state.array, buffer, (i + 0.5) / len(actions))) for i in range(len(actions))]
            assert drawn == actions
        assert state.current_player() == CHANCE or not state.chance_outcomes()
