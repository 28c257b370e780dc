"""Alpha-beta search: iterative deepening with aspiration windows over `gamelab.search.negamax`, on one thread or more.

Several threads search the same root, each by itself, and share one transposition table (lazy SMP): what one has found, the
others need not search again. Helpers begin at different depths, so that they run ahead of the main thread, whose result
counts. With one thread the same searches give the same results; with more, which thread finds what first is chance.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from gamelab.core import kernels
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Array, Game
from gamelab.core.rules import NO_ACTION
from gamelab.search.forward_pruning import checked_width
from gamelab.search.negamax import (
    HISTORY,
    INFINITY,
    LONGEST_WIN,
    MAX_DEPTH,
    SCALE,
    WIN,
    Workspace,
    make_workspace,
    negamax,
)
from gamelab.search.transposition import GENERATIONS, SLOT, make_table

__all__ = ["MAX_DEPTH", "MAX_QUIESCENCE", "SCALE", "WIN", "SearchResult", "Searcher", "mate_distance", "value_of_score"]

ASPIRATION = 300
WIDER = 4
MAX_QUIESCENCE = 32
UNLIMITED = int(np.iinfo(np.int64).max)
# Salts of keys: a search of all lines to one depth must not use what another has found, nor one player's view another's.
GOLDEN = 0x9E3779B97F4A7C15
EXACT_SALT = 0xD1B54A32D192ED03


def mate_distance(score: int) -> int | None:
    """Plies to the end if the score is a sure win (positive) or loss (negative), else None.

    Examples
    --------
    >>> mate_distance(WIN - 3), mate_distance(2 - WIN), mate_distance(120)
    (3, -2, None)
    """
    if abs(score) < LONGEST_WIN:
        return None
    return WIN - score if score > 0 else -WIN - score


def value_of_score(score: int) -> float:
    """The score on the scale of returns, [-1, 1]."""
    return float(np.sign(score)) if abs(score) >= LONGEST_WIN else score / SCALE


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    action : int
    score : int
        For the player to act; see `value_of_score` and `mate_distance`.
    depth : int
        Plies of the last finished iteration.
    nodes : int
        States reached, by all iterations and threads together.
    principal_variation : list of int
    certain : bool
        Whether a win or loss that the score tells of is sure: no action was left out, in this search or an earlier one that
        the table remembers. With more than two players only a win is: to a loss the others need not conspire.
    """

    action: int
    score: int
    depth: int
    nodes: int
    principal_variation: list[int] = field(default_factory=list)
    certain: bool = False


