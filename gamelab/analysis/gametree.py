"""The whole tree of a small game, walked once: every state, and the information sets that players cannot see inside.

States that come about in several ways are kept once if they are equally far from the start, have the same key, and look the
same to each player: what follows is then the same, and what everybody will know. States stand in the order of their distance,
so that a pass forwards meets parents first, and one backwards meets children first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from gamelab.core import kernels
from gamelab.core.errors import ParameterError
from gamelab.core.game import Game
from gamelab.core.rules import CHANCE
from gamelab.core.state import State

__all__ = ["MAX_STATES", "GameTree", "InformationSet", "Node", "game_tree"]

MAX_STATES = 200_000
NO_SET = -1


@dataclass(slots=True)
class Node:
    """A state of the game.

    Attributes
    ----------
    player : int
        Who acts, or `CHANCE` or `TERMINAL`.
    information_set : int
        Index of the acting player's information set; `NO_SET` if no player acts.
    children : list of int
        Indices of the nodes after each action, in the order of the actions.
    probabilities : list of float
        At a chance node, of each child; empty elsewhere.
    returns : list of float
        At the end, for each player; empty elsewhere.
    """

    player: int
    information_set: int = NO_SET
    children: list[int] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)


@dataclass(slots=True)
class InformationSet:
    """States that the player to act cannot tell apart.

    Attributes
    ----------
    player : int
    key : int
        `rules.information_key` of the states.
    text : str
        `State.information_state_string` of the states.
    actions : list of int
        The legal ones, ascending.
    nodes : list of int
        Indices of the states.
    state : State
        One of them, with the moves that led there.
    """

    player: int
    key: int
    text: str
    actions: list[int]
    state: State
    nodes: list[int] = field(default_factory=list)


# For each player the last own decision: the information set and the action; several if a state comes about in several ways.
Pasts = list[set[tuple[int, int] | None]]


class GameTree:
    """All states and information sets of a game. Made by `game_tree`, which keeps the latest two.

    Attributes
    ----------
    game : Game
    nodes : list of Node
        The start first, children always after their parents.
    information_sets : list of InformationSet
    """

    def __init__(self, game: Game, max_states: int = MAX_STATES) -> None:
        if game.chance_mode == "sampled":
            raise ParameterError(f"{game.name}: exact values need all outcomes of chance, and here they cannot be listed")
        self.game = game
        self.nodes: list[Node] = []
        self.information_sets: list[InformationSet] = []
        self._set_of_key: dict[int, int] = {}
        self._pasts: list[Pasts] = []
        self._grow(max_states)
        self._check()
        del self._pasts  # large, and of no further use

    def set_named(self, name: str | int) -> InformationSet | None:
        """The information set with a text or a key, if there is one."""
        return self._named.get(name)

    def _grow(self, max_states: int) -> None:
        """Add the states, one distance from the start after the other."""
        layer = [self.game.new_initial_state()]
        self._add(layer[0], [{None} for _ in range(self.game.num_players)])
        while layer:
            index_of: dict[tuple[int, ...], int] = {}
            next_layer: list[State] = []
            for parent, state in enumerate(layer, len(self.nodes) - len(layer)):
                for action in state.legal_actions():
                    child = state.child(action)
                    index = index_of.setdefault(self._identity(child), len(self.nodes))
                    self.nodes[parent].children.append(index)
                    pasts = self._pasts_after(parent, action)
                    if index < len(self.nodes):
                        self._came_otherwise(index, pasts)
                        continue
                    if index >= max_states:
                        raise ParameterError(f"{self.game!r} has more than max_states={max_states} states: too many to walk")
                    self._add(child, pasts)
                    next_layer.append(child)
            layer = next_layer

    def _identity(self, state: State) -> tuple[int, ...]:
        """What tells a state apart: its key, and what each player knows."""
        knowledge = (int(kernels.information_key(state.array, player)) for player in range(self.game.num_players))
        return state.key(), *knowledge

    def _add(self, state: State, pasts: Pasts) -> None:
        node = Node(state.current_player())
        if node.player >= 0:
            node.information_set = self._information_set(state, node.player)
            self.information_sets[node.information_set].nodes.append(len(self.nodes))
        elif node.player == CHANCE:
            node.probabilities = [probability for _, probability in state.chance_outcomes()]
        else:
            node.returns = state.returns()
        self.nodes.append(node)
        self._pasts.append(pasts)

    def _pasts_after(self, index: int, action: int) -> Pasts:
        pasts: Pasts = [set(ways) for ways in self._pasts[index]]
        node = self.nodes[index]
        if node.player >= 0:
            pasts[node.player] = {(node.information_set, action)}
        return pasts

    def _came_otherwise(self, index: int, pasts: Pasts) -> None:
        """A state that is known came about in another way."""
        for ways, more in zip(self._pasts[index], pasts, strict=True):
            ways |= more

    def _information_set(self, state: State, player: int) -> int:
        """The index of the acting player's information set, a new one if need be."""
        key = int(kernels.information_key(state.array, player))
        actions = state.legal_actions()
        index = self._set_of_key.setdefault(key, len(self.information_sets))
        if index == len(self.information_sets):
            text = state.information_state_string(player)
            self.information_sets.append(InformationSet(player, key, text, actions, state))
        known = self.information_sets[index]
        if known.player != player:
            self._refuse(known, f"holds states of players {known.player} and {player}")
        if known.actions != actions:
            self._refuse(known, f"holds states with different legal actions, {known.actions} and {actions}")
        return index

    def _check(self) -> None:
        """Perfect recall, without which a best response is not found one information set at a time; and names that tell."""
        self._named: dict[str | int, InformationSet] = {}
        for known in self.information_sets:
            ways = set().union(*(self._pasts[node][known.player] for node in known.nodes))
            # Alone in its set, a state is known however it came about.
            if len(known.nodes) > 1 and len(ways) > 1:
                self._refuse(known, f"forgets what player {known.player} did before: no perfect recall")
            if known.text in self._named:
                self._refuse(known, "reads as another one does")
            self._named[known.text] = self._named[known.key] = known

    def _refuse(self, known: InformationSet, reason: str) -> None:
        raise ParameterError(f"{self.game!r}: information set {known.text!r} {reason}")


@lru_cache(maxsize=2)
def game_tree(game: Game, max_states: int = MAX_STATES) -> GameTree:
    """The whole tree of a game.

    Parameters
    ----------
    game : Game
        With chance whose outcomes can be listed, if any.
    max_states : int
        The most states to walk.

    Raises
    ------
    ParameterError
        If the game has more states, or chance that can only be sampled; or if an information set holds states of different
        players or with different legal actions, or forgets what its player did before (no perfect recall).

    Examples
    --------
    >>> import gamelab
    >>> tree = game_tree(gamelab.load("kuhn"))
    >>> len(tree.nodes), len(tree.information_sets)
    (58, 12)
    """
    return GameTree(game, max_states)
