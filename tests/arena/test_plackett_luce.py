"""Plackett-Luce ratings: equal to Davidson's for two, known answers, simulated truth recovered with coverage, symmetries."""

import functools
import json
import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from gamelab.arena.choices import Model
from gamelab.arena.plackett_luce import fit_plackett_luce, mean_ranks
from gamelab.arena.ratings import fit_ratings
from gamelab.core.errors import ParameterError

ELO_PER_NAT = 400.0 / math.log(10.0)
REPEATABLE = settings(derandomize=True, deadline=None)
EVERY_SEATING = np.array(list(permutations(range(3))))


def stages(returns):
    """The seats left and those of them chosen, for each place of one game."""
    left = list(range(len(returns)))
    while len(left) > 1:
        best = max(returns[seat] for seat in left)
        chosen = [seat for seat in left if returns[seat] == best]
        yield left, chosen
        left = [seat for seat in left if seat not in chosen]


def weights(left, worth, delta):
    """What each set of seats weighs as the next place, by the formula of the model; `worth` is of each seat."""
    found = {}
    for size in range(1, len(left) + 1):
        for some in combinations(left, size):
            prevalence = 1.0 if size == 1 else delta.get((len(left), size), 0.0)
            found[some] = prevalence * math.prod(worth[seat] for seat in some) ** (1 / size)
    return found


def simulate(seated, elo, seat_elo, delta, rng):
    """Play games by the formula."""

    @functools.cache
    def odds(agents, left):
        worth = [10 ** ((elo[agent] + seat_elo[seat]) / 400) for seat, agent in enumerate(agents)]
        options = weights(left, worth, delta)
        return list(options), np.cumsum(list(options.values())) / sum(options.values())

    returns = np.zeros(seated.shape)
    for got, agents in zip(returns, map(tuple, seated.tolist()), strict=True):
        left = tuple(range(len(agents)))
        while left:
            options, bounds = odds(agents, left)
            chosen = options[np.searchsorted(bounds, rng.random())]
            got[list(chosen)] = len(left)
            left = tuple(seat for seat in left if seat not in chosen)
    return returns


@st.composite
def tournaments(draw, seats=None, agents=None):
    seats = seats or draw(st.integers(2, 4))
    n = agents or draw(st.integers(2, 5))
    games = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    return rng.integers(0, n, (games, seats)), rng.integers(0, draw(st.integers(1, 4)), (games, seats)), list("abcde"[:n])


# --- known answers ----------------------------------------------------------------------------------------------------


@REPEATABLE
@given(tournaments(seats=2))
def test_for_two_seats_it_is_davidsons_model(tournament):
    seated, returns, names = tournament
    mine = fit_plackett_luce(seated, returns, names, blocks=np.zeros(len(seated), int))  # one block, so from the Hessian
    two = fit_ratings(seated[:, 0], seated[:, 1], np.sign(returns[:, 0] - returns[:, 1]), names)
    assert mine.method == two.method == "hessian"
    for attribute in ("elo", "low", "high", "games", "score", "log_likelihood", "connected"):
        assert_allclose(getattr(mine, attribute), getattr(two, attribute), atol=1e-6, err_msg=attribute)
    assert mine.seat_elo[0].value - mine.seat_elo[1].value == pytest.approx(two.first_move_elo.value, abs=1e-6)
    width = mine.seat_elo[0].high - mine.seat_elo[0].low
    assert 2 * width == pytest.approx(two.first_move_elo.high - two.first_move_elo.low, abs=1e-6)
    assert mine.ties.get((2, 2), 0.0) == pytest.approx(two.draw_nu, abs=1e-9)


def test_without_draws_two_are_bradley_and_terry():
    ratings = fit_plackett_luce([[0, 1], [1, 0]] * 4, [[1, 0], [0, 1]] * 3 + [[0, 1], [1, 0]], list("ab"), prior_elo=1e5)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(400 * math.log10(3), rel=1e-4)


