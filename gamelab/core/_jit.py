"""Compilation: one `njit` for the whole package, whose cache on disk never serves stale machine code.

Four traps of numba's own cache are closed here.

- It notices a change only in the file of the function itself. A kernel that inlines another file's would go on running
  the old one after an edit. So the cache folder is named by a hash over all sources that the function's own may call, and
  over the compiler switches that change the machine code but not numba's cache key (bounds checks, for one). A search may
  call any game; but a game's record type carries a hash of the game's sources (`rules.state_dtype`), so who edits one game
  compiles that one alone anew.
- It names a compiled function by its argument types, and a record type by a number that counts up in each process. Machine
  code that two processes have saved can bear one name for two record types, and who loads both runs the wrong one. So here a
  record type's name is made of its layout and titles.
- Two processes that save at the same moment can mix up each other's files. So saving takes a lock.
- A full or read-only disk makes it raise in the middle of a call. A cache that cannot be written costs only time, so
  here it is reported once, as a warning, and the kernel runs.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import filelock
import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

__all__ = ["cache_folder", "fingerprint", "njit", "njit_inline", "njit_lean"]

PACKAGE = Path(__file__).resolve().parent.parent
# Switches that numba reads from the environment and that change what is compiled.
COMPILER_SWITCHES = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
STALE_AFTER_DAYS = 30
# The parts of the package that decide what is played; a change of a plot must not compile anything anew.
PLAYS = ("core", "games", "search", "agents")


def _name_by_layout(record: types.Record) -> tuple[str, tuple[str, ...]]:
    """What stands for a record type in the names of compiled functions: the same in every process."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


types.Record.mangling_args = property(_name_by_layout)  # type: ignore[method-assign, assignment]

Function = TypeVar("Function", bound=Callable[..., Any])


def fingerprint(*files: Path) -> str:
    """Hash of source files, of the compiler's versions and of its switches.

    Parameters
    ----------
    *files : Path
        What to hash, in this order; none means every file of the package that decides what is played: Python and data.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    switches = [f"{name}={os.environ.get(name, '')}" for name in COMPILER_SWITCHES]
    digest.update("\n".join((*versions, *switches)).encode())
    for file in files or _what_is_played():
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _what_is_played() -> list[Path]:
    """All of the package that decides which game comes of a seed."""
    plays = [path for part in PLAYS for kind in ("*.py", "*.toml") for path in (PACKAGE / part).rglob(kind)]
    return sorted([*plays, PACKAGE / "arena" / "match.py", PACKAGE / "arena" / "schedule.py"])


def _cache_root() -> Path:
    """The folder under which caches lie: what NUMBA_CACHE_DIR names, else the user's cache folder, else a temporary one."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) / "gamelab" if chosen else Path(platformdirs.user_cache_dir("gamelab", appauthor=False))
    try:
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / f"gamelab-{os.environ.get('USER', 'user')}"


def _prune(root: Path, keep: Path) -> None:
    """Remove the caches of sources that nobody has run for a month; the newest sources' one is `keep`."""
    oldest = time.time() - STALE_AFTER_DAYS * 86400
    for folder in root.iterdir():
        if folder.is_dir() and folder != keep and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _sources(file: Path) -> tuple[Path, ...]:
    """The files and folders whose code may end up in the machine code of a function in `file`, record types apart."""
    parts = file.relative_to(PACKAGE).parts if file.is_relative_to(PACKAGE) else ()
    core = PACKAGE / "core"
    if len(parts) > 1 and parts[0] in ("core", "search"):
        return tuple({core, PACKAGE / parts[0]})
    if len(parts) > 1 and parts[0] == "games":
        return core, PACKAGE / "games" / parts[1]
    # Beyond the package: what the function calls may stand in any file beside its own.
    return (*(PACKAGE / part for part in PLAYS), *file.parent.glob("*.py"))


@functools.cache
def cache_folder(*sources: Path) -> Path:
    """The folder that holds the machine code of exactly these sources: files, and folders with all their Python files."""
    files = [file for source in sorted(sources) for file in (sorted(source.rglob("*.py")) if source.is_dir() else [source])]
    root = _cache_root()
    folder = root / fingerprint(*files)
    try:
        known = folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        if not known:
            _prune(root, keep=folder)
    except OSError:
        pass  # the first save will say so
    return folder


class _Locator(UserProvidedCacheLocator):
    """Puts a function's cache files into the `cache_folder` of its sources, wherever those lie."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        folder = cache_folder(*_sources(Path(py_file).resolve()))
        self._cache_path = os.path.join(folder, self.get_suitable_cache_subpath(py_file))

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator | None:
        # Code typed into a prompt has no file to be stamped with; it is compiled each time.
        return cls(py_func, py_file) if os.path.exists(py_file) else None


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - numba's own name and type


class _Cache(FunctionCache):
    """numba's cache, with saving made safe for several processes and for disks that are full."""

    _impl_class = _CacheImpl
    _warned = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except (OSError, EOFError, ValueError) as error:  # half a file: compile anew
            self._warn(error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._impl.locator.ensure_cache_path()
            with filelock.FileLock(os.path.join(self._impl.locator.get_cache_path(), "lock"), timeout=60):
                super().save_overload(sig, data)
        except (OSError, filelock.Timeout) as error:
            self._warn(error)

    @staticmethod
    def _warn(error: Exception) -> None:
        if not _Cache._warned:
            _Cache._warned = True
            warnings.warn(f"compiled code is not kept in {_cache_root()}: {error}", RuntimeWarning, stacklevel=3)


def njit(function: Function) -> Function:
    """Compile a function with numba as this package wants it: lazily, without the GIL, cached by its sources.

    Works without a compiler too: with NUMBA_DISABLE_JIT=1 the function is returned as it is.
    """
    return _compiled(function)


def njit_lean(function: Function) -> Function:
    """As `njit`, without counting references: for kernels that are handed many arrays. They must not allocate anything.

    Counting the references of a dozen arrays at every call costs more than a step of a search. What the caller holds stays
    alive; but what such a kernel calls must not make arrays either, or compiling fails.
    """
    return _compiled(function, _nrt=False)


def njit_inline(function: Function) -> Function:
    """As `njit_lean`, and put into its callers before they are compiled, instead of being called, whatever its size.

    It is never compiled by itself. numba optimises with each function all that it calls, once more on every level of calls: a
    search whose steps are functions of this kind takes two thirds of the time to compile.
    """
    return _compiled(function, _nrt=False, inline="always")


def _compiled(function: Function, **how: Any) -> Function:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **how)(function)
    if dispatcher is not function:
        with contextlib.suppress(RuntimeError):  # no file behind the function: compiled each time
            dispatcher._cache = _Cache(function)
    return dispatcher  # type: ignore[no-any-return]
