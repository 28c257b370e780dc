"""What follows from the games of a tournament with more than two players: ratings, ranks and what each seat is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.blocks import share_over_blocks
from gamelab.arena.plackett_luce import SeatRatings, fit_plackett_luce, mean_ranks
from gamelab.arena.played import Played
from gamelab.arena.statistics import Estimate
from gamelab.core.errors import ParameterError, quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RANKS_BY", "MultiplayerResult", "Standing"]

RanksBy: TypeAlias = Literal["score", "return"]
RANKS_BY: tuple[RanksBy, ...] = ("score", "return")


@dataclass(frozen=True)
class Standing:
    """What an agent, or whoever sat on a seat, got: means of a game, in intervals of which a block is one observation.

    Attributes
    ----------
    games : int
        Seats taken.
    mean_return : Estimate
    mean_rank : float
        1 is the best; those that tie share the mean of their ranks.
    wins : Estimate
        Share of the games in which it was first; those that tie share the win.
    """

    games: int
    mean_return: Estimate
    mean_rank: float
    wins: Estimate


@dataclass(frozen=True)
class MultiplayerResult(Played):
    """A tournament of games for more than two, and what follows from it.

    A block, the games of the same agents with rotated seats and the same opening and chance, is one observation.

    Players finish in the order of their scores, where the game has any and every game was kept with them, and otherwise of
    their returns. Who forfeits is last. What a seat is worth counts them in the order of play: on the first is who acted first.

    Attributes
    ----------
    ranks_by : {"score", "return"}
        What ranks go by, and so ratings and who finished ahead of whom. Where a game is about winning alone, all that did not
        win have the same return: by "return" it then makes no difference who came second, which agents do not play for.
    """

    ranks_by: RanksBy = "score"

    def ranked_by(self, what: str) -> MultiplayerResult:
        """The same games with ranks by "score" or by "return". Raises ParameterError for anything else."""
        if what not in RANKS_BY:
            raise ParameterError(f"ranks go by {' or by '.join(RANKS_BY)}, not by {quoted(what)}")
        return replace(self, ranks_by=what)

    def ranks_go_by(self) -> RanksBy:
        """What ranks really go by: those of a game without scores by "return", whatever was asked for."""
        return "score" if self.ranks_by == "score" and self.scored() else "return"

    def ratings(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> SeatRatings:
        """Elo ratings and what seats are worth, with intervals; see `gamelab.arena.plackett_luce.fit_plackett_luce`.

        Parameters
        ----------
        confidence : float
            Coverage of the intervals.
        bootstrap : int
            If not 0, percentile intervals from so many resamples of blocks of games, drawn with `seed`.

        Raises
        ------
        StoreError
            If no game was played yet.
        """
        self.check_games()
        seated, ranks = (np.take_along_axis(values, self.places(), axis=1) for values in (self.seated(), self.ranks()))
        return fit_plackett_luce(
            seated, -ranks, self.setup.agents,
            blocks=self.blocks(), confidence=confidence, bootstrap=bootstrap, seed=seed,
        )  # fmt: skip

    def ranks(self) -> NDArray[np.float64]:
        """The finishing rank of each seat in each game, 1 the best, shared by those that tie; shape (games, seats)."""
        order = self._returns()
        if self.ranks_go_by() == "score":
            order = np.where(self._finished()[:, None], self.seat_scores(), order)
        return mean_ranks(order)

    def by_agent(self, confidence: float = 0.95) -> dict[str, Standing]:
        """What each agent got, in the order of the set-up; those that have not played yet are left out."""
        self.check_games()
        seated = self.seated()
        taken = {spec: seated == i for i, spec in enumerate(self.setup.agents)}
        return {spec: self._standing(where, confidence) for spec, where in taken.items() if where.any()}

    def by_seat(self, confidence: float = 0.95) -> list[Standing]:
        """What was got on each seat in the order of play, who acted first on the first, whoever sat there."""
        self.check_games()
        places = self.places()
        return [self._standing(np.arange(self.seats) == places[:, [place]], confidence) for place in range(self.seats)]

    def _standing(self, where: NDArray[np.bool_], confidence: float) -> Standing:
        """What was got on some seats of games, given as an array of shape (games, seats)."""
        returns, ranks = self._returns(), self.ranks()
        blocks = np.broadcast_to(self.blocks()[:, None], where.shape)[where]
        firsts = ranks == ranks.min(axis=1, keepdims=True)
        shared = firsts / firsts.sum(axis=1, keepdims=True)
        lowest = _lowest(returns)
        on_unit = share_over_blocks((returns[where] - lowest) / (1 - lowest), blocks, confidence)
        value, low, high = (lowest + (1 - lowest) * end for end in (on_unit.value, on_unit.low, on_unit.high))
        return Standing(
            games=int(where.sum()),
            mean_return=Estimate(value, low, high, confidence),
            mean_rank=float(ranks[where].mean()),
            wins=share_over_blocks(shared[where], blocks, confidence),
        )

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """How often each agent (row) finished ahead of each other (column), ties half, and how often they met.

        Both have shape (agents, agents). Those on several seats of a game meet several times; nobody meets itself.
        """
        n = len(self.setup.agents)
        seated, ranks = self.seated(), self.ranks()
        points, games = np.zeros((n, n)), np.zeros((n, n), np.int64)
        for one in range(self.seats):
            for other in range(self.seats):
                met = seated[:, one] != seated[:, other]
                players = seated[met, one], seated[met, other]
                np.add.at(points, players, 0.5 + 0.5 * np.sign(ranks[met, other] - ranks[met, one]))
                np.add.at(games, players, 1)
        return points, games

    def crosstable(self) -> pd.DataFrame:
        """How often each agent (row) finished ahead of each other (column), as a share; NaN where they never met."""
        import pandas as pd

        points, games = self.points()
        with np.errstate(invalid="ignore"):
            share = points / games
        return pd.DataFrame(share, index=self.setup.agents, columns=self.setup.agents)

    def to_dict(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> dict[str, Any]:
        """All of it, fit for JSON; the arguments are those of `ratings`."""
        ratings = self.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
        points, games = self.points()
        by_agent = self.by_agent(confidence)
        rows = [{**row, **_to_dict(by_agent.get(row["name"]))} for row in ratings.to_records()]
        return self.report(
            players=self.seats,
            ranks_by=self.ranks_go_by(),
            points=points.tolist(),
            games_between=games.tolist(),
            ratings=rows,
            interval_method=ratings.method,
            mean_scores=self.scores_to_dict(confidence),
            seats=[
                {"seat": seat, "elo": elo.to_dict(), **_to_dict(standing)}
                for seat, (elo, standing) in enumerate(zip(ratings.seat_elo, self.by_seat(confidence), strict=True), start=1)
            ],
        )

    def _returns(self) -> NDArray[np.float64]:
        return np.array([record.returns for record in self.records], np.float64).reshape(-1, self.seats)


def _lowest(returns: NDArray[np.float64]) -> float:
    """Below which no mean return lies: the lowest of the tournament, for many games know none down to -1."""
    lowest = float(returns.min())
    return lowest if lowest < 0 else -1.0


def _to_dict(standing: Standing | None) -> dict[str, Any]:
    if standing is None:
        return {"mean_return": None, "mean_rank": None, "wins": None}
    return {
        "mean_return": standing.mean_return.to_dict(),
        "mean_rank": standing.mean_rank,
        "wins": standing.wins.to_dict(),
    }
