"""The solver against exhaustive minimax, and its proofs against a walk that knows nothing of it."""

import functools

import numpy as np
import pytest

import gamelab
from gamelab.core.rules import NO_ACTION
from gamelab.search import dfpn, strategy
from gamelab.search.solver import Solver, solve
from gamelab.testing import random_states
from tests.search.random_trees import RandomTree

NEVER = np.zeros(1, np.uint8)
ONE_BUCKET = 96


def minimax(state, values):
    """The value for player 0, every position looked at once."""
    key = state.to_text()
    if key not in values:
        if state.is_terminal():
            values[key] = state.returns()[0]
        else:
            children = [minimax(state.child(action), values) for action in state.legal_actions()]
            values[key] = max(children) if state.current_player() == 0 else min(children)
    return values[key]


def true_value(state, values=None):
    """1, 0 or -1 for the player to act."""
    value = np.sign(minimax(state, {} if values is None else values))
    return int(value if state.current_player() == 0 else -value)


def walk(state, plan):
    """Positions that can arise when `plan.player` keeps to it. Each end must be as good as the plan says."""
    seen, stack = set(), [state.clone()]
    while stack:
        position = stack.pop()
        if position.to_text() in seen:
            continue
        seen.add(position.to_text())
        choice = plan.action(position.key())
        if position.is_terminal():
            value = position.returns()[plan.player]
            assert value > 0 if plan.least == "win" else value >= 0
            assert choice == NO_ACTION
        elif position.current_player() == plan.player:
            assert choice in position.legal_actions()
            stack.append(position.child(choice))
        else:
            assert choice == NO_ACTION
            stack.extend(position.child(action) for action in position.legal_actions())
    return len(seen)


def check(state, proof, expected):
    """Everything that a proof claims."""
    assert proof.proven
    assert proof.value == expected
    player = state.current_player()
    kinds = {1: {(player, "win")}, 0: {(player, "draw"), (1 - player, "draw")}, -1: {(1 - player, "win")}}
    assert {(plan.player, plan.least) for plan in proof.strategies} == kinds[expected]
    sizes = [walk(state, plan) for plan in proof.strategies]
    assert sizes == [plan.size for plan in proof.strategies]
    assert proof.proof_size == sum(sizes)
    line = state
    for action in proof.principal_variation:
        line = line.child(action)
    assert line.is_terminal()
    assert np.sign(line.returns()[player]) == expected
    assert proof.principal_variation[0] == proof.action


