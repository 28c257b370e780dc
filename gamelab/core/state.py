"""`State`: a position of a game with the moves that led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gamelab.core import kernels
from gamelab.core.errors import GamelabError, IllegalActionError, ParameterError, quoted
from gamelab.core.numbers import is_score, is_whole
from gamelab.core.rules import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gamelab.core.game import Array, Game

__all__ = ["State"]

Self = TypeVar("Self", bound="State")


class State:
    """A position of a game, with the actions played since it was set up.

    Made by `Game.new_initial_state` or `Game.state_from_text`. Nothing is changed by a call that raises. Everywhere, what is
    no player or no generator raises ParameterError, and what is no action IllegalActionError.

    Attributes
    ----------
    game : Game
    array : structured ndarray, shape (1,)
        The record itself, a live view: what compiled code works on.

    Examples
    --------
    >>> import gamelab
    >>> state = gamelab.load("netwerk").new_initial_state()
    >>> state.apply_action(state.string_to_action("c4"))
    >>> state.current_player(), len(state.legal_actions())
    (1, 47)
    """

    __slots__ = ("_history", "_origin", "array", "game")

    def __init__(self, game: Game, array: Array, history: Iterable[int] = (), origin: Array | None = None) -> None:
        self.game = game
        self.array = array
        self._history = list(history)
        self._origin = array.copy() if origin is None else origin

    # --- asking -------------------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        """The player to act, from 0, or `gamelab.CHANCE` (-1), or `gamelab.TERMINAL` (-2)."""
        return int(kernels.current_player(self.array))

    def is_chance_node(self) -> bool:
        """Whether chance acts next."""
        return self.current_player() == CHANCE

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == TERMINAL

    def returns(self) -> list[float]:
        """The result for each player, zero-sum in [-1, 1] (alone: the score). Zeros before the end."""
        out = np.zeros(self.game.num_players)
        kernels.returns(self.array, out)
        return [float(value) for value in out]

    def scores(self) -> tuple[float, ...] | None:
        """What each player scored, the more the better; None before the end, and where the game knows only who won.

        Raises
        ------
        GamelabError
            If what `Game.scores` says is not a number for each player.
        """
        scores = self.game.scores(self.array[0]) if self.is_terminal() else None
        if scores is None:
            return None
        if not isinstance(scores, tuple) or len(scores) != self.game.num_players or not all(map(is_score, scores)):
            wanted = "a tuple with a finite number for each player"
            raise GamelabError(f"{self.game.name}: Game.scores must be {wanted}, not {quoted(scores)}")
        return tuple(map(float, scores))

    def evaluate(self) -> list[float]:
        """The game's quick guess at the returns; at the end the returns themselves."""
        if self.is_terminal():
            return self.returns()
        out = np.zeros(self.game.num_players)
        kernels.evaluate(self.array, out)
        return [float(value) for value in out]

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending: at a chance node the outcomes, at the end none."""
        player = self.current_player()
        if player == CHANCE:
            return [action for action, _ in self.chance_outcomes()]
        if player == TERMINAL:
            return []
        buffer = self.game.action_buffer()
        return buffer[: kernels.legal_actions(self.array, buffer)].tolist()  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes at a chance node, each with its probability; empty elsewhere.

        Raises
        ------
        ParameterError
            If the game's chance can only be sampled (`game.chance_mode` is "sampled").
        """
        if not self.is_chance_node():
            return []
        if self.game.chance_mode == "sampled":
            raise ParameterError(f"{self.game.name}: the outcomes of this chance node cannot be listed, use sample_chance")
        actions = np.zeros(self.game.max_chance_outcomes, np.int32)
        probabilities = np.zeros(self.game.max_chance_outcomes)
        n = kernels.chance_outcomes(self.array, actions, probabilities)
        return list(zip(actions[:n].tolist(), probabilities[:n].tolist(), strict=True))

    def sample_chance(self, rng: np.random.Generator) -> int:
        """Draw an outcome at a chance node with its true probability; IllegalActionError elsewhere."""
        _check_generator(rng)
        if not self.is_chance_node():
            raise IllegalActionError(f"no chance node: player {self.current_player()} is to act")
        return int(kernels.sample_chance(self.array, rng))

    def history(self) -> list[int]:
        """The actions played since the position was set up, chance outcomes included."""
        return list(self._history)

    def key(self) -> int:
        """A 64-bit hash of the position."""
        return int(kernels.state_key(self.array))

    # --- playing ------------------------------------------------------------------------------------------------------

    def apply_action(self, action: int) -> None:
        """Play an action.

        Raises
        ------
        IllegalActionError
            If the action is not legal here; the state is unchanged.
        """
        self._check(action)
        kernels.apply_action(self.array, int(action))
        self._history.append(int(action))

    def child(self: Self, action: int) -> Self:
        """The state after an action; this one is unchanged."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self: Self) -> Self:
        """An independent copy."""
        return type(self)(self.game, self.array.copy(), self._history, self._origin)

    def before(self: Self, plies: int = 1) -> Self:
        """The state some actions ago, replayed from where it was set up.

        Raises
        ------
        ParameterError
            If fewer actions were played.
        """
        if not is_whole(plies) or not 0 <= plies <= len(self._history):
            raise ParameterError(f"cannot take back {quoted(plies)} of {len(self._history)} actions")
        past = type(self)(self.game, self._origin.copy(), (), self._origin)
        for action in self._history[: len(self._history) - plies]:
            past.apply_action(action)
        return past

    def _check(self, action: object) -> None:
        if not is_whole(action):
            raise IllegalActionError(f"an action is a whole number, not {quoted(action)}")
        if self.is_chance_node() and self.game.chance_mode == "sampled":
            self._check_sampled(int(action))
            return
        legal = self.legal_actions()
        if action not in legal:
            where = "the game is over" if not legal else f"legal: {_some(legal)}"
            raise IllegalActionError(f"action {self._name(int(action))} is illegal in {self._where()}; {where}")

    def _check_sampled(self, outcome: int) -> None:
        """The outcomes cannot be listed, but they are numbered."""
        if not 0 <= outcome < self.game.num_sampled_outcomes:
            last = self.game.num_sampled_outcomes - 1
            raise IllegalActionError(f"outcome {quoted(outcome)} is none of 0 to {last} in {self._where()}")

    def _name(self, action: int) -> str:
        if 0 <= action < self.game.num_distinct_actions:
            return f"{self.action_to_string(action)} ({action})"
        return quoted(action)

    def _where(self) -> str:
        return f"{self.game.name} position {' / '.join(self.to_text().splitlines())}"

    # --- text and pictures --------------------------------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        """The action in the game's notation."""
        known = max(self.game.num_distinct_actions, self.game.num_sampled_outcomes)
        if not is_whole(action) or not 0 <= action < known:
            raise IllegalActionError(f"{self.game.name} has actions 0 to {known - 1}, not {quoted(action)}")
        return self.game.action_to_string(self.array[0], int(action))

    def string_to_action(self, text: str) -> int:
        """The action that the text means. Raises NotationError if it means none; the action need not be legal."""
        return self.game.string_to_action(self.array[0], text)

    def to_text(self) -> str:
        """The position as text; `Game.state_from_text` is the exact inverse. The form is documented with each game."""
        return self.game.write_text(self.array[0])

    def __str__(self) -> str:
        return self.game.draw_text(self.array[0])

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_text({self.to_text()!r})"

    def __eq__(self, other: object) -> bool:
        """The same game and position, by whatever moves; bytes of padding do not count."""
        if not isinstance(other, State) or self.game != other.game:
            return False
        return all(np.array_equal(self.array[name], other.array[name]) for name in self.game.dtype.names or ())

    __hash__ = None  # type: ignore[assignment] # a state changes

    def to_svg(self, player: int | None = None) -> str:
        """The position as an SVG image, as `player` sees it (None: everything)."""
        seen_by = None if player is None else self._checked_player(player)
        last = self._history[-1] if self._history else None
        return self.game.draw_svg(self.array[0], player=seen_by, last_action=last)

    def _repr_svg_(self) -> str:
        """The picture in a notebook: with hidden information as the player to act sees it, player 0 while chance is to act."""
        secret = self.game.hidden_information and not self.is_terminal()
        return self.to_svg(max(0, self.current_player()) if secret else None)

    # --- hidden information -------------------------------------------------------------------------------------------

    def information_state_string(self, player: int) -> str:
        """What `player` knows, as text. Without hidden information that is the position."""
        return self.game.write_information(self.array[0], self._checked_player(player))

    def resample_from_infostate(self: Self, player: int, rng: np.random.Generator) -> Self:
        """A state that `player` cannot tell from this one, drawn from the exact distribution."""
        knowing = self._checked_player(player)
        _check_generator(rng)
        sampled = self.clone()
        if self.game.hidden_information:
            kernels.resample(sampled.array, knowing, rng)
            # The true moves of chance would give the secret away.
            sampled._history, sampled._origin = [], sampled.array.copy()
        return sampled

    def belief(self, player: int) -> dict[Any, float]:
        """What is hidden from `player`, each possibility with its probability, given all that they know.

        Raises
        ------
        ParameterError
            If the game hides nothing, or cannot say.
        """
        return self.game.belief(self.array[0], self._checked_player(player))

    def _checked_player(self, player: object) -> int:
        if not is_whole(player) or not 0 <= player < self.game.num_players:
            raise ParameterError(f"{self.game.name} has players 0 to {self.game.num_players - 1}, not {quoted(player)}")
        return int(player)


def _check_generator(rng: object) -> None:
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng is a generator, such as numpy.random.default_rng(1), not {quoted(rng)}")


def _some(actions: list[int]) -> str:
    shown = ", ".join(map(str, actions[:8]))
    return f"{shown}, ... ({len(actions)} in all)" if len(actions) > 8 else shown