def test_where_one_takes_all_strengths_are_shares_of_wins():
    # Luce's choice among the same three: the strengths are as 3 : 2 : 1, and the losers' tie says nothing of theirs.
    winners = [0, 0, 0, 1, 1, 2]
    seated = np.concatenate([EVERY_SEATING] * len(winners))
    returns = np.where(seated == np.repeat(winners, 6)[:, None], 1.0, -0.5)
    ratings = fit_plackett_luce(seated, returns, list("abc"), prior_elo=1e5)
    assert_allclose(np.diff(ratings.elo), [400 * math.log10(2 / 3), 400 * math.log10(1 / 2)], atol=0.1)
    assert [round(seat.value, 6) for seat in ratings.seat_elo] == [0, 0, 0]
    assert set(ratings.ties) == {(2, 2)}


def test_seats_alone_decide():
    # Seat 0 is first in 3 of 4 games; from the other two the order of places follows nothing.
    returns = np.array([[2, 1, 0], [2, 0, 1]] * 6 + [[1, 2, 0], [1, 0, 2]] * 2)
    ratings = fit_plackett_luce(np.tile(EVERY_SEATING, (16, 1)), np.repeat(returns, 6, axis=0), list("abc"), prior_elo=1e5)
    assert_allclose(ratings.elo, 0, atol=1e-6)
    one, two, three = (seat.value for seat in ratings.seat_elo)
    assert two == pytest.approx(three)
    # Where it is first or, in the 4 other games, second, it was as often as expected: 12 + 4 = 16 g/(g + 2) + 4 g/(g + 1).
    g = 10 ** ((one - two) / 400)
    assert 16 * g / (g + 2) + 4 * g / (g + 1) == pytest.approx(16, rel=1e-4)


def test_orders_without_ties_agree_with_hunters_algorithm():
    """D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004."""
    rng = np.random.default_rng(3)
    orders = [rng.permutation(4)[:3] for _ in range(40)]
    strength = np.ones(4)
    for _ in range(500):
        wins, expected = np.zeros(4), np.zeros(4)
        for order in orders:
            for place in range(2):
                wins[order[place]] += 1
                expected[order[place:]] += 1 / strength[order[place:]].sum()
        strength = wins / expected
    # On all seatings alike, so that the seats make no difference.
    seated = np.array([order[seating] for order in orders for seating in EVERY_SEATING])
    returns = np.array([3.0 - seating for _ in orders for seating in EVERY_SEATING])
    elo = ELO_PER_NAT * np.log(strength)
    assert_allclose(fit_plackett_luce(seated, returns, list("abcd"), prior_elo=1e5).elo, elo - elo.mean(), atol=0.05)


@REPEATABLE
@given(tournaments(), st.integers(0, 1000))
def test_the_likelihood_is_the_formula(tournament, seed):
    seated, returns, names = tournament
    n, seats = len(names), seated.shape[1]
    model = Model(seated, mean_ranks(returns), n, 1.0)
    parameters = np.random.default_rng(seed).normal(size=model.size)
    delta = dict(zip(model.ties, np.exp(parameters[n + seats :]), strict=True))
    total = 0.0
    for agents, got in zip(seated, returns, strict=True):
        worth = np.exp(parameters[agents] + parameters[n : n + seats])
        for left, chosen in stages(got):
            options = weights(left, worth, delta)
            total += math.log(options[tuple(chosen)] / sum(options.values()))
    assert model.log_likelihood(parameters) == pytest.approx(total)


@settings(REPEATABLE, max_examples=20)
@given(tournaments(), st.integers(0, 1000))
def test_the_derivatives_are_those_of_the_likelihood(tournament, seed):
    seated, returns, names = tournament
    model = Model(seated, mean_ranks(returns), len(names), 0.5)
    ones, at = np.ones(len(seated)), np.random.default_rng(seed).normal(size=model.size)
    gradient, hessian = model.derivatives(ones, at)

    def minus_log_posterior(parameters):
        return 0.5 * parameters @ (model.precision * parameters) - model.log_likelihood(parameters)

    assert_allclose(gradient, approx_fprime(at, minus_log_posterior, 1e-6), atol=1e-3)
    assert_allclose(hessian, approx_fprime(at, lambda p: model.derivatives(ones, p)[0], 1e-6), atol=1e-3)
    by_game = model._slopes(at, np.arange(len(seated)))
    assert_allclose(by_game.sum(axis=0), gradient - model.precision * at, atol=1e-9)


# --- simulated truth --------------------------------------------------------------------------------------------------

TRUTH, SEATS = np.array([150.0, 20.0, -50.0, -120.0]), np.array([60.0, 0.0, -60.0])
DELTA = {(3, 2): 0.3, (2, 2): 0.8}


