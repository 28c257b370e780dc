"""Who plays whom, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, combinations_with_replacement
from math import gcd

from gamelab.core.errors import TournamentError, quoted
from gamelab.core.numbers import is_whole

__all__ = ["Pairing", "round_robin", "seatings", "whole_blocks"]

# The agents of a block, and who sits where in each of its games.
Block = tuple[tuple[str, ...], list[tuple[str, ...]]]


@dataclass(frozen=True)
class Pairing:
    """One game of a schedule.

    Attributes
    ----------
    game_id : int
        Its place in the schedule, from 0.
    round : int
        How often these have met before, in blocks of games.
    seats : tuple of str
        The agents' specs in the order of play.
    opponents : tuple of str
        The same without regard to seats: the games of a block share it, and so their opening and chance. In a game for one,
        all agents of the tournament.
    """

    game_id: int
    round: int
    seats: tuple[str, ...]
    opponents: tuple[str, ...]

    @property
    def block(self) -> tuple[int, tuple[str, ...]]:
        """The games with the same agents on other seats, and the same luck, share it."""
        return self.round, self.opponents

    @property
    def pair_id(self) -> int:
        """The number of the block where there are two seats: of two games with swapped seats."""
        return self.game_id // 2


def round_robin(agents: Sequence[str], games: int, seats: int = 2) -> Iterator[Pairing]:
    """Every line-up of agents in turn, each time in a block of games with the seats rotated.

    With two seats everybody meets everybody, in pairs of games with the seats swapped. With more every set of as many agents
    as there are seats is a line-up; where there are fewer agents, each way to have all of them at the table and some twice or
    more often. The seats of a block are those of `seatings`. With one seat a block is a game of each agent.

    Every line-up plays before any plays again, so any number of games is as even as it can be, and a longer schedule
    begins with the shorter one.

    Parameters
    ----------
    agents : sequence of str
        Two or more different specs; one is enough for one seat.
    games : int
        A whole number of blocks; with two seats an even number.
    seats : int
        At least 1.

    Raises
    ------
    TournamentError
        If there are too few agents, the same one twice, or games that are no whole number of blocks.

    Examples
    --------
    >>> [pairing.seats for pairing in round_robin(["a", "b", "c"], 6)]
    [('a', 'b'), ('b', 'a'), ('a', 'c'), ('c', 'a'), ('b', 'c'), ('c', 'b')]
    >>> [pairing.seats for pairing in round_robin(["a", "b"], 3, seats=3)]
    [('a', 'a', 'b'), ('a', 'b', 'a'), ('b', 'a', 'a')]
    """
    if len(agents) < min(seats, 2):
        least = "two agents" if seats > 1 else "an agent"
        raise TournamentError(f"a tournament needs {least} or more, not {len(agents)}")
    twice = sorted({agent for agent in agents if list(agents).count(agent) > 1})
    if twice:
        raise TournamentError(f"agents must differ, but these stand twice: {', '.join(twice)}")
    blocks = _blocks(agents, seats)
    _check_whole(blocks, games, seats)
    return _pairings(blocks, int(games))


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Ways to seat as many agents: for each, the agent on each seat.

    All permutations for two and three. For more that would be too many: there they are the affine maps of numbers modulo
    `seats` and, for four, of the field of four elements. Everybody sits on every seat equally often, and before everybody
    else as often as after. For four and for primes any two sit on any two seats in either order exactly once.

    Examples
    --------
    >>> seatings(3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)]
    >>> [len(seatings(seats)) for seats in range(1, 11)]
    [1, 2, 6, 12, 20, 12, 42, 32, 54, 40]
    """
    if seats == 4:
        return [tuple(agent ^ turn for agent in first) for first in FIELD_OF_FOUR for turn in range(4)]
    steps = [step for step in range(1, max(seats, 2)) if gcd(step, seats) == 1]
    return [tuple((step * seat + turn) % seats for seat in range(seats)) for step in steps for turn in range(seats)]


# 0, 1, 2, 3 times each element but 0; sums are exclusive ors.
FIELD_OF_FOUR = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


def whole_blocks(agents: Sequence[str], seats: int, at_least: int) -> int:
    """The smallest number of games that is a whole number of blocks and not less than asked for.

    Examples
    --------
    >>> whole_blocks(["a", "b", "c"], 2, 240), whole_blocks(["a", "b", "c"], 3, 100)
    (240, 102)
    """
    return _around(_blocks(agents, seats), at_least)[1]


def _blocks(agents: Sequence[str], seats: int) -> list[Block]:
    """The blocks of one round."""
    if seats == 1:
        return [(tuple(agents), [(agent,) for agent in agents])]
    ways = seatings(seats)
    # An agent that sits on two seats makes some ways the same; each of them equally often, for the ways are a group.
    return [
        (line_up, list(dict.fromkeys(tuple(line_up[i] for i in way) for way in ways))) for line_up in _line_ups(agents, seats)
    ]


def _line_ups(agents: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """In the order of the tournament, inside and among themselves."""
    if len(agents) >= seats:
        return list(combinations(agents, seats))
    more = combinations_with_replacement(agents, seats - len(agents))
    return [tuple(sorted([*agents, *some], key=list(agents).index)) for some in more]


def _check_whole(blocks: list[Block], games: object, seats: int) -> None:
    number = is_whole(games)
    if seats == 2:
        if not number or games < 2 or games % 2:  # type: ignore[operator]
            raise TournamentError(
                f"games: {quoted(games)} is not an even number of at least 2 (they are played in pairs, seats swapped)"
            )
        return
    if not number or games < 1:  # type: ignore[operator]
        raise TournamentError(f"games: {quoted(games)} is not a whole number of at least {len(blocks[0][1])}")
    below, above = _around(blocks, int(games))  # type: ignore[call-overload]
    if above != games:
        choice = f"{below} or {above}" if below else f"{above}"
        what = "seats rotated" if seats > 2 else "each agent once"
        raise TournamentError(f"games: {games} would break a block (they are played in blocks, {what}); try {choice}")


def _around(blocks: list[Block], games: int) -> tuple[int, int]:
    """The largest whole number of blocks below so many games, and the smallest that is not below."""
    sums = [0, *accumulate(len(seats) for _, seats in blocks)]
    rounds, rest = divmod(games - 1, sums[-1])
    below = max(number for number in sums if number <= rest)
    above = min(number for number in sums if number > rest)
    return rounds * sums[-1] + below, rounds * sums[-1] + above


def _pairings(blocks: list[Block], games: int) -> Iterator[Pairing]:
    game_id = number = 0
    while game_id < games:
        round_, place = divmod(number, len(blocks))
        opponents, seated = blocks[place]
        for seats in seated:
            yield Pairing(game_id, round_, seats, opponents)
            game_id += 1
        number += 1
