"""Web: rules in `rules` and `moves`, the cells on the table in `table`, cards in `cards`, their files in `deckfile`."""

from gamelab.games.web.game import Web

__all__ = ["Web"]
