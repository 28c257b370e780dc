"""The commands that only look: games, rules, agents, perft, analyse, bench; their text and their JSON."""

import io
import json
import shlex
import sys

import pytest

import gamelab
from gamelab.cli import run

WON_BY_X = "xxx\noo.\n...\n"
X_WINS_AT_C3 = "xx.\noo.\n...\n"
TICTACTOE_PERFT = [9, 72, 504, 3024]


@pytest.fixture
def command(capsys, monkeypatch, tmp_path):
    """Runs a command line in an empty folder that goes well; its output."""
    monkeypatch.chdir(tmp_path)

    def call(line):
        status = run(shlex.split(line))
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return call


@pytest.fixture
def from_json(command):
    """Runs a command line with --json; what it printed, as Python objects."""
    return lambda line: json.loads(command(f"{line} --json"))


# --- games, rules, agents ---------------------------------------------------------------------------------------------


def test_games_lists_names_and_parameters(command):
    out = command("games")
    assert "netwerk" in out
    assert "tictactoe" in out
    assert "crowding=both (one of both, first)" in out


def test_games_as_json(from_json):
    found = {game["name"]: game for game in from_json("games")}
    assert sorted(found) == sorted(gamelab.game_names())
    assert found["netwerk"]["title"] == "Netwerk"
    assert found["tictactoe"]["parameters"] == {}
    crowding = found["netwerk"]["parameters"]["crowding"]
    assert sorted(crowding) == ["default", "description", "takes"]
    assert crowding["default"] == "both"
    assert found["netwerk"]["parameters"]["max_plies"]["default"] == 200


@pytest.mark.parametrize("name", gamelab.game_names())
def test_rules_are_those_of_the_game_with_all_its_parameters(command, name):
    game = gamelab.load(name)
    out = command(f"rules {name}")
    assert out.startswith(game.rules_text)
    for parameter, spec in game.parameter_specs.items():
        assert f"Parameter {parameter}: {spec.description}" in out
        assert f"default {spec.default}." in out


