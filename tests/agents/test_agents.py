"""Agents: specs, budgets, and what they say of a position."""

import time

import numpy as np
import pytest
from numba.core.errors import TypingError

import gamelab
from gamelab.agents import agent_class, agent_names
from gamelab.core import kernels
from gamelab.core.errors import AgentError
from gamelab.core.game import Game
from tests.search.promising import promising
from tests.search.random_trees import RandomTree

SPECS = [
    "random",
    "greedy",
    "greedy:by=prior",
    "mcts:sims=60",
    "mcts:nodes=2000",
    "mcts:time=0.02",
    "mcts:sims=60,rule=puct,prior=evaluation,cutoff=3,threads=2",
    "rollout:sims=60,policy=random",
    "rollout:time=0.02,cutoff=4,width=3",
    "alphabeta:depth=2",
    "alphabeta:nodes=500",
    "alphabeta:depth=3,quiescence=2,reductions=0.5,threads=2",
    "alphabeta:depth=3,width=5",
    "solver:nodes=500",
    "expectimax:depth=2",
    "ismcts:sims=60",
    "ismcts:nodes=100,observers=multiple,bias=0.1,cutoff=4",
    "pimc:worlds=2,depth=1",
    "pimc:worlds=2,search=mcts,sims=20",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_makes_the_agent_again(spec):
    agent = gamelab.make_agent(spec)
    assert agent.spec == spec
    assert eval(repr(agent), {"gamelab": gamelab}).settings == agent.settings
    # Options in another order or spelling are the same agent.
    assert gamelab.make_agent(" mcts:c=0.50,sims=7 ").spec == gamelab.make_agent("mcts:sims=7,c=.5").spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "spec is a text"),
        (None, "spec is a text"),
        ("nobody", "known: alphabeta, expectimax, greedy, ismcts, mcts, pimc, random, rollout, solver"),
        ("mcts:depth=3", "takes no 'depth'; known: bias, c, cutoff"),
        ("random:n=1", "known: none"),
        ("mcts:sims", "'sims' is not option=value"),
        ("mcts:sims=1,sims=2", "twice"),
        ("mcts:sims=0", "sims: '0' is not a whole number from 1"),
        ("mcts:sims=-5", "sims"),
        ("mcts:sims=1.5", "sims"),
        ("mcts:time=0", "time"),
        ("mcts:time=nan", "time"),
        ("mcts:memory=0", "memory"),
        ("mcts:solver=perhaps", "true or false"),
        ("mcts:self=1", "takes no 'self'"),
        ("alphabeta:depth=0", "depth"),
        ("alphabeta:depth=120", "from 1 to 119"),
        ("alphabeta:nodes=0", "nodes"),
        ("alphabeta:width=0", "width: '0' is not a whole number from 1"),
        ("alphabeta:width=-3", "width"),
        ("alphabeta:width=1.5", "width"),
        ("expectimax:width=0", "width"),
        ("pimc:width=none", "width"),
        ("no.such.module.Bot", "cannot be imported"),
        ("gamelab.core.state.State", "no subclass"),
    ],
)
def test_a_bad_spec_is_refused_with_what_it_takes(spec, message):
    with pytest.raises(gamelab.GamelabError, match=message):
        gamelab.make_agent(spec)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", ["tictactoe", "netwerk"])
def test_it_plays_legal_moves_and_leaves_the_state_alone(spec, name):
    agent, rng = gamelab.make_agent(spec), np.random.default_rng(2)
    state = gamelab.load(name).new_initial_state()
    agent.warm_up(state.game)
    while not state.is_terminal():
        before = state.clone()
        action = agent.choose(state, rng)
        assert state == before
        assert state.history() == before.history()
        state.apply_action(action)


@pytest.mark.parametrize("spec", SPECS)
def test_its_analysis_is_of_legal_moves(spec):
    state = gamelab.load("netwerk").new_initial_state()
    analysis = gamelab.make_agent(spec).analyse(state, rng=1)
    legal = set(state.legal_actions())
    assert analysis.action in legal
    assert set(analysis.visits) | set(analysis.scores) <= legal
    assert -1 <= analysis.value <= 1
    line = state
    for action in analysis.principal_variation:
        line = line.child(action)


