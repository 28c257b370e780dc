"""Connect Four against published counts and values, and against the naive twin that was written from the rules."""

import functools
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core import kernels, rules
from gamelab.core._jit import njit
from gamelab.core.errors import IllegalActionError, NotationError, ParameterError, PositionError
from gamelab.core.rules import TERMINAL
from gamelab.games.connectfour import has_line, open_lines, threats
from gamelab.search import solver
from gamelab.search.alphabeta import Searcher, mate_distance
from gamelab.search.perft import perft
from gamelab.search.playout import playout_batch
from gamelab.testing import random_states
from tests.naive import connectfour as naive

DATA = tomllib.loads((Path(__file__).parent / "data" / "connectfour_solved.toml").read_text())
SIZES = [(6, 7, 4), (5, 4, 3), (1, 8, 3), (4, 12, 4), (7, 8, 5), (8, 7, 8), (20, 3, 4), (63, 1, 6), (7, 8, 7)]
sizes = pytest.mark.parametrize(("rows", "columns", "connect"), SIZES)


@functools.cache
def load(rows=6, columns=7, connect=4):
    return gamelab.load("connectfour", rows=rows, columns=columns, connect=connect)


def play(columns_from_one, game=None):
    return (game or load()).state_from_actions(int(digit) - 1 for digit in columns_from_one)


# --- published counts -------------------------------------------------------------------------------------------------

PERFT = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
# Distinct positions after 1, 2, ... plies: https://oeis.org/A212693.
DISTINCT = [7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683]


def test_perft():
    start = load().new_initial_state()
    assert [perft(start, depth) for depth in range(1, 10)] == PERFT


@njit
def expand(states, buffer, scratch, keys, origins):  # type: ignore[no-untyped-def]
    """The keys of all children, and of each 64 * parent + action. Returns how many there are."""
    n = 0
    for i in range(len(states)):
        for j in range(rules.legal_actions(states[i], buffer)):
            scratch[0] = states[i]
            rules.apply_action(scratch[0], buffer[j])
            keys[n] = rules.state_key(scratch[0])
            origins[n] = 64 * i + buffer[j]
            n += 1
    return n


