"""Beliefs in Hack Trick: deductions of the rule text, the hand in fact held, sampled worlds against the belief."""

import functools
from collections import Counter
from itertools import combinations_with_replacement, permutations, product
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import ParameterError
from gamelab.games.hacktrick import belief
from gamelab.games.hacktrick.cards import unpack
from gamelab.testing import random_states


@functools.cache
def load():
    return gamelab.load("hacktrick")


def position(record):
    return load().state_from_text("starter 0 " + record)


def hand(state, player):
    return unpack(state.array[0]["hands"][player])


def close(expected):
    return {key: pytest.approx(value, abs=1e-12) for key, value in expected.items()}


# --- known answers ----------------------------------------------------------------------------------------------------


def test_the_weights_of_the_rule_text():
    """Out 0 1, own hand 0 0 1, row 2; the opponent announced 9 with three cards, then plays a 3."""
    state = position("cards 0 1 0 0 1 2 1 3 5 open 2 play 3 no call")
    weights = {(1, 5): 9, (2, 4): 18, (3, 3): 1}
    assert state.belief(0) == close({cards: weight / 28 for cards, weight in weights.items()})


def test_two_cards_announced_as_seven_with_all_2s_seen():
    """Two 2s lie in the row and one is in the hand of player 1: the two cards are 3 and 4."""
    state = position("cards 0 0 2 2 3 4 1 2 5 open 2 play 1 no call play 2 no call")
    assert state.belief(1) == {(3, 4): 1.0}


def test_two_cards_announced_as_seven_with_a_2_unseen():
    """2 2 3 4 can be dealt in 3 * 3 * 3 ways, 2 2 2 5 in 1 * 2: three 2s, 3s and 4s and two 5s were unseen."""
    state = position("cards 0 0 2 2 3 4 1 1 5 open 2 play 1 no call play 2 no call")
    assert state.belief(1) == close({(3, 4): 27 / 29, (2, 5): 2 / 29})


def test_a_spied_sum_counts_for_the_hand_as_it_is():
    """Player 1 announced 10, played 3 and 5, so holds a 2, and draws one of nine unseen cards; then the sum is asked for."""
    record = "cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call play 0 no call draw card 5 "
    copies = {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 2}
    assert position(record).belief(0) == close({tuple(sorted((2, n))): ways / 9 for n, ways in copies.items()})
    assert position(record + "spy").belief(0) == {(2, 5): 1.0}


# --- the true hand, at every state of random games --------------------------------------------------------------------

FRACTIONS = st.lists(st.floats(0, 1, exclude_max=True), min_size=9, max_size=70)


def played(fractions):
    state = load().new_initial_state()
    for fraction in fractions:
        actions = state.legal_actions()
        if not actions:
            break
        state.apply_action(actions[int(fraction * len(actions))])
    return state


@settings(max_examples=60, deadline=None)
@given(FRACTIONS)
def test_the_hand_in_fact_held_is_possible(fractions):
    state = played(fractions)
    for player in (0, 1):
        hands = state.belief(player)
        assert sum(hands.values()) == pytest.approx(1, abs=1e-12)
        assert hands[hand(state, 1 - player)] > 0
        own, seen = hand(state, player), Counter(unpack(state.array[0]["row"]))
        for cards in hands:
            assert max((Counter(cards) + Counter(own) + seen).values()) <= 3


def test_hands_are_known_to_the_starter_before_the_opening_as_any_three_of_the_rest():
    """The belief before anything is said is that of three cards drawn from twelve, by trying them all."""
    state = position("cards 0 0 1 2 3 3 4 5 5")
    rest = [0] + 2 * [1] + 2 * [2] + [3] + 3 * [4] + 3 * [5]
    ways = Counter(tuple(sorted(cards)) for cards in permutations(rest, 3))
    assert state.belief(0) == close({cards: ways[cards] / 1320 for cards in ways})


# --- histories, counted another way -----------------------------------------------------------------------------------


