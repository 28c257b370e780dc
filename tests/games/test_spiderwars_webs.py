"""Web files of Spider Wars: what they may say, and what is said about those that are wrong."""

import pickle
import re

import numpy as np
import pytest

import gamelab
from gamelab.cli import run
from gamelab.core.errors import ParameterError
from gamelab.games.spiderwars.web import NEST
from gamelab.games.spiderwars.webfile import WEBS, built_in_webs, read_web
from gamelab.testing import check_game, random_states

MINI = (WEBS / "mini.toml").read_text()
# The mini web once more, with each neighbour written out.
LISTED = {
    "0,0": "0,2 1,1",
    "0,2": "0,0 0,4 1,1 1,3",
    "0,4": "0,2 1,3",
    "1,1": "1,3 0,0 0,2 2,0 2,2",
    "1,3": "1,1 0,2 0,4 2,2 2,4",
    "2,0": "2,2 1,1 3,1",
    "2,2": "2,0 2,4 1,1 1,3 3,1 3,3",
    "2,4": "2,2 1,3 3,3",
    "3,1": "3,3 2,0 2,2 4,0 4,2",
    "3,3": "3,1 2,2 2,4 4,2 4,4",
    "4,0": "4,2 3,1",
    "4,2": "4,0 4,4 3,1 3,3",
    "4,4": "4,2 3,3",
}


def listed(**changes):
    """The mini web with a table of neighbours, some of them changed."""
    rows = "\n".join(f'"{hole}" = {near.split()}' for hole, near in {**LISTED, **changes}.items())
    rest = MINI.replace('neighbours = "columns"', "", 1)
    return f"{rest}\n[neighbours]\n{rows}\n"


@pytest.fixture
def write(tmp_path):
    """Writes a web file and returns its path."""

    def written(text):
        path = tmp_path / "some.toml"
        path.write_text(text)
        return str(path)

    return written


# --- webs that come with the game -------------------------------------------------------------------------------------


def test_built_in_webs():
    assert built_in_webs() == ["mini", "standard"]
    for name, holes in (("mini", 13), ("standard", 41)):
        web = read_web(name)
        assert (web.name, len(web.holes)) == (name, holes)


@pytest.mark.parametrize(("name", "right", "top"), [("mini", 4, 4), ("standard", 8, 8)])
def test_the_half_turn_leaves_a_web_as_it_is(name, right, top):
    web = read_web(name)

    def turn(spot):
        x, y = web.coordinates[spot]
        return web.spots_by_name[f"{right - x},{top - y}"]

    for hole, neighbours in enumerate(web.neighbours):
        assert {turn(spot) for spot in neighbours} == web.neighbours[turn(hole)]
    sides = [{(spider.daddy, frozenset(spider.legs)) for spider in side} for side in web.start]
    assert {(daddy, frozenset(map(turn, legs))) for daddy, legs in sides[0]} == sides[1]


def test_the_column_rule_is_what_it_says():
    web = read_web("mini")
    names = [{web.spot_names[spot] for spot in near if spot not in NEST} for near in web.neighbours]
    assert dict(zip(web.spot_names.values(), names, strict=False)) == {hole: set(near.split()) for hole, near in LISTED.items()}


# --- webs of one's own ------------------------------------------------------------------------------------------------


def test_listed_neighbours_make_the_same_web(write):
    mine, mini = (gamelab.load("spiderwars", web=web) for web in (write(listed()), "mini"))
    for one, other in zip(*(random_states(game, 200, np.random.default_rng(1)) for game in (mine, mini)), strict=True):
        assert one.to_text() == other.to_text()
        assert one.legal_actions() == other.legal_actions()


def test_ways_do_not_lead_through_a_nest(write):
    # Without their strand 0,4 and 0,2 are a step apart from the same nest, but no way leads through it.
    path = write(listed(**{"0,4": "1,3", "0,2": "0,0 1,1", "1,1": "1,3 0,0 0,2 2,0 2,2", "1,3": "1,1 0,4 2,2 2,4"}))
    web = read_web(path)
    assert web.steps_from(web.spots_by_name["0,4"])[web.spots_by_name["0,2"]] == 3
    check_game("spiderwars", games=2, web=path)


def test_sixty_two_holes_and_eight_spiders(write):
    holes = [f"{x},{y}" for x in range(31) for y in (x % 2, x % 2 + 2)]
    spiders = [[f"{x},{x % 2}-{x},{x % 2 + 2}" for x in columns] for columns in (range(8), range(23, 31))]
    path = write(
        f"""name = "long"
holes = {holes}
neighbours = "columns"
nests.green = {{ at = "-1,1", neighbours = ["0,0"] }}
nests.orange = {{ at = "31,1", neighbours = ["30,2"] }}
start.green = {{ daddies = {spiders[0][:5]}, small = {spiders[0][5:]} }}
start.orange = {{ small = {spiders[1]} }}
"""
    )
    check_game("spiderwars", games=1, web=path, max_turns=60)


