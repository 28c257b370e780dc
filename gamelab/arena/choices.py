"""The likelihood of the Plackett-Luce model with seats and ties: games as choices of who is next.

The model is described in `gamelab.arena.plackett_luce`. Its parameters, in nats, stand in one array: n ratings, then the
seats, then ln delta of each kind of tie that occurred. Everything here is sums over tables of at most some thousand rows,
so NumPy's own loops serve; the threads of a linear algebra library would wait for each other for longer than they work.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Model"]

_MAX_STEPS = 200
Array = NDArray[Any]
Tie = tuple[int, int]
# A game, the seats that were left in it, and those of them, by position, that were chosen.
_Choice = tuple[int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class _Table:
    """The choices among the same number of seats. Each row is one set of seats, with their agents and who was chosen.

    Features of an option are, for each seat left, its share in the geometric mean, and for each kind of tie whether it is
    one. A seat's feature belongs to two parameters, a tie's to one; its second is a last one that stays 0.
    """

    options: Array  # (options, features)
    place: Array  # (2, rows, features): parameters
    chosen: Array  # (rows,): which option
    row: Array  # (choices,): the row of each choice that was made
    game: Array  # (choices,): the game it was made in

    def probabilities(self, parameters: Array) -> Array:
        """Of each option in each row."""
        one, other = np.append(parameters, 0.0)[self.place]
        utility = np.einsum("rf,of->ro", one + other, self.options)
        weights = np.exp(utility - utility.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def surprise(self, probabilities: Array) -> tuple[Array, Array]:
        """Expected features, and these minus those of what was chosen; of each row."""
        expected = np.einsum("ro,of->rf", probabilities, self.options)
        return expected, expected - self.options[self.chosen]

    def by_parameter(self, values: Array, size: int) -> Array:
        """Sum of features' values, shape (rows, features), over the rows."""
        sums = sum(np.bincount(place.ravel(), values.ravel(), size + 1) for place in self.place)
        return np.asarray(sums)[:size]

    def by_parameters(self, values: Array, size: int) -> Array:
        """Sum of the values of pairs of features, shape (rows, features, features), over the rows."""
        total = np.zeros((size + 1) ** 2)
        for one in self.place:
            for other in self.place:
                cells = one[:, :, None] * (size + 1) + other[:, None, :]
                total += np.bincount(cells.ravel(), values.ravel(), len(total))
        return total.reshape(size + 1, size + 1)[:size, :size]


