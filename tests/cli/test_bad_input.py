"""Bad input of every kind: exit status 2, one line on standard error that says what and where, and nothing written."""

import io
import os
import shlex
import sqlite3
import sys

import pytest

from gamelab.cli import run

TWO = "tournament tictactoe -n 4 -a random -a greedy --workers 1"
EMPTY_BOARD = "........\n" * 8


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The current folder, with files of several kinds in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-folder").mkdir()
    (tmp_path / "latin.txt").write_bytes("Zürich".encode("latin-1"))
    (tmp_path / "prose.txt").write_text("Once upon a time\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "letters.txt").write_text("........\n" * 7 + "...x....\nW\n")
    (tmp_path / "corner.txt").write_text("W.......\n" + "........\n" * 7 + "W\n")
    (tmp_path / "goal.txt").write_text("........\n" * 7 + "...W....\nW\n")
    (tmp_path / "mover.txt").write_text(EMPTY_BOARD + "x\n")
    (tmp_path / "ply.txt").write_text(EMPTY_BOARD + "W ply 999\n")
    (tmp_path / "turns.txt").write_text("xxx\n...\n...\n")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE songs (title)")
    other.close()
    return tmp_path


@pytest.fixture
def refusal(folder, capsys):
    """Runs a command line that must be refused; its complaint. Checks that no file came, went or changed."""

    def call(line):
        capsys.readouterr()
        before = contents(folder)
        status = run(shlex.split(line))
        out, err = capsys.readouterr()
        assert status == 2
        assert out == ""
        assert err.startswith("gamelab: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        assert contents(folder) == before
        return err.removeprefix("gamelab: ").rstrip("\n")

    return call


def contents(folder):
    """Every path below a folder, with the bytes of the files."""
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def assert_says(message, *parts):
    assert [part for part in parts if part not in message] == [], message


# --- names, parameters, numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["rules", "play", "tournament", "perft -- chess 1", "analyse", "bench"])
def test_an_unknown_game(refusal, command):
    line = command.replace("perft -- chess 1", "perft chess 1") if "chess" in command else f"{command} chess"
    assert_says(refusal(line), "no game is called 'chess'", "netwerk, tictactoe")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("nonsense", ["nonsense"]),
        ("--nonsense", ["--nonsense"]),
        ("games --nonsense", ["--nonsense"]),
        ("games more", ["more"]),
        ("rules netwerk more", ["more"]),
        ("analyse netwerk -z", ["-z"]),
    ],
)
def test_an_unknown_command_option_or_argument(refusal, line, parts):
    assert_says(refusal(line), *parts)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("rules", "GAME"),
        ("play", "GAME"),
        ("tournament", "GAME"),
        ("analyse", "GAME"),
        ("perft", "GAME"),
        ("perft netwerk", "DEPTH"),
        ("ratings", "FILE"),
        ("plot", "FILE"),
        ("perft netwerk 1 -p", "-p"),
        ("analyse netwerk -a", "-a"),
        ("tournament netwerk -n", "-n"),
        ("analyse netwerk --position", "--position"),
    ],
)
def test_a_missing_argument(refusal, line, part):
    assert_says(refusal(line).upper(), part.upper())


@pytest.mark.parametrize("command", ["perft netwerk 1", "analyse netwerk", "play netwerk", TWO, "bench netwerk"])
def test_a_parameter_without_an_equals_sign(refusal, command):
    assert_says(refusal(f"{command} -p crowding"), "-p crowding", "NAME=VALUE")


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("-p =first", ["-p =first", "NAME=VALUE"]),
        ("-p ''", ["-p", "NAME=VALUE"]),
        ("-p colour=red", ["netwerk takes no 'colour'", "crowding, max_plies"]),
        ("-p name=red", ["netwerk takes no 'name'"]),
        ("-p self=red", ["netwerk takes no 'self'"]),
        ("-p crowding=nobody", ["crowding", "'nobody'", "one of both, first"]),
        ("-p crowding=", ["crowding", "''", "one of both, first"]),
        ("-p max_plies=0", ["max_plies", "'0'", "from 1 to 60000"]),
        ("-p max_plies=60001", ["max_plies", "'60001'"]),
        ("-p max_plies=2.5", ["max_plies", "'2.5'", "whole number"]),
        ("-p max_plies=many", ["max_plies", "'many'"]),
        (f"-p max_plies={'9' * 5000}", ["max_plies"]),
        ("-p max_plies=3 -p max_plies=4", ["max_plies", "twice"]),
    ],
)
def test_a_bad_parameter(refusal, given, parts):
    assert_says(refusal(f"perft netwerk 1 {given}"), *parts)


@pytest.mark.parametrize("depth", ["65", "-- -1", "three", "1.5"])
def test_a_depth_out_of_range(refusal, depth):
    assert_says(refusal(f"perft tictactoe {depth}").lower(), "depth")


