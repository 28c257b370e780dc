"""The round robin: even at any length, pairs with the seats swapped."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelab.arena.schedule import Pairing, round_robin
from gamelab.core.errors import TournamentError

REPEATABLE = settings(derandomize=True, deadline=None)
agents = st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=7, unique=True)
even = st.integers(1, 60).map(lambda pairs: 2 * pairs)


@REPEATABLE
@given(agents, even)
def test_games_are_numbered_in_order(names, games):
    assert [pairing.game_id for pairing in round_robin(names, games)] == list(range(games))


@REPEATABLE
@given(agents, even)
def test_the_games_of_a_pair_differ_in_the_seats_only(names, games):
    schedule = list(round_robin(names, games))
    for one, other in zip(schedule[::2], schedule[1::2], strict=True):
        assert one.seats == other.seats[::-1]
        assert (one.round, one.opponents, one.pair_id) == (other.round, other.opponents, other.pair_id)


@REPEATABLE
@given(agents, even)
def test_two_pairings_differ_by_one_pair_of_games_at_most(names, games):
    played = Counter(dict.fromkeys(permutations(names, 2), 0))
    played.update(pairing.seats for pairing in round_robin(names, games))
    assert set(played) == set(permutations(names, 2))
    assert max(played.values()) - min(played.values()) <= 1


@REPEATABLE
@given(agents, even, even)
def test_a_longer_schedule_begins_with_a_shorter_one(names, games, more):
    assert list(round_robin(names, games + more))[:games] == list(round_robin(names, games))


@REPEATABLE
@given(agents, even)
def test_the_round_counts_earlier_meetings(names, games):
    met = Counter()
    for pairing in round_robin(names, games):
        assert pairing.round == met[frozenset(pairing.seats)] // 2
        met[frozenset(pairing.seats)] += 1


@REPEATABLE
@given(agents, even)
def test_opponents_stand_in_the_order_of_the_tournament(names, games):
    for pairing in round_robin(names, games):
        assert pairing.opponents in set(combinations(names, 2))
        assert sorted(pairing.opponents) == sorted(pairing.seats)


def test_a_schedule_written_out():
    assert list(round_robin(["x", "y"], 4)) == [
        Pairing(0, 0, ("x", "y"), ("x", "y")),
        Pairing(1, 0, ("y", "x"), ("x", "y")),
        Pairing(2, 1, ("x", "y"), ("x", "y")),
        Pairing(3, 1, ("y", "x"), ("x", "y")),
    ]


@pytest.mark.parametrize("games", [-2, 0, 1, 7, 2.0, True, "4", None])
def test_a_number_of_games_that_makes_no_pairs_is_refused_by_name(games):
    with pytest.raises(TournamentError, match=f"games: {games!r} is not an even number"):
        round_robin(["x", "y"], games)


def test_a_number_of_games_can_be_a_numpy_integer():
    assert len(list(round_robin(["x", "y"], np.int64(4)))) == 4


@pytest.mark.parametrize("names", [[], ["x"]])
def test_fewer_than_two_agents_are_refused(names):
    with pytest.raises(TournamentError, match=f"two agents or more, not {len(names)}"):
        round_robin(names, 2)


def test_all_agents_that_stand_twice_are_named_once():
    with pytest.raises(TournamentError, match="stand twice: x, z$"):
        round_robin(["z", "x", "y", "x", "z", "x"], 2)
