"""Davidson ratings: known parameters recovered, an independent fit, symmetries, odd tournaments."""

import json
import math
from itertools import combinations, permutations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from gamelab.arena import ratings as module
from gamelab.arena.ratings import fit_ratings
from gamelab.core.errors import ParameterError

ELO_PER_NAT = 400.0 / math.log(10.0)
UNHURRIED = settings(deadline=None)  # the first example also pays for importing scipy


def names(n):
    return [f"player {i}" for i in range(n)]


def simulate(elo, first_move_elo, nu, games, rng):
    """Play games for each ordered pair of players, by the formula of the model as published."""
    strength = 10.0 ** (np.asarray(elo) / 400.0)
    gamma = 10.0 ** (first_move_elo / 400.0)
    first, second = np.repeat(list(permutations(range(len(elo)), 2)), games, axis=0).T
    win, loss = gamma * strength[first], strength[second]
    draw = nu * np.sqrt(win * loss)
    chance = rng.random(len(first)) * (win + draw + loss)
    return first, second, np.where(chance < win, 1, np.where(chance < win + draw, 0, -1))


@st.composite
def tournaments(draw):
    n = draw(st.integers(2, 5))
    player = st.integers(0, n - 1)
    games = draw(st.lists(st.tuples(player, player, st.integers(-1, 1)), min_size=1, max_size=30))
    return n, *(np.array(column) for column in zip(*games, strict=True))


# Estimates


def test_two_players_by_hand():
    # As first, "a" wins 3 of 4, and so does "b": no difference, and gamma = 3.
    games = ([0] * 4 + [1] * 4, [1] * 4 + [0] * 4, [1, 1, 1, -1] * 2)
    result = fit_ratings(*games, ["a", "b"], prior_elo=1e5)
    assert_allclose(result.elo, 0.0, atol=1e-9)
    assert result.first_move_elo.value == pytest.approx(400 * math.log10(3), rel=1e-4)
    assert result.draw_nu == 0.0
    assert result.log_likelihood == pytest.approx(6 * math.log(0.75) + 2 * math.log(0.25))
    assert result.expected_score(0, 1) == pytest.approx(0.75, abs=1e-4)


