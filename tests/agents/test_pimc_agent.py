"""PIMC as an agent: the mean over worlds of perfect play in each, which is not the best plan."""

import numpy as np
import pytest

import gamelab
from gamelab.core.errors import GamelabError
from tests.search.hidden_trees import SURE, Guess, HiddenTree
from tests.search.promising import promising
from tests.search.random_trees import RandomTree


def open_value(state):
    """The value for player 0 if all see everything: minimax, chance averaged."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(p * open_value(state.child(a)) for a, p in state.chance_outcomes())
    values = [open_value(state.child(action)) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def worlds(state):
    """Each world that player 0 cannot tell from the true one, with its probability: nothing was ruled out yet."""
    found = []
    for world, p in state.game.new_initial_state().chance_outcomes():
        other = state.clone()
        other.array["world"] = world
        found.append((p, other))
    return found


def starts(count, **parameters):
    """States in which player 0 is to act first, with a choice."""
    found = []
    for seed in range(1000):
        state = HiddenTree(seed=seed, branching=3, **parameters).new_initial_state().child(0)
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            found.append(state)
        if len(found) == count:
            return found
    raise AssertionError


@pytest.mark.parametrize("players", [1, 2])
def test_scores_are_means_of_perfect_play_in_each_world(players):
    agent = gamelab.make_agent("pimc:worlds=400,depth=20")
    for state in starts(8, players=players, depth=4, reveal=30, chance=15):
        analysis = agent.analyse(state, rng=1)
        assert list(analysis.scores) == state.legal_actions()
        for action, score in analysis.scores.items():
            in_worlds = [(p, open_value(world.child(action))) for p, world in worlds(state)]
            exact = sum(p * value for p, value in in_worlds)
            deviation = sum(p * (value - exact) ** 2 for p, value in in_worlds) ** 0.5
            assert abs(score - exact) <= 4 * deviation / 20 + 1e-6
            assert analysis.details["spread"][action] == pytest.approx(deviation / 20, abs=0.15 * deviation / 20 + 1e-6)
        assert analysis.scores[analysis.action] == max(analysis.scores.values()) == analysis.value
        assert analysis.details["worlds"] == 400
        assert agent.choose(state, rng=1) == analysis.action


def maxn_values(state, width):
    """What each gets if all see everything and each plays for itself, choosing the first of the best; chance averaged."""
    if state.is_terminal():
        return state.returns()
    if state.is_chance_node():
        below = [(p, maxn_values(state.child(a), width)) for a, p in state.chance_outcomes()]
        return [sum(p * values[player] for p, values in below) for player in range(state.game.num_players)]
    player = state.current_player()
    return max((maxn_values(state.child(a), width) for a in promising(state, width)), key=lambda values: values[player])


@pytest.mark.parametrize("width", [None, 2])
def test_with_maxn_scores_are_means_over_the_worlds_of_each_for_itself(width):
    agent = gamelab.make_agent("pimc:worlds=400,depth=20,opponents=maxn" + (f",width={width}" if width else ""))
    unlike = 0
    for state in starts(8, players=3, depth=4, reveal=30, chance=15):
        analysis = agent.analyse(state, rng=1)
        assert len(analysis.scores) == min(width or 8, len(state.legal_actions()))
        for action, score in analysis.scores.items():
            in_worlds = [(p, maxn_values(world.child(action), width)[0]) for p, world in worlds(state)]
            exact = sum(p * value for p, value in in_worlds)
            deviation = sum(p * (value - exact) ** 2 for p, value in in_worlds) ** 0.5
            assert abs(score - exact) <= 4 * deviation / 20 + 1e-6
        paranoid = gamelab.make_agent("pimc:worlds=400,depth=20").analyse(state, rng=1)
        unlike += any(abs(paranoid.scores[action] - score) > 0.2 for action, score in analysis.scores.items())
    assert unlike > 0


def test_actions_are_left_out_by_the_first_world_drawn_not_by_the_true_one(monkeypatch):
    """Where the order of actions tells of what is hidden, it tells nothing of the truth."""

    def world_decides(game, array, width):
        legal = gamelab.State(game, array).legal_actions()
        return [legal[int(array["world"][0]) % len(legal)]]

    monkeypatch.setattr("gamelab.agents.pimc.actions_within", world_decides)
    agent, looked_at = gamelab.make_agent("pimc:worlds=5,depth=2,width=1"), set()
    state = starts(1, depth=4, worlds=4)[0]
    for seed in range(20):
        seen = [tuple(agent.analyse(world, rng=seed).scores) for _, world in worlds(state)]
        assert len(seen[0]) == 1
        assert len(set(seen)) == 1
        looked_at.add(seen[0])
    assert len(looked_at) > 1


def test_depth_counts_the_action_itself():
    for state in starts(5, depth=6):
        analysis = gamelab.make_agent("pimc:worlds=1,depth=1").analyse(state, rng=2)
        for action, score in analysis.scores.items():
            child = state.child(action)
            if not child.is_terminal():  # results depend on the world, evaluations do not
                assert score == pytest.approx(child.evaluate()[0])
        assert "spread" not in analysis.details


@pytest.mark.parametrize("inside", ["alphabeta", "mcts"])
def test_strategy_fusion(inside):
    """In each world it would know what to guess, so it thinks that going on wins; ISMCTS takes what is sure."""
    state = Guess().new_initial_state().child(0)
    pimc = gamelab.make_agent(f"pimc:search={inside}").analyse(state, rng=1)
    assert pimc.action == 1
    assert pimc.scores[0] == pytest.approx(SURE)
    assert pimc.scores[1] > 0.6
    for observers in ("single", "multiple"):
        ismcts = gamelab.make_agent(f"ismcts:observers={observers}").analyse(state, rng=1)
        assert ismcts.action == 0
        assert ismcts.scores[1] < SURE


def test_alone_it_expects_more_than_any_plan_can_give():
    """Perfect play in each world is never worse than one plan for all, and often better."""
    more = 0
    for state in starts(12, players=1, depth=4, reveal=0):
        promised = gamelab.make_agent("pimc:worlds=200,depth=9").analyse(state, rng=1).value
        found = gamelab.make_agent("ismcts:sims=20000,c=3").analyse(state, rng=1).value
        assert promised > found - 0.1
        more += promised > found + 0.1
    assert more > 3


def test_simulations_inside_agree_with_perfect_play():
    for state in starts(5, depth=4):
        exact = gamelab.make_agent("pimc:worlds=100,depth=9").analyse(state, rng=1)
        found = gamelab.make_agent("pimc:worlds=100,search=mcts,sims=3000,c=1.5").analyse(state, rng=2)
        # Means lag behind: they count what was tried on the way.
        assert exact.scores[found.action] > exact.value - 0.15
        assert found.nodes == 100 * 3000


@pytest.mark.parametrize(
    "spec", ["pimc:worlds=5,depth=4", "pimc:worlds=5,depth=3,width=2", "pimc:worlds=5,search=mcts,sims=30"]
)
def test_it_cannot_tell_what_is_hidden_and_repeats_itself(spec):
    state = starts(1, depth=8, width=1000, players=2, seers=2)[0]
    before = state.clone()
    seen = [gamelab.make_agent(spec).analyse(world, rng=5) for _, world in worlds(state)]
    assert all(one.scores == seen[0].scores for one in seen)
    assert gamelab.make_agent(spec).analyse(state, rng=6).scores != seen[0].scores
    assert state == before


def test_kuhn_is_played_with_sense():
    kuhn = gamelab.load("kuhn")
    for spec in ("pimc:depth=5", "pimc:search=mcts"):
        agent = gamelab.make_agent(spec)
        for text, good in [("0 2 b", 1), ("2 0 pb", 1), ("1 0 b", 0), ("0 2 pb", 0)]:
            assert agent.choose(kuhn.state_from_text(text), rng=3) == good


def test_without_hidden_information_it_is_the_search_inside():
    for seed in range(5):
        state = RandomTree(seed=seed, depth=4, width=1000).new_initial_state()
        analysis = gamelab.make_agent("pimc:worlds=2,depth=9").analyse(state, rng=1)
        sign = 1 if state.current_player() == 0 else -1
        for action, score in analysis.scores.items():
            assert score == pytest.approx(sign * open_value(state.child(action)))


def test_playouts_cut_off_at_once_tell_the_evaluation():
    """With a simulation for each action."""
    for seed in range(5):
        state = RandomTree(seed=seed, depth=8, width=1000).new_initial_state()
        found = gamelab.make_agent("pimc:worlds=2,search=mcts,sims=1,cutoff=0").analyse(state, rng=1)
        player = state.current_player()
        assert found.scores == pytest.approx({a: state.child(a).evaluate()[player] for a in state.legal_actions()})


def test_more_than_two_players():
    for seed in range(5):
        state = HiddenTree(seed=seed, players=4, seers=6, depth=6).new_initial_state().child(0)
        for spec in ("pimc:worlds=3", "pimc:worlds=3,opponents=maxn,width=2", "pimc:worlds=3,search=mcts,sims=20"):
            assert gamelab.make_agent(spec).choose(state, rng=1) in state.legal_actions()


def test_budgets():
    assert gamelab.make_agent("pimc").settings["worlds"] == 20
    assert gamelab.make_agent("pimc").budget == "worlds"
    timed = gamelab.make_agent("pimc:time=0.001,depth=9")
    assert timed.budget == "time"
    state = starts(1, depth=9, width=1000)[0]
    assert timed.analyse(state, rng=1).details["worlds"] >= 1
    assert gamelab.make_agent("pimc:time=0.3,depth=1").analyse(state, rng=1).details["worlds"] > 1
    assert gamelab.make_agent("pimc:time=60,worlds=3").analyse(state, rng=1).details["worlds"] == 3
    # Fewer simulations than actions would leave some without a value.
    few = gamelab.make_agent("pimc:worlds=1,search=mcts,sims=1").analyse(state, rng=1)
    assert list(few.scores) == state.legal_actions()
    assert few.nodes == len(state.legal_actions())


@pytest.mark.parametrize("spec", ["pimc:worlds=0", "pimc:search=luck", "pimc:depth=101", "pimc:sims=0", "pimc:threads=2"])
def test_bad_options(spec):
    with pytest.raises(GamelabError):
        gamelab.make_agent(spec)


def test_a_new_game_begins_as_the_first():
    state = starts(1, depth=8, width=1000)[0]
    agent = gamelab.make_agent("pimc:worlds=3,depth=5")
    first = agent.analyse(state, np.random.default_rng(1))
    agent.new_game()
    assert agent.analyse(state, np.random.default_rng(1)).nodes == first.nodes


@pytest.mark.parametrize("option", ["width=3", "opponents=maxn"])
def test_options_of_the_other_search_are_refused(option):
    with pytest.raises(GamelabError, match="goes with search=alphabeta alone"):
        gamelab.make_agent(f"pimc:search=mcts,{option}")
