"""Connect Four: random games and UCT against the C twin, alpha-beta on positions that it solves."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
from measure import Line, alternate, check, check_equal, check_same_search, line, two_states
from twin import ConnectFourTwin

import gamelab
from gamelab.analysis.peers import EXPLORATION, TREE_NODES, uct
from gamelab.search import alphabeta
from gamelab.search.playout import playout_batch

__all__ = ["playouts", "solving", "tree_search"]

# Columns played from the start, and what the game is then worth to the player to move.
POSITIONS = (("baceabaeaadcdg", 1), ("deafcgegffafecc", -1), ("eafdabdfdegecee", 1), ("efffceegefaccegc", 0))
CELLS = 42
TABLE_BYTES = 64 << 20


def playouts(quick: bool) -> list[Line]:
    """Uniformly random games. Both must play the same: as many plies a game, the first player's share alike."""
    game, games = gamelab.load("connectfour"), 20_000 if quick else 500_000
    twin, rng = ConnectFourTwin(max_nodes=8), np.random.default_rng(1)
    states, buffer = two_states(game), game.action_buffer()
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []

    def play() -> None:
        totals = np.zeros(2)
        plies = playout_batch(states, games, buffer, totals, rng)
        ours.append((plies / games, (totals[0] / games + 1) / 2))

    def twin_plays() -> None:
        plies, first, draws = twin.play(len(theirs) + 1, games)
        theirs.append((plies / games, (first + draws / 2) / games))

    play(), twin_plays()
    mine, twins = alternate(play, twin_plays)
    for number, what in enumerate(("plies of a random game", "the first player's share")):
        check_equal(what, [both[number] for both in ours], [both[number] for both in theirs])
    length = statistics.fmean(plies for plies, _ in ours)
    return [
        line("Connect Four, playout", "plies/s", [games * length / seconds for seconds in mine]),
        line("C twin", "plies/s", [games * length / seconds for seconds in twins]),
        line("Connect Four, playout", "of the C twin's", [b / a for a, b in zip(mine, twins, strict=True)], ">= 0.9"),
    ]


def tree_search(quick: bool) -> list[Line]:
    """UCT from the start with and without proven values. Both must share the visits alike among the columns."""
    simulations = 20_000 if quick else 200_000
    return [row for solver in (True, False) for row in _tree_search(simulations, solver)]


def _tree_search(simulations: int, solver: bool) -> list[Line]:
    game, twin, never = gamelab.load("connectfour"), ConnectFourTwin(TREE_NODES), np.zeros(1, np.uint8)
    tree, rng, seeds, start = uct(game, solver), np.random.default_rng(1), itertools.count(), game.initial_array()

    def search(count: int = simulations) -> tuple[dict[int, float], int]:
        tree.set_root(start)
        check(tree.run(count, rng, never) == count, "the start of Connect Four was proven?")
        return {int(child["action"]): child["visits"] / count for child in tree.children()}, int(tree.control["used"][0])

    def twin_searches(count: int = simulations) -> tuple[dict[int, float], int]:
        found = twin.search(next(seeds), count, EXPLORATION, solver)
        check(found.simulations == count, "the start of Connect Four was proven by the twin?")
        return {column: visits / count for column, visits in enumerate(found.visits)}, found.nodes

    check_same_search(search, twin_searches)
    search(), twin_searches()
    ours, theirs = alternate(search, twin_searches)
    name = f"Connect Four, UCT{'' if solver else ' without solver'}"
    return [
        line(name, "simulations/s", [simulations / seconds for seconds in ours]),
        line("C twin", "simulations/s", [simulations / seconds for seconds in theirs]),
        line(name, "of the C twin's", [b / a for a, b in zip(ours, theirs, strict=True)], ">= 0.9"),
    ]


def solving(quick: bool) -> list[Line]:
    """Alpha-beta on midgame positions until each is solved: a win or loss found, or the board full at the end of all lines."""
    game, positions = gamelab.load("connectfour"), POSITIONS[:1] if quick else POSITIONS
    starts = [game.state_from_actions("abcdefg".index(letter) for letter in columns) for columns, _ in positions]
    searcher, never = alphabeta.Searcher(game, TABLE_BYTES), np.zeros(1, np.uint8)
    searcher.search(game.initial_array(), depth=2, nodes=10**9, stop=never)
    nodes: list[int] = []

    def solve() -> None:
        reached = 0
        for start, (columns, value) in zip(starts, positions, strict=True):
            searcher.forget()
            found = searcher.search(start.array, depth=CELLS - len(columns), nodes=10**12, stop=never)
            sure = np.sign(found.score) if alphabeta.mate_distance(found.score) is not None else 0
            check(sure == value, f"alpha-beta finds {columns} worth {found.score}, but it is {value}")
            reached += found.nodes
        nodes.append(reached)

    solve()
    (seconds,) = alternate(solve, repetitions=1 if quick else 5)
    return [
        line("Connect Four, alpha-beta", "nodes/s", [n / s for n, s in zip(nodes[1:], seconds, strict=True)]),
        line(f"Connect Four, {len(positions)} positions solved", "s", seconds),
        line(f"Connect Four, {len(positions)} positions solved", "nodes", [float(n) for n in nodes]),
    ]