def test_agents_lists_each_with_its_options(command):
    out = command("agents")
    names = [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")]
    assert {"alphabeta", "greedy", "mcts", "random"} <= {*names}
    assert "    solver: back up proven wins and losses; true or false, default true" in out.splitlines()


def test_agents_as_json(from_json):
    found = {agent["name"]: agent["options"] for agent in from_json("agents")}
    assert found["random"] == {}
    assert {"sims", "time", "c", "solver"} <= {*found["mcts"]}
    assert found["mcts"]["sims"]["default"] is None
    assert found["mcts"]["solver"]["default"] is True


# --- perft ------------------------------------------------------------------------------------------------------------


def test_perft_counts_every_depth(command):
    rows = [line.split() for line in command("perft tictactoe 4").splitlines()]
    counted = [row[:2] for row in rows if len(row) == 3 and row[0].isdigit()]
    assert counted == [["1", "9"], ["2", "72"], ["3", "504"], ["4", "3,024"]]


def test_perft_as_json(from_json):
    found = from_json("perft tictactoe 4")
    assert found["game"] == "tictactoe"
    assert [row["depth"] for row in found["perft"]] == [1, 2, 3, 4]
    assert [row["sequences"] for row in found["perft"]] == TICTACTOE_PERFT
    assert all(row["seconds"] >= 0 for row in found["perft"])
    assert "divide" not in found


def test_perft_divide_adds_up(from_json):
    found = from_json("perft tictactoe 4 --divide")
    assert sorted(found["divide"]) == sorted("abc"[i % 3] + str(i // 3 + 1) for i in range(9))
    assert sum(found["divide"].values()) == TICTACTOE_PERFT[-1]


def test_perft_divide_in_text(command):
    lines = command("perft tictactoe 2 --divide").splitlines()
    assert sum(line.split() == [cell, "8"] for line in lines for cell in ("a1", "b2", "c3")) == 3


def test_perft_of_depth_0_counts_nothing(from_json):
    assert from_json("perft tictactoe 0")["perft"] == []


def test_perft_past_the_end_of_every_game_is_0(from_json):
    assert [row["sequences"] for row in from_json("perft tictactoe 11")["perft"]][-2:] == [0, 0]


def test_perft_of_netwerk_with_a_parameter(from_json):
    # After one ply the game is drawn.
    found = from_json("perft netwerk 3 -p max_plies=1 --parameter crowding=first")
    assert [row["sequences"] for row in found["perft"]] == [48, 0, 0]


def test_perft_from_a_position_file(from_json, tmp_path):
    (tmp_path / "a position.txt").write_text(X_WINS_AT_C3)
    found = from_json("perft tictactoe 2 --position 'a position.txt' --divide")
    assert [row["sequences"] for row in found["perft"]] == [5, 16]
    assert found["divide"]["c3"] == 0


def test_perft_from_standard_input(from_json, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(X_WINS_AT_C3))
    assert from_json("perft tictactoe 1 --position -")["perft"][0]["sequences"] == 5


# --- analyse ----------------------------------------------------------------------------------------------------------

ANALYSIS = {
    "game", "position", "agent", "player", "best", "value", "proven", "end_in", "principal_variation", "visits", "scores",
    "nodes", "seconds",
}  # fmt: skip


@pytest.mark.parametrize("agent", ["random", "greedy", "mcts:sims=50", "alphabeta:depth=2"])
def test_every_agent_analyses_as_json(from_json, agent):
    found = from_json(f"analyse tictactoe -a {agent}")
    assert {*found} >= ANALYSIS
    assert (found["game"], found["agent"], found["player"]) == ("tictactoe", agent, 0)
    assert found["position"] == "...\n...\n..."
    assert -1 <= found["value"] <= 1
    cells = {"abc"[i % 3] + str(i // 3 + 1) for i in range(9)}
    assert found["best"] in cells
    assert {*found["scores"], *found["visits"], *found["principal_variation"]} <= cells


def test_visits_of_mcts_add_up_to_its_simulations(from_json):
    found = from_json("analyse netwerk -a mcts:sims=300")
    assert found["nodes"] == 300
    assert sum(found["visits"].values()) == 300


def test_a_win_in_one_is_found(command, from_json, tmp_path):
    (tmp_path / "win.txt").write_text(X_WINS_AT_C3)
    found = from_json("analyse tictactoe --position win.txt -a alphabeta:depth=4")
    assert (found["best"], found["end_in"], found["value"]) == ("c3", 1, 1)
    assert found["principal_variation"] == ["c3"]
    assert "Best for x: c3, wins in 1 plies" in command("analyse tictactoe --position win.txt -a alphabeta:depth=4")


def test_analyse_shows_board_best_move_and_ten_moves(command):
    lines = command("analyse netwerk -a mcts:sims=200").splitlines()
    assert any(line.startswith("Best for White: ") for line in lines)
    assert "White to move; in hand: White 10, Black 10; ply 0" in lines
    assert sum(line.endswith(" visits") for line in lines) == 10


def test_analyse_all_shows_every_move(command):
    lines = command("analyse netwerk -a mcts:sims=200 --all").splitlines()
    assert sum(line.endswith(" visits") for line in lines) == 48


def test_the_same_seed_gives_the_same_analysis(from_json):
    def found(seed):
        analysis = from_json(f"analyse netwerk -a mcts:sims=200 --seed {seed}")
        del analysis["seconds"]
        return analysis

    assert found(5) == found(5)
    assert found(5) != found(6)


def test_the_largest_seed_is_taken(from_json):
    assert from_json(f"analyse tictactoe -a random --seed {2**63 - 1}")["best"]


def test_a_position_that_is_over_is_said_to_be(command, from_json, tmp_path):
    (tmp_path / "won.txt").write_text(WON_BY_X)
    assert "The game is over: three in line; returns [1.0, -1.0]" in command("analyse tictactoe --position won.txt")
    found = from_json("analyse tictactoe --position won.txt")
    assert found == {"game": "tictactoe", "position": WON_BY_X.strip(), "returns": [1, -1], "ending": "three in line"}


# --- bench, version ---------------------------------------------------------------------------------------------------


def test_bench_measures_as_json(from_json):
    figures = from_json("bench tictactoe --seconds 0.01")
    assert {"random games", "MCTS from the start", "alpha-beta from the start"} <= {f["name"] for f in figures}
    for figure in figures:
        assert sorted(figure) == ["compile_seconds", "high", "low", "median", "name", "unit"]
        assert 0 <= figure["low"] <= figure["median"] <= figure["high"]


def test_bench_prints_a_table(command):
    out = command("bench tictactoe --seconds 0.01")
    assert "Tic-tac-toe on one core" in out
    assert "simulations/s" in out


def test_version(command):
    assert command("--version") == f"gamelab {gamelab.__version__}\n"


@pytest.mark.parametrize(
    "name", ["games", "rules", "agents", "play", "tournament", "ratings", "plot", "perft", "analyse", "bench"]
)
def test_every_command_has_help_and_is_listed(command, name):
    assert f"Usage: gamelab {name}" in command(f"{name} --help")
    assert f"\n  {name} " in command("--help")
