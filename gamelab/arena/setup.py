"""What makes two tournaments the same one, and in words what does not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from gamelab.core.errors import LONGEST_PATH, cut, quoted

__all__ = ["Setup", "differences", "named_files"]


@dataclass(frozen=True)
class Setup:
    """What makes two tournaments the same one, save for their length.

    `rules` is `Game.rules_fingerprint` where a parameter may name a data file, else None; None agrees with any.
    """

    game: str
    parameters: dict[str, Any]
    agents: list[str]
    seed: int
    opening_plies: int
    move_limit: float | None
    rules: str | None = None


def differences(known: Setup, asked: Setup) -> list[str]:
    """What differs between the set-up that is there and the one here, each in a few words; `rules` is left out."""
    found = []
    if known.game != asked.game:
        return [f"game is {quoted(known.game)} there and {quoted(asked.game)} here"]
    for name in [*known.parameters, *(name for name in asked.parameters if name not in known.parameters)]:
        old, new = (setup.parameters.get(name) for setup in (known, asked))
        if old != new:
            found.append(f"{name} is {quoted(old)} there and {quoted(new)} here")
    if known.agents != asked.agents:
        found.append(_other_agents(known.agents, asked.agents))
    for name in ("seed", "opening_plies", "move_limit"):
        old, new = getattr(known, name), getattr(asked, name)
        if old != new:
            found.append(f"{name} is {quoted(old)} there and {quoted(new)} here")
    return found


def _other_agents(known: list[str], asked: list[str]) -> str:
    gone, come = ([cut(spec) for spec in some if spec not in others] for some, others in ((known, asked), (asked, known)))
    only = [f"only {where} {', '.join(specs)}" for where, specs in (("there", gone), ("here", come)) if specs]
    return f"agents: {' and '.join(only)}" if only else f"agents stand in another order, there {', '.join(map(cut, known))}"


def named_files(setup: Setup) -> str:
    """The data files that the parameters name."""
    texts = [f"{name}={value}" for name, value in setup.parameters.items() if isinstance(value, str) and os.sep in value]
    return ", ".join(cut(text, LONGEST_PATH) for text in texts) or "a data file that the parameters name"
