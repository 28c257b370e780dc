"""The command line: what it prints, and one line and status 2 for anything bad."""

import io
import json

import pytest

from gamelab.cli import run


def test_games_and_perft_as_json(capsys):
    assert run(["games", "--json"]) == 0
    assert {"netwerk", "tictactoe"} <= {game["name"] for game in json.loads(capsys.readouterr().out)}
    assert run(["perft", "tictactoe", "4", "--json"]) == 0
    counts = [row["sequences"] for row in json.loads(capsys.readouterr().out)["perft"]]
    assert counts == [9, 72, 504, 3024]


def test_a_tournament_its_report_and_its_plots(tmp_path, capsys):
    store = tmp_path / "t.db"
    command = ["tournament", "tictactoe", "-a", "random", "-a", "greedy", "-n", "20", "--store", str(store), "--workers", "1"]
    assert run(command) == 0
    report = capsys.readouterr().out
    for expected in ("Ratings", "First player:", "Game length:", "Distinct games:", str(store), "gamelab plot"):
        assert expected in report
    assert run(["ratings", str(store), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 20
    assert run(["plot", str(store), "--kind", "lengths"]) == 0
    assert (tmp_path / "t-lengths.png").stat().st_size > 1000


def test_a_person_can_play(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\nzz\nb2\nhint\nundo\ntext\nresign\n"))
    assert run(["play", "tictactoe", "--against", "random"]) == 0
    shown = capsys.readouterr().out
    assert "no move of tictactoe" in shown
    assert "You resign." in shown


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("nonsense", "nonsense"),
        ("rules chess", "no game is called 'chess'; known: connectfour, hacktrick, kreuzquer, kuhn, "),
        ("perft netwerk x", "DEPTH"),
        ("perft netwerk 2 -p size=3", "known: crowding, max_plies"),
        ("perft netwerk 2 -p size", "not NAME=VALUE"),
        ("perft netwerk 2 --position nowhere.txt", "nowhere.txt"),
        ("tournament netwerk -a mcts:sims=0 -a random", "sims"),
        ("tournament netwerk -a mcts:depth=3 -a random", "known: bias, c"),
        ("tournament netwerk -n 3", "even number"),
        ("tournament netwerk --workers 0", "--workers"),
        ("play netwerk --as 2", "players 0 to 1"),
        ("ratings nowhere.db", "nowhere.db"),
        ("plot nowhere.db", "nowhere.db"),
        ("analyse netwerk -a nobody", "known: alphabeta"),
    ],
)
def test_bad_input_is_one_line_and_status_2(command, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(command.split()) == 2
    told = capsys.readouterr()
    assert told.err.startswith("gamelab: ")
    assert told.err.count("\n") == 1
    assert message in told.err
    assert told.out == ""
