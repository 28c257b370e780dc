"""Agents that misbehave, named in specs by their module."""

import os
import signal
import time

import numpy as np

from gamelab.agents import Agent


class _Bot(Agent):
    def choose(self, state, rng):
        return int(np.random.default_rng(rng).choice(state.legal_actions()))

    def warm_up(self, game):
        """Misbehaves only in games."""


class Raiser(_Bot):
    name = "tests.arena.bots.Raiser"

    def choose(self, state, rng):
        if len(state.history()) >= 4:
            raise RuntimeError("out of\nideas")
        return super().choose(state, rng)


class Cheat(_Bot):
    name = "tests.arena.bots.Cheat"

    def choose(self, state, rng):
        return state.game.num_distinct_actions - 1


class Nonsense(_Bot):
    name = "tests.arena.bots.Nonsense"

    def choose(self, state, rng):
        return None


class Sleeper(_Bot):
    name = "tests.arena.bots.Sleeper"

    def choose(self, state, rng):
        time.sleep(5)
        return super().choose(state, rng)


class Vandal(_Bot):
    """Plays on the state that it is handed."""

    name = "tests.arena.bots.Vandal"

    def choose(self, state, rng):
        action = super().choose(state, rng)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        return action


class Drawer(_Bot):
    """Random, but throws away DRAWER_WASTES random numbers a move."""

    name = "tests.arena.bots.Drawer"

    def choose(self, state, rng):
        rng.random(int(os.environ["DRAWER_WASTES"]))
        return super().choose(state, rng)


class Killer(_Bot):
    """Kills its own process, unless the file named in KILLER_SPARED is there."""

    name = "tests.arena.bots.Killer"

    def choose(self, state, rng):
        if not os.path.exists(os.environ.get("KILLER_SPARED", "")) and len(state.history()) >= 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(state, rng)


class Loyal(_Bot):
    """Raises if it is asked to play for another seat than before in the same game."""

    name = "tests.arena.bots.Loyal"
    seat = None

    def new_game(self):
        self.seat = None

    def choose(self, state, rng):
        if self.seat not in (None, state.current_player()):
            raise RuntimeError("asked to play for two")
        self.seat = state.current_player()
        return super().choose(state, rng)


class Keeper(_Bot):
    """Always plays the first action."""

    name = "tests.arena.bots.Keeper"

    def choose(self, state, rng):
        return state.legal_actions()[0]


class Dropper(_Bot):
    """Always plays the last action."""

    name = "tests.arena.bots.Dropper"

    def choose(self, state, rng):
        return state.legal_actions()[-1]
