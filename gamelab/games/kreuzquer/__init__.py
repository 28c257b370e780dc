"""Kreuz & Quer: rules in `rules`, the board in `geometry`, tiles and boards in `pieces` and their files in `datafiles`."""

from gamelab.games.kreuzquer.game import KreuzQuer

__all__ = ["KreuzQuer"]
