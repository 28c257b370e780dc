"""Solve Spider Wars on the mini web: the value of every position, and how many actions away its end is.

    .venv/bin/python scripts/solve_spiderwars.py --table mini.npy
    .venv/bin/python scripts/solve_spiderwars.py --table mini.npy --record spiderwars_mini.toml --games 1000 --seed 1

Retrograde analysis over all positions of two Daddies and two small spiders on 13 holes, also those that no game reaches: all
actions of all positions are listed once and turned round, then wins and losses spread backwards from the ends. The rules are
those of `spiderwars_mini.py`, written for this and taking nothing from the game that they check.

Positions leave out the numbers of turns and passes. The values hold for the game all the same. Where both must pass, they
must pass for ever, so the draw by two passes is what comes out without that rule. A player whom nobody can beat in any
number of turns is not beaten in 200 either: draws stay draws. A win in n actions takes at most n turns, and holds if so many
are left before `max_turns`; else it may be a draw.

With --record, games between agents are written down with the score of each position: n if the player to act wins in n
actions of both players together, -n if they lose in n, 0 for a draw. Takes about 1.5 GB.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from spiderwars_mini import PHASES, POSITIONS, START, WON, graph, options

import gamelab
from gamelab.agents import Agent
from gamelab.core._jit import njit
from gamelab.core.errors import GamelabError
from gamelab.core.seeds import stream


@njit
def turn_round(first, children, start, parents):  # type: ignore[no-untyped-def]
    """List where each position can come from: `parents[start[p]:start[p + 1]]`. `start` holds the ends and gets the starts."""
    for position in range(len(first) - 1):
        for child in children[first[position] : first[position + 1]]:
            if child != WON:
                start[child] -= 1
                parents[start[child]] = position


@njit
def win_at_once(first, children, scores, queue):  # type: ignore[no-untyped-def]
    """Score the positions that an action wins. Returns how many they are, in the queue."""
    known = 0
    for position in range(len(first) - 1):
        for child in children[first[position] : first[position + 1]]:
            if child == WON and scores[position] == 0:
                scores[position] = 1
                queue[known] = position
                known += 1
    return known


@njit
def spread(left, start, parents, scores, queue, known):  # type: ignore[no-untyped-def]
    """Score all that is won or lost, nearest to the end first. `left` are the actions not known to lose; used up."""
    head = 0
    while head < known:
        child = queue[head]
        head += 1
        mine = scores[child] if child % PHASES else -scores[child]
        for parent in parents[start[child] : start[child + 1]]:
            if scores[parent] != 0:
                continue
            left[parent] -= 1
            # Any action that wins will do, and the nearest comes first; a loss takes all, and the longest comes last.
            if mine > 0 or left[parent] == 0:
                scores[parent] = mine + 1 if mine > 0 else mine - 1
                queue[known] = parent
                known += 1


@njit
def reach(first, children, seen, queue, tail):  # type: ignore[no-untyped-def]
    """Mark all positions that can come about after the first `tail` of the queue, which are marked."""
    head = 0
    while head < tail:
        position = queue[head]
        head += 1
        for child in children[first[position] : first[position + 1]]:
            if child != WON and not seen[child]:
                seen[child] = True
                queue[tail] = child
                tail += 1


def solve(first: NDArray[np.int64], children: NDArray[np.int32]) -> NDArray[np.int16]:
    """The score of each position: n if the player to act wins in n actions, -n for a loss, 0 for a draw or no position."""
    start = np.cumsum(np.bincount(children[children != WON], minlength=POSITIONS + 1))
    parents = np.zeros(start[-1], np.int32)
    turn_round(first, children, start, parents)
    scores, queue = np.zeros(POSITIONS, np.int16), np.zeros(POSITIONS, np.int32)
    known = win_at_once(first, children, scores, queue)
    spread(np.diff(first).astype(np.uint8), start, parents, scores, queue, np.int64(known))
    return scores


def value(child: int, scores: NDArray[np.int16]) -> int:
    """What a child's score is for the player who has just acted, a distance longer."""
    if child == WON:
        return 1
    score = int(scores[child]) if child % PHASES else -int(scores[child])
    return score + (score > 0) - (score < 0)


def better(score: int) -> tuple[int, int]:
    """Sorts scores: wins before draws before losses, quick wins and slow losses first."""
    return (score > 0) - (score < 0), -score


# --- what comes out ---------------------------------------------------------------------------------------------------


def best_line(scores: NDArray[np.int16]) -> tuple[list[str], int]:
    """Best play from the start, to the end or for 40 actions, and the score of the start."""
    line: list[str] = []
    position, player, first = START, 0, 0
    while position != WON and len(line) < 40:
        choices = options(position, player, opening=not line)
        name = max(choices, key=lambda move: better(value(choices[move], scores)))
        first = first or value(choices[name], scores)
        line.append(name)
        position = choices[name]
        player = player if position % PHASES else 1 - player
    return line, first


