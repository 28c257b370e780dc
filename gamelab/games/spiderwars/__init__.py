"""Spider Wars: rules in `rules`, the webs it is played on in `web`, the files they come from in `webfile` and ``webs/``."""

from gamelab.games.spiderwars.game import SpiderWars

__all__ = ["SpiderWars"]
