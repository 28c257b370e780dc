"""What follows from the games of a tournament in a game for one: mean scores over the same chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.match import GameRecord
from gamelab.arena.played import Played
from gamelab.arena.statistics import Estimate, student_interval

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SoloResult"]


@dataclass(frozen=True)
class SoloResult(Played):
    """A tournament of games for one: every agent plays the same openings and chance, and a block is a game of each.

    The return of such a game is its score. A forfeited game counts as the lowest of all finished games.
    """

    @property
    def figures(self) -> tuple[str, ...]:
        """The kinds of figure that can be drawn of them."""
        return ("scores", "lengths") if self.scored() else ("lengths",)

    def scores(self) -> NDArray[np.float64]:
        """The score of each agent in each block, NaN where it has not played; shape (blocks, agents)."""
        blocks = self.blocks()
        scores = np.full((int(blocks.max(initial=-1)) + 1, len(self.setup.agents)), math.nan)
        scores[blocks, self.seated()[:, 0]] = self.seat_scores()[:, 0]
        return scores

    def difference(self, one: str, other: str, confidence: float = 0.95) -> Estimate:
        """By how much `one` scores more than `other` on average, over the blocks that both have played.

        Raises ParameterError if there are none, and ValueError for an agent that is not of the tournament.
        """
        scores = self.scores()
        difference = scores[:, self.setup.agents.index(one)] - scores[:, self.setup.agents.index(other)]
        return student_interval(difference[~np.isnan(difference)], confidence)

    def behind_the_best(self, confidence: float = 0.95) -> dict[str, Estimate]:
        """By how much the best scores more than each other agent; those that share no block with it are left out."""
        ranked = list(self.mean_scores(confidence))
        played = dict(zip(self.setup.agents, ~np.isnan(self.scores().T), strict=True))
        return {
            spec: self.difference(ranked[0], spec, confidence)
            for spec in ranked[1:]
            if (played[ranked[0]] & played[spec]).any()
        }

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """In how many blocks each agent (row) scored more than each other (column), ties half, and how many both played."""
        scores = self.scores()
        one, other = scores[:, :, None], scores[:, None, :]
        both = ~np.isnan(one - other) & ~np.eye(scores.shape[1], dtype=bool)
        ahead = 0.5 + 0.5 * np.sign(np.where(both, one - other, 0.0))
        return (ahead * both).sum(axis=0), both.sum(axis=0)

    def crosstable(self) -> pd.DataFrame:
        """In which share of the blocks each agent (row) scored more than each other (column); NaN where they never met."""
        import pandas as pd

        points, games = self.points()
        with np.errstate(invalid="ignore"):
            share = points / games
        return pd.DataFrame(share, index=self.setup.agents, columns=self.setup.agents)

    def to_dict(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> dict[str, Any]:
        """All of it, fit for JSON. There is nothing to resample: `bootstrap` and `seed` are those of other results."""
        means, behind = self.mean_scores(confidence), self.behind_the_best(confidence)
        points, games = self.points()
        scores = [
            {
                "rank": rank,
                "name": spec,
                "score": mean.to_dict(),
                "behind_the_best": behind[spec].to_dict() if spec in behind else None,
            }
            for rank, (spec, mean) in enumerate(means.items(), start=1)
        ]
        return self.report(players=1, points=points.tolist(), games_between=games.tolist(), scores=scores)

    def _scores_of(self, record: GameRecord) -> tuple[float, ...]:
        return record.returns
