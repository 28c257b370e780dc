"""Ratings from games of any number of players: the Plackett-Luce model with seat effects and ties.

Who finishes first is chosen from all, who is second from the others, and so on. Of the seats S that are left, the set T
of those tied for the next place is chosen with a probability proportional to

    delta(|S|, |T|) * (the geometric mean over T of pi_agent * gamma_seat),       delta(|S|, 1) = 1,

with pi = 10^(Elo/400). Without ties that is the model of [Luce1959]_ and [Plackett1975]_; for two seats it is Davidson's
with an order effect, as in `gamelab.arena.ratings`. Ties of more than two follow [FirthKosmidisTurner2019]_, but how
often they occur may depend on how many are left: in a game that has one winner and nothing else the losers always tie,
which then says nothing about their strength. (To average over the orders of those tied would count it as evidence that
they are equal.) All parameters are logarithms, in which the log-likelihood is concave, so Newton's method finds the maximum.

References
----------
.. [Luce1959] R. D. Luce, "Individual Choice Behavior: A Theoretical Analysis", 1959.
.. [Plackett1975] R. L. Plackett, "The analysis of permutations", Applied Statistics 24, 1975.
.. [FirthKosmidisTurner2019] D. Firth, I. Kosmidis and H. L. Turner, "Davidson-Luce model for multi-item choice with
   ties", arXiv:1909.07123, 2019.
.. [LiangZeger1986] K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized linear models",
   Biometrika 73, 1986.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.arena.arguments import (
    checked_array,
    checked_generator,
    checked_integers,
    checked_numbers,
    checked_players,
    checked_precision,
)
from gamelab.arena.choices import Model
from gamelab.arena.statistics import ELO_PER_NAT, Estimate, checked_confidence, normal_quantile, student_quantile
from gamelab.core.errors import ParameterError

__all__ = ["SeatRatings", "fit_plackett_luce", "mean_ranks"]

Method = Literal["sandwich", "hessian", "wider", "bootstrap"]
FEWEST_BLOCKS = 20  # for the sandwich estimator, which sees only what varies between blocks
Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class SeatRatings:
    """Ratings of agents and what each seat is worth, with confidence intervals.

    Attributes
    ----------
    names : tuple of str, length n
        The agents; all arrays are in this order.
    elo, low, high : ndarray of float64, shape (n,)
        Ratings in Elo with mean 0, and the ends of their intervals.
    games : ndarray of int64, shape (n,)
        Seats taken; an agent on two seats of a game counts twice.
    score : ndarray of float64, shape (n,)
        Share of the others that it finished ahead of, a tie being half; 1/2 for an agent without games.
    seat_elo : tuple of Estimate
        What each seat is worth against the mean of all seats, in Elo.
    ties : dict of (int, int) to float
        delta of the model by how many were left and how many of them tied; those that never occurred are left out.
    log_likelihood : float
        Of the games at the estimate, without the prior.
    confidence : float
        Nominal coverage of the intervals.
    method : {"sandwich", "hessian", "wider", "bootstrap"}
        Where the intervals come from; "wider" of sandwich and Hessian.
    connected : bool
        Whether the games link all the agents; if not, the ratings of different groups must not be compared.
    """

    names: tuple[str, ...]
    elo: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    games: NDArray[np.int64]
    score: NDArray[np.float64]
    seat_elo: tuple[Estimate, ...]
    ties: dict[tuple[int, int], float]
    log_likelihood: float
    confidence: float
    method: Method
    connected: bool

    def to_records(self) -> list[dict[str, Any]]:
        """One dict an agent, best first: rank (from 1), name, elo, low, high, games and score."""
        columns: dict[str, Any] = {
            "name": self.names, "elo": self.elo.tolist(), "low": self.low.tolist(), "high": self.high.tolist(),
            "games": self.games.tolist(), "score": self.score.tolist(),
        }  # fmt: skip
        order = np.argsort(-self.elo, kind="stable")
        return [
            {"rank": rank, **{name: column[agent] for name, column in columns.items()}}
            for rank, agent in enumerate(order, start=1)
        ]


def mean_ranks(returns: ArrayLike) -> NDArray[np.float64]:
    """Ranks in each game, 1 the best; those that tie share the mean of their ranks.

    Parameters
    ----------
    returns : array_like of float, shape (games, seats)
        Finite; equal if they agree to nine decimals.

    Raises
    ------
    ParameterError
        If they are no table of finite numbers.

    Examples
    --------
    >>> mean_ranks([[1.0, -0.5, -0.5]])
    array([[1. , 2.5, 2.5]])
    """
    values = checked_array("returns", returns)
    if values.ndim != 2:
        raise ParameterError(f"returns need a row a game and a column a seat: got {values.shape}")
    values = checked_numbers("returns", values)
    fractions = np.abs(values) < 2.0**52  # larger ones have no decimals, and rounding may overflow
    values[fractions] = np.round(values[fractions], 9)
    mine, other = values[:, :, None], values[:, None, :]
    ranks: NDArray[np.float64] = 0.5 + (other > mine).sum(axis=2) + 0.5 * (other == mine).sum(axis=2)
    return ranks


def fit_plackett_luce(
    players: ArrayLike,
    returns: ArrayLike,
    names: Sequence[str],
    *,
    blocks: ArrayLike | None = None,
    prior_elo: float = 1000.0,
    confidence: float = 0.95,
    bootstrap: int = 0,
    seed: int | np.random.SeedSequence | None = None,
) -> SeatRatings:
    """Fit the model of this module to games.

    The estimate is the maximum of the likelihood times the weak prior of `gamelab.arena.ratings.fit_ratings`: ratings,
    differences of two seats and 400 log10(delta) are normal around 0 with standard deviation `prior_elo`.

    Intervals are those of the sandwich estimator clustered by block [LiangZeger1986]_, with Student's distribution. With
    fewer than 20 blocks, or where an agent or a seat came first or last every time, blocks may show too little of the spread:
    then they are at least as wide as those from the Hessian, which treats games as independent. A bootstrap resamples blocks;
    where somebody came first or last every time its intervals, too, are at least as wide as those from the Hessian.

    Parameters
    ----------
    players : array_like of int, shape (games, seats)
        Who sat where, as positions in `names`; an agent may sit on several seats.
    returns : array_like of float, shape (games, seats)
        What each seat got; only the order matters.
    names : sequence of str, length n
        The agents, at least two, all different.
    blocks : array_like of int, shape (games,), optional
        The block each game belongs to; games of a block share their luck. Without it each game is a block.
    prior_elo : float
        From 1 to 100000.
    confidence : float
        Nominal coverage of the intervals, in (0, 1).
    bootstrap : int
        Number of resamples for percentile intervals; 0 for none.
    seed : int or SeedSequence
        Seed of the bootstrap, required for it.

    Raises
    ------
    ParameterError
        If there are no games or fewer than two seats or agents, names repeat or are no texts, arrays do not fit each other,
        a value is of the wrong type or out of range, or a bootstrap has no seed.

    Examples
    --------
    >>> seats = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    >>> ratings = fit_plackett_luce(seats, [[1, 0, -1], [0, -1, 1], [-1, 1, 0]], ["ann", "bob", "cy"])
    >>> [record["name"] for record in ratings.to_records()], ratings.score.tolist()
    (['ann', 'bob', 'cy'], [1.0, 0.5, 0.0])
    """
    n = checked_players(names)
    confidence = checked_confidence(confidence)
    rng = checked_generator(bootstrap, seed)
    seated, ranks, units = _checked_games(players, returns, blocks, n)
    model = Model(seated, ranks, n, checked_precision(prior_elo))
    parameters = model.fit(np.ones(len(seated)))
    score = _scores(seated, ranks, n)
    method: Method = "bootstrap"
    certain = _certain(seated, ranks, n)
    if rng is not None:
        low, high = _bootstrap(model, parameters, units, bootstrap, rng, confidence)
        if certain:  # so it is in each resample
            half_width = normal_quantile(confidence) * model.standard_errors(parameters)
            low, high = np.minimum(low, parameters - half_width), np.maximum(high, parameters + half_width)
    else:
        half_width, method = _half_widths(model, parameters, units, confidence, certain=certain)
        low, high = parameters - half_width, parameters + half_width
    value, low, high = (ELO_PER_NAT * nats for nats in (parameters, low, high))
    seats = slice(n, n + model.seats)
    worth = zip(value[seats].tolist(), low[seats].tolist(), high[seats].tolist(), strict=True)
    return SeatRatings(
        names=tuple(names), elo=value[:n], low=low[:n], high=high[:n],
        games=np.bincount(seated.ravel(), minlength=n), score=score,
        seat_elo=tuple(Estimate(middle, below, above, confidence) for middle, below, above in worth),
        ties=dict(zip(model.ties, np.exp(parameters[n + model.seats :]).tolist(), strict=True)),
        log_likelihood=model.log_likelihood(parameters),
        confidence=confidence, method=method, connected=_connected(seated, n),
    )  # fmt: skip


def _checked_games(players: ArrayLike, returns: ArrayLike, blocks: ArrayLike | None, n: int) -> tuple[Array, Array, Array]:
    """Agents and ranks by game and seat, and the block of each game, from 0."""
    seated, values = checked_array("players", players), checked_array("returns", returns)
    if seated.ndim != 2 or seated.shape != values.shape or seated.shape[1] < 2:
        raise ParameterError(f"players and returns need a row a game and a column a seat: got {seated.shape}, {values.shape}")
    if not len(seated):
        raise ParameterError("there are no games to rate")
    checked_integers("players", seated)
    wrong = seated[(seated < 0) | (seated >= n)]
    if wrong.size:
        raise ParameterError(f"players must be whole numbers from 0 to {n - 1}, not {wrong[0]}")
    numbers = np.arange(len(seated)) if blocks is None else checked_array("blocks", blocks)
    if numbers.shape != seated.shape[:1]:
        raise ParameterError(f"one block a game: got {numbers.shape} for {len(seated)} games")
    checked_integers("blocks", numbers)
    return seated.astype(np.int64), mean_ranks(values), np.unique(numbers, return_inverse=True)[1]


def _certain(seated: Array, ranks: Array, n: int) -> bool:
    """Whether an agent, or whoever sat on some seat, was among the first every time, or among the last."""
    first, last = ranks == ranks.min(axis=1, keepdims=True), ranks == ranks.max(axis=1, keepdims=True)
    taken = np.bincount(seated.ravel(), minlength=n)
    by_agent = [np.bincount(seated[there], minlength=n) for there in (first, last)]
    always = any(((counts == taken) & (taken > 0)).any() for counts in by_agent)
    return bool(always or first.all(axis=0).any() or last.all(axis=0).any())


def _half_widths(model: Model, parameters: Array, units: Array, confidence: float, *, certain: bool) -> tuple[Array, Method]:
    """Of the intervals of all parameters, and where they come from; `certain`: somebody always came first or last."""
    by_games = normal_quantile(confidence) * model.standard_errors(parameters)
    others = int(units.max())
    if not others:
        return by_games, "hessian"
    by_blocks = student_quantile(confidence, others) * model.standard_errors(parameters, units)
    if certain or others + 1 < FEWEST_BLOCKS:
        return np.maximum(by_blocks, by_games), "wider"
    return by_blocks, "sandwich"


def _bootstrap(
    model: Model, parameters: Array, units: Array, resamples: int, rng: np.random.Generator, confidence: float
) -> tuple[Array, Array]:
    """Percentiles of the parameters over samples of as many whole blocks as there are, with replacement."""
    blocks, sample = int(units.max()) + 1, []
    for _ in range(resamples):
        drawn = np.bincount(rng.integers(0, blocks, blocks), minlength=blocks)[units]
        sample.append(model.fit(drawn.astype(np.float64), parameters))
    tail = 0.5 * (1.0 - confidence)
    low, high = np.quantile(sample, (tail, 1.0 - tail), axis=0)
    return low, high


def _scores(seated: Array, ranks: Array, n: int) -> Array:
    """Share of the others that each agent finished ahead of."""
    ahead = (seated.shape[1] - ranks) / (seated.shape[1] - 1)
    games = np.bincount(seated.ravel(), minlength=n)
    points = np.bincount(seated.ravel(), ahead.ravel(), n)
    return np.asarray(np.divide(points, games, out=np.full(n, 0.5), where=games > 0))


def _connected(seated: Array, n: int) -> bool:
    """Whether agents that met are all in one piece."""
    from scipy.sparse.csgraph import connected_components

    met = np.zeros((n, n))
    for one, other in combinations(range(seated.shape[1]), 2):
        met[seated[:, one], seated[:, other]] = 1
    return bool(connected_components(met, directed=False)[0] == 1)