def test_nothing_is_chosen_where_nobody_is_to_act():
    over = gamelab.load("tictactoe").state_from_text("xxx\noo.\n...")
    for spec in SPECS:
        with pytest.raises(gamelab.GamelabError, match="the game is over"):
            gamelab.make_agent(spec).choose(over, rng=1)


@pytest.mark.parametrize("spec", ["mcts:time=0.3", "alphabeta:time=0.3", "ismcts:time=0.3", "pimc:time=0.3,depth=1"])
def test_time_budgets_end_the_search(spec):
    state, agent = gamelab.load("netwerk").new_initial_state(), gamelab.make_agent(spec)
    agent.warm_up(state.game)
    started = time.perf_counter()
    agent.choose(state, rng=1)
    # No upper bound that a busy machine could break, only that it neither stops at once nor runs on.
    assert 0.25 < time.perf_counter() - started < 10
    assert agent.budget == "time"


def test_warming_up_does_not_use_up_the_budget():
    started = time.perf_counter()
    for spec in ("mcts:time=60", "alphabeta:time=60", "mcts:sims=100000000", "alphabeta:depth=100"):
        gamelab.make_agent(spec).warm_up(gamelab.load("netwerk"))
    assert time.perf_counter() - started < 60


def test_budgets_on_simulations_and_nodes_are_kept():
    state = gamelab.load("netwerk").new_initial_state()
    assert gamelab.make_agent("mcts:sims=137").analyse(state, rng=1).nodes == 137
    tree_nodes = gamelab.make_agent("mcts:nodes=5000").analyse(state, rng=1).details["tree_nodes"]
    assert 5000 <= tree_nodes < 5000 + 64 * state.game.max_legal_actions
    assert gamelab.make_agent("alphabeta:nodes=5000").analyse(state, rng=1).nodes <= 5000 + state.game.max_legal_actions


def test_too_little_memory_names_the_option():
    class Vast(type(gamelab.load("tictactoe"))):
        max_legal_actions = 10**6

    assert issubclass(Vast, Game)
    with pytest.raises(gamelab.GamelabError, match="mcts:memory=1.*memory"):
        gamelab.make_agent("mcts:memory=1").choose(Vast().new_initial_state(), rng=1)


def test_greedy_plays_the_best_evaluation_and_breaks_ties_by_its_stream():
    state = gamelab.load("tictactoe").new_initial_state()
    analysis = gamelab.make_agent("greedy").analyse(state, rng=1)
    assert analysis.action == 4  # the middle lies on most lines
    assert analysis.scores[4] == max(analysis.scores.values())
    corner = state.child(4)
    assert len({gamelab.make_agent("greedy").choose(corner, rng=seed) for seed in range(20)}) > 1


def test_the_scores_of_alphabeta_are_of_one_depth():
    state = gamelab.load("tictactoe").state_from_text("x..\n.o.\n...")
    analysis = gamelab.make_agent("alphabeta:depth=4").analyse(state, rng=1)
    assert analysis.details["scores_depth"] == 4
    assert analysis.scores[analysis.action] == max(analysis.scores.values()) == analysis.value


def value_for(state, player, depth, width, how):
    """The value for a player by plain recursion, the others against it (paranoid) or each for itself (maxn)."""

    def values(state, depth):
        if state.is_terminal() or depth == 0:
            return state.evaluate()
        actor, below = state.current_player(), [values(state.child(a), depth - 1) for a in promising(state, width)]
        if how == "maxn":
            return max(below, key=lambda v: v[actor])
        return max(below, key=lambda v: v[player] if actor == player else -v[player])

    return values(state, depth)[player]


