"""The scripts run, on small budgets, and say what is wrong with what they are given."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gamelab.games.kreuzquer.evaluation import WEIGHTS

ROOT = Path(__file__).resolve().parents[2]


def run(line, status=0):
    name, *words = line.split()
    done = subprocess.run([sys.executable, ROOT / "scripts" / name, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_options_are_tuned_alike_by_any_number_of_workers():
    line = (
        "tune_options.py tictactoe mcts:sims=30 --try c=0.1,2 --try rave=none,9 --candidates 3 --pairs 12 --confirm 6 --seed 3"
    )
    one, two = (run(f"{line} --workers {workers}") for workers in (1, 2))
    assert one == two
    assert "round 2 of 2" in one
    assert "against mcts:sims=30: 6 pairs, seed 1000003" in one


def test_weights_move_alike_on_any_number_of_workers():
    line = "tune_evaluation.py --steps 2 --samples 3 --nodes 60 --rate 0.5 --confirm 3 --seed 2"
    one, two = (run(f"{line} --workers {workers}") for workers in (1, 2))
    assert one == two
    first, second = (text.split("[")[1].split("]")[0] for text in one.splitlines()[:2])
    assert first != second
    assert "3 pairs, 60 nodes a move, seed 2" in one


def test_tuning_by_scores_moves_the_weights_and_leaves_the_constants_right_on_average():
    summary, weights = run("tune_scores.py --steps 12 --samples 1 --games 4 --confirm 400 --seed 3").splitlines()[-2:]
    assert summary.startswith("400 games: 8.37 before, ")
    moved = np.array(json.loads(weights)) - WEIGHTS
    assert 0.01 < abs(moved[:, :-1]).max() < 0.2
    assert abs(moved[:, -1]).max() < 1.0  # those in use are right on average, on other tiles


def test_an_older_revision_can_be_played_against():
    found = run("match_revision.py HEAD tictactoe mcts:sims=300 --old random --pairs 4 --openings 1")
    assert "against random of HEAD: 4 pairs" in found
    assert "forfeit" not in found
    score = float(found.splitlines()[-1].split("plies: ")[1].split(" %")[0])
    assert score > 60


def test_regret_is_measured_against_what_is_known_of_kuhn_poker():
    line = "measure_regret.py random mcts:sims=30 --seeds 200 --policy"
    found = run(line)
    assert found == run(line)
    rows = [row.strip("|").split("|") for row in found.splitlines() if row.startswith("| ")][1:]
    figures = {name.strip(): (float(exploited), float(regret.split()[0])) for name, exploited, regret in rows[1:]}
    assert list(figures) == ["equilibrium", "random", "mcts:sims=30"]
    # An equilibrium drawn from loses nothing to itself, and is told from its policy by chance alone.
    assert figures["equilibrium"][1] == 0
    assert 0 < figures["equilibrium"][0] < 40
    # The uniform policy: exploitable by 11/24 of a chip; against the equilibrium with alpha 1/5 it loses 13/90 of one.
    assert figures["random"][0] == pytest.approx(1000 * 11 / 24, abs=40)
    assert figures["random"][1] == pytest.approx(1000 * 13 / 90, abs=20)
    assert figures["mcts:sims=30"][0] < figures["random"][0]
    shares = dict(entry.split(": ") for entry in found.splitlines()[-1].split("bets: ")[1].split(", "))
    assert len(shares) == 12
    assert float(shares["2 ? pb"]) > 0.9 > 0.1 > float(shares["0 ? pb"])


def test_connect_four_is_solved_move_by_move():
    # o wins on 6x4, as John Tromp's table of board sizes has it.
    lines = [line.split(", ") for line in run("solve_connectfour.py --columns 6 --rows 4 --memory 16").splitlines()]
    assert [line[0] for line in lines] == ["c: o wins", "b: o wins", "a: o wins", "6x4: o wins"]
    assert all(0 < int(line[1].split(" positions")[0]) < 10**6 for line in lines[:-1])
    assert run("solve_connectfour.py --columns 4 --rows 4 --memory 16 --moves a --wins").startswith("a: x does not win, ")


def test_scores_are_compared_on_the_same_luck():
    line = "compare_scores.py kreuzquer -p players=1 random greedy --seeds 12 --first 5 --width 30"
    found = run(f"{line} --workers 1")
    assert found == run(f"{line} --workers 2")
    rows = {row.split(" | ")[0].strip("| "): row.strip("|").split(" | ") for row in found.splitlines()[2:]}
    assert list(rows) == ["clairvoyant", "random", "greedy"]
    mean = {name: float(cells[1].split(" ")[0]) for name, cells in rows.items()}
    # A uniformly random player has 52 minus points on average.
    assert mean["random"] == pytest.approx(-52, abs=3)
    assert -26 < mean["greedy"] < mean["clairvoyant"] <= 0
    for name in ("random", "greedy"):
        assert float(rows[name][2].split(" ")[0]) == pytest.approx(mean["clairvoyant"] - mean[name], abs=0.011)
    assert float(rows["greedy"][3].split(" ")[0]) == pytest.approx(mean["greedy"] - mean["random"], abs=0.011)
    percent = 100 * (mean["greedy"] - mean["random"]) / -mean["random"]
    assert float(rows["greedy"][3].split("(")[1].split(" %")[0]) == pytest.approx(percent, abs=0.6)


def test_the_standard_deck_of_web_is_made_by_its_script():
    assert run("make_web_deck.py") == (ROOT / "gamelab/games/web/decks/standard.toml").read_text()
    assert run("make_web_deck.py --seed 2") != run("make_web_deck.py --seed 3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compare_scores.py kreuzquer greedy", "has 2 players"),
        ("compare_scores.py chess greedy", "no game is called 'chess'"),
        ("compare_scores.py kreuzquer -p players=1 nobody", "no agent is called 'nobody'"),
        ("compare_scores.py kreuzquer -p players greedy", "-p players: not NAME=VALUE"),
        ("compare_scores.py kreuzquer -p players=1 alphabeta", "alphabeta plays games for two or more"),
        ("compare_scores.py kreuzquer -p players=1 greedy --seeds 1", "--seeds: 1 is less than 2"),
        ("compare_scores.py kreuzquer -p players=1 greedy --width 0", "--width: 0 is less than 1"),
        ("compare_scores.py kreuzquer -p players=1 greedy --workers 5000", "--workers: 5000 is more than 1024"),
        ("compare_scores.py kreuzquer -p players=1 greedy --seeds 2 --width 99999999999", "not memory enough for 99999999999"),
        ("solve_connectfour.py --columns 8 --rows 8", "rows and columns"),
        ("solve_connectfour.py --moves dz", "'z' is no move of connectfour"),
        ("solve_connectfour.py --memory 0", "--memory: 0 is less than 1"),
        ("measure_regret.py nobody", "no agent is called 'nobody'"),
        ("measure_regret.py cheat:greedy", "cheat:greedy sees what is hidden"),
        ("measure_regret.py random --seeds 1", "--seeds: 1 is less than 2"),
        ("measure_regret.py random --alpha 0.4", "--alpha: 0.4 is not from 0 to 1/3"),
        ("measure_regret.py alphabeta", "hidden"),
        ("tune_options.py chess mcts --try c=1", "no game is called 'chess'"),
        ("tune_options.py tictactoe mcts --try c", "write OPTION=VALUE"),
        ("tune_options.py tictactoe mcts --try c=1,2 --candidates 9", "only 2 combinations"),
        ("tune_options.py tictactoe mcts --try d=1 --candidates 1", "no combination makes another agent"),
        ("tune_options.py tictactoe mcts --pairs 0", "--pairs: 0 is less than 1"),
        ("tune_scores.py --games 0", "--games: 0 is less than 1"),
        ("tune_evaluation.py --steps 0", "--steps: 0 is less than 1"),
        ("tune_evaluation.py --weights [1,2]", "not a JSON list of"),
        ("make_web_deck.py --seed -1", "--seed: -1 is less than 0"),
        ("match_revision.py nosuchthing tictactoe random", "no sources of revision 'nosuchthing'"),
        ("match_revision.py HEAD tictactoe random --pairs 0", "--pairs: 0 is less than 1"),
        ("match_revision.py HEAD chess random", "cannot play chess with random"),
        ("match_revision.py HEAD tictactoe nobody --old random", "no agent is called 'nobody'"),
    ],
)
def test_bad_input_is_named(line, message):
    error = run(line, status=2)
    assert message in error
    assert "Traceback" not in error.split(f"{line.split('.')[0]}: ")[-1]