def test_draws_by_hand():
    # Win, draw and loss equally often in both seats: nu = 1 and all else is 0.
    result = fit_ratings([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [1, 0, -1] * 2, ["a", "b"])
    assert_allclose(result.elo, 0.0, atol=1e-9)
    assert result.draw_nu == pytest.approx(1.0)
    assert result.outcome_probabilities(0, 1) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert result.score.tolist() == [0.5, 0.5]
    assert result.log_likelihood == pytest.approx(6 * math.log(1 / 3))


def test_interval_by_hand():
    # 50 wins each in each seat: x has information 200/4 for lambda and, as theta_0 - theta_1 moves
    # both seats' games, the same for the difference; a centred rating is half the difference.
    games = ([0] * 100 + [1] * 100, [1] * 100 + [0] * 100, [1, -1] * 100)
    result = fit_ratings(*games, ["a", "b"], prior_elo=1e5)
    half_width = 1.959964 / math.sqrt(50) * ELO_PER_NAT
    assert result.first_move_elo.high == pytest.approx(half_width, rel=1e-5)
    assert_allclose(result.high, half_width / 2, rtol=1e-5)
    assert_allclose(result.low, -half_width / 2, rtol=1e-5)


def test_first_move_of_twelve_players_is_covered():
    rng = np.random.default_rng(61)
    truth = np.linspace(-300.0, 300.0, 12)
    result = fit_ratings(*simulate(truth, 61.0, 0.6, 60, rng), names(12))
    assert result.first_move_elo.low < 61.0 < result.first_move_elo.high
    assert result.first_move_elo.high - result.first_move_elo.low < 25.0
    assert np.mean((result.low < truth) & (truth < result.high)) >= 10 / 12


def test_known_parameters_are_recovered_from_many_games():
    truth = np.array([-250.0, -50.0, 100.0, 200.0])
    result = fit_ratings(*simulate(truth, -40.0, 1.5, 20_000, np.random.default_rng(7)), names(4))
    assert_allclose(result.elo, truth, atol=3.0)
    assert result.first_move_elo.value == pytest.approx(-40.0, abs=3.0)
    assert result.draw_nu == pytest.approx(1.5, abs=0.02)


def test_expected_scores_add_up_to_the_points_scored():
    # A maximum of the likelihood reproduces each player's points and the first movers' points.
    first, second, outcome = simulate([-60, 0, 60], 30, 0.8, 40, np.random.default_rng(2))
    result = fit_ratings(first, second, outcome, names(3), prior_elo=1e5)
    expected = np.array([result.expected_score(i, j) for i, j in zip(first, second, strict=True)])
    assert expected.sum() == pytest.approx((outcome + 1).sum() / 2)
    for player in range(3):
        points = expected[first == player].sum() + (1 - expected[second == player]).sum()
        assert points == pytest.approx(result.score[player] * result.games[player], abs=1e-4)


def test_agrees_with_choix_without_draws_and_seats():
    rng = np.random.default_rng(11)
    results = [pair for pair in combinations(range(5), 2) for _ in range(8)]
    results = [(i, j) if rng.random() < 0.6 else (j, i) for i, j in results]
    winners, losers = np.array(results).T
    # Each result once with the winner first and once with the winner second: no order effect.
    first, second = np.append(winners, losers), np.append(losers, winners)
    outcome = np.repeat([1, -1], len(results))
    result = fit_ratings(first, second, outcome, names(5))
    penalty = 0.5 * (ELO_PER_NAT / 1000.0) ** 2
    theta = choix.opt_pairwise(5, results * 2, alpha=penalty, tol=1e-10)
    assert_allclose(result.elo, ELO_PER_NAT * (theta - theta.mean()), atol=1e-3)
    assert result.first_move_elo.value == pytest.approx(0.0, abs=1e-6)


@UNHURRIED
@given(tournaments(), st.data())
def test_derivatives_agree_with_finite_differences(tournament, data):
    n, first, second, outcome = tournament
    size = n + 1 + bool((outcome == 0).any())
    parameters = np.array(data.draw(st.lists(st.floats(-2, 2), min_size=size, max_size=size)))
    counts = module._count((first * n + second) * 3 + 1 - outcome, n)
    precision = 0.1

    def objective(p):
        return 0.5 * precision * p @ p - module._log_likelihood(counts, p)

    gradient, hessian = module._derivatives(counts, parameters, precision)
    assert_allclose(gradient, approx_fprime(parameters, objective, 1e-6), atol=1e-3)
    assert_allclose(
        hessian,
        approx_fprime(parameters, lambda p: module._derivatives(counts, p, precision)[0], 1e-6),
        atol=1e-3,
    )


# Symmetries


@UNHURRIED
@given(tournaments(), st.randoms(use_true_random=False))
def test_relabelling_players_permutes_ratings(tournament, random):
    n, first, second, outcome = tournament
    order = list(range(n))
    random.shuffle(order)
    order = np.array(order)
    plain = fit_ratings(first, second, outcome, names(n))
    shuffled = fit_ratings(order[first], order[second], outcome, names(n))
    assert_allclose(shuffled.elo[order], plain.elo, atol=1e-4)
    assert_allclose(shuffled.high[order], plain.high, atol=1e-4)
    assert shuffled.first_move_elo.value == pytest.approx(plain.first_move_elo.value, abs=1e-4)
    assert shuffled.games[order].tolist() == plain.games.tolist()


@UNHURRIED
@given(tournaments())
def test_swapping_seats_and_outcomes_mirrors_the_first_move(tournament):
    n, first, second, outcome = tournament
    plain = fit_ratings(first, second, outcome, names(n))
    mirrored = fit_ratings(second, first, -outcome, names(n))
    assert_allclose(mirrored.elo, plain.elo, atol=1e-4)
    assert mirrored.first_move_elo.value == pytest.approx(-plain.first_move_elo.value, abs=1e-4)
    assert mirrored.first_move_elo.low == pytest.approx(-plain.first_move_elo.high, abs=1e-4)
    assert mirrored.draw_nu == pytest.approx(plain.draw_nu)
    assert mirrored.score.tolist() == plain.score.tolist()


@UNHURRIED
@given(tournaments())
def test_reversing_outcomes_reverses_everything(tournament):
    n, first, second, outcome = tournament
    plain = fit_ratings(first, second, outcome, names(n))
    reversed_ = fit_ratings(first, second, -outcome, names(n))
    assert_allclose(reversed_.elo, -plain.elo, atol=1e-4)
    assert reversed_.first_move_elo.value == pytest.approx(-plain.first_move_elo.value, abs=1e-4)


@UNHURRIED
@given(tournaments(), st.sampled_from([1.0, 1000.0, 1e5]), st.sampled_from([0, 3]))
def test_results_are_always_finite(tournament, prior_elo, bootstrap):
    n, first, second, outcome = tournament
    result = fit_ratings(first, second, outcome, names(n), prior_elo=prior_elo, bootstrap=bootstrap, seed=0)
    first_move = result.first_move_elo
    numbers = (first_move.value, first_move.low, first_move.high, result.draw_nu)
    for array in (result.elo, result.low, result.high, result.score, numbers):
        assert np.isfinite(array).all()
    assert result.elo.mean() == pytest.approx(0.0, abs=1e-6)


# Intervals


def test_hessian_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(95)
    truth = np.array([-150.0, -30.0, 40.0, 140.0])
    covered = []
    for _ in range(200):
        result = fit_ratings(*simulate(truth, 50.0, 0.7, 25, rng), names(4))
        players = (result.low < truth) & (truth < result.high)
        first_move = result.first_move_elo.low < 50.0 < result.first_move_elo.high
        covered.append([*players, first_move])
    shares = np.mean(covered, axis=0)  # five intervals in 200 tournaments each
    assert np.all((shares > 0.90) & (shares < 0.99))
    assert 0.93 < shares.mean() < 0.97


def test_bootstrap_of_single_games_agrees_with_the_hessian():
    games = simulate([-100.0, 0.0, 100.0], 30.0, 0.5, 100, np.random.default_rng(5))
    hessian = fit_ratings(*games, names(3))
    bootstrap = fit_ratings(*games, names(3), bootstrap=500, seed=6)
    assert (hessian.method, bootstrap.method) == ("hessian", "bootstrap")
    assert_allclose(bootstrap.elo, hessian.elo)
    assert_allclose(bootstrap.high - bootstrap.low, hessian.high - hessian.low, rtol=0.15)


def test_bootstrap_of_pairs_sees_that_their_games_are_not_independent():
    # Each game is recorded twice: half as many observations, intervals wider by sqrt(2).
    games = simulate([-100.0, 0.0, 100.0], 30.0, 0.5, 100, np.random.default_rng(8))
    first, second, outcome = np.repeat(games, 2, axis=1)
    pairs = np.repeat(np.arange(len(games[0])), 2) * 7 - 3  # any numbers will do
    single, paired = (fit_ratings(first, second, outcome, names(3), pairs=p, bootstrap=500, seed=9) for p in (None, pairs))
    assert_allclose((paired.high - paired.low) / (single.high - single.low), 2**0.5, rtol=0.15)


def test_bootstrap_repeats_with_its_seed():
    games = simulate([0.0, 50.0], 20.0, 0.5, 20, np.random.default_rng(1))
    once, again, other = (fit_ratings(*games, names(2), bootstrap=20, seed=seed) for seed in (3, 3, 4))
    assert once.low.tolist() == again.low.tolist()
    assert once.low.tolist() != other.low.tolist()


def always_won(kind, rounds=10):
    """Tournaments in which each resample says as clearly what the whole does."""
    if kind == "one seat":
        return [0, 1] * rounds, [1, 0] * rounds, [1, 1] * rounds
    if kind == "one player":
        return [0, 1, 2, 0] * rounds, [1, 0, 1, 2] * rounds, [1, -1, 1, 1] * rounds
    # Two that share their games, and beat two others that share theirs: nobody has won everything.
    return [0, 1, 2, 3, 0, 1, 2] * rounds, [1, 0, 3, 2, 2, 3, 1] * rounds, [1, 1, 1, 1, 1, 1, -1] * rounds


@pytest.mark.parametrize(("kind", "n"), [("one seat", 2), ("one player", 3), ("two groups", 4)])
def test_where_somebody_always_wins_a_bootstrap_is_as_wide_as_the_hessian(kind, n):
    games = always_won(kind)
    hessian, bootstrap = fit_ratings(*games, names(n)), fit_ratings(*games, names(n), bootstrap=50, seed=1)
    assert np.all(bootstrap.low <= hessian.low)
    assert np.all(bootstrap.high >= hessian.high)
    assert bootstrap.first_move_elo.low <= hessian.first_move_elo.low
    assert bootstrap.first_move_elo.high >= hessian.first_move_elo.high


def test_bootstrap_intervals_of_players_who_win_everything_cover_the_truth():
    """500 Elo apart, a player scores 95 % and often wins all of 20 games: then plain resampling knows one value only."""
    rng = np.random.default_rng(7)
    covered = []
    while len(covered) < 60:
        result = fit_ratings(*simulate([250.0, -250.0], 0.0, 0.0, 10, rng), names(2), bootstrap=40, seed=1)
        if result.score[0] == 1:
            covered.append(result.low[0] < 250 < result.high[0])
    assert np.mean(covered) > 0.9


# Odd tournaments


def test_a_player_that_wins_everything_stays_finite():
    result = fit_ratings([0, 1] * 5, [1, 0] * 5, [1, -1] * 5, ["a", "b"])
    assert result.score.tolist() == [1.0, 0.0]
    assert result.elo[0] - result.elo[1] == pytest.approx(850.0, abs=10.0)


def test_the_prior_hardly_moves_an_ordinary_result():
    games = simulate([-100.0, 100.0], 30.0, 0.5, 100, np.random.default_rng(4))
    default, weaker = (fit_ratings(*games, names(2), prior_elo=prior) for prior in (1e3, 1e5))
    assert_allclose(default.elo, weaker.elo, rtol=0.005)


def test_first_mover_always_wins():
    result = fit_ratings([0, 1, 0, 1], [1, 0, 1, 0], [1, 1, 1, 1], ["a", "b"])
    assert_allclose(result.elo, 0.0, atol=1e-9)
    assert 300.0 < result.first_move_elo.value < math.inf
    assert result.first_move_elo.low < result.first_move_elo.value < result.first_move_elo.high


def test_draws_only():
    result = fit_ratings([0, 1], [1, 0], [0, 0], ["a", "b"])
    assert_allclose(result.elo, 0.0, atol=1e-9)
    assert 1.0 < result.draw_nu < math.inf


def test_groups_that_never_meet_are_flagged():
    apart = fit_ratings([0, 2], [1, 3], [1, 1], names(4))
    assert not apart.connected
    linked = fit_ratings([0, 2, 1], [1, 3, 2], [1, 1, 1], names(4))
    assert linked.connected


def test_a_player_without_games():
    result = fit_ratings([0, 1], [1, 0], [1, 1], names(3))
    assert not result.connected
    assert (result.games[2], result.score[2]) == (0, 0.5)
    assert result.elo[2] == pytest.approx(0.0, abs=1e-9)


def test_a_game_against_oneself_informs_about_the_first_move_only():
    games = ([0, 1], [1, 0], [1, 1])
    plain = fit_ratings(*games, ["a", "b"])
    more = fit_ratings([0, 1, 0], [1, 0, 0], [1, 1, 1], ["a", "b"])
    assert_allclose(more.elo, plain.elo, atol=1e-9)
    assert more.first_move_elo.value > plain.first_move_elo.value
    assert (more.games.tolist(), more.score.tolist()) == ([4, 2], [0.5, 0.5])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ["a"], "first": [0, 0], "second": [0, 0]}, "at least two players"),
        ({"names": ["a", "a"]}, "repeat"),
        ({"first": [], "second": [], "outcome": []}, "no games"),
        ({"first": [0]}, "shapes"),
        ({"pairs": [0]}, "shapes"),
        ({"first": [[0, 1]], "second": [[1, 0]], "outcome": [[1, 1]]}, "shapes"),
        ({"first": [0.0, 1.0]}, "first must be integers"),
        ({"first": [0, 2]}, "first of game 1 is 2"),
        ({"second": [-1, 0]}, "second of game 0 is -1"),
        ({"outcome": [1, 2]}, "outcome of game 1 is 2"),
        ({"prior_elo": 0.0}, "prior_elo"),
        ({"prior_elo": math.nan}, "prior_elo"),
        ({"confidence": 1.0}, "confidence"),
        ({"bootstrap": 10}, "explicit seed"),
        ({"bootstrap": -1, "seed": 1}, "negative"),
    ],
)
def test_fit_rejects(change, message):
    good = {"first": [0, 1], "second": [1, 0], "outcome": [1, 0], "names": ["a", "b"]}
    with pytest.raises(ValueError, match=message):
        fit_ratings(**(good | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bootstrap": 2.5, "seed": 1}, "bootstrap must be a whole number that is not negative, not 2.5"),
        ({"bootstrap": "3", "seed": 1}, "bootstrap must be .* not '3'"),
        ({"bootstrap": True, "seed": 1}, "bootstrap must be .* not True"),
        ({"bootstrap": False}, "bootstrap must be .* not False"),
        ({"bootstrap": None}, "bootstrap must be .* not None"),
        ({"bootstrap": "b" * 1000, "seed": 1}, r"bootstrap must be .* not 'b+ \.\.\. b+'"),
        ({"bootstrap": 3, "seed": "q"}, "seed must be a whole number that is not negative, or a SeedSequence, not 'q'"),
        ({"bootstrap": 3, "seed": 1.5}, "seed must be .* not 1.5"),
        ({"bootstrap": 3, "seed": -1}, "seed must be .* not -1"),
        ({"bootstrap": 3, "seed": True}, "seed must be .* not True"),
        ({"seed": [1]}, r"seed must be .* not \[1\]"),
        ({"confidence": "x"}, r"confidence must be a number in \(0, 1\), not 'x'"),
        ({"confidence": None}, "confidence must be .* not None"),
        ({"confidence": math.nan}, "confidence must be .* not nan"),
        ({"confidence": [0.9]}, "confidence must be .* not "),
        ({"prior_elo": "x"}, "prior_elo must be a number from 1 to 100000, not 'x'"),
        ({"prior_elo": None}, "prior_elo must be .* not None"),
        ({"prior_elo": True}, "prior_elo must be .* not True"),
        ({"prior_elo": 1j}, "prior_elo must be .* not 1j"),
        ({"names": "ab"}, "names must be a sequence of texts, not 'ab'"),
        ({"names": [1, 2]}, r"names must be .* not \[1, 2\]"),
        ({"names": [["a"], "b"]}, "names must be .* not "),
        ({"names": {"a", "b"}}, "names must be .* not {"),
        ({"names": None}, "names must be .* not None"),
        ({"names": 2}, "names must be .* not 2"),
        ({"names": np.array("ab")}, "names must be .* not array"),
        ({"names": ["a" * 1000] * 2}, r"these repeat: \['a+ \.\.\. a+'\]"),
        ({"first": [[0], [0, 1]]}, r"first must be an array with rows of one length, not \[\[0\], \[0, 1\]\]"),
        ({"pairs": [[0], [0, 1]]}, "pairs must be an array"),
        ({"first": ["a", "b"]}, r"first must be integers, not <U1: \['a', 'b'\]"),
        ({"outcome": [True, False]}, "outcome must be integers, not bool"),
        ({"second": [10**30, 0]}, "second must be integers, not object"),
        ({"pairs": ["a", None]}, "pairs must be integers, not object"),
    ],
)
def test_arguments_of_the_wrong_type_are_named_in_one_line(change, message):
    good = {"first": [0, 1], "second": [1, 0], "outcome": [1, 0], "names": ["a", "b"]}
    with pytest.raises(ParameterError, match=message) as caught:
        fit_ratings(**(good | change))
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


