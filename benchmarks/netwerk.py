"""Netwerk: random games against the C twin, MCTS against random games, alpha-beta against the clock."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import numpy as np
from measure import Line, alternate, check, line, two_states
from twin import NetwerkTwin

import gamelab
from gamelab.analysis.peers import uct
from gamelab.search import alphabeta
from gamelab.search.clock import stop_after
from gamelab.search.playout import playout_batch

__all__ = ["alpha_beta", "playout", "tree_search"]

# A position that is far from proven: a search that proves its root stops there, and would look arbitrarily fast.
MIDGAME = """
....B...
..W..W..
..WBWB..
........
W...B.B.
........
........
........
W
"""


def playout(quick: bool) -> list[Line]:
    """Uniformly random games against the C twin. First both must play the same game: as long, and won as often by White."""
    twin, games = NetwerkTwin(), 20_000 if quick else 150_000
    return [row for number, crowding in enumerate(("both", "first")) for row in _playouts(twin, games, number, crowding)]


def _playouts(twin: NetwerkTwin, games: int, number: int, crowding: str) -> list[Line]:
    game = gamelab.load("netwerk", crowding=crowding)
    states, buffer, totals = two_states(game), game.action_buffer(), np.zeros(2)
    rng = np.random.default_rng(1)
    playout_batch(states, 1, buffer, totals, rng)
    totals[:] = 0
    plies: list[int] = []
    twins: list[tuple[int, int, int]] = []
    ours, theirs = alternate(
        lambda: plies.append(playout_batch(states, games, buffer, totals, rng)),
        lambda: twins.append(twin.play(len(twins) + 1, games, number)),
    )
    total = games * len(twins)
    length, their_length = sum(plies) / total, sum(plies for plies, _, _ in twins) / total
    share, their_share = (totals[0] / total + 1) / 2, sum(white + draws / 2 for _, white, draws in twins) / total
    check(
        abs(share - their_share) <= 4 / total**0.5 and abs(length - their_length) <= 40 / total**0.5,
        f"the C twin plays another game: {length:.2f} and {their_length:.2f} plies, White {share:.3f} and {their_share:.3f}",
    )
    return [
        line(f"playout, {crowding}", "games/s", [games / seconds for seconds in ours]),
        line(f"playout, {crowding}", "plies/s", [games * length / seconds for seconds in ours]),
        line(f"C twin, {crowding}", "games/s", [games / seconds for seconds in theirs]),
        line(f"playout, {crowding}", "of the C twin's", [b / a for a, b in zip(ours, theirs, strict=True)], ">= 1.0"),
    ]


def tree_search(quick: bool) -> list[Line]:
    """MCTS simulations against random games from the same state: the floor, for each simulation plays one."""
    simulations, lines = 10_000 if quick else 100_000, []
    for name, text in (("start", None), ("midgame", MIDGAME)):
        lines += _tree_search(simulations, name, text)
    return lines


def _tree_search(simulations: int, name: str, text: str | None) -> list[Line]:
    game = gamelab.load("netwerk")
    states, buffer, totals = two_states(game, text), game.action_buffer(), np.zeros(2)
    rng, never = np.random.default_rng(1), np.zeros(1, np.uint8)
    tree = uct(game, solver=True)

    def search() -> None:
        tree.set_root(states[:1])
        done = tree.run(simulations, rng, never)
        check(done == simulations, f"the {name} was proven after {done} simulations, so their rate means nothing")

    def play() -> None:
        playout_batch(states, simulations, buffer, totals, rng)

    warm = uct(game, solver=True, max_nodes=1000)  # what compiling takes is no node's
    warm.set_root(states[:1])
    warm.run(10, rng, never)
    before = resident_bytes()
    search(), play()
    memory = (resident_bytes() - before) / int(tree.control["used"][0])
    ours, floor = alternate(search, play)
    return [
        line(f"MCTS, {name}", "simulations/s", [simulations / seconds for seconds in ours]),
        line(f"MCTS, {name}", "of the playouts'", [b / a for a, b in zip(ours, floor, strict=True)], ">= 0.6"),
        line(f"MCTS, {name}, memory taken", "bytes a node", [memory]),
        line(f"MCTS, {name}, memory reserved", "bytes a node", [tree.options.bytes_per_node], "<= 40"),
    ]


def resident_bytes() -> int:
    """Memory that this process really holds, from the system; 0 where it does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def alpha_beta(quick: bool) -> list[Line]:
    """Alpha-beta from the start for a second."""
    game, seconds = gamelab.load("netwerk"), 0.2 if quick else 1.0
    searcher = alphabeta.Searcher(game, 64 << 20)
    searcher.search(game.initial_array(), depth=2, nodes=10**9, stop=np.zeros(1, np.uint8))
    rates, depths = [], []
    for _ in range(5):
        searcher.forget()
        with stop_after(seconds) as stop:
            started = time.perf_counter()
            found = searcher.search(game.initial_array(), depth=60, nodes=2**62, stop=stop)
        rates.append(found.nodes / (time.perf_counter() - started))
        depths.append(float(found.depth))
    return [line("alpha-beta", "nodes/s", rates), line(f"alpha-beta, depth in {seconds:g} s", "plies", depths)]
