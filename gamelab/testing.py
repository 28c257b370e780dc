"""The compliance suite: what every game must keep, checked on random games. Games in other packages use it too.

>>> check_game("tictactoe", games=1)
"""

from __future__ import annotations

import itertools
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numba.core.errors import NumbaError

from gamelab.core import kernels
from gamelab.core.errors import GamelabError, IllegalActionError, NotationError, PositionError
from gamelab.core.game import Game
from gamelab.core.rules import CHANCE, TERMINAL
from gamelab.core.seeds import stream
from gamelab.core.state import State
from gamelab.games import load
from gamelab.search.playout import playout_batch

__all__ = ["check_game", "random_states"]

LONGEST_GAME = 100_000


def check_game(name: str, *, games: int = 20, seed: int = 0, **parameters: object) -> None:
    """Check that a game keeps the contract of `gamelab.core.rules` and `gamelab.core.game`.

    Parameters
    ----------
    name : str
        The load name.
    games : int
        Random games to play.
    seed : int
        Of their randomness.
    **parameters
        The game's.

    Raises
    ------
    AssertionError
        Says what is broken, and in which position.

    Examples
    --------
    >>> check_game("tictactoe", games=3)
    """
    game = load(name, **parameters)
    _check_metadata(game)
    _check_rejects_nonsense(game)
    _check_searches(game, seed)
    for number in range(games):
        state = game.new_initial_state()
        rng = stream(seed, "check_game", name, number)
        for _ in range(LONGEST_GAME):
            _check_state(state, rng)
            if state.is_terminal():
                break
            state.apply_action(_random_action(state, rng))
        _expect(state.is_terminal(), state, f"no end after {LONGEST_GAME} actions")
        _check_replay(state)


def random_states(game: Game, count: int, rng: np.random.Generator) -> list[State]:
    """States along uniformly random games, ends included; `count` in all."""
    states: list[State] = []
    state = game.new_initial_state()
    while len(states) < count:
        states.append(state.clone())
        if state.is_terminal():
            state = game.new_initial_state()
        else:
            state.apply_action(_random_action(state, rng))
    return states


def _random_action(state: State, rng: np.random.Generator) -> int:
    return state.sample_chance(rng) if state.is_chance_node() else int(rng.choice(state.legal_actions()))


def _expect(condition: object, state: State | None, message: str) -> None:
    if not condition:
        where = "" if state is None else f" in {state!r} after {[state.action_to_string(a) for a in state.history()]}"
        raise AssertionError(message + where)


def _check_metadata(game: Game) -> None:
    for attribute in ("name", "title", "rules_text", "player_names", "num_distinct_actions", "max_legal_actions"):
        _expect(getattr(game, attribute, None), None, f"{type(game).__name__} has no {attribute}")
    _expect(len(game.player_names) == game.num_players, None, "player_names: not one for each player")
    _expect(game.dtype.isalignedstruct, None, "dtype: not aligned")
    _expect(load(game.name, **game.parameters) == game, None, "parameters do not make the same game again")
    _expect(game.chance_mode in ("deterministic", "enumerated", "sampled"), None, f"chance_mode {game.chance_mode!r}")


def _check_rejects_nonsense(game: Game) -> None:
    state = game.new_initial_state()
    for text in ("", "no such move", "\0"):
        _expect(_raises(NotationError, state.string_to_action, text), state, f"string_to_action takes {text!r}")
    for text in ("", "no such position", "\0\n" * 9):
        _expect(_raises(PositionError, game.state_from_text, text), state, f"state_from_text takes {text!r}")
    for action in (-1, max(game.num_distinct_actions, game.num_sampled_outcomes), True, 0.0, "0", None):
        before = state.array.tobytes()
        _expect(_raises(IllegalActionError, state.apply_action, action), state, f"apply_action takes {action!r}")
        _expect(state.array.tobytes() == before and not state.history(), state, "an illegal action changed the state")


