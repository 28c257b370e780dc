"""The C twins, each built when first needed."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measure import fail

__all__ = ["ConnectFourTwin", "NetwerkTwin"]

HERE = Path(__file__).resolve().parent
# Square roots of what cannot be negative need no look at errno.
FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC")
NODE_BYTES = 32
COLUMNS = 7


def library(name: str) -> ctypes.CDLL:
    """`NAME_twin.c` as a library; stops with one clear line if it cannot be built."""
    source, built = HERE / f"{name}_twin.c", HERE / "build" / f"lib{name}_twin.so"
    if not built.exists() or built.stat().st_mtime < max(source.stat().st_mtime, Path(__file__).stat().st_mtime):
        _build(source, built)
    return ctypes.CDLL(str(built))


def _build(source: Path, built: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        fail(f"no C compiler (cc, gcc or clang) found for {source.name}")
    built.parent.mkdir(exist_ok=True)
    done = subprocess.run([compiler, *FLAGS, str(source), "-o", str(built), "-lm"], capture_output=True, text=True)
    if done.returncode:
        fail(f"{compiler} failed on {source.name}: {done.stderr.strip()}")


class NetwerkTwin:
    """Random games of Netwerk."""

    def __init__(self) -> None:
        self._play = library("netwerk").play
        self._play.argtypes = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p)

    def play(self, seed: int, games: int, crowding: int) -> tuple[int, int, int]:
        """Play random games: their plies together, White's wins, draws."""
        totals = np.zeros(3, np.int64)
        self._play(seed, games, crowding, totals.ctypes.data)
        plies, white, draws = totals.tolist()
        return plies, white, draws


@dataclass(frozen=True)
class Searched:
    """What a search from the start found: simulations, nodes in use, and visits and mean values by column."""

    simulations: int
    nodes: int
    visits: list[int]
    values: list[float]


class ConnectFourTwin:
    """Random games and UCT of Connect Four, 7 columns of 6.

    Parameters
    ----------
    max_nodes : int
        Room for the search tree.
    """

    def __init__(self, max_nodes: int) -> None:
        twin = library("connectfour")
        self._play, self._search = twin.play, twin.search
        self._play.argtypes = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p)
        self._search.argtypes = (
            *(ctypes.c_uint64, ctypes.c_int64, ctypes.c_double, ctypes.c_int),
            *(ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
        )
        self._search.restype = ctypes.c_int64
        self._max_nodes, self._nodes = max_nodes, np.empty(max_nodes * NODE_BYTES, np.uint8)

    def play(self, seed: int, games: int) -> tuple[int, int, int]:
        """Play random games: their plies together, the first player's wins, draws."""
        totals = np.zeros(3, np.int64)
        self._play(seed, games, totals.ctypes.data)
        plies, first, draws = totals.tolist()
        return plies, first, draws

    def search(self, seed: int, simulations: int, exploration: float, solver: bool) -> Searched:
        """Search from the start with a fresh tree."""
        visits, values, used = np.zeros(COLUMNS, np.int64), np.zeros(COLUMNS), np.zeros(1, np.int64)
        results = (visits.ctypes.data, values.ctypes.data, used.ctypes.data)
        nodes = self._nodes.ctypes.data
        done = self._search(seed, simulations, exploration, int(solver), nodes, self._max_nodes, *results)
        return Searched(done, int(used[0]), visits.tolist(), values.tolist())
