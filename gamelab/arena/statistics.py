"""Scores, Elo differences and pairs of games.

The unit of observation decides what an interval is worth. Two games from the same start and chance
seed, seats swapped, share their luck: they are one observation, the *pair*, and its score is the
mean of the two games. Single games are used only where nothing was paired.

Intervals for a mean in [0, 1] come from one place, `_mean_interval`, whichever the observation.
Everywhere, `confidence` is the nominal coverage, in (0, 1), and anything else is a ParameterError
(a ValueError).

References
----------
.. [Wilson1927] E. B. Wilson, "Probable inference, the law of succession, and statistical
   inference", Journal of the American Statistical Association 22, 1927.
.. [ClopperPearson1934] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
   illustrated in the case of the binomial", Biometrika 26, 1934.
.. [VanDenBergh] M. Van den Bergh, "Normalized Elo" and "A practical introduction to the GSPRT".
.. [EfronTibshirani1993] B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.core.errors import ParameterError

# scipy is imported inside the functions that need it, here and in the neighbouring files: its parts
# take tenths of a second to import (scipy.stats most of all), which every command would pay for.

ELO_PER_NAT = 400.0 / math.log(10.0)
"""Elo points per unit of natural log odds: pi = 10^(Elo/400) = exp(Elo / ELO_PER_NAT)."""

NORMALIZED_ELO_SCALE = 800.0 / math.log(10.0)
"""Makes normalized Elo agree with Elo near a score of 1/2 for games without draws."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores a pair of games can have: 0, 1/2, 1, 3/2, 2 points out of two."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its confidence interval.

    Attributes
    ----------
    value : float
        Point estimate.
    low, high : float
        Ends of the interval; an end may be infinite (Elo at a score of 0 or 1).
    confidence : float
        Nominal coverage of the interval.
    """

    value: float
    low: float
    high: float
    confidence: float


def elo_from_score(score: float) -> float:
    """Elo difference that predicts a score: -400 log10(1/score - 1).

    Parameters
    ----------
    score : float
        Mean score, in [0, 1].

    Returns
    -------
    float
        Elo difference, minus infinity at 0 and infinity at 1.

    Raises
    ------
    ParameterError
        If `score` is outside [0, 1] or not a number.

    Examples
    --------
    >>> round(elo_from_score(0.75), 2)
    190.85
    >>> elo_from_score(1.0)
    inf
    """
    if not 0.0 <= score <= 1.0:
        raise ParameterError(f"a score must be in [0, 1], not {score}")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    # log1p keeps the digits that 1 - score would lose next to zero.
    return ELO_PER_NAT * (math.log(score) - math.log1p(-score))


def score_from_elo(elo: float) -> float:
    """Score that an Elo difference predicts: 1 / (1 + 10^(-elo/400)).

    Parameters
    ----------
    elo : float
        Elo difference; infinities are allowed.

    Returns
    -------
    float
        Mean score, in [0, 1].

    Raises
    ------
    ParameterError
        If `elo` is not a number.

    Examples
    --------
    >>> score_from_elo(0.0), score_from_elo(float("-inf"))
    (0.5, 0.0)
    """
    if math.isnan(elo):
        raise ParameterError("an Elo difference must be a number, not nan")
    odds_of_weaker = math.pow(10.0, -abs(elo) / 400.0)  # at most 1, so it cannot overflow
    score_of_weaker = odds_of_weaker / (1.0 + odds_of_weaker)
    return 1.0 / (1.0 + odds_of_weaker) if elo >= 0.0 else score_of_weaker


def elo_interval(estimate: Estimate) -> Estimate:
    """Map the estimate of a score to Elo, ends included.

    Parameters
    ----------
    estimate : Estimate
        Estimate of a score, all three numbers in [0, 1].

    Returns
    -------
    Estimate
        In Elo. A score of 0 or 1, as value or as end, becomes an infinity and the other end of the
        interval stays finite: that end is then what the games say.

    Raises
    ------
    ParameterError
        If a number of `estimate` is outside [0, 1].

    Examples
    --------
    >>> elo = elo_interval(score_interval(10, 0, 0))
    >>> elo.value, round(elo.low), elo.high
    (inf, 140, inf)
    """
    value, low, high = map(elo_from_score, (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.confidence)


def score_interval(wins: int, draws: int, losses: int, confidence: float = 0.95) -> Estimate:
    """Mean score of unpaired games with a confidence interval.

    Without draws this is the Wilson interval [Wilson1927]_, and Clopper-Pearson
    [ClopperPearson1934]_ at a score of 0 or 1. With draws it is the Wilson interval for the
    trinomial variance w (1-s)^2 + d (1/2-s)^2 + l s^2: a draw makes a game less noisy, as if more
    games had been played. It differs from s +- z sqrt(variance / games) by terms in 1/games only,
    but stays within [0, 1] and keeps its coverage in short matches and lopsided ones. For games
    that are all drawn, the bound is Clopper-Pearson's on the share of decisive games.

    Parameters
    ----------
    wins, draws, losses : int
        Numbers of games, not negative and not all zero.
    confidence : float
        Nominal coverage.

    Returns
    -------
    Estimate
        Score (wins + draws/2) / games, in [0, 1].

    Raises
    ------
    ParameterError
        If a count is negative or there are no games.

    Examples
    --------
    >>> estimate = score_interval(60, 0, 40)
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (0.6, 0.502, 0.691)
    >>> round(score_interval(30, 60, 10).low, 3)
    0.54
    """
    return interval_from_counts(checked_counts((wins, draws, losses)), (1.0, 0.5, 0.0), confidence)


def interval_from_counts(counts: NDArray[np.int64], levels: ArrayLike, confidence: float) -> Estimate:
    """Interval of the mean of levels in [0, 1] that occurred counts times."""
    mean, variance = _moments(counts, levels)
    low, high = _mean_interval(mean, variance, int(counts.sum()), confidence)
    return Estimate(mean, low, high, confidence)


def _mean_interval(mean: float, variance: float, observations: int, confidence: float) -> tuple[float, float]:
    """Interval for the mean of observations in [0, 1]: Wilson, with the sample's own variance.

    The variance is matched by the number of win-or-loss observations that would have the same
    standard error, observations * mean (1 - mean) / variance. For wins and losses that is the plain
    Wilson interval. A constant sample has no variance to go by; there, the share of observations
    that differ from it is below q = 1 - (tail)^(1/observations) (Clopper-Pearson), and they lie
    between 0 and 1. At a mean of 0 or 1 that is the Clopper-Pearson interval.
    """
    z = normal_quantile(confidence)
    if variance == 0.0:
        q = -math.expm1(math.log(0.5 * (1.0 - confidence)) / observations)
        return mean * (1.0 - q), mean + q * (1.0 - mean)
    shrink = z * z * variance / (observations * mean * (1.0 - mean))
    centre = (mean + 0.5 * shrink) / (1.0 + shrink)
    half_width = math.sqrt(shrink * (mean * (1.0 - mean) + 0.25 * shrink)) / (1.0 + shrink)
    return max(0.0, centre - half_width), min(1.0, centre + half_width)


def _moments(counts: NDArray[np.int64], levels: ArrayLike) -> tuple[float, float]:
    """Mean and (population) variance of levels that occurred counts times."""
    levels = np.asarray(levels, dtype=np.float64)
    shares = counts / counts.sum()
    mean = float(shares @ levels)
    # Exactly zero for a constant sample: its only share is exactly 1 and its deviation exactly 0.
    return mean, float(shares @ (levels - mean) ** 2)


def checked_counts(counts: ArrayLike) -> NDArray[np.int64]:
    """Return counts as int64, or raise ParameterError for fractions, negatives or none at all."""
    array = np.asarray(counts)
    if not np.issubdtype(array.dtype, np.integer) or np.any(array < 0):
        raise ParameterError(f"counts must be whole numbers that are not negative, not {counts!r}")
    if array.sum() == 0:
        raise ParameterError("all counts are zero: no games")
    return array.astype(np.int64)


def checked_confidence(confidence: float) -> float:
    """Return the confidence, or raise ParameterError unless it is in (0, 1)."""
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"a confidence must be in (0, 1), not {confidence}")
    return confidence


def normal_quantile(confidence: float) -> float:
    """Half-width of the central interval of a standard normal variable.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 * (1.0 + checked_confidence(confidence))))


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """What the scores of a number of pairs say about the mean score.

    Attributes
    ----------
    pairs : int
        Number of pairs, at least 1.
    mean : float
        Mean pair score, in [0, 1].
    standard_error : float
        sigma / sqrt(pairs). Zero when all pairs scored alike: then the sample shows no spread,
        which does not make the mean certain; `low` and `high` take that into account.
    low, high : float
        Ends of the confidence interval of the mean.
    los : float
        Likelihood of superiority, the probability that the true mean exceeds 1/2.
    normalized_elo : float
        (mean - 1/2) / (sqrt(2) sigma) * 800 / ln 10; infinite when all pairs scored alike and not
        1/2, zero when all scored 1/2.
    counts : tuple of int
        How many pairs scored 0, 1/4, 1/2, 3/4 and 1.
    confidence : float
        Nominal coverage of the interval.
    """

    pairs: int
    mean: float
    standard_error: float
    low: float
    high: float
    los: float
    normalized_elo: float
    counts: tuple[int, ...]
    confidence: float


