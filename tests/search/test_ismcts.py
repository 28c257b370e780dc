"""ISMCTS: the paper's algorithm step by step, right values where they are known, and nothing learned from what is hidden."""

import math
from collections import defaultdict

import numpy as np
import pytest
from numba.core.errors import TypingError

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import AgentError, ParameterError
from gamelab.search.ismcts import InformationSetSearch, Options, sets_within
from gamelab.testing import random_states
from tests.naive.ismcts import grow
from tests.search.hidden_trees import SURE, Guess, HiddenTree
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
# What is hidden makes results noisy: so much exploration that a few unlucky simulations of an action are made up for.
SINGLE, MULTIPLE = Options(exploration=1.5), Options(observers="multiple", exploration=1.5)
BOTH = pytest.mark.parametrize("options", [SINGLE, MULTIPLE], ids=["single", "multiple"])


def search(state, simulations, options=SINGLE, *, seed=1, max_sets=50_000):
    found = InformationSetSearch(state.game, max_sets, options)
    found.set_root(state.array)
    assert found.run(simulations, np.random.default_rng(seed), NEVER) == simulations
    return found


def values(found):
    root = found.statistics()
    return dict(zip(root.actions.tolist(), root.values.tolist(), strict=True))


def favourite(found):
    root = found.statistics()
    return int(root.actions[np.argmax(root.visits)])


def decisions(game, count, seed, *, player=None):
    """States along random games in which a player (or a certain one) has a choice."""
    found = []
    for state in random_states(game, 100 * count + 500, np.random.default_rng(seed)):
        actor = state.current_player()
        if actor >= 0 and player in (None, actor) and len(state.legal_actions()) > 1:
            found.append(state)
    assert len(found) >= count
    return found[:count]


def kuhn(text):
    return gamelab.load("kuhn").state_from_text(text)


# --- the algorithm ----------------------------------------------------------------------------------------------------

TWINS = [
    HiddenTree(seed=11, players=2, seers=2, depth=9, width=1000),
    HiddenTree(seed=4, players=3, seers=5, depth=8, chance=20),
    HiddenTree(seed=6, players=1, reveal=50),
    gamelab.load("kuhn", players=3),
    RandomTree(seed=3, depth=8, chance=25, width=1000),
    Guess(),
]


@BOTH
@pytest.mark.parametrize("game", TWINS, ids=lambda game: f"{game.name}-{game.num_players}")
def test_it_is_the_algorithm_of_the_paper(game, options):
    """The twin keeps dictionaries of what was seen, in words; with the same stream it must choose the same all the way."""
    for number, state in enumerate(decisions(game, 3, seed=5)):
        found = search(state, 600, options, seed=number)
        trees = grow(state, 600, np.random.default_rng(number), multiple=options is MULTIPLE, c=1.5)
        expected = [
            sorted((action, arm.visits, arm.available, arm.total / arm.visits) for action, arm in arms.items() if arm.visits)
            for arms in trees.values()
        ]
        assert found.num_sets == len(trees)
        for index, arms in enumerate(expected):
            stored = found.statistics(index)
            columns = (stored.actions, stored.visits, stored.available, stored.values)
            assert list(zip(*(column.tolist() for column in columns), strict=True)) == [pytest.approx(arm) for arm in arms]


def test_some_actions_are_not_always_available():
    """Else the test above would not test what makes it a subset-armed bandit."""
    found = search(decisions(TWINS[0], 1, seed=5, player=0)[0], 3000)
    available = [found.statistics(index).available for index in range(found.num_sets)]
    assert any(times.min() < times.max() / 2 for times in available if times.max() > 100)


# --- known answers ----------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("seed", range(3))
def test_nobody_folds_the_king_or_calls_with_the_jack(options, seed):
    for cards, bets, good in [
        ("0 2", "b", 1), ("1 2", "b", 1), ("2 0", "pb", 1), ("2 1", "pb", 1),
        ("1 0", "b", 0), ("2 0", "b", 0), ("0 1", "pb", 0), ("0 2", "pb", 0),
    ]:  # fmt: skip
        found = search(kuhn(f"{cards} {bets}"), 1000, options, seed=seed)
        assert favourite(found) == good
        assert values(found)[good] == (1.0 if good else -0.5)


