"""Means over blocks of games: the textbook's where blocks are equal, and right in the long run where they are not."""

import math

import numpy as np
import pytest
from scipy.stats import t

from gamelab.arena.blocks import mean_over_blocks, share_over_blocks
from gamelab.core.errors import ParameterError


def test_equal_blocks_count_as_their_means():
    values, blocks = [3.0, 5.0, 4.5, 4.5, 9.0, 0.0, 1.0, 2.0], [0, 0, 1, 1, 2, 2, 3, 3]
    means = np.array([4.0, 4.5, 4.5, 1.5])
    expected = t.interval(0.9, 3, means.mean(), means.std(ddof=1) / 2)
    found = mean_over_blocks(values, blocks, 0.9)
    assert found.value == means.mean()
    assert (found.low, found.high) == pytest.approx(expected)


def test_blocks_may_come_in_any_order_and_with_gaps():
    assert mean_over_blocks([1.0, 2.0, 3.0, 5.0], [-7, 2, -7, 2]) == mean_over_blocks([1.0, 3.0, 2.0, 5.0], [0, 0, 1, 1])


def test_of_a_single_block_no_interval_is_known():
    found = mean_over_blocks([1.0, 2.0], [4, 4])
    assert (found.value, found.low, found.high) == (1.5, -math.inf, math.inf)


def test_unequal_blocks_by_hand():
    """Three games of 2 in one block and one of 6 in another: mean 3, and each block is 3 off in sum."""
    found = mean_over_blocks([2.0, 2.0, 2.0, 6.0], [0, 0, 0, 1])
    half_width = t.ppf(0.975, 1) * math.sqrt(2 * (3**2 + 3**2)) / 4
    assert (found.value, found.high) == pytest.approx((3, 3 + half_width))


@pytest.mark.parametrize("blocks", [3, 12])
def test_an_interval_holds_as_often_as_it_says_where_the_luck_of_a_block_is_shared(blocks):
    rng = np.random.default_rng(blocks)
    numbers = np.repeat(np.arange(blocks), 6)
    held = 0
    for _ in range(1000):
        values = rng.normal(-30.0, 5.0, blocks)[numbers] + rng.normal(0.0, 2.0, len(numbers))
        found = mean_over_blocks(values, numbers)
        held += found.low <= -30 <= found.high
    assert 0.93 <= held / 1000 <= 0.97


def test_a_share_keeps_to_0_and_1():
    found = share_over_blocks([1.0, 1.0, 1.0, 0.5], [0, 0, 1, 1])
    assert found.value == 0.875
    assert 0 < found.low < 0.875 < found.high <= 1
    certain = share_over_blocks([1.0, 1.0], [0, 1])
    assert 0 < certain.low < certain.high == 1


@pytest.mark.parametrize(
    ("values", "blocks", "message"),
    [
        ([], [], "a block for each"),
        ([1.0], [0, 0], "a block for each"),
        ([[1.0]], [[0]], "a block for each"),
        ([1.0], [0.5], "blocks must be integers"),
        ([math.nan], [0], "values must be finite numbers"),
        (["x"], [0], "values must be finite numbers"),
    ],
)
def test_what_has_no_mean(values, blocks, message):
    with pytest.raises(ParameterError, match=message):
        mean_over_blocks(values, blocks)


@pytest.mark.parametrize("mean", [mean_over_blocks, share_over_blocks])
def test_a_confidence_is_checked_whatever_the_number_of_blocks(mean):
    for blocks in ([0, 0], [0, 1]):
        with pytest.raises(ParameterError, match="confidence must be a number in"):
            mean([0.5, 1.0], blocks, 7)


def test_a_share_is_between_0_and_1():
    with pytest.raises(ParameterError, match="between 0 and 1"):
        share_over_blocks([1.5, 1.0], [0, 1])
