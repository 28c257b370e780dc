"""Rollouts: games that a policy plays on, all actions on the same luck, the better half kept."""

import numpy as np
import pytest

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import GamelabError, ParameterError
from gamelab.search.mcts import Options, Tree
from gamelab.search.rollout import Rollouts, sequential_halving
from gamelab.testing import random_states
from tests.search.hidden_trees import HiddenTree
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
POLICIES = pytest.mark.parametrize("policy", ["random", "prior", "evaluation"])
GAMES = {
    "connectfour": gamelab.load("connectfour", columns=5, rows=4),
    "hacktrick": gamelab.load("hacktrick"),
    "kreuzquer": gamelab.load("kreuzquer", players=2),
    "kreuzquer alone": gamelab.load("kreuzquer", players=1),
    "tree": RandomTree(seed=3, players=3, depth=6, chance=20),
}


# --- the same in plain Python -----------------------------------------------------------------------------------------


def promise(state, action, policy):
    """What the policy goes by."""
    if policy == "prior":
        return kernels.action_prior(state.array, action)
    after, player = state.child(action), state.current_player()
    return (after.returns() if after.is_terminal() else after.evaluate())[player]


def policy_move(state, policy, rng):
    if policy == "random":
        return kernels.random_action(state.array, state.game.action_buffer(), rng.random())
    return max(state.legal_actions(), key=lambda action: promise(state, action, policy))


def play_on(state, policy, cutoff, rng):
    """The returns of all players when the policy plays on."""
    plies = 0
    while not state.is_terminal() and plies != cutoff:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        else:
            state.apply_action(policy_move(state, policy, rng))
            plies += 1
    return state.returns() if state.is_terminal() else state.evaluate()


def naive_values(state, policy, cutoff, games, seed):
    """The mean of so many games after each action, the i-th of each with the same random numbers."""
    rng, player = np.random.default_rng(seed), state.current_player()
    sums = np.zeros(len(state.legal_actions()))
    for _ in range(games):
        number = int(rng.integers(np.iinfo(np.int64).max))
        for i, action in enumerate(state.legal_actions()):
            here = np.random.Generator(np.random.PCG64(number))
            world = state.resample_from_infostate(player, here) if state.game.hidden_information else state.clone()
            world.apply_action(action)
            sums[i] += play_on(world, policy, cutoff, here)[player]
    return sums / games


