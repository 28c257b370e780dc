"""Scores and Elo differences, with intervals.

Intervals for a mean in [0, 1] come from one place, `mean_interval`, whichever the observation.
Everywhere, `confidence` is the nominal coverage, in (0, 1), and anything else is a ParameterError
(a ValueError).

References
----------
.. [Wilson1927] E. B. Wilson, "Probable inference, the law of succession, and statistical
   inference", Journal of the American Statistical Association 22, 1927.
.. [ClopperPearson1934] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
   illustrated in the case of the binomial", Biometrika 26, 1934.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.core.errors import ParameterError, quoted
from gamelab.core.numbers import is_number

# scipy is imported inside the functions that need it, here and in the neighbouring files: its parts
# take tenths of a second to import (scipy.stats most of all), which every command would pay for.

ELO_PER_NAT = 400.0 / math.log(10.0)
"""Elo points per unit of natural log odds: pi = 10^(Elo/400) = exp(Elo / ELO_PER_NAT)."""


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

    def to_dict(self) -> dict[str, float | None]:
        """Fit for JSON: an infinite end becomes None."""
        ends = {"value": self.value, "low": self.low, "high": self.high}
        return {name: end if math.isfinite(end) else None for name, end in ends.items()} | {"confidence": self.confidence}


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
    mean, variance = moments(counts, levels)
    low, high = mean_interval(mean, variance, int(counts.sum()), confidence)
    return Estimate(mean, low, high, confidence)


def mean_interval(
    mean: float, variance: float, observations: int, confidence: float, degrees: int | None = None
) -> tuple[float, float]:
    """Interval for the mean of observations in [0, 1]: Wilson, with the sample's own variance.

    The variance is matched by the number of win-or-loss observations that would have the same
    standard error, observations * mean (1 - mean) / variance. For wins and losses that is the plain
    Wilson interval. A constant sample has no variance to go by; there, the share of observations
    that differ from it is below q = 1 - (tail)^(1/observations) (Clopper-Pearson), and they lie
    between 0 and 1. At a mean of 0 or 1 that is the Clopper-Pearson interval.

    With few observations that are no mere wins or losses the variance is itself uncertain: `degrees`
    of freedom take Student's quantile instead of the normal one.
    """
    z = normal_quantile(confidence) if degrees is None else student_quantile(confidence, degrees)
    if variance == 0.0:
        q = -math.expm1(math.log(0.5 * (1.0 - confidence)) / observations)
        return mean * (1.0 - q), mean + q * (1.0 - mean)
    shrink = z * z * variance / (observations * mean * (1.0 - mean))
    centre = (mean + 0.5 * shrink) / (1.0 + shrink)
    half_width = math.sqrt(shrink * (mean * (1.0 - mean) + 0.25 * shrink)) / (1.0 + shrink)
    return max(0.0, centre - half_width), min(1.0, centre + half_width)


def moments(counts: NDArray[np.int64], levels: ArrayLike) -> tuple[float, float]:
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
        raise ParameterError(f"counts must be whole numbers that are not negative, not {quoted(counts)}")
    if array.sum() == 0:
        raise ParameterError("all counts are zero: no games")
    return array.astype(np.int64)


def checked_confidence(confidence: float) -> float:
    """Return the confidence as a float, or raise ParameterError unless it is a number in (0, 1)."""
    if not is_number(confidence) or not 0.0 < confidence < 1.0:
        raise ParameterError(f"confidence must be a number in (0, 1), not {quoted(confidence)}")
    return float(confidence)


def student_interval(values: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of observations on any scale, with Student's interval.

    Parameters
    ----------
    values : array_like of float, shape (observations,)
        At least one; of a single one the interval is infinite.
    confidence : float
        Nominal coverage.

    Raises
    ------
    ParameterError
        If there are none.

    Examples
    --------
    >>> estimate = student_interval([3.0, 5.0, 7.0])
    >>> estimate.value, round(estimate.low, 2)
    (5.0, 0.03)
    """
    observed = np.asarray(values, dtype=np.float64)
    if observed.ndim != 1 or not observed.size:
        raise ParameterError("a mean needs at least one observation")
    confidence = checked_confidence(confidence)
    mean, half_width = float(observed.mean()), math.inf
    if observed.size > 1:
        half_width = student_quantile(confidence, observed.size - 1) * float(observed.std(ddof=1)) / math.sqrt(observed.size)
    return Estimate(mean, mean - half_width, mean + half_width, confidence)


def student_quantile(confidence: float, degrees: int) -> float:
    """Half-width of the central interval of Student's distribution with so many degrees of freedom.

    Examples
    --------
    >>> round(student_quantile(0.95, 10), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 * (1.0 + checked_confidence(confidence))))


def normal_quantile(confidence: float) -> float:
    """Half-width of the central interval of a standard normal variable.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 * (1.0 + checked_confidence(confidence))))
