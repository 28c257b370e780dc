"""The transposition table: what is stored is found, what is torn is not, and the deeper search stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelab.search import transposition
from gamelab.search.transposition import EXACT, LOWER, SLOT, UPPER, make_table, store, unpack

KEYS = st.integers(0, 2**64 - 1).map(np.uint64)


def find(table, key):
    return np.uint64(transposition.find(table, key))


@settings(deadline=None)
@given(
    key=KEYS,
    action=st.integers(-1, 2**31 - 1),
    score=st.integers(-30_000, 30_000),
    depth=st.integers(-32, 151),
    bound=st.sampled_from([EXACT, LOWER, UPPER]),
    generation=st.integers(0, 63),
)
def test_what_is_stored_is_found(key, action, score, depth, bound, generation):
    table = make_table(1024)
    assert find(table, key) == 0
    store(table, key, action, score, depth, bound, generation)
    assert unpack(find(table, key)) == (action, score, depth, bound)
    assert find(table, key ^ np.uint64(1 << 63)) == 0


@settings(deadline=None)
@given(key=KEYS, other=KEYS)
def test_a_torn_slot_is_not_found(key, other):
    """Half of one thread's result and half of another's: no key comes out of it, neither the one nor the other."""
    one, two = make_table(32), make_table(32)
    store(one, key, 1, 100, 5, EXACT, 0)
    store(two, other, 2, 200, 6, EXACT, 0)
    torn = one.copy()
    torn["data"] = two["data"]
    if key != other and not np.array_equal(one["data"] == 0, two["data"] != 0):
        assert find(torn, key) == 0
        assert find(torn, other) == 0


def test_the_deeper_search_stays_and_the_newer_has_the_second_place():
    table = make_table(2 * SLOT.itemsize)
    deep, shallow, third, later = (np.uint64(2 * i) for i in range(1, 5))
    store(table, deep, 1, 0, 9, EXACT, 0)
    store(table, shallow, 2, 0, 3, EXACT, 0)
    assert unpack(find(table, deep))[0] == 1
    assert unpack(find(table, shallow))[0] == 2
    store(table, third, 3, 0, 2, EXACT, 0)
    assert unpack(find(table, deep))[0] == 1
    assert find(table, shallow) == 0
    # A search from a later root takes the first place, however deep the old one was.
    store(table, later, 4, 0, 1, EXACT, 1)
    assert unpack(find(table, later))[0] == 4
    assert unpack(find(table, deep))[0] == 1
    assert find(table, third) == 0


@pytest.mark.parametrize("size", [32, 33, 63, 64, 1000, 1 << 20])
def test_the_size_is_a_limit(size):
    table = make_table(size)
    assert table.nbytes <= size
    assert 2 * table.nbytes > size
    assert len(table) & (len(table) - 1) == 0