@pytest.mark.parametrize("how", ["paranoid", "maxn"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("width", [None, 2])
def test_all_scores_of_alphabeta_are_of_the_player_to_act(how, players, width):
    """Whoever acts next; they are of the actions within the width, and the best of them is played."""
    agent = gamelab.make_agent(f"alphabeta:depth=4,opponents={how}" + (f",width={width}" if width else ""))
    for seed in range(25):
        state = RandomTree(seed=seed, players=players, depth=7, width=40).new_initial_state()
        player, analysis = state.current_player(), agent.analyse(state, rng=1)
        depth = analysis.details["scores_depth"]  # less than asked for where a win or loss was found earlier
        expected = {a: value_for(state.child(a), player, depth - 1, width, how) for a in promising(state, width)}
        assert analysis.scores == pytest.approx(expected, abs=1e-4)  # alpha-beta rounds to 4 places
        assert analysis.value == pytest.approx(max(expected.values()), abs=1e-4)
        assert analysis.scores[analysis.action] == pytest.approx(max(analysis.scores.values()))


def test_with_a_width_nothing_that_was_cut_is_proven():
    """The same wins and losses, at one distance, are claimed without a width and not claimed with one."""
    claimed = 0
    for seed in range(200):
        state = RandomTree(seed=seed, depth=5, width=20, branching=8).new_initial_state()
        narrow = gamelab.make_agent("alphabeta:depth=5,width=2").analyse(state, rng=1)
        whole = gamelab.make_agent("alphabeta:depth=5,width=8").analyse(state, rng=1)
        if len(state.legal_actions()) > 2:
            assert not narrow.proven
            assert narrow.end_in is None
        claimed += whole.proven and abs(narrow.value) == 1
        assert whole.proven == (whole.end_in is not None) == (abs(whole.value) == 1)
    assert claimed > 20


def test_every_agent_has_a_description():
    for name in agent_names():
        assert agent_class(name).__doc__
        assert all(option.description for option in agent_class(name).options.values())


@pytest.mark.parametrize(
    "spec",
    [
        "alphabeta:depth=3",
        "alphabeta:depth=3,opponents=maxn",
        "alphabeta:depth=3,opponents=maxn,width=2",
        "mcts:sims=200",
        "expectimax:depth=2",
        "ismcts:sims=200",
        "pimc:depth=2",
        "pimc:depth=2,opponents=maxn,width=3",
    ],
)
def test_games_for_more_than_two_are_played(spec):
    """Whole games for three, each choice legal and no worse than what every player can be sure of."""
    agent, rng = gamelab.make_agent(spec), np.random.default_rng(1)
    for seed in range(3):
        state = RandomTree(seed=seed, players=3, depth=6).new_initial_state()
        agent.warm_up(state.game)
        while not state.is_terminal():
            before = state.clone()
            analysis = agent.analyse(state, rng)
            assert state == before
            assert analysis.action in state.legal_actions()
            assert -1 <= analysis.value <= 1
            state.apply_action(agent.choose(state, rng))
    assert agent.last_nodes > 0


def test_maxn_and_paranoid_are_different_searches():
    different = 0
    for seed in range(30):
        state = RandomTree(seed=seed, players=3, depth=5, width=20).new_initial_state()
        values = [
            gamelab.make_agent(f"alphabeta:depth=5,opponents={how}").analyse(state, 1).value for how in ("paranoid", "maxn")
        ]
        # Whoever fears the worst expects no more than whoever believes that each plays for itself.
        assert values[0] <= values[1] + 1e-4
        different += values[0] < values[1]
    assert different > 3


@pytest.mark.parametrize(
    ("agent", "kernel"), [("mcts", "mcts.search"), ("ismcts", "ismcts.search"), ("rollout", "rollout.play_on")]
)
def test_rules_that_make_arrays_are_named(monkeypatch, agent, kernel):
    """numba's own message goes on for pages."""

    def broken(*_):
        raise TypingError("Failed in nopython mode pipeline\nNRT required but not enabled")

    monkeypatch.setattr(f"gamelab.search.{kernel}", broken)
    with pytest.raises(AgentError, match="rules of tictactoe cannot be compiled into a search: they must make no arrays"):
        gamelab.make_agent(agent).choose(gamelab.load("tictactoe").new_initial_state(), 1)


def test_greedy_by_prior_plays_what_the_game_thinks_of_the_action():
    state = gamelab.load("connectfour").new_initial_state().child(0)
    agent = gamelab.make_agent("greedy:by=prior")
    analysis = agent.analyse(state, rng=1)
    priors = {action: kernels.action_prior(state.array, action) for action in state.legal_actions()}
    assert analysis.details["priors"] == priors
    assert not analysis.scores  # they are no shares of points
    assert priors[agent.choose(state, rng=1)] == max(priors.values())
    assert analysis.value == 0