def possible_histories(state, player):
    """Initial hand and draws of the other player, with the number of deck orders for each, before the first reshuffle.

    Deck orders are exchangeable: what the watcher holds can be taken from the pack first, and what is left to the other player
    is any sequence of the remaining cards.
    """
    record = [int(event) for event in state.array[0]["record"][: state.array[0]["length"]]]
    other = 1 - player
    starter = int(state.array[0]["starter"])
    slots = [(-1 if i < 2 else starter if i < 6 else 1 - starter) for i in range(9)]
    pack = Counter(3 * list(range(6)))
    events, mine = [], []
    for i, event in enumerate(record):
        who, code = (slots[i] if i < 9 else event >> 6), event & 63
        if code < 6 and who != other:
            mine.append(code)
        elif code < 6 and i >= 9:
            events.append(("draw", None))
        elif 6 <= code < 25 and code != 12:
            number = code - (6 if code < 12 else 13 if code < 19 else 19)
            events += [("play", number)] if who == other else []
            if i == 9:
                events.append(("sum", int(state.array[0]["opening"][other])))
        elif code >= 32 and who == player:
            events.append(("sum", code - 32))
    pack.subtract(mine)
    draws = sum(kind == "draw" for kind, _ in events)
    ways = {}
    for first in combinations_with_replacement(range(6), slots.count(other)):
        orders = len(set(permutations(first)))
        for drawn in product(range(6), repeat=draws):
            taken = Counter(first) + Counter(drawn)
            count = orders * np.prod([perm(pack[number], taken[number]) for number in range(6)])
            if count and carried_out(first, drawn, events):
                ways[first, drawn] = float(count)
    return ways


def carried_out(first, drawn, events):
    """Whether the other player can have done and announced all that was seen."""
    held, cards = Counter(first), iter(drawn)
    for kind, number in events:
        if kind == "draw":
            held[next(cards)] += 1
        elif kind == "play":
            held[number] -= 1
            if held[number] < 0:
                return False
        elif sum(held.elements()) != number:
            return False
    return True


def history(state, player):
    record = [int(event) for event in state.array[0]["record"][: state.array[0]["length"]]]
    starter = int(state.array[0]["starter"])
    dealt = record[2:6] if starter == player else record[6:9]
    drawn = tuple(event & 63 for event in record[9:] if event & 63 < 6 and event >> 6 == player)
    return tuple(sorted(event & 63 for event in dealt)), drawn


MIDDLE = (
    "cards 1 2 0 3 4 5 1 3 4 open 3 play 4 no call draw card 2 draw card 5 play 0 hack play 3 no call draw card 3 "
    "draw card 2 play 5 no call draw card 0 play 4 no call"
)
# Draws and plays of both in turn; in the last one a sum is asked for after two draws.
HISTORIES = [
    (MIDDLE, 0),
    (MIDDLE, 1),
    (
        "cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call play 0 no call "
        "draw card 5 draw card 4 draw card 3 spy draw card 2 play 3 no call draw card 5",
        0,
    ),
]


@pytest.mark.parametrize(("record", "player"), HISTORIES)
def test_sampled_histories_are_as_likely_as_their_deck_orders(record, player):
    state = position(record)
    ways = possible_histories(state, player)
    total = sum(ways.values())
    held = Counter()
    for (first, drawn), count in ways.items():
        hand_now = Counter(first) + Counter(drawn)
        hand_now.subtract(cards_played(state, 1 - player))
        held[tuple(sorted(hand_now.elements()))] += count / total
    assert state.belief(player) == close(held)
    rng, samples = np.random.default_rng(11), 20_000
    found = Counter(history(state.resample_from_infostate(player, rng), 1 - player) for _ in range(samples))
    assert set(found) <= set(ways)
    # Rare ones are put together, so that each cell expects ten at least.
    often = [key for key in ways if ways[key] / total * samples >= 10]
    rare = samples - sum(found[key] for key in often)
    expected = [ways[key] / total * samples for key in often]
    observed = [found[key] for key in often]
    if samples - sum(expected) > 1:
        observed, expected = [*observed, rare], [*expected, samples - sum(expected)]
    assert stats.chisquare(observed, expected, sum_check=False).pvalue > 0.001


def cards_played(state, player):
    events = [(int(event) >> 6, int(event) & 63) for event in state.array[0]["record"][9 : state.array[0]["length"]]]
    plays = [code for who, code in events if who == player and 6 <= code < 25 and code != 12]
    return Counter(code - (6 if code < 12 else 13 if code < 19 else 19) for code in plays)


def test_sampled_hands_match_the_belief():
    """At many states of random games, reshuffles included; the p-values of all are uniform."""
    rng, values = np.random.default_rng(21), []
    for state in random_states(load(), 2500, rng)[::25]:
        for player in (0, 1):
            hands = state.belief(player)
            if len(hands) == 1 or min(hands.values()) * 400 < 1:
                continue
            copies = np.repeat(state.array, 400)
            for i in range(400):
                kernels.resample(copies[i : i + 1], player, rng)
            found = Counter(unpack(cards) for cards in copies["hands"][:, 1 - player])
            assert set(found) <= set(hands)
            values.append(stats.chisquare([found[h] for h in hands], [400 * p for p in hands.values()]).pvalue)
    assert len(values) > 40
    assert stats.kstest(values, "uniform").pvalue > 0.001