def test_progress_is_by_column_whatever_the_order_in_the_file(write):
    holes = re.search(r"holes = \[(.*?)\]", MINI, re.DOTALL)[1]
    shuffled = ", ".join(reversed([hole.strip() for hole in re.findall(r'"[^"]*"', holes)]))
    state = gamelab.load("spiderwars", web=write(MINI.replace(holes, shuffled))).state_from_text(
        "Green: S 2,2\nOrange: S 4,4-3,3\nGreen to move"
    )
    assert {state.action_to_string(action) for action in state.legal_actions()} == {"2,2+1,1", "2,2+1,3", "2,2+2,0", "2,2+2,4"}


def test_a_path_is_a_parameter_like_any_other(write, tmp_path, monkeypatch):
    game = gamelab.load("spiderwars", web=write(MINI))
    assert pickle.loads(pickle.dumps(game)) == game
    assert gamelab.load(game.name, **game.parameters) == game
    monkeypatch.chdir(tmp_path)
    relative = gamelab.load("spiderwars", web="some.toml")
    assert relative == game
    state = relative.new_initial_state()
    pickled = pickle.dumps(relative)
    monkeypatch.chdir("/")
    assert pickle.loads(pickled).new_initial_state() == state


def test_a_file_does_not_hide_a_web_of_the_game(write, tmp_path, monkeypatch):
    (tmp_path / "standard").write_text(MINI)
    monkeypatch.chdir(tmp_path)
    assert gamelab.load("spiderwars").web.name == "standard"
    assert gamelab.load("spiderwars", web="./standard").web.name == "mini"


def test_worker_processes_play_on_it(write):
    agents = ["random", "greedy"]
    one, two = (
        gamelab.Tournament(gamelab.load("spiderwars", web=write(MINI)), agents, games=4, seed=1).run(workers=workers)
        for workers in (1, 2)
    )
    assert [record.moves for record in one.records] == [record.moves for record in two.records]


def test_on_the_command_line(write, capsys):
    assert run(["perft", "spiderwars", "2", "-p", f"web={write(MINI)}"]) == 0
    assert "136" in capsys.readouterr().out
    assert run(["perft", "spiderwars", "2", "-p", f"web={write('name = 1')}"]) == 2
    complaint = capsys.readouterr().err
    assert re.fullmatch(r"gamelab: spiderwars, web '.*some.toml', holes: missing\n", complaint)


# --- webs that are wrong ----------------------------------------------------------------------------------------------


def changed(old, new):
    assert old in MINI
    return MINI.replace(old, new, 1)


