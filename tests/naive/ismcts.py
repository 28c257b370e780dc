"""Information set MCTS in plain Python, from the paper: dictionaries keyed by what a player has seen, in words."""

import math

import numpy as np

from gamelab.core import kernels
from gamelab.search.playout import playout


class Arm:
    def __init__(self):
        self.visits, self.available, self.total = 0, 0, 0.0

    def bound(self, c):
        spread = 1 / math.sqrt(self.visits)
        # In this order, for where bounds are equal rounding decides.
        return (self.total * spread + c * math.sqrt(math.log(self.available))) * spread


def grow(state, simulations, rng, *, multiple, c=0.7, widening=None, width=8):
    """All trees after some simulations: for (tree, way there) the arms of its actions. The root comes first.

    An information set has one for each action that was legal in some world, with widening for each that was tried.
    """
    me, players = state.current_player(), state.game.num_players
    trees = {}
    for _ in range(simulations):
        world = state.clone()
        kernels.resample(world.array, me, rng)
        ways = [()] * players
        path = []
        while not world.is_terminal():
            player = world.current_player()
            if player < 0:
                world.apply_action(world.sample_chance(rng))
                continue
            tree = player if multiple else me
            way = (*ways[tree], world.information_state_string(tree))
            arms = trees.setdefault((tree, way), {})
            legal = world.legal_actions()
            untried = [action for action in legal if action not in arms or arms[action].visits == 0]
            if widening is not None:
                visits = sum(arm.visits for arm in arms.values())
                room = math.ceil(width * max(visits, 1) ** widening) - (len(legal) - len(untried))
                best_first = sorted(untried, key=lambda action: (-kernels.action_prior(world.array, action), action))
                untried = best_first[:1] if room > 0 else []
            for action in legal if widening is None else untried:
                arms.setdefault(action, Arm())
            for action in legal:
                if action in arms:
                    arms[action].available += 1
            if untried:
                action = untried[int(rng.random() * len(untried))] if widening is None else untried[0]
            else:
                action = max((action for action in legal if action in arms), key=lambda action: arms[action].bound(c))
            path.append((player, arms[action]))
            ways[tree] = (*way, action) if tree == player else way
            world.apply_action(action)
            if untried:
                break
        playout(world.array[0], state.game.action_buffer(), rng)
        values = np.zeros(players)
        kernels.returns(world.array, values)
        for player, arm in path:
            arm.visits += 1
            arm.total += values[player]
    return trees
