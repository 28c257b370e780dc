"""The perfect information Monte Carlo agent."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.agents.alphabeta import AlphaBeta
from gamelab.agents.base import MEBIBYTE, TABLE_MEMORY, TIME, WIDTH, Agent, Analysis, Rng, check_decision
from gamelab.agents.mcts import MCTS
from gamelab.core import kernels
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Array, Game, Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.expectimax import MAX_DEPTH, Expectimax
from gamelab.search.forward_pruning import actions_within
from gamelab.search.maxn import MaxN
from gamelab.search.mcts import Options, Tree

__all__ = ["PIMC"]

DEFAULT_WORLDS = 20
MOST_WORLDS = 1_000_000


class PIMC(Agent):
    """Perfect information Monte Carlo: worlds are sampled, each is searched as if everybody saw everything, values averaged.

    Also called determinization. It is strong where secrets come out soon; but in each world it counts on choosing what is best
    there, though it will not know in which world it is (strategy fusion), and so overrates what needs knowledge it has not.
    See M. Ginsberg, "GIB: imperfect information in a computationally challenging game" (2001); I. Frank, D. Basin, "Search in
    games with incomplete information: a case study using bridge card play" (1998); J. Long, N. Sturtevant, M. Buro, T. Furtak,
    "Understanding the success of perfect information Monte Carlo sampling in game tree search" (2010).
    """

    name = "pimc"
    options = {  # noqa: RUF012
        "worlds": Parameter(
            None, f"worlds a move (default {DEFAULT_WORLDS} if no time is given)", low=1, high=MOST_WORLDS, kind=int
        ),
        "time": Parameter(None, "seconds a move; one world is always finished", low=TIME.low, high=TIME.high, kind=float),
        "search": Parameter(
            "alphabeta",
            "what searches a world: alphabeta values each action to a depth, with chance as expectiminimax with Star2; mcts by "
            "simulations",
            choices=("alphabeta", "mcts"),
        ),
        "depth": Parameter(3, "with alphabeta: players' actions at most, in each world", low=1, high=MAX_DEPTH),
        "width": WIDTH,
        "opponents": AlphaBeta.options["opponents"],
        "sims": Parameter(200, "with mcts: simulations in each world, at least one for each action", low=1),
        "c": MCTS.options["c"],
        "cutoff": MCTS.options["cutoff"],
        "memory": TABLE_MEMORY,
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not (self.settings["worlds"] or self.settings["time"]):
            self.settings["worlds"] = DEFAULT_WORLDS
        idle = [name for name in ("width", "opponents") if name in options and self.settings["search"] == "mcts"]
        if idle:
            raise ParameterError(f"pimc, {idle[0]}: goes with search=alphabeta alone")
        self._searcher: _AlphaBetaInside | _MCTSInside | None = None

    @property
    def budget(self) -> str:
        return "time" if self.settings["time"] else "worlds"

    def new_game(self) -> None:
        if self._searcher is not None:
            self._searcher.forget()

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        legal = state.legal_actions()
        if len(legal) == 1:
            self.last_nodes = 0
            return legal[0]
        actions, values = self._search(state, legal, np.random.default_rng(rng))
        return actions[int(np.argmax(values.mean(axis=0)))]

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """As `Agent.analyse`; `details` tell the worlds, and of two or more the standard error of each score as `spread`."""
        check_decision(state)
        started = time.perf_counter()
        actions, values = self._search(state, state.legal_actions(), np.random.default_rng(rng))
        means = values.mean(axis=0)
        best = int(np.argmax(means))
        details: dict[str, Any] = {"worlds": len(values)}
        if len(values) > 1:
            errors = values.std(axis=0, ddof=1) / math.sqrt(len(values))
            details["spread"] = dict(zip(actions, errors.tolist(), strict=True))
        return Analysis(
            actions[best],
            value=float(means[best]),
            nodes=self.last_nodes,
            seconds=time.perf_counter() - started,
            principal_variation=[actions[best]],
            scores=dict(zip(actions, means.tolist(), strict=True)),
            details=details,
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        world = _Worlds(state).draw(rng)
        self._searcher_for(state).try_out(world, state.legal_actions(), rng)

    def _search(self, state: State, legal: list[int], rng: np.random.Generator) -> tuple[list[int], NDArray[np.float64]]:
        """The actions looked at, and the value of each for the player to act, in each world: shape (worlds, actions)."""
        searcher, worlds = self._searcher_for(state), _Worlds(state)
        most = self.settings["worlds"] or MOST_WORLDS
        values: list[NDArray[np.float64]] = []
        self.last_nodes = 0
        world = worlds.draw(rng)
        # All worlds need the same actions. The state handed over may be the true one, so its priors must not choose them.
        actions = searcher.candidates(world, legal)
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            while len(values) < most and not (values and stop[0]):
                found, nodes = searcher.values(worlds.draw(rng) if values else world, actions, rng)
                values.append(found)
                self.last_nodes += nodes
        self._stop_flag = None
        return actions, np.array(values)

    def _searcher_for(self, state: State) -> _AlphaBetaInside | _MCTSInside:
        if self._searcher is None or self._searcher.game != state.game:
            inside = _AlphaBetaInside if self.settings["search"] == "alphabeta" else _MCTSInside
            try:
                self._searcher = inside(state.game, self.settings)
            except (AgentError, ParameterError) as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._searcher


class _Worlds:
    """States that the player to act cannot tell from one; what their belief needs is worked out once."""

    def __init__(self, state: State) -> None:
        self._array, self._player = state.array, state.current_player()
        self._belief = np.zeros(state.game.belief_size)
        kernels.prepare_belief(self._array, self._player, self._belief)

    def draw(self, rng: np.random.Generator) -> Array:
        world = self._array.copy()
        kernels.resample_given(world, self._player, self._belief, rng)
        return world


class _AlphaBetaInside:
    """Values actions of an open state to a fixed depth."""

    def __init__(self, game: Game, settings: dict[str, Any]) -> None:
        self.game, self._depth, self._width = game, settings["depth"], settings["width"]
        maxn = settings["opponents"] == "maxn" and game.num_players > 2
        memory = settings["memory"] * MEBIBYTE
        self._search = MaxN(game, memory, width=self._width) if maxn else Expectimax(game, memory, width=self._width)
        self.forget = self._search.forget

    def candidates(self, world: Array, legal: list[int]) -> list[int]:
        """Those of the actions that are looked at."""
        return actions_within(self.game, world, self._width) if self._width is not None else legal

    def values(self, world: Array, actions: list[int], rng: np.random.Generator) -> tuple[NDArray[np.float64], int]:
        """The value of each action for the player to act, and the states looked at."""
        return self._to_depth(self._depth, world, actions, rng)

    def try_out(self, world: Array, legal: list[int], rng: np.random.Generator) -> None:
        self._to_depth(1, world, self.candidates(world, legal), rng)

    def _to_depth(
        self, depth: int, world: Array, actions: list[int], rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], int]:
        player = int(kernels.current_player(world))
        values, nodes = np.zeros(len(actions)), 0
        for i, action in enumerate(actions):
            child = world.copy()
            kernels.apply_action(child, action)
            values[i] = self._value(child, player, depth - 1, rng)
            nodes += int(self._search.workspace.control["nodes"][0])
        return values, nodes

    def _value(self, state: Array, player: int, depth: int, rng: np.random.Generator) -> float:
        if isinstance(self._search, MaxN):
            return self._search.values(state, depth, rng)[player]
        return self._search.value(state, player, depth, rng)


class _MCTSInside:
    """Values actions of an open state by simulations."""

    def __init__(self, game: Game, settings: dict[str, Any]) -> None:
        self.game, self._simulations = game, settings["sims"]
        # What is proven ends a search before all actions have their values.
        options = Options(exploration=settings["c"], cutoff=settings["cutoff"], solver=False)
        most_nodes = max(self._simulations, game.max_legal_actions) * game.max_legal_actions + 1
        self._tree = Tree(game, min(settings["memory"] * MEBIBYTE // options.bytes_per_node, most_nodes), options)
        self._never = np.zeros(1, np.uint8)

    def forget(self) -> None:
        """Nothing is kept from world to world."""

    def candidates(self, world: Array, legal: list[int]) -> list[int]:
        """All of the actions."""
        return legal

    def values(self, world: Array, actions: list[int], rng: np.random.Generator) -> tuple[NDArray[np.float64], int]:
        """The value of each action for the player to act, and the simulations."""
        return self._simulate(max(self._simulations, len(actions)), world, actions, rng)

    def try_out(self, world: Array, legal: list[int], rng: np.random.Generator) -> None:
        self._simulate(2, world, legal, rng)

    def _simulate(
        self, simulations: int, world: Array, legal: list[int], rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], int]:
        self._tree.set_root(world)
        done = self._tree.run(simulations, rng, self._never)
        found = self._tree.statistics()
        values = dict(zip(found.actions.tolist(), found.values().tolist(), strict=True))
        return np.array([values[action] for action in legal]), done
