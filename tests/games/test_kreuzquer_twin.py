"""Kreuz & Quer: the naive twin against the known answers of the rules, and the compiled game against the twin."""

import functools
import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.search.perft import perft
from tests.naive import kreuzquer as naive

SLOW = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@functools.cache
def load(players, matching, board_of_seat):
    return gamelab.load("kreuzquer", players=players, matching=matching, board_of_seat=board_of_seat)


def position(text, kind=1, *, letter="A", matching="strict"):
    """A lone player's position of the twin, of words such as ``c4=nw-n`` or ``a1=x``, with a kind to be placed."""
    words = [word.split("=") for word in text.split()]
    board = {cell: naive.FACE_DOWN if sides == "x" else tuple(sides) for cell, sides in words}
    left = {**naive.COPIES, kind: naive.COPIES[kind] - 1}
    return naive.Position(({naive.MIDDLE: naive.CROSSING, **board},), left, kind, 0, letter, matching)


def face_up(state, *cells):
    """What can be laid face up on these cells, or on any."""
    found = [move for move in naive.placements(state) if not move.endswith(" x")]
    return {move for move in found if not cells or move.split()[0] in cells}


def kind_of(sides):
    """The number of the kind that looks like this, however it is turned."""
    return next(kind for kind, tile in naive.KINDS.items() if tuple(sides) in naive.turns(tile))


# --- the twin and the known answers -----------------------------------------------------------------------------------


def test_the_tiles():
    every = [tile for tile in itertools.product("wn-", repeat=4) if tile.count("-") <= 2]
    kinds = {frozenset(naive.turns(tile)) for tile in every}
    assert kinds == {frozenset(naive.turns(tile)) for tile in naive.KINDS.values()}
    assert len(kinds) == len(naive.KINDS) == 21
    assert Counter(4 - tile.count("-") for tile in naive.KINDS.values()) == {2: 7, 3: 8, 4: 6}
    assert sum(naive.COPIES.values()) == 28


def test_the_boards():
    for letter in naive.BOARDS:
        values = naive.outlets(letter)
        assert Counter(values.values()) == {1: 4, 2: 8, 3: 4}
        # Corners have two, the cells next to them one, those in the middle of a side none.
        by_cell = Counter(cell for cell, _ in values)
        assert {cell for cell, count in by_cell.items() if count == 2} == {"a1", "a5", "e1", "e5"}
        assert {cell for cell, count in by_cell.items() if count == 1} == {"a2", "a4", "b1", "b5", "d1", "d5", "e2", "e4"}
    assert [naive.outlets("A")[edge] for edge in [("a5", "north"), ("e5", "east"), ("e1", "south"), ("a1", "west")]] == [3] * 4
    assert [naive.outlets("D")[edge] for edge in [("a4", "west"), ("a5", "west"), ("d1", "south"), ("e1", "south")]] == [
        2,
        3,
        2,
        1,
    ]


def test_boards_are_different_up_to_turning_and_mirroring():
    rings = [tuple("".join(naive.BOARDS[letter])) for letter in naive.BOARDS]
    turned = [{ring[i:] + ring[:i] for i in (0, 5, 10, 15)} for ring in rings]
    seen = [forms | {form[::-1] for form in forms} for forms in turned]
    assert all(not one & other for one, other in itertools.combinations(seen, 2))


def test_the_first_placements():
    wide, narrow, corner = (position("", kind_of(sides)) for sides in ("w-w-", "n-n-", "wn--"))
    assert face_up(wide) == {"b3 -w-w", "d3 -w-w"}
    assert face_up(narrow) == {"c2 n-n-", "c4 n-n-"}
    assert face_up(corner) == {"b3 -wn-", "c4 -wn-", "d3 n--w", "c2 n--w"}
    assert set(naive.placements(wide)) - face_up(wide) == {f"{cell} x" for cell in naive.CELLS if cell != "c3"}
    # All 28 tiles can be laid in round 1.
    assert all(face_up(position("", kind)) for kind in naive.KINDS)


