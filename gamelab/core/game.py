"""What every game has in common, seen from Python: `Game` and `Parameter`.

A game is a subclass of `Game` that says what its compiled rules (see `gamelab.core.rules`) cannot: names, sizes,
parameters, notation, text form and pictures. `State` (in `gamelab.core.state`) is what users hold.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels, rules
from gamelab.core.errors import IllegalActionError, ParameterError, PositionError, UnknownNameError, known_names, quoted
from gamelab.core.rules import CHANCE
from gamelab.core.state import State

__all__ = ["Array", "Game", "Parameter", "check_parameters"]

Array = NDArray[Any]
MOST_SHOWN = 24  # possibilities of a belief
ParameterValue = str | int | float | bool


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game or an option of an agent: its default, what it may be, and what it does.

    Attributes
    ----------
    default : str, int, float, bool or None
        Its type is the parameter's type; None (not given) needs `kind`.
    description : str
        One line for help and for error messages.
    choices : tuple of str
        For a str: the values allowed; empty means any.
    low, high : float
        For a number: the range, both ends included.
    kind : type, optional
        The type, where the default is None.
    """

    default: ParameterValue | None
    description: str
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 2**31 - 1
    kind: type | None = None

    @property
    def type(self) -> type:
        """str, int, float or bool."""
        return self.kind or type(self.default)

    def check(self, name: str, value: object) -> ParameterValue:
        """Return the value, converted from text where it stands for another type.

        Raises
        ------
        ParameterError
            If the value has the wrong type or is out of range; names the parameter and what it takes.
        """
        converted = self._from_text(value) if isinstance(value, str) else value
        if isinstance(converted, np.integer | np.floating | np.bool_):
            converted = converted.item()
        if not self._allows(converted):
            raise ParameterError(f"{name}: {quoted(value)} is not {self.takes()}")
        return float(converted) if self.type is float else converted  # type: ignore[arg-type, return-value]

    def _from_text(self, text: str) -> object:
        if self.type is bool:
            return {"true": True, "false": False}.get(text.lower(), text)
        if self.type in (int, float):
            try:
                return self.type(text)
            except ValueError:
                return text
        return text

    def _allows(self, value: object) -> bool:
        if self.type is bool or isinstance(value, bool):
            return self.type is bool and isinstance(value, bool)
        if self.type in (int, float):
            number = isinstance(value, int) or (self.type is float and isinstance(value, float))
            return number and self.low <= value <= self.high  # type: ignore[operator]
        return isinstance(value, str) and (not self.choices or value in self.choices)

    def takes(self) -> str:
        """What the parameter may be, in words.

        Examples
        --------
        >>> Parameter(200, "draw after so many plies", low=1, high=999).takes()
        'a whole number from 1 to 999'
        """
        if self.type is bool:
            return "true or false"
        if self.type in (int, float):
            return f"a {'whole ' if self.type is int else ''}number from {self.low:.9g} to {self.high:.12g}"
        return f"one of {', '.join(self.choices)}" if self.choices else "a text"


