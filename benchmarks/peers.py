"""Other libraries at the same work, where they are installed: OpenSpiel's MCTS and pgx's random games."""

from __future__ import annotations

from typing import Any

import numpy as np
from measure import (
    CHECKED_SIMULATIONS,
    Line,
    alternate,
    check,
    check_equal,
    check_same_search,
    line,
    missing,
    one_core,
    two_states,
)

import gamelab
from gamelab.analysis.peers import PEERS, OpenSpielSearch, PeerError, PgxGames, uct
from gamelab.core.game import Game
from gamelab.search.playout import playout_batch

__all__ = ["openspiel", "pgx"]

BATCHES = (1, 64, 1024, 16384)


def openspiel(quick: bool) -> list[Line]:
    """UCT from the start with OpenSpiel's MCTSBot, in C++: the same algorithm, constant and number of simulations."""
    lines = []
    for name in PEERS:
        try:
            lines += _openspiel(gamelab.load(name), 2000 if quick else 50_000)
        except PeerError as error:
            lines.append(missing(f"OpenSpiel, {name}", str(error)))
    return lines


def _openspiel(game: Game, simulations: int) -> list[Line]:
    solver = PEERS[game.name].solver
    tree, rng, never = uct(game, solver), np.random.default_rng(1), np.zeros(1, np.uint8)

    def search(count: int = simulations) -> tuple[dict[int, float], int]:
        tree.set_root(game.initial_array())
        check(tree.run(count, rng, never) == count, f"{game.name} was proven")
        return {int(child["action"]): child["visits"] / count for child in tree.children()}, int(tree.control["used"][0])

    short = OpenSpielSearch(game, CHECKED_SIMULATIONS, solver=solver)
    check_same_search(search, lambda _: _shares_and_size(short.run()))
    peer = OpenSpielSearch(game, simulations, solver=solver)
    search()
    check(peer.run().explore_count == simulations, f"OpenSpiel has proven {game.name}")
    ours, theirs = alternate(search, peer.run)
    name = f"{game.name}, UCT{'' if solver else ' without solver'}"
    goal = ">= 8" if game.name == "connectfour" else ""
    return [
        line(name, "simulations/s", [simulations / seconds for seconds in ours]),
        line("OpenSpiel's MCTSBot", "simulations/s", [simulations / seconds for seconds in theirs]),
        line(name, "times OpenSpiel's", [b / a for a, b in zip(ours, theirs, strict=True)], goal),
    ]


def _shares_and_size(root: Any) -> tuple[dict[int, float], int]:
    """The share of the visits to each of the root's actions, and the nodes of OpenSpiel's tree."""
    shares = {child.action: child.explore_count / root.explore_count for child in root.children}
    nodes, below = 0, [root]
    while below:
        nodes += 1
        below.extend(below.pop().children)
    return shares, nodes


def pgx(quick: bool) -> list[Line]:
    """Uniformly random games with pgx, batched and compiled, both on one core."""
    lines = []
    with one_core():  # jax makes its threads when it is first used
        for name in PEERS:
            try:
                lines += _pgx(gamelab.load(name), 2**14 if quick else 2**19)
            except PeerError as error:
                lines.append(missing(f"pgx, {name}", str(error)))
    return lines


def _pgx(game: Game, plies: int) -> list[Line]:
    peers = [PgxGames(game, batch, plies // batch) for batch in BATCHES]
    states, buffer, totals, rng = two_states(game), game.action_buffer(), np.zeros(2), np.random.default_rng(1)
    games = plies // 8
    played: list[int] = []
    finished: list[list[int]] = [[] for _ in peers]

    def play() -> None:
        played.append(playout_batch(states, games, buffer, totals, rng))

    play()
    works = [lambda peer=peer, ended=ended: ended.append(peer.run()) for peer, ended in zip(peers, finished, strict=True)]
    mine, *theirs = alternate(play, *works)
    lengths = [count / games for count in played]
    rates = [plies / seconds for plies, seconds in zip(played[1:], mine, strict=True)]
    lines = [line(f"{game.name}, playout", "plies/s", rates)]
    for batch, peer, ended, seconds in zip(BATCHES, peers, finished, theirs, strict=True):
        if batch == 1024:  # enough games, each much shorter than a run
            check_equal(f"{game.name}, plies of a random game", lengths, [peer.plies / count for count in ended], 0.1)
        lines.append(line(f"pgx, {batch} at once", "plies/s", [peer.plies / s for s in seconds]))
        lines.append(line(f"pgx, {batch} at once, compiling", "s", [peer.compile_seconds]))
    fastest = [max(peer.plies / s for peer, s in zip(peers, row, strict=True)) for row in zip(*theirs, strict=True)]
    lines.append(line(f"{game.name}, playout", "times pgx's fastest", [a / b for a, b in zip(rates, fastest, strict=True)]))
    return lines
