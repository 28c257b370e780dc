"""The compiled Hack Trick against its naive twin, and its beliefs against trying all deals."""

import random
import re
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import gamelab
from gamelab.core import kernels
from gamelab.games.hacktrick import belief
from tests.naive import hacktrick as naive
from tests.naive.hacktrick_belief import beliefs, hidden_cards, seen
from tests.naive.hacktrick_play import ALL_RULES, STYLES, random_game, rules_met

SLOW = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GAMES = {"uniform": 20, "long": 10, "spying": 20, "calling": 20}  # in which every rule applies at some time
CASES = tomllib.loads((Path(__file__).parent / "data" / "perft.toml").read_text())["perft"]


def assert_twins(state, twin):
    actor = naive.to_act(twin)
    assert state.current_player() == {"chance": gamelab.CHANCE, None: gamelab.TERMINAL}.get(actor, actor)
    outcomes = {state.action_to_string(action): p for action, p in state.chance_outcomes()}
    assert outcomes == {card: float(p) for card, p in naive.chances(twin).items()}
    if actor != "chance":
        assert sorted(map(state.action_to_string, state.legal_actions())) == sorted(naive.legal_moves(twin))
    assert state.returns() == naive.returns(twin)
    score = state.array[0]["score"].tolist()
    if not twin.match and twin.winner is not None:
        score[twin.winner] = int(state.array[0]["points"])
    assert score == twin.score


def twin_games(style, seed, **parameters):
    """Play a random game with both and yield every step: the state before it, the twin before it and the move."""
    state = gamelab.load("hacktrick", **parameters).new_initial_state()
    for before, move, after in random_game(random.Random(seed), style, **parameters):
        assert_twins(state, before)
        yield state, before, move
        state = state.child(state.string_to_action(move))
        if naive.to_act(after) is None:
            assert_twins(state, after)


# --- the rules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
@given(seed=st.integers(0, 2**32), match=st.booleans(), starter=st.integers(0, 1))
@SLOW
def test_random_games(style, seed, match, starter):
    for _ in twin_games(style, seed, match=match, starter=starter):
        pass


def test_every_rule_applies_in_these_games():
    met = Counter()
    for style, games in GAMES.items():
        for seed in range(games):
            for _, before, move in twin_games(style, seed):
                met.update(rules_met(before, move))
    assert set(met) == ALL_RULES


def test_matches_with_every_score():
    """The loser starts, and whoever gets to three points, or to four, has won."""
    ends, starters = Counter(), Counter()
    for seed in range(60):
        *_, (state, before, move) = twin_games("uniform", seed, match=True)
        last = naive.play(before, move)
        ends[tuple(sorted(last.score))] += 1
        starters[before.starter] += 1
        assert state.game.describe_end(state.child(state.string_to_action(move)).array[0])
    assert {score for _, score in ends} == {3, 4}
    assert {score for score, _ in ends} == {0, 1, 2}
    assert min(starters.values()) > 10


def twin_of_text(text, parameters):
    """The twin's position after the record that is a position's text."""
    numbers = re.search(r"(?:match (\d)-(\d) )?starter (\d)\s+cards([ \d]*)", text)
    score = (int(numbers[1] or 0), int(numbers[2] or 0))
    twin = naive.start(match=parameters.get("match", False), starter=int(numbers[3]), score=score)
    later = re.findall(r"open \d|play \d(?: giant)?|draw|spy|no call|hack|firewall|card \d", text[numbers.end() :])
    for move in [f"card {card}" for card in numbers[4].split()] + later:
        twin = naive.play(twin, move)
    return twin


@pytest.mark.parametrize("case", range(4))
def test_the_twin_confirms_perft(case):
    entry = [entry for entry in CASES if entry["game"] == "hacktrick"][case]
    twin = twin_of_text(entry["position"], entry["parameters"]) if "position" in entry else naive.start()
    counts = [count for count in entry["counts"] if count < 5000]
    assert [naive.perft(twin, depth + 1) for depth in range(len(counts))] == counts


# --- beliefs ----------------------------------------------------------------------------------------------------------


def assert_beliefs(style, seed, **parameters):
    """Compare both players' beliefs at every moment of a game, the deal and the end included; returns how many there were."""
    steps = list(twin_games(style, seed, **parameters))
    state, before, move = steps[-1]
    end = naive.play(before, move)
    moments = [(state, len(before.log)) for state, before, _ in steps]
    moments.append((state.child(state.string_to_action(move)), len(end.log)))
    for player in (0, 1):
        tables = beliefs(end.log, player)
        for state, k in moments:
            assert_equal(belief(state, player), tables[k], (style, seed, k, player))
    return 2 * len(moments)


