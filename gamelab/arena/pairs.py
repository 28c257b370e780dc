"""Pairs of games: the unit of observation decides what an interval is worth.

Two games from the same start and chance seed, seats swapped, share their luck: they are one observation, the *pair*, and its
score is the mean of the two games. Single games are used only where nothing was paired.

References
----------
.. [VanDenBergh] M. Van den Bergh, "Normalized Elo" and "A practical introduction to the GSPRT".
.. [EfronTibshirani1993] B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.arena.arguments import checked_generator
from gamelab.arena.statistics import Estimate, checked_confidence, checked_counts, interval_from_counts, moments, score_interval
from gamelab.core.errors import ParameterError

NORMALIZED_ELO_SCALE = 800.0 / math.log(10.0)
"""Makes normalized Elo agree with Elo near a score of 1/2 for games without draws."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores a pair of games can have: 0, 1/2, 1, 3/2, 2 points out of two."""


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
    variance = moments(checked, PAIR_SCORES)[1]
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
        If there are no pairs, no seed or no resamples, or they are of the wrong type, or the
        statistic is not a number for some resample.

    Examples
    --------
    >>> bootstrap_pairs([0.5, 0.75, 0.5, 1.0], np.mean, 1, resamples=200).value
    0.6875
    """
    values = np.asarray(pair_values, dtype=np.float64)
    if values.ndim == 0 or len(values) == 0:
        raise ParameterError("the bootstrap needs at least one pair")
    tail = 0.5 * (1.0 - checked_confidence(confidence))
    rng = checked_generator(resamples, seed, "resamples")
    if rng is None:
        raise ParameterError("a bootstrap needs at least one resample, not 0")
    draws = [float(statistic(values[rng.integers(0, len(values), len(values))])) for _ in range(resamples)]
    value = float(statistic(values))
    low, high = np.quantile(draws, (tail, 1.0 - tail)).tolist()
    if math.isnan(value) or math.isnan(low) or math.isnan(high):
        raise ParameterError("the statistic is not a number for these pairs or a resample of them")
    return Estimate(value, low, high, confidence)
