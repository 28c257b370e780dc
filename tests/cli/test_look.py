"""The commands that only look: games, rules, agents, perft, analyse, bench."""

import io
import sys

import pytest

import gamelab
from gamelab.cli import analyse

WON_BY_X = "xxx\noo.\n...\n"
X_WINS_AT_C3 = "xx.\noo.\n...\n"
COMMANDS = ["games", "rules", "agents", "play", "tournament", "ratings", "plot", "analyse", "perft", "bench"]


@pytest.fixture
def position(folder):
    """Writes a position into a file; its name."""

    def write(text):
        (folder / "a position.txt").write_text(text)
        return "'a position.txt'"

    return write


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_and_has_help(command, name):
    assert f"\n  {name} " in command("--help")
    assert f"Usage: gamelab {name} " in command(f"{name} --help")


def test_without_a_command_there_is_help(command):
    assert command("") == command("--help")


def test_version(command):
    assert command("--version") == f"gamelab {gamelab.__version__}\n"


@pytest.mark.parametrize("name", ["tournament", "play", "analyse"])
def test_help_shows_examples_line_by_line(command, name):
    assert f"\n    gamelab {name} netwerk\n" in command(f"{name} --help") or name == "analyse"
    assert f"\n    gamelab {name} netwerk -" in command(f"{name} --help")


# --- games, rules, agents ---------------------------------------------------------------------------------------------


def test_games_lists_parameters_with_defaults_and_what_they_take(command):
    assert "crowding=both (one of both, first); max_plies=200 (a whole number from 1 to 60000)" in command("games")


def test_games_as_json(from_json):
    found = {game["name"]: game for game in from_json("games")}
    assert sorted(found) == sorted(gamelab.game_names())
    assert found["tictactoe"] == {
        "name": "tictactoe", "title": "Tic-tac-toe", "players": 2, "chance": "deterministic", "hidden_information": False,
        "parameters": {},
    }  # fmt: skip
    assert found["netwerk"]["parameters"]["max_plies"]["default"] == 200


@pytest.mark.parametrize("name", gamelab.game_names())
def test_rules_are_those_of_the_game_with_all_its_parameters(command, name):
    game = gamelab.load(name)
    out = command(f"rules {name}")
    assert out.startswith(game.rules_text)
    assert all(f"Parameter {parameter}: " in out for parameter in game.parameter_specs)


def test_agents_are_listed_with_their_options(command, from_json):
    lines = command("agents").splitlines()
    assert any(line.startswith("mcts: ") for line in lines)
    assert "    solver: back up proven wins and losses; true or false, default true" in lines
    found = {agent["name"]: agent["options"] for agent in from_json("agents")}
    assert found["random"] == {}
    assert found["mcts"]["solver"]["default"] is True


# --- perft ------------------------------------------------------------------------------------------------------------


def test_perft_counts_every_depth(command):
    rows = [line.split() for line in command("perft tictactoe 4").splitlines()]
    counts = [row[1] for row in rows if len(row) == 3 and row[0].isdigit()]
    assert counts == ["9", "72", "504", "3,024"]


def test_perft_divide_adds_up(from_json, command):
    found = from_json("perft tictactoe 4 --divide")
    assert len(found["divide"]) == 9
    assert sum(found["divide"].values()) == found["perft"][-1]["sequences"] == 3024
    assert "b2" in command("perft tictactoe 2 --divide")


def test_perft_with_a_parameter_and_from_a_position(from_json, position):
    # After one ply the game is drawn.
    assert [row["sequences"] for row in from_json("perft netwerk 3 -p max_plies=1")["perft"]] == [48, 0, 0]
    assert [row["sequences"] for row in from_json(f"perft tictactoe 2 --position {position(X_WINS_AT_C3)}")["perft"]] == [5, 16]


# --- analyse ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["random", "greedy", "mcts:sims=50", "alphabeta:depth=2"])
def test_every_agent_analyses(from_json, command, agent):
    found = from_json(f"analyse tictactoe -a {agent}")
    assert (found["game"], found["agent"], found["player"]) == ("tictactoe", agent, 0)
    assert found["position"] == "...\n...\n..."
    assert found["best"] in [column + row for row in "123" for column in "abc"]
    assert f"Best for x: {found['best']}, " in command(f"analyse tictactoe -a {agent}")


