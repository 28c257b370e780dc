"""What counts as a number where users give one."""

from __future__ import annotations

from numbers import Real
from typing import TypeGuard

import numpy as np

__all__ = ["is_number", "is_whole"]


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
