"""Bad input of every kind: exit status 2, one line on standard error that says what and where, and nothing written."""

import io
import os
import shlex
import sqlite3
import sys

import pytest

from gamelab.cli.errors import exit_status

TWO = "tournament tictactoe -n 4 -a random -a greedy --workers 1"


@pytest.fixture
def files(folder):
    """The current folder, with files that are not what they should be."""
    (folder / "a-folder").mkdir()
    (folder / "latin.txt").write_bytes("Zürich".encode("latin-1"))
    (folder / "prose.txt").write_text("Once upon a time\n")
    (folder / "empty").write_text("")
    os.mkfifo(folder / "a-pipe")
    (folder / "long.txt").write_text("." * (1 << 21))
    (folder / "corner.txt").write_text("W.......\n" + "........\n" * 7 + "W\n")
    with sqlite3.connect(folder / "other.db") as other:
        other.execute("CREATE TABLE songs (title)")
    other.close()
    return folder


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "No such command 'nonsense'; see `gamelab --help`"),
        ("--nonsense", "No such option: --nonsense; see `gamelab --help`"),
        ("games --nonsense", "No such option: --nonsense; see `gamelab games --help`"),
        ("rules netwerk more", "(more)"),
        ("rules", "Missing argument 'GAME'"),
        ("perft netwerk", "Missing argument 'DEPTH'"),
        ("perft netwerk 1 -p", "'-p'"),
        ("perft tictactoe 65", "'DEPTH'"),
        ("perft tictactoe -- -1", "'DEPTH'"),
        ("bench tictactoe --seconds nan", "'--seconds'"),
        ("analyse tictactoe --seed -1", "'--seed'"),
        (f"analyse tictactoe --seed {2**63}", "'--seed'"),
        ("play netwerk --as white", "'--as'"),
        ("play netwerk --position -", "standard input is for your moves"),
    ],
)
def test_a_command_line_that_cannot_be_read(refusal, line, message):
    assert message in refusal(line)


@pytest.mark.parametrize("command", ["rules", "play", "tournament", "analyse", "bench"])
def test_an_unknown_game(refusal, command):
    assert (
        refusal(f"{command} chess")
        == "no game is called 'chess'; known: connectfour, hacktrick, kreuzquer, kuhn, netwerk, spiderwars, tictactoe, web"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("-p crowding", "-p crowding: not NAME=VALUE"),
        ("-p =first", "-p =first: not NAME=VALUE"),
        ("-p max_plies=3 -p max_plies=4", "max_plies is given twice"),
        ("-p colour=red", "netwerk takes no 'colour'; known: crowding, max_plies"),
        ("-p self=red", "netwerk takes no 'self'"),
        ("-p name=red", "netwerk takes no 'name'"),
        ("-p crowding=nobody", "netwerk, crowding: 'nobody' is not one of both, first"),
        ("-p max_plies=2.5", "netwerk, max_plies: '2.5' is not a whole number from 1 to 60000"),
    ],
)
@pytest.mark.parametrize("command", ["perft netwerk 1", "play netwerk", "tournament netwerk", "bench netwerk"])
def test_a_bad_parameter(refusal, command, given, message):
    assert message in refusal(f"{command} {given}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "nobody",
            "no agent is called 'nobody'; known: alphabeta, expectimax, greedy, ismcts, mcts, pimc, random, rollout, solver",
        ),
        ("mcts:depth=3", "mcts takes no 'depth'"),
        ("mcts:sims", "'sims' is not option=value"),
        ("mcts:sims=0", "mcts, sims: '0'"),
        ("mcts:,,", "agent spec 'mcts:,,': option 1 is empty"),
        ("mcts:sims=5,", "agent spec 'mcts:sims=5,': option 2 is empty"),
        ("mcts:", "agent spec 'mcts:': no option behind the colon"),
        ("cheat:mcts:", "agent spec 'mcts:': no option behind the colon"),
        ("alphabeta:memory=1048576", "the option memory allows it 1048576 MiB: give less"),
        ("no.such.Bot", "No module named 'no'"),
    ],
)
@pytest.mark.parametrize(
    "command", ["analyse tictactoe -a", "play tictactoe --against", f"{TWO} -a", f"{TWO} --store new.db -a"]
)
def test_a_bad_agent(refusal, command, spec, message):
    assert message in refusal(f"{command} {spec}")


