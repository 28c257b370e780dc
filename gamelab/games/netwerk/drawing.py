"""Netwerk as an SVG picture."""

from __future__ import annotations

from typing import Any

__all__ = ["draw_svg"]


def draw_svg(state: Any, last_action: int | None = None) -> str:
    """placeholder"""
    return "<svg/>"
