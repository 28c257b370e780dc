"""Means of games that come in blocks: the games of a block share their luck, so a block is one observation.

Blocks of one size count as their means would. Where sizes differ the mean is a ratio of sums over blocks, and its variance that
of the linearised ratio. Blocks are often few, so their variance is the sample's, and the quantile Student's.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gamelab.arena.arguments import checked_array, checked_integers, checked_numbers
from gamelab.arena.statistics import Estimate, checked_confidence, mean_interval, student_quantile
from gamelab.core.errors import ParameterError

__all__ = ["mean_over_blocks", "share_over_blocks"]

ROUNDING = 1e-24  # a variance below is that of equal values


def mean_over_blocks(values: ArrayLike, blocks: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of values on any scale, with Student's interval.

    Parameters
    ----------
    values : array_like of float, shape (games,)
    blocks : array_like of int, shape (games,)
        The block of each, by any number. With a single block the interval is infinite.
    confidence : float
        Nominal coverage.

    Raises
    ------
    ParameterError
        If there are no values or not as many blocks, or they are not numbers.

    Examples
    --------
    >>> mean_over_blocks([3.0, 5.0, 4.0, 8.0], [0, 0, 1, 1]).value
    5.0
    """
    confidence = checked_confidence(confidence)
    mean, variance, number = _linearised(values, blocks)
    half_width = student_quantile(confidence, number - 1) * math.sqrt(variance / number) if number > 1 else math.inf
    return Estimate(mean, mean - half_width, mean + half_width, confidence)


def share_over_blocks(values: ArrayLike, blocks: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of values in [0, 1], with the interval of `gamelab.arena.statistics.mean_interval`, which stays in there.

    Parameters and errors are those of `mean_over_blocks`; values outside [0, 1] are one more.
    """
    confidence = checked_confidence(confidence)
    mean, variance, number = _linearised(values, blocks)
    if np.min(values) < 0 or np.max(values) > 1:
        raise ParameterError("shares are between 0 and 1")
    if number == 1 or variance <= ROUNDING:
        low, high = mean_interval(mean, 0.0, number, confidence)
    else:
        low, high = mean_interval(mean, variance, number, confidence, degrees=number - 1)
    return Estimate(mean, low, high, confidence)


def _linearised(values: ArrayLike, blocks: ArrayLike) -> tuple[float, float, int]:
    """The mean of all values, the variance of what a block tells of it (0 for a lone one), and how many blocks there are."""
    observed, numbers = checked_array("values", values), checked_array("blocks", blocks)
    if observed.ndim != 1 or not observed.size or observed.shape != numbers.shape:
        raise ParameterError(f"a mean over blocks needs values and a block for each: got {observed.shape}, {numbers.shape}")
    observed = checked_numbers("values", observed)
    checked_integers("blocks", numbers)
    units = np.unique(numbers, return_inverse=True)[1]
    sizes, sums = np.bincount(units), np.bincount(units, observed)
    mean, number = float(observed.mean()), len(sizes)
    if number == 1:
        return mean, 0.0, 1
    deviations = (sums - mean * sizes) * (number / observed.size)  # of the blocks' means, if sizes are equal
    return mean, float((deviations**2).sum()) / (number - 1), number
