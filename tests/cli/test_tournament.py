"""Tournaments from the command line: stores that go on, reports, plots."""

import json
import os
import time
from pathlib import Path

import pytest

import gamelab
from gamelab.cli import run

TWO = "tournament tictactoe -a random -a greedy --workers 1"
PNG = b"\x89PNG\r\n\x1a\n"
WEBS = Path(gamelab.__file__).parent / "games" / "spiderwars" / "webs"
KINDS = ("ratings", "crosstable", "lengths")


def games_of(path):
    """Who played whom with which moves, without the clock."""
    return [(record.pairing, record.moves, record.returns) for record in gamelab.open_result(path).records]


@pytest.fixture
def bots(monkeypatch, folder):
    """A module with agents that fail, to be named in specs; its name."""
    (folder / "lib").mkdir()
    (folder / "lib" / "badbots.py").write_text("""
import gamelab

class Broken(gamelab.Agent):
    name = "badbots.Broken"
    def warm_up(self, game): pass
    def choose(self, state, rng): raise RuntimeError("out of ideas")

class Illegal(Broken):
    name = "badbots.Illegal"
    def choose(self, state, rng): return 8 if state.history() else 0
""")
    monkeypatch.syspath_prepend(folder / "lib")
    return "badbots"


# --- playing ----------------------------------------------------------------------------------------------------------


def test_without_a_name_the_store_is_a_new_file_each_time(command, folder, monkeypatch):
    monkeypatch.setattr(time, "strftime", lambda form: "2030-01-02-030405")
    (folder / "tournaments").mkdir()
    (folder / "tournaments" / "tictactoe-2030-01-02-030405.db").write_text("precious")
    out = command(f"{TWO} -n 2")
    command(f"{TWO} -n 2")
    names = ["tictactoe-2030-01-02-030405-2.db", "tictactoe-2030-01-02-030405-3.db", "tictactoe-2030-01-02-030405.db"]
    assert sorted(path.name for path in (folder / "tournaments").iterdir()) == names
    assert (folder / "tournaments" / names[2]).read_text() == "precious"
    assert f"\nStore: tournaments/{names[0]}\n" in out


def test_the_report_has_it_all(command):
    lines = command(f"{TWO} -n 6 --store 'my games.db' --openings 1").splitlines()
    starts = [
        "tictactoe, seed 1, 1 random plies at the start: 6 games",
        "Row's share",
        "Ratings: ",
        "First player: ",
        "First-move advantage: ",
        "Game length: ",
        "Distinct games: 6 of 6",
        "Endings: three in line (6)",
        "Store: my games.db",
        "Plots: gamelab plot 'my games.db'",
        "This report again: gamelab ratings 'my games.db'",
    ]
    for start in starts:
        assert any(line.startswith(start) for line in lines), start
    assert [line.split()[:2] for line in lines if line.startswith(" 1")] == [["1", "greedy"]] * 2


def test_the_default_bots_play(from_json):
    found = from_json("tournament tictactoe -n 12 --workers 1 --store my.db")
    assert found["agents"] == ["random", "greedy", "mcts:sims=1000", "alphabeta:depth=3"]
    assert found["games_between"][0] == [0, 2, 2, 2]


def test_games_do_not_depend_on_the_number_of_processes(command):
    for workers in (1, 2):
        command(f"tournament tictactoe -a random -a mcts:sims=20 -n 8 --workers {workers} --store {workers}.db")
    assert games_of("1.db") == games_of("2.db")


def test_parameters_of_the_game_are_kept(command):
    command("tournament netwerk -a random -a mcts:sims=2 -n 2 -p max_plies=3 --workers 1 --store my.db")
    assert gamelab.open_result("my.db").setup.parameters == {"crowding": "both", "max_plies": 3}
    assert "max_plies=3" in command("ratings my.db")


def test_agents_that_repeat_themselves_are_told_on(command):
    line = "tournament tictactoe -a alphabeta:depth=2 -a alphabeta:depth=3 -n 8 --workers 1"
    assert "Distinct games: 2 of 8\nAgents repeat themselves, so intervals are too narrow: try --openings 4." in command(line)
    assert "Agents repeat themselves" not in command(f"{line} -n 2")


def test_budgets_of_time_are_told_on(command):
    out = command("tournament tictactoe -a mcts:time=0.001 -a greedy -n 2 --workers 1 --store my.db")
    assert "Budgets of time (mcts:time=0.001): another run plays other games." in out


def test_forfeits_are_told_with_reasons(command, from_json, bots):
    out = command(f"tournament tictactoe -a random -a {bots}.Broken -a {bots}.Illegal -n 6 --workers 1 --store my.db")
    assert "Forfeits: 6\n  game 0: badbots.Broken raised RuntimeError: out of ideas\n" in out
    assert "badbots.Illegal played an illegal move" in out
    assert "Endings" not in out
    assert from_json("ratings my.db")["forfeits"] == 6


def test_agents_that_never_met_are_said_not_to_be_comparable(command):
    out = command("tournament tictactoe -a random -a greedy -a mcts:sims=5 -n 2 --workers 1 --store my.db")
    assert "cannot be compared" in out