class Searcher:
    """Iterative deepening, with the memory of earlier searches.

    Parameters
    ----------
    game : Game
        Two players or more, no chance; what is hidden is open to the search.
    table_bytes : int
        At most so many for the transposition table.
    quiescence : int
        Plies at most, 0 to `MAX_QUIESCENCE`, by which a line is searched beyond the depth while its end is not quiet
        (`rules.is_quiet`).
    reductions : float
        Strength of late-move reductions, 0 for none: an action late in the order is searched strength * log(depth) *
        log(number) plies less deeply, and again at full depth with a null window if it then looks better than the best.
    threads : int
        At least 1.
    width : int, optional
        Only so many actions, those with the highest `rules.action_prior`, are searched at each state, the root as well; see
        `gamelab.search.forward_pruning`. Not given: all.

    Raises
    ------
    AgentError
        If the game is of another kind.
    ParameterError
        If there is no room for a table of two entries, or an option is out of range.
    """

    def __init__(
        self,
        game: Game,
        table_bytes: int,
        *,
        quiescence: int = 0,
        reductions: float = 0.0,
        threads: int = 1,
        width: int | None = None,
    ) -> None:
        if game.num_players < 2 or game.chance_mode != "deterministic":
            raise AgentError(f"alphabeta plays games for two or more without chance; {game.name} is none")
        if threads < 1 or not 0 <= quiescence <= MAX_QUIESCENCE or not 0 <= reductions < math.inf:
            raise ParameterError(
                f"threads: {threads}, quiescence: {quiescence}, reductions: {reductions}; they must be at least 1, "
                f"0 to {MAX_QUIESCENCE}, and 0 or more"
            )
        if table_bytes < 2 * SLOT.itemsize:
            raise ParameterError(f"memory: {table_bytes} bytes is less than two table entries ({2 * SLOT.itemsize} bytes)")
        self.game = game
        self.quiescence, self.reductions, self.threads = quiescence, reductions, threads
        self._width = checked_width(width, game)
        self._table_bytes = table_bytes
        self.forget()

    def forget(self) -> None:
        """Begin as new: what was learned in earlier searches is gone."""
        table = make_table(self._table_bytes)
        self._workspaces = [make_workspace(self.game, table) for _ in range(self.threads)]
        self._generation = 0

    def search(self, array: Array, *, depth: int, nodes: int, stop: NDArray[np.uint8], hero: int | None = None) -> SearchResult:
        """Search a state in which a player is to act.

        Parameters
        ----------
        array : structured ndarray, shape (1,)
            The state; unchanged.
        depth : int
            Plies at most, 1 to `MAX_DEPTH` - 1 - quiescence.
        nodes : int
            States at most, for each thread; the first iteration is always finished.
        stop : ndarray of uint8, shape (1,)
            Another thread may set it; the first iteration is finished all the same.
        hero : int, optional
            With more than two players, the one whom all others are taken to play against. Not given: the player to act.

        Raises
        ------
        ParameterError
            If there is nothing to search by: a depth out of range, or less than one state.
        """
        deepest = MAX_DEPTH - 1 - self.quiescence
        if not 1 <= depth <= deepest:
            raise ParameterError(f"depth: {depth} is not a number of plies from 1 to {deepest}")
        if nodes < 1:
            raise ParameterError(f"nodes: {nodes} is less than 1")
        self._generation = (self._generation + 1) % GENERATIONS
        main = self._workspaces[0]._replace(stop=stop)
        for w in (main, *self._workspaces[1:]):
            self._set_root(w, array, hero)
        found = _first_iteration(main)
        if self.threads == 1 or depth == 1 or mate_distance(found.score) is not None:
            found = self._deepen(main, found, depth, nodes)
        else:
            found = self._with_helpers(main, found, depth, nodes)
        return replace(found, certain=self._is_certain(found.score))

    def _is_certain(self, score: int) -> bool:
        if mate_distance(score) is None or any(w.control[0]["left_out"] for w in self._workspaces):
            return False
        w = self._workspaces[0]
        heros_score = score if kernels.current_player(w.states) == w.control[0]["me"] else -score
        return self.game.num_players == 2 or heros_score > 0

    def _set_root(self, w: Workspace, array: Array, hero: int | None) -> None:
        w.states[0] = array[0]
        w.frames["killers"] = NO_ACTION
        w.learned[:, HISTORY] >>= 3
        me = 0
        if self.game.num_players > 2:
            me = int(kernels.current_player(array)) if hero is None else hero
        w.control["me"] = me
        w.control["salt"] = me * GOLDEN % 2**64
        w.control["width"] = self._width
        w.control["quiescence"] = self.quiescence
        w.control["reductions"] = self.reductions
        w.control["generation"] = self._generation
        w.control["nodes"] = 0
        w.control["stopped"] = 0

    def _deepen(self, w: Workspace, found: SearchResult, depth: int, nodes: int) -> SearchResult:
        """Iterations one ply deeper than what was found each time, until the budget is used up or a win or loss is sure."""
        w.control["node_limit"] = nodes
        while found.depth < depth and mate_distance(found.score) is None:
            found, finished = _iteration(w, found)
            if not finished:
                return found
        if (self.reductions or self.quiescence) and mate_distance(found.score) is not None:
            return _at_its_distance(w, found)
        return found

    def _with_helpers(self, main: Workspace, found: SearchResult, depth: int, nodes: int) -> SearchResult:
        enough = np.zeros(1, np.uint8)
        helpers = [w._replace(stop=enough) for w in self._workspaces[1:]]
        with ThreadPoolExecutor(len(helpers)) as pool:
            running = [pool.submit(_help, w, found, depth, nodes, 1 + i % 2) for i, w in enumerate(helpers)]
            try:
                found = self._deepen(main, found, depth, nodes)
            finally:
                enough.fill(1)
        helped = sum(helper.result() for helper in running)
        return SearchResult(found.action, found.score, found.depth, found.nodes + helped, found.principal_variation)


