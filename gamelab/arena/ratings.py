"""Ratings of the players of a tournament: Davidson's model with an order effect.

When player i moves first against player j,

    P(i wins) : P(draw) : P(j wins)  =  gamma pi_i : nu sqrt(gamma pi_i pi_j) : pi_j,

with pi = 10^(Elo/400). gamma is the first-move advantage, 400 log10(gamma) in Elo; nu says how
drawish the game is. Divided by the middle root, only x = ln(gamma pi_i / pi_j) matters: the three
weights are exp(x/2), nu and exp(-x/2). With theta = ln pi, lambda = ln gamma and delta = ln nu as
parameters the log-likelihood is concave, so Newton's method finds the one maximum.

References
----------
.. [Davidson1970] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in
   paired comparison experiments", Journal of the American Statistical Association 65, 1970.
.. [DavidsonBeaver1977] R. R. Davidson and R. J. Beaver, "On extending the Bradley-Terry model to
   incorporate within-pair order effects", Biometrics 33, 1977.
.. [Ford1957] L. R. Ford, "Solution of a ranking problem from binary comparisons", American
   Mathematical Monthly 64, 1957.
.. [SunTranDinh2019] T. Sun and Q. Tran-Dinh, "Generalized self-concordant functions: a recipe for
   Newton-type methods", Mathematical Programming 178, 2019.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.arena.arguments import checked_array, checked_generator, checked_integers, checked_players, checked_precision
from gamelab.arena.statistics import ELO_PER_NAT, Estimate, checked_confidence, normal_quantile
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.numbers import is_whole

_FIRST_WON, _DRAW, _SECOND_WON = 0, 1, 2  # last axis of the counts
_MAX_STEPS = 200


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of players with confidence intervals.

    Attributes
    ----------
    names : tuple of str, length n
        The players; all arrays are in this order.
    elo, low, high : ndarray of float64, shape (n,)
        Ratings in Elo with mean 0, and the ends of their intervals. Read-only, like all arrays.
    games : ndarray of int64, shape (n,)
        Seats taken; a game of a player against itself counts as two.
    score : ndarray of float64, shape (n,)
        Share of the points in these games, in [0, 1]; 1/2 for a player without games.
    first_move_elo : Estimate
        What moving first is worth, 400 log10(gamma).
    draw_nu : float
        nu of the model: two equal players draw with probability nu / (2 + nu), were there no
        first-move advantage. Exactly 0 if no game was drawn.
    log_likelihood : float
        Log-likelihood of the games at the estimate, without the prior.
    confidence : float
        Nominal coverage of the intervals.
    method : {"hessian", "bootstrap"}
        Where the intervals come from.
    connected : bool
        Whether the games link all the players, directly or through others. If not, only the prior
        compares the groups, and their ratings must not be compared.
    """

    names: tuple[str, ...]
    elo: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    games: NDArray[np.int64]
    score: NDArray[np.float64]
    first_move_elo: Estimate
    draw_nu: float
    log_likelihood: float
    confidence: float
    method: Literal["hessian", "bootstrap"]
    connected: bool

    def outcome_probabilities(self, i: int, j: int) -> tuple[float, float, float]:
        """Probabilities of win, draw and loss for player i moving first against player j.

        Raises
        ------
        IndexError
            If `i` or `j` is not in 0 ... n - 1.
        ParameterError
            A ValueError, if `i` or `j` is no whole number.
        """
        for player in (i, j):
            if not is_whole(player):
                raise ParameterError(f"players are numbered 0 to {len(self.names) - 1}, not {quoted(player)}")
        if not (0 <= i < len(self.names) and 0 <= j < len(self.names)):
            raise IndexError(f"players are numbered 0 to {len(self.names) - 1}, not {i} and {j}")
        x = (self.first_move_elo.value + float(self.elo[i] - self.elo[j])) / ELO_PER_NAT
        log_nu = math.log(self.draw_nu) if self.draw_nu > 0.0 else -math.inf
        win, draw, loss = np.exp(_log_probabilities(np.asarray(x), log_nu)).tolist()
        return win, draw, loss

    def expected_score(self, i: int, j: int) -> float:
        """Give the expected score, in [0, 1], of player i moving first against player j.

        Raises
        ------
        IndexError
            If `i` or `j` is not in 0 ... n - 1.
        ParameterError
            A ValueError, if `i` or `j` is no whole number.
        """
        win, draw, _ = self.outcome_probabilities(i, j)
        return win + 0.5 * draw

    def to_records(self) -> list[dict[str, Any]]:
        """One dict per player, best first; plain Python values, ready for JSON or a data frame.

        Returns
        -------
        list of dict
            With rank (from 1), name, elo, low, high, games and score.
        """
        order = np.argsort(-self.elo, kind="stable")  # stable: ties stay in the order of names
        return [
            {
                "rank": rank,
                "name": self.names[player],
                "elo": float(self.elo[player]),
                "low": float(self.low[player]),
                "high": float(self.high[player]),
                "games": int(self.games[player]),
                "score": float(self.score[player]),
            }
            for rank, player in enumerate(order, start=1)
        ]


