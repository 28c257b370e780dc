"""Spider Wars on the mini web is solved (`scripts/solve_spiderwars.py`): the solution's rules, and searches that must agree."""

import functools
import importlib
import random
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import gamelab
from tests.games.test_spiderwars_twin import load
from tests.naive import spiderwars as naive

ROOT = Path(__file__).resolve().parents[2]
GAMES = tomllib.loads((Path(__file__).parent / "data" / "spiderwars_mini.toml").read_text())["game"]
DEPTH = 18  # no recorded end is further away


@functools.cache
def scored_states():
    """Every recorded position once, with its score."""
    found = {}
    for game in GAMES:
        state = load("mini", "green", 200).new_initial_state()
        for move, score in zip(game["moves"].split(), game["scores"], strict=True):
            assert found.setdefault(state.to_text(), (state.clone(), score))[1] == score
            state.apply_action(state.string_to_action(move))
        assert state.is_terminal()
    return list(found.values())


@pytest.fixture(scope="module")
def mini():
    """The rules of the solution. Imported by the name that the script knows them by, which compiled code is stored under."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        return importlib.import_module("spiderwars_mini")


def sign(value):
    return int(np.sign(value))


def test_the_solution_has_the_rules_of_the_twin(mini):
    chance, ends = random.Random(5), set()
    for _ in range(60):
        twin, position = naive.start("mini"), mini.START
        while naive.result(twin) is None:
            player = list(naive.OTHER).index(twin.to_move)
            choices = mini.options(position, player, opening=twin.turn == 0)
            assert sorted(choices) == sorted(naive.legal_moves(twin))
            capturing = [move for move in choices if naive.captures(twin, move)]
            move = chance.choice(capturing if capturing and chance.random() < 0.3 else list(choices))
            twin, position = naive.play(twin, move), choices[move]
            won = naive.result(twin) in naive.OTHER
            assert won == (position == mini.WON)
            assert won or (twin.moved is not None) == (position % mini.PHASES > 0)
            ends.add(naive.result(twin))
    assert {"green", "orange"} <= ends


def test_scores_fit_each_other():
    """What was played is worth no more than the position."""
    for game in GAMES:
        state = load("mini", "green", 200).new_initial_state()
        for move, score, after in zip(game["moves"].split(), game["scores"], [*game["scores"][1:], None], strict=True):
            player = state.current_player()
            state.apply_action(state.string_to_action(move))
            if after is None:
                assert score == 1
                assert state.returns()[player] == 1
                continue
            reached = after if state.current_player() == player else -after
            assert sign(reached) <= sign(score)
            # A win is no nearer than the score says, a loss no further away.
            if score > 0 and reached > 0:
                assert reached + 1 >= score
            if score < 0:
                assert -reached + 1 <= -score


def test_the_first_player_wins_in_ten_actions():
    state = load("mini", "green", 200).new_initial_state()
    assert GAMES[0]["scores"][0] == 10
    for depth, end in ((9, None), (10, 10)):
        assert gamelab.make_agent(f"alphabeta:depth={depth}").analyse(state, rng=1).end_in == end
    best = gamelab.make_agent("alphabeta:depth=10").analyse(state, rng=1)
    assert (best.value, state.action_to_string(best.action)) == (1, "0,2>3,1")
    # Any other action loses to the answer's two.
    assert sorted(best.scores.values())[:-1] == [-1] * 11


@pytest.mark.parametrize("first", ["green", "orange"])
def test_a_win_in_seven_turns_takes_seven(first):
    """Best play takes 10 actions in 7 turns; with fewer there is no time for it."""
    agent = gamelab.make_agent("alphabeta:depth=12")
    for turns, end in ((7, 10), (6, None)):
        assert agent.analyse(load("mini", first, turns).new_initial_state(), rng=1).end_in == end


def test_alphabeta_finds_what_is_known():
    """At every recorded position it sees the same end at the same distance, and in a draw none."""
    agent = gamelab.make_agent(f"alphabeta:depth={DEPTH}")
    known = set()
    for state, score in scored_states():
        found = agent.analyse(state, rng=1)
        assert found.end_in == (score or None), state.to_text()
        assert found.proven == (score != 0)
        assert found.value == sign(score) if score else abs(found.value) < 1
        known.add(score)
    # No action loses at once, so no loss is one action away.
    assert known >= {*range(-13, 15)} - {-1}
    assert max(map(abs, known)) == DEPTH


def test_the_solver_finds_what_is_known():
    agent = gamelab.make_agent("solver:nodes=10000")
    proven = []
    for state, score in scored_states()[::6]:
        found = agent.analyse(state, rng=1)
        proven.append(found.proven)
        if found.proven:
            assert found.value == sign(score), state.to_text()
    assert sum(proven) > 0.9 * len(proven)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--games 0", "--games: 0 is less than 1"),
        ("--agents random nobody", "no agent is called 'nobody'"),
        ("--table no/such/folder", "there is no folder no/such"),
        ("--record docs", "docs is a folder"),
        ("--table README.md", "README.md is no table of this script"),
    ],
)
def test_the_script_says_what_is_wrong(line, message):
    command = [sys.executable, ROOT / "scripts" / "solve_spiderwars.py", *line.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
