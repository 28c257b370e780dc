"""A tournament's games, and what follows from them whatever the number of seats."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.blocks import mean_over_blocks
from gamelab.arena.match import GameRecord
from gamelab.arena.setup import Setup
from gamelab.arena.statistics import Estimate
from gamelab.arena.store import Store
from gamelab.core.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["LengthSummary", "Played"]

FRAME_BEGINS = ("game_id", "round")
FRAME_ENDS = ("plies", "opening", "ending", "starter", "forfeit", "moves", "seconds", "nodes")


@dataclass(frozen=True)
class LengthSummary:
    """Lengths in plies of the games that were finished, and how many these are."""

    games: int
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

    setup: Setup
    records: list[GameRecord]
    planned_games: int
    path: Path | None = None
    budgets: dict[str, str] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)
    seats: int = 2

    @property
    def figures(self) -> tuple[str, ...]:
        """The kinds of figure that can be drawn of them."""
        return ("ratings", "crosstable", "lengths", *(("scores",) if self.scored() else ()))

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
        return LengthSummary(len(plies), float(np.mean(plies)), float(np.median(plies)), min(plies), max(plies))

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
        """One row a game: who played, what they got and scored, plies, opening, ending, moves, seconds and nodes of all moves.

        Scores are columns only where every finished game has them; a forfeited game has none. Who acted first and who forfeited
        are seats from 0.
        """
        import pandas as pd

        columns = [*FRAME_BEGINS, *self._who(), *(self._score_columns() if self.scored() else ()), *FRAME_ENDS]
        return pd.DataFrame([self._row(record) for record in self.records], columns=columns)

    def scored(self) -> bool:
        """Whether every game that was finished, and there is one, has scores: what players got in the game's own terms."""
        return 0 < int(self._finished().sum()) == self.games_with_scores()

    def games_with_scores(self) -> int:
        """How many of those that were finished have scores: not all, where some were kept by a version that had none."""
        return sum(record.forfeit is None and self._scores_of(record) is not None for record in self.records)

    def seat_scores(self) -> NDArray[np.float64]:
        """What each seat scored in each game, the more the better; shape (games, seats).

        NaN where there is no score, and everywhere if not all finished games have scores. Who forfeits has the lowest score of
        all finished games: whatever the scale, it should not pay. What the others would have scored nobody knows.
        """
        scores = np.full((len(self.records), self.seats), math.nan)
        if self.scored():
            scores[self._finished()] = [self._scores_of(record) for record in self.records if record.forfeit is None]
            lowest = np.nanmin(scores)
            for game, record in enumerate(self.records):
                if record.forfeit is not None:
                    scores[game, record.forfeit] = lowest
        return scores

    def mean_scores(self, confidence: float = 0.95) -> dict[str, Estimate]:
        """The mean score of each agent, best first, in an interval of which a block is one observation.

        Those that have no score yet are left out, and so are all unless every finished game has scores. A forfeit counts as the
        lowest score, see `seat_scores`.
        """
        self.check_games()
        scores, seated = self.seat_scores(), self.seated()
        means = {spec: self._mean_score(scores, seated == i, confidence) for i, spec in enumerate(self.setup.agents)}
        known = {spec: mean for spec, mean in means.items() if mean is not None}
        return dict(sorted(known.items(), key=lambda item: -item[1].value))

    def mean_scores_by_seat(self, confidence: float = 0.95) -> list[Estimate]:
        """The mean score of who acted first, second and so on, whoever it was, in the games that were finished.

        An empty list unless all of them have scores.
        """
        self.check_games()
        scores = np.take_along_axis(self.seat_scores(), self.places(), axis=1)
        scores[~self._finished()] = math.nan
        seats = np.tile(np.arange(self.seats), (len(self.records), 1))
        means = [self._mean_score(scores, seats == seat, confidence) for seat in range(self.seats)]
        return [mean for mean in means if mean is not None]

    def _mean_score(self, scores: NDArray[np.float64], where: NDArray[np.bool_], confidence: float) -> Estimate | None:
        """Of some seats of games, given as an array of shape (games, seats); None if there is no score among them."""
        known = where & ~np.isnan(scores)
        if not known.any():
            return None
        return mean_over_blocks(scores[known], np.broadcast_to(self.blocks()[:, None], known.shape)[known], confidence)

    def plot(self, kind: str = "ratings") -> Figure:
        """A figure: "ratings", "crosstable", "lengths" or "scores"; see `gamelab.plots.draw`, also for errors."""
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

    def scores_to_dict(self, confidence: float = 0.95) -> dict[str, Any] | None:
        """Mean scores by agent and, as "by_seat", in the order of play, fit for JSON; None where there are none."""
        if not self.scored():
            return None
        return {
            "by_agent": {spec: mean.to_dict() for spec, mean in self.mean_scores(confidence).items()},
            "by_seat": [mean.to_dict() for mean in self.mean_scores_by_seat(confidence)],
        }

    def seated(self) -> NDArray[np.int64]:
        """The agent on each seat of each game, by its place in the set-up; shape (games, seats)."""
        number = {spec: i for i, spec in enumerate(self.setup.agents)}
        seats = [number[spec] for record in self.records for spec in record.pairing.seats]
        return np.array(seats, np.int64).reshape(-1, self.seats)

    def places(self) -> NDArray[np.int64]:
        """Of each game the seat that acted first, the one after it, and so on round the table; shape (games, seats).

        In most games the first seat begins; in some the cards say who does. Of games that were kept without it, it is the
        first of those that an agent was asked on, or the first seat where the game began with a random opening.
        """
        starters = np.array([_starter(record) for record in self.records], np.int64)
        return (starters[:, None] + np.arange(self.seats)) % self.seats

    def blocks(self) -> NDArray[np.int64]:
        """The block of each game, numbered from 0 in the order in which they began."""
        number: dict[tuple[int, tuple[str, ...]], int] = {}
        return np.array([number.setdefault(record.pairing.block, len(number)) for record in self.records], np.int64)

    def _who(self) -> list[str]:
        """The columns of a frame that say who played and what they got."""
        numbers = range(1, self.seats + 1)
        return [*(f"seat_{seat}" for seat in numbers), *(f"return_{seat}" for seat in numbers)]

    def _score_columns(self) -> list[str]:
        return [f"score_{seat}" for seat in range(1, self.seats + 1)]

    def _scores_of(self, record: GameRecord) -> tuple[float, ...] | None:
        """What the seats scored in a game that was finished."""
        return record.scores

    def _row(self, record: GameRecord) -> dict[str, Any]:
        pairing = record.pairing
        return {
            "game_id": pairing.game_id,
            "round": pairing.round,
            **dict(zip(self._who(), (*pairing.seats, *record.returns), strict=False)),
            **dict(zip(self._score_columns(), self._scores_of(record) or (), strict=False)),
            "plies": record.plies,
            "opening": record.opening,
            "ending": record.ending,
            "starter": _starter(record),
            "forfeit": record.forfeit,
            "moves": " ".join(record.moves),
            "seconds": sum(record.seconds),
            "nodes": sum(record.nodes),
        }

    def _finished(self) -> NDArray[np.bool_]:
        """Which games nobody forfeited; shape (games,)."""
        return np.array([record.forfeit is None for record in self.records], np.bool_)

    def check_games(self) -> None:
        """Raise StoreError if no game was played yet."""
        if not self.records:
            raise StoreError(f"{self._name()}: no game was played yet")

    def _name(self) -> str:
        return "tournament" if self.path is None else str(self.path)


def _starter(record: GameRecord) -> int:
    """The seat that acted first, as far as it is known."""
    if record.starter is not None:
        return record.starter
    return record.movers[0] if record.movers and not record.opening else 0
