"""Means of games that come in blocks: the games of a block share their luck, so a block is one observation.

Blocks of one size count as their means would. Where sizes differ the mean is a ratio of sums over blocks, and its variance that
of the linearised ratio. Blocks are often few, so their variance is the sample's, and the quantile Student's.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gamelab.arena.statistics import Estimate, mean_interval, student_quantile
from gamelab.core.errors import ParameterError

__all__ = ["mean_over_blocks", "share_over_blocks"]

ROUNDING = 1e-24  # a variance below is that of equal values


def mean_over_blocks(values: ArrayLike, blocks: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of values on any scale, with Student's interval.

    Parameters
    ----------
    values : array_like of float, shape (games,)
    blocks : array_like of int, shape (games,)
        The block of each, numbered from 0; there may be gaps. With a single block the interval is infinite.
    confidence : float
        Nominal coverage.

    Raises
    ------
    ParameterError
        If there are no values, or as many blocks.

    Examples
    --------
    >>> mean_over_blocks([3.0, 5.0, 4.0, 8.0], [0, 0, 1, 1]).value
    5.0
    """
    mean, variance, number = _linearised(values, blocks)
    half_width = student_quantile(confidence, number - 1) * math.sqrt(variance / number) if number > 1 else math.inf
    return Estimate(mean, mean - half_width, mean + half_width, confidence)


def share_over_blocks(values: ArrayLike, blocks: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of values in [0, 1], with the interval of `gamelab.arena.statistics.mean_interval`, which stays in there.

    Parameters and errors are those of `mean_over_blocks`.
    """
    mean, variance, number = _linearised(values, blocks)
    if number == 1 or variance <= ROUNDING:
        low, high = mean_interval(mean, 0.0, number, confidence)
    else:
        low, high = mean_interval(mean, variance, number, confidence, degrees=number - 1)
    return Estimate(mean, low, high, confidence)


def _linearised(values: ArrayLike, blocks: ArrayLike) -> tuple[float, float, int]:
    """The mean of all values, the variance of what a block tells of it (0 for a lone one), and how many blocks there are."""
    observed, numbers = np.asarray(values, np.float64), np.asarray(blocks, np.int64)
    if observed.ndim != 1 or not observed.size or observed.shape != numbers.shape:
        raise ParameterError(f"a mean over blocks needs values and a block for each: got {observed.shape}, {numbers.shape}")
    sizes, sums = np.bincount(numbers), np.bincount(numbers, observed)
    mean, number = float(observed.mean()), int(np.count_nonzero(sizes))
    if number == 1:
        return mean, 0.0, 1
    deviations = (sums - mean * sizes) * (number / observed.size)  # of the blocks' means, if sizes are equal
    return mean, float((deviations**2).sum()) / (number - 1), number
