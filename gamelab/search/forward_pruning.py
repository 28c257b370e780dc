"""Forward pruning: of many legal actions search only the few that look most promising.

Where hundreds of actions are legal, a search of all of them sees hardly further than one ply. With a width every player has
only the `width` actions with the highest `rules.action_prior`, of alike ones the lowest, at every state. What the search finds
is exact for that smaller game, and a guess for the whole one: a win may be refuted by a reply that was left out, a loss avoided
by an action that was.

It costs one `rules.action_prior` for each legal action. The best of n are selected with a heap, n log width steps at worst,
and nothing is sorted but they.

Sources: C. Shannon, "Programming a computer for playing chess" (1950), strategies of type B; R. Greenblatt, D. Eastlake,
S. Crocker, "The Greenblatt chess program" (1967), for a fixed width of plausible moves.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.errors import ParameterError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.numbers import is_whole

__all__ = ["actions_within", "checked_width", "list_actions"]


def checked_width(width: int | None, game: Game) -> int:
    """The width as kernels want it: None, all actions, is as many as there can be.

    Raises
    ------
    ParameterError
        If it is neither None nor a whole number of at least 1.
    """
    if width is None:
        return game.max_legal_actions
    if not is_whole(width) or width < 1:
        raise ParameterError(f"width: {quoted(width)} is not a whole number of at least 1")
    return min(int(width), game.max_legal_actions)


def actions_within(game: Game, array: Array, width: int | None) -> list[int]:
    """The actions that a search of that width looks at in a state where a player is to act, ascending."""
    actions, priors = game.action_buffer(), np.zeros(game.max_legal_actions)
    kept, _ = _list_actions_of(array, actions, priors, np.int64(checked_width(width, game)))
    return sorted(actions[:kept].tolist())


@njit
def _list_actions_of(states, actions, priors, width):  # type: ignore[no-untyped-def]
    return list_actions(states[0], actions, priors, width)


@njit
def list_actions(state, actions, priors, width):  # type: ignore[no-untyped-def]
    """Write the actions to search into `actions`, each one's prior into `priors`; return how many they are, and how many legal.

    If no more are legal than `width` they are all there, ascending. If more, they are `width`, the most promising first.
    Both arrays have room for all legal actions; what they hold beyond the actions to search means nothing.
    """
    legal = np.int64(rules.legal_actions(state, actions))
    for i in range(legal):
        priors[i] = rules.action_prior(state, actions[i])
    if legal <= width:
        return legal, legal
    _select(actions, priors, width, legal)
    return np.int64(width), legal


@njit
def _select(actions, priors, width, count):  # type: ignore[no-untyped-def]
    """Bring the `width` most promising of `count` actions to the front, in order."""
    # The first places are a heap, the least promising of them on top: whatever beats that one takes its place.
    for i in range(width // 2 - 1, -1, -1):
        _sink(actions, priors, i, width)
    for i in range(width, count):
        if _is_behind(actions, priors, 0, i):
            actions[0], priors[0] = actions[i], priors[i]
            _sink(actions, priors, 0, width)
    # Take the least promising from the top, time and again, and put it at the end.
    for end in range(width - 1, 0, -1):
        actions[0], actions[end] = actions[end], actions[0]
        priors[0], priors[end] = priors[end], priors[0]
        _sink(actions, priors, 0, end)


@njit
def _is_behind(actions, priors, i, j):  # type: ignore[no-untyped-def]
    """Whether the i-th action is less promising than the j-th: a lower prior, or the same and a higher number."""
    return priors[i] < priors[j] or (priors[i] == priors[j] and actions[i] > actions[j])


@njit
def _sink(actions, priors, i, size):  # type: ignore[no-untyped-def]
    """Let the i-th action of a heap sink until no action below is less promising."""
    while True:
        least = 2 * i + 1
        if least >= size:
            return
        if least + 1 < size and _is_behind(actions, priors, least + 1, least):
            least += 1
        if not _is_behind(actions, priors, least, i):
            return
        actions[i], actions[least] = actions[least], actions[i]
        priors[i], priors[least] = priors[least], priors[i]
        i = least
