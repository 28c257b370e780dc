"""What follows from a tournament's games: tables, ratings, the first player's advantage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.match import GameRecord
from gamelab.arena.pairs import PairStatistics, first_player_share, first_player_share_unpaired, pair_statistics
from gamelab.arena.ratings import Ratings, fit_ratings
from gamelab.arena.statistics import Estimate
from gamelab.arena.store import Setup, Store
from gamelab.core.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["LengthSummary", "Result", "open_result"]


@dataclass(frozen=True)
class LengthSummary:
    """Game lengths in plies."""

    mean: float
    median: float
    shortest: int
    longest: int


@dataclass(frozen=True)
class Result:
    """A tournament's games, and what follows from them.

    Attributes
    ----------
    setup : Setup
    records : list of GameRecord
        In the order of the schedule; of a tournament broken off, those that were finished.
    planned_games : int
    path : Path or None
        Where the store lies.
    budgets : dict of str to str
        The kind of budget of each agent.
    versions : list of str
        What played the games.
    """

    setup: Setup
    records: list[GameRecord]
    planned_games: int
    path: Path | None = None
    budgets: dict[str, str] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)

    @classmethod
    def from_store(cls, store: Store) -> Result:
        """Read all that a store holds. Raises StoreError if it is damaged."""
        setup, planned, records = store.setup(), store.planned_games(), store.records()
        for record in records:
            number, players = record.pairing.game_id, record.pairing.seats
            if not 0 <= number < planned or not set(players) <= set(setup.agents):
                where = store.path or "store in memory"
                raise StoreError(f"{where}: damaged store: game {number} of {' and '.join(players)} is none of the tournament")
        return cls(setup, records, planned, store.path, store.budgets(), store.versions())

    # --- the games as arrays ------------------------------------------------------------------------------------------

    def _players(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        number = {spec: i for i, spec in enumerate(self.setup.agents)}
        seats = np.array([[number[spec] for spec in record.pairing.seats] for record in self.records], dtype=np.int64)
        return (seats[:, 0], seats[:, 1]) if len(seats) else (np.zeros(0, np.int64), np.zeros(0, np.int64))

    def _first_scores(self) -> NDArray[np.float64]:
        """Points of the first player: 1, 1/2 or 0 for each game."""
        return np.array([(record.returns[0] + 1) / 2 for record in self.records])

    def _whole_pairs(self) -> list[tuple[GameRecord, GameRecord]]:
        """The pairs of games of which both were played."""
        by_id = {record.pairing.game_id: record for record in self.records}
        return [(by_id[i], by_id[i + 1]) for i in sorted(by_id) if i % 2 == 0 and i + 1 in by_id]

    # --- what follows -------------------------------------------------------------------------------------------------

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
        self._check_games()
        first, second = self._players()
        outcome = np.sign(self._first_scores() - 0.5).astype(np.int64)
        pairs = np.array([record.pairing.pair_id for record in self.records])
        return fit_ratings(
            first, second, outcome, self.setup.agents,
            pairs=pairs, confidence=confidence, bootstrap=bootstrap, seed=seed,
        )  # fmt: skip

    def first_player(self, confidence: float = 0.95) -> Estimate:
        """The first player's share of the points, over pairs of games with the seats swapped where both were played."""
        self._check_games()
        pairs = self._whole_pairs()
        if len(pairs) < 2:
            return first_player_share_unpaired(self._first_scores(), confidence)
        return first_player_share([(a.returns[0] + b.returns[0] + 2) / 4 for a, b in pairs], confidence)

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
        scores = self._first_scores()
        points, games = np.zeros((n, n)), np.zeros((n, n), np.int64)
        np.add.at(points, (first, second), scores)
        np.add.at(points, (second, first), 1 - scores)
        np.add.at(games, (first, second), 1)
        np.add.at(games, (second, first), 1)
        return points, games

    def lengths(self) -> LengthSummary:
        """How long the games were, forfeited ones left out."""
        plies = [record.plies for record in self.records if record.forfeit is None]
        if not plies:
            raise StoreError(f"{self._name()}: no game was finished")
        return LengthSummary(float(np.mean(plies)), float(np.median(plies)), min(plies), max(plies))

    def distinct_games(self) -> int:
        """How many different games there are: deterministic agents repeat themselves."""
        return len({record.moves for record in self.records})

    def endings(self) -> dict[str, int]:
        """How the games ended, most frequent first."""
        return dict(Counter(record.ending for record in self.records).most_common())

    def forfeits(self) -> list[GameRecord]:
        """The games that an agent forfeited."""
        return [record for record in self.records if record.forfeit is not None]

    def to_frame(self) -> pd.DataFrame:
        """One row a game: players, first return, plies, opening, ending, moves, seconds and nodes of all moves together."""
        import pandas as pd

        return pd.DataFrame([_row(record) for record in self.records], columns=FRAME_COLUMNS)

    def plot(self, kind: str = "ratings") -> Figure:
        """A figure: "ratings", "crosstable" or "lengths"; see `gamelab.plots`. Raises UnknownNameError for another."""
        from gamelab.plots import draw

        return draw(self, kind)

    def effort(self) -> dict[str, tuple[float, float]]:
        """For each agent the mean nodes and the mean seconds of a move; NaN if it made none."""
        moves: dict[str, list[tuple[int, float]]] = {agent: [] for agent in self.setup.agents}
        for record in self.records:
            for seat, nodes, seconds in zip(record.movers, record.nodes, record.seconds, strict=True):
                moves[record.pairing.seats[seat]].append((nodes, seconds))
        nothing = (float("nan"), float("nan"))
        return {agent: tuple(np.mean(made, axis=0).tolist()) if made else nothing for agent, made in moves.items()}

    def to_dict(self, *, confidence: float = 0.95, bootstrap: int = 0, seed: int | None = None) -> dict[str, Any]:
        """All of it, fit for JSON; the arguments are those of `ratings`."""
        ratings = self.ratings(confidence=confidence, bootstrap=bootstrap, seed=seed)
        share = self.first_player(confidence)
        points, games = self.points()
        return {
            "game": self.setup.game,
            "parameters": self.setup.parameters,
            "seed": self.setup.seed,
            "opening_plies": self.setup.opening_plies,
            "store": None if self.path is None else str(self.path),
            "games": len(self.records),
            "planned_games": self.planned_games,
            "distinct_games": self.distinct_games(),
            "forfeits": len(self.forfeits()),
            "agents": self.setup.agents,
            "budgets": self.budgets,
            "points": points.tolist(),
            "games_between": games.tolist(),
            "ratings": ratings.to_records(),
            "first_player_share": _estimate(share),
            "first_move_elo": _estimate(ratings.first_move_elo),
            "lengths": vars(self.lengths()) if len(self.forfeits()) < len(self.records) else None,
            "endings": self.endings(),
            "versions": self.versions,
        }

    def _check_games(self) -> None:
        if not self.records:
            raise StoreError(f"{self._name()}: no game was played yet")

    def _name(self) -> str:
        return "tournament" if self.path is None else str(self.path)


FRAME_COLUMNS = [
    "game_id", "round", "first", "second", "first_return", "plies", "opening", "ending", "forfeit", "moves", "seconds", "nodes",
]  # fmt: skip


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "confidence": estimate.confidence}


def _row(record: GameRecord) -> dict[str, Any]:
    first, second = record.pairing.seats
    return {
        "game_id": record.pairing.game_id,
        "round": record.pairing.round,
        "first": first,
        "second": second,
        "first_return": record.returns[0],
        "plies": record.plies,
        "opening": record.opening,
        "ending": record.ending,
        "forfeit": record.forfeit,
        "moves": " ".join(record.moves),
        "seconds": sum(record.seconds),
        "nodes": sum(record.nodes),
    }


def open_result(path: str | Path) -> Result:
    """Read a tournament's store. Raises StoreError, naming the file, if it is missing, damaged or no store."""
    store = Store(path, create=False)
    try:
        return Result.from_store(store)
    finally:
        store.close()