def _check_searches(game: Game, seed: int) -> None:
    """Searches are compiled together with the rules, without the means to make arrays."""
    states = np.concatenate([game.initial_array(), game.blank_array()])
    try:
        playout_batch(states, 10, game.action_buffer(), np.zeros(game.num_players), stream(seed, "check_game", game.name))
    except NumbaError as error:
        _expect(False, None, f"the rules cannot be compiled into a search, do they make arrays? {error}")


def _raises(error: type[Exception], function: Any, argument: object) -> bool:
    try:
        function(argument)
    except error:
        return True
    return False


def _check_state(state: State, rng: np.random.Generator) -> None:
    before = state.clone()
    player = state.current_player()
    _expect(player in (CHANCE, TERMINAL) or 0 <= player < state.game.num_players, state, f"current_player {player}")
    _check_values(state, player)
    _check_text(state)
    if player == CHANCE:
        _check_chance(state, rng)
    else:
        _check_actions(state, player, rng)
    for viewer in range(state.game.num_players):
        _check_information(state, viewer, rng)
    _expect(state == before and state.history() == before.history(), state, "asking changed the state")


def _check_values(state: State, player: int) -> None:
    values = state.returns()
    if player != TERMINAL:
        _expect(not any(values), state, f"returns {values} before the end")
        values = state.evaluate()
        _expect(len(values) == 1 or all(-1 < value < 1 for value in values), state, f"evaluate {values} not in (-1, 1)")
    if len(values) > 1:
        _expect(abs(sum(values)) < 1e-9, state, f"values {values} do not add up to 0")
        _expect(all(-1 <= value <= 1 for value in values), state, f"values {values} not in [-1, 1]")


def _check_text(state: State) -> None:
    again = state.game.state_from_text(state.to_text())
    _expect(again == state, state, f"the text form reads back as {again!r}")
    _expect(again.key() == state.key(), state, "the same position has another key when read from text")
    _expect(str(state), state, "draws no board")
    ElementTree.fromstring(state.to_svg())
    if state.is_terminal():
        _expect(state.game.describe_end(state.array[0]), state, "describe_end says nothing")
        _check_scores(state)


def _check_scores(state: State) -> None:
    """What was scored at the end says the same as the returns, if less coarsely."""
    try:
        scores, returns = state.scores(), [round(value, 9) for value in state.returns()]
    except GamelabError as error:
        raise AssertionError(str(error)) from error
    if scores is None:
        return
    if len(scores) == 1:
        _expect(round(scores[0], 9) == returns[0], state, f"alone the return is the score, not {returns[0]} and {scores[0]}")
    ordered = sorted(zip(scores, returns, strict=True))
    for (less, its_return), (more, other_return) in itertools.pairwise(ordered):
        same = less == more and its_return == other_return
        _expect(same or (less < more and its_return <= other_return), state, f"returns {returns} do not fit scores {scores}")


def _check_actions(state: State, player: int, rng: np.random.Generator) -> None:
    actions = state.legal_actions()
    _expect(bool(actions) == (player != TERMINAL), state, f"{len(actions)} legal actions for player {player}")
    _expect(actions == sorted(set(actions)), state, "legal actions are not ascending")
    _expect(len(actions) <= state.game.max_legal_actions, state, "more legal actions than max_legal_actions")
    _expect(all(0 <= a < state.game.num_distinct_actions for a in actions), state, "action out of range")
    names = [state.action_to_string(action) for action in actions]
    _expect(len(set(names)) == len(names), state, "two legal actions have one name")
    _expect([state.string_to_action(name) for name in names] == actions, state, "notation does not read back")
    if actions:
        buffer = state.game.action_buffer()
        u = rng.random()
        drawn = int(kernels.random_action(state.array, buffer, u))
        _expect(drawn == actions[int(u * len(actions))], state, f"random_action({u}) is {drawn}, not that of the list")
        after = state.clone()
        kernels.apply_random(after.array, buffer, u)
        _expect(after == state.child(drawn), state, f"apply_random({u}) does not play {drawn}, which random_action picks")
        relevant = buffer[: kernels.relevant_actions(state.array, buffer)].tolist()
        _expect(relevant and set(relevant) <= set(actions), state, f"relevant_actions {relevant} are not legal ones")
        _expect(np.isfinite(kernels.action_prior(state.array, actions[0])), state, "action_prior is not finite")
        _check_evaluate_actions(state, rng.permutation(actions)[:20])
        _expect(state.child(drawn).key() != state.key(), state, f"action {drawn} leaves the key as it was")


