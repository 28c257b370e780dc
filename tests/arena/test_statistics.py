"""Scores, Elo and pairs: known answers, interval coverage and degenerate samples."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from gamelab.arena import pairs, statistics
from gamelab.arena.statistics import Estimate
from gamelab.core.errors import ParameterError

UNHURRIED = settings(deadline=None)  # the first example also pays for importing scipy
COUNTS = st.integers(0, 500)
PENTANOMIAL = st.lists(COUNTS, min_size=5, max_size=5).filter(any)


# Elo


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.75, 190.848502), (10 / 11, 400.0), (1 / 101, -800.0)],
)
def test_elo_of_known_scores(score, elo):
    assert statistics.elo_from_score(score) == pytest.approx(elo, abs=1e-6)
    assert statistics.score_from_elo(elo) == pytest.approx(score, abs=1e-9)


def test_elo_is_infinite_at_the_ends():
    assert statistics.elo_from_score(0.0) == -math.inf
    assert statistics.elo_from_score(1.0) == math.inf
    assert statistics.score_from_elo(-math.inf) == 0.0
    assert statistics.score_from_elo(math.inf) == 1.0


@UNHURRIED
@given(st.floats(-1e6, 1e6))
def test_scores_of_opposite_elo_add_to_one(elo):
    assert statistics.score_from_elo(elo) + statistics.score_from_elo(-elo) == pytest.approx(1.0)


@UNHURRIED
@given(st.floats(-2000.0, 2000.0))
def test_elo_survives_the_round_trip(elo):
    score = statistics.score_from_elo(elo)
    assert statistics.elo_from_score(score) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_elo_rejects_what_is_no_score(score):
    with pytest.raises(ValueError, match="score"):
        statistics.elo_from_score(score)


def test_score_rejects_nan():
    with pytest.raises(ValueError, match="nan"):
        statistics.score_from_elo(math.nan)


# Intervals of the score


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (1, 9), (3, 0), (0, 1), (250, 0)])
def test_score_interval_without_draws_agrees_with_scipy(wins, losses, confidence):
    method = "wilson" if wins and losses else "exact"
    expected = binomtest(wins, wins + losses).proportion_ci(confidence, method)
    actual = statistics.score_interval(wins, 0, losses, confidence)
    assert (actual.low, actual.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_score_interval_with_draws_is_the_normal_one_in_long_matches():
    # 0.3 * 0.45^2 + 0.5 * 0.05^2 + 0.2 * 0.55^2 = 0.1225 = 0.35^2, so the error is 0.0035.
    estimate = statistics.score_interval(3000, 5000, 2000)
    assert estimate.value == 0.55
    assert estimate.low == pytest.approx(0.55 - 1.959964 * 0.0035, abs=5e-5)
    assert estimate.high == pytest.approx(0.55 + 1.959964 * 0.0035, abs=5e-5)


def test_score_interval_of_draws_only_bounds_the_decisive_games():
    # With 97.5 % confidence fewer than 1 - 0.025^(1/10) = 0.3085 of the games are decisive.
    estimate = statistics.score_interval(0, 10, 0)
    assert estimate.value == 0.5
    assert estimate.low == pytest.approx(0.5 - 0.3085 / 2, abs=1e-4)
    assert estimate.high == pytest.approx(0.5 + 0.3085 / 2, abs=1e-4)


def test_a_worse_result_does_not_raise_the_interval():
    lows = [statistics.score_interval(10 - k, k, 0).low for k in range(4)]
    highs = [statistics.score_interval(10 - k, k, 0).high for k in range(4)]
    assert all(better > worse for better, worse in pairwise(highs))
    assert max(lows) < 0.8  # s - z sqrt(variance / 10) would claim 0.857 after one draw


@UNHURRIED
@given(COUNTS, COUNTS, COUNTS)
def test_score_interval_mirrors(wins, draws, losses):
    if wins + draws + losses == 0:
        return
    ours = statistics.score_interval(wins, draws, losses)
    theirs = statistics.score_interval(losses, draws, wins)
    assert 0.0 <= ours.low <= ours.value <= ours.high <= 1.0
    assert (ours.low, ours.high) == pytest.approx((1.0 - theirs.high, 1.0 - theirs.low))


@pytest.mark.parametrize(
    ("games", "chances"),
    [
        (20, (0.6, 0.3, 0.1)),
        (50, (0.95, 0.04, 0.01)),
        (50, (0.1, 0.8, 0.1)),
        (200, (0.4, 0.2, 0.4)),
    ],
)
def test_score_interval_covers_as_often_as_it_says(games, chances):
    rng = np.random.default_rng(20)
    truth = chances[0] + chances[1] / 2
    estimates = [statistics.score_interval(*row) for row in rng.multinomial(games, chances, 1000).tolist()]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    # s +- z sqrt(variance / games) would cover only 0.81 of the second case.
    assert 0.90 < covered < 0.98


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 2, 3), (1.5, 0, 0)])
def test_score_interval_rejects_what_are_no_counts(counts):
    with pytest.raises(ValueError, match="counts"):
        statistics.score_interval(*counts)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, 10**30, math.nan, "0.9", None, True, [0.9], 0.5j])
def test_confidence_out_of_range(confidence):
    with pytest.raises(ParameterError, match=r"confidence must be a number in \(0, 1\), not "):
        statistics.score_interval(1, 1, 1, confidence)


def test_elo_interval_keeps_the_finite_end():
    elo = statistics.elo_interval(statistics.score_interval(10, 0, 0))
    assert (elo.value, elo.high) == (math.inf, math.inf)
    assert elo.low == pytest.approx(400 * math.log10(0.025**0.1 / (1 - 0.025**0.1)))
    assert statistics.elo_interval(Estimate(0.5, 0.0, 1.0, 0.9)) == Estimate(0.0, -math.inf, math.inf, 0.9)


# Pairs


def test_pair_statistics_by_hand():
    # Mean 0.625, sigma 0.125, standard error 0.125 / 2, (mean - 1/2) / error = 2.
    result = pairs.pair_statistics([0.5, 0.75, 0.75, 0.5])
    assert result.counts == (0, 0, 2, 2, 0)
    assert (result.pairs, result.mean, result.standard_error) == (4, 0.625, 0.0625)
    assert result.los == pytest.approx(0.977250, abs=1e-6)
    assert result.normalized_elo == pytest.approx(800 / math.log(10) / math.sqrt(2))


def test_pair_statistics_of_a_long_test():
    # Mean 1/2 + 10.5 / 96520, variance 2388.85 / 96520: z = 0.2148.
    result = pairs.pair_statistics_from_counts([93, 18711, 58877, 18739, 100])
    assert result.mean - 0.5 == pytest.approx(10.5 / 96520)
    assert result.los == pytest.approx(norm.cdf(0.21483), abs=1e-5)
    half_width = 1.959964 * result.standard_error
    assert (result.low, result.high) == pytest.approx((result.mean - half_width, result.mean + half_width), abs=1e-7)


@pytest.mark.parametrize(
    ("counts", "bounds", "published"),
    [
        ([365, 16618, 36229, 16974, 390], (0.0, 2.0), 2.25037),
        ([93, 18711, 58877, 18739, 100], (-1.75, 0.25), 2.94210),
    ],
)
def test_normalized_elo_gives_the_published_log_likelihood_ratios(counts, bounds, published):
    # For small t = sqrt(2) nElo / (800 / ln 10) the ratio is pairs (t1 - t0) (t - (t0 + t1) / 2).
    result = pairs.pair_statistics_from_counts(counts)
    t, t0, t1 = (math.sqrt(2) * x * math.log(10) / 800 for x in (result.normalized_elo, *bounds))
    assert result.pairs * (t1 - t0) * (t - (t0 + t1) / 2) == pytest.approx(published, rel=1e-3)


@UNHURRIED
@given(PENTANOMIAL)
def test_scores_and_counts_of_pairs_agree(counts):
    scores = np.repeat([0.0, 0.25, 0.5, 0.75, 1.0], counts)
    by_scores = pairs.pair_statistics(scores)
    assert by_scores == pairs.pair_statistics_from_counts(counts)
    assert by_scores.mean == pytest.approx(scores.mean())
    assert by_scores.standard_error == pytest.approx(scores.std() / math.sqrt(len(scores)))


@UNHURRIED
@given(PENTANOMIAL)
def test_pair_statistics_mirror_and_are_never_nan(counts):
    ours = pairs.pair_statistics_from_counts(counts)
    theirs = pairs.pair_statistics_from_counts(counts[::-1])
    numbers = (ours.mean, ours.standard_error, ours.low, ours.high, ours.los, ours.normalized_elo)
    assert not any(map(math.isnan, numbers))
    assert 0.0 <= ours.low <= ours.mean <= ours.high <= 1.0
    assert ours.los + theirs.los == pytest.approx(1.0)
    assert (ours.low, ours.high) == pytest.approx((1.0 - theirs.high, 1.0 - theirs.low))


@pytest.mark.parametrize(
    ("scores", "los", "normalized_elo"),
    [
        ([0.75], 0.75, math.inf),
        ([0.25], 0.25, -math.inf),
        ([0.5], 0.5, 0.0),
        ([1.0] * 4, 1 - 1 / 32, math.inf),
    ],
)
def test_pairs_that_all_score_alike(scores, los, normalized_elo):
    result = pairs.pair_statistics(scores)
    assert result.standard_error == 0.0
    assert (result.los, result.normalized_elo) == (los, normalized_elo)
    assert result.low < 0.5  # however well they went, four pairs prove little


def test_one_pair_says_almost_nothing():
    result = pairs.pair_statistics([0.5])
    assert (result.low, result.high) == pytest.approx((0.0125, 0.9875))


@pytest.mark.parametrize("scores", [[], [0.4], [1.25], [-0.25], [math.nan], [[0.5]]])
def test_pair_statistics_rejects_what_are_no_pair_scores(scores):
    with pytest.raises(ValueError, match=r"pair|counts"):
        pairs.pair_statistics(scores)


@pytest.mark.parametrize("counts", [[1, 2, 3], [0] * 5, [1, 2, 3, 4, -5]])
def test_pair_counts_must_be_five(counts):
    with pytest.raises(ValueError, match=r"five|counts"):
        pairs.pair_statistics_from_counts(counts)


# Bootstrap


def test_bootstrap_agrees_with_the_standard_error():
    scores = np.random.default_rng(3).choice([0.0, 0.25, 0.5, 0.75, 1.0], 400)
    bootstrap = pairs.bootstrap_pairs(scores, np.mean, 4, resamples=2000)
    direct = pairs.pair_statistics(scores)
    assert bootstrap.value == direct.mean
    assert (bootstrap.low, bootstrap.high) == pytest.approx((direct.low, direct.high), abs=0.003)


def test_bootstrap_keeps_pairs_whole():
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    estimate = pairs.bootstrap_pairs(rows, lambda sample: float(sample.sum(axis=1).max()), 0)
    assert (estimate.low, estimate.value, estimate.high) == (1.0, 1.0, 1.0)


def test_bootstrap_repeats_with_its_seed():
    scores = [0.25, 0.5, 1.0, 0.75, 0.0]
    once, again, other = (pairs.bootstrap_pairs(scores, np.mean, seed, resamples=50) for seed in (1, 1, 2))
    assert once == again
    assert once != other


@pytest.mark.parametrize(
    ("values", "statistic", "options", "message"),
    [
        ([], np.mean, {"seed": 1}, "at least one pair"),
        ([0.5], np.mean, {"seed": None}, "seed"),
        ([0.5], np.mean, {"seed": "q"}, "seed must be a whole number"),
        ([0.5], np.mean, {"seed": 1, "resamples": 0}, "resample"),
        ([0.5], np.mean, {"seed": 1, "resamples": 2.5}, "resamples must be a whole number"),
        ([0.5], np.mean, {"seed": 1, "confidence": 2.0}, "confidence"),
        ([0.5], lambda sample: math.nan, {"seed": 1}, "not a number"),
    ],
)
def test_bootstrap_rejects(values, statistic, options, message):
    with pytest.raises(ValueError, match=message):
        pairs.bootstrap_pairs(values, statistic, **options)


# The first player's share


def test_average_by_pair():
    means = pairs.average_by_pair([1.0, 0.5, 0.0, 1.0, 0.5], [9, 4, 9, 4, 2])
    assert means.tolist() == [0.5, 0.75, 0.5]
    with pytest.raises(ValueError, match="shapes"):
        pairs.average_by_pair([1.0], [1, 2])


def test_pairing_takes_the_players_strength_out():
    # The stronger player always wins as first mover and wins half of its games as second.
    as_first = np.ones(200)
    against_it = np.tile([0.0, 1.0], 100)
    paired = pairs.first_player_share((as_first + against_it) / 2)
    unpaired = pairs.first_player_share_unpaired(np.append(as_first, against_it))
    assert paired.value == unpaired.value == 0.75
    assert paired.high - paired.low < 0.9 * (unpaired.high - unpaired.low)


def test_first_player_share_of_pairs_is_their_mean_score():
    means = [0.5, 0.75, 1.0, 0.25, 0.5]
    share = pairs.first_player_share(means, 0.9)
    direct = pairs.pair_statistics(means, 0.9)
    assert share == Estimate(direct.mean, direct.low, direct.high, 0.9)


def test_first_player_share_unpaired_is_a_score():
    share = pairs.first_player_share_unpaired([1.0, 1.0, 0.5, 0.0])
    assert share == statistics.score_interval(2, 1, 1)


@pytest.mark.parametrize("values", [[], [1.5], [math.nan], [-0.5]])
def test_first_player_share_rejects(values):
    with pytest.raises(ValueError, match=r"first|counts|game"):
        pairs.first_player_share(values)
    with pytest.raises(ValueError, match=r"first|counts|game"):
        pairs.first_player_share_unpaired(values)