def blocks_of(rounds):
    """Each three of the four on all seatings, so many times: 24 games a round, in blocks of 6."""
    trios = np.array(list(combinations(range(4), 3)))
    return np.tile(trios[:, EVERY_SEATING].reshape(-1, 3), (rounds, 1))


def test_a_long_tournament_recovers_what_it_was_simulated_with():
    seated = blocks_of(150)
    ratings = fit_plackett_luce(seated, simulate(seated, TRUTH, SEATS, DELTA, np.random.default_rng(1)), list("abcd"))
    assert_allclose(ratings.elo, TRUTH, atol=20)
    assert_allclose([seat.value for seat in ratings.seat_elo], SEATS, atol=20)
    assert {tie: round(value, 1) for tie, value in ratings.ties.items()} == DELTA


@pytest.mark.parametrize("copies", [1, 4])
def test_intervals_cover_the_truth_as_often_as_they_say(copies):
    """Also where the games of a block repeat each other, which intervals from the Hessian would not notice."""
    rng, seated = np.random.default_rng(2), blocks_of(6)
    blocks = np.tile(np.arange(len(seated)) // 6, copies)
    truth, covered = [*TRUTH, *SEATS], []
    for _ in range(100):
        returns = np.tile(simulate(seated, TRUTH, SEATS, DELTA, rng), (copies, 1))
        ratings = fit_plackett_luce(np.tile(seated, (copies, 1)), returns, list("abcd"), blocks=blocks, confidence=0.9)
        assert ratings.method == "sandwich"
        low = [*ratings.low, *(seat.low for seat in ratings.seat_elo)]
        high = [*ratings.high, *(seat.high for seat in ratings.seat_elo)]
        covered.append([a < value < b for a, value, b in zip(low, truth, high, strict=True)])
    assert 0.87 < np.mean(covered) < 0.93


def test_the_bootstrap_agrees_with_the_sandwich():
    seated = blocks_of(10)
    games = (seated, simulate(seated, TRUTH, SEATS, DELTA, np.random.default_rng(4)), list("abcd"))
    blocks = np.arange(len(seated)) // 6
    sandwich = fit_plackett_luce(*games, blocks=blocks)
    bootstrap, again = (fit_plackett_luce(*games, blocks=blocks, bootstrap=200, seed=1) for _ in range(2))
    assert bootstrap.method == "bootstrap"
    assert_allclose(bootstrap.high - bootstrap.low, sandwich.high - sandwich.low, rtol=0.2)
    assert_allclose(bootstrap.elo, sandwich.elo)
    assert (bootstrap.low == again.low).all()


def test_where_somebody_always_wins_a_bootstrap_is_as_wide_as_the_hessian():
    seated = blocks_of(4)
    returns = np.where(seated == 0, 1.0, simulate(seated, TRUTH, SEATS, DELTA, np.random.default_rng(4)) - 2.0)
    hessian = fit_plackett_luce(seated, returns, list("abcd"), blocks=np.zeros(len(seated), int))
    bootstrap = fit_plackett_luce(seated, returns, list("abcd"), blocks=np.arange(len(seated)) // 6, bootstrap=50, seed=1)
    assert (hessian.method, bootstrap.method) == ("hessian", "bootstrap")
    assert (bootstrap.low <= hessian.low).all()
    assert (bootstrap.high >= hessian.high).all()


def test_doubled_blocks_are_not_taken_for_more_of_them():
    seated = blocks_of(10)
    returns = simulate(seated, TRUTH, SEATS, DELTA, np.random.default_rng(5))
    blocks = np.arange(len(seated)) // 6
    once = fit_plackett_luce(seated, returns, list("abcd"), blocks=blocks, prior_elo=1e5)
    twice = fit_plackett_luce(*(np.tile(games, (2, 1)) for games in (seated, returns)), list("abcd"),
                              blocks=np.tile(blocks, 2), prior_elo=1e5)  # fmt: skip
    assert_allclose(twice.low, once.low, atol=0.1)


@pytest.mark.parametrize("blocks", [2, 5, 19, 20])
def test_few_blocks_give_no_narrower_intervals_than_games_that_have_nothing_in_common(blocks):
    seated = blocks_of(8)
    returns = simulate(seated, TRUTH, SEATS, DELTA, np.random.default_rng(6))
    few = fit_plackett_luce(seated, returns, list("abcd"), blocks=np.arange(len(seated)) % blocks)
    alone = fit_plackett_luce(seated, returns, list("abcd"), blocks=np.zeros(len(seated), int))
    assert (few.method, alone.method) == ("wider" if blocks < 20 else "sandwich", "hessian")
    assert (few.high >= alone.high).all() or blocks == 20


# --- symmetries and odd tournaments -----------------------------------------------------------------------------------


@REPEATABLE
@given(tournaments(seats=3, agents=4), st.permutations(range(4)), st.permutations(range(3)))
def test_agents_and_seats_can_be_renamed(tournament, agents, seats):
    seated, returns, names = tournament
    plain = fit_plackett_luce(seated, returns, names)
    renamed = fit_plackett_luce(np.array(agents)[seated][:, seats], returns[:, seats], names)
    assert_allclose(renamed.elo[list(agents)], plain.elo, atol=1e-6)
    assert_allclose(renamed.high[list(agents)], plain.high, atol=1e-6)
    assert_allclose([seat.value for seat in renamed.seat_elo], [plain.seat_elo[seat].value for seat in seats], atol=1e-6)


@REPEATABLE
@given(tournaments())
def test_any_games_give_finite_numbers_in_order(tournament):
    seated, returns, names = tournament
    ratings = fit_plackett_luce(seated, returns, names)
    assert (ratings.low <= ratings.elo).all()
    assert (ratings.elo <= ratings.high).all()
    assert ratings.elo.mean() == pytest.approx(0, abs=1e-6)
    assert sum(seat.value for seat in ratings.seat_elo) == pytest.approx(0, abs=1e-6)
    assert ratings.games.sum() == seated.size
    json.dumps(ratings.to_records(), allow_nan=False)
    assert [row["rank"] for row in ratings.to_records()] == list(range(1, len(names) + 1))


def test_who_always_wins_is_rated_by_the_prior_and_said_to_be_uncertain():
    seated = np.tile(EVERY_SEATING, (20, 1))
    ratings = fit_plackett_luce(seated, 3.0 - seated, list("abc"))
    assert ratings.method == "wider"
    assert 300 < ratings.elo[0] < 2000
    assert ratings.high[0] - ratings.low[0] > 500


def test_all_tied_is_all_equal():
    ratings = fit_plackett_luce(EVERY_SEATING, np.zeros((6, 3)), list("abc"))
    assert_allclose(ratings.elo, 0, atol=1e-9)
    assert ratings.score.tolist() == [0.5] * 3
    assert set(ratings.ties) == {(3, 3)}


def test_groups_that_never_met_are_said_to_be_apart():
    assert not fit_plackett_luce([[0, 1, 0], [2, 3, 3]], [[1, 0, 0], [1, 0, 0]], list("abcd")).connected
    assert fit_plackett_luce([[0, 1, 2], [2, 3, 3]], [[1, 0, 0], [1, 0, 0]], list("abcd")).connected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": [[0, 1, 3]]}, "from 0 to 2"),
        ({"players": [[0.0, 1.0, 2.0]]}, "players must be integers, not float64"),
        ({"players": [[0]], "returns": [[1]]}, "column a seat"),
        ({"players": np.zeros((0, 3), int), "returns": np.zeros((0, 3))}, "no games"),
        ({"returns": [[0, 1]]}, "column a seat"),
        ({"returns": [[0, 1, math.nan]]}, "finite"),
        ({"names": ["a"]}, "two players"),
        ({"names": list("aab")}, "repeat"),
        ({"blocks": [0, 1]}, "one block a game"),
        ({"prior_elo": 0}, "prior_elo"),
        ({"confidence": 1.0}, "confidence"),
        ({"bootstrap": 10}, "seed"),
        ({"bootstrap": -1, "seed": 1}, "negative"),
    ],
)
def test_what_cannot_be_rated_is_refused(change, message):
    given_ = {"players": [[0, 1, 2]], "returns": [[1, 0, -1]], "names": list("abc"), **change}
    with pytest.raises(ParameterError, match=message):
        fit_plackett_luce(given_.pop("players"), given_.pop("returns"), given_.pop("names"), **given_)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": [[0, 1], [1]]}, r"players must be an array with rows of one length, not \[\[0, 1\], \[1\]\]"),
        ({"returns": [[1, 0], [1]]}, r"returns must be an array with rows of one length, not \[\[1, 0\], \[1\]\]"),
        ({"blocks": [[1, 0], [1]]}, "blocks must be an array"),
        ({"players": [["a", "b", "c"]]}, r"players must be integers, not <U1: \[\['a', 'b', 'c'\]\]"),
        ({"players": [[True, False, True]]}, "players must be integers, not bool"),
        ({"players": [[0, 1, -1]]}, "players must be whole numbers from 0 to 2, not -1"),
        ({"returns": [["1", "0", "-1"]]}, "returns must be finite numbers, not <U2"),
        ({"returns": [[1, None, -1]]}, r"returns must be finite numbers, not object: \[\[1, None, -1\]\]"),
        ({"returns": [[1, 0, 1j]]}, "returns must be finite numbers, not complex128"),
        ({"returns": [[1, 0, -math.inf]]}, r"returns must be finite numbers, but at \(0, 2\) is -inf"),
        ({"returns": None}, "column a seat"),
        ({"blocks": ["a"]}, "blocks must be integers, not <U1"),
        ({"blocks": [None]}, "blocks must be integers, not object"),
        ({"names": "abc"}, "names must be a sequence of texts, not 'abc'"),
        ({"names": [1, 2, 3]}, r"names must be .* not \[1, 2, 3\]"),
        ({"confidence": "x"}, "confidence must be .* not 'x'"),
        ({"confidence": None}, "confidence must be .* not None"),
        ({"confidence": math.nan}, "confidence must be .* not nan"),
        ({"prior_elo": "x"}, "prior_elo must be .* not 'x'"),
        ({"bootstrap": 2.5, "seed": 1}, "bootstrap must be .* not 2.5"),
        ({"bootstrap": "3", "seed": 1}, "bootstrap must be .* not '3'"),
        ({"bootstrap": True, "seed": 1}, "bootstrap must be .* not True"),
        ({"bootstrap": 3, "seed": "q"}, "seed must be .* not 'q'"),
        ({"bootstrap": 3, "seed": 1.5}, "seed must be .* not 1.5"),
        ({"bootstrap": 3, "seed": -1}, "seed must be .* not -1"),
    ],
)
def test_arguments_of_the_wrong_type_are_named_in_one_line(change, message):
    given_ = {"players": [[0, 1, 2]], "returns": [[1, 0, -1]], "names": list("abc"), **change}
    with pytest.raises(ParameterError, match=message) as caught:
        fit_plackett_luce(**given_)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("returns", [1.0, [1.0, 0.0], [[1, 0], [1]], [["a", "b"]], [[1.0, math.nan]], None])