@pytest.mark.parametrize("agent", ["ismcts:sims=2000000000", "mcts", "expectimax", "solver", "pimc"])
def test_more_memory_than_there_is(refusal, agent):
    spec = f"{agent}{',' if ':' in agent else ':'}memory=1048576"
    message = refusal(f"analyse tictactoe -a {spec}")
    assert message.startswith(f"{spec}: there is not as much memory as it asks for, and the option memory allows it")
    assert len(message) < 250


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("''", "--position: '' names no file"),
        ("missing.txt", "missing.txt: No such file or directory"),
        ("a-folder", "a-folder: Is a directory"),
        ("latin.txt", "latin.txt: not a text file in UTF-8 (invalid start byte at byte 1)"),
        ("prose.txt", "prose.txt: netwerk position: 1 lines, not 9"),
        ("corner.txt", "corner.txt: netwerk position, line 1, a8: White may never stand there"),
        ("long.txt", "long.txt: more than 1,048,576 characters"),
    ],
)
@pytest.mark.parametrize("command", ["perft netwerk 1", "analyse netwerk -a random", "play netwerk --against random"])
def test_a_bad_position_file(refusal, files, command, file, message):
    assert refusal(f"{command} --position {file}").startswith(message)


def test_a_bad_position_on_standard_input(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))
    assert "-: not a text file in UTF-8" in refusal("perft netwerk 1 --position -")
    monkeypatch.setattr(sys, "stdin", io.StringIO("nonsense"))
    assert "-: netwerk position: 1 lines" in refusal("perft netwerk 1 --position -")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("-n 3", "even number"),
        ("-n 0", "even number"),
        ("-n 100000000", "'-n'"),
        ("-a random", "these stand twice: random"),
        ("--workers 0", "'--workers'"),
        ("--workers 5000", "workers: 5000"),
        ("--move-limit nan", "move_limit: nan"),
    ],
)
@pytest.mark.parametrize("where", ["", "--store new.db"])
def test_a_tournament_that_cannot_be(refusal, given, message, where):
    assert message in refusal(f"{TWO} {given} {where}")


def test_a_tournament_of_one_agent(refusal):
    assert "two agents or more, not 1" in refusal("tournament tictactoe -n 2 -a random")


@pytest.mark.parametrize(
    ("store", "message"),
    [
        ("a-folder", "a folder, not a store; name a file"),
        ("a-pipe", "no regular file, and no store"),
        ("no-folder/new.db", "there is no folder no-folder"),
        ("prose.txt", "file is not a database"),
        ("other.db", "an SQLite file, but no store"),
    ],
)
def test_a_store_that_cannot_be_written(refusal, files, store, message):
    assert refusal(f"{TWO} --store {store}").startswith(f"{store}: {message}")


def test_a_store_without_a_name(refusal):
    assert refusal(f"{TWO} --store ''") == "'.' is no name of a file to keep games in"


def test_a_file_in_the_place_of_the_folder_for_stores(refusal, folder):
    (folder / "tournaments").write_text("")
    assert refusal(TWO) == "tournaments: File exists"


@pytest.mark.parametrize("command", ["ratings", "plot"])
@pytest.mark.parametrize("file", ["missing.db", "a-folder", "a-pipe", "prose.txt", "other.db", "empty"])
def test_a_file_that_is_no_store(refusal, files, command, file):
    assert refusal(f"{command} {file}").startswith(f"{file}: ")


@pytest.mark.parametrize("given", ["--confidence 0", "--confidence 1", "--confidence nan", "--bootstrap -1", "--seed x"])
def test_a_bad_option_of_ratings(refusal, given):
    assert given.split()[0] in refusal(f"ratings some.db {given}")


def test_what_has_no_message_is_told_by_its_name(capsys):
    def fail(error):
        raise error

    assert exit_status(lambda: fail(MemoryError())) == 2
    assert exit_status(lambda: fail(OSError(28, "No space left on device"))) == 2
    assert capsys.readouterr().err == "gamelab: out of memory\ngamelab: standard output: No space left on device\n"
    with pytest.raises(ZeroDivisionError):  # a bug of ours shows itself
        exit_status(lambda: fail(ZeroDivisionError()))


NASTY = "\x1b[31m" + "x" * 10_000 + "\x07"


@pytest.mark.parametrize(
    "line",
    [
        "{}", "--{}", "rules {}", "rules netwerk {}", "perft netwerk {}", "perft netwerk 1 -p {}", "perft netwerk 1 -p {}=1",
        "perft netwerk 1 -p crowding={}", "perft netwerk 1 --position {}", "perft web 1 -p deck={}",
        "perft web 1 -p obstacles={}", "analyse tictactoe -a {}", "analyse tictactoe -a mcts:{}=1", "play netwerk --seed {}",
        "play netwerk --against {}", TWO + " -n {}", TWO + " --store {}", TWO + " --store {}/new.db", "ratings {}", "plot {}",
        "plot some.db --kind {}",
    ],
)  # fmt: skip
def test_what_was_typed_is_never_obeyed_by_the_terminal_and_never_fills_it(refusal, line):
    message = refusal(line.format(shlex.quote(NASTY)))
    assert message.isprintable()
    assert len(message) < 600
