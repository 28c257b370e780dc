"""The compiled Web against its naive twin, its deals against the rule text, and its beliefs against trying all deals."""

import random
import re
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import gamelab
import gamelab.games
from gamelab.games.web.rules import score
from tests.naive import web as naive
from tests.naive.web_belief import arranged, arrangements, belief
from tests.naive.web_play import ALL_RULES, STYLES, computers, random_move, rules_met

SLOW = settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
STANDARD = Path(gamelab.games.__file__).parent / "web" / "decks" / "standard.toml"
DECK = naive.read_deck(STANDARD)


def cells_text(cells):
    return " ".join(f"{x},{y}" for x, y in sorted(cells))


# A room of five by five around the centre, one of seven with pillars, and a few stones at the table's edge.
SMALL_ROOM = {(x, y) for x in range(4, 11) for y in range(4, 11) if {x, y} & {4, 10}}
LARGE_ROOM = {(x, y) for x in range(3, 12) for y in range(3, 12) if {x, y} & {3, 11}} | {(5, 5), (9, 6), (6, 9)}
STONES = {(0, 3), (1, 9), (5, 7), (9, 8), (8, 10), (14, 6), (13, 13)}
TABLES = {
    "open": {},
    "handicap": {"obstacles": 20},
    "small": {"table": 15},
    "stones": {"table": 15, "obstacles": cells_text(STONES)},
    "large room": {"table": 15, "obstacles": cells_text(LARGE_ROOM)},
    "small room": {"table": 15, "obstacles": cells_text(SMALL_ROOM)},
}


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def pairs(text):
    """The cells such as ``3,4`` in a text."""
    return {(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", text)}


@cache
def loaded(**parameters):
    """The game and the cards of its deck."""
    return gamelab.load("web", **parameters), naive.read_deck(Path(parameters.get("deck", STANDARD)))


def cards_in(state):
    """Whose turn it is, and the cards in hands and piles, from the text of a position."""
    text, seats = state.to_text(), range(state.game.num_players)
    hands = [numbers(re.search(rf"^player {p}: hand ([^;]*)", text, re.MULTILINE)[1]) for p in seats]
    piles = [numbers(re.search(rf"^pile {pile}: (.*)$", text, re.MULTILINE)[1]) for pile in range(6)]
    return numbers(text)[0], hands, piles


def dealt(outcome, **parameters):
    """A compiled game after the deal, and its twin, which is given the deal from the text of the position."""
    game, deck = loaded(**parameters)
    state = game.new_initial_state()
    state.apply_action(outcome)
    starter, hands, piles = cards_in(state)
    random_obstacles = "".join(re.findall("^obstacles (.*)$", state.to_text(), re.MULTILINE))
    return state, naive.start(
        deck,
        hands,
        piles,
        starter,
        table=game.parameters["table"],
        obstacles=pairs(random_obstacles) | pairs(game.parameters["obstacles"]),
        lone_player=game.parameters["lone_player"],
    )


ENDS = {
    "pile": "pile exhausted",
    "passes": "no card fits",
    "lone player": "one player has cards",
    "no cards": "nobody has cards",
}


def assert_twins(state, twin):
    record, seats = state.array[0], range(len(twin.hands))
    actor = naive.to_act(twin)
    assert state.current_player() == (gamelab.TERMINAL if actor is None else actor)
    assert sorted(map(state.action_to_string, state.legal_actions())) == sorted(naive.legal_moves(twin))
    assert [int(score(record, player)) for player in seats] == naive.scores(twin)
    assert state.returns() == pytest.approx([float(share) for share in naive.returns(twin)])
    assert tuple(record["front"][: len(seats)]) == twin.front
    if actor is None:
        assert state.game.describe_end(record).startswith(ENDS[twin.over])


def twin_games(style, seed, **parameters):
    """Play a random game with both and yield every step of the twin: before it, the move, after it."""
    rng = random.Random(seed)
    state, twin = dealt(rng.randrange(2**31), **parameters)
    assert_twins(state, twin)
    while twin.over is None:
        move = random_move(twin, rng, style)
        state.apply_action(state.string_to_action(move))
        before, twin = twin, naive.play(twin, move)
        assert_twins(state, twin)
        yield before, move, twin


# --- the rules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 4),
    lone_player=st.sampled_from(["end", "plays_on"]),
    table=st.sampled_from(list(TABLES)),
)
@SLOW
def test_random_games(style, seed, players, lone_player, table):
    for _ in twin_games(style, seed, players=players, lone_player=lone_player, **TABLES[table]):
        pass


def test_every_rule_applies_in_these_games():
    met = Counter()
    for seed, (style, table) in enumerate(product([*STYLES, "wiring"], TABLES)):
        lone_player = ("end", "plays_on")[seed % 2]
        for step in twin_games(style, seed, players=2 + seed % 3, lone_player=lone_player, **TABLES[table]):
            met.update(rules_met(*step))
    assert set(met) == ALL_RULES


@pytest.mark.parametrize("seed", range(8))
def test_any_deck(seed, tmp_path):
    """Faces that look the same after a quarter turn or half a turn, many servers, the least cards and the most."""
    rng = random.Random(seed)
    players, most = 2 + seed % 3, 21 if seed % 2 else 8
    path = tmp_path / "any.toml"
    path.write_text('name = "any"\n' + "\n".join(random_cards(rng, shape, players + 2, most) for shape in naive.SHAPES))
    for _ in twin_games("wiring", seed, players=players, deck=str(path)):
        pass


def random_cards(rng, shape, fewest, most):
    """One line of a deck file."""
    faces = ["".join(rng.choices("..SS123455"[rng.randrange(6) :], k=len(naive.SHAPES[shape]))) for _ in range(most)]
    cards = [f"{rng.choice([face, 3 * face[0] if len(face) == 3 else 2 * face[:2]])} {rng.randint(1, 5)}" for face in faces]
    return f"{shape} = {cards[: rng.randint(fewest, most)]}"


# --- deals ------------------------------------------------------------------------------------------------------------


def deals(count, **parameters):
    rng = np.random.default_rng(count)
    return [dealt(int(rng.integers(2**31)), **parameters)[1] for _ in range(count)]


def p_value(counts, places):
    """That of equal chances for each of so many places, by chi-square."""
    due = sum(counts.values()) / places
    statistic = (sum((count - due) ** 2 for count in counts.values()) + (places - len(counts)) * due**2) / due
    return chi2.sf(statistic, places - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deal_gives_each_a_card_of_each_shape_and_two_piles_of_the_rest(players):
    for twin in deals(20, players=players):
        shapes = [[DECK[card].shape for card in cards] for cards in (*twin.hands, *twin.piles)]
        assert all(sorted(hand) == sorted(naive.SHAPES) for hand in shapes[:players])
        assert [set(pile) for pile in shapes[players:]] == [{shape} for shape in naive.SHAPES for _ in range(2)]
        rest = {"straight": 19 - players, "bend": 22 - players, "block": 19 - players}
        assert [len(pile) for pile in twin.piles] == [half for n in rest.values() for half in (n - n // 2, n // 2)]


@pytest.mark.parametrize("players", [2, 4])
def test_who_shows_the_fewest_computers_starts_and_ties_are_settled_by_lot(players):
    lots = {}
    for twin in deals(300, players=players):
        shown = [computers(DECK, hand) for hand in twin.hands]
        tied = tuple(player for player in range(players) if shown[player] == min(shown))
        assert twin.to_move in tied
        lots.setdefault(tied, Counter())[twin.to_move] += 1
    usual = {tied: lot for tied, lot in lots.items() if len(tied) > 1 and lot.total() >= 15}
    assert usual
    assert min(p_value(lot, len(tied)) for tied, lot in usual.items()) > 1e-4


def test_every_card_is_as_likely_on_every_place():
    twins = deals(600)
    for place in range(-1, 4):
        for shape in range(3):
            # A place of the hand, then places of the second pile of the shape from its top down.
            cards = [t.piles[2 * shape + 1][place] if place >= 0 else sorted(t.hands[0])[shape] for t in twins]
            assert p_value(Counter(cards), (19, 22, 19)[shape]) > 1e-4


def test_random_obstacles():
    near = {(x, y) for x in range(13, 28) for y in range(13, 28)} - {(20, 20), (19, 20), (21, 20), (20, 19), (20, 21)}
    twins = deals(200, obstacles=10)
    assert {len(twin.obstacles) for twin in twins} == {10}
    assert p_value(Counter(cell for twin in twins for cell in twin.obstacles), len(near)) > 1e-4
    assert set().union(*(twin.obstacles for twin in twins)) <= near
    assert deals(1, obstacles=220)[0].obstacles == near


# --- beliefs ----------------------------------------------------------------------------------------------------------

# Six cards of a shape, so that all 720 deals can be tried. Some faces are the same after a turn only, some cards have the
# dots of another with the same face, and one card has a face of its own.
FEW = """
name = "few"
straight = ["12. 1", ".21 2", "12. 3", "1.1 2", "1.1 4", "... 5"]
bend = ["1.. 1", "1.. 2", "1.. 2", ".1. 3", ".1. 5", "..1 4"]
block = ["1.2. 1", ".2.1 3", "21.. 2", "12.. 4", "S... 1", "...S 5"]
"""


def pasts(tmp_path, seed, players):
    """The compiled state at every step of a game with few cards, with all positions of the twin so far."""
    path = tmp_path / "few.toml"
    path.write_text(FEW)
    rng = random.Random(seed)
    state, twin = dealt(rng.randrange(2**31), players=players, deck=str(path))
    past = [twin]
    while True:
        yield state, past
        if twin.over is not None:
            return
        move = random_move(twin, rng, "wiring")
        state, twin = state.child(state.string_to_action(move)), naive.play(twin, move)
        past = [*past, twin]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_beliefs_equal_those_from_all_deals(players, tmp_path):
    uncertain = 0
    for seed in range(3):
        for state, past in list(pasts(tmp_path, seed, players))[::5]:
            for player in range(players):
                expected = belief(past, player)
                assert state.belief(player) == pytest.approx({key: float(p) for key, p in expected.items()})
                uncertain += len(expected) > 1
    assert uncertain > 10


@pytest.mark.parametrize("players", [2, 3])
def test_sampled_states_are_as_likely_as_all_deals_say(players, tmp_path):
    tested, n = 0, 400
    for number, (state, past) in enumerate(list(pasts(tmp_path, 7, players))[::12]):
        rng = np.random.default_rng(number)
        for player in range(players):
            samples = [cards_in(state.resample_from_infostate(player, rng))[1:] for _ in range(n)]
            for shape in naive.SHAPES:
                expected = arrangements(past, player, shape)
                of_shape = [card for card, printed in enumerate(past[0].deck) if printed.shape == shape]
                counts = Counter(arranged(of_shape, [*hands, *piles], players) for hands, piles in samples)
                assert set(counts) <= set(expected)
                assert len(set(expected.values())) == 1  # so equal chances are what is expected
                if 1 < len(expected) < n / 8:
                    assert p_value(counts, len(expected)) > 1e-5
                    tested += 1
    assert tested > 10
