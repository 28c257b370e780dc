"""Netwerk, Sid Sackson's *Network*: rules in `rules`, the winning chain in `network`, the board in `geometry`."""

from gamelab.games.netwerk.game import Netwerk

__all__ = ["Netwerk"]
