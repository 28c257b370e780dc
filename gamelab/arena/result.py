"""What follows from the games of a tournament for two: ratings, the first player's advantage.

`gamelab.arena.played` has what any number of seats has in common, `gamelab.arena.multiplayer` is for more than two, and
`gamelab.arena.solo` for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.match import GameRecord
from gamelab.arena.pairs import PairStatistics, first_player_share, first_player_share_unpaired, pair_statistics
from gamelab.arena.played import Played
from gamelab.arena.ratings import Ratings, fit_ratings
from gamelab.arena.statistics import Estimate
from gamelab.arena.store import Store

if TYPE_CHECKING:
    import pandas as pd

    from gamelab.arena.multiplayer import MultiplayerResult
    from gamelab.arena.solo import SoloResult

__all__ = ["AnyResult", "Result", "open_result", "result_from"]

AnyResult: TypeAlias = "Result | MultiplayerResult | SoloResult"


@dataclass(frozen=True)
class Result(Played):
    """A tournament of games for two, and what follows from it."""

    def _who(self) -> list[str]:
        return ["first", "second", "first_return"]

    def _score_columns(self) -> list[str]:
        return ["first_score", "second_score"]

    def _players(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The agent that acted first in each game, and the other."""
        first, second = np.take_along_axis(self.seated(), self.places(), axis=1).T
        return first, second

    def _first_points(self) -> NDArray[np.float64]:
        """Points of who acted first: 1, 1/2 or 0 for each game."""
        starters = self.places()[:, 0].tolist()
        return np.array([(record.returns[seat] + 1) / 2 for record, seat in zip(self.records, starters, strict=True)])

    def _whole_pairs(self) -> list[tuple[GameRecord, GameRecord]]:
        """The pairs of games of which both were played."""
        by_id = {record.pairing.game_id: record for record in self.records}
        return [(by_id[i], by_id[i + 1]) for i in sorted(by_id) if i % 2 == 0 and i + 1 in by_id]

    def ratings(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> Ratings:
        """Elo ratings with intervals; see `gamelab.arena.ratings.fit_ratings`.

        Parameters
        ----------
        confidence : float
            Coverage of the intervals.
        bootstrap : int
            If not 0, percentile intervals from so many resamples of pairs of games, drawn with `seed`.

        Raises
        ------
        StoreError
            If no game was played yet.
        """
        self.check_games()
        first, second = self._players()
        outcome = np.sign(self._first_points() - 0.5).astype(np.int64)
        return fit_ratings(
            first, second, outcome, self.setup.agents,
            pairs=self.blocks(), confidence=confidence, bootstrap=bootstrap, seed=seed,
        )  # fmt: skip

    def first_player(self, confidence: float = 0.95) -> Estimate:
        """The share of the points of who acted first, over pairs of games with the seats swapped where both were played."""
        self.check_games()
        points, pairs = self._first_points(), self._whole_pairs()
        if len(pairs) < 2:
            return first_player_share_unpaired(points, confidence)
        of_game = dict(zip((record.pairing.game_id for record in self.records), points.tolist(), strict=True))
        return first_player_share([(of_game[a.pairing.game_id] + of_game[b.pairing.game_id]) / 2 for a, b in pairs], confidence)

    def head_to_head(self, one: str, other: str, confidence: float = 0.95) -> PairStatistics:
        """How `one` did against `other`, a pair of games being one observation. Raises ValueError if they never met."""
        scores = []
        for pair in self._whole_pairs():
            if {*pair[0].pairing.opponents} == {one, other}:
                points = [(game.returns[game.pairing.seats.index(one)] + 1) / 2 for game in pair]
                scores.append(sum(points) / 2)
        return pair_statistics(scores, confidence)

    def crosstable(self) -> pd.DataFrame:
        """The share of points of each agent (row) against each other (column), NaN where they never met."""
        import pandas as pd

        points, games = self.points()
        with np.errstate(invalid="ignore"):
            share = points / games
        return pd.DataFrame(share, index=self.setup.agents, columns=self.setup.agents)

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Points of each agent (row) against each other (column), and the games they are from; shape (agents, agents)."""
        n = len(self.setup.agents)
        first, second = self._players()
        scores = self._first_points()
        points, games = np.zeros((n, n)), np.zeros((n, n), np.int64)
        np.add.at(points, (first, second), scores)
        np.add.at(points, (second, first), 1 - scores)
        np.add.at(games, (first, second), 1)
        np.add.at(games, (second, first), 1)
        return points, games

    def to_dict(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> dict[str, Any]:
        """All of it, fit for JSON; the arguments are those of `ratings`."""
        ratings = self.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
        share = self.first_player(confidence)
        points, games = self.points()
        return self.report(
            points=points.tolist(),
            games_between=games.tolist(),
            ratings=ratings.to_records(),
            first_player_share=share.to_dict(),
            first_move_elo=ratings.first_move_elo.to_dict(),
            mean_scores=self.scores_to_dict(confidence),
        )


def result_from(store: Store) -> AnyResult:
    """All that a store holds, as the kind of result that fits its games. Raises StoreError if it is damaged."""
    from gamelab.arena.multiplayer import MultiplayerResult
    from gamelab.arena.solo import SoloResult

    kinds: dict[int, type[Result | SoloResult]] = {1: SoloResult, 2: Result}
    return kinds.get(store.seats, MultiplayerResult).from_store(store)


def open_result(path: str | Path) -> AnyResult:
    """Read a tournament's store. Raises StoreError, naming the file, if it is missing, damaged or no store."""
    store = Store(path, create=False)
    try:
        return result_from(store)
    finally:
        store.close()
