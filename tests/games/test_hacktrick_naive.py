"""The naive twin of Hack Trick and the beliefs by trying all deals, against the answers of the rule text and each other."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from tests.naive import hacktrick as naive
from tests.naive.hacktrick_belief import HIDDEN, beliefs, seen
from tests.naive.hacktrick_play import STYLES, random_game


def turn(hands, row, **changes):
    """A turn in the middle of a game, of player 0 unless said otherwise; the cards need not add up."""
    return replace(naive.start(), phase="turn", to_move=0, hands=hands, row=row, **changes)


def board(**markers):
    """Servers with markers: ``s5="aB"`` are a small one of player 0 and the giant of player 1."""
    kinds = {"a": (0, "small"), "A": (0, "giant"), "b": (1, "small"), "B": (1, "giant")}
    return {s: [kinds[letter] for letter in markers.get(f"s{s}", "")] for s in naive.SERVERS}


def after(position, *moves):
    for move in moves:
        position = naive.play(position, move)
    return position


# --- the rules --------------------------------------------------------------------------------------------------------


def test_the_lines_are_those_of_the_map():
    rows = ["276", "951", "438"]
    lines = [*rows, *("".join(column) for column in zip(*rows, strict=True)), "258", "654"]
    assert {tuple(sorted(map(int, line))) for line in lines} == set(naive.LINES)
    assert {a + b for a, b in combinations(range(6), 2)} == set(naive.SERVERS)


@pytest.mark.parametrize("starter", [0, 1])
def test_the_setup(starter):
    position = naive.start(starter=starter)
    assert naive.chances(position) == {f"card {n}": Fraction(1, 6) for n in range(6)}
    position = after(position, *(f"card {n}" for n in "001234555"))
    assert position.hands[starter] == [1, 2, 3, 4]
    assert naive.legal_moves(position) == ["open 1", "open 2", "open 3", "open 4"]
    position = after(position, "open 4")
    assert position.log[-2:] == [("sum", 0, 6 if starter == 0 else 15), ("sum", 1, 15 if starter == 0 else 6)]
    assert naive.to_act(position) == 1 - starter
    assert naive.legal_moves(position) == ["play 5", "play 5 giant", "draw"]
    assert naive.chances(after(position, "draw")) == {
        "card 0": Fraction(1, 9),
        **{f"card {n}": Fraction(2, 9) for n in (1, 2, 3, 4)},
    }


def test_the_combination_with_a_hack():
    """You hold 0 2 3, the opponent 3 4: play 3 and HACK, they must play the 4, your 2 infects 6."""
    position = after(turn([[0, 2, 3], [3, 4]], [1, 0]), "play 3", "hack")
    assert naive.legal_moves(position) == ["play 4", "play 4 giant"]
    assert after(position, "play 4", "no call", "play 2").servers[6] == [(0, "small")]


def test_who_cannot_obey_a_hack_shows_the_hand_and_draws():
    position = after(turn([[3, 4], [3, 3]], [0, 1], deck=[5, 5], spying_zone=[[], ["small"]]), "play 3", "hack")
    assert naive.legal_moves(position) == ["spy", "draw"]
    shown = after(position, "spy", "draw")
    assert shown.log[-2:] == [("sum", 0, 4), ("shown", 1, (3, 3))]
    # The call is spent.
    assert naive.legal_moves(after(shown, "card 5", "play 4", "no call"))[-1] == "draw"


def test_a_firewall_stops_a_hack_for_one_turn():
    position = after(turn([[3, 4], [1, 2, 0]], [0, 1], deck=[5, 5]), "play 3", "firewall", "play 1")
    assert naive.legal_moves(position) == ["firewall", "no call"]
    assert naive.legal_moves(after(position, "no call", "play 4")) == ["hack", "firewall", "no call"]


def test_all_markers_on_a_server_are_captured_and_the_giant_is_spent_last():
    position = after(turn([[4, 0], [2, 2]], [1], servers=board(s5="Bb")), "play 4", "no call")
    assert (position.spying_zone, position.servers[5]) == ([["giant", "small"], []], [(0, "small")])
    position = after(position, "play 2", "no call", "spy")
    assert (position.spying_zone[0], position.log[-1]) == (["giant"], ("sum", 1, 2))
    assert "spy" not in naive.legal_moves(position)


def test_the_last_row_card_stays_when_the_deck_runs_empty():
    position = after(turn([[4], [2]], [1, 2, 3], deck=[5], out=[0, 0]), "draw", "card 5")
    assert (position.row, sorted(position.deck), position.hands[0]) == ([3], [1, 2], [4, 5])


# --- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("servers", "move", "score"),
    [
        (board(s1="a", s5="a"), "play 5", 1),  # 9 5 1
        (board(s1="a", s5="a"), "play 5 giant", 1),  # the giant placed last
        (board(s1="A", s5="a"), "play 5", 2),
        (board(s1="a", s5="Aa"), "play 5", 2),  # beside another marker
        (board(s1="a", s5="a", s3="A"), "play 5", 1),  # elsewhere
        (board(s1="a", s5="a", s2="A", s4="a"), "play 5", 2),  # 2 9 4 as well
        (board(s9="aA"), "play 5", 2),  # three on one server
        (board(s9="aa", s1="A", s5="a"), "play 5", 2),
        (board(s1="a", s5="a", s9="bB"), "play 5", 1),  # after a capture
    ],
)
def test_what_a_three_scores(servers, move, score):
    supply = [["small", "giant"], ["small"]]
    position = after(turn([[5], [2]], [4], servers=servers, supply=supply), move)
    assert (naive.returns(position), position.score, naive.to_act(position)) == ([1, -1], [score, 0], None)


@pytest.mark.parametrize(("servers", "winner"), [(board(s1="a", s5="a"), 0), (board(s1="a", s5="b"), 1)])
def test_the_last_marker_wins_with_a_three_and_loses_without(servers, winner):
    position = after(turn([[5], [2]], [4], servers=servers, supply=[["small"], ["small"]]), "play 5")
    assert position.winner == winner
    assert position.score == [1 - winner, winner]


@pytest.mark.parametrize("word", ["hack", "firewall"])
def test_a_call_paid_with_the_last_marker_loses(word):
    position = after(turn([[5], [2]], [4], supply=[["small", "giant"], ["small"]]), "play 5")
    assert after(position, word).winner == 1
    assert after(position, "no call").winner is None


def test_the_loser_starts_the_next_game_of_a_match():
    position = turn([[5], [2]], [4], match=True, starter=0, score=[0, 2], servers=board(s1="A", s5="a"))
    position = after(position, "play 5")
    assert position == naive.start(match=True, starter=1, score=(2, 2))
    position = replace(turn([[5], [2]], [4], match=True, servers=board(s1="A", s5="a")), score=[2, 2])
    assert after(position, "play 5").score == [4, 2]


# --- random games -----------------------------------------------------------------------------------------------------


def turns(steps):
    return sum(move == "draw" or move.startswith("play") for _, move, _ in steps)


def test_uniformly_random_games_last_fourteen_and_a_half_turns():
    rng = random.Random(5)
    lengths = [turns(random_game(rng, "uniform")) for _ in range(800)]
    assert sum(lengths) / len(lengths) == pytest.approx(14.5, abs=0.6)  # some four standard errors


def test_no_game_lasts_more_than_39_turns_and_some_do():
    """At most 19 markers are placed, and the seventh card in hand at the end is the 20th that was drawn."""
    assert max(turns(random_game(random.Random(seed), "long")) for seed in range(40)) == 39


@pytest.mark.parametrize("style", STYLES)
def test_no_card_and_no_marker_is_lost(style):
    for seed in range(15):
        spent = 0
        for _, move, position in random_game(random.Random(seed), style):
            cards = position.deck + position.out + position.row + position.hands[0] + position.hands[1]
            assert sorted(cards) == sorted(naive.DECK)
            assert max(map(len, position.hands)) <= 4
            assert position.deck
            spent += move in ("spy", "hack", "firewall")
            markers = [*position.servers.values(), *position.supply, *position.spying_zone]
            assert sum(map(len, markers)) + spent == 20


# --- beliefs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "hands"), [("122", {(3, 4)}), ("125", {(3, 4), (2, 5)})])
def test_two_cards_announced_as_seven(own, hands):
    """3-4 or 2-5; if two 2s lie in the row and one is in the own hand, 3-4."""
    moves = [f"card {n}" for n in "00" + "2034" + own]
    position = after(naive.start(starter=1), *moves, "open 2", "play 1", "no call", "play 0", "no call", "play 2")
    assert position.row == [2, 1, 0, 2]
    assert set(beliefs(position.log, 0)[-1]) == hands


def test_the_rule_texts_weights():
    """Out 0 1, own hand 0 0 1, row 2; three cards of sum 9 of which a 3 was played: 1-5, 2-4 and 3-3 as 9 : 18 : 1."""
    moves = [f"card {n}" for n in "012001333"] + ["open 2", "play 3"]
    log = after(naive.start(), *moves).log
    assert beliefs(log, 0)[-1] == {(1, 5): Fraction(9, 28), (2, 4): Fraction(18, 28), (3, 3): Fraction(1, 28)}


def test_at_the_start_every_deal_of_the_unseen_cards_counts_once():
    rng = random.Random(1)
    cards = naive.DECK.copy()
    for _ in range(5):
        rng.shuffle(cards)
        position = after(naive.start(), *(f"card {n}" for n in cards[:9]))
        hands = Counter(tuple(sorted(hand)) for hand in combinations(cards[6:], 3))
        assert beliefs(position.log, 0)[-1] == {hand: Fraction(n, hands.total()) for hand, n in hands.items()}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("seed", [1, 2])
def test_beliefs_equal_those_from_dealing_single_cards_to_the_twin(player, seed):
    """Every order of the single unseen cards on the opponent's places is played through; what looks the same counts."""
    moves, log = [], []
    for _, move, position in random_game(random.Random(seed), "long"):
        places = sum(event[-1] is HIDDEN for event in seen(position.log, player))
        if places > 5:
            break
        moves, log = [*moves, move], position.log
    assert beliefs(log, player)[-1] == by_single_cards(log, moves, player, 5)