def _check_evaluate_actions(state: State, actions: np.ndarray) -> None:
    game, player, found = state.game, state.current_player(), np.zeros(state.game.max_legal_actions)
    buffer, after = game.action_buffer(), np.zeros(1, game.dtype)
    buffer[: len(actions)] = actions
    kernels.evaluate_actions(state.array, buffer, len(actions), after, np.zeros(game.num_players), found)
    for action, value in zip(actions.tolist(), found.tolist(), strict=False):
        child = state.child(action)
        expected = (child.returns() if child.is_terminal() else child.evaluate())[player]
        _expect(abs(value - expected) < 1e-9, state, f"evaluate_actions says {value} of action {action}, evaluate {expected}")


def _check_chance(state: State, rng: np.random.Generator) -> None:
    outcome = state.sample_chance(rng)
    if state.game.chance_mode == "sampled":
        return
    outcomes = state.chance_outcomes()
    _expect(outcomes, state, "a chance node without outcomes")
    actions, probabilities = zip(*outcomes, strict=True)
    _expect(list(actions) == sorted(set(actions)), state, "outcomes are not ascending")
    _expect(all(p > 0 for p in probabilities), state, "an outcome with probability 0")
    _expect(abs(sum(probabilities) - 1) < 1e-9, state, f"probabilities add up to {sum(probabilities)}")
    _expect(outcome in actions, state, f"sample_chance drew {outcome}, which is no outcome")


def _check_information(state: State, viewer: int, rng: np.random.Generator) -> None:
    sampled = state.resample_from_infostate(viewer, rng)
    known = kernels.information_key(state.array, viewer)
    _expect(kernels.information_key(sampled.array, viewer) == known, state, f"resample changed what {viewer} knows")
    _expect(
        sampled.information_state_string(viewer) == state.information_state_string(viewer),
        state,
        f"resample changed the information state of {viewer}",
    )
    if state.game.hidden_information:
        _check_view(state, sampled, viewer)
    again, same = _sampled_twice(state, sampled, viewer, int(rng.integers(2**62)))
    _expect(again == same, state, f"resample for {viewer} depends on more than {viewer} knows, or on how it is called")
    if not state.is_terminal() and state.current_player() == viewer:
        _expect(sampled.legal_actions() == state.legal_actions(), state, "resample changed the legal actions")


def _check_view(state: State, sampled: State, viewer: int) -> None:
    """Whether the picture and the words for the moves tell no more than the player knows."""
    game = state.game
    pictures = [game.draw_svg(each.array[0], player=viewer) for each in (state, sampled)]
    _expect(pictures[0] == pictures[1], state, f"the picture for {viewer} shows more than {viewer} knows")
    if not state.is_terminal() and state.current_player() == viewer:
        actions = state.legal_actions()
        words = [game.explain_actions(each.array[0], actions) for each in (state, sampled)]
        _expect(words[0] == words[1], state, f"explain_actions tells {viewer} more than {viewer} knows")


def _sampled_twice(state: State, sampled: State, viewer: int, seed: int) -> tuple[State, State]:
    """With one seed: what is resampled from a state, and from another that the viewer cannot tell from it by a belief."""
    again, same = state.clone(), sampled.clone()
    kernels.resample(again.array, viewer, np.random.default_rng(seed))
    belief = np.zeros(state.game.belief_size)
    kernels.prepare_belief(same.array, viewer, belief)
    kernels.resample_given(same.array, viewer, belief, np.random.default_rng(seed))
    return again, same


def _check_replay(state: State) -> None:
    replayed = state.game.state_from_actions(state.history())
    _expect(replayed == state, state, "replaying the actions gives another position")
    _expect(state.before(1).child(state.history()[-1]) == state, state, "before(1) is not the position before")
