"""Files of tiles and boards of Kreuz & Quer: what stands in those of the game, and what is said about those that are wrong."""

import itertools
import pickle

import numpy as np
import pytest

import gamelab
from gamelab.cli import run
from gamelab.core.errors import ParameterError
from gamelab.games.kreuzquer.datafiles import FOLDERS, built_in, read_boards, read_tiles
from gamelab.testing import check_game, random_states

TILES = (FOLDERS["tiles"] / "standard.toml").read_text()
BOARDS = (FOLDERS["boards"] / "standard.toml").read_text()


@pytest.fixture
def write(tmp_path):
    """Writes a file and returns its path."""

    def written(text, name="some.toml"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return written


def turned(sides):
    return {sides[i:] + sides[:i] for i in range(4)}


# --- what comes with the game -----------------------------------------------------------------------------------------


def test_the_tiles_are_all_there_are_with_two_pipes_or_more():
    tiles = read_tiles("standard")
    every = {"".join(marks) for marks in itertools.product("wn-", repeat=4)}
    kinds = {frozenset(turned(sides)) for sides in every if sides.count("-") <= 2}
    assert {frozenset(turned(sides)) for sides in tiles.sides} == kinds
    assert len(tiles.sides) == len(kinds) == 21
    pipes = [4 - sides.count("-") for sides in tiles.sides]
    assert [pipes.count(number) for number in (2, 3, 4)] == [7, 8, 6]
    assert tiles.copies == tuple(2 if number == 2 else 1 for number in pipes)
    assert sum(tiles.copies) == 28


def test_turns_that_look_the_same_are_one():
    tiles = read_tiles("standard")
    assert [len(lays) for lays in tiles.lays] == [len(turned(sides)) for sides in tiles.sides]
    assert len(tiles.kind_of_lay) == 24 + 32 + 16


def test_the_boards_have_the_same_values_in_another_order():
    boards = read_boards("standard").outlets
    assert sorted(boards) == list("ABCD")
    for values in boards.values():
        assert [values.count(value) for value in (1, 2, 3)] == [4, 8, 4]
        assert sum(values) == 32
    written = {letter: "".join(map(str, values)) for letter, values in boards.items()}
    assert written["A"] == "3122" * 4
    assert written["B"] == "1232" * 4
    assert written["C"] == "3113222231132222"
    assert written["D"] == "1221322312213223"


def test_no_two_boards_are_the_same_turned_or_mirrored():
    boards = read_boards("standard").outlets
    seen = []
    for values in boards.values():
        # Read clockwise from each corner, and the other way round.
        around = {way[i:] + way[:i] for way in (values, values[::-1]) for i in range(0, 16, 4)}
        assert not any(around & other for other in seen)
        seen.append(around)


# --- files of one's own -----------------------------------------------------------------------------------------------


def test_a_copy_plays_the_same(write):
    mine = gamelab.load("kreuzquer", tiles=write(TILES, "t.toml"), boards=write(BOARDS, "b.toml"))
    for one, other in zip(
        *(random_states(game, 150, np.random.default_rng(1)) for game in (mine, gamelab.load("kreuzquer"))), strict=True
    ):
        assert one.to_text() == other.to_text()
        assert one.legal_actions() == other.legal_actions()
        assert one.evaluate() == other.evaluate()


def test_twenty_four_tiles_of_which_some_have_one_pipe(write):
    tiles = 'name = "few"\ntiles = [{sides = "w---", copies = 3}, {sides = "nnww", copies = 20}, {sides = "wnwn", copies = 1}]'
    path = write(tiles)
    check_game("kreuzquer", games=2, tiles=path)
    game = gamelab.load("kreuzquer", tiles=path, players=1)
    state = game.new_initial_state()
    assert [probability for _, probability in state.chance_outcomes()] == [3 / 24, 20 / 24, 1 / 24]
    state.apply_action(state.string_to_action("tile 1"))
    assert [name for a in state.legal_actions() if not (name := state.action_to_string(a)).endswith("x")] == [
        "d3 ---w",
        "b3 -w--",
    ]


def test_boards_of_ones_own(write):
    path = write(
        'name = "mine"\n[boards.Z]\nnorth = "11-11"\neast = "33-33"\nsouth = "22-22"\nwest = "12-31"\n',
    )
    game = gamelab.load("kreuzquer", boards=path, board_of_seat="ZZ")
    state = game.new_initial_state()
    assert state.array["minus"][0, :2].tolist() == [4 + 12 + 8 + 7] * 2
    with pytest.raises(ParameterError, match="no board 'A' among the boards mine; known: Z"):
        gamelab.load("kreuzquer", boards=path)
    assert gamelab.load("kreuzquer", boards=path, board_of_seat="ZA", players=1).num_players == 1


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"board_of_seat": "A"}, "board_of_seat: 'A' has fewer letters than players, 2"),
        ({"board_of_seat": "", "players": 1}, "board_of_seat: '' has fewer letters than players, 1"),
        ({"board_of_seat": "AE"}, "board_of_seat: 'AE': no board 'E' among the boards standard; known: A, B, C, D"),
        ({"board_of_seat": "ab"}, "board_of_seat: 'ab': no board 'a' among .*; known: A, B, C, D"),
        ({"board_of_seat": "A B"}, "no board ' ' among"),
        ({"board_of_seat": "A\n"}, r"board_of_seat: 'A\\n': no board '\\n' among"),
        ({"board_of_seat": 5}, "board_of_seat: 5 is not a text"),
        ({"players": 5}, "players: 5 is not a whole number from 1 to 4"),
        ({"players": 0}, "players: 0 is not"),
        ({"matching": "loose"}, "one of strict, own"),
        ({"tiles": "nowhere.toml"}, "kreuzquer, tiles '.*nowhere.toml': no such file, .*known: standard"),
        ({"boards": "nowhere.toml"}, "kreuzquer, boards '.*nowhere.toml': no such file, .*known: standard"),
        ({"tiles": "a\0b"}, "kreuzquer, tiles '.*' is no path"),
    ],
)
def test_parameters_that_make_no_game(parameters, reason):
    with pytest.raises(ParameterError, match=reason):
        gamelab.load("kreuzquer", **parameters)