def assert_equal(found, expected, where):
    assert set(found) == set(expected), where
    assert max(abs(found[hand] - float(p)) for hand, p in expected.items()) < 1e-9, where


@pytest.mark.parametrize(("style", "games"), [("uniform", 60), ("spying", 20), ("calling", 30), ("long", 5)])
def test_beliefs_equal_those_from_all_deals(style, games):
    compared = sum(assert_beliefs(style, seed, starter=seed % 2) for seed in range(games))
    assert compared > 60 * games


def test_beliefs_start_afresh_with_each_game_of_a_match():
    games = 0
    for seed in range(6):
        *_, (state, before, _) = twin_games("uniform", seed, match=True)
        games += sum(before.score)
        for player in (0, 1):
            assert_equal(belief(state, player), beliefs(before.log, player)[-1], (seed, player))
    assert games > 10


def test_the_weights_of_the_rule_text():
    state = gamelab.load("hacktrick").new_initial_state()
    for move in [*(f"card {n}" for n in "012001333"), "open 2", "play 3"]:
        state.apply_action(state.string_to_action(move))
    assert belief(state, 0) == pytest.approx({(1, 5): 9 / 28, (2, 4): 18 / 28, (3, 3): 1 / 28})
    assert state.belief(0) == belief(state, 0)


def moments(style, games):
    """Some states of random games, with what came before: the log and which steps were which player's hidden cards."""
    for seed in range(games):
        hidden = ([], [])  # from player 0, from player 1
        for number, (state, before, move) in enumerate(twin_games(style, seed)):
            if number % 7 == 6:
                yield state, before.log, (list(hidden[0]), list(hidden[1]))
            for event in naive.play(before, move).log[len(before.log) :]:
                if event[0] in ("dealt", "drawn"):
                    hidden[1 - event[1]].append(number)


def test_states_that_a_player_cannot_tell_apart_have_one_belief():
    differ = 0
    for number, (state, _, _) in enumerate(moments("spying", 12)):
        for player in (0, 1):
            known, hands = belief(state, player), state.array[0]["hands"]
            for seed in range(3):
                other = state.resample_from_infostate(player, np.random.default_rng([number, seed]))
                assert belief(other, player) == known
                assert other.information_state_string(player) == state.information_state_string(player)
                differ += int(other.array[0]["hands"][1 - player] != hands[1 - player])
                # What was sampled agrees with the moves: the other player, too, can explain what they saw.
                assert any(belief(other, 1 - player).values())
    assert differ > 100


def test_information_keys_are_as_many_as_what_a_player_can_have_seen():
    for player in (0, 1):
        keys = {}
        for seed in range(60):
            moves = ()
            for state, before, move in twin_games("calling", seed, starter=1):
                saw = (moves, tuple(seen(before.log, player)))
                key = kernels.information_key(state.array, player)
                assert keys.setdefault(saw, key) == key
                moves += ("card" if move.startswith("card") else move,)
        assert len(set(keys.values())) == len(keys) > 1500


def test_sampled_deals_are_as_likely_as_all_deals_say():
    """The whole past of the other's cards, in order, not their hand alone; chi-square with rare deals thrown together."""
    tested, n = 0, 1000
    for number, (state, log, hidden) in enumerate(moments("spying", 6)):
        for player in (0, 1):
            expected = hidden_cards(log, player)
            if not 2 <= len(expected) <= 150:
                continue
            found = Counter()
            rng = np.random.default_rng([number, player])
            for _ in range(n):
                record = state.resample_from_infostate(player, rng).array[0]["record"]
                found[tuple((record[hidden[player]] & 63).tolist())] += 1
            assert set(found) <= set(expected)
            assert fit(found, expected, n) > 1e-4, (number, player)
            tested += 1
    assert tested > 15


def fit(found, expected, n):
    """The p-value of counts, given what is expected; deals with few are pooled."""
    pooled, counts = [], [0.0, 0]
    for cards in sorted(expected, key=lambda cards: (expected[cards], cards)):
        counts = [counts[0] + n * float(expected[cards]), counts[1] + found[cards]]
        if counts[0] >= 10:
            pooled, counts = [*pooled, counts], [0.0, 0]
    pooled[-1] = [a + b for a, b in zip(pooled[-1], counts, strict=True)]
    statistic = sum((got - due) ** 2 / due for due, got in pooled)
    return chi2.sf(statistic, len(pooled) - 1) if len(pooled) > 1 else 1.0