WRONG = {
    "not TOML": ("name = ", "not TOML"),
    "not UTF-8": (b"name = '\xff'", "not TOML"),
    "empty": ("", "holes: missing"),
    "deep": ("name = " + "[" * 9000, "not TOML"),
    "too large": ("#" * 200_000, "more than 100000 bytes"),
    "unknown key": (changed('name = "mini"', 'name = "mini"\nheight = 3'), "height: unknown key; known: holes, name"),
    "unknown key in a table": (changed("daddies", "dadies"), "start.green.dadies: unknown key; known: daddies, small"),
    "name of a wrong type": (changed('name = "mini"', "name = 3"), "name: 3 is not a text of one line"),
    "name of two lines": (changed('name = "mini"', 'name = "mi\\nni"'), "name: 'mi\\nni' is not a text of one line"),
    "holes of a wrong type": (changed('"0,0", "0,2", "0,4",', "0, 2,"), "holes: [0, 2, "),
    "no holes": (re.sub(r"holes = \[.*?\]", "holes = []", MINI, count=1, flags=re.DOTALL), "holes: 0 holes, not 1 to 62"),
    "a hole that is none": (changed('"0,0", "0,2"', '"0;0", "0,2"'), "holes: '0;0' is not written as x,y"),
    "a hole too far": (changed('"0,0", "0,2"', '"1000,0", "0,2"'), "holes: '1000,0' is not written as x,y"),
    "a hole twice": (changed('"0,0", "0,2"', '"0,2", "0,2"'), "holes: 0,2 is listed twice"),
    "too many holes": (
        changed('"4,0",', ", ".join(f'"4,{y}"' for y in range(6, 100, 2)) + ', "4,0", "3,5", "3,7", "3,9",'),
        "holes: 63 holes, not 1 to 62",
    ),
    "neighbours of a wrong type": (changed('neighbours = "columns"', "neighbours = 3"), "neighbours: 3 is neither"),
    "neighbours by another rule": (changed('neighbours = "columns"', 'neighbours = "rows"'), "neighbours: 'rows' is neither"),
    "an unknown hole with neighbours": (listed(**{"9,9": "0,0"}), "neighbours: 9,9 is not among the holes"),
    "an unknown neighbour": (listed(**{"0,0": "0,2 1,1 9,9"}), "neighbours.0,0: 9,9 is not among the holes"),
    "a neighbour twice": (listed(**{"0,0": "0,2 1,1 0,2"}), "neighbours.0,0: 0,2 is listed twice"),
    "a hole with neighbours twice": (listed(**{"00,0": "0,2"}), "neighbours.00,0: the hole is listed twice"),
    "its own neighbour": (listed(**{"0,0": "0,0 0,2 1,1"}), "neighbours.0,0: 0,0 is not a neighbour of itself"),
    "one-way": (listed(**{"0,0": "0,2"}), "neighbours.1,1: one-way: 0,0 is a neighbour of 1,1, but not 1,1 of 0,0"),
    "a disconnected hole": (changed('"4,4",', '"4,4", "4,9",'), "neighbours: disconnected: no way leads from 0,0 to 4,9"),
    "a disconnected nest": (changed('neighbours = ["0,4", "0,2"]', "neighbours = []"), "nests.green.neighbours: disconnected"),
    "an unknown hole beside a nest": (changed('["0,4", "0,2"]', '["0,3"]'), "nests.green.neighbours: 0,3 is not among"),
    "a missing nest": (re.sub(r"\[nests.orange\][^\[]*\[[^\[]*", "", MINI, count=1), "nests.orange: missing"),
    "a nest that is no table": (re.sub(r"\[nests.*?(?=\[start)", "nests = 3\n", MINI, count=1, flags=re.DOTALL), "3"),
    "a nest without a place": (changed('at = "-1,3"', ""), "nests.green.at: missing"),
    "a nest at no place": (changed('"-1,3"', '"left"'), "nests.green.at: 'left' is not written as x,y"),
    "Green's nest on the wrong side": (changed('"-1,3"', '"0,3"'), "nests.green.at: 0,3 is not left of every hole"),
    "Orange's nest on the wrong side": (changed('"5,1"', '"-2,1"'), "nests.orange.at: -2,1 is not right of every hole"),
    "a missing side": (re.sub(r"\[start.orange\].*", "", MINI, flags=re.DOTALL), "start.orange: missing"),
    "spiders of a wrong type": (changed('["0,2-1,3"]', '"0,2-1,3"'), "start.green.daddies: '0,2-1,3' is not a list"),
    "a spider with one leg": (changed('"0,0-1,1"', '"0,0"'), "start.green.small: '0,0' is not written as x,y-x,y"),
    "a spider on an unknown hole": (changed('"0,0-1,1"', '"0,0-1,0"'), "start.green.small: 1,0 is not among the holes"),
    "a small spider out of its reach": (changed('"0,0-1,1"', '"0,0-2,2"'), "start.green.small: 0,0-2,2: the legs are out of"),
    "a Daddy out of its reach": (changed('"0,2-1,3"', '"0,2-3,3"'), "start.green.daddies: 0,2-3,3: the legs are out of"),
    "legs in one hole": (changed('"0,0-1,1"', '"1,1-1,1"'), "start.green.small: 1,1-1,1: 1,1 is occupied already"),
    "on an own leg": (changed('"0,0-1,1"', '"0,2-1,1"'), "start.green.small: 0,2-1,1: 0,2 is occupied already"),
    "on an opponent's leg": (changed('"4,4-3,3"', '"2,2-1,1"'), "start.orange.small: 2,2-1,1: 1,1 is occupied already"),
    "no spiders": (
        changed('daddies = ["4,2-3,1"]\nsmall = ["4,4-3,3"]', ""),
        "start.orange: 0 spiders, not 1 to 8",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_webs(case, tmp_path):
    content, message = WRONG[case]
    path = tmp_path / "wrong.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ParameterError) as caught:
        gamelab.load("spiderwars", web=str(path))
    assert str(caught.value).startswith(f"spiderwars, web {str(path)!r}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    for path, message in ((tmp_path / "none.toml", "no such file"), (tmp_path, "cannot be read"), ("a\0b", "null")):
        with pytest.raises(ParameterError, match=message):
            gamelab.load("spiderwars", web=str(path))
    with pytest.raises(ParameterError, match="known: mini, standard"):
        gamelab.load("spiderwars", web="midi")
    with pytest.raises(ParameterError, match="not a text"):
        gamelab.load("spiderwars", web=3)


def test_any_mixture_of_spiders(write):
    two_daddies = changed('daddies = ["0,2-1,3"]\nsmall = ["0,0-1,1"]', 'daddies = ["0,2-1,3", "0,0-2,0"]')
    state = gamelab.load("spiderwars", web=write(two_daddies)).new_initial_state()
    assert state.to_text().splitlines()[0] == "Green: D 0,0-2,0 D 0,2-1,3"
    assert "GD2" in str(state)
    no_daddy = changed('daddies = ["4,2-3,1"]\n', "")
    assert gamelab.load("spiderwars", web=write(no_daddy)).new_initial_state().to_text().splitlines()[1] == "Orange: S 3,3-4,4"