@njit
def follow(states, origins, out):  # type: ignore[no-untyped-def]
    """Play the actions that `expand` noted."""
    for i in range(len(origins)):
        out[i] = states[origins[i] // 64]
        rules.apply_action(out[i], origins[i] % 64)


def distinct_positions(game):
    """How many positions there are after 0, 1, 2, ... plies, told apart by their keys."""
    states = game.initial_array()
    while len(states):
        yield len(states)
        keys = np.zeros(len(states) * game.max_legal_actions, np.uint64)
        origins = np.zeros(len(keys), np.int64)
        n = expand(states, game.action_buffer(), game.blank_array(), keys, origins)
        _, first = np.unique(keys[:n], return_index=True)
        children = np.zeros(len(first), game.dtype)
        follow(states, origins[first], children)
        states = children


def test_distinct_positions_by_ply():
    counts = distinct_positions(load())
    assert [next(counts) for _ in range(1 + len(DISTINCT))] == [1, *DISTINCT]


@pytest.mark.parametrize(("columns", "rows", "positions"), DATA["count"][0]["positions"])
def test_distinct_positions_of_small_boards(columns, rows, positions):
    assert sum(distinct_positions(load(rows, columns))) == positions


# --- published values -------------------------------------------------------------------------------------------------


def solve(state):
    """The score and mate distance of a search to the end."""
    left = state.to_text().count(".")
    searcher = Searcher(state.game, 1 << 26)
    found = searcher.search(state.array, depth=left, nodes=50_000_000, stop=np.zeros(1, np.uint8))
    assert found.depth == left or mate_distance(found.score) is not None
    return found.score, mate_distance(found.score)


def outcome_of(state, nodes):
    return solver.solve(state, nodes=nodes, method="alphabeta")


@pytest.mark.parametrize("board", DATA["board"], ids=lambda board: f"{board['columns']}x{board['rows']}")
def test_small_boards_have_the_published_value(board):
    score, mate = solve(load(board["rows"], board["columns"]).new_initial_state())
    assert (score, mate) == (board["value"], None)


@pytest.mark.parametrize(("columns", "rows", "value"), DATA["outcome"][0]["boards"])
def test_boards_have_the_published_outcome(columns, rows, value):
    proof = outcome_of(load(rows, columns).new_initial_state(), nodes=20_000_000)
    assert proof.value == value


@pytest.mark.parametrize(("moves", "published"), DATA["solved"][0]["scores"])
def test_outcomes_of_solved_positions(moves, published):
    assert outcome_of(play(moves), nodes=1_000_000).value == np.sign(published)


@pytest.mark.parametrize(("moves", "published"), DATA["solved"][0]["scores"])
def test_solved_positions(moves, published):
    score, mate = solve(play(moves))
    if published == 0:
        assert (score, mate) == (0, None)
        return
    winner = len(moves) % 2 if published > 0 else 1 - len(moves) % 2
    # The n-th last of the winner's 21 stones lies on the board after so many plies.
    last_ply = 2 * (22 - abs(published)) - (1 if winner == 0 else 0)
    assert mate == (last_ply - len(moves)) * (1 if published > 0 else -1)


def expected_of_random_play(twin):
    """The mean result for x and the mean number of plies left, if every move is drawn uniformly."""

    @functools.cache
    def expect(twin):
        actions = naive.legal_actions(twin)
        if not actions:
            return {"x": 1, "o": -1, "draw": 0}[naive.result(twin)], 0
        children = [expect(naive.play(twin, action)) for action in actions]
        return sum(value for value, _ in children) / len(actions), 1 + sum(plies for _, plies in children) / len(actions)

    return expect(twin)


def test_random_games_come_out_as_they_must():
    game, count = load(3, 4, 3), 400_000
    value, plies = expected_of_random_play(naive.start(3, 4, 3))
    totals = np.zeros(2)
    states = np.concatenate([game.initial_array(), game.blank_array()])
    length = playout_batch(states, count, game.action_buffer(), totals, np.random.default_rng(3))
    # Five standard errors; a length differs from the mean by less than 3 mostly.
    assert totals[0] / count == pytest.approx(value, abs=5 / count**0.5)
    assert length / count == pytest.approx(plies, abs=5 * 3 / count**0.5)
    assert totals[0] == -totals[1]


# --- against the twin -------------------------------------------------------------------------------------------------


def assert_twins(state, twin):
    assert state.to_text() == twin.text()
    assert state.legal_actions() == naive.legal_actions(twin)
    result = naive.result(twin)
    assert state.is_terminal() == (result is not None)
    assert state.returns() == {"x": [1, -1], "o": [-1, 1], "draw": [0, 0], None: [0, 0]}[result]
    if result is None:
        assert "xo"[state.current_player()] == naive.mover(twin)


def assert_same_threats(state, twin):
    """What the evaluation sees: threats, lines still open, and whether anything is pending."""
    record, player = state.array[0], state.current_player()
    mine, theirs = "xo"[player], "xo"[1 - player]
    for stones, letter in ((record["own"], mine), (record["other"], theirs)):
        found = int(threats(record, np.uint64(stones)))
        expected = naive.threats(twin, letter)
        assert found == sum(1 << (twin.rows + 1) * column + row for column, row in expected)
    assert open_lines(record, np.uint64(record["other"])) == sum(theirs not in line for line in naive.lines_of(twin))
    playable = {(column, len(twin.columns[column])) for column in naive.open_columns(twin)}
    pending = playable & (naive.threats(twin, mine) | naive.threats(twin, theirs))
    assert kernels.is_quiet(state.array) == (not pending)


@sizes
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_games_of_the_twin(rows, columns, connect, seed):
    rng = np.random.default_rng(seed)
    state, twin = load(rows, columns, connect).new_initial_state(), naive.start(rows, columns, connect)
    while True:
        assert_twins(state, twin)
        if state.is_terminal():
            return
        assert_same_threats(state, twin)
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        twin = naive.play(twin, action)


@sizes
def test_every_line_wins_and_no_part_of_it(rows, columns, connect):
    for line in naive.lines(rows, columns, connect):
        cells = [column * (rows + 1) + row for column, row in line]
        word = sum(1 << cell for cell in cells)
        assert has_line(np.uint64(word), np.uint64(rows), np.uint8(connect))
        for cell in cells:
            assert not has_line(np.uint64(word ^ 1 << cell), np.uint64(rows), np.uint8(connect))


@sizes
def test_stones_anywhere_are_in_line_where_the_twin_says_so(rows, columns, connect):
    """Dense random boards, which would show a line that wraps from one column into the next."""
    rng = np.random.default_rng(5)
    outcomes = set()
    for density in np.linspace(0.3, 0.95, 120):
        stones = {(c, r) for c in range(columns) for r in range(rows) if rng.random() < density}
        word = sum(1 << c * (rows + 1) + r for c, r in stones)
        expected = any(stones.issuperset(line) for line in naive.lines(rows, columns, connect))
        assert has_line(np.uint64(word), np.uint64(rows), np.uint8(connect)) == expected
        outcomes.add(expected)
    assert outcomes == {True, False}


def test_every_fraction_draws_the_column_of_the_list():
    # The third and the last column are full.
    state = play("3333337777771")
    legal = state.legal_actions()
    assert legal == [0, 1, 3, 4, 5]
    for u in np.linspace(0, 1, 101)[:-1]:
        assert kernels.random_action(state.array, state.game.action_buffer(), u) == legal[int(u * 5)]


# --- what guides a search ---------------------------------------------------------------------------------------------


def test_the_middle_comes_first():
    states = load().initial_array()
    priors = [kernels.action_prior(states, action) for action in range(7)]
    assert sorted(range(7), key=lambda action: -priors[action]) == [3, 2, 4, 1, 5, 0, 6]
    assert priors == priors[::-1]


def test_what_makes_threats_comes_before_the_middle():
    # x has c1 and e1. d1 makes three in line with both ends open, and beats all else; then b1 and f1, with d1 to fill.
    priors = [kernels.action_prior(play("3357").array, action) for action in range(7)]
    assert sorted(range(7), key=lambda action: -priors[action])[:3] == [3, 1, 5]


@functools.cache
def value_of(twin):
    """1, 0 or -1 for the player to act, by minimax over the twin."""
    if naive.result(twin) is not None:
        return 0 if naive.result(twin) == "draw" else -1
    return max(-value_of(naive.play(twin, action)) for action in naive.open_columns(twin))


@pytest.mark.parametrize(("rows", "columns", "connect", "plies"), [(3, 4, 3, 0), (4, 4, 4, 11)])
def test_what_is_not_relevant_is_no_better(rows, columns, connect, plies):
    game, rng = load(rows, columns, connect), np.random.default_rng(8)
    buffer = game.action_buffer()
    left_out = 0
    for _ in range(150):
        state, twin = game.new_initial_state(), naive.start(rows, columns, connect)
        while not state.is_terminal():
            relevant = buffer[: kernels.relevant_actions(state.array, buffer)].tolist()
            legal = state.legal_actions()
            assert relevant
            assert relevant == [action for action in legal if action in relevant]
            if len(state.history()) >= plies and len(relevant) < len(legal):
                left_out += 1
                assert max(-value_of(naive.play(twin, action)) for action in relevant) == value_of(twin)
            action = int(rng.choice(legal))
            state.apply_action(action)
            twin = naive.play(twin, action)
    assert left_out > 100


@sizes
def test_mirror_images_share_a_key_and_no_others_do(rows, columns, connect):
    game, rng = load(rows, columns, connect), np.random.default_rng(9)
    kinds = {}
    for state in random_states(game, 150, rng):
        lines = state.to_text().splitlines()
        image = game.state_from_text("\n".join(line[::-1] for line in lines))
        key = int(kernels.symmetric_key(state.array))
        assert key == int(kernels.symmetric_key(image.array))
        assert kinds.setdefault(key, {state.to_text(), image.to_text()}) == {state.to_text(), image.to_text()}
    assert len(kinds) > 5


def test_evaluation_of_what_is_decided():
    # x has a1, b1, c1 and is to move; then c1, d1, e1 with both ends open and o to move.
    assert play("112233").evaluate()[0] > 0.9
    assert play("33445").evaluate()[0] > 0.9
    # One end open: o must answer there, and nothing is decided.
    assert abs(play("11223").evaluate()[0]) < 0.5


def test_an_evaluation_is_the_same_for_the_mirrored_board():
    rng = np.random.default_rng(6)
    for _ in range(50):
        moves = [int(rng.integers(7)) for _ in range(12)]
        try:
            one, two = load().state_from_actions(moves), load().state_from_actions([6 - move for move in moves])
        except IllegalActionError:  # played on after the end, or a column full
            continue
        assert one.evaluate() == two.evaluate()


# --- parameters, notation, text and picture ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rows": 8, "columns": 8}, r"rows and columns: .* 8 \* 9 = 72, but at most 64"),
        ({"rows": 64, "columns": 1}, "rows: 64 is not a whole number from 1 to 63"),
        ({"rows": 2, "columns": 27}, "columns: 27 is not"),
        ({"rows": 0}, "rows: 0 is not"),
        ({"connect": 2}, "connect: 2 is not"),
        ({"rows": 3, "columns": 3}, "connect: 4 stones fit neither in 3 rows nor in 3 columns"),
    ],
)
def test_boards_that_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        gamelab.load("connectfour", **parameters)


