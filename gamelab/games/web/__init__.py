"""Web: rules in `rules`, the cells on the table in `table`, cards and the files they come from in `cards` and `deckfile`."""

from gamelab.games.web.game import Web

__all__ = ["Web"]
