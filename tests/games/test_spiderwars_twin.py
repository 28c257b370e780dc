"""Spider Wars: the naive twin against the known answers of the rules, and the compiled game against the twin."""

import functools
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamelab
from tests.naive import spiderwars as naive

SLOW = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@functools.cache
def load(web, first, max_turns):
    return gamelab.load("spiderwars", web=web, first=first, max_turns=max_turns)


def position(text, *, to_move="green", web="standard", turn=2, **fields):
    """A position of the twin, of words such as ``gd:4,4:5,5``: a green Daddy with legs there; one leg is a Dangler's."""
    spiders = set()
    for word in text.split():
        (player, kind), *legs = word.split(":")
        name = {"g": "green", "o": "orange"}[player], {"d": "daddy", "s": "small"}[kind]
        spiders.add(naive.Spider(*name, frozenset(map(naive.read, legs))))
    return naive.Position(naive.WEBS[web], frozenset(spiders), to_move, turn=turn, **fields)


def played(start, *moves):
    """The position after some actions."""
    return functools.reduce(naive.play, moves, start)


# --- the twin and the known answers -----------------------------------------------------------------------------------


def test_the_webs():
    sizes = {name: len(web.holes) for name, web in naive.WEBS.items()}
    assert sizes == {"standard": 41, "mini": 13}
    standard, mini = naive.WEBS["standard"], naive.WEBS["mini"]
    assert [standard.neighbours(standard.nests[player]) for player in ("green", "orange")] == [
        {(0, 8), (0, 6)},
        {(8, 0), (8, 2)},
    ]
    assert [mini.neighbours(mini.nests[player]) for player in ("green", "orange")] == [{(0, 4), (0, 2)}, {(4, 0), (4, 2)}]
    assert standard.neighbours((4, 4)) == {(4, 2), (4, 6), (3, 3), (3, 5), (5, 3), (5, 5)}


def test_the_first_moves():
    start = naive.start()
    by_kind = Counter(start.at(naive.read(move.split(">")[0])) for move in naive.legal_moves(start))
    assert sorted((spider.kind, count) for spider, count in by_kind.items()) == [
        ("daddy", 12),
        ("small", 2),
        ("small", 2),
        ("small", 4),
    ]


@pytest.mark.parametrize("first", ["green", "orange"])
def test_the_second_turn_leads_to_231_positions(first):
    start = naive.start(first=first)
    for opening in naive.legal_moves(start):
        answered = naive.play(start, opening)
        assert (answered.to_move, answered.turn) == (naive.OTHER[first], 1)
        halfway = [naive.play(answered, move) for move in naive.legal_moves(answered)]
        assert {(half.to_move, half.turn) for half in halfway} == {(naive.OTHER[first], 1)}
        assert len({naive.play(half, move) for half in halfway for move in naive.legal_moves(half)}) == 231


@pytest.mark.parametrize("player", ["green", "orange"])
def test_leg_moves_to_the_nest(player):
    start = naive.start()
    needed = []
    for mine in (spider for spider in start.spiders if spider.player == player):
        seen, edge, steps = {mine.legs}, {mine.legs}, 0
        while not any(start.web.nests[naive.OTHER[player]] in legs for legs in edge):
            alone = [naive.Position(start.web, frozenset({naive.Spider(player, mine.kind, legs)}), player) for legs in edge]
            ways = [(state.own()[0].legs, pair) for state in alone for pair in naive.leg_moves(state)]
            edge = {legs - {leg} | {target} for legs, (leg, target) in ways} - seen
            seen |= edge
            steps += 1
        needed.append((mine.kind, steps))
    assert sorted(needed) == [("daddy", 4), ("small", 8), ("small", 8), ("small", 8)]


@pytest.mark.parametrize(
    ("player", "targets"),
    [("green", "4,2 4,6 3,3 3,5"), ("orange", "4,2 4,6 5,3 5,5")],
)
def test_figure_9(player, targets):
    state = position(f"{player[0]}s:4,4 gd:0,0:0,2 od:8,8:8,6", to_move=player)
    replantings = {move for move in naive.legal_moves(state) if "+" in move}
    assert replantings == {f"4,4+{target}" for target in targets.split()}


def test_a_daddy_dangler_has_eleven_holes():
    for player in ("green", "orange"):
        assert len(naive.replantings(position(f"{player[0]}d:4,4", to_move=player))) == 11