def pair_statistics(pair_scores: ArrayLike, confidence: float = 0.95) -> PairStatistics:
    """Statistics of pairs of games with the seats swapped.

    Parameters
    ----------
    pair_scores : array_like of float, shape (pairs,)
        Per pair the mean score of its two games, each in {0, 1/4, 1/2, 3/4, 1}.
    confidence : float
        Nominal coverage of the interval of the mean.

    Returns
    -------
    PairStatistics
        See there for what the degenerate samples (one pair, all pairs alike) give.

    Raises
    ------
    ParameterError
        If there are no pairs or a score is not one of the five.

    Examples
    --------
    >>> statistics = pair_statistics([0.5, 0.75, 0.5, 1.0, 0.25, 0.75])
    >>> statistics.counts, statistics.mean, round(statistics.los, 3)
    ((0, 1, 2, 2, 1), 0.625, 0.9)
    """
    scores = np.asarray(pair_scores, dtype=np.float64)
    if scores.ndim != 1:
        raise ParameterError(f"pair scores must have one dimension, not {scores.ndim}")
    levels = np.searchsorted(PAIR_SCORES, scores).clip(max=4)
    wrong = scores != np.asarray(PAIR_SCORES)[levels]
    if wrong.any():
        raise ParameterError(f"a pair scores 0, 1/4, 1/2, 3/4 or 1, not {scores[wrong][0]}")
    return pair_statistics_from_counts(np.bincount(levels, minlength=5), confidence)


