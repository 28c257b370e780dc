"""Tune the weights of Kreuz & Quer's evaluation by the scores of the greedy policy that goes by them.

It plays alone, on all four boards. This is a search of policies by evolution strategies (I. Rechenberg, "Evolutionsstrategie",
1973; T. Salimans et al., "Evolution strategies as a scalable alternative to reinforcement learning", 2017): each sample changes
all weights at random, once up and once down, and both play the same tiles; the difference of their mean minus points says which
way to go. A step goes against the mean of all samples, with momentum (as in D. Kingma, J. Ba, "Adam", 2014, but with one scale
for all weights). The mean of the latest weights is the result.

What is best to choose by need not be right on average, so in the end the constants are fitted, by least squares, to how the
games end; they are the same for all actions of a choice. The result is confirmed, or not, against the weights in use, on tiles
that the tuning did not see. What is kept goes by hand into gamelab/games/kreuzquer/evaluation.py.

    .venv/bin/python scripts/tune_scores.py --steps 80
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from numpy.typing import NDArray

import gamelab
from gamelab.analysis.clairvoyant import mean_score
from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.seeds import stream
from gamelab.games.kreuzquer.evaluation import CONSTANT, PHASES, WEIGHTS, by_free_cells, expected_after
from gamelab.games.kreuzquer.rules import DRAW, ROUNDS

GAMES = [gamelab.load("kreuzquer", players=1, board_of_seat=board) for board in "ABCD"]
STARTS = np.concatenate([game.initial_array() for game in GAMES])
TILES = np.repeat(np.arange(len(GAMES[0].tiles.sides)), GAMES[0].tiles.copies)
CHANGE = 0.05  # standard deviation of a weight's change in a sample
RATE = 0.01  # of a step, root mean square over the weights
MOMENTUM, SCALE, AVERAGE = 0.9, 0.97, 0.9  # how much of the old stays: of the gradient, of its square, of the result


@njit
def play(starts, orders, weights, room, actions, values, guesses, minus):  # type: ignore[no-untyped-def]
    """Play a game by the weights for each order of tiles; `guesses`, (games, ROUNDS), is what they said after each move."""
    for game in range(len(orders)):
        room[0] = starts[game % len(starts)]
        for number in range(ROUNDS):
            rules.apply_action(room[0], DRAW + orders[game, number])
            count = rules.legal_actions(room[0], actions)
            expected_after(room[0], actions, count, weights, values)
            best = 0
            for i in range(1, count):
                if values[i] < values[best]:
                    best = i
            rules.apply_action(room[0], actions[best])
            guesses[game, number] = values[best]
        minus[game] = room[0]["minus"][0]


def played(weights: NDArray[np.float64], orders: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The minus points of the games, and the guesses on the way."""
    guesses, minus = np.zeros((len(orders), ROUNDS)), np.zeros(len(orders))
    room, actions = GAMES[0].initial_array(), GAMES[0].action_buffer()
    play(STARTS, orders, by_free_cells(weights), room, actions, np.zeros(len(actions)), guesses, minus)
    return minus, guesses


def draw_orders(rng: np.random.Generator, games: int) -> NDArray[np.int64]:
    """The tiles of so many games."""
    return np.array([rng.permutation(TILES)[:ROUNDS] for _ in range(games)])


def tune(given: argparse.Namespace) -> NDArray[np.float64]:
    """The weights after all steps; prints their mean score on the way."""
    weights, average = WEIGHTS.copy(), WEIGHTS.copy()
    momentum, scale = np.zeros_like(weights), 0.0
    for step in range(1, given.steps + 1):
        rng = stream(given.seed, "step", step)
        orders, gradient = draw_orders(rng, given.games), np.zeros_like(weights)
        for _ in range(given.samples):
            change = rng.standard_normal(weights.shape)
            up, down = (played(weights + sign * CHANGE * change, orders)[0].mean() for sign in (1, -1))
            gradient += change * (up - down) / (2 * CHANGE * given.samples)
        momentum = MOMENTUM * momentum + (1 - MOMENTUM) * gradient
        scale = SCALE * scale + (1 - SCALE) * float((gradient**2).mean())
        direction = momentum / (1 - MOMENTUM**step) / (np.sqrt(scale / (1 - SCALE**step)) + 1e-9)
        weights = weights - RATE * direction
        average = AVERAGE * average + (1 - AVERAGE) * weights
        if step % 10 == 0:
            print(f"{step:5} {played(average, orders)[0].mean():.2f}", flush=True)
    return calibrated(average, draw_orders(stream(given.seed, "calibrate"), given.confirm))


def calibrated(weights: NDArray[np.float64], orders: NDArray[np.int64]) -> NDArray[np.float64]:
    """The same weights with other constants, so that guesses are right on average after each round, as nearly as can be."""
    minus, guesses = played(weights, orders)
    shares = by_free_cells(np.eye(PHASES))[ROUNDS - 1 : 0 : -1]  # of the phases, after each round
    errors = (minus[:, None] - guesses[:, : ROUNDS - 1]).mean(axis=0)
    result = weights.copy()
    result[:, CONSTANT] += np.linalg.lstsq(shares, errors, rcond=None)[0]
    return result


def main() -> None:
    """Tune, then confirm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=80, help="(default 80)")
    parser.add_argument("--samples", type=int, default=24, help="pairs of changed weights a step (default 24)")
    parser.add_argument("--games", type=int, default=400, help="games of each in a step (default 400)")
    parser.add_argument("--confirm", type=int, default=8000, help="games of the comparison afterwards (default 8000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name, least in (("steps", 0), ("samples", 1), ("games", 1), ("confirm", 2), ("seed", 0)):
        if getattr(given, name) < least:
            parser.error(f"--{name}: {getattr(given, name)} is less than {least}")
    weights = tune(given)
    orders = draw_orders(stream(given.seed, "confirm"), given.confirm)
    before, after = played(WEIGHTS, orders)[0], played(weights.round(2), orders)[0]
    gain = mean_score(before - after)
    print(f"{given.confirm} games: {before.mean():.2f} before, {after.mean():.2f} after, gain {gain.low:.2f}..{gain.high:.2f}")
    print(json.dumps(weights.round(2).tolist()))


if __name__ == "__main__":
    main()