def test_replanting_takes_the_whole_turn():
    state = played(position("gs:4,4 gd:0,0:0,2 od:8,8:8,6"), "4,4+3,3")
    assert (state.to_move, state.turn) == ("orange", 3)
    assert state.at((3, 3)) == state.at((4, 4)) == naive.Spider("green", "small", frozenset({(3, 3), (4, 4)}))
    halfway = played(position("gs:4,4 gd:0,0:0,2 od:8,8:8,6"), "0,0>1,1")
    assert not any("+" in move for move in naive.legal_moves(halfway))


def test_blocked_danglers_pass_and_two_passes_are_a_draw():
    blocked = "gs:0,0 os:0,2:0,4"
    state = position(blocked)
    assert naive.legal_moves(state) == ["pass"]
    passed = naive.play(state, "pass")
    assert (passed.to_move, passed.turn, naive.result(passed)) == ("orange", 3, None)
    assert naive.result(played(position(blocked, passes=1), "pass")) == "draw"
    # A turn with a move in it counts anew.
    assert played(passed, "0,4>1,3").passes == 0


def test_a_dangler_and_a_knock_out_in_one_turn():
    state = position("gd:2,2:3,3 os:4,2:5,3 od:8,8:8,6")
    pushed = naive.play(state, "2,2>4,2")
    assert pushed.at((5, 3)) == naive.Spider("orange", "small", frozenset({(5, 3)}))
    assert not any(move.startswith("4,2") for move in naive.legal_moves(pushed))
    out = naive.play(pushed, "3,3>5,3")
    assert [spider.kind for spider in out.spiders if spider.player == "orange"] == ["daddy"]
    assert (out.to_move, naive.result(out)) == ("orange", None)


def test_the_last_knock_out_wins_in_mid_turn():
    won = naive.play(position("gd:2,2:3,3 os:4,2"), "2,2>4,2")
    assert (won.turn, naive.result(won), naive.legal_moves(won)) == (2, "green", [])


def test_the_nest_wins_and_the_own_one_is_closed():
    state = position("gd:7,1:8,0 od:8,8:8,6 os:0,8:0,6", max_turns=3)
    assert naive.result(naive.play(state, "8,0>9,1")) == "green"
    # A Daddy reaches it over the hole before it; nobody enters the own one.
    assert {"8,0>9,1", "7,1>9,1"} <= set(naive.legal_moves(state))
    assert not any("-1,7" in move for move in naive.legal_moves(position("gs:0,8:0,6 od:8,8:8,6")))
    assert naive.result(played(position("os:0,8:0,6 gd:8,8:8,6", to_move="orange"), "0,6>-1,7")) == "orange"


def test_the_last_turn_is_a_draw_unless_it_wins():
    state = position("gd:4,4:5,5 os:8,8:8,6", max_turns=3)
    halfway = naive.play(state, "4,4>4,6")
    assert naive.result(halfway) is None
    assert naive.result(naive.play(halfway, "5,5>5,7")) == "draw"


def test_a_turn_without_a_second_action_ends():
    # The other leg could only go to the hole of the own Dangler.
    state = position("gs:0,2:1,3 gd:1,1 os:8,8:8,6")
    after = naive.play(state, "1,3>0,0")
    assert (after.to_move, after.turn, after.moved, after.passes) == ("orange", 3, None, 0)


# --- the compiled game and the twin -----------------------------------------------------------------------------------

KINDS = {"dangler", "knock-out", "replanting", "win by nest", "win by knock-out", "draw by turns"}
RARE = {"pass", "short turn"}  # common enough where there are few spiders


def what_happened(before, move, after):
    """Kinds of events in one action."""
    if "+" in move:
        yield "replanting"
    elif move == "pass":
        yield "pass"
    elif naive.captures(before, move):
        yield "knock-out" if len(after.spiders) < len(before.spiders) else "dangler"
    winner = naive.result(after)
    if winner in naive.OTHER:
        yield "win by nest" if {spider.player for spider in after.spiders} == set(naive.OTHER) else "win by knock-out"
    elif winner == "draw":
        yield "draw by turns"
    elif ">" in move and before.turn > 0 and before.moved is None and after.moved is None:
        yield "short turn"


