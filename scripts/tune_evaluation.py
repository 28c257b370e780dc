"""Tune the weights of Netwerk's evaluation by self-play.

    .venv/bin/python scripts/tune_evaluation.py --steps 300 --seed 1

SPSA (J. Spall, "An overview of the simultaneous perturbation method for efficient optimization", 1998), as chess engines are
tuned: each sample changes all weights at once, up or down at random, and lets the two opposite changes play a pair of games;
each step moves the weights a little towards what won. All is random by the seed alone, and the same on any number of
workers: the samples of a step are played at once, and the weights move when all are over.

The result is then confirmed, or not, in a match on fresh seeds against the weights it began with. What is kept goes by hand
into `gamelab/games/netwerk/evaluation.py`, with the line of the match in `docs/strength.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamelab.arena.pairs import pair_statistics
from gamelab.core import kernels, rules
from gamelab.core.rules import TERMINAL, implements, state_dtype
from gamelab.core.seeds import stream
from gamelab.games.netwerk import Netwerk
from gamelab.games.netwerk import rules as netwerk
from gamelab.games.netwerk.evaluation import FEATURES, WEIGHTS, weigh
from gamelab.search.alphabeta import Searcher

# How far one sample changes a weight, to begin with: what a tenth of a stone's worth is to the feature.
SCALES = np.array([0.06, 0.05, 0.04, 0.04, 0.04, 0.04, 0.04, 0.08, 0.008, 0.05, 0.08, 0.06, 0.1])
OPENING_PLIES = 4
TABLE_BYTES = 1 << 21
# Gains of SPSA: exponents as Spall advises; the rest as engines' testers do, from how far the weights shall move in all.
ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1


def _fields() -> list[Any]:
    """The fields of Netwerk's states, with titles, and the weights as one more."""
    old = netwerk.DTYPE
    fields = [((old.fields[name][2], name), old.fields[name][0]) for name in old.names]
    return [*fields, (("weights of the evaluation", "weights"), np.float64, (len(FEATURES),))]


DTYPE = state_dtype(_fields(), __file__)

for rule in ("initial", "current_player", "legal_actions", "random_action", "apply_action", "returns", "state_key"):
    implements(getattr(rules, rule), DTYPE)(getattr(netwerk, rule))


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # noqa: D103 - as the rule says
    weigh(state, state["weights"], out)


class Weighted(Netwerk):
    """Netwerk whose states carry the weights that judge them."""

    dtype = DTYPE


@cache
def searchers() -> tuple[Searcher, Searcher]:
    """Two in each process; compiled once."""
    game = Weighted()
    return Searcher(game, TABLE_BYTES), Searcher(game, TABLE_BYTES)


def play(weights: tuple[NDArray[np.float64], NDArray[np.float64]], rng: np.random.Generator, nodes: int) -> float:
    """One game after a random opening. Returns the first weights' points: 1, 1/2 or 0; they are White's."""
    game = Weighted()
    array, buffer, never = game.initial_array(), game.action_buffer(), np.zeros(1, np.uint8)
    for searcher in searchers():
        searcher.forget()
    for _ in range(OPENING_PLIES):
        kernels.apply_action(array, kernels.random_action(array, buffer, rng.random()))
    while (player := kernels.current_player(array)) != TERMINAL:
        array["weights"] = weights[player]
        found = searchers()[player].search(array, depth=30, nodes=nodes, stop=never)
        kernels.apply_action(array, found.action)
    values = np.zeros(2)
    kernels.returns(array, values)
    return float(values[0] + 1) / 2


def play_pair(job: tuple[NDArray[np.float64], NDArray[np.float64], int, str, int], nodes: int) -> float:
    """Two games with the same opening, seats swapped. Returns the mean points of the first weights."""
    one, other, seed, purpose, number = job
    first = play((one, other), stream(seed, purpose, number), nodes)
    second = play((other, one), stream(seed, purpose, number), nodes)
    return (first + 1 - second) / 2


def tune(given: argparse.Namespace, pool: ProcessPoolExecutor) -> NDArray[np.float64]:
    """The weights after all steps; prints them on the way."""
    weights, play_job = WEIGHTS.copy(), partial(play_pair, nodes=given.nodes)
    stability = STABILITY * given.steps
    for step in range(given.steps):
        signs = stream(given.seed, "signs", step).choice([-1.0, 1.0], (given.samples, len(weights)))
        width = SCALES / (1 + step) ** GAMMA
        jobs = [
            (weights + width * sign, weights - width * sign, given.seed, "pair", step * given.samples + i)
            for i, sign in enumerate(signs)
        ]
        scores = np.array(list(pool.map(play_job, jobs)))
        gain = given.rate * ((1 + stability) / (1 + step + stability)) ** ALPHA
        weights = weights + gain * width * ((2 * scores - 1) @ signs)
        if (step + 1) % max(1, given.steps // 20) == 0:
            print(f"{step + 1:5} {json.dumps(weights.round(4).tolist())}", flush=True)
    return weights


def confirm(weights: NDArray[np.float64], given: argparse.Namespace, pool: ProcessPoolExecutor) -> None:
    """A match of the weights against those in use, on seeds that the tuning did not see."""
    jobs = [(weights, WEIGHTS, given.seed, "confirm", number) for number in range(given.confirm)]
    found = pair_statistics(list(pool.map(partial(play_pair, nodes=given.nodes), jobs)))
    print(
        f"{given.confirm} pairs, {given.nodes} nodes a move, seed {given.seed}: {100 * found.mean:.1f} % "
        f"({100 * found.low:.1f}..{100 * found.high:.1f}), pairs {found.counts}, LOS {100 * found.los:.2f} %"
    )


def main() -> None:
    """Tune, then confirm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200, help="steps of SPSA (default 200)")
    parser.add_argument("--samples", type=int, default=16, help="pairs of games a step (default 16)")
    parser.add_argument("--nodes", type=int, default=8000, help="states a move (default 8000)")
    parser.add_argument("--rate", type=float, default=0.05, help="first step, in changes of a sample (default 0.05)")
    parser.add_argument("--confirm", type=int, default=500, help="pairs of the match afterwards (default 500)")
    parser.add_argument("--weights", help="no tuning: only confirm these, a JSON list")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for name in ("steps", "samples", "nodes", "confirm", "workers"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)} is less than 1")
    with ProcessPoolExecutor(given.workers, mp_context=get_context("fork")) as pool:
        if given.weights:
            try:
                weights = np.array(json.loads(given.weights), float)
            except ValueError:
                weights = np.zeros(0)
            if weights.shape != WEIGHTS.shape:
                parser.error(f"--weights: not a JSON list of {len(WEIGHTS)} numbers")
        else:
            weights = tune(given, pool)
        confirm(weights, given, pool)
    for weight, feature in zip(weights, FEATURES, strict=True):
        print(f"{weight:8.4f}  {feature}")


if __name__ == "__main__":
    sys.exit(main())
