"""Beam search: the best line of a lone player who knows all that chance will bring.

All states after so many actions of the player are one layer. From each of them every action is played; of the states that this
leads to, each kept once, the `width` best by the game's evaluation are the next layer, the others are dropped. (B. Lowerre,
"The Harpy speech recognition system", 1976.) A line that was dropped might have been the best: what is found is a score that
can be reached, at most the optimum. While nothing is dropped, it is the optimum.

Chance follows a list: its first outcome comes at the first chance node of a line, and so on, whatever the player does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels, rules
from gamelab.core._jit import njit_inline, njit_lean
from gamelab.core.bits import mix
from gamelab.core.errors import GamelabError, IllegalActionError, ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.numbers import is_whole
from gamelab.core.records import on_stack
from gamelab.core.rules import CHANCE, NO_ACTION, TERMINAL

__all__ = ["Line", "beam_search"]

# What `expand` returns when chance cannot follow the list.
TOO_FEW, IMPOSSIBLE = -1, -2

CONTROL = np.dtype(
    [
        (("states in the layer", "count"), np.int64),
        (("states reached so far by actions of the player", "nodes"), np.int64),
        (("best return of an end so far", "best"), np.float64),
        (("row of this layer from which it was reached, or -1 if it is older", "row"), np.int64),
        (("the action that reached it, or NO_ACTION if chance did", "action"), np.int32),
    ],
    align=True,
)


@dataclass(frozen=True)
class Line:
    """What a search found.

    Attributes
    ----------
    value : float
        The return at the end of the line.
    actions : list of int
        From the state searched to the end, outcomes of chance included.
    exact : bool
        Whether no state was dropped, so that no line ends better.
    nodes : int
        States reached by actions of the player.
    """

    value: float
    actions: list[int]
    exact: bool
    nodes: int


class Layer(NamedTuple):
    """A layer, and room for what follows from it."""

    states: NDArray[Any]  # (width,)
    used: NDArray[np.int64]  # (width,) outcomes of the list that are played
    next_states: NDArray[Any]  # (width,)
    next_used: NDArray[np.int64]  # (width,)
    values: NDArray[np.float64]  # (room,) evaluation of each state that follows
    keys: NDArray[np.uint64]  # (room,) the same for the same state
    parents: NDArray[np.int64]  # (room,) its row in the layer
    actions: NDArray[np.int32]  # (room,) the action that leads from there
    legal: NDArray[np.int32]  # (max_legal_actions,)
    listed: NDArray[np.int32]  # (max_chance_outcomes,)
    chances: NDArray[np.float64]  # (max_chance_outcomes,)
    outcomes: NDArray[np.int64]  # (outcomes,) what chance will bring
    value: NDArray[np.float64]  # (1,)
    control: NDArray[Any]  # (1,) of CONTROL


# --- kernels ----------------------------------------------------------------------------------------------------------


@njit_lean
def expand(layer):  # type: ignore[no-untyped-def]
    """Play all actions from all states of a layer. Returns how many states follow, or TOO_FEW, or IMPOSSIBLE."""
    found = 0
    for row in range(layer.control[0]["count"]):
        state = layer.states[row]
        layer.used[row] = _follow_chance(layer, state, layer.used[row])
        if layer.used[row] < 0:
            return layer.used[row]
        if rules.current_player(state) == TERMINAL:
            _note_end(layer, state, row, NO_ACTION)
            continue
        count = rules.legal_actions(state, layer.legal)
        layer.control[0]["nodes"] += count
        for i in range(count):
            child = on_stack(state)
            rules.apply_action(child, np.int64(layer.legal[i]))
            if rules.current_player(child) == TERMINAL:
                _note_end(layer, child, row, layer.legal[i])
                continue
            # As other searches do, before chance acts: that is what evaluations are made for.
            rules.evaluate(child, layer.value)
            layer.values[found] = layer.value[0]
            layer.keys[found] = rules.state_key(child) ^ mix(np.uint64(layer.used[row]))
            layer.parents[found] = row
            layer.actions[found] = layer.legal[i]
            found += 1
    return np.int64(found)


@njit_inline
def _follow_chance(layer, state, used):  # type: ignore[no-untyped-def]
    """Play what chance brings until the player is to act. Returns the outcomes used by then, or TOO_FEW, or IMPOSSIBLE."""
    while rules.current_player(state) == CHANCE:
        if used == len(layer.outcomes):
            return np.int64(TOO_FEW)
        possible = False
        for i in range(rules.chance_outcomes(state, layer.listed, layer.chances)):
            possible = possible or layer.listed[i] == layer.outcomes[used]
        if not possible:
            return np.int64(IMPOSSIBLE)
        rules.apply_action(state, layer.outcomes[used])
        used += 1
    return np.int64(used)


@njit_inline
def _note_end(layer, state, row, action):  # type: ignore[no-untyped-def]
    """Remember an end if it is the best so far."""
    control = layer.control[0]
    rules.returns(state, layer.value)
    if layer.value[0] > control["best"]:
        control["best"], control["row"], control["action"] = layer.value[0], row, action


@njit_lean
def advance(layer, chosen):  # type: ignore[no-untyped-def]
    """Make the next layer of those that were chosen from what `expand` found."""
    for i in range(len(chosen)):
        row = layer.parents[chosen[i]]
        layer.next_states[i] = layer.states[row]
        rules.apply_action(layer.next_states[i], np.int64(layer.actions[chosen[i]]))
        layer.next_used[i] = layer.used[row]
    layer.control[0]["count"] = len(chosen)


# --- the search -------------------------------------------------------------------------------------------------------


def beam_search(game: Game, array: Array, outcomes: Sequence[int], *, width: int) -> Line:
    """The best line that is found when only `width` states are kept after each action of the player.

    Parameters
    ----------
    game : Game
        With one player.
    array : structured ndarray, shape (1,)
        The state to begin at; unchanged.
    outcomes : sequence of int
        What chance brings from here on, in order. More than are needed do no harm.
    width : int
        At least 1.

    Returns
    -------
    Line

    Raises
    ------
    ParameterError
        If the game has more players, hides something or cannot list its outcomes, for a width that makes no sense, or if the
        list is too short.
    IllegalActionError
        If an outcome is impossible when its turn comes.
    """
    _check(game, width)
    layer = _room(game, outcomes, width)
    control = layer.control[0]
    layer.states[0] = array[0]
    control["count"], control["best"] = 1, -np.inf
    steps: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []
    best: list[int] = []
    exact = True
    while control["count"] > 0:
        control["row"] = -1
        found = int(expand(layer))
        if found < 0:
            raise _chance_fails(game, outcomes, found)
        if control["row"] >= 0:
            best = [*_actions_to(steps, int(control["row"])), int(control["action"])]
        different = _best_first(layer.values[:found], layer.keys[:found])
        exact = exact and len(different) <= width
        chosen = different[:width]
        steps.append((layer.parents[chosen], layer.actions[chosen]))
        advance(layer, chosen)
        layer = layer._replace(states=layer.next_states, used=layer.next_used, next_states=layer.states, next_used=layer.used)
    return Line(float(control["best"]), _with_chance(array, outcomes, best), exact, int(control["nodes"]))


def _check(game: Game, width: int) -> None:
    if game.num_players != 1 or game.hidden_information or game.chance_mode == "sampled":
        raise ParameterError(f"{game!r}: not a game for one player with outcomes that can be listed and nothing hidden")
    if not is_whole(width) or width < 1:
        raise ParameterError(f"width: {quoted(width)} is not a whole number from 1")


def _room(game: Game, outcomes: Sequence[int], width: int) -> Layer:
    try:
        return _layer(game, outcomes, width)
    except (MemoryError, ValueError):  # NumPy's for what no machine can address
        raise ParameterError(f"width: there is not memory enough for {quoted(width)} states") from None


def _layer(game: Game, outcomes: Sequence[int], width: int) -> Layer:
    room = width * game.max_legal_actions
    return Layer(
        states=np.zeros(width, game.dtype),
        used=np.zeros(width, np.int64),
        next_states=np.zeros(width, game.dtype),
        next_used=np.zeros(width, np.int64),
        values=np.zeros(room),
        keys=np.zeros(room, np.uint64),
        parents=np.zeros(room, np.int64),
        actions=np.zeros(room, np.int32),
        legal=game.action_buffer(),
        listed=np.zeros(game.max_chance_outcomes, np.int32),
        chances=np.zeros(game.max_chance_outcomes),
        outcomes=np.array(outcomes, np.int64),
        value=np.zeros(1),
        control=np.zeros(1, CONTROL),
    )


def _best_first(values: NDArray[np.float64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Indices in descending order of value, each key once. Keys are as good as random: they break ties without a bias."""
    order = np.lexsort((keys, -values))
    new = np.ones(len(order), np.bool_)
    new[1:] = keys[order[1:]] != keys[order[:-1]]
    return order[new]


def _actions_to(steps: list[tuple[NDArray[np.int64], NDArray[np.int32]]], row: int) -> list[int]:
    """The player's actions that led to a row of the newest layer."""
    found: list[int] = []
    for parents, actions in reversed(steps):
        found.append(int(actions[row]))
        row = int(parents[row])
    return found[::-1]


def _with_chance(array: Array, outcomes: Sequence[int], actions: list[int]) -> list[int]:
    """The player's actions with those of chance in between, to the end of the game."""
    state, line = array.copy(), []
    coming, own = iter(outcomes), iter(actions)
    while (player := kernels.current_player(state)) != TERMINAL:
        action = int(next(coming if player == CHANCE else own))
        kernels.apply_action(state, action)
        line.append(action)
    return line


def _chance_fails(game: Game, outcomes: Sequence[int], status: int) -> GamelabError:
    if status == TOO_FEW:
        return ParameterError(f"{game.name}: {len(outcomes)} outcomes of chance are too few for a whole game")
    return IllegalActionError(f"{game.name}: the outcomes of chance cannot come in this order: {', '.join(map(str, outcomes))}")