def test_numpys_numbers_and_texts_are_as_good_as_pythons():
    games = ([0, 1], [1, 0], [1, 0])
    plain = fit_ratings(*games, ["a", "b"], prior_elo=500, confidence=0.5, bootstrap=5, seed=3)
    same = fit_ratings(
        *games, np.array(["a", "b"]), prior_elo=np.float32(500), confidence=np.float64(0.5), bootstrap=np.uint8(5),
        seed=np.random.SeedSequence(3),
    )  # fmt: skip
    assert (same.names, same.confidence, same.low.tolist()) == (plain.names, plain.confidence, plain.low.tolist())
    assert fit_ratings(*games, ["a", "b"], bootstrap=5, seed=np.int64(3)).method == "bootstrap"


# The result


def test_records_are_sorted_and_plain():
    result = fit_ratings([0, 1, 2, 0], [1, 2, 0, 2], [-1, 1, 1, -1], ["low", "high", "middle"])
    records = result.to_records()
    assert [record["rank"] for record in records] == [1, 2, 3]
    assert [record["name"] for record in records] == ["high", "middle", "low"]
    assert json.loads(json.dumps(records)) == records


def test_equal_ratings_keep_the_order_of_names():
    result = fit_ratings([0, 1], [1, 0], [0, 0], ["zoe", "abe"])
    assert [record["name"] for record in result.to_records()] == ["zoe", "abe"]


def test_arrays_of_the_result_are_read_only():
    result = fit_ratings([0], [1], [1], ["a", "b"])
    with pytest.raises(ValueError, match="read-only"):
        result.elo[0] = 1.0


@pytest.mark.parametrize(("i", "j"), [(0, 2), (-1, 0)])
def test_expected_score_of_unknown_players(i, j):
    result = fit_ratings([0], [1], [1], ["a", "b"])
    with pytest.raises(IndexError, match="0 to 1"):
        result.expected_score(i, j)


@pytest.mark.parametrize(("i", "j", "wrong"), [("x", 1, "'x'"), (0, 0.5, "0.5"), (True, 0, "True"), (None, 0, "None")])
def test_expected_score_of_what_are_no_players(i, j, wrong):
    result = fit_ratings([0], [1], [1], ["a", "b"])
    for method in (result.expected_score, result.outcome_probabilities):
        with pytest.raises(ParameterError, match=f"players are numbered 0 to 1, not {wrong}"):
            method(i, j)