def pair_statistics_from_counts(counts: ArrayLike, confidence: float = 0.95) -> PairStatistics:
    """Statistics of pairs, given how many of them had each score ("pentanomial").

    The likelihood of superiority is Phi((mean - 1/2) / standard error). When all pairs scored alike
    this says 0 or 1 after a single pair, so there it is that of the sign test with a uniform prior:
    1 - 2^-(pairs+1) for scores above 1/2, and 1/2 for scores of 1/2. It is meant for a number of
    pairs fixed beforehand: a test that stops on its result makes it too sure of that result.

    Parameters
    ----------
    counts : array_like of int, shape (5,)
        Numbers of pairs that scored 0, 1/4, 1/2, 3/4 and 1.
    confidence : float
        Nominal coverage of the interval of the mean.

    Returns
    -------
    PairStatistics
        With normalized Elo as in [VanDenBergh]_.

    Raises
    ------
    ParameterError
        If `counts` is not five numbers that are not negative and not all zero.

    Examples
    --------
    >>> statistics = pair_statistics_from_counts([93, 18711, 58877, 18739, 100])
    >>> round(statistics.los, 3), round(statistics.normalized_elo, 2)
    (0.585, 0.17)
    """
    checked = checked_counts(counts)
    if checked.shape != (5,):
        raise ParameterError(f"a pair has five possible scores, not {checked.size}")
    interval = interval_from_counts(checked, PAIR_SCORES, confidence)
    pairs = int(checked.sum())
    variance = _moments(checked, PAIR_SCORES)[1]
    excess = interval.value - 0.5
    return PairStatistics(
        pairs=pairs,
        mean=interval.value,
        standard_error=math.sqrt(variance / pairs),
        low=interval.low,
        high=interval.high,
        los=_likelihood_of_superiority(excess, variance, pairs),
        normalized_elo=_ratio(excess, math.sqrt(2.0 * variance)) * NORMALIZED_ELO_SCALE,
        counts=tuple(checked.tolist()),
        confidence=confidence,
    )


def _likelihood_of_superiority(excess: float, variance: float, pairs: int) -> float:
    """Probability that the true mean exceeds 1/2; see `pair_statistics_from_counts`."""
    from scipy.special import ndtr

    if variance > 0.0:
        return float(ndtr(excess / math.sqrt(variance / pairs)))
    doubt = 0.5 ** (pairs + 1)
    return 0.5 if excess == 0.0 else (1.0 - doubt if excess > 0.0 else doubt)


def _ratio(numerator: float, denominator: float) -> float:
    """Quotient with 0/0 = 0 and x/0 = infinity with the sign of x."""
    if denominator > 0.0:
        return numerator / denominator
    return 0.0 if numerator == 0.0 else math.copysign(math.inf, numerator)


def average_by_pair(values: ArrayLike, pairs: ArrayLike) -> NDArray[np.float64]:
    """Mean of a value of single games over each pair of games.

    Parameters
    ----------
    values : array_like of float, shape (games,)
        A value per game, such as the first player's score.
    pairs : array_like of int, shape (games,)
        The pair each game belongs to, any numbers. A game without a partner is a pair by itself.

    Returns
    -------
    ndarray of float64, shape (pairs,)
        One mean per pair, by ascending pair number.

    Raises
    ------
    ParameterError
        If the arrays differ in shape.

    Examples
    --------
    >>> average_by_pair([1.0, 0.0, 1.0, 0.5], [7, 7, 8, 8])
    array([0.5 , 0.75])
    """
    values = np.asarray(values, dtype=np.float64)
    pairs = np.asarray(pairs)
    if values.ndim != 1 or pairs.shape != values.shape:
        raise ParameterError(f"one pair number per value: got shapes {pairs.shape} and {values.shape}")
    _, index, sizes = np.unique(pairs, return_inverse=True, return_counts=True)
    return np.bincount(index, weights=values, minlength=len(sizes)) / sizes