def report(first: NDArray[np.int64], children: NDArray[np.int32], scores: NDArray[np.int16]) -> None:
    """Print how many positions are won, lost and drawn, and how the start is."""
    seen, queue = np.zeros(POSITIONS, np.bool_), np.zeros(POSITIONS, np.int32)
    roots = sorted(set(options(START, 0, opening=True).values()) - {WON})
    queue[: len(roots)] = roots
    seen[roots] = True
    reach(first, children, seen, queue, np.int64(len(roots)))
    for words, some in (("all", np.diff(first) > 0), ("after a first move", seen)):
        for turn, phases in (("start of a turn", slice(0, 1)), ("in mid-turn", slice(1, PHASES))):
            found = scores.reshape(-1, PHASES)[:, phases][some.reshape(-1, PHASES)[:, phases]]
            print(
                f"{words}, {turn}: {found.size:,} positions, {np.count_nonzero(found > 0):,} won, "
                f"{np.count_nonzero(found < 0):,} lost, {np.count_nonzero(found == 0):,} drawn; "
                f"longest win {found.max()}, longest loss {-found.min()}"
            )
    line, score = best_line(scores)
    print(f"start: {score} for the first player (0: draw; n: a win in n actions; -n: a loss)\nbest play: {' '.join(line)}")
    for name, child in options(START, 0, opening=True).items():
        print(f"  {name} {value(child, scores)}")


# --- games with the score of each position ----------------------------------------------------------------------------


def scored_game(given: argparse.Namespace, agents: list[Agent], number: int, scores: NDArray[np.int16]) -> dict[str, Any]:
    """One game between the agents, seats swapped in every second one, after random first actions."""
    state = gamelab.load("spiderwars", web="mini").new_initial_state()
    rng = stream(given.seed, "solve_spiderwars", number)
    position, moves, found = START, [], []
    while not state.is_terminal():
        player = state.current_player()
        choices = options(position, player, opening=not moves)
        found.append(max((value(child, scores) for child in choices.values()), key=better))
        if len(moves) < given.random:
            action = int(rng.choice(state.legal_actions()))
        else:
            action = agents[(player + number) % 2].choose(state, rng)
        moves.append(state.action_to_string(action))
        if moves[-1] not in choices:
            fail(f"the game plays {moves[-1]!r} after {moves[:-1]}, which is no action by the rules of this script")
        position = choices[moves[-1]]
        state.apply_action(action)
    return {"moves": " ".join(moves), "scores": found}


def record(given: argparse.Namespace, scores: NDArray[np.int16]) -> None:
    """Write games as TOML."""
    agents = [gamelab.make_agent(spec) for spec in given.agents]
    games: list[dict[str, Any]] = []
    held: Counter[int] = Counter()
    for number in range(given.games):
        for agent in agents:
            agent.new_game()
        game = scored_game(given, agents, number, scores)
        if any(held[score] < given.each for score in game["scores"]):
            games.append(game)
            held.update(game["scores"])
    lines = [
        "# Games of Spider Wars on the mini web, and what each position before an action is worth to the player to act: n if",
        "# they win in n actions of both players together, -n if they lose in n, 0 for a draw. Written by",
        f"# scripts/solve_spiderwars.py --games {given.games} --each {given.each} --random {given.random} "
        f"--seed {given.seed} --agents {' '.join(given.agents)}",
    ]
    for game in games:
        lines += ["", "[[game]]", f'moves = "{game["moves"]}"', f"scores = {game['scores']}"]
    given.record.write_text("\n".join(lines) + "\n")


def read_table(path: Path) -> NDArray[np.int16] | None:
    """The scores that an earlier run wrote, if there are any.

    Raises
    ------
    ValueError
        If the file is of another kind, or could not be written either.
    """
    check_folder(path)
    if not path.exists():
        return None
    try:
        scores = np.load(path, allow_pickle=False)
    except (ValueError, EOFError):
        scores = None
    if getattr(scores, "shape", None) != (POSITIONS,) or scores.dtype != np.int16:
        raise ValueError(f"{path} is no table of this script")
    return scores  # type: ignore[no-any-return]


def check_folder(path: Path) -> None:
    """Raise ValueError if a file cannot lie there, before anything is computed."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {path.parent}")


def run(given: argparse.Namespace) -> None:
    """Check all that was given, then solve or read, report and record."""
    for spec in given.agents:
        gamelab.make_agent(spec)
    if given.record:
        check_folder(given.record)
    scores = read_table(given.table) if given.table else None
    first, children = graph()
    if scores is None:
        scores = solve(first, children)
        if given.table:
            with given.table.open("wb") as file:  # given a name, np.save would add a suffix
                np.save(file, scores)
    report(first, children, scores)
    if given.record:
        record(given, scores)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="the scores of all positions: read if it is there, else written"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write games with the score of each position, as TOML")
    parser.add_argument("--games", type=int, default=1000, help="to play (default 1000)")
    parser.add_argument("--each", type=int, default=6, metavar="N",
                        help="record only games with a score that fewer than N positions have yet (default 6)")  # fmt: skip
    parser.add_argument("--random", type=int, default=3, help="random actions at the start of each game (default 3)")
    parser.add_argument("--agents", nargs=2, default=["mcts:sims=100", "random"], metavar="SPEC")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name, least in (("games", 1), ("each", 1), ("random", 0), ("seed", 0)):
        if getattr(given, name) < least:
            fail(f"--{name}: {getattr(given, name)} is less than {least}")
    try:
        run(given)
    except (GamelabError, OSError, ValueError) as error:
        fail(str(error))


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"solve_spiderwars: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