def test_notation():
    game, start = load(), load().new_initial_state()
    assert [start.action_to_string(action) for action in start.legal_actions()] == list("abcdefg")
    assert start.string_to_action(" D ") == 3
    assert game.num_distinct_actions == game.max_legal_actions == 7
    for text in ("h", "ab", "4", "", None):
        with pytest.raises(NotationError, match="a column, a to g"):
            start.string_to_action(text)


BOARD = """
.......
.......
.......
...o...
..xxo..
..oxx..
"""


def test_text():
    state = load().state_from_text(BOARD)
    assert state.to_text() == BOARD.strip()
    assert (state.current_player(), state.returns()) == (1, [0, 0])
    assert state == play("4355443")
    assert state.key() == play("4355443").key() != play("4355446").key()
    assert str(state).splitlines()[-2:] == ["a b c d e f g", "o to move"]


def rows_of(*rows, columns=7, height=6):
    return "\n".join(["." * columns] * (height - len(rows)) + list(rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (rows_of(height=5), "5 lines, but the board has 6 rows"),
        (rows_of("..x"), "line 6: '..x' is not 7 of x, o and ."),
        (rows_of("x..z..."), "line 6: 'x..z...' is not"),
        (rows_of("..x....", "......."), "line 5, column c: x floats, the cell below is empty"),
        (rows_of("xx....."), "2 x and 0 o, but x begins"),
        (rows_of("o......"), "0 x and 1 o, but x begins"),
        (rows_of("ooo....", "xxxx..o"), "x has 4 in line, and the game went on"),
        (rows_of("oooo...", "xxxx..."), "x has 4 in line, and the game went on"),
        (rows_of("oooo.o.", "xxxx.xx"), "o has 4 in line, and the game went on"),
        # Two rows of four that no single stone completes.
        (rows_of("......x", "ooo...x", "ooo...x", "xxxxo.x"), "x has more lines than its last stone can have made"),
    ],
)
def test_no_positions(text, message):
    with pytest.raises(PositionError, match=message):
        load().state_from_text(text)


