"""The other games: how fast they are played at random and by a policy, and information set MCTS against random games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from measure import Line, alternate, line, timed

import gamelab
from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.game import Game
from gamelab.core.state import State
from gamelab.search.ismcts import InformationSetSearch, Options
from gamelab.search.playout import playout_batch

__all__ = ["information_set_search", "policy_play", "random_play"]

REPETITIONS = 7
SEED = 3  # of the deal, and of the moves up to the middle of the game
MIDGAME = 6  # players' actions


def random_play(quick: bool) -> list[Line]:
    """Uniformly random games, chance included, on one core."""
    lines = []
    for name, games, unit, goal in (
        ("spiderwars", 5_000, "plies/s", ">= 3,000,000"),
        ("hacktrick", 100_000, "games/s", ">= 150,000"),
        ("kreuzquer", 50_000, "games/s", ">= 20,000"),
        ("web", 500, "games/s", ">= 1,000"),
    ):
        lines.append(_random_play(name, games // 10 if quick else games, unit, goal))
    return lines


def _random_play(name: str, games: int, unit: str, goal: str) -> Line:
    game = gamelab.load(name)
    states = np.concatenate([game.initial_array(), game.blank_array()])
    buffer, totals, rng = game.action_buffer(), np.zeros(game.num_players), np.random.default_rng(1)
    playout_batch(states, 1, buffer, totals, rng)
    rates: list[float] = []
    for _ in range(REPETITIONS):
        plies: list[int] = []
        seconds = timed(lambda plies=plies: plies.append(playout_batch(states, games, buffer, totals, rng)))
        rates.append((plies[0] if unit == "plies/s" else games) / seconds)
    return line(f"random play, {name}", unit, rates, goal)


def policy_play(quick: bool) -> list[Line]:
    """Games of Kreuz & Quer alone by the evaluation: all actions judged at once, against each judged by itself."""
    game, games = gamelab.load("kreuzquer", players=1), 20 if quick else 1_000
    states = np.repeat(game.initial_array(), 3)
    actions, values, promises = game.action_buffer(), np.zeros(1), np.zeros(game.max_legal_actions)
    rng = np.random.default_rng(1)

    def play(at_once: bool) -> None:
        _play_by_evaluation(states, games, at_once, actions, values, promises, rng)

    play(True), play(False)
    ours, each = alternate(lambda: play(True), lambda: play(False))
    return [
        line("policy play, kreuzquer", "games/s", [games / seconds for seconds in ours]),
        line("policy play, kreuzquer", "of one by one", [b / a for a, b in zip(ours, each, strict=True)], ">= 2.5"),
    ]


@njit
def _play_by_evaluation(states, games, at_once, actions, values, promises, rng):  # type: ignore[no-untyped-def]
    state, after = states[1], states[2]
    for _ in range(games):
        states[1] = states[0]
        while rules.current_player(state) != rules.TERMINAL:
            if rules.current_player(state) == rules.CHANCE:
                rules.apply_action(state, rules.sample_chance(state, rng))
                continue
            count = rules.legal_actions(state, actions)
            if at_once:
                rules.evaluate_actions(state, actions, count, after, values, promises)
            else:
                for i in range(count):
                    states[2] = state
                    rules.apply_action(after, actions[i])
                    if rules.current_player(after) == rules.TERMINAL:
                        rules.returns(after, values)
                    else:
                        rules.evaluate(after, values)
                    promises[i] = values[0]
            rules.apply_action(state, actions[np.argmax(promises[:count])])


def information_set_search(quick: bool) -> list[Line]:
    """Simulations of information set MCTS against random games from the same state: the floor, for each plays one."""
    game, lines = gamelab.load("hacktrick"), []
    for where, decisions in (("start", 0), ("midgame", MIDGAME)):
        for simulations in (1_000, 20_000):
            for observers in ("single", "multiple"):
                setup = Setup(game, _played(game, decisions), observers, simulations, 5 if quick else 50_000 // simulations)
                lines += _information_set_search(setup, f"{observers}, {where}, {simulations}")
    return lines


@dataclass(frozen=True)
class Setup:
    """What is measured: a search of so many simulations from a state, repeated."""

    game: Game
    state: State
    observers: str
    simulations: int
    searches: int


def _played(game: Game, decisions: int) -> State:
    """The state before a decision, after so many others at random."""
    state, rng = game.new_initial_state(), np.random.default_rng(SEED)
    while True:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        elif decisions == 0:
            return state
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            decisions -= 1


def _information_set_search(setup: Setup, name: str) -> list[Line]:
    states = np.concatenate([setup.state.array, setup.game.blank_array()])
    buffer, totals = setup.game.action_buffer(), np.zeros(2)
    rng, never = np.random.default_rng(1), np.zeros(1, np.uint8)
    searcher = InformationSetSearch(setup.game, setup.simulations, Options(observers=setup.observers))
    simulations = setup.simulations * setup.searches

    def search() -> None:
        for _ in range(setup.searches):
            searcher.set_root(setup.state.array)
            searcher.run(setup.simulations, rng, never)

    def play() -> None:
        playout_batch(states, simulations, buffer, totals, rng)

    search(), play()
    ours, floor = alternate(search, play)
    return [
        line(f"ISMCTS, {name}", "simulations/s", [simulations / seconds for seconds in ours]),
        line(f"ISMCTS, {name}", "of the playouts'", [b / a for a, b in zip(ours, floor, strict=True)], ">= 0.5"),
    ]
