"""Binding implementations to the generic functions."""

import numpy as np
import pytest

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.rules import implements, state_dtype

SOURCE = "def returns(state, out):\n    out[0] = {}\n"


def coin(number):
    return state_dtype([((f"a coin, number {number}", "coin"), np.int64)], __file__)


def function(value, file):
    """The rule `returns`, as if read from a file."""
    names = {}
    exec(compile(SOURCE.format(value), file, "exec"), names)
    return names["returns"]


@njit
def jitted(state, out):
    rules.returns(state, out)


def both(dtype):
    """What plain Python and compiled code write."""
    state, plain, compiled = np.zeros(1, dtype), np.zeros(1), np.zeros(1)
    rules.returns(state[0], plain)
    jitted(state[0], compiled)
    return plain[0], compiled[0]


def test_a_second_implementation_is_an_error_and_the_first_stays():
    dtype = coin(1)
    implements(rules.returns, dtype)(function(1.0, "first.py"))
    with pytest.raises(
        ValueError, match=r"returns is implemented twice for one dtype: first\.py, line 1 and second\.py, line 1"
    ):
        implements(rules.returns, dtype)(function(2.0, "second.py"))
    assert both(dtype) == (1.0, 1.0)


def test_other_states_and_the_same_source_once_more_are_not():
    one, other = coin(2), coin(3)
    implements(rules.returns, one)(function(1.0, "one.py"))
    implements(rules.returns, other)(function(2.0, "other.py"))
    implements(rules.returns, one)(function(1.0, "one.py"))
    assert both(one) == (1.0, 1.0)
    assert both(other) == (2.0, 2.0)