# --- going on ---------------------------------------------------------------------------------------------------------


def test_a_store_is_continued_and_not_played_again(command):
    command(f"{TWO} -n 4 --store short.db")
    before = gamelab.open_result("short.db").records
    command(f"{TWO} -n 8 --store short.db")
    assert gamelab.open_result("short.db").records[:4] == before  # seconds included
    command(f"{TWO} -n 8 --store long.db")
    assert games_of("short.db") == games_of("long.db")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{TWO} -n 4 --seed 2", "my.db: holds another tournament: seed is 1 there and 2 here"),
        (f"{TWO} -n 4 --openings 1", "opening_plies is 0 there and 1 here"),
        (f"{TWO} -n 4 -a mcts", "my.db: holds another tournament: agents: only here mcts"),
        (f"{TWO} -n 2", "4 games, more than the 2 asked for"),
    ],
)
def test_a_store_of_another_tournament_is_refused(command, refusal, line, message):
    command(f"{TWO} -n 4 --store my.db")
    assert message in refusal(f"{line} --store my.db")


def test_a_store_of_other_rules_is_refused(command, refusal, folder):
    web = folder / "my.toml"
    web.write_text((WEBS / "mini.toml").read_text())
    line = "tournament spiderwars -a random -a greedy --workers 1 -p web=my.toml -p max_turns=20 --store my.db -n"
    command(f"{line} 2")
    web.write_text((WEBS / "standard.toml").read_text())
    assert "my.db: its games were played by other rules" in refusal(f"{line} 4")


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_ratings_prints_the_report_again(command, from_json):
    assert command(f"{TWO} -n 6 --store my.db") == command("ratings my.db")
    assert from_json(f"{TWO} -n 6 --store my.db") == from_json("ratings my.db")


def test_confidence_widens_the_intervals(command, from_json):
    command(f"{TWO} -n 6 --store my.db")
    rows = [from_json(f"ratings my.db --confidence {confidence}")["ratings"][0] for confidence in (0.5, 0.95, 0.999)]
    widths = [row["high"] - row["low"] for row in rows]
    assert widths == sorted(widths)
    assert "99.9 % intervals by hessian" in command("ratings my.db --confidence 0.999")


def test_a_bootstrap_is_settled_by_its_seed(command, from_json):
    command(f"{TWO} -n 60 --store my.db")
    first, again, other = (from_json(f"ratings my.db --bootstrap 50 --seed {seed}") for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert "intervals by bootstrap" in command("ratings my.db --bootstrap 50")


def test_an_incomplete_tournament_is_said_to_be(command):
    command(f"{TWO} -n 4 --store my.db")
    with gamelab.arena.store.Store("my.db") as store:
        result = gamelab.open_result("my.db")
        store.begin(result.setup, 10, result.budgets)
    out = command("ratings my.db")
    assert "4 of 10 games, incomplete" in out
    assert "Incomplete: 6 games are missing" in out


# --- plots ------------------------------------------------------------------------------------------------------------


def test_plot_draws_all_beside_the_store_and_says_where(command, folder):
    (folder / "deep").mkdir()
    command(f"{TWO} -n 4 --store deep/my.db")
    names = [f"deep/my-{kind}.png" for kind in KINDS]
    (folder / names[0]).write_text("an older picture")
    assert command("plot deep/my.db").split() == names
    assert all((folder / name).read_bytes().startswith(PNG) for name in names)
    assert len([*(folder / "deep").iterdir()]) == 4  # nothing half written is left


@pytest.mark.parametrize("kind", KINDS)
def test_plot_draws_one_kind_where_it_is_told(command, folder, kind):
    command(f"{TWO} -n 4 --store my.db")
    assert command(f"plot my.db --kind {kind} -o 'a picture.png'") == "a picture.png\n"
    assert (folder / "a picture.png").read_bytes().startswith(PNG)


def test_where_one_figure_cannot_be_drawn_none_is_written(command, bots, folder, capsys):
    command(f"tournament tictactoe -a {bots}.Broken -a {bots}.Illegal -n 2 --workers 1 --store my.db")
    assert run(["plot", "my.db"]) == 2
    assert capsys.readouterr().err == "gamelab: my.db: no game was finished\n"
    assert [*folder.glob("*.png")] == []
    assert json.loads(command("ratings my.db --json"))["lengths"] is None


@pytest.mark.parametrize("target", ["a-folder", "no-folder/new.png", ".", "a-pipe"])
def test_a_plot_that_cannot_be_written(command, refusal, folder, target):
    (folder / "a-folder").mkdir()
    os.mkfifo(folder / "a-pipe")  # as a device: it must still be there afterwards
    command(f"{TWO} -n 4 --store my.db")
    assert refusal(f"plot my.db --kind lengths -o {target}").startswith(f"{target}: ")
    assert not (folder / "a-pipe").is_file()


def test_several_plots_are_not_one_file(command, refusal):
    command(f"{TWO} -n 4 --store my.db")
    assert "--kind" in refusal("plot my.db -o all.png")
    assert "'pie'; known: all, crosstable, lengths, ratings, scores" in refusal("plot my.db --kind pie")