def test_a_position_comes_from_a_file_or_standard_input(from_json, command, position, monkeypatch):
    line = f"analyse tictactoe --position {position(X_WINS_AT_C3)} -a alphabeta:depth=4"
    found = from_json(line)
    assert (found["best"], found["end_in"], found["value"], found["principal_variation"]) == ("c3", 1, 1, ["c3"])
    assert "Best for x: c3, wins in 1 ply\nExpected: c3\n" in command(line)
    monkeypatch.setattr(sys, "stdin", io.StringIO(X_WINS_AT_C3))
    assert from_json("analyse tictactoe --position - -a alphabeta:depth=4")["best"] == "c3"


def test_what_is_proven_is_said_to_be_certain(command, position):
    """MCTS knows how far off the end is, the solver only that it is won."""
    for agent, said in (("mcts:sims=500", "wins in 1 ply"), ("solver", "a certain win")):
        out = command(f"analyse tictactoe --position {position(X_WINS_AT_C3)} -a {agent}")
        assert f"Best for x: c3, {said}\n" in out


def test_chance_is_drawn_by_the_seed_before_a_player_is_asked(command, from_json):
    line = "analyse kuhn -a ismcts:sims=50 --seed"
    first, again = from_json(f"{line} 1"), from_json(f"{line} 1")
    assert (first["chance"], first["position"]) == (again["chance"], again["position"])
    cards = [name.removeprefix("deal ") for name in first["chance"]]
    assert first["position"] == " ".join(cards)
    assert len({from_json(f"{line} {seed}")["position"] for seed in range(2, 12)}) > 1
    assert f"Chance is to act; drawn by --seed 1: deal {cards[0]}, deal {cards[1]}\n\n" in command(f"{line} 1")
    assert from_json("analyse tictactoe -a random")["chance"] == []


@pytest.mark.parametrize(("game", "agent"), [("tictactoe", "alphabeta"), ("kuhn", "ismcts"), ("kreuzquer", "mcts")])
def test_who_is_asked_by_default_can_play_the_game(from_json, monkeypatch, game, agent):
    for name in ("ANALYST", "ANALYST_OF_CHANCE", "ANALYST_IN_THE_DARK"):
        monkeypatch.setattr(analyse, name, getattr(analyse, name).replace("time=2", "time=0.05"))
    assert from_json(f"analyse {game}")["agent"] == f"{agent}:time=0.05"


def test_ten_moves_are_compared_or_all(command):
    for option, shown in (("", 10), (" --all", 48)):
        lines = command(f"analyse netwerk -a mcts:sims=200{option}").splitlines()
        assert sum(line.endswith(" visits") for line in lines) == shown


def test_an_agent_without_an_opinion_shows_none(command):
    assert command("analyse tictactoe -a random").rstrip().endswith("without an estimate")


def test_a_position_that_is_over_is_said_to_be(command, from_json, position):
    file = position(WON_BY_X)
    assert "The game is over: three in line; returns [1.0, -1.0]" in command(f"analyse tictactoe --position {file}")
    assert from_json(f"analyse tictactoe --position {file}") == {
        "game": "tictactoe", "position": WON_BY_X.strip(), "returns": [1, -1], "ending": "three in line",
    }  # fmt: skip


def test_the_seed_settles_an_analysis(from_json):
    def found(seed):
        return {**from_json(f"analyse netwerk -a mcts:sims=200 --seed {seed}"), "seconds": 0}

    assert found(5) == found(5)
    assert found(5) != found(6)


# --- bench ------------------------------------------------------------------------------------------------------------


def test_bench_measures(from_json, command):
    figures = from_json("bench tictactoe --seconds 0.01")
    assert [figure["unit"] for figure in figures] == ["games/s", "plies/s", "simulations/s", "nodes/s", "plies"]
    assert all(0 < figure["low"] <= figure["median"] <= figure["high"] for figure in figures)
    assert "compares with a C twin" in command("bench tictactoe --seconds 0.01")
