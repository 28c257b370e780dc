"""Hack Trick: rules in `rules`, beliefs in `filtering` and `posterior`, cards and servers in `cards` and `servers`."""

from gamelab.games.hacktrick.game import HackTrick
from gamelab.games.hacktrick.posterior import belief

__all__ = ["HackTrick", "belief"]