@pytest.mark.parametrize("seed", ["-1", str(2**63), "x", "1.5"])
@pytest.mark.parametrize("command", ["analyse tictactoe", "play tictactoe", TWO, "ratings some.db"])
def test_a_bad_seed(refusal, command, seed):
    assert_says(refusal(f"{command} --seed {seed}"), "--seed")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "x"])
def test_a_bad_time_for_bench(refusal, seconds):
    assert_says(refusal(f"bench tictactoe --seconds {seconds}"), "--seconds")


# --- agents -----------------------------------------------------------------------------------------------------------

BAD_AGENTS = [
    ("nobody", ["no agent is called 'nobody'", "alphabeta, greedy, mcts, random"]),
    ("''", ["spec"]),
    ("mcts:depth=3", ["mcts takes no 'depth'", "sims"]),
    ("mcts:self=3", ["mcts takes no 'self'"]),
    ("mcts:sims", ["'mcts:sims'", "option=value"]),
    ("mcts:=3", ["'=3'", "option=value"]),
    ("mcts:sims=1,sims=2", ["sims stands twice"]),
    ("mcts:sims=0", ["mcts, sims", "'0'", "from 1"]),
    ("mcts:sims=lots", ["mcts, sims", "'lots'"]),
    ("mcts:c=nan", ["mcts, c", "'nan'"]),
    ("mcts:time=inf", ["mcts, time", "'inf'"]),
    ("mcts:solver=maybe", ["mcts, solver", "true or false"]),
    ("alphabeta:depth=0", ["alphabeta, depth", "'0'"]),
    ("no.such.Bot", ["'no.such.Bot'", "No module named 'no'"]),
    ("os.path.join", ["'os.path.join'", "no subclass of gamelab.Agent"]),
]


@pytest.mark.parametrize(("spec", "parts"), BAD_AGENTS)
def test_a_bad_agent(refusal, spec, parts):
    assert_says(refusal(f"analyse tictactoe -a {spec}"), *parts)


@pytest.mark.parametrize("line", ["play tictactoe --against nobody", f"{TWO} -a nobody", f"{TWO} -a nobody --store new.db"])
def test_a_bad_agent_elsewhere(refusal, line):
    assert_says(refusal(line), "no agent is called 'nobody'")


# --- positions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["perft netwerk 1", "analyse netwerk -a random", "play netwerk --against random"])
@pytest.mark.parametrize(
    ("file", "parts"),
    [
        ("missing.txt", ["No such file"]),
        ("a-folder", ["directory"]),
        ("latin.txt", ["UTF-8", "byte 1"]),
        ("prose.txt", ["1 lines, not 9"]),
        ("empty", ["0 lines, not 9"]),
        ("letters.txt", ["line 8", "d1", "'x'"]),
        ("corner.txt", ["line 1", "a8", "White", "corner"]),
        ("goal.txt", ["line 8", "d1", "White", "goal"]),
        ("mover.txt", ["line 9", "'x'"]),
        ("ply.txt", ["line 9", "ply 999"]),
    ],
)
def test_a_bad_position_file(refusal, command, file, parts):
    assert_says(refusal(f"{command} --position {file}"), file, *parts)


def test_a_position_that_cannot_be_in_tictactoe(refusal):
    assert_says(refusal("perft tictactoe 1 --position turns.txt"), "turns.txt", "3 x and 0 o")


def test_a_bad_position_on_standard_input(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("nonsense"))
    assert_says(refusal("perft netwerk 1 --position -"), "not 9")


def test_standard_input_that_is_no_text(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))
    assert_says(refusal("perft netwerk 1 --position -"), "UTF-8")


# --- play -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["2", "-1", "white"])
def test_a_seat_out_of_range(refusal, seat):
    assert_says(refusal(f"play netwerk --against random --as {seat}"), "--as")


def test_moves_and_position_cannot_both_be_standard_input(refusal):
    assert_says(refusal("play netwerk --position -"), "--position -", "name a file")


# --- tournaments and their stores -------------------------------------------------------------------------------------


@pytest.fixture
def stored(folder, capsys):
    """A tournament of four games in `stored.db`."""
    assert run(shlex.split(f"{TWO} --store stored.db")) == 0
    capsys.readouterr()
    return folder / "stored.db"


