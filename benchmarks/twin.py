"""The C twin of Netwerk's random games, built when first needed."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

__all__ = ["Twin"]

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "netwerk_twin.c"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


class Twin:
    """The twin as a function; raises SystemExit with one clear line if it cannot be built."""

    def __init__(self) -> None:
        library = HERE / "build" / "libnetwerk_twin.so"
        if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
            self._build(library)
        self._play = ctypes.CDLL(str(library)).play
        self._play.argtypes = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p)

    def _build(self, library: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            sys.exit("benchmarks: no C compiler (cc, gcc or clang) found for the C twin")
        library.parent.mkdir(exist_ok=True)
        done = subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(library)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"benchmarks: {compiler} failed on {SOURCE.name}: {done.stderr.strip()}")

    def play(self, seed: int, games: int, crowding: int) -> tuple[int, int, int]:
        """Play random games: their plies together, White's wins, draws."""
        totals = np.zeros(3, np.int64)
        self._play(seed, games, crowding, totals.ctypes.data)
        plies, white, draws = totals.tolist()
        return plies, white, draws