def by_single_cards(log, moves, player, places):
    known = Counter(event[-1] for event in seen(log, player) if event[0] in ("out", "dealt", "drawn"))
    unseen = list((Counter(naive.DECK) - known).elements())
    hands = Counter()
    for cards, n in Counter(permutations(unseen, places)).items():
        position = replayed(log, moves, player, list(cards))
        if position is not None:
            hands[tuple(sorted(position.hands[1 - player]))] += n
    return {hand: Fraction(n, hands.total()) for hand, n in hands.items()}


def replayed(log, moves, player, cards):
    """The game with other cards for the opponent, or None if the player would have seen a difference."""
    position, expected = naive.start(), seen(log, player)
    for move in moves:
        now = len(position.log)
        if move.startswith("card") and expected[now][-1] is HIDDEN:
            move = f"card {cards.pop(0)}"
        if move not in naive.legal_moves(position) and move not in naive.chances(position):
            return None
        position = naive.play(position, move)
        if seen(position.log, player)[now:] != expected[now : len(position.log)]:
            return None
    return position


def test_a_hand_is_known_when_the_deck_runs_empty():
    known = 0
    for seed in range(10):
        *_, (_, _, last) = random_game(random.Random(seed), "long")
        kinds = [event[0] for event in last.log]
        if "reshuffle" in kinds:
            before = last.log[: kinds.index("reshuffle")]
            assert [len(beliefs(before, player)[-1]) for player in (0, 1)] == [1, 1]
            known += 1
    assert known >= 8