@pytest.mark.parametrize(
    ("sides", "strict", "own"),
    [
        ("wn--", {"-wn-"}, {"-wn-"}),
        ("w-w-", set(), {"-w-w"}),
        ("n-n-", set(), {"n-n-"}),
        ("ww--", set(), {"ww--"}),
        ("nn--", set(), {"--nn"}),
        ("wwn-", {"wwn-"}, {"wwn-"}),
        ("wwww", set(), set()),
    ],
)
def test_two_neighbours(sides, strict, own):
    """b4 beside a narrow pipe in the south and a wide one in the east: no pipe at them is a matter of the parameter."""
    for matching, expected in (("strict", strict), ("own", own)):
        state = position("b3=nw-- c4=--nw", kind_of(sides), matching=matching)
        assert face_up(state, "b4") == {f"b4 {lying}" for lying in expected}


@pytest.mark.parametrize("matching", ["strict", "own"])
def test_no_pipe_runs_into_an_empty_side(matching):
    # South of b4 is a side without a pipe, east of it a wide one.
    state = position("b3=-w-w c4=--nw", kind_of("ww--"), matching=matching)
    assert face_up(state, "b4") == {"b4 ww--"}


def test_face_down():
    # It is no neighbour to begin at, and pipes may run into it.
    assert not face_up(position("a1=x b2=x", kind_of("nn--")), "a2", "b1")
    assert face_up(position("b2=x", kind_of("wn--")), "b3") == {"b3 -wn-"}
    assert all(move.split()[0] not in ("a1", "b2") for move in naive.placements(position("a1=x b2=x")))


def test_the_border():
    # The middle of a side is blank, the cells next to it have outlets that may be left out.
    assert face_up(position("c4=n-n-", kind_of("nn--")), "c5") == {"c5 -nn-", "c5 --nn"}
    assert not face_up(position("c4=n-n-", kind_of("n-n-")), "c5")
    assert face_up(position("c4=n-n- c5=-nn-", kind_of("nn--")), "d5") == {"d5 --nn", "d5 n--n"}


def test_minus_points():
    assert naive.minus_points(position("")) == [32]
    assert naive.minus_points(position("d5=n--n")) == [30]
    assert naive.minus_points(position("a5=n--n")) == [27]
    assert naive.minus_points(position("a5=n--n c1=x a1=x")) == [29]
    # A pipe that ends inside the board reaches nothing.
    assert naive.minus_points(position("a5=-ww-")) == [32]


def test_all_face_down():
    state = naive.start(1)
    for cell in naive.CELLS:
        if cell != naive.MIDDLE:
            state = naive.play(naive.play(state, next(iter(naive.outcomes(state)))), f"{cell} x")
    assert naive.to_act(state) is None
    assert sum(state.left.values()) == 4
    assert (naive.minus_points(state), naive.returns(state)) == ([56], [-56])


@pytest.mark.parametrize(
    ("better", "expected"),
    [
        ("01", [-1, 1]),
        ("00", [0, 0]),
        ("010", ["-1/2", 1, "-1/2"]),
        ("110", ["1/4", "1/4", "-1/2"]),
        ("111", [0, 0, 0]),
        ("0001", ["-1/3", "-1/3", "-1/3", 1]),
        ("1101", ["1/9", "1/9", "-1/3", "1/9"]),
    ],
)
def test_shares(better, expected):
    """A corner that reaches both its outlets, or everything face down."""
    down = {naive.MIDDLE: naive.CROSSING} | {cell: naive.FACE_DOWN for cell in naive.CELLS if cell != naive.MIDDLE}
    boards = (down, {**down, "a5": ("n", "-", "-", "n")})
    state = naive.Position(tuple(boards[int(digit)] for digit in better), naive.COPIES, board_of_seat="AAAA")
    assert naive.minus_points(state) == [(56, 50)[int(digit)] for digit in better]
    assert naive.returns(state) == [Fraction(value) for value in expected]


def test_drawing():
    begin = naive.start(1)
    chances = naive.outcomes(begin)
    assert chances["tile 1"] == Fraction(2, 28)
    assert chances["tile 21"] == Fraction(1, 28)
    assert sum(chances.values()) == 1
    after = naive.play(naive.play(begin, "tile 21"), "a1 x")
    assert "tile 21" not in naive.outcomes(after)
    assert naive.outcomes(after)["tile 1"] == Fraction(2, 27)