def fit_ratings(
    first: ArrayLike,
    second: ArrayLike,
    outcome: ArrayLike,
    names: Sequence[str],
    *,
    pairs: ArrayLike | None = None,
    prior_elo: float = 1000.0,
    confidence: float = 0.95,
    bootstrap: int = 0,
    seed: int | np.random.SeedSequence | None = None,
) -> Ratings:
    """Fit Davidson's model with an order effect [DavidsonBeaver1977]_ to games.

    The estimate is the maximum of the likelihood times a weak prior that keeps it finite when a
    player has won everything, all games were drawn or the first mover always won: each rating, the
    first-move advantage and 400 log10(nu) are normal around 0 with standard deviation `prior_elo`.
    At the default of 1000 Elo the prior weighs as much as an eighth of one game against an equal
    opponent (1/1000^2 against (ln 10 / 400)^2 / 4), and a player that won 10 games of 10 is put
    some 850 Elo above its opponent.

    Intervals from the Hessian treat games as independent. Bootstrap intervals resample pairs, which
    share their luck. But where some players never lost a point to the others, or all that was not
    drawn was won from the same seat, only the prior keeps the estimate finite [Ford1957]_, and each
    resample says the same: there intervals are at least as wide as those from the Hessian. Either
    way an interval is that of the rating minus the mean of all ratings.

    Parameters
    ----------
    first, second : array_like of int, shape (games,)
        Who moved first and second, as positions in `names`. A game of a player against itself
        tells about the first move and draws only.
    outcome : array_like of int, shape (games,)
        1 if the first mover won, 0 for a draw, -1 if the second mover won.
    names : sequence of str, length n
        The players, at least two, all different. A player without games gets a rating of 0, as
        wide as the prior.
    pairs : array_like of int, shape (games,), optional
        The pair each game belongs to, any numbers. Without it the bootstrap resamples games.
    prior_elo : float
        Standard deviation of the prior, from 1 to 100000.
    confidence : float
        Nominal coverage of the intervals, in (0, 1).
    bootstrap : int
        Number of resamples for percentile intervals; 0 for intervals from the Hessian.
    seed : int or SeedSequence
        Seed of the bootstrap, required for it.

    Returns
    -------
    Ratings
        Never with a NaN or an infinity.

    Raises
    ------
    ParameterError
        A ValueError, if there are no games or fewer than two players, names repeat or are no texts,
        arrays differ in length or are not of integers, a player, an outcome, `prior_elo`,
        `confidence`, `bootstrap` or `seed` is of the wrong type or out of range, or a bootstrap has
        no seed.

    Examples
    --------
    >>> ratings = fit_ratings([0, 1, 0, 1], [1, 0, 1, 0], [1, -1, 1, 1], ["ann", "bob"])
    >>> [(record["name"], record["score"]) for record in ratings.to_records()]
    [('ann', 0.75), ('bob', 0.25)]
    >>> ratings.draw_nu, ratings.connected
    (0.0, True)
    >>> ratings.expected_score(0, 1) > ratings.expected_score(1, 0)
    True
    """
    n = checked_players(names)
    cells, units = _checked_games(first, second, outcome, pairs, n)
    precision = checked_precision(prior_elo)
    confidence = checked_confidence(confidence)
    rng = checked_generator(bootstrap, seed)
    counts = _count(cells, n)
    parameters = _fit(counts, precision)
    if rng is not None:
        sample = [_fit(_resampled(cells, units, n, rng), precision, parameters) for _ in range(bootstrap)]
        tail = 0.5 * (1.0 - confidence)
        low, high = np.quantile([fit[: n + 1] for fit in sample], (tail, 1.0 - tail), axis=0)
    half_width = normal_quantile(confidence) * _standard_errors(counts, parameters, precision)
    by_games = parameters[: n + 1] - half_width, parameters[: n + 1] + half_width
    if rng is None:
        low, high = by_games
    elif _separated(counts):
        low, high = np.minimum(low, by_games[0]), np.maximum(high, by_games[1])
    return _pack(
        tuple(names),
        counts,
        parameters,
        (low, high),
        confidence=confidence,
        method="hessian" if rng is None else "bootstrap",
    )


