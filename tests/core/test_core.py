"""Bits, streams, dtypes and the cache's fingerprint."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelab.core import bits
from gamelab.core._jit import PACKAGE, fingerprint, njit
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


ASKED = """
from gamelab.core import kernels
from gamelab.games import load
from gamelab.search.playout import playout_batch
import gamelab, os
import numpy as np

assert gamelab.__file__.startswith(os.getcwd()), gamelab.__file__
game = load("tictactoe")
states, totals = np.concatenate([game.initial_array()] * 2), np.zeros(2)
plies = playout_batch(states, 1, game.action_buffer(), totals, np.random.default_rng(1))
print(kernels.current_player(game.initial_array()), plies, sum(playout_batch.stats.cache_hits.values()))
"""


def test_whoever_edits_a_game_gets_new_machine_code(tmp_path):
    """And the machine code of all that does not depend on the game stays."""
    shutil.copytree(PACKAGE, tmp_path / "gamelab", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}

    def ask():
        command = [sys.executable, "-c", ASKED]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()

    first, again = ask(), ask()
    assert (first[0], first[2], again) == ("0", "0", [*first[:2], "1"])
    game = tmp_path / "gamelab" / "games" / "tictactoe.py"
    source = game.read_text()
    assert source.count("if marks & line == line:") == 1
    game.write_text(source.replace("if marks & line == line:", "if marks != np.uint64(0):"))
    assert ask() == ["0", "1", "0"]  # now one mark is a line
    game.write_text(source)
    assert ask() == again


NAMED = """
import sys

import numpy as np
from numba.core.itanium_mangler import mangle_type
from numba.np.numpy_support import from_dtype

import gamelab.core._jit

for title in sys.argv[1:]:
    record = from_dtype(np.dtype([((title, "stones"), np.int8)], align=True))
    print(title, mangle_type(record), mangle_type(record[::1]))
"""


def test_compiled_functions_name_record_types_alike_in_every_process():
    """Whatever was met first; else machine code saved by one process is taken for that of another type by the next."""

    def names(*titles):
        told = subprocess.run([sys.executable, "-c", NAMED, *titles], capture_output=True, text=True, check=True).stdout
        return sorted(told.splitlines())

    one, other = names("white", "black"), names("black", "white")
    assert one == other
    assert len({word for line in one for word in line.split()}) == 6
