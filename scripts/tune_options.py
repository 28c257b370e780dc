"""Look for better options of an agent by matches against what it is now.

    .venv/bin/python scripts/tune_options.py netwerk mcts:sims=500 --try c=0.3,0.5,0.7,1 --try rave=0,30,100,300

Candidates take a value of each option at random. Sequential halving (Z. Karnin, T. Koren, O. Somekh, "Almost optimal
exploration in multi-armed bandits", 2013) shares out the pairs of games: all candidates play as many against the agent as it
is, the better half goes on, until one is left. That one is then confirmed, or not, in a match on fresh seeds. The seed decides
all but budgets of time, on any number of workers.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import NoReturn

import gamelab
from gamelab.agents import Agent
from gamelab.arena.match import play_game
from gamelab.arena.pairs import pair_statistics
from gamelab.arena.schedule import Pairing
from gamelab.arena.statistics import elo_from_score
from gamelab.core.errors import GamelabError
from gamelab.core.seeds import stream

ATTEMPTS = 1000  # at a candidate, of which some are no new ones and some exclude each other
Job = tuple[str, str, str, int, int, int]


@cache
def agent(game: str, spec: str, seat: int) -> Agent:
    """One for each seat in each process, warmed up."""
    made = gamelab.make_agent(spec)
    made.warm_up(gamelab.load(game))
    return made


def play_pair(job: Job) -> float:
    """Two games with the same opening, seats swapped. Returns the candidate's mean points."""
    game, candidate, base, seed, number, openings = job
    points = 0.0
    for seat, seats in enumerate(((candidate, base), (base, candidate))):
        pairing = Pairing(2 * number + seat, number, seats, ("candidate", "base"))
        players = [agent(game, spec, place) for place, spec in enumerate(seats)]
        record = play_game(gamelab.load(game), players, pairing, seed=seed, opening_plies=openings)
        points += (record.returns[seat] + 1) / 4
    return points


def candidates(given: argparse.Namespace) -> list[str]:
    """Different specs, the agent's own not among them."""
    rng = stream(given.seed, "candidates")
    options = dict(option.split("=", 1) for option in given.tries)
    choices = {name: values.split(",") for name, values in options.items()}
    if math.prod(map(len, choices.values())) < given.candidates:
        fail(f"--candidates: there are only {math.prod(map(len, choices.values()))} combinations")
    found: dict[str, None] = {}
    for _ in range(ATTEMPTS * given.candidates):
        if len(found) == given.candidates:
            break
        chosen = {name: values[int(rng.integers(len(values)))] for name, values in choices.items()}
        extra = ",".join(f"{name}={value}" for name, value in chosen.items() if value != "none")
        try:
            spec = gamelab.make_agent(given.spec + ("," if ":" in given.spec else ":") + extra).spec
        except gamelab.GamelabError:
            continue  # options that exclude each other
        found[spec] = None
    found.pop(given.spec, None)
    if not found:
        fail("--try: no combination makes another agent")
    return list(found)


def halve(given: argparse.Namespace, pool: ProcessPoolExecutor) -> str:
    """The candidate that is left, after rounds of halving."""
    left = candidates(given)
    scores: dict[str, list[float]] = {spec: [] for spec in left}
    rounds = max(1, math.ceil(math.log2(len(left))))
    number = 0
    for turn in range(rounds):
        each = max(1, given.pairs // (rounds * len(left)))
        # All meet the same openings.
        jobs = [(given.game, spec, given.spec, given.seed, number + i, given.openings) for spec in left for i in range(each)]
        number += each
        for (_, spec, *_), score in zip(jobs, pool.map(play_pair, jobs), strict=True):
            scores[spec].append(score)
        left.sort(key=lambda spec: -sum(scores[spec]) / len(scores[spec]))
        print(f"round {turn + 1} of {rounds}, {each} pairs each:", flush=True)
        for spec in left[:5]:
            print(f"  {100 * sum(scores[spec]) / len(scores[spec]):5.1f} %  {spec}", flush=True)
        left = left[: math.ceil(len(left) / 2)]
    return left[0]


def confirm(spec: str, given: argparse.Namespace, pool: ProcessPoolExecutor) -> None:
    """A match against the agent as it is, on openings that the search did not see."""
    jobs = [(given.game, spec, given.spec, given.seed + 1_000_000, i, given.openings) for i in range(given.confirm)]
    found = pair_statistics(list(pool.map(play_pair, jobs)))
    elo, low, high = (elo_from_score(share) for share in (found.mean, found.low, found.high))
    print(
        f"{spec} against {given.spec}: {found.pairs} pairs, seed {given.seed + 1_000_000}, {given.openings} random opening "
        f"plies: {100 * found.mean:.1f} % ({100 * found.low:.1f}..{100 * found.high:.1f}), Elo {elo:+.0f} "
        f"({low:+.0f}..{high:+.0f}), pairs {found.counts}"
    )


def main() -> None:
    """Search, then confirm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("spec", help="the agent as it is, budget included")
    parser.add_argument("--try", dest="tries", action="append", default=[], metavar="OPTION=VALUE,VALUE,...",
                        help="values of an option to choose from; none leaves it out")  # fmt: skip
    parser.add_argument("--candidates", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=640, help="of the search (default 640)")
    parser.add_argument("--confirm", type=int, default=200, help="pairs of the match afterwards (default 200)")
    parser.add_argument("--openings", type=int, default=4, help="random opening plies (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for name in ("pairs", "confirm", "workers"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: {getattr(given, name)} is less than 1")
    if any("=" not in option for option in given.tries):
        parser.error("--try: write OPTION=VALUE,VALUE,...")
    try:
        with ProcessPoolExecutor(given.workers, mp_context=get_context("fork")) as pool:
            gamelab.load(given.game), gamelab.make_agent(given.spec)
            # Without anything to try: a match of the agent against itself shows what chance does.
            confirm(halve(given, pool) if given.tries else given.spec, given, pool)
    except GamelabError as error:
        fail(str(error))


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"tune_options: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
