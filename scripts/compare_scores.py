"""What agents score in a game for one player, all with the same luck, and what a clairvoyant scores.

    .venv/bin/python scripts/compare_scores.py kreuzquer -p players=1 greedy random mcts:sims=1000 --seeds 100

Each seed settles all that chance brings; every agent plays one game with it. The clairvoyant knows it from the start: a beam
search of the given width finds it a line, and perhaps not the best one, so its score is that of somebody who nearly knows best.

score         mean return with its 95 % interval (Student's)
regret        how much less that is than the clairvoyant's on the same luck
gain          how much more it is than that of the agent named first, and in percent of that

The intervals of regret and gain are those of the differences, seed by seed: what the same luck does to both drops out.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import NamedTuple, NoReturn

import numpy as np

import gamelab
from gamelab.agents import Agent
from gamelab.analysis.clairvoyant import DEFAULT_WIDTH, best_score, luck, mean_score, score
from gamelab.arena.tournament import MAX_WORKERS
from gamelab.cli.options import load_game
from gamelab.core.errors import GamelabError, ParameterError
from gamelab.core.game import Game
from gamelab.core.seeds import stream

CLAIRVOYANT = "clairvoyant"


class Job(NamedTuple):
    """One game."""

    game: str
    parameters: tuple[str, ...]
    spec: str  # or CLAIRVOYANT
    seed: int
    width: int  # of the clairvoyant's search


@cache
def load(name: str, parameters: tuple[str, ...]) -> Game:
    """The game, once in each process."""
    return load_game(name, parameters)


@cache
def agent(name: str, parameters: tuple[str, ...], spec: str) -> Agent:
    """The agent, once in each process, warmed up."""
    made = gamelab.make_agent(spec)
    made.warm_up(load(name, parameters))
    return made


def play(job: Job) -> tuple[float, float]:
    """The return, and the seconds of processor time that it took."""
    game = load(job.game, job.parameters)
    outcomes = luck(game, job.seed)
    if job.spec == CLAIRVOYANT:
        started = time.process_time()
        return best_score(game, outcomes, width=job.width), time.process_time() - started
    player, rng = agent(job.game, job.parameters, job.spec), stream(job.seed, "compare_scores", job.spec)
    started = time.process_time()
    return score(player, game, outcomes, rng), time.process_time() - started


def compare(given: argparse.Namespace) -> None:
    """Print one row for each player as soon as its games are played."""
    parameters = tuple(given.parameters)
    game = load(given.game, parameters)
    if game.num_players != 1:
        raise ParameterError(f"{game!r} has {game.num_players} players; scores are compared in games for one")
    specs = [gamelab.make_agent(spec).spec for spec in given.specs]
    for spec in specs:
        agent(given.game, parameters, spec)  # whatever cannot play says so before anything is played
    best_score(game, luck(game, 0), width=1)
    print("| player | score | regret | gain |" + " seconds a game |" * given.seconds)
    print("| --- | --- | --- | --- |" + " --- |" * given.seconds)
    scores: dict[str, np.ndarray] = {}
    # Forked: the workers have what is compiled above.
    with ProcessPoolExecutor(min(given.workers, given.seeds), mp_context=get_context("fork")) as pool:
        for spec in (CLAIRVOYANT, *specs):
            seeds = range(given.first, given.first + given.seeds)
            played = list(pool.map(play, [Job(given.game, parameters, spec, seed, given.width) for seed in seeds]))
            scores[spec] = np.array([value for value, _ in played])
            seconds = f" {sum(used for _, used in played) / len(played):.3g} |" if given.seconds else ""
            print(row(spec, scores, specs[0]) + seconds, flush=True)


def row(spec: str, scores: dict[str, np.ndarray], first: str) -> str:
    """A row of the table."""
    mine = scores[spec]
    cells = [spec, with_interval(mine), "", ""]
    if spec != CLAIRVOYANT:
        cells[2] = with_interval(scores[CLAIRVOYANT] - mine)
        if spec != first:
            gain = mine - scores[first]
            base = abs(scores[first].mean())
            cells[3] = with_interval(gain) + (f" ({100 * gain.mean() / base:+.0f} %)" if base > 0 else "")
    return f"| {' | '.join(cells)} |"


def with_interval(sample: np.ndarray) -> str:
    """The mean and half the width of its interval."""
    found = mean_score(sample)
    return f"{found.value:.2f} ± {found.high - found.value:.2f}"


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("specs", nargs="+", metavar="SPEC", help="an agent; the others are compared with the first")
    parser.add_argument("-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    parser.add_argument("--seeds", type=int, default=100, help="how many games each (default 100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--width", type=int, default=DEFAULT_WIDTH, help=f"of the beam search (default {DEFAULT_WIDTH})")
    parser.add_argument("--seconds", action="store_true", help="show the processor time as well")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)")
    given = parser.parse_args()
    for name, least in (("seeds", 2), ("first", 0), ("width", 1), ("workers", 1)):
        if getattr(given, name) < least:
            fail(f"--{name}: {getattr(given, name)} is less than {least}")
    if given.workers > MAX_WORKERS:
        fail(f"--workers: {given.workers} is more than {MAX_WORKERS}")
    try:
        compare(given)
    except GamelabError as error:
        fail(str(error))


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"compare_scores: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
