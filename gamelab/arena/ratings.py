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
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamelab.arena.statistics import ELO_PER_NAT, Estimate, checked_confidence, normal_quantile

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
        """
        if not (0 <= i < len(self.names) and 0 <= j < len(self.names)):
            raise IndexError(f"players are numbered 0 to {len(self.names) - 1}, not {i} and {j}")
        x = (self.first_move_elo.value + float(self.elo[i] - self.elo[j])) / ELO_PER_NAT
        log_nu = math.log(self.draw_nu) if self.draw_nu > 0.0 else -math.inf
        win, draw, loss = np.exp(_log_probabilities(np.asarray(x), log_nu)).tolist()
        return win, draw, loss

    def expected_score(self, i: int, j: int) -> float:
        """Expected score, in [0, 1], of player i moving first against player j.

        Raises
        ------
        IndexError
            If `i` or `j` is not in 0 ... n - 1.
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
    share their luck; but where a player has won everything so does each resample, and the Hessian
    is the better guide. Either way an interval is that of the rating minus the mean of all ratings.

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
        Standard deviation of the prior, positive.
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
    ValueError
        If there are no games or fewer than two players, names repeat, arrays differ in length or
        are not of integers, a player or an outcome is out of range, `prior_elo`, `confidence` or
        `bootstrap` is out of range, or a bootstrap has no seed.

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
    n = _checked_players(names)
    cells, units = _checked_games(first, second, outcome, pairs, n)
    precision = _checked_precision(prior_elo)
    counts = _count(cells, n)
    fit = _fit(counts, precision)
    if bootstrap:
        rng = _checked_generator(bootstrap, seed)
        sample = _bootstrap(cells, units, fit, precision, bootstrap, rng)
        tail = 0.5 * (1.0 - checked_confidence(confidence))
        low, high = np.quantile(sample, (tail, 1.0 - tail), axis=0) * ELO_PER_NAT
    else:
        half_width = normal_quantile(confidence) * _standard_errors(counts, fit, precision)
        low, high = (fit[: n + 1] + sign * half_width for sign in (-ELO_PER_NAT, ELO_PER_NAT))
    return _pack(names, counts, fit, low, high, confidence, bool(bootstrap))