# Shapes of random trees: shared positions, hardly any, deep and narrow, and positions with many actions.
SHAPES = [
    {"depth": 7, "width": 15, "branching": 4},
    {"depth": 6, "width": 4000, "branching": 3},
    {"depth": 40, "width": 5, "branching": 3},
    {"depth": 5, "width": 60, "branching": 8},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_minimax_on_random_trees(shape):
    found = {1: 0, 0: 0, -1: 0}
    for seed in range(60):
        state = RandomTree(seed=seed, **shape).new_initial_state()
        expected = true_value(state)
        check(state, solve(state, memory=1 << 18), expected)
        found[expected] += 1
    assert min(found[1], found[-1]) > 0


@pytest.mark.parametrize("memory", [ONE_BUCKET, 4 * ONE_BUCKET])
@pytest.mark.parametrize("shape", [*SHAPES[:2], {"depth": 12, "width": 5, "branching": 3}, SHAPES[3]])
def test_a_table_that_forgets_almost_all_changes_no_value(shape, memory):
    for seed in range(40):
        state = RandomTree(seed=seed, **shape).new_initial_state()
        check(state, solve(state, nodes=10**7, memory=memory), true_value(state))


def test_what_was_found_before_changes_no_value():
    """One solver, its table full of other positions of the game, both players' questions among them."""
    game = RandomTree(seed=3, depth=9, width=12, branching=4)
    solver, values = Solver(game, 1 << 14), {}
    rng = np.random.default_rng(1)
    for state in random_states(game, 300, rng):
        if not state.is_terminal():
            check(state, solver.solve(state.array, nodes=10**6, stop=NEVER), true_value(state, values))


def test_every_tictactoe_position():
    game, values = gamelab.load("tictactoe"), {}
    solver = Solver(game, 1 << 18)
    minimax(game.new_initial_state(), values)
    counts = {}
    for text in values:
        state = game.state_from_text(text)
        if not state.is_terminal():
            plies = sum(int(marks).bit_count() for marks in state.array["marks"][0])
            proof = solver.search(state.array, nodes=10**6, stop=NEVER)
            assert proof.value == true_value(state, values)
            counts[plies] = counts.get(plies, 0) + 1
            if sum(counts.values()) % 10 == 0:
                check(state, solver.solve(state.array, nodes=10**6, stop=NEVER), proof.value)
    # Positions that are not over, by plies: 4520 in all (John Tromp's 5478, less 958 that are).
    assert sum(counts.values()) == 4520
    assert counts[0] == 1
    assert counts[1] == 9


# John Tromp, "John's Connect Four Playground" (tromp.github.io/c4/c4.html): values of small boards for the first player.
@pytest.mark.parametrize(("columns", "rows", "value"), [(4, 4, 0), (5, 4, 0), (4, 5, 0)])
def test_connect_four_on_small_boards(columns, rows, value):
    proof = solve(gamelab.load("connectfour", columns=columns, rows=rows).new_initial_state(), nodes=10**7)
    assert proof.value == value
    assert len(proof.principal_variation) == columns * rows


def test_a_connect_four_position_is_proven_both_ways():
    game, values = gamelab.load("connectfour", columns=4, rows=4), {}
    rng = np.random.default_rng(5)
    states = [s for s in random_states(game, 600, rng) if len(s.history()) >= 6 and not s.is_terminal()]
    for state in [states[i] for i in rng.choice(len(states), 40, replace=False)]:
        check(state, solve(state, memory=1 << 16), true_value(state, values))


def test_less_than_enough_is_never_a_claim():
    """With any budget the value is the true one or none, and the more is spent the more is proven."""
    proven = []
    states = [RandomTree(seed=seed, depth=8, width=200, branching=4).new_initial_state() for seed in range(60)]
    values = [true_value(state) for state in states]
    for nodes in (1, 10, 40, 160, 640, 10**6):
        proven.append(0)
        for state, value in zip(states, values, strict=True):
            proof = solve(state, nodes=nodes, memory=1 << 20)
            assert proof.action in state.legal_actions()
            assert proof.value in (None, value)
            assert proof.nodes <= 2 * (nodes + 8)  # a position's children are finished; as many again for the check
            proven[-1] += proof.proven
            if not proof.proven:
                assert proof.status == "not proven"
                assert proof.proof_size is None
                assert proof.strategies == ()
    assert proven == sorted(proven)
    assert proven[0] < 30
    assert proven[-1] == 60


def test_time_is_kept_and_a_search_can_be_stopped():
    state = gamelab.load("netwerk").new_initial_state()
    solve(state, nodes=1000)
    proof = solve(state, nodes=10**12, seconds=0.2)
    assert proof.value is None
    assert 0.15 < proof.seconds < 5
    stopped = Solver(state.game, 1 << 16).solve(state.array, nodes=10**12, stop=np.ones(1, np.uint8))
    assert stopped.value is None
    assert stopped.action in state.legal_actions()


def test_a_search_goes_on_where_the_last_one_ended():
    """Work that is cut off is in the table: many small budgets do not cost much more than one large one."""
    state = gamelab.load("connectfour", columns=4, rows=4).new_initial_state()
    whole = Solver(state.game, 1 << 24).search(state.array, nodes=10**7, stop=NEVER)
    solver, used = Solver(state.game, 1 << 24), 0
    while not (proof := solver.search(state.array, nodes=20_000, stop=NEVER)).proven:
        used += proof.nodes
        assert used < 3 * whole.nodes
    assert proof.value == whole.value


def test_stack_and_walk_grow_in_mid_search(monkeypatch):
    monkeypatch.setattr(dfpn, "FIRST_ROWS", 1)
    monkeypatch.setattr(strategy, "FIRST_ROWS", 1)
    monkeypatch.setattr(strategy, "FIRST_SLOTS", 2)
    for seed in range(30):
        state = RandomTree(seed=seed, depth=30, width=6, branching=3).new_initial_state()
        check(state, solve(state, memory=1 << 16), true_value(state))


def test_a_line_too_long_for_the_stack_is_not_claimed(monkeypatch):
    monkeypatch.setattr(dfpn, "FIRST_ROWS", 4)
    monkeypatch.setattr(dfpn, "MOST_ROWS", 4)
    values = []
    for seed in range(60):
        state = RandomTree(seed=seed, depth=9, width=30, branching=3).new_initial_state()
        values.append(solve(state, memory=1 << 16).value)
        assert values[-1] in (None, true_value(state))
    assert {None, 1, -1} <= set(values)


def test_a_proof_that_does_not_hold_is_withdrawn():
    """As if keys had collided: the table says that the player to act wins everywhere, and the search believes it."""
    state = gamelab.load("tictactoe").new_initial_state()
    solver = Solver(state.game, 1 << 18)
    assert solver.solve(state.array, nodes=10**6, stop=NEVER).value == 0
    solver._table["numbers"][:] = 0, dfpn.INFINITY
    assert solver.search(state.array, nodes=10**6, stop=NEVER).value == 1
    checked = solver.solve(state.array, nodes=10**6, stop=NEVER)
    assert checked.value is None
    assert checked.proof_size is None
    assert checked.strategies == ()


def test_the_state_is_left_alone():
    state = gamelab.load("tictactoe").state_from_text("xo.\n.x.\n..o")
    before = state.clone()
    assert solve(state).value == 1
    assert state == before
    assert state.history() == before.history()


# The behaviour of the search in numbers: a change that claims to change nothing must keep them.
def test_node_counts_are_repeatable():
    found = [solve(gamelab.load("tictactoe").new_initial_state()) for _ in range(2)]
    assert found[0].nodes == found[1].nodes == 7637
    assert found[0].proof_size == found[1].proof_size


@functools.cache
def chance_tree():
    return RandomTree(seed=1, chance=20).new_initial_state()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 0}, "nodes: 0 is not greater than 0"),
        ({"nodes": -5}, "nodes"),
        ({"nodes": "many"}, "nodes: 'many' is not greater than 0"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"memory": 0}, "memory"),
        ({"memory": ONE_BUCKET - 1}, "95 bytes is less than a table of 4 entries takes .96 bytes."),
    ],
)
def test_budgets_of_nothing_are_refused(arguments, message):
    with pytest.raises(gamelab.GamelabError, match=message) as error:
        solve(gamelab.load("tictactoe").new_initial_state(), **arguments)
    assert error.type.__name__ == "ParameterError"


def test_other_games_and_ends_are_refused():
    with pytest.raises(gamelab.GamelabError, match="randomtree is none"):
        solve(chance_tree())
    with pytest.raises(gamelab.GamelabError, match="randomtree is none"):
        solve(RandomTree(players=3).new_initial_state())
    with pytest.raises(gamelab.GamelabError, match="tictactoe: the game is over"):
        solve(gamelab.load("tictactoe").state_from_text("xxx\noo.\n..."))
