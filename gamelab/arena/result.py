"""What follows from a tournament's games: tables, ratings, the first player's advantage.

`Played` holds what any number of seats has in common, `Result` is for two; `gamelab.arena.multiplayer` is for more, and
`gamelab.arena.solo` for one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.match import GameRecord
from gamelab.arena.pairs import PairStatistics, first_player_share, first_player_share_unpaired, pair_statistics
from gamelab.arena.ratings import Ratings, fit_ratings
from gamelab.arena.setup import Setup
from gamelab.arena.statistics import Estimate
from gamelab.arena.store import Store
from gamelab.core.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from gamelab.arena.multiplayer import MultiplayerResult
    from gamelab.arena.solo import SoloResult

__all__ = ["AnyResult", "LengthSummary", "Played", "Result", "open_result", "result_from"]

AnyResult: TypeAlias = "Result | MultiplayerResult | SoloResult"


@dataclass(frozen=True)
class LengthSummary:
    """Game lengths in plies."""

    mean: float
    median: float
    shortest: int
    longest: int


@dataclass(frozen=True)
class Played:
    """A tournament's games, and what follows from them whatever the number of seats.

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
    seats : int
        Of each game.
    """

    figures: ClassVar[tuple[str, ...]] = ("ratings", "crosstable", "lengths")
    """The kinds of figure that can be drawn of them."""
    setup: Setup
    records: list[GameRecord]
    planned_games: int
    path: Path | None = None
    budgets: dict[str, str] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)
    seats: int = 2

    @classmethod
    def from_store(cls, store: Store) -> Self:
        """Read all that a store holds. Raises StoreError if it is damaged."""
        setup, planned, records = store.setup(), store.planned_games(), store.records()
        for record in records:
            number, players = record.pairing.game_id, record.pairing.seats
            if not 0 <= number < planned or not set(players) <= set(setup.agents):
                where = store.path or "store in memory"
                raise StoreError(f"{where}: damaged store: game {number} of {' and '.join(players)} is none of the tournament")
        return cls(setup, records, planned, store.path, store.budgets(), store.versions(), store.seats)

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
        """How the games ended, most frequent first. Figures such as scores are left out, for nearly every game has its own."""
        whys = (record.ending if record.forfeit is not None else record.ending.partition(";")[0] for record in self.records)
        return dict(Counter(whys).most_common())

    def forfeits(self) -> list[GameRecord]:
        """The games that an agent forfeited."""
        return [record for record in self.records if record.forfeit is not None]

    def to_frame(self) -> pd.DataFrame:
        """One row a game: who played and what they got, plies, opening, ending, moves, seconds and nodes of all moves."""
        import pandas as pd

        return pd.DataFrame([self._row(record) for record in self.records], columns=[*FRAME_BEGINS, *self._who(), *FRAME_ENDS])

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

    def report(self, **found: Any) -> dict[str, Any]:
        """What a report says of any tournament, and between it what was found; fit for JSON."""
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
            **found,
            "lengths": vars(self.lengths()) if len(self.forfeits()) < len(self.records) else None,
            "endings": self.endings(),
            "versions": self.versions,
        }

    def seated(self) -> NDArray[np.int64]:
        """The agent on each seat of each game, by its place in the set-up; shape (games, seats)."""
        number = {spec: i for i, spec in enumerate(self.setup.agents)}
        seats = [number[spec] for record in self.records for spec in record.pairing.seats]
        return np.array(seats, np.int64).reshape(-1, self.seats)

    def blocks(self) -> NDArray[np.int64]:
        """The block of each game, numbered from 0 in the order in which they began."""
        number: dict[tuple[int, tuple[str, ...]], int] = {}
        return np.array([number.setdefault(record.pairing.block, len(number)) for record in self.records], np.int64)

    def _who(self) -> list[str]:
        """The columns of a frame that say who played and what they got."""
        numbers = range(1, self.seats + 1)
        return [*(f"seat_{seat}" for seat in numbers), *(f"return_{seat}" for seat in numbers)]

    def _row(self, record: GameRecord) -> dict[str, Any]:
        pairing = record.pairing
        return {
            "game_id": pairing.game_id,
            "round": pairing.round,
            **dict(zip(self._who(), (*pairing.seats, *record.returns), strict=False)),
            "plies": record.plies,
            "opening": record.opening,
            "ending": record.ending,
            "forfeit": record.forfeit,
            "moves": " ".join(record.moves),
            "seconds": sum(record.seconds),
            "nodes": sum(record.nodes),
        }

    def _check_games(self) -> None:
        if not self.records:
            raise StoreError(f"{self._name()}: no game was played yet")

    def _name(self) -> str:
        return "tournament" if self.path is None else str(self.path)


FRAME_BEGINS = ("game_id", "round")
FRAME_ENDS = ("plies", "opening", "ending", "forfeit", "moves", "seconds", "nodes")


@dataclass(frozen=True)
class Result(Played):
    """A tournament of games for two, and what follows from it."""

    def _who(self) -> list[str]:
        return ["first", "second", "first_return"]

    def _players(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        seated = self.seated()
        return seated[:, 0], seated[:, 1]

    def _first_scores(self) -> NDArray[np.float64]:
        """Points of the first player: 1, 1/2 or 0 for each game."""
        return np.array([(record.returns[0] + 1) / 2 for record in self.records])

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
        self._check_games()
        first, second = self._players()
        outcome = np.sign(self._first_scores() - 0.5).astype(np.int64)
        return fit_ratings(
            first, second, outcome, self.setup.agents,
            pairs=self.blocks(), confidence=confidence, bootstrap=bootstrap, seed=seed,
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