@BOTH
def test_a_call_with_the_queen_is_worth_what_the_deck_says(options):
    """The other has jack or king alike, so calling wins or loses a whole pot, and folding loses half of one."""
    found = values(search(kuhn("0 1 b"), 40_000, options))
    assert found[0] == -0.5
    assert found[1] == pytest.approx(0.0, abs=0.03)


@BOTH
def test_the_jack_does_not_bet_against_those_who_know_it(options):
    """What the searching player holds is the same in all worlds, so the others learn to call."""
    for text in ("0 1", "0 2", "1 0 p", "2 0 p"):
        assert favourite(search(kuhn(text), 20_000, options)) == 0


def best_response(states):
    """The value for a lone player of the best plan from an information set: (probability, state) with the same knowledge."""
    state = states[0][1]
    if state.is_terminal():
        return sum(p * state.returns()[0] for p, state in states)
    if state.is_chance_node():
        return sum(grouped([(p * q, s.child(a)) for p, s in states for a, q in s.chance_outcomes()]))
    return max(action_values(states).values())


def grouped(states):
    """The values of the information sets that the states fall into."""
    sets = defaultdict(list)
    for p, state in states:
        sets[state.information_state_string(0)].append((p, state))
    return [best_response(group) for group in sets.values()]


def action_values(states):
    return {action: sum(grouped([(p, s.child(action)) for p, s in states])) for action in states[0][1].legal_actions()}


def all_worlds(state):
    """Each state that player 0 cannot tell from this one, with its probability."""
    start = state.game.new_initial_state()
    worlds = []
    for world, p in start.chance_outcomes():
        if int(state.array["possible"][0]) >> world & 1:
            other = state.clone()
            other.array["world"] = world
            worlds.append((p, other))
    total = sum(p for p, _ in worlds)
    return [(p / total, other) for p, other in worlds]


def lone_decisions(count):
    """Decisions of a lone player in which several worlds are possible."""
    found = []
    for seed in range(1000):
        game = HiddenTree(seed=seed, players=1, depth=4, branching=3, worlds=4, reveal=40)
        state = game.new_initial_state()
        state.apply_action(seed % 4)
        if len(state.legal_actions()) > 1:
            found.append(state)
        if len(found) == count:
            return found
    raise AssertionError


@pytest.mark.parametrize("options", [Options(exploration=3.0), Options(exploration=3.0, widening=0.4, width=1)])
def test_alone_it_finds_the_best_plan_under_uncertainty(options):
    errors, regrets = [], []
    for state in lone_decisions(20):
        exact = action_values(all_worlds(state))
        found = search(state, 40_000, options)
        best = favourite(found)
        errors.append(abs(values(found)[best] - exact[best]))
        regrets.append(max(exact.values()) - exact[best])
    assert max(errors) < 0.06
    assert max(regrets) < 0.035


@BOTH
def test_a_guess_is_worth_nothing(options):
    for world in (0, 1):
        found = search(Guess().new_initial_state().child(world), 20_000, options)
        assert favourite(found) == 0
        assert values(found)[0] == pytest.approx(SURE)
        assert values(found)[1] < SURE / 2


def test_observers_differ_in_what_the_others_know():
    """Player 0 does not see the world, player 1 does and has the last word: with it, or by averages as if without."""
    looked_at = apart = 0
    for seed in range(400):
        game = HiddenTree(seed=seed, depth=2, branching=3, seers=2, reveal=0, worlds=5, restricted=False)
        state = game.new_initial_state().child(0)
        replies = [state.child(action) for action in state.legal_actions()]
        if state.current_player() != 0 or len(replies) < 2 or any(reply.current_player() != 1 for reply in replies):
            continue
        looked_at += 1
        knowing, averaging = {}, {}
        for action, reply in zip(state.legal_actions(), replies, strict=True):
            ends = [
                [p * world.child(action).child(last).returns()[0] for last in reply.legal_actions()]
                for p, world in all_worlds(state)
            ]
            knowing[action] = sum(min(results) for results in ends)
            averaging[action] = min(map(sum, zip(*ends, strict=True)))
        for options, exact in ((MULTIPLE, knowing), (SINGLE, averaging)):
            found = search(state, 20_000, options)
            assert exact[favourite(found)] > max(exact.values()) - 0.03
            assert values(found)[favourite(found)] == pytest.approx(exact[favourite(found)], abs=0.06)
        apart += abs(max(averaging.values()) - max(knowing.values())) > 0.12
        if looked_at >= 12 and apart >= 3:
            return
    raise AssertionError((looked_at, apart))


