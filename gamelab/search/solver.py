"""The value of a position, proven: win, draw or loss for the player to act.

Two questions settle it: can the player to act get more than 0, and can they get at least 0? They are searched in turn, a few
thousand positions each, until what is known is enough or the budget is used up. Returns between the full win and the full loss
count by their sign.

There are two methods. Proof-number search (`gamelab.search.dfpn`) finds what is forced, however deep it lies, and its proof is
then checked: `gamelab.search.strategy` takes it out of the table and walks it, each end of the game included, so that a claim
rests on the rules and not on the table. Alpha-beta (`gamelab.search.outcome`) needs far less for games that are long, broad and
close, if the game knows a good order of actions; but there a claim rests on the table's 64-bit keys too, and is not checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels
from gamelab.core.errors import AgentError, ParameterError, PositionError, quoted
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION, TERMINAL
from gamelab.core.state import State
from gamelab.search import dfpn, outcome
from gamelab.search.clock import stop_after
from gamelab.search.strategy import Strategy, take_out

__all__ = ["DEFAULT_NODES", "METHODS", "Proof", "Solver", "solve"]

Question = dfpn.Question | outcome.Question

DEFAULT_NODES = 1_000_000
DEFAULT_MEMORY = 64 << 20
# Positions between two looks at the other question and at the keyboard: a kernel cannot be interrupted.
CHUNK = 5_000

METHODS: dict[str, tuple[Callable[[int], Array], type[Question]]] = {
    "dfpn": (dfpn.new_table, dfpn.Question),
    "alphabeta": (outcome.new_table, outcome.Question),
}
STATUS = {1: "win", 0: "draw", -1: "loss", None: "not proven"}


@dataclass(frozen=True)
class Proof:
    """What is known for sure about a position, and how.

    Attributes
    ----------
    value : int or None
        1 if the player to act wins, 0 if best play is a draw, -1 if they lose; None if the budget did not suffice.
    action : int
        Best for sure if the value is 1 or 0. In a lost position the one that took most work to refute; without a proof the
        one most promising by proof numbers.
    nodes : int
        Positions reached in the search, and in solving anew what the table had lost.
    seconds : float
    promises : dict of int to float
        Each action's value for the player to act as proof numbers suggest it, in [-1, 1]; the ends are proven.
    proof_size : int or None
        Distinct positions in the checked proof; for a draw the sum over both players' proofs. None if there is none.
    strategies : tuple of Strategy
        The checked proof: the winner's strategy, or in a draw one for each player.
    principal_variation : list of int
        A line that keeps to the proof, to the end of the game. Empty if there is none.
    """

    value: int | None
    action: int
    nodes: int
    seconds: float
    promises: dict[int, float] = field(default_factory=dict)
    proof_size: int | None = None
    strategies: tuple[Strategy, ...] = field(default=(), repr=False)
    principal_variation: list[int] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        """Whether the value is certain."""
        return self.value is not None

    @property
    def status(self) -> str:
        """The value in a word: "win", "draw", "loss" or "not proven"."""
        return STATUS[self.value]


class Solver:
    """Solves positions of one game; what it has found about one helps with the next.

    Parameters
    ----------
    game : Game
        Two players, no chance, nothing hidden.
    table_bytes : int
        At most so many for the table. What a walk through a proof takes comes on top.
    method : {"dfpn", "alphabeta"}
        Proof-number search, or depth-first search for the outcome.

    Raises
    ------
    AgentError
        If the game is of another kind.
    ParameterError
        If the table has no room for a few entries, or the method is another one.
    """

    def __init__(self, game: Game, table_bytes: int = DEFAULT_MEMORY, method: str = "dfpn") -> None:
        if game.num_players != 2 or game.chance_mode != "deterministic" or game.hidden_information:
            raise AgentError(f"solver takes games for two without chance or hidden information; {game.name} is none")
        if method not in METHODS:
            raise ParameterError(f"method: {quoted(method)} is not one of {', '.join(METHODS)}")
        self.game = game
        new_table, question = METHODS[method]
        self._table = new_table(table_bytes)
        self._wins: Question = question(game, self._table)
        self._holds: Question = question(game, self._table)

    def forget(self) -> None:
        """Begin as new."""
        self._table.fill(0)

    def solve(self, array: Array, *, nodes: int, stop: NDArray[np.uint8]) -> Proof:
        """Look for a proof, take it out of the table and check it. Parameters as in `search`.

        Where the table has lost part of a proof, as many positions again may be spent on finding it anew; if they do not
        suffice, the claim stands as the search made it; alpha-beta's always do. A proof that turns out wrong is no proof.
        """
        proof = self.search(array, nodes=nodes, stop=stop)
        return self._checked(array, proof, nodes, stop) if proof.proven else proof

    def search(self, array: Array, *, nodes: int, stop: NDArray[np.uint8]) -> Proof:
        """Look for a proof, and leave it in the table.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            A position that is not terminal; unchanged.
        nodes : int
            Positions at most, but for the children of the last one looked at.
        stop : ndarray of uint8, shape (1,)
            Another thread may set it.
        """
        started = time.perf_counter()
        player = int(kernels.current_player(array))
        self._wins.ask(array, player, strict=True)
        self._holds.ask(array, player, strict=False)
        useful = [self._wins, self._holds]
        while useful and self._value() is None and self._used() < nodes and not stop[0]:
            useful = [question for question in useful if self._goes_on(question, nodes, stop)]
        self._wins.put_away()
        self._holds.put_away()
        promises = self._promises(array)
        return Proof(self._value(), self._action(promises), self._used(), time.perf_counter() - started, promises)

    def _goes_on(self, question: Question, nodes: int, stop: NDArray[np.uint8]) -> bool:
        left = nodes - self._used()
        return self._value() is None and left > 0 and question.search(min(CHUNK, left), stop)

    def _used(self) -> int:
        return self._wins.nodes + self._holds.nodes

    def _value(self) -> int | None:
        if self._wins.answer:
            return 1
        if self._holds.answer is False:
            return -1
        return 0 if self._holds.answer and self._wins.answer is False else None

    def _action(self, promises: dict[int, float]) -> int:
        value = self._value()
        if value is None:
            return max(promises, key=promises.__getitem__)
        if value < 0:
            return self._holds.stubborn_action()
        return (self._wins if value else self._holds).deciding_action()

    def _promises(self, array: Array) -> dict[int, float]:
        """An action is as likely to win as its disproof is hard to its proof, and so for holding the draw."""
        buffer = self.game.action_buffer()
        legal = buffer[: kernels.legal_actions(array, buffer)].tolist()
        wins, holds = self._wins.children(), self._holds.children()
        promises = {}
        for action in legal:
            win, hold = (_likely(*children.get(action, (1, 1))) for children in (wins, holds))
            promises[action] = -1.0 if hold == 0 else max(hold, win) + win - 1
        return promises

    def _checked(self, array: Array, proof: Proof, nodes: int, stop: NDArray[np.uint8]) -> Proof:
        started = time.perf_counter()
        asked = {1: [self._wins], 0: [self._wins, self._holds], -1: [self._holds]}[proof.value or 0]
        questions = [question for question in asked if isinstance(question, dfpn.Question)]
        if not questions:
            return proof
        strategies: list[Strategy] = []
        spent = 0
        for question in questions:
            found = take_out(self.game, array, question, nodes=nodes - spent, stop=stop)
            spent += found.nodes
            if found.wrong:
                proof = replace(proof, value=None)
            if found.strategy is None:
                break
            strategies.append(found.strategy)
        else:
            size = sum(strategy.size for strategy in strategies)
            line = self._line(array, strategies, questions[0])
            proof = replace(proof, proof_size=size, strategies=tuple(strategies), principal_variation=line)
            proof = replace(proof, action=line[0])
        return replace(proof, nodes=proof.nodes + spent, seconds=proof.seconds + time.perf_counter() - started)

    def _line(self, array: Array, strategies: list[Strategy], question: dfpn.Question) -> list[int]:
        """Play by the strategies; a player who has none does what took most work to refute."""
        array = array.copy()
        plans = {strategy.player: strategy for strategy in strategies}
        asked = question.stack.control[0]
        attacker, strict = int(asked["attacker"]), bool(asked["strict"])
        line: list[int] = []
        while (player := int(kernels.current_player(array))) != TERMINAL:
            if player in plans:
                action = plans[player].action(kernels.state_key(array))
                assert action is not None
                assert action != NO_ACTION
            else:
                question.ask(array, attacker, strict)
                action = question.stubborn_action()
            kernels.apply_action(array, action)
            line.append(action)
        return line


def _likely(proof: int, disproof: int) -> float:
    return disproof / (proof + disproof)


def solve(
    state: State,
    *,
    nodes: int = DEFAULT_NODES,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    method: str = "dfpn",
) -> Proof:
    r"""Solve a position of a two-player game without chance or hidden information.

    Parameters
    ----------
    state : State
        Not terminal; unchanged.
    nodes : int
        Positions to look at, at most.
    seconds : float, optional
        Time for that, at most.
    memory : int
        Bytes for the table, at most.
    method : {"dfpn", "alphabeta"}
        Proof-number search, whose proof is checked, or depth-first search for the outcome.

    Returns
    -------
    Proof

    Raises
    ------
    AgentError
        If the game is of another kind.
    ParameterError
        For a budget of 0 or less, a memory too small for a few entries, or another method.
    PositionError
        If the game is over.

    Examples
    --------
    >>> import gamelab
    >>> proof = solve(gamelab.load("tictactoe").state_from_text("xo.\n.x.\n..o"))
    >>> proof.status, proof.proven, len(proof.principal_variation)
    ('win', True, 3)
    """
    for name, budget in (("nodes", nodes), ("seconds", seconds), ("memory", memory)):
        if budget is not None and not (isinstance(budget, Real) and budget > 0):
            raise ParameterError(f"{name}: {quoted(budget)} is not greater than 0")
    if state.is_terminal():
        raise PositionError(f"{state.game.name}: the game is over, there is nothing to solve")
    solver = Solver(state.game, memory, method)
    with stop_after(seconds) as stop:
        return solver.solve(state.array, nodes=nodes, stop=stop)