@pytest.mark.parametrize("where", ["", "--store new.db"])
@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("-n 3", ["3", "even"]),
        ("-n 0", ["0", "even"]),
        ("-n -2", ["-2", "even"]),
        ("-n many", ["'-n'"]),
        ("-a random", ["random", "twice"]),
        ("-a mcts:c=0.5 -a mcts:c=.5", ["mcts:c=0.5", "twice"]),
        ("--workers 0", ["--workers"]),
        ("--workers 5000", ["workers", "5000", "1024"]),
        ("--openings -1", ["--openings"]),
        ("--openings 100000", ["opening", "100000"]),
        ("--move-limit 0", ["move", "limit", "0"]),
        ("--move-limit nan", ["move", "limit", "nan"]),
        ("--move-limit inf", ["move", "limit", "inf"]),
        ("-p crowding=both", ["tictactoe takes no 'crowding'"]),
    ],
)
def test_a_tournament_that_cannot_be(refusal, given, parts, where):
    assert_says(refusal(f"{TWO} {given} {where}"), *parts)


def test_a_tournament_of_one_agent(refusal):
    assert_says(refusal("tournament tictactoe -n 2 -a random"), "two agents", "1")


@pytest.mark.parametrize(
    ("store", "part"),
    [("a-folder", ""), ("no-folder/new.db", ""), ("prose.txt", "not a database"), ("other.db", "no store of a gamelab")],
)
def test_a_store_that_cannot_be_written(refusal, store, part):
    assert_says(refusal(f"{TWO} --store {store}"), store, part)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (f"{TWO} --seed 2", ["seed is 1 there and 2 here"]),
        (f"{TWO} --openings 1", ["opening_plies is 0 there and 1 here"]),
        (f"{TWO} --move-limit 9", ["move_limit is None there and 9.0 here"]),
        (f"{TWO} -a mcts", ["agents is ['random', 'greedy'] there"]),
        (f"{TWO} -n 2", ["4 games, more than the 2 asked for"]),
        ("tournament netwerk -n 4 -a random -a greedy", ["game is 'tictactoe' there and 'netwerk' here"]),
    ],
)
def test_a_store_of_another_tournament(refusal, stored, line, parts):
    assert_says(refusal(f"{line} --store stored.db"), "stored.db", *parts)


@pytest.mark.parametrize("command", ["ratings", "plot"])
@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("missing.db", "no such file"),
        ("a-folder", ""),
        ("prose.txt", "not a database"),
        ("other.db", "no store of a gamelab"),
        ("empty", "no store of a gamelab"),
    ],
)
def test_a_file_that_is_no_store(refusal, command, file, part):
    assert_says(refusal(f"{command} {file}"), file, part)


def damage(store, statement):
    with sqlite3.connect(store) as database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize("command", ["ratings", "plot"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET moves = 'nonsense' WHERE game_id = 2",
        "UPDATE games SET opponents = '[]'",
        "UPDATE games SET returns = '{}'",
        "UPDATE games SET returns = '[]'",
        "UPDATE games SET first = 'somebody else'",
        "UPDATE meta SET value = '{}' WHERE key = 'setup'",
        "UPDATE meta SET value = '[' WHERE key = 'setup'",
        "UPDATE meta SET value = '99' WHERE key = 'format'",
        "DELETE FROM meta WHERE key = 'setup'",
        "DROP TABLE games",
    ],
)
def test_a_damaged_store(refusal, stored, command, statement):
    damage(stored, statement)
    assert_says(refusal(f"{command} stored.db"), "stored.db")


@pytest.mark.parametrize("command", ["ratings", "plot"])
def test_a_store_without_games(refusal, stored, command):
    damage(stored, "DELETE FROM games")
    assert_says(refusal(f"{command} stored.db"), "stored.db", "no game was")


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ("--confidence 0", "--confidence"),
        ("--confidence 1", "--confidence"),
        ("--confidence nan", "--confidence"),
        ("--confidence x", "--confidence"),
        ("--bootstrap -1", "--bootstrap"),
        ("--bootstrap 1000001", "--bootstrap"),
    ],
)
def test_a_bad_option_of_ratings(refusal, stored, given, part):
    assert_says(refusal(f"ratings stored.db {given}"), part)


# --- plots ------------------------------------------------------------------------------------------------------------


def test_an_unknown_plot_kind(refusal, stored):
    assert_says(refusal("plot stored.db --kind pie"), "'pie'", "crosstable, lengths, ratings")


def test_one_file_for_several_plots(refusal, stored):
    assert_says(refusal("plot stored.db -o all.png"), "--out", "--kind")


@pytest.mark.parametrize("target", ["a-folder", "no-folder/new.png", "prose.txt/new.png", ".", "..", "/"])
def test_a_plot_target_that_cannot_be_written(refusal, stored, target):
    assert_says(refusal(f"plot stored.db --kind lengths -o {target}"), target)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to(refusal, stored, folder):
    (folder / "a-folder").chmod(0o500)
    assert_says(refusal("plot stored.db --kind lengths -o a-folder/new.png"), "a-folder/new.png", "denied")
    assert_says(refusal(f"{TWO} --store a-folder/new.db"), "a-folder/new.db")