def test_only_tables_of_numbers_have_ranks(returns):
    with pytest.raises(ParameterError, match="^returns "):
        mean_ranks(returns)


def test_huge_returns_are_told_apart():
    assert mean_ranks([[1e305, 1.1e305, -1e305], [1e300, 1e300, 1e300]]).tolist() == [[2.0, 1.0, 3.0], [2.0, 2.0, 2.0]]


def test_nearly_equal_returns_tie():
    assert mean_ranks([[0.1 + 0.2, 0.3, 0.0], [0.0, 1.0, 2.0]]).tolist() == [[1.5, 1.5, 3.0], [3.0, 2.0, 1.0]]


def test_who_never_wins_is_not_known_exactly():
    """One of four agents never wins, and those that lose tie, so that its mean score is not 0."""
    rng = np.random.default_rng(1)
    players = np.array([rng.permutation(4)[:3] for _ in range(60)])
    chances = np.where(players == 3, 0.0, rng.random(players.shape))
    returns = np.where(chances == chances.max(axis=1, keepdims=True), 1.0, -0.5)
    found = fit_plackett_luce(players, returns, list("abcd"))
    assert found.method == "wider"
    widths = found.high - found.low
    assert widths[3] > 2 * widths[:3].max()


def test_nor_is_a_seat_that_always_wins():
    rng = np.random.default_rng(2)
    players = np.array([rng.permutation(3) for _ in range(60)])
    found = fit_plackett_luce(players, np.tile([1.0, -0.5, -0.5], (60, 1)), list("abc"))
    assert found.method == "wider"
    best = found.seat_elo[0]
    assert best.high - best.low > 200