def decisions(game, count):
    """States along random games in which a player has a choice."""
    found = [s for s in random_states(game, 30 * count, np.random.default_rng(5)) if s.current_player() >= 0]
    found = [state for state in found if len(state.legal_actions()) > 1]
    return found[:: len(found) // count][:count]


@POLICIES
@pytest.mark.parametrize("cutoff", [None, 2])
@pytest.mark.parametrize("name", GAMES)
def test_values_are_the_means_of_the_games_that_the_policy_plays(name, cutoff, policy):
    game = GAMES[name]
    for number, state in enumerate(decisions(game, 2)):
        found = Rollouts(game, policy, cutoff=cutoff).compare(state.array, np.random.default_rng(number), NEVER, games=1)
        assert found.actions.tolist() == state.legal_actions()
        first = naive_values(state, policy, cutoff, 1, number)
        once = found.games == 1
        assert once.any() or len(found.actions) == 2
        assert found.values[once] == pytest.approx(first[once])
        best = found.games == found.games.max()
        games = int(found.games.max())
        assert found.values[best] == pytest.approx(naive_values(state, policy, cutoff, games, number)[best])


def test_nothing_is_seen_of_what_is_hidden():
    game = GAMES["hacktrick"]
    for number, state in enumerate(decisions(game, 6)):
        other = state.resample_from_infostate(state.current_player(), np.random.default_rng(number))
        values = [
            Rollouts(game, "prior").compare(s.array, np.random.default_rng(1), NEVER, games=200).values for s in (state, other)
        ]
        assert values[0] == pytest.approx(values[1])


def test_actions_are_left_out_by_a_world_drawn_not_by_the_true_one():
    """Priors of these trees differ from world to world, and so does what a width leaves; but not with the truth."""
    state = next(
        s
        for s in random_states(HiddenTree(seed=2, players=2, branching=6), 50, np.random.default_rng(1))
        if s.current_player() >= 0 and len(s.legal_actions()) > 3
    )
    kept = set()
    for seed in range(20):
        seen = set()
        for other in range(8):
            world = state.resample_from_infostate(state.current_player(), np.random.default_rng(other))
            found = Rollouts(state.game, "random", width=2).compare(world.array, np.random.default_rng(seed), NEVER, games=1)
            seen.add(tuple(found.actions.tolist()))
        assert len(seen) == 1
        kept |= seen
    assert len(kept) > 1


# --- halving ----------------------------------------------------------------------------------------------------------


def halve(values, **budget):
    """How often each arm with so certain a value was played."""
    played, sums = np.zeros(len(values), int), np.zeros(len(values))

    def play(arms):
        played[arms] += 1
        sums[arms] += np.array(values)[arms]

    sequential_halving(play, sums, budget.pop("stop", NEVER), **budget)
    return played.tolist()


def test_each_round_gets_the_same_share_and_the_better_half_stays():
    assert halve([1, 8, 3, 6, 5, 4, 7, 2], games=240) == [10, 70, 10, 30, 30, 10, 70, 10]
    assert halve([3, 1, 2], games=30) == [5 + 7, 5, 5 + 7]
    assert halve([0.0, 0.0, 0.0, 0.0], games=16) == [2 + 4, 2 + 4, 2, 2]


def test_a_small_budget_is_one_game_an_action_and_round():
    assert halve([1, 2, 3, 4, 5], games=1) == [1, 1, 2, 3, 3]
    assert halve([7], games=10) == [10]


def test_a_stop_ends_it_after_one_game_each():
    assert halve([1, 2, 3, 4], games=1000, stop=np.ones(1, np.uint8)) == [1, 1, 1, 1]


def test_time_is_shared_out():
    played = halve([4, 3, 2, 1], seconds=0.05)
    assert played[0] == played[1] > played[2] == played[3] > 0


# --- playing ----------------------------------------------------------------------------------------------------------


def test_a_win_at_once_is_taken():
    state = gamelab.load("tictactoe").state_from_text("xx.\noo.\n...")
    action = gamelab.make_agent("rollout:sims=90,policy=random").choose(state, rng=1)
    assert state.child(action).returns() == pytest.approx([1, -1])


def test_the_width_keeps_the_most_promising():
    state = gamelab.load("connectfour").new_initial_state()
    priors = {action: kernels.action_prior(state.array, action) for action in state.legal_actions()}
    best = sorted(sorted(priors), key=lambda action: -priors[action])[:3]
    analysis = gamelab.make_agent("rollout:sims=30,width=3,policy=random").analyse(state, rng=1)
    assert list(analysis.visits) == sorted(best)
    assert analysis.nodes == sum(analysis.visits.values())
    assert analysis.action in best


def test_it_improves_its_policy():
    """At Connect Four it beats the greedy policy that it plays on with."""
    result = gamelab.Tournament("connectfour", ["rollout:sims=200", "greedy"], games=40, seed=1).run()
    table = result.crosstable()
    assert table.loc["rollout:sims=200", "greedy"] > 0.6


def test_bad_options_are_named():
    with pytest.raises(ParameterError, match=r"policy: 'clever' is not one of"):
        Rollouts(GAMES["connectfour"], "clever")
    with pytest.raises(ParameterError, match=r"width: 0 is not a whole number"):
        Rollouts(GAMES["connectfour"], width=0)
    with pytest.raises(GamelabError, match=r"rollout, width"):
        gamelab.make_agent("rollout:width=0")


def test_where_nobody_is_to_act_nothing_is_compared():
    start = GAMES["hacktrick"].new_initial_state()  # cards are drawn first
    with pytest.raises(ParameterError, match="a player is to act"):
        Rollouts(GAMES["hacktrick"]).compare(start.array, np.random.default_rng(1), NEVER, games=10)


# --- in trees ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["prior", "evaluation"])
def test_playouts_of_mcts_go_by_the_policy(policy):
    """Without chance there is but one game from each child, and the policies differ from random play."""
    game = GAMES["connectfour"]
    for number, state in enumerate(decisions(game, 4)):
        tree = Tree(game, 1000, Options(policy=policy, solver=False))
        tree.set_root(state.array)
        tree.run(len(state.legal_actions()), np.random.default_rng(number), NEVER)
        found = tree.statistics()
        expected = [
            play_on(state.child(int(action)), policy, None, np.random.default_rng(0))[state.current_player()]
            for action in found.actions
        ]
        assert found.visits.tolist() == [1] * len(found.actions)
        assert found.values() == pytest.approx(expected)
