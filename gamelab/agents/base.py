"""What every agent has in common: `Agent`, and `Analysis`, what it thinks of a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gamelab.core.errors import AgentError
from gamelab.core.game import Game, Parameter, check_parameters
from gamelab.core.state import State

__all__ = ["CHEAT", "Agent", "Analysis", "Rng", "view_for"]

Rng = np.random.Generator | int

CHEAT = "cheat:"  # before the spec of an agent that sees what is hidden from its player

# Options that searching agents share.
MEBIBYTE = 1 << 20
TIME = Parameter(None, "seconds a move", low=0.001, high=86400, kind=float)
TABLE_MEMORY = Parameter(32, "MiB for the transposition table at most", low=1, high=1 << 20)
STATES = Parameter(None, "states a move; the search to depth 1 is always finished", low=1, kind=int)
WIDTH = Parameter(
    None,
    "actions at most that are searched at each state, those that look most promising by the game's action_prior (default all)",
    low=1,
    kind=int,
)


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    Attributes
    ----------
    action : int
        What it would play.
    value : float
        The expected result for the player to act, in [-1, 1] with two or more players.
    nodes : int
        States (alpha-beta) or simulations (MCTS) looked at.
    seconds : float
    principal_variation : list of int
        The line it expects, its own action first.
    visits : dict of int to int
        MCTS: simulations for each action.
    scores : dict of int to float
        Value of each action for the player to act.
    end_in : int or None
        Plies to a certain end: positive if it is won, negative if lost.
    proven : bool
        Whether the value is certain.
    details : dict
        Figures of the particular search, such as depth or tree size.
    """

    action: int
    value: float
    nodes: int = 0
    seconds: float = 0.0
    principal_variation: list[int] = field(default_factory=list)
    visits: dict[int, int] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    end_in: int | None = None
    proven: bool = False
    details: dict[str, Any] = field(default_factory=dict)


class Agent(ABC):
    """Something that plays. Made by `gamelab.make_agent` from a spec such as ``"mcts:sims=2000"``.

    An agent keeps what it learned between the moves of a game; `new_game` makes it forget. All its randomness comes from the
    generator it is handed.

    Class attributes that an agent sets
    -----------------------------------
    name : str
        As it stands in a spec.
    options : dict of str to Parameter

    Attributes
    ----------
    spec : str
        In its standard form, with the options that were given.
    settings : dict
        All options with their values.
    last_nodes : int
        Nodes of the latest `choose`, as in `Analysis.nodes`.
    cheats : bool
        Whether its spec asks for the true state, see `view_for`; it cannot be had by setting this.
    """

    name: ClassVar[str]
    options: ClassVar[dict[str, Parameter]] = {}

    def __init__(self, /, **options: object) -> None:
        self.settings = check_parameters(self.name, self.options, options)
        given = [f"{key}={_plain(self.settings[key])}" for key in self.options if key in options]
        self.spec = self.name + (":" + ",".join(given) if given else "")
        self.last_nodes = 0
        self.cheats = False
        self._stop_flag: NDArray[np.uint8] | None = None

    @abstractmethod
    def choose(self, state: State, rng: Rng) -> int:
        """The action to play in a state that is neither terminal nor a chance node. The state is unchanged.

        Parameters
        ----------
        state : State
        rng : numpy.random.Generator or int
            The source of all randomness, or a seed for one.

        Raises
        ------
        AgentError
            If there is nothing to choose, or the agent cannot play this kind of game.
        """

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """What the agent thinks of a state, in full; takes longer than `choose` at most by a small factor."""
        return Analysis(self.choose(state, rng), value=0.0)

    def _only_action(self, state: State) -> int | None:
        """The action where there is but one, for which nothing needs to be looked at; else None."""
        legal: list[int] = state.legal_actions()
        if len(legal) > 1:
            return None
        self.last_nodes = 0
        return legal[0]

    def new_game(self) -> None:
        """Forget what was learned in the last game."""

    def stop(self) -> None:
        """Ask a search under way in another thread to come to an end."""
        flag = self._stop_flag
        if flag is not None:
            flag.fill(1)

    def warm_up(self, game: Game) -> None:
        """Compile, or load, all that playing needs, so that no clock measures it. Raises AgentError as `choose` does."""
        state = game.new_initial_state()
        rng = np.random.default_rng(0)
        while state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        self._try_out(state, rng)
        self.new_game()

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        """Run once all that `choose` runs; a search does so without using up its budget."""
        self.choose(state, rng)

    @property
    def budget(self) -> str:
        """The kind of budget that ends its search: "none", "simulations", "nodes", "depth" or "time"."""
        return "none"

    def __repr__(self) -> str:
        return f"gamelab.make_agent({self.spec!r})"

    def __str__(self) -> str:
        return self.spec


def view_for(spec: str, state: State, player: int, rng: np.random.Generator) -> State:
    """What of a state an agent is handed to play for `player`: with hidden information a state resampled for the player,
    never the true one, unless its spec begins with ``cheat:``.

    The agent itself is not asked, for it could say what it likes.
    """
    if spec.startswith(CHEAT) or not state.game.hidden_information:
        return state.clone()
    return state.resample_from_infostate(player, rng)


def check_decision(state: State) -> None:
    """AgentError unless a player is to act."""
    if state.current_player() < 0:
        raise AgentError("nothing to choose: " + ("the game is over" if state.is_terminal() else "chance is to act"))


def check_sight(agent: Agent, game: Game) -> None:
    """AgentError if the agent, whose search takes all it is handed for true, would be handed a guess at what is hidden."""
    if game.hidden_information and not agent.cheats:
        raise AgentError(
            f"{agent.spec}: {agent.name} plays games without hidden information; {game.name} has some: "
            "pimc searches many guesses, and cheat:expectimax or cheat:mcts what is true"
        )


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)
