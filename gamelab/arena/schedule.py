"""Who plays whom, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gamelab.core.errors import TournamentError

__all__ = ["Pairing", "round_robin"]


@dataclass(frozen=True)
class Pairing:
    """One game of a schedule.

    Attributes
    ----------
    game_id : int
        Its place in the schedule, from 0.
    round : int
        How often these two have met before, in pairs of games.
    seats : tuple of str
        The agents' specs in the order of play.
    opponents : tuple of str
        The same without regard to seats: the two games of a pair share it, and so their opening and chance.
    """

    game_id: int
    round: int
    seats: tuple[str, str]
    opponents: tuple[str, str]

    @property
    def pair_id(self) -> int:
        """The two games with swapped seats share it."""
        return self.game_id // 2


def round_robin(agents: Sequence[str], games: int) -> Iterator[Pairing]:
    """A round robin over all ordered pairs, in pairs of games with the seats swapped.

    Everybody meets everybody before anybody meets again, so any number of games is as even as it can be, and a longer
    schedule begins with the shorter one.

    Parameters
    ----------
    agents : sequence of str
        Two or more different specs.
    games : int
        An even number, at least 2.

    Raises
    ------
    TournamentError
        If there are too few agents, the same one twice, or an odd number of games.

    Examples
    --------
    >>> [pairing.seats for pairing in round_robin(["a", "b", "c"], 6)]
    [('a', 'b'), ('b', 'a'), ('a', 'c'), ('c', 'a'), ('b', 'c'), ('c', 'b')]
    """
    if len(agents) < 2:
        raise TournamentError(f"a tournament needs two agents or more, not {len(agents)}")
    twice = sorted({agent for agent in agents if list(agents).count(agent) > 1})
    if twice:
        raise TournamentError(f"agents must differ, but these stand twice: {', '.join(twice)}")
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 2 or games % 2:
        raise TournamentError(f"games: {games!r} is not an even number of at least 2 (they are played in pairs, seats swapped)")
    return _pairings(list(combinations(agents, 2)), int(games))


def _pairings(opponents: list[tuple[str, str]], games: int) -> Iterator[Pairing]:
    for pair in range(games // 2):
        one, other = opponents[pair % len(opponents)]
        for leg, seats in enumerate(((one, other), (other, one))):
            yield Pairing(2 * pair + leg, pair // len(opponents), seats, (one, other))
