"""What a second thread brings to the searches."""

from __future__ import annotations

import numpy as np
from measure import Line, alternate, line

import gamelab
from gamelab.search.alphabeta import Searcher
from gamelab.search.mcts import Tree, run_all
from gamelab.testing import random_states

__all__ = ["alpha_beta", "mcts"]

NEVER = np.zeros(1, np.uint8)
PLIES = (4, 6, 8, 10)  # of the positions that alpha-beta searches: far from an end, not the start alone


def mcts(quick: bool) -> list[Line]:
    """The same number of simulations by one tree and by two, each on a thread of its own."""
    game, simulations = gamelab.load("netwerk"), 4000 if quick else 200_000
    trees = [Tree(game, 4_000_000) for _ in range(2)]
    rngs = np.random.default_rng(1).spawn(2)

    def search(number: int) -> None:
        for tree in trees:
            tree.set_root(game.initial_array())
        run_all(trees[:number], simulations, rngs[:number], NEVER)

    search(2)
    one, two = alternate(lambda: search(1), lambda: search(2))
    return [
        line("MCTS, two threads", "simulations/s", [simulations / seconds for seconds in two]),
        line("MCTS, two threads", "of one's", [a / b for a, b in zip(one, two, strict=True)]),
    ]


def alpha_beta(quick: bool) -> list[Line]:
    """Netwerk positions to the same depth, with one thread and with two that share a table, both from an empty one."""
    game, depth = gamelab.load("netwerk"), 3 if quick else 6
    states = [state for state in random_states(game, 400, np.random.default_rng(4)) if len(state.history()) in PLIES]
    searchers = [Searcher(game, 1 << 24, threads=threads) for threads in (1, 2)]
    nodes: dict[int, list[int]] = {0: [], 1: []}

    def search(number: int) -> None:
        total = 0
        for state in [game.new_initial_state(), *states[:8]]:
            searchers[number].forget()
            total += searchers[number].search(state.array, depth=depth, nodes=2**62, stop=NEVER).nodes
        nodes[number].append(total)

    search(1)
    nodes[1].clear()
    one, two = alternate(lambda: search(0), lambda: search(1))
    return [
        line("alpha-beta, two threads", "nodes/s, of one's",
             [(b / t) / (a / s) for a, s, b, t in zip(nodes[0], one, nodes[1], two, strict=True)]),
        line(f"alpha-beta, two threads, {depth} plies", "times as soon", [a / b for a, b in zip(one, two, strict=True)]),
    ]  # fmt: skip