def text_of(twin):
    """The position as the compiled game writes it: spiders, player to act, turn, the leg that has moved, passes."""
    lines = []
    for player in naive.OTHER:
        spiders = [spider for spider in twin.spiders if spider.player == player]
        spiders.sort(key=lambda spider: (spider.kind, sorted(spider.legs)))
        words = [f"{spider.kind[0].upper()} {'-'.join(f'{x},{y}' for x, y in sorted(spider.legs))}" for spider in spiders]
        lines.append(" ".join([f"{player.capitalize()}:", *words]))
    moved = f"; moved {twin.moved[0]},{twin.moved[1]}" if twin.moved else ""
    passes = f"; passes {twin.passes}" if twin.passes else ""
    return "\n".join([*lines, f"{twin.to_move.capitalize()} to move; turn {twin.turn}{moved}{passes}"])


def assert_twins(state, twin):
    """Both agree on moves, player to act, end and returns, and on the position while the game goes on."""
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(names) == sorted(naive.legal_moves(twin))
    winner = naive.result(twin)
    assert state.is_terminal() == (winner is not None)
    assert state.returns() == {"green": [1, -1], "orange": [-1, 1]}.get(winner, [0, 0])
    if winner is None:
        assert state.current_player() == list(naive.OTHER).index(twin.to_move)
        assert state.to_text() == text_of(twin)


def play_both(state, twin, chance, greed):
    """Play a random game in both; where something can be captured it is, with probability `greed`. Yields events."""
    assert_twins(state, twin)
    while not state.is_terminal():
        moves = sorted(naive.legal_moves(twin))  # sets have another order in each process
        capturing = [move for move in moves if naive.captures(twin, move)]
        move = chance.choice(capturing if capturing and chance.random() < greed else moves)
        state.apply_action(state.string_to_action(move))
        before, twin = twin, naive.play(twin, move)
        assert_twins(state, twin)
        yield from what_happened(before, move, twin)


@pytest.mark.parametrize(("web", "count", "kinds"), [("standard", 50, KINDS), ("mini", 150, KINDS | RARE)])
def test_random_games(web, count, kinds):
    seen = Counter()

    @settings(SLOW, max_examples=count)
    @given(
        seed=st.integers(0, 10**6),
        greed=st.sampled_from([0, 0.5]),
        first=st.sampled_from(["green", "orange"]),
        max_turns=st.sampled_from([1, 2, 30, 200, 200, 200]),
    )
    def games(seed, greed, first, max_turns):
        state = load(web, first, max_turns).new_initial_state()
        seen.update(play_both(state, naive.start(web, first, max_turns), random.Random(seed), greed))

    games()
    assert kinds <= set(seen)


def set_up(chance, web):
    """A position at the start of a turn: some of the spiders, many of them Danglers, often close together in a corner."""
    plan = naive.WEBS[web]
    crowd = sorted(plan.holes)[:: chance.choice([1, -1])][: chance.choice([6, 10, 41])]
    free, spiders = set(crowd), set()
    for player in naive.OTHER:
        kinds = [kind for kind, *_ in plan.green_start]
        for kind in chance.sample(kinds, chance.randint(1, len(kinds))):
            if not free:
                break
            leg = chance.choice(sorted(free))
            others = sorted(free & plan.within(leg, naive.REACH[kind]))
            legs = {leg} if not others or chance.random() < 0.7 else {leg, chance.choice(others)}
            free -= legs
            spiders.add(naive.Spider(player, kind, frozenset(legs)))
    turn = chance.choice([4, 5, 198, 199])
    return naive.Position(plan, frozenset(spiders), list(naive.OTHER)[turn % 2], turn=turn)


@pytest.mark.parametrize(("web", "kinds"), [("standard", KINDS | {"pass"}), ("mini", KINDS | RARE)])
def test_positions_set_up(web, kinds):
    seen = Counter()

    @settings(SLOW, max_examples=200)
    @given(seed=st.integers(0, 10**6))
    def positions(seed):
        chance = random.Random(seed)
        twin = set_up(chance, web)
        if {spider.player for spider in twin.spiders} != set(naive.OTHER):
            return  # no room for one side
        state = load(web, "green", 200).state_from_text(text_of(twin))
        assert_twins(state, twin)
        for move in naive.legal_moves(twin):
            after = naive.play(twin, move)
            assert_twins(state.child(state.string_to_action(move)), after)
            seen.update(what_happened(twin, move, after))

    positions()
    assert kinds <= set(seen)