def first_player_share(pair_means: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean score of whoever moves first, from pairs of games with the seats swapped.

    Each pair is one observation: the mean of the first mover's scores in its two games, whoever
    that was. The strength of the two players largely cancels within the pair, so the interval is
    narrower than that of as many single games. See `average_by_pair` to make these means.

    Parameters
    ----------
    pair_means : array_like of float, shape (pairs,)
        Mean first-player score per pair, in [0, 1].
    confidence : float
        Nominal coverage.

    Returns
    -------
    Estimate
        Share of the points that the first player takes; 1/2 is an even game.

    Raises
    ------
    ParameterError
        If there are no pairs or a mean is outside [0, 1].

    Examples
    --------
    >>> share = first_player_share([0.5, 0.75, 1.0, 0.5, 0.75, 0.5])
    >>> round(share.value, 3), round(share.low, 3), round(share.high, 3)
    (0.667, 0.509, 0.794)
    """
    means = np.asarray(pair_means, dtype=np.float64)
    if means.ndim != 1 or means.size == 0:
        raise ParameterError("the first player's share needs at least one pair")
    if not np.all((means >= 0.0) & (means <= 1.0)):
        raise ParameterError("a first-player score must be in [0, 1]")
    levels, counts = np.unique(means, return_counts=True)
    return interval_from_counts(counts, levels, confidence)


def first_player_share_unpaired(first_scores: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean score of whoever moves first, from games that have no partner.

    Parameters
    ----------
    first_scores : array_like of float, shape (games,)
        The first player's score per game, in {0, 1/2, 1}.
    confidence : float
        Nominal coverage.

    Returns
    -------
    Estimate
        As `first_player_share`; the interval is that of `score_interval`.

    Raises
    ------
    ParameterError
        If there are no games or a score is not one of the three.

    Examples
    --------
    >>> first_player_share_unpaired([1.0, 0.5, 0.0, 1.0]).value
    0.625
    """
    scores = np.asarray(first_scores, dtype=np.float64)
    losses, draws, wins = (int(np.sum(scores == level)) for level in (0.0, 0.5, 1.0))
    if wins + draws + losses != scores.size:
        raise ParameterError("a game scores 0, 1/2 or 1")
    return score_interval(wins, draws, losses, confidence)


def bootstrap_pairs(
    pair_values: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], float],
    seed: int | np.random.SeedSequence,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> Estimate:
    """Percentile bootstrap of a statistic, resampling whole pairs [EfronTibshirani1993]_.

    Parameters
    ----------
    pair_values : array_like of float, shape (pairs,) or (pairs, ...)
        One row per pair; rows are drawn with replacement and never split.
    statistic : callable
        Maps an array of such rows to a finite number.
    seed : int or SeedSequence
        Seed of the resampling; there is no default, so that results can be repeated.
    resamples : int
        Number of resamples, at least 1.
    confidence : float
        Nominal coverage.

    Returns
    -------
    Estimate
        The statistic of `pair_values` and the percentiles of its resampled values.

    Raises
    ------
    ParameterError
        If there are no pairs, no seed or no resamples, or the statistic is not a number for some
        resample.

    Examples
    --------
    >>> bootstrap_pairs([0.5, 0.75, 0.5, 1.0], np.mean, 1, resamples=200).value
    0.6875
    """
    values = np.asarray(pair_values, dtype=np.float64)
    if values.ndim == 0 or len(values) == 0:
        raise ParameterError("the bootstrap needs at least one pair")
    if seed is None:
        raise ParameterError("the bootstrap needs an explicit seed")
    if resamples < 1:
        raise ParameterError(f"the bootstrap needs at least one resample, not {resamples}")
    tail = 0.5 * (1.0 - checked_confidence(confidence))
    rng = np.random.default_rng(seed)
    draws = [float(statistic(values[rng.integers(0, len(values), len(values))])) for _ in range(resamples)]
    value = float(statistic(values))
    low, high = np.quantile(draws, (tail, 1.0 - tail)).tolist()
    if math.isnan(value) or math.isnan(low) or math.isnan(high):
        raise ParameterError("the statistic is not a number for these pairs or a resample of them")
    return Estimate(value, low, high, confidence)
