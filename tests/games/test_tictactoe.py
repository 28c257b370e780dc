"""Tic-tac-toe, exhaustively: every position and every game, against counts that are well known."""

import functools
from collections import Counter

import gamelab
from gamelab.core.rules import TERMINAL
from gamelab.games.tictactoe import LINES

LETTERS = "xo."


@functools.cache
def reachable():
    """The text of every position that can be reached, with the state."""
    start = gamelab.load("tictactoe").new_initial_state()
    found, frontier = {}, [start]
    while frontier:
        state = frontier.pop()
        if state.to_text() not in found:
            found[state.to_text()] = state
            frontier += [state.child(action) for action in state.legal_actions()]
    return found


def winner(text):
    """By the rules in words, from the text: the letter of whoever has three in line."""
    rows = text.split()
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    diagonals = ["".join(rows[i][i] for i in range(3)), "".join(rows[i][2 - i] for i in range(3))]
    for line in (*rows, *columns, *diagonals):
        if line in ("xxx", "ooo"):
            return line[0]
    return None


def test_positions():
    """5,478 positions can be reached, 958 of them final: x has won in 626, o in 316, 16 are draws."""
    states = reachable()
    ends = Counter(tuple(state.returns()) for state in states.values() if state.is_terminal())
    assert len(states) == 5478
    assert len({state.key() for state in states.values()}) == 5478
    assert ends == {(1, -1): 626, (-1, 1): 316, (0, 0): 16}


def canonical(text):
    """The least of the eight texts that rotations and reflections make of one."""
    rows, forms = text.split(), []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        forms += ["\n".join(rows), "\n".join(row[::-1] for row in rows)]
    return min(forms)


def test_positions_up_to_symmetry():
    """765 positions differ by more than a rotation or reflection, 138 of them final: 91 x, 44 o, 3 draws."""
    states = reachable()
    assert len({canonical(text) for text in states}) == 765
    ends = {canonical(text): tuple(state.returns()) for text, state in states.items() if state.is_terminal()}
    assert Counter(ends.values()) == {(1, -1): 91, (-1, 1): 44, (0, 0): 3}


def test_every_position_is_judged_as_the_rules_say():
    for text, state in reachable().items():
        won = winner(text)
        assert state.returns() == {"x": [1, -1], "o": [-1, 1], None: [0, 0]}[won]
        assert state.is_terminal() == (won is not None or "." not in text)
        if not state.is_terminal():
            rows = text.split()
            assert state.current_player() == (text.count("x") > text.count("o"))
            assert state.legal_actions() == [c for c in range(9) if rows[2 - c // 3][c % 3] == "."]


def test_games():
    """255,168 games: x wins 131,184, o wins 77,904, 46,080 are drawn."""

    @functools.cache
    def games(text):
        state = reachable()[text]
        if state.is_terminal():
            return Counter({state.returns()[0]: 1})
        return sum((games(state.child(action).to_text()) for action in state.legal_actions()), Counter())

    start = gamelab.load("tictactoe").new_initial_state()
    assert games(start.to_text()) == {1: 131184, -1: 77904, 0: 46080}


def test_the_value_is_a_draw():
    @functools.cache
    def value(text):
        """For x, by minimax."""
        state = reachable()[text]
        if state.is_terminal():
            return state.returns()[0]
        best = max if state.current_player() == 0 else min
        return best(value(state.child(action).to_text()) for action in state.legal_actions())

    start = gamelab.load("tictactoe").new_initial_state()
    assert value(start.to_text()) == 0
    # Every first move draws.
    assert {value(start.child(action).to_text()) for action in range(9)} == {0}
    # The classic mistake: the answer to a corner must be the middle.
    corner = start.child(0)
    assert [value(corner.child(action).to_text()) for action in corner.legal_actions()].count(0) == 1
    assert value(corner.child(4).to_text()) == 0


def all_texts(cells=9):
    """Every filling of the board with x, o and empty cells."""
    for code in range(3**cells):
        letters = [LETTERS[code // 3**i % 3] for i in range(cells)]
        yield "\n".join("".join(letters[i : i + 3]) for i in (0, 3, 6))


def test_of_all_fillings_the_reachable_are_read_and_no_others():
    game, read = gamelab.load("tictactoe"), set()
    for text in all_texts():
        try:
            state = game.state_from_text(text)
        except gamelab.GamelabError as error:
            assert "tictactoe position" in str(error)  # noqa: PT017 - 14,205 of them
        else:
            assert state == reachable()[text]
            read.add(text)
    assert read == set(reachable())


def test_the_lines_are_those_of_the_rules():
    assert len(set(LINES.tolist())) == 8
    for line in LINES:
        text = ["x" if int(line) >> cell & 1 else "." for cell in range(9)]
        assert winner("\n".join("".join(text[i : i + 3]) for i in (6, 3, 0))) == "x"


def test_ends_in_words():
    states = reachable().values()
    said = Counter(state.game.describe_end(state.array[0]) for state in states)
    assert said == {"three in line": 942, "draw, board full": 16, "not over": 5478 - 958}
    assert {str(state).splitlines()[-1] for state in states if state.current_player() == TERMINAL} == {
        "x has won",
        "o has won",
        "draw",
    }


def test_pictures_show_what_the_text_says():
    for text, state in list(reachable().items())[::37]:
        picture = state.to_svg()
        assert (picture.count('class="x"'), picture.count('class="o"')) == (text.count("x"), text.count("o"))
