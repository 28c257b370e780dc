"""Scores on given luck."""

import functools

import numpy as np
import pytest
from scipy import stats

import gamelab
from gamelab.agents import Agent
from gamelab.analysis.clairvoyant import best_line, best_score, luck, mean_score, score
from gamelab.core.errors import IllegalActionError, ParameterError


@functools.cache
def game():
    return gamelab.load("kreuzquer", players=1)


class FaceDown(Agent):
    """Puts every tile face down, and remembers the tiles it was given."""

    name = "facedown"

    def choose(self, state, rng):
        self.seen.append(state.history()[-1])
        return state.legal_actions()[0]


class Nowhere(Agent):
    name = "nowhere"

    def choose(self, state, rng):
        return state.game.num_distinct_actions - 1


def test_luck_is_drawn_from_28_tiles():
    names = [[game().action_to_string(None, outcome) for outcome in luck(game(), seed)] for seed in range(300)]
    assert {len(tiles) for tiles in names} == {24}
    assert names[0] != names[1]
    assert luck(game(), 7) == luck(game(), 7)
    # Kinds 1 to 7 are there twice, the others once, and 24 of 28 tiles are drawn: 12/7 and 6/7 of each kind on average.
    for kind in range(1, 22):
        counts = [tiles.count(f"tile {kind}") for tiles in names]
        copies = 2 if kind <= 7 else 1
        assert max(counts) == copies
        assert np.mean(counts) == pytest.approx(copies * 6 / 7, abs=0.12)
        first = np.mean([tiles[0] == f"tile {kind}" for tiles in names])
        assert first == pytest.approx(copies / 28, abs=0.06)


def test_every_agent_has_the_luck_that_is_given():
    agent, outcomes = FaceDown(), luck(game(), 3)
    agent.seen = []
    assert score(agent, game(), outcomes, np.random.default_rng(0)) == -56
    assert agent.seen == outcomes


def test_scores_repeat_and_are_at_most_the_optimum():
    outcomes = luck(game(), 4)
    greedy, chance = gamelab.make_agent("greedy"), gamelab.make_agent("random")
    for agent in (greedy, chance):
        assert len({score(agent, game(), outcomes, np.random.default_rng(1)) for _ in range(3)}) == 1
    found = best_score(game(), outcomes, width=300)
    assert score(chance, game(), outcomes, np.random.default_rng(1)) < score(greedy, game(), outcomes, np.random.default_rng(1))
    assert score(greedy, game(), outcomes, np.random.default_rng(1)) <= found <= 0
    assert best_line(game().new_initial_state(), outcomes, width=300).value == found


def test_best_line_from_the_middle_of_a_game():
    outcomes = luck(game(), 5)
    line = best_line(game().new_initial_state(), outcomes, width=200)
    state = game().state_from_actions(line.actions[:36])
    rest = best_line(state, outcomes[18:], width=3000)
    assert rest.value >= line.value
    assert len(rest.actions) == 12


def test_mean_score_is_student_s():
    sample = [-3.0, -8.0, -1.0, 0.0, -7.5]
    found = mean_score(sample, 0.9)
    expected = stats.t.interval(0.9, 4, np.mean(sample), stats.sem(sample))
    assert (found.value, found.confidence) == (pytest.approx(-3.9), 0.9)
    assert (found.low, found.high) == pytest.approx(expected)
    same = mean_score([2, 2, 2])
    assert (same.low, same.high) == (2, 2)


def test_nonsense():
    outcomes, rng = luck(game(), 6), np.random.default_rng(0)
    agent = FaceDown()
    agent.seen = []
    with pytest.raises(ParameterError, match="10 outcomes of chance are too few"):
        score(agent, game(), outcomes[:10], rng)
    with pytest.raises(IllegalActionError):
        score(agent, game(), outcomes[:1] * 24, rng)
    with pytest.raises(IllegalActionError):
        score(Nowhere(), game(), outcomes, rng)
    with pytest.raises(ParameterError, match="2 players"):
        score(agent, gamelab.load("kreuzquer"), outcomes, rng)
    for sample, confidence in (([], 0.95), ([1.0], 0.95), ([1.0, 2.0], 1.0), ([1.0, 2.0], 0.0), ([1.0, 2.0], float("nan"))):
        with pytest.raises(ParameterError):
            mean_score(sample, confidence)