@BOTH
def test_without_hidden_information_it_is_plain_mcts(options):
    """Tic-tac-toe to the end: with enough simulations no choice throws a result away."""

    def solved(state):
        if state.is_terminal():
            return state.returns()[0]
        results = [solved(state.child(action)) for action in state.legal_actions()]
        return max(results) if state.current_player() == 0 else min(results)

    for state in decisions(gamelab.load("tictactoe"), 60, seed=8):
        if len(state.history()) >= 3:
            found = search(state, 4000, options)
            sign = 1 if state.current_player() == 0 else -1
            assert solved(state.child(favourite(found))) == solved(state)
            assert values(found)[favourite(found)] == pytest.approx(sign * solved(state), abs=0.15)


@BOTH
def test_more_than_two_players_each_play_for_themselves(options):
    """All see everything: the value is that of max^n, chance averaged."""

    def exact(state):
        if state.is_terminal():
            return np.array(state.returns())
        if state.is_chance_node():
            return sum(p * exact(state.child(a)) for a, p in state.chance_outcomes())
        player = state.current_player()
        children = [exact(state.child(action)) for action in state.legal_actions()]
        best = max(children, key=lambda child: child[player])
        # Where a player is indifferent and another is not, there is no one value.
        if any(child[player] == best[player] and (child != best).any() for child in children):
            raise ArithmeticError
        return best

    checked = 0
    for seed in range(300):
        state = HiddenTree(seed=seed, players=3, seers=7, depth=4, branching=3, width=20).new_initial_state().child(1)
        if state.is_terminal():
            continue
        try:
            expected = exact(state)
        except ArithmeticError:
            continue
        found = search(state, 20_000, options)
        assert values(found)[favourite(found)] == pytest.approx(expected[state.current_player()], abs=0.08)
        checked += 1
        if checked == 8:
            return
    raise AssertionError(checked)


# --- what it must not know, and must keep -----------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("name", ["kuhn", "hiddentree", "guess"])
def test_the_result_depends_on_the_information_set_alone(name, options):
    game = {"kuhn": gamelab.load("kuhn", players=4), "hiddentree": TWINS[0], "guess": Guess()}[name]
    different = 0
    for number, state in enumerate(decisions(game, 15, seed=3)):
        player = state.current_player()
        twin = state.resample_from_infostate(player, np.random.default_rng(number))
        different += twin != state
        a, b = (search(each, 500, options, seed=7).statistics() for each in (state, twin))
        for column in ("actions", "visits", "available", "values"):
            assert np.array_equal(getattr(a, column), getattr(b, column))
    assert different > 3


@BOTH
def test_seeds_budgets_and_pauses(options):
    state = decisions(TWINS[1], 1, seed=1)[0]
    before = state.clone()
    once = search(state, 3000, options, seed=3)
    assert state == before
    assert once.statistics().visits.sum() == 3000
    again = InformationSetSearch(state.game, 50_000, options)
    for other in decisions(TWINS[1], 3, seed=2):  # what was searched before is forgotten
        again.set_root(other.array)
        again.run(500, np.random.default_rng(1), NEVER)
    again.set_root(state.array)
    rng = np.random.default_rng(3)
    # A limit counts from the root.
    assert [again.run(limit, rng, NEVER) for limit in (1, 500, 3000, 2000)] == [1, 500, 3000, 3000]
    assert np.array_equal(again.statistics().visits, once.statistics().visits)
    assert again.num_sets == once.num_sets
    other = search(state, 3000, options, seed=4)
    assert not np.array_equal(other.statistics().values, once.statistics().values)
    stopped = InformationSetSearch(state.game, 1000, options)
    stopped.set_root(state.array)
    assert stopped.run(3000, rng, np.ones(1, np.uint8)) == 0
    assert len(stopped.statistics().actions) == 0


