"""Checks of what `fit_ratings` and `fit_plackett_luce` are given; each raises ParameterError, which names the argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.arena.statistics import ELO_PER_NAT
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.numbers import is_number, is_whole

__all__ = ["checked_array", "checked_generator", "checked_integers", "checked_numbers", "checked_players", "checked_precision"]


def checked_players(names: Sequence[str]) -> int:
    """Return how many players there are, or raise unless they are two or more, all different."""
    # A text is itself a sequence of texts; a set has no order that the games could refer to.
    listed = isinstance(names, Collection) and not isinstance(names, str | Set) and getattr(names, "ndim", 1) == 1
    if not listed or not all(isinstance(name, str) for name in names):
        raise ParameterError(f"names must be a sequence of texts, not {quoted(names)}")
    if len(names) < 2:
        raise ParameterError(f"ratings compare at least two players, not {len(names)}")
    repeated = [name for name, times in Counter(tuple(names)).items() if times > 1]
    if repeated:
        raise ParameterError(f"names must all be different, but these repeat: {quoted(repeated)}")
    return len(names)


def checked_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return the values as an array of whatever they are, or raise if their rows differ in length."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} must be an array with rows of one length, not {quoted(values)}") from None


def checked_integers(name: str, array: NDArray[Any]) -> None:
    """Raise unless the array is one of integers, Python's or NumPy's; True and False are none."""
    if not np.issubdtype(array.dtype, np.integer):
        raise ParameterError(f"{name} must be integers, not {array.dtype}: {quoted(array.tolist())}")


def checked_numbers(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return the array as float64, or raise unless it is one of finite real numbers."""
    if array.dtype.kind not in "iuf":
        raise ParameterError(f"{name} must be finite numbers, not {array.dtype}: {quoted(array.tolist())}")
    wrong = np.argwhere(~np.isfinite(array))
    if wrong.size:
        where = tuple(wrong[0].tolist())
        raise ParameterError(f"{name} must be finite numbers, but at {where} is {quoted(array[where].item())}")
    return array.astype(np.float64)


def checked_precision(prior_elo: float) -> float:
    """Return the prior's precision per squared nat, or raise if its strength is out of range."""
    # Far weaker, and the Hessian would be singular to working precision; far stronger, overflow.
    if not is_number(prior_elo) or not 1.0 <= prior_elo <= 1e5:
        raise ParameterError(f"prior_elo must be a number from 1 to 100000, not {quoted(prior_elo)}")
    return (ELO_PER_NAT / float(prior_elo)) ** 2


def checked_generator(
    resamples: int, seed: int | np.random.SeedSequence | None, name: str = "bootstrap"
) -> np.random.Generator | None:
    """Return the generator of a bootstrap, None if there is to be none, or raise; also for a seed that nothing needs."""
    if not is_whole(resamples) or resamples < 0:
        raise ParameterError(f"{name} must be a whole number that is not negative, not {quoted(resamples)}")
    if seed is not None and not isinstance(seed, np.random.SeedSequence) and (not is_whole(seed) or seed < 0):
        raise ParameterError(f"seed must be a whole number that is not negative, or a SeedSequence, not {quoted(seed)}")
    if resamples and seed is None:
        raise ParameterError("a bootstrap needs an explicit seed")
    return np.random.default_rng(seed) if resamples else None