def _checked_games(
    first: ArrayLike, second: ArrayLike, outcome: ArrayLike, pairs: ArrayLike | None, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Per game its cell in the flattened counts and the unit (from 0) it is resampled with."""
    columns = {"first": first, "second": second, "outcome": outcome}
    if pairs is not None:
        columns["pairs"] = pairs
    arrays = {name: checked_array(name, column) for name, column in columns.items()}
    shapes = {name: array.shape for name, array in arrays.items()}
    if len(set(shapes.values())) != 1 or len(shapes["first"]) != 1:
        raise ParameterError(f"one entry per game in each array: got shapes {shapes}")
    if shapes["first"] == (0,):
        raise ParameterError("there are no games to rate")
    for name, array in arrays.items():
        checked_integers(name, array)
    for name, low, high in (("first", 0, n - 1), ("second", 0, n - 1), ("outcome", -1, 1)):
        wrong = np.flatnonzero((arrays[name] < low) | (arrays[name] > high))
        if wrong.size:
            value = arrays[name][wrong[0]]
            raise ParameterError(f"{name} of game {wrong[0]} is {value}, not in {low} ... {high}")
    one, two, result = (arrays[name].astype(np.int64) for name in ("first", "second", "outcome"))
    units = np.arange(one.size) if pairs is None else np.unique(arrays["pairs"], return_inverse=True)[1]
    return (one * n + two) * 3 + (1 - result), units


def _count(cells: NDArray[np.int64], n: int, weights: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Games by first player, second player and result, shape (n, n, 3)."""
    return np.bincount(cells, weights, minlength=n * n * 3).reshape(n, n, 3).astype(np.float64)


def _resampled(cells: NDArray[np.int64], units: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Count the games of a bootstrap sample: as many whole units as there are, with replacement."""
    total = int(units.max()) + 1
    times_drawn = np.bincount(rng.integers(0, total, total), minlength=total)
    return _count(cells, n, times_drawn[units])


def _log_probabilities(x: NDArray[np.float64], log_nu: float) -> NDArray[np.float64]:
    """Log probabilities of win, draw, loss of the first mover, on a new last axis of length 3."""
    weights = np.stack([0.5 * x, np.full_like(x, log_nu), -0.5 * x], axis=-1)
    weights -= weights.max(axis=-1, keepdims=True)
    normalised: NDArray[np.float64] = weights - np.log(np.exp(weights).sum(axis=-1, keepdims=True))
    return normalised


def _log_probabilities_of(parameters: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Log probabilities for all ordered pairs of players, shape (n, n, 3)."""
    theta, first_move = parameters[:n], parameters[n]
    log_nu = parameters[n + 1] if len(parameters) > n + 1 else -math.inf
    return _log_probabilities(first_move + theta[:, None] - theta[None, :], float(log_nu))


def _log_likelihood(counts: NDArray[np.float64], parameters: NDArray[np.float64]) -> float:
    """Log-likelihood of the games, without the prior."""
    logs = _log_probabilities_of(parameters, len(counts))
    # Without draws their log probability is -inf, and 0 * -inf would be NaN.
    return float(np.sum(counts * np.where(counts > 0.0, logs, 0.0)))


def _derivatives(
    counts: NDArray[np.float64], parameters: NDArray[np.float64], precision: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient and Hessian of minus the log posterior.

    The model is an exponential family: per game, the statistics +1/2, 0, -1/2 go with x and 0, 1, 0
    with delta. The gradient is their expectation minus their observation, the Hessian their
    covariance.
    """
    n = len(counts)
    win, draw, loss = np.moveaxis(np.exp(_log_probabilities_of(parameters, n)), -1, 0)
    games = counts.sum(axis=-1)
    mean = 0.5 * (win - loss)
    observed = 0.5 * (counts[..., _FIRST_WON] - counts[..., _SECOND_WON])
    variance = games * (0.25 * (win + loss) - mean**2)
    gradient = precision * parameters
    hessian = precision * np.eye(len(parameters))
    gradient[: n + 1] += _per_parameter(games * mean - observed)
    both_seats = variance + variance.T
    hessian[:n, :n] += np.diag(both_seats.sum(axis=1)) - both_seats
    hessian[n, : n + 1] += _per_parameter(variance)
    hessian[:n, n] = hessian[n, :n]
    if len(parameters) > n + 1:
        gradient[-1] += np.sum(games * draw - counts[..., _DRAW])
        hessian[-1, : n + 1] = hessian[: n + 1, -1] = -_per_parameter(games * mean * draw)
        hessian[-1, -1] += np.sum(games * draw * (1.0 - draw))
    return gradient, hessian


def _per_parameter(by_seats: NDArray[np.float64]) -> NDArray[np.float64]:
    """From a derivative by each x, shape (n, n), that by theta and lambda, shape (n + 1,)."""
    theta = by_seats.sum(axis=1) - by_seats.sum(axis=0)
    return np.append(theta, by_seats.sum())


def _fit(counts: NDArray[np.float64], precision: float, start: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Maximum of the posterior: theta, lambda and, if games were drawn, delta; in nats.

    Newton's method with steps shortened to log(1 + r) / r, where r bounds the change of any log
    odds: for such generalised self-concordant functions it then descends from any start
    [SunTranDinh2019]_, without a line search.
    """
    n = len(counts)
    size = n + 1 + bool(counts[..., _DRAW].any())
    parameters = np.zeros(size) if start is None else start[:size].copy()
    for _ in range(_MAX_STEPS):
        gradient, hessian = _derivatives(counts, parameters, precision)
        step = np.linalg.solve(hessian, gradient)
        if gradient @ step < 1e-9:  # so close that the full step squares the error away
            parameters -= step
            parameters[:n] -= parameters[:n].mean()  # zero already, up to rounding
            return parameters
        reach = np.ptp(step[:n]) + np.abs(step[n:]).sum()
        parameters -= step * (np.log1p(reach) / reach)
    raise ArithmeticError(f"the ratings did not converge in {_MAX_STEPS} steps")


def _standard_errors(counts: NDArray[np.float64], parameters: NDArray[np.float64], precision: float) -> NDArray[np.float64]:
    """Give the standard errors of the centred theta and of lambda, in nats, shape (n + 1,)."""
    n = len(counts)
    covariance = np.linalg.inv(_derivatives(counts, parameters, precision)[1])
    # Only differences of ratings are observed. The covariance of theta minus its mean is free of
    # the prior's say on the common level.
    centre = np.eye(len(parameters))
    centre[:n, :n] -= 1.0 / n
    return np.sqrt(np.diag(centre @ covariance @ centre))[: n + 1]


def _separated(counts: NDArray[np.float64]) -> bool:
    """Whether the likelihood alone has no maximum: players fall in groups of which one never lost a point to another, or
    one seat won all games that were not drawn.
    """
    from scipy.sparse.csgraph import connected_components

    won, drawn, lost = np.moveaxis(counts, -1, 0)
    took_points = won + drawn + (lost + drawn).T
    played = (counts.sum(axis=(1, 2)) + counts.sum(axis=(0, 2))) > 0
    groups, _ = connected_components(took_points[np.ix_(played, played)], connection="strong")
    return bool(groups > 1 or not won.any() or not lost.any())


def _connected(counts: NDArray[np.float64]) -> bool:
    """Whether the graph of who played whom is in one piece."""
    from scipy.sparse.csgraph import connected_components

    components, _ = connected_components(counts.sum(axis=-1), directed=False)
    return bool(components == 1)


def _pack(
    names: tuple[str, ...],
    counts: NDArray[np.float64],
    parameters: NDArray[np.float64],
    interval: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    confidence: float,
    method: Literal["hessian", "bootstrap"],
) -> Ratings:
    """Turn a fit and its interval, both in nats, into the result in Elo."""
    n = len(names)
    seats = counts.sum(axis=-1)
    games = seats.sum(axis=1) + seats.sum(axis=0)
    first_points = counts @ np.array([1.0, 0.5, 0.0])
    points = first_points.sum(axis=1) + (seats - first_points).sum(axis=0)
    value, low, high = (ELO_PER_NAT * nats[: n + 1] for nats in (parameters, *interval))
    ratings = Ratings(
        names=names,
        elo=value[:n],
        low=low[:n],
        high=high[:n],
        games=games.astype(np.int64),
        score=np.divide(points, games, out=np.full(n, 0.5), where=games > 0.0),
        first_move_elo=Estimate(float(value[n]), float(low[n]), float(high[n]), confidence),
        draw_nu=float(np.exp(parameters[n + 1])) if len(parameters) > n + 1 else 0.0,
        log_likelihood=_log_likelihood(counts, parameters),
        confidence=confidence,
        method=method,
        connected=_connected(counts),
    )
    for array in (ratings.elo, ratings.low, ratings.high, ratings.games, ratings.score):
        array.setflags(write=False)
    return ratings