@BOTH
@pytest.mark.parametrize("max_sets", [3, 10, 60])
def test_with_full_memory_the_search_goes_on(max_sets, options):
    state = decisions(TWINS[1], 1, seed=1)[0]
    found = search(state, 5000, options, max_sets=max_sets)
    assert found.num_sets <= max_sets
    assert found.trees.used[1] <= len(found.trees.arms)
    root = found.statistics()
    assert set(root.actions.tolist()) == set(state.legal_actions())
    assert root.visits.sum() == 5000
    # As many as the search has without a bound, or all that there is room for.
    assert found.num_sets == max_sets or len(found.trees.arms) - found.trees.used[1] < state.game.max_legal_actions


def test_too_little_memory_is_said():
    with pytest.raises(ParameterError, match="memory: room for 5 actions, randomtree needs 8 for the root"):
        InformationSetSearch(RandomTree(), 1)
    with pytest.raises(ParameterError, match="observers: 'none' is not one of single, multiple"):
        Options(observers="none")
    with pytest.raises(ParameterError, match="a player is to act"):
        InformationSetSearch(Guess(), 10).set_root(Guess().initial_array())


def test_memory_is_what_arrays_take():
    for game in (gamelab.load("kuhn"), RandomTree()):
        trees = InformationSetSearch(game, sets_within(game, 1 << 20)).trees
        taken = sum(array.nbytes for array in (trees.sets, trees.slots, trees.arms))
        assert (1 << 20) - 200 <= taken <= (1 << 20) + 100


# --- options ----------------------------------------------------------------------------------------------------------


def test_bias_prefers_what_the_game_does():
    for state in decisions(RandomTree(seed=5, depth=6), 5, seed=2):
        priors = {action: kernels.action_prior(state.array, action) for action in state.legal_actions()}
        found = search(state, 30, Options(bias=1000.0))
        visits = dict(zip(found.statistics().actions.tolist(), found.statistics().visits.tolist(), strict=True))
        if len(set(priors.values())) == len(priors):
            order = sorted(priors, key=priors.get)
            assert [visits[action] for action in order] == sorted(visits.values())


def test_a_cutoff_evaluates():
    for state in decisions(RandomTree(seed=5, depth=9), 5, seed=2):
        n, player = len(state.legal_actions()), state.current_player()
        for action, value in values(search(state, n, Options(cutoff=0))).items():
            assert value == pytest.approx(state.child(action).evaluate()[player])


def test_decisive_playouts_take_the_win():
    state = gamelab.load("tictactoe").state_from_text("xx.\noo.\n...")
    n = len(state.legal_actions())
    with_wins = values(search(state, n, Options(decisive=True)))
    # Who does not win or block at once lets the other win.
    assert [with_wins[action] for action in (8, 0, 1, 2)] == [1.0, -1.0, -1.0, -1.0]
    plain = [values(search(state, n, seed=seed))[0] for seed in range(30)]
    assert max(plain) > -1


def test_rules_that_make_arrays_are_named(monkeypatch):
    def broken(*_):
        raise TypingError("Failed in nopython mode pipeline\nNRT required but not enabled")

    monkeypatch.setattr("gamelab.search.ismcts.search", broken)
    with pytest.raises(AgentError, match="rules of kuhn cannot be compiled into a search: they must make no arrays"):
        search(kuhn("0 1"), 1)


def test_exploration_is_by_availability():
    """With c = 0 a simulation goes where the mean is best; with a large c all arms of the root alike."""
    state = kuhn("0 1 b")
    visits = search(state, 1000, Options(exploration=1000.0)).statistics().visits
    assert math.isclose(visits.max() / visits.min(), 1.0, rel_tol=0.05)
    assert search(state, 1000, Options(exploration=0.0)).statistics().visits.min() <= 20
