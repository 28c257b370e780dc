"""The functions that are a game: what a game implements and what every search calls.

A state is one element of a NumPy structured array. The functions below are called with that record, jitted or not, and
numba picks the game's implementation by the record's type when it compiles the caller: a search is written once, compiled
per game, and calls the rules directly.

    @implements(rules.legal_actions, DTYPE)          # in the game
    def legal_actions(state, out): ...

    n = rules.legal_actions(states[i], buffer)       # in a search

Records are read and written as `state["field"]`, which works jitted and in plain Python alike. Implementations are plain
functions (no decorator of numba's). They may call jitted helpers, never raise, and make no arrays: the caller brings the room
for results, and searches are compiled without the means to free any (`gamelab.core._jit.njit_lean`). Callers pass only what
the contract allows, and `gamelab.testing.check_game` tests that a game keeps it.

Values are from the point of view of each player in turn: an array `out` of shape (num_players,), float64. With two or
more players returns are zero-sum in [-1, 1]; alone, the score itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from gamelab.core._jit import fingerprint
from gamelab.core.players import CHANCE, NO_ACTION, TERMINAL
from gamelab.core.records import copy_to

__all__ = [
    "CHANCE",
    "NO_ACTION",
    "TERMINAL",
    "action_prior",
    "apply_action",
    "apply_random",
    "chance_outcomes",
    "current_player",
    "evaluate",
    "evaluate_actions",
    "implements",
    "information_key",
    "initial",
    "is_quiet",
    "legal_actions",
    "prepare_belief",
    "random_action",
    "relevant_actions",
    "resample",
    "resample_given",
    "returns",
    "sample_chance",
    "state_dtype",
    "state_key",
    "symmetric_key",
]

_implementations: dict[str, dict[np.dtype[Any], Callable[..., Any]]] = {}
_record_types: dict[str, set[Any]] = {}


def state_dtype(fields: list[tuple[tuple[str, str], Any] | tuple[tuple[str, str], Any, Any]], source: str) -> np.dtype[Any]:
    """The dtype of a game's states: aligned, every field titled, distinct from every other game's.

    numba tells record types apart by their fields and titles, and its cache knows a kernel by the types of its arguments.
    So the first title carries a hash of the game's source: two games never share compiled code, and a game outside this
    package that is edited is compiled anew.

    Parameters
    ----------
    fields : list of ((title, name), format) or ((title, name), format, shape)
        The title says what the field means and its unit.
    source : str
        The game's own ``__file__``; if it lies in a package, every Python file beside it counts too.

    Raises
    ------
    ValueError
        If a field has no title.
    """
    for field in fields:
        if not (isinstance(field[0], tuple) and len(field[0]) == 2 and field[0][0]):
            raise ValueError(f"field {field[0]!r} has no title: write ((title, name), format)")
    path = Path(source)
    files = sorted(path.parent.glob("*.py")) if (path.parent / "__init__.py").exists() else [path]
    (title, name), *rest = fields[0]
    stamped: list[Any] = [((f"{title} [{path.parent.name}/{path.name} {fingerprint(*files)}]", name), *rest), *fields[1:]]
    return np.dtype(stamped, align=True)


def generic(default: Callable[..., Any] | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a documented stub dispatch on the dtype of its first argument; `default` serves games that implement nothing."""

    def decorate(stub: Callable[..., Any]) -> Callable[..., Any]:
        name = stub.__name__
        table = _implementations[name] = {}
        types = _record_types[name] = set()

        @functools.wraps(stub)
        def dispatch(state: Any, *args: Any) -> Any:
            implementation = table.get(state.dtype, default)
            if implementation is None:
                raise TypeError(f"no game implements {name} for states of dtype {state.dtype}")
            return implementation(state, *args)

        if default is not None:

            @overload(dispatch, strict=False)
            def choose_default(state, *args):  # type: ignore[no-untyped-def]
                return None if state in types else default

        return dispatch

    return decorate