def test_letters_beyond_the_players_are_not_looked_at():
    """So the default, which names four, goes with a file of fewer boards."""
    one, other = (gamelab.load("kreuzquer", board_of_seat=letters) for letters in ("DA", "DABZ"))
    assert one.new_initial_state().array["outlets"].tolist() == other.new_initial_state().array["outlets"].tolist()


def test_a_path_is_a_parameter_like_any_other(write, tmp_path, monkeypatch):
    game = gamelab.load("kreuzquer", tiles=write(TILES))
    assert pickle.loads(pickle.dumps(game)) == game
    monkeypatch.chdir(tmp_path)
    relative = gamelab.load("kreuzquer", tiles="some.toml")
    assert relative == game
    monkeypatch.chdir("/")
    assert pickle.loads(pickle.dumps(relative)).new_initial_state() == relative.new_initial_state()


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ParameterError, match="cannot be read"):
        gamelab.load("kreuzquer", tiles=str(tmp_path))


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


STRAIGHT = '{ sides = "w-w-", copies = 2 }'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tiles", "not TOML"),
        ("x = " + "[" * 5000, "not TOML"),
        ("# " + "x" * 200_000, "more than 100000 bytes"),
        (changed(TILES, 'name = "standard"', ""), ", name: missing"),
        (changed(TILES, 'name = "standard"', "name = 3"), ", name: 3 is not a text"),
        (changed(TILES, 'name = "standard"', 'name = "a"\nsize = 5'), ", size: unknown key; known: name, tiles"),
        ('name = "x"\ntiles = 3', ", tiles: 3 is not a list"),
        ('name = "x"\ntiles = [3]', ", tiles, kind 1: 3 is not a table with the keys copies, sides"),
        ('name = "x"\ntiles = []', ", tiles: 0 tiles, not 24 to 28"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-", copies = 3 }'), ", tiles: 29 tiles, not 24 to 28"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-" }'), ", tiles, kind 1, copies: missing"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-", copies = 2, colour = 1 }'), ", tiles, kind 1, colour: unknown key"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-", copies = 0 }'), ", tiles, kind 1, copies: 0 is not a whole number"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-", copies = true }'), ", tiles, kind 1, copies: True is not"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w-", copies = 1.0 }'), ", tiles, kind 1, copies: 1.0 is not"),
        (changed(TILES, STRAIGHT, '{ sides = "w-b-", copies = 2 }'), ", tiles, kind 1, sides: 'w-b-' is not four of w"),
        (changed(TILES, STRAIGHT, '{ sides = "w-w", copies = 2 }'), ", tiles, kind 1, sides: 'w-w' is not four"),
        (changed(TILES, STRAIGHT, '{ sides = "----", copies = 2 }'), ", tiles, kind 1, sides: a tile without a pipe"),
        (changed(TILES, '"n-n-"', '"-w-w"'), ", tiles, kind 2, sides: -w-w is kind 1, w-w-, turned"),
    ],
)
def test_tiles_that_are_wrong(write, text, reason):
    path = write(text)
    with pytest.raises(ParameterError) as error:
        gamelab.load("kreuzquer", tiles=path)
    assert str(error.value).startswith(f"kreuzquer, tiles '{path}'")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (changed(BOARDS, 'name = "standard"', ""), ", name: missing"),
        ('name = "x"\nboards = {}', ", boards: {} is not a table with a board for each letter"),
        ('name = "x"\nboards = 4', ", boards: 4 is not"),
        (changed(BOARDS, "[boards.A]", "[boards.Ab]"), ", boards.Ab: a board is called by one letter"),
        (changed(BOARDS, 'north = "31-22"', ""), ", boards.A, north: missing"),
        (changed(BOARDS, 'north = "31-22"', 'north = "31-22"\nup = "1"'), ", boards.A, up: unknown key"),
        (changed(BOARDS, 'north = "31-22"', "north = 3122"), ", boards.A.north: 3122 is not five of"),
        (changed(BOARDS, 'north = "31-22"', 'north = "3122"'), ", boards.A.north: '3122' is not five of"),
        (changed(BOARDS, 'north = "31-22"', 'north = "31422"'), ", boards.A.north: 31422: the middle of a side has no outlet"),
        (changed(BOARDS, 'north = "31-22"', 'north = "3--22"'), "there is an outlet missing, place 2 of 5"),
        (changed(BOARDS, 'north = "31-22"', 'north = "41-22"'), ", boards.A.north: 41-22: outlets are worth 1 to 3, not 4"),
        (changed(BOARDS, 'north = "31-22"', 'north = "01-22"'), "outlets are worth 1 to 3, not 0"),
    ],
)
def test_boards_that_are_wrong(write, text, reason):
    path = write(text)
    with pytest.raises(ParameterError) as error:
        gamelab.load("kreuzquer", boards=path)
    assert str(error.value).startswith(f"kreuzquer, boards '{path}'")
    assert reason in str(error.value)


def test_the_command_line_says_so_in_one_line(write, capsys):
    assert run(["rules", "kreuzquer", "-p", f"tiles={write('name = 3')}"]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert len(shown.err.strip().splitlines()) == 1


def test_built_in():
    assert built_in("tiles") == built_in("boards") == ["standard"]
