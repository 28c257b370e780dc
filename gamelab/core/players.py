"""Named numbers that stand where a player or an action could: cheap to import, unlike the compiled core."""

__all__ = ["CHANCE", "NO_ACTION", "TERMINAL"]

CHANCE = -1  # whose turn it is: chance
TERMINAL = -2  # nobody's: the game is over
NO_ACTION = -1