# --- sampled worlds are complete --------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(FRACTIONS, st.integers(0, 2**32))
def test_a_sampled_world_is_a_game_that_could_have_been(fractions, seed):
    state = played(fractions)
    for player in (0, 1):
        sampled = state.resample_from_infostate(player, np.random.default_rng(seed))
        # Reading replays the record: every action was legal, and hashes, sums and hands are those it leads to.
        assert load().state_from_text(sampled.to_text()) == sampled
        assert sampled.information_state_string(player) == state.information_state_string(player)
        assert sampled.belief(player) == state.belief(player)
        assert hand(sampled, player) == hand(state, player)
        assert sampled.belief(1 - player)[hand(state, player)] > 0


def test_the_longest_game_fits_a_belief():
    """Ten draws of each player; nothing is written outside (which NUMBA_BOUNDSCHECK=1 sees)."""
    most = 0
    for seed in range(20):
        state, rng = load().new_initial_state(), np.random.default_rng(seed)
        while not state.is_terminal():
            names = {state.action_to_string(action): action for action in state.legal_actions()}
            waiting = [names[name] for name in ("draw", "no call") if name in names]
            quiet = [action for action in names.values() if action != 12 and not state.child(action).is_terminal()]
            chance = state.is_chance_node()
            state.apply_action(state.sample_chance(rng) if chance else (waiting or quiet or list(names.values()))[0])
        for player in (0, 1):
            sampled = state.resample_from_infostate(player, rng)
            assert load().state_from_text(sampled.to_text()) == sampled
            most = max(most, len(history(state, player)[1]))
    assert most == 10


# --- a model of the opponent ------------------------------------------------------------------------------------------


def test_no_model_is_the_same_as_one_that_finds_everything_equally_likely():
    for state in random_states(load(), 300, np.random.default_rng(8))[::10]:
        for player in (0, 1):
            assert belief(state, player, likelihood=lambda hand, choice: 0.5) == close(belief(state, player))


def test_a_model_weighs_hands_by_what_was_chosen():
    """An opponent who would play a 5 nine times in ten, if there is one, and did not."""

    def likelihood(cards, choice):
        if not choice.startswith("play"):
            return 1.0
        return (0.9 if choice.startswith("play 5") else 0.1) if 5 in cards else 1.0

    state = position("cards 0 1 0 0 1 2 1 3 5 open 2 play 3 no call")
    # 1 3 5 : 2 3 4 : 3 3 3 as in the rule text, the first times 1/10.
    expected = {(1, 5): 0.9, (2, 4): 18, (3, 3): 1}
    assert belief(state, 0, likelihood=likelihood) == close({cards: w / 19.9 for cards, w in expected.items()})


def test_a_model_is_asked_about_the_choices_of_the_opponent():
    asked = []

    def likelihood(cards, choice):
        asked.append((len(cards), choice))
        return 1.0

    record = "cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant hack play 0 no call play 5 no call play 0 no call draw card 5 spy"
    belief(position(record), 0, likelihood=likelihood)
    assert list(dict.fromkeys(asked)) == [
        (3, "play 3 giant"),
        (2, "hack"),
        (2, "play 5"),
        (1, "no call"),
        (1, "draw"),
    ]
    asked.clear()
    belief(position(record), 1, likelihood=likelihood)
    assert list(dict.fromkeys(asked)) == [
        (4, "open 2"),
        (3, "play 0"),
        (2, "no call"),
        (2, "play 0"),
        (1, "no call"),
        (1, "spy"),
    ]


def test_a_model_must_leave_something():
    state = position("cards 0 1 0 0 1 2 1 3 5 open 2 play 3 no call")
    with pytest.raises(ParameterError, match="the likelihood leaves no hand possible"):
        belief(state, 0, likelihood=lambda hand, choice: 0)
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ParameterError, match="a likelihood is a number from 0 on"):
            belief(state, 0, likelihood=lambda hand, choice, wrong=wrong: wrong)
    with pytest.raises(ParameterError, match="players 0 and 1"):
        belief(state, 2)


# --- for people -------------------------------------------------------------------------------------------------------


def test_a_belief_as_a_table():
    state = position("cards 0 1 0 0 1 2 1 3 5 open 2 play 3 no call")
    assert state.game.describe_belief(state.array[0], 0).splitlines() == [
        " 64.29 %  2 4",
        " 32.14 %  1 5",
        "  3.57 %  3 3",
        "holds a         0      1      2      3      4      5",
        "              0 %   32 %   64 %    4 %   64 %   32 %",
    ]
    many = position("cards 0 1").game.describe_belief(position("cards 0 1 2 3 4 5 2 3 4").array[0], 1)
    assert "other hands" in many