def _help(w: Workspace, found: SearchResult, depth: int, nodes: int, ahead: int) -> int:
    """Fill the shared table, `ahead` plies before the main thread to begin with. Returns the states reached."""
    w.control["node_limit"] = nodes
    for deeper in count(found.depth + ahead):
        if deeper > depth or w.stop[0]:
            break
        score = _root(w, deeper, -INFINITY, INFINITY)
        if w.control[0]["stopped"] or mate_distance(score) is not None:
            break
    return int(w.control[0]["nodes"])


def _first_iteration(w: Workspace) -> SearchResult:
    """One ply, whatever the budget: there must be something to play."""
    w = w._replace(stop=np.zeros(1, np.uint8))
    w.control["node_limit"] = UNLIMITED
    return _result(w, _root(w, 1, -INFINITY, INFINITY), 1)


def _iteration(w: Workspace, last: SearchResult) -> tuple[SearchResult, bool]:
    """One ply deeper than `last`. Returns what is known now, and whether the iteration was finished."""
    depth, margin = last.depth + 1, ASPIRATION
    alpha, beta = last.score - margin, last.score + margin
    while True:
        score = _root(w, depth, max(alpha, -INFINITY), min(beta, INFINITY))
        if w.control[0]["stopped"]:
            return _interrupted(w, last), False
        if alpha < score < beta:
            return _result(w, score, depth), True
        margin *= WIDER
        wide = margin >= SCALE
        alpha = -INFINITY if wide else min(alpha, last.score - margin) if score <= alpha else alpha
        beta = INFINITY if wide else max(beta, last.score + margin) if score >= beta else beta


def _at_its_distance(w: Workspace, found: SearchResult) -> SearchResult:
    """The same end at its true distance: where some lines are searched deeper than others, a nearer end may be missed.

    So the state is searched once more, all lines to that distance; it may cost twice as much as the search before.
    """
    distance = mate_distance(found.score)
    assert distance is not None
    salt = w.control[0]["salt"]
    w.control["reductions"] = 0.0
    w.control["quiescence"] = 0
    w.control["salt"] = salt ^ np.uint64(EXACT_SALT)
    w.control["node_limit"] = min(int(w.control[0]["node_limit"]), 3 * found.nodes + 1000)
    score = _root(w, abs(distance), -INFINITY, INFINITY)
    if w.control[0]["stopped"] or mate_distance(score) is None:
        return SearchResult(found.action, found.score, found.depth, int(w.control[0]["nodes"]), found.principal_variation)
    return _result(w, score, found.depth)


def _result(w: Workspace, score: int, depth: int) -> SearchResult:
    line = _line(w)
    return SearchResult(line[0], int(score), depth, int(w.control[0]["nodes"]), line)


def _interrupted(w: Workspace, last: SearchResult) -> SearchResult:
    """An unfinished iteration counts if it has already found something: what it looks at first is the best so far."""
    line = _line(w) or last.principal_variation
    return SearchResult(line[0], last.score, last.depth, int(w.control[0]["nodes"]), line)


def _line(w: Workspace) -> list[int]:
    root = w.frames[0]
    return root["line"][: root["length"]].tolist()  # type: ignore[no-any-return]


def _root(w: Workspace, depth: int, alpha: int, beta: int) -> int:
    return int(negamax(w, np.int64(0), np.int64(depth), np.int64(alpha), np.int64(beta)))
