"""Play today's agents against those of an older revision of this repository.

    .venv/bin/python scripts/match_revision.py HEAD~20 netwerk alphabeta:time=1 --pairs 50
    .venv/bin/python scripts/match_revision.py v0.1 netwerk alphabeta:time=1 --old alphabeta:depth=4

The old agent runs in a process of its own, on sources taken from git into a temporary folder, in the same environment. It is
told the moves of the game and answers with its own; both think in turn, so neither takes time from the other.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NoReturn

import gamelab
from gamelab.agents import Agent
from gamelab.agents.base import Rng
from gamelab.arena.match import play_game
from gamelab.arena.pairs import pair_statistics
from gamelab.arena.schedule import round_robin
from gamelab.arena.statistics import elo_from_score
from gamelab.core.errors import GamelabError
from gamelab.core.state import State

ROOT = Path(__file__).resolve().parent.parent
SERVER = """
import json, sys
import gamelab
game = gamelab.load(sys.argv[1])
agent = gamelab.make_agent(sys.argv[2])
agent.warm_up(game)
print("ready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["new"]:
        agent.new_game()
    print(agent.choose(game.state_from_actions(asked["actions"]), asked["seed"]), flush=True)
"""


class Past(Agent):
    """An agent of older sources, in a process of its own."""

    name = "past"

    def __init__(self, sources: Path, game: str, spec: str) -> None:
        super().__init__()
        environment = {**os.environ, "PYTHONPATH": str(sources)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER, game, spec],
            cwd=sources, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._new = True
        if self._answer() != "ready":
            fail(f"the older revision cannot play {game} with {spec}")

    def new_game(self) -> None:
        self._new = True

    def choose(self, state: State, rng: Rng) -> int:
        seed = rng if isinstance(rng, int) else int(rng.integers(2**31))
        self._process.stdin.write(json.dumps({"new": self._new, "actions": state.history(), "seed": seed}) + "\n")
        self._process.stdin.flush()
        self._new = False
        return int(self._answer())

    def _answer(self) -> str:
        return self._process.stdout.readline().strip()


def take_sources(revision: str, folder: Path) -> None:
    """Write the package as it was at a revision into a folder."""
    packed = subprocess.run(["git", "archive", revision, "gamelab"], cwd=ROOT, capture_output=True)
    if packed.returncode:
        fail(f"no sources of revision {revision!r}: {packed.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


def match(given: argparse.Namespace, past: Past) -> None:
    """Play the pairs and print the new agent's score."""
    game, agent = gamelab.load(given.game), gamelab.make_agent(given.spec)
    agent.warm_up(game)
    scores: dict[int, list[float]] = {}
    forfeits = []
    for pairing in round_robin(["new", "old"], 2 * given.pairs):
        seats = [agent if seat == "new" else past for seat in pairing.seats]
        record = play_game(game, seats, pairing, seed=given.seed, opening_plies=given.openings)
        scores.setdefault(pairing.pair_id, []).append((record.returns[pairing.seats.index("new")] + 1) / 2)
        if record.forfeit is not None:
            forfeits.append(record.ending)
        done = pairing.pair_id + 1
        if pairing.game_id % 2 and (done == given.pairs or done % max(1, given.pairs // 10) == 0):
            report(given, scores)
    for ending in forfeits:
        print(ending)


def report(given: argparse.Namespace, scores: dict[int, list[float]]) -> None:
    """One line with the score so far."""
    found = pair_statistics([sum(pair) / 2 for pair in scores.values()])
    elo, low, high = (elo_from_score(share) for share in (found.mean, found.low, found.high))
    print(
        f"{given.spec} against {given.old or given.spec} of {given.revision}: {found.pairs} pairs, seed {given.seed}, "
        f"{given.openings} random opening plies: {100 * found.mean:.1f} % ({100 * found.low:.1f}..{100 * found.high:.1f}), "
        f"Elo {elo:+.0f} ({low:+.0f}..{high:+.0f}), pairs {found.counts}",
        flush=True,
    )


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="of the older agent, as git names it")
    parser.add_argument("game")
    parser.add_argument("spec", help="of today's agent")
    parser.add_argument("--old", help="spec of the older agent (default: the same)")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--openings", type=int, default=4, help="random opening plies (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.pairs < 1:
        parser.error(f"--pairs: {given.pairs} is less than 1")
    with tempfile.TemporaryDirectory() as folder:
        take_sources(given.revision, Path(folder))
        try:
            match(given, Past(Path(folder), given.game, given.old or given.spec))
        except GamelabError as error:
            fail(str(error))


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"match_revision: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
