"""Stopping a search after some time.

Compiled kernels cannot read a clock, but they release the GIL: a timer thread sets a flag that they look at.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

__all__ = ["stop_after"]


@contextmanager
def stop_after(seconds: float | None) -> Iterator[NDArray[np.uint8]]:
    """A flag, uint8 of shape (1,), that turns from 0 to 1 after some seconds; None: never by itself."""
    flag = np.zeros(1, np.uint8)
    if seconds is None:
        yield flag
        return
    timer = threading.Timer(seconds, flag.fill, args=(1,))
    timer.daemon = True
    timer.start()
    try:
        yield flag
    finally:
        timer.cancel()