def check_parameters(owner: str, specs: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """All parameters with their values: those given, checked, and the defaults of the others.

    Raises
    ------
    UnknownNameError
        For a name that is not among the specs; lists those that are.
    ParameterError
        For a value that a parameter cannot take.
    """
    for name in given:
        if name not in specs:
            raise UnknownNameError(f"{owner} takes no {quoted(name)}; known: {known_names(specs)}")
    return {
        name: spec.check(f"{owner}, {name}", given[name]) if name in given else spec.default for name, spec in specs.items()
    }


class Game(ABC):
    """A game with its parameters chosen. Made by `gamelab.load`; holds no position, makes `State` objects.

    Class attributes that a game sets
    ---------------------------------
    name, title : str
        The load name and the name for people.
    dtype : numpy.dtype
        Of one state, from `rules.state_dtype`; a field for each parameter that the compiled rules need.
    num_distinct_actions, max_legal_actions : int
        Actions are 0 to num_distinct_actions - 1; at no state are more than max_legal_actions legal.
    parameter_specs : dict of str to Parameter
    chance_mode : {"deterministic", "enumerated", "sampled"}
        Whether there are chance nodes, and whether their outcomes can be listed.
    hidden_information : bool
    player_names : tuple of str
    rules_text : str
        The rules in prose, with their source.
    max_chance_outcomes : int
        Room that `rules.chance_outcomes` needs.
    num_sampled_outcomes : int
        With chance_mode "sampled", outcomes are 0 to num_sampled_outcomes - 1; more than there are actions, as a rule.
    belief_size : int
        Room that `rules.prepare_belief` needs.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    dtype: ClassVar[np.dtype[Any]]
    parameter_specs: ClassVar[dict[str, Parameter]] = {}
    chance_mode: ClassVar[Literal["deterministic", "enumerated", "sampled"]] = "deterministic"
    hidden_information: ClassVar[bool] = False
    rules_text: ClassVar[str]
    num_players: int = 2
    num_distinct_actions: int
    max_legal_actions: int
    max_chance_outcomes: int = 0
    num_sampled_outcomes: int = 0
    belief_size: int = 0
    player_names: tuple[str, ...]

    def __init__(self, /, **parameters: object) -> None:
        self._parameters = check_parameters(self.name, self.parameter_specs, parameters)

    @property
    def parameters(self) -> Mapping[str, ParameterValue]:
        """All parameters with their values, defaults included."""
        return dict(self._parameters)

    def __repr__(self) -> str:
        changed = [
            f", {name}={value!r}" for name, value in self._parameters.items() if value != self.parameter_specs[name].default
        ]
        return f"gamelab.load({self.name!r}{''.join(changed)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game) or (self.name, self._parameters) != (other.name, other._parameters):
            return False
        # A data file that a parameter names may have changed in between; what the rules know of it stands in the records.
        return self is other or self.blank_array().tobytes() == other.blank_array().tobytes()

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._parameters.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._parameters)

    def rules_fingerprint(self) -> str:
        """A hash of all that the compiled rules know of the parameters, and so of the data files that these name.

        It is that of the fields of `blank_array` which are not all zero, by their names: other fields may come and go.
        """
        digest = hashlib.sha256()
        blank = self.blank_array()
        for field in sorted(self.dtype.names or ()):
            content = blank[field].tobytes()
            if any(content):
                digest.update(f"{field} {self.dtype[field].str} {len(content)} ".encode() + content)
        return digest.hexdigest()[:16]

    def blank_array(self) -> Array:
        """A one-element array of `dtype` in which only the parameters are set."""
        states = np.zeros(1, self.dtype)
        self.write_parameters(states[0])
        return states

    def initial_array(self) -> Array:
        """A one-element array of `dtype` that holds the start position."""
        states = self.blank_array()
        kernels.initial(states)
        return states

    def action_buffer(self) -> NDArray[np.int32]:
        """Room for the legal actions of any state, as the compiled rules want it."""
        return np.zeros(self.max_legal_actions, np.int32)

    def new_initial_state(self) -> State:
        """The start position."""
        return State(self, self.initial_array())

    def state_from_text(self, text: str) -> State:
        """The position that the text describes, with an empty history.

        Raises
        ------
        PositionError
            If it is no position of the game; says what is wrong, and where in the text.
        """
        if not isinstance(text, str):
            raise PositionError(f"{self.name}: a position is a text, not {type(text).__name__}")
        states = self.blank_array()
        self.read_text(text, states[0])
        return State(self, states)

    def state_from_actions(self, actions: Iterable[int]) -> State:
        """The position after actions from the start. Raises IllegalActionError for an illegal one."""
        if not isinstance(actions, Iterable):
            raise IllegalActionError(f"{self.name}: actions are a list of whole numbers, not {quoted(actions)}")
        state = self.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    # --- what a game implements; `state` is a record of `dtype` throughout --------------------------------------------

    def write_parameters(self, state: Any) -> None:
        """Write the parameters into their fields of a record."""

    @abstractmethod
    def action_to_string(self, state: Any, action: int) -> str:
        """The action in the game's notation."""

    @abstractmethod
    def string_to_action(self, state: Any, text: str) -> int:
        """The action that the text means; NotationError if it means none. Need not be legal."""

    @abstractmethod
    def write_text(self, state: Any) -> str:
        """The position as text; `read_text` is its exact inverse."""

    @abstractmethod
    def read_text(self, text: str, state: Any) -> None:
        """Set a blank record (parameters set, the rest 0) to the position; PositionError says what is wrong where."""

    @abstractmethod
    def draw_text(self, state: Any) -> str:
        """A board to look at in a terminal."""

    @abstractmethod
    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        """The position as an SVG image, as `player` sees it (None: everything)."""

    @abstractmethod
    def describe_end(self, state: Any) -> str:
        """How the game ended, in a few words, such as "draw by passes". Figures, such as scores, follow a semicolon."""

    def scores(self, state: Any) -> tuple[float, ...] | None:
        """What each player scored in a game that is over, the more the better; None where a game knows only who won.

        Who scores more has no smaller return, and who scores the same the same one.
        """
        return None

    def write_information(self, state: Any, player: int) -> str:
        """What `player` knows, as text; without hidden information that is the position."""
        return self.write_text(state)

    def belief(self, state: Any, player: int) -> dict[Any, float]:
        """What is hidden from `player`, each possibility with its probability; ParameterError if the game cannot say."""
        raise ParameterError(f"{self.name} tells no beliefs" if self.hidden_information else f"{self.name} hides nothing")

    def describe_belief(self, state: Any, player: int) -> str:
        """The belief in lines for a person, the most likely first."""
        belief = sorted(self.belief(state, player).items(), key=lambda item: -item[1])
        lines = [f"{100 * probability:6.2f} %  {_in_words(hidden)}" for hidden, probability in belief[:MOST_SHOWN]]
        return "\n".join(lines + [f"and {len(belief) - MOST_SHOWN} more"] * (len(belief) > MOST_SHOWN))

    def action_as_seen(self, state: Any, action: int, viewer: int) -> str:
        """What `viewer` sees of an action about to be played; by default nothing of chance's where something is hidden."""
        if self.hidden_information and rules.current_player(state) == CHANCE:
            return "something that is hidden"
        return self.action_to_string(state, action)

    def explain_actions(self, state: Any, actions: list[int]) -> str:
        """The legal actions in words for a person who is to choose one."""
        return " ".join(self.action_to_string(state, action) for action in actions)


def _in_words(hidden: object) -> str:
    return " ".join(map(str, hidden)) if isinstance(hidden, tuple) else str(hidden)


def _rebuild(kind: type[Game], parameters: dict[str, Any]) -> Game:
    return kind(**parameters)
