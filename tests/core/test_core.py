"""Bits, streams, dtypes and the cache's fingerprint."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelab.core import bits
from gamelab.core._jit import fingerprint, njit
from gamelab.core.rules import state_dtype
from gamelab.core.seeds import stream


@njit
def jitted(word):
    return bits.popcount(word), bits.lowest(word), bits.highest(word), bits.without_lowest(word), bits.mix(word)


@given(st.integers(1, 2**64 - 1))
@settings(deadline=None, derandomize=True)
def test_bit_operations_are_the_same_jitted_and_in_python(number):
    word = np.uint64(number)
    plain = (bits.popcount(word), bits.lowest(word), bits.highest(word), bits.without_lowest(word), bits.mix(word))
    assert tuple(map(int, jitted(word))) == tuple(map(int, plain))


def test_streams_are_known_by_seed_and_labels():
    draws = {tuple(stream(seed, *labels).random(2)) for seed in (1, 2) for labels in (("a",), ("a", 1), ("b", 1))}
    assert len(draws) == 6
    assert stream(1, "a").random() == stream(1, "a").random()


def test_the_fingerprint_changes_with_sources_and_switches(tmp_path, monkeypatch):
    source = tmp_path / "rules.py"
    source.write_text("a = 1")
    before = fingerprint(source)
    source.write_text("a = 2")
    assert fingerprint(source) != before
    changed = fingerprint(source)
    monkeypatch.setenv("NUMBA_OPT", "0")
    assert fingerprint(source) != changed


def test_fields_need_titles():
    with pytest.raises(ValueError, match="title"):
        state_dtype([("stones", np.uint64)], __file__)
