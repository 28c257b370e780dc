"""What counts as a number where users give one."""

from __future__ import annotations

from numbers import Real
from typing import TypeGuard

import numpy as np

__all__ = ["in_short", "is_number", "is_score", "is_whole"]

MOST = 1e15  # beyond, not every whole number is a float


def is_whole(value: object) -> TypeGuard[int]:
    """Whether it is a whole number, Python's or NumPy's. True and False are none.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a real number, Python's or NumPy's; nan is one. True and False are none.

    Examples
    --------
    >>> is_number(0.5), is_number(np.float32(1)), is_number("0.5"), is_number(True)
    (True, True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool)


def is_score(value: object) -> TypeGuard[float]:
    """Whether it can be a score: a number of at most fifteen digits before the point.

    Examples
    --------
    >>> is_score(-3), is_score(float("nan")), is_score(1e300), is_score("3")
    (True, False, False, False)
    """
    return is_number(value) and abs(value) <= MOST


def in_short(number: float) -> str:
    """A number on any scale in four digits, or in all that stand before the point.

    Examples
    --------
    >>> in_short(-7.41666), in_short(12345.6)
    ('-7.417', '12,346')
    """
    return f"{number:.4g}" if abs(number) < 10_000 else f"{number:,.0f}"
