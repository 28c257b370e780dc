"""Schedules for any number of seats: what a block balances, and that every line-up gets its share."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelab.arena.schedule import round_robin, seatings, whole_blocks
from gamelab.core.errors import TournamentError

REPEATABLE = settings(derandomize=True, deadline=None)


def one_round(agents, seats):
    return list(round_robin(agents, whole_round(agents, seats), seats))


def whole_round(agents, seats):
    """The games of a round, from a schedule surely longer: until the first line-up comes again."""
    schedule = list(round_robin(agents, whole_blocks(agents, seats, 3000), seats))
    return sum(pairing.round == 0 for pairing in schedule)


def blocks(schedule):
    found = {}
    for pairing in schedule:
        found.setdefault(pairing.block, []).append(pairing)
    return list(found.values())


# --- one block --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(1, 11))
def test_everybody_sits_on_every_seat_equally_often(seats):
    ways = seatings(seats)
    assert all(sorted(way) == list(range(seats)) for way in ways)
    assert len(set(ways)) == len(ways)
    for agent in range(seats):
        assert set(Counter(way.index(agent) for way in ways).values()) == {len(ways) // seats}


@pytest.mark.parametrize("seats", range(2, 11))
def test_everybody_sits_before_everybody_else_as_often_as_after(seats):
    ways = seatings(seats)
    for one, other in combinations(range(seats), 2):
        assert 2 * sum(way.index(one) < way.index(other) for way in ways) == len(ways)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 7])
def test_any_two_sit_on_any_two_seats_exactly_once(seats):
    for one, other in permutations(range(seats), 2):
        places = [(way.index(one), way.index(other)) for way in seatings(seats)]
        assert sorted(places) == sorted(permutations(range(seats), 2))


def test_two_and_three_are_seated_in_all_ways():
    assert sorted(seatings(2)) == sorted(permutations(range(2)))
    assert sorted(seatings(3)) == sorted(permutations(range(3)))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("agents", ["ab", "abc", "abcd", "abcdefg"])
def test_a_block_is_balanced_also_with_agents_on_several_seats(agents, seats):
    for block in blocks(one_round(agents, seats)):
        games = [pairing.seats for pairing in block]
        assert len(set(games)) == len(games)
        assert {pairing.opponents for pairing in block} == {tuple(sorted(games[0]))}
        for agent in set(games[0]):
            assert len({tuple(game[seat] for game in games).count(agent) for seat in range(seats)}) == 1


# --- a tournament -----------------------------------------------------------------------------------------------------

shapes = st.tuples(st.integers(2, 5), st.integers(3, 5), st.integers(1, 150))


@REPEATABLE
@given(shapes)
def test_games_are_numbered_in_blocks_and_a_longer_schedule_begins_with_a_shorter_one(shape):
    number, seats, least = shape
    agents = "abcde"[:number]
    games = whole_blocks(agents, seats, least)
    schedule = list(round_robin(agents, games, seats))
    assert [pairing.game_id for pairing in schedule] == list(range(games))
    assert [pairing for block in blocks(schedule) for pairing in block] == schedule
    assert list(round_robin(agents, whole_blocks(agents, seats, games + 40), seats))[:games] == schedule


@REPEATABLE
@given(shapes)
def test_the_round_counts_earlier_blocks_of_the_same_agents(shape):
    number, seats, least = shape
    agents = "abcde"[:number]
    met = Counter()
    for block in blocks(round_robin(agents, whole_blocks(agents, seats, least), seats)):
        assert {pairing.round for pairing in block} == {met[block[0].opponents]}
        met[block[0].opponents] += 1
    assert max(met.values()) - min(met.values(), default=0) <= 1


def test_line_ups_are_all_sets_that_fill_the_table():
    line_ups = [block[0].opponents for block in blocks(one_round("abcd", 3))]
    assert line_ups == [tuple(some) for some in ("abc", "abd", "acd", "bcd")]


def test_where_agents_are_few_all_sit_and_some_twice():
    assert [block[0].opponents for block in blocks(one_round("ab", 4))] == [tuple("aaab"), tuple("aabb"), tuple("abbb")]
    assert [len(block) for block in blocks(one_round("ab", 4))] == [4, 6, 4]


def test_alone_everybody_plays_the_same_block():
    schedule = list(round_robin("abc", 6, 1))
    assert [pairing.seats for pairing in schedule] == [("a",), ("b",), ("c",)] * 2
    assert {pairing.opponents for pairing in schedule} == {("a", "b", "c")}
    assert [pairing.round for pairing in schedule] == [0, 0, 0, 1, 1, 1]
    assert len(list(round_robin("a", 5, 1))) == 5


@pytest.mark.parametrize(
    ("agents", "games", "seats", "message"),
    [
        ("abc", 20, 3, "games: 20 would break a block .* seats rotated.*; try 18 or 24"),
        ("abc", 5, 3, "try 6$"),
        ("ab", 5, 4, "try 4 or 10$"),
        ("ab", 29, 4, "try 28 or 32$"),
        ("abc", 4, 1, "each agent once.*; try 3 or 6$"),
        ("abc", 0, 3, "games: 0 is not a whole number of at least 6"),
        ("abc", 6.0, 3, "games: 6.0 is not a whole number"),
        ("abc", True, 3, "games: True is not a whole number"),
        ("a", 6, 3, "two agents or more, not 1"),
        ("", 6, 1, "an agent or more, not 0"),
        ("aba", 6, 3, "stand twice: a"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(agents, games, seats, message):
    with pytest.raises(TournamentError, match=message):
        round_robin(agents, games, seats)


@REPEATABLE
@given(st.integers(2, 5), st.integers(1, 5), st.integers(1, 200))
def test_no_smaller_number_of_games_makes_whole_blocks(number, seats, least):
    agents = "abcde"[:number]
    found = whole_blocks(agents, seats, least)
    assert found >= least
    round_robin(agents, found, seats)
    for games in range(least, found):
        with pytest.raises(TournamentError):
            round_robin(agents, games, seats)