def _place(implementation: Any) -> str:
    """Where a function is defined."""
    return f"{implementation.__code__.co_filename}, line {implementation.__code__.co_firstlineno}"


def implements(function: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Bind a game's implementation to one of the generic functions of this module.

    Parameters
    ----------
    function : callable
        One of the generic functions, say `legal_actions`.
    dtype : numpy.dtype
        The structured dtype of the game's states, from `state_dtype`.

    Raises
    ------
    ValueError
        On decorating, if the dtype has another implementation already: compiled code would go on calling the first, plain
        Python the second. The same source may be run again, as on a reload.
    """
    name = function.__name__
    record = from_dtype(dtype)

    def bind(implementation: Callable[..., Any]) -> Callable[..., Any]:
        before = _implementations[name].setdefault(dtype, implementation)
        if _place(before) != _place(implementation):
            raise ValueError(f"{name} is implemented twice for one dtype: {_place(before)} and {_place(implementation)}")
        _record_types[name].add(record)

        # Inlined by force: a call each way costs a tenth of a random game.
        @overload(function, strict=False, jit_options={"forceinline": True})
        def choose(state, *args):  # type: ignore[no-untyped-def]
            return implementation if state == record else None

        return implementation

    return bind


# --- what every game implements ---------------------------------------------------------------------------------------


@generic()
def initial(state: Any) -> None:
    """Set the start position. Fields that hold a game parameter are read and stay; all others are written."""


@generic()
def current_player(state: Any) -> int:
    """The player to act, 0 to num_players - 1, or `CHANCE`, or `TERMINAL`."""
    raise AssertionError


@generic()
def legal_actions(state: Any, out: Any) -> int:
    """Write the legal actions of the player to act into `out`, ascending, and return how many.

    `out` is int32 with room for the game's `max_legal_actions`. There is always at least one before the end, and none
    at the end. Not called at chance nodes.
    """
    raise AssertionError


@generic()
def apply_action(state: Any, action: int) -> None:
    """Play a legal action, or a chance outcome at a chance node. The state is changed in place."""


@generic()
def returns(state: Any, out: Any) -> None:
    """Write the final returns into `out`, one a player. Zeros before the end."""


@generic()
def evaluate(state: Any, out: Any) -> None:
    """Write a quick guess at the returns into `out`, on the same scale, strictly inside (-1, 1). Not called at the end."""


@generic()
def state_key(state: Any) -> np.uint64:
    """A 64-bit hash of all that matters for the rest of the game: equal states, equal keys; different ones, hardly ever."""
    raise AssertionError


# --- chance: games without it need nothing ----------------------------------------------------------------------------


def _no_chance_outcomes(state, actions, probabilities):  # type: ignore[no-untyped-def]
    return 0


def _no_chance(state, rng):  # type: ignore[no-untyped-def]
    return NO_ACTION


@generic(default=_no_chance_outcomes)
def chance_outcomes(state: Any, actions: Any, probabilities: Any) -> int:
    """At a chance node write the outcomes (int32, ascending) and their probabilities (float64, sum 1); return how many."""
    raise AssertionError


@generic(default=_no_chance)
def sample_chance(state: Any, rng: np.random.Generator) -> int:
    """Draw an outcome at a chance node with its true probability. The state is not changed."""
    raise AssertionError


# --- hidden information: games without it need nothing ----------------------------------------------------------------


def _key_of_the_state(state, player):  # type: ignore[no-untyped-def]
    return state_key(state)


def _nothing_to_resample(state, player, rng):  # type: ignore[no-untyped-def]
    pass


@generic(default=_key_of_the_state)
def information_key(state: Any, player: int) -> np.uint64:
    """A 64-bit hash of what `player` knows: the key of their information set."""
    raise AssertionError


@generic(default=_nothing_to_resample)
def resample(state: Any, player: int, rng: np.random.Generator) -> None:
    """Fill in what `player` cannot know, consistent with all that they can, exactly distributed. In place.

    What is drawn depends on the information set of `player` and on `rng` alone, never on what it replaces.
    """


# A search draws thousands of states from one information set: what they share is worked out once.


def _no_belief(state, player, belief):  # type: ignore[no-untyped-def]
    pass


def _resample_without_belief(state, player, belief, rng):  # type: ignore[no-untyped-def]
    resample(state, player, rng)


@generic(default=_no_belief)
def prepare_belief(state: Any, player: int, belief: Any) -> None:
    """Write into `belief` what `resample_given` needs to know of all that `player` knows.

    `belief` is float64 with room for the game's `belief_size`. All of it that is used later is written.
    """


@generic(default=_resample_without_belief)
def resample_given(state: Any, player: int, belief: Any, rng: np.random.Generator) -> None:
    """As `resample`, and with the same `rng` the same state, given what `prepare_belief` wrote for this state and player."""


# --- hooks that speed up or guide a search; the defaults are right for every game -------------------------------------


def _pick_from_list(state, buffer, u):  # type: ignore[no-untyped-def]
    n = legal_actions(state, buffer)
    return buffer[int(u * n)]


def _no_prior(state, action):  # type: ignore[no-untyped-def]
    return 0.0


def _always_quiet(state):  # type: ignore[no-untyped-def]
    return True


def _evaluate_each(state, actions, count, after, values, out):  # type: ignore[no-untyped-def]
    player = current_player(state)
    for i in range(count):
        copy_to(after, state)
        apply_action(after, actions[i])
        if current_player(after) == TERMINAL:
            returns(after, values)
        else:
            evaluate(after, values)
        out[i] = values[player]


@generic(default=_pick_from_list)
def random_action(state: Any, buffer: Any, u: float) -> int:
    """The legal action at the fraction `u` of their list: all equally likely if u is uniform in [0, 1).

    A game can count its actions where listing them is slow. `buffer` is scratch of the size of `legal_actions`' `out`.
    """
    raise AssertionError


def _apply_what_is_picked(state, buffer, u):  # type: ignore[no-untyped-def]
    apply_action(state, random_action(state, buffer, u))


@generic(default=_apply_what_is_picked)
def apply_random(state: Any, buffer: Any, u: float) -> None:
    """Play what `random_action` picks. A game can skip the way from board to action and back."""


@generic(default=_no_prior)
def action_prior(state: Any, action: int) -> float:
    """How promising a legal action looks before any search, any scale: for move ordering and progressive bias."""
    raise AssertionError


@generic(default=_evaluate_each)
def evaluate_actions(state: Any, actions: Any, count: int, after: Any, values: Any, out: Any) -> None:
    """Write into `out` what the state after each of the first `count` of the legal `actions` is worth to the player to act.

    That is the player's return where the game is over then, and else what `evaluate` says, but for rounding. A game can judge
    what an action changes, instead of the whole state after each. `after`, a state, and `values`, of shape (num_players,), are
    scratch.
    """


@generic(default=_always_quiet)
def is_quiet(state: Any) -> bool:
    """Whether `evaluate` can be trusted here, with no forcing action pending."""
    raise AssertionError


def _all_legal(state, out):  # type: ignore[no-untyped-def]
    return legal_actions(state, out)


def _no_symmetry(state):  # type: ignore[no-untyped-def]
    return state_key(state)


@generic(default=_all_legal)
def relevant_actions(state: Any, out: Any) -> int:
    """As `legal_actions`, but a game may leave out actions that are surely no better than one that it writes.

    For a search that only wants the value: a win at once makes all else irrelevant, and so does a threat that must be met.
    """
    raise AssertionError


@generic(default=_no_symmetry)
def symmetric_key(state: Any) -> np.uint64:
    """As `state_key`, but states that are mirror images may have the same key: equal keys, equal values."""
    raise AssertionError