class Model:
    """Games, and what parameters make of them.

    Parameters
    ----------
    seated : ndarray of int64, shape (games, seats)
        The agent on each seat, from 0.
    ranks : ndarray of float64, shape (games, seats)
        1 the best; equal ones tie.
    n : int
        Number of agents.
    precision : float
        Of the prior: of ratings, of differences of two seats, of ln delta.
    """

    def __init__(self, seated: Array, ranks: Array, n: int, precision: float) -> None:
        self.n, self.games, self.seats = n, *seated.shape
        made = _choices(ranks)
        self.ties: list[Tie] = sorted({(len(left), len(tied)) for _, left, tied in made if len(tied) > 1})
        self.size = n + self.seats + len(self.ties)
        sizes = sorted({len(left) for _, left, _ in made})
        self.tables = [self._table(size, [one for one in made if len(one[1]) == size], seated) for size in sizes]
        # A difference of two seats has twice the variance of one.
        self.precision = precision * np.array([1.0] * n + [2.0] * self.seats + [1.0] * len(self.ties))
        # Takes the mean from the ratings and from the seats: only differences are observed.
        self.centre = np.eye(self.size)
        self.centre[:n, :n] -= 1.0 / n
        self.centre[n : n + self.seats, n : n + self.seats] -= 1.0 / self.seats

    def _table(self, left: int, made: list[_Choice], seated: Array) -> _Table:
        here = [tie for tie in self.ties if tie[0] == left]
        members = [some for size in (1, *(tied for _, tied in here)) for some in combinations(range(left), size)]
        number = {some: i for i, some in enumerate(members)}
        options = np.zeros((len(members), left + len(here)))
        for i, some in enumerate(members):
            options[i, list(some)] = 1.0 / len(some)
            if len(some) > 1:
                options[i, left + here.index((left, len(some)))] = 1.0
        keys = np.array([(*seated[game, list(who)], *who, number[some]) for game, who, some in made])
        rows, row = np.unique(keys, axis=0, return_inverse=True)
        ties = np.array([self.n + self.seats + self.ties.index(tie) for tie in here], np.int64)
        both = np.broadcast_to(ties, (len(rows), len(ties)))
        place = np.stack(
            [
                np.hstack([rows[:, :left], both]),
                np.hstack([self.n + rows[:, left : 2 * left], np.full_like(both, self.size)]),
            ]
        )
        return _Table(options, place, rows[:, -1], row.ravel(), np.array([game for game, _, _ in made]))

    def log_likelihood(self, parameters: Array) -> float:
        """Of all games, without the prior."""
        total = 0.0
        for table in self.tables:
            total += float(np.log(table.probabilities(parameters)[table.row, table.chosen[table.row]]).sum())
        return total

    def derivatives(self, weights: Array, parameters: Array) -> tuple[Array, Array]:
        """Gradient and Hessian of minus the log posterior; each game counts as often as its weight says.

        The model is an exponential family: the gradient is the expectation of its features minus their observation, the
        Hessian their covariance.
        """
        gradient, hessian = self.precision * parameters, np.diag(self.precision)
        for table in self.tables:
            times = np.bincount(table.row, weights[table.game], len(table.chosen))
            probabilities = table.probabilities(parameters)
            expected, residual = table.surprise(probabilities)
            squares = table.options[:, :, None] * table.options[:, None, :]
            covariance = np.tensordot(probabilities, squares, 1) - expected[:, :, None] * expected[:, None, :]
            gradient = gradient + table.by_parameter(times[:, None] * residual, self.size)
            hessian = hessian + table.by_parameters(times[:, None, None] * covariance, self.size)
        return gradient, hessian

    def fit(self, weights: Array, start: Array | None = None) -> NDArray[np.float64]:
        """Maximum of the posterior, centred: by Newton's method, with steps shortened as in `gamelab.arena.ratings`."""
        parameters = np.zeros(self.size) if start is None else start.copy()
        seats, ties = slice(self.n, self.n + self.seats), slice(self.n + self.seats, None)
        for _ in range(_MAX_STEPS):
            gradient, hessian = self.derivatives(weights, parameters)
            step = np.linalg.solve(hessian, gradient)
            if gradient @ step < 1e-9:  # so close that the full step squares the error away
                return np.asarray(self.centre @ (parameters - step))
            reach = np.ptp(step[: self.n]) + np.ptp(step[seats]) + np.ptp([0.0, *step[ties]])
            parameters -= step * (np.log1p(reach) / reach)
        raise ArithmeticError(f"the ratings did not converge in {_MAX_STEPS} steps")

    def standard_errors(self, parameters: Array, units: Array | None = None) -> NDArray[np.float64]:
        """From the Hessian or, given the block of each game, by the sandwich estimator; centred, in nats."""
        bread = np.linalg.inv(self.derivatives(np.ones(self.games), parameters)[1])
        if units is None:
            return np.sqrt(np.diag(self.centre @ bread @ self.centre.T))
        slopes = self._slopes(parameters, units)
        moves = (slopes - slopes.mean(axis=0)) @ bread @ self.centre.T  # of the estimate, by each block
        return np.asarray(np.sqrt((moves**2).sum(axis=0) * (len(slopes) / (len(slopes) - 1))))

    def _slopes(self, parameters: Array, units: Array) -> Array:
        """What each block adds to the gradient, shape (blocks, parameters)."""
        slopes = np.zeros((int(units.max()) + 1, self.size + 1))
        for table in self.tables:
            residual = table.surprise(table.probabilities(parameters))[1]
            for place in table.place:
                np.add.at(slopes, (units[table.game][:, None], place[table.row]), residual[table.row])
        return slopes[:, : self.size]


def _choices(ranks: Array) -> list[_Choice]:
    """All choices, each among two seats or more."""
    patterns, pattern = np.unique(ranks, axis=0, return_inverse=True)
    stages = [_stages(row) for row in patterns]
    return [(game, *stage) for game, i in enumerate(pattern.ravel()) for stage in stages[i]]


def _stages(row: Array) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The seats that were left and those of them, by position, that tied for the next place."""
    lefts = [tuple(np.flatnonzero(row >= rank).tolist()) for rank in np.unique(row)]
    return [(left, tuple(i for i, seat in enumerate(left) if row[seat] == row[list(left)].min())) for left in lefts if left[1:]]