def test_the_last_stone_may_complete_two_lines():
    before = load().state_from_text(rows_of("ooo.ooo", "xxx.xxx"))
    won = load().state_from_text(rows_of("ooo.ooo", "xxxxxxx"))
    assert before.child(3) == won
    assert won.returns() == [1, -1]


def test_ends():
    won = play("1122334")
    assert won.game.describe_end(won.array[0]) == "4 in line"
    assert str(won).endswith("x has won")
    full = load(3, 3, 3).state_from_text("xox\nxox\noxo")
    assert full.is_terminal()
    assert full.returns() == [0, 0]
    assert full.game.describe_end(full.array[0]) == "draw, board full"
    assert full.array["player"][0] == TERMINAL


def circles(state):
    """The places of the picture's circles by their class."""
    places = {}
    for circle in ElementTree.fromstring(state.to_svg()).iter("{http://www.w3.org/2000/svg}circle"):
        places.setdefault(circle.get("class"), []).append((int(circle.get("cx")), int(circle.get("cy"))))
    return places


def test_picture():
    places = circles(play("4355443"))
    assert {kind: len(found) for kind, found in places.items()} == {"hole": 35, "stone x": 4, "stone o": 3, "last": 1}
    # The last stone is the upper one of column c: x, on one of o's.
    assert places["last"][0] in places["stone x"]
    x, y = places["last"][0]
    assert [other for other in places["stone o"] if other[0] == x and other[1] > y]
    assert "last" not in circles(load().new_initial_state())