def test_draws_are_for_all_and_seats_place_in_order():
    state = naive.play(naive.start(3), "tile 5")
    for seat in range(3):
        assert (naive.to_act(state), state.drawn) == (seat, 5)
        state = naive.play(state, f"{'abc'[seat]}1 x")
    assert (naive.to_act(state), sum(state.left.values())) == ("chance", 27)
    assert [len(board) for board in state.boards] == [2, 2, 2]


def test_figures_of_an_independent_program():
    """Uniform over all legal moves: 52 minus points, 20.7 face down; face up whenever possible: 26.4 and 7.0; 15 moves."""
    for eager, minus, down in ((0, 52, 20.7), (1, 26.4, 7.0)):
        ends, counts = zip(*(naive_game(random.Random(seed), eager) for seed in range(60)), strict=True)
        assert sum(naive.minus_points(end)[0] for end in ends) / 60 == pytest.approx(minus, abs=2)
        assert sum(naive.face_down(end)[0] for end in ends) / 60 == pytest.approx(down, abs=1.2)
        assert sum(counts) / 60 / naive.ROUNDS == pytest.approx(15, abs=1)


def naive_game(chance, eager):
    """The end of a lone player's random game and how many moves there were to choose from, all rounds together."""
    state, moves = naive.start(1), 0
    while naive.to_act(state) is not None:
        moves += len(naive.placements(state))
        state = naive.play(state, choose(state, chance, eager))
    return state, moves


def choose(state, chance, eager):
    """A draw with its true probability, or a random move, with probability `eager` face up if that is possible."""
    draws = naive.outcomes(state)
    if draws:
        return chance.choices(list(draws), [float(probability) for probability in draws.values()])[0]
    moves = naive.placements(state)
    up = [move for move in moves if not move.endswith(" x")]
    return chance.choice(up if up and chance.random() < eager else moves)


# --- the compiled game and the twin -----------------------------------------------------------------------------------


def assert_twins(state, twin):
    """Both agree on who acts, on moves or draws with their probabilities, on the end, returns and minus points."""
    actor = naive.to_act(twin)
    assert state.current_player() == {"chance": gamelab.CHANCE, None: gamelab.TERMINAL}.get(actor, actor)
    assert state.is_terminal() == (actor is None)
    if actor == "chance":
        drawn = {state.action_to_string(outcome): probability for outcome, probability in state.chance_outcomes()}
        expected = naive.outcomes(twin)
        assert drawn == pytest.approx({text: float(probability) for text, probability in expected.items()}, abs=1e-12)
    else:
        names = [state.action_to_string(action) for action in state.legal_actions()]
        assert sorted(names) == sorted(naive.placements(twin))
    assert state.returns() == pytest.approx([float(value) for value in naive.returns(twin)], abs=1e-12)
    assert state.array[0]["minus"].tolist()[: state.game.num_players] == naive.minus_points(twin)


def play_both(state, twin, chance, eager):
    """Play a random game in both."""
    assert_twins(state, twin)
    while not state.is_terminal():
        move = choose(twin, chance, eager)
        state.apply_action(state.string_to_action(move))
        twin = naive.play(twin, move)
        assert_twins(state, twin)
    return twin


@pytest.mark.parametrize("matching", ["strict", "own"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_random_games(players, matching):
    seen = Counter()

    @settings(SLOW, max_examples=24 // players)
    @given(
        seed=st.integers(0, 10**6),
        eager=st.sampled_from([0, 0.9, 1]),
        board_of_seat=st.sampled_from(["ABCD", "DCBA", "BDAC"]),
    )
    def games(seed, eager, board_of_seat):
        state = load(players, matching, board_of_seat).new_initial_state()
        end = play_both(state, naive.start(players, matching, board_of_seat), random.Random(seed), eager)
        seen.update(eager=eager > 0, down=sum(naive.face_down(end)) / players > 15)

    games()
    # Both kinds of games were played.
    assert seen["eager"]
    assert seen["down"]


@pytest.mark.parametrize(("players", "matching"), [(1, "strict"), (1, "own"), (2, "strict")])
def test_perft(players, matching):
    twin, state = naive.start(players, matching), load(players, matching, "ABCD").new_initial_state()
    for depth in (1, 2, 3):
        assert perft(state, depth) == naive.perft(twin, depth)
