"""How well agents play Kuhn poker, exactly: their exploitability, and what their choices cost against an equilibrium.

    .venv/bin/python scripts/measure_regret.py random greedy mcts:sims=100 --seeds 1000
    .venv/bin/python scripts/measure_regret.py mcts:sims=100 --policy

At each of the 12 information sets an agent is asked once for each seed, as the arena asks it: with a state resampled for the
player, never the true one, and with nothing kept from before. How often it chooses what is the mixed policy that it plays.

exploitable   of that policy: what it loses on average over both seats to an opponent that knows it, compared with an
              equilibrium. So many seeds make a policy only roughly; the first row, an equilibrium itself drawn from as often,
              tells how much of the figure is chance.
regret        of the choices of one seed, against an opponent that plays an equilibrium: what each choice loses to the best one,
              times how likely its information set is reached, together; the mean over seats and seeds with its standard error.

Both are in thousandths of a chip. Equilibria are H. W. Kuhn's (1950), one for each alpha from 0 to 1/3.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import NoReturn

import numpy as np

import gamelab
from gamelab.agents import Agent, view_for
from gamelab.agents.base import Rng
from gamelab.analysis.exploitability import expected_returns, exploitability
from gamelab.analysis.gametree import game_tree
from gamelab.core.errors import GamelabError
from gamelab.core.seeds import stream
from gamelab.core.state import State

PASS, BET = 0, 1
MILLICHIPS = 2000  # in a unit of returns
Choices = dict[str, list[int]]


def equilibrium_policy(alpha: float) -> dict[str, dict[int, float]]:
    """What both players do in one of Kuhn's equilibria, at each information set."""
    first = {"0 ?": alpha, "1 ?": 0, "2 ?": 3 * alpha, "0 ? pb": 0, "1 ? pb": alpha + 1 / 3, "2 ? pb": 1}
    second = {"? 0 p": 1 / 3, "? 1 p": 0, "? 2 p": 1, "? 0 b": 0, "? 1 b": 1 / 3, "? 2 b": 1}
    return {text: {PASS: 1 - bet, BET: bet} for text, bet in (first | second).items()}


class Equilibrium(Agent):
    """Draws its actions from an equilibrium."""

    name = "equilibrium"

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._policy = equilibrium_policy(alpha)

    def choose(self, state: State, rng: Rng) -> int:
        bet = self._policy[state.information_state_string(state.current_player())][BET]
        return BET if np.random.default_rng(rng).random() < bet else PASS


def ask(agent: Agent, seeds: int) -> Choices:
    """What the agent chooses at each information set, with each seed."""
    game = gamelab.load("kuhn")
    agent.warm_up(game)
    found: Choices = {}
    for one in game_tree(game).information_sets:
        found[one.text] = []
        for seed in range(seeds):
            rng = stream(seed, "measure_regret", agent.spec, one.text)
            agent.new_game()
            found[one.text].append(agent.choose(view_for(agent.spec, one.state, one.player, rng), rng))
    return found


def mixed_policy(choices: Choices) -> dict[str, dict[int, float]]:
    """The policy of playing what was chosen as often as it was."""
    return {text: {action: made.count(action) / len(made) for action in (PASS, BET)} for text, made in choices.items()}


def regrets(choices: Choices, alpha: float, seeds: int) -> list[float]:
    """What the choices of each seed lose against the equilibrium, a mean over both seats.

    What a policy loses in all is the sum of what each choice loses, times the probability that it is reached.
    """
    game, best = gamelab.load("kuhn"), equilibrium_policy(alpha)
    value = expected_returns(game, best)
    found = []
    for seed in range(seeds):
        pure = {text: {made[seed]: 1.0} for text, made in choices.items()}
        losses = [value[0] - expected_returns(game, [pure, best])[0], value[1] - expected_returns(game, [best, pure])[1]]
        found.append(sum(losses) / 2)
    return found


def report(agent: Agent, given: argparse.Namespace) -> None:
    """One row of the table; with --policy, the share of bets at each information set as well."""
    choices = ask(agent, given.seeds)
    policy = mixed_policy(choices)
    exploited = MILLICHIPS * exploitability(gamelab.load("kuhn"), policy)
    lost = MILLICHIPS * np.array(regrets(choices, given.alpha, given.seeds))
    error = lost.std(ddof=1) / math.sqrt(len(lost))
    # A loss of nothing may come out as one of 1e-14.
    print(f"| {agent.spec} | {exploited:.1f} | {max(0.0, lost.mean()):.1f} ± {error:.1f} |", flush=True)
    if given.policy:
        print("    bets: " + ", ".join(f"{text}: {shares[BET]:.3f}" for text, shares in sorted(policy.items())))


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="+", metavar="SPEC", help="an agent")
    parser.add_argument("--seeds", type=int, default=1000, help="0 to SEEDS - 1 (default 1000)")
    parser.add_argument("--alpha", type=float, default=0.2, help="which equilibrium the opponent plays (default 0.2)")
    parser.add_argument("--policy", action="store_true", help="show how often each information set bets")
    given = parser.parse_args()
    if given.seeds < 2:
        parser.error(f"--seeds: {given.seeds} is less than 2")
    if not 0 <= given.alpha <= 1 / 3:
        parser.error(f"--alpha: {given.alpha} is not from 0 to 1/3")
    try:
        agents = [Equilibrium(given.alpha), *map(gamelab.make_agent, given.specs)]
        for agent in agents:
            if agent.cheats:
                fail(f"{agent.spec} sees what is hidden: its choices depend on more than the information set")
        print("| agent | exploitable | regret |\n| --- | --- | --- |")
        for agent in agents:
            report(agent, given)
    except GamelabError as error:
        fail(str(error))


def fail(message: str) -> NoReturn:
    """Stop with one line on standard error."""
    print(f"measure_regret: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
