"""Kuhn poker: published payoffs, the value -1/18, what each player knows, and resampling against enumeration."""

import functools
import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import NotationError, ParameterError, PositionError
from gamelab.core.rules import CHANCE, TERMINAL

PASS, BET = 0, 1


@functools.cache
def load(players=2):
    return gamelab.load("kuhn", players=players)


def position(text, players=2):
    return load(players).state_from_text(text)


def all_states(players):
    """Every state of the game, the start first."""
    found = []

    def visit(state):
        found.append(state)
        for action in state.legal_actions():
            visit(state.child(action))

    visit(load(players).new_initial_state())
    return found


def steps_of(state):
    """The passes and bets of a state, without the cards."""
    return [action for action in state.history() if action in (PASS, BET)]


# --- payoffs ----------------------------------------------------------------------------------------------------------

# Chips that the first player wins, with the higher card and with the lower one: Kuhn 1950.
PAYOFFS = {"pp": (1, -1), "pbp": (-1, -1), "pbb": (2, -2), "bp": (1, 1), "bb": (2, -2)}


@pytest.mark.parametrize("cards", list(itertools.permutations(range(3), 2)))
@pytest.mark.parametrize("steps", PAYOFFS)
def test_payoffs_for_two(cards, steps):
    state = position(f"{cards[0]} {cards[1]} {steps}")
    chips = PAYOFFS[steps][cards[0] < cards[1]]
    assert state.returns() == [chips / 2, -chips / 2]
    expected = "everyone else folded" if steps in ("pbp", "bp") else "showdown"
    assert state.game.describe_end(state.array[0]) == expected


def test_there_are_no_other_ends_for_two():
    ends = {"".join("pb"[step] for step in steps_of(state)) for state in all_states(2) if state.is_terminal()}
    assert ends == set(PAYOFFS)


def chips_won(cards, steps):
    """By the rules in words: who has paid what, who is still in, and the highest of those takes all."""
    players = len(cards)
    paid, alive, first_bet = [1] * players, [True] * players, None
    for number, step in enumerate(steps):
        player = number % players
        if step == BET:
            paid[player] += 1
            first_bet = number if first_bet is None else first_bet
        elif first_bet is not None:
            alive[player] = False
    assert len(steps) == (players if first_bet is None else first_bet + players)
    winner = max((card, player) for player, card in enumerate(cards) if alive[player])[1]
    return [sum(paid) * (player == winner) - paid[player] for player in range(players)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_payoffs_for_more(players):
    ends = [state for state in all_states(players) if state.is_terminal()]
    extremes = set()
    for state in ends:
        cards = [int(word) for word in state.to_text().split()[:players]]
        chips = chips_won(cards, steps_of(state))
        assert state.returns() == pytest.approx([won / (2 * (players - 1)) for won in chips])
        extremes |= set(state.returns())
    # The scale is the right one: somebody can win all there is to win.
    assert max(extremes) == 1


# --- the tree ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "information_sets"), [(2, 12), (3, 48)])
def test_information_sets(players, information_sets):
    """With each of 3 cards a player meets 2 situations; of three players each meets 4 with each of 4 cards."""
    decisions = [state for state in all_states(players) if state.current_player() >= 0]
    assert len({kernels.information_key(s.array, s.current_player()) for s in decisions}) == information_sets
    assert len({(s.current_player(), s.information_state_string(s.current_player())) for s in decisions}) == information_sets


def test_cards_are_dealt_fairly():
    state = load(3).new_initial_state()
    assert state.is_chance_node()
    assert [(state.action_to_string(a), p) for a, p in state.chance_outcomes()] == [
        (f"deal {card}", 1 / 4) for card in range(4)
    ]
    state.apply_action(state.string_to_action("deal 2"))
    assert [state.action_to_string(a) for a, _ in state.chance_outcomes()] == ["deal 0", "deal 1", "deal 3"]
    rng = np.random.default_rng(1)
    counts = np.bincount([state.sample_chance(rng) for _ in range(3000)])
    assert stats.chisquare(counts[counts > 0]).pvalue > 0.001
    assert np.count_nonzero(counts) == 3


# --- the value --------------------------------------------------------------------------------------------------------


def equilibrium(alpha):
    """The probability of a bet at each information set: Kuhn's equilibria, one for each alpha from 0 to 1/3."""
    third = Fraction(1, 3)
    first = {"0 ?": alpha, "1 ?": 0, "2 ?": 3 * alpha, "0 ? pb": 0, "1 ? pb": alpha + third, "2 ? pb": 1}
    second = {"? 0 p": third, "? 1 p": 0, "? 2 p": 1, "? 0 b": 0, "? 1 b": third, "? 2 b": 1}
    return first | second


def value(state, strategy):
    """What the first player wins on average, in chips, exactly."""
    if state.is_terminal():
        return Fraction(2 * state.returns()[0])
    if state.is_chance_node():
        return sum(Fraction(p).limit_denominator(100) * value(state.child(a), strategy) for a, p in state.chance_outcomes())
    bet = Fraction(strategy[state.information_state_string(state.current_player())])
    branches = ((PASS, 1 - bet), (BET, bet))
    return sum(weight * value(state.child(action), strategy) for action, weight in branches if weight)


ALPHAS = [Fraction(0), Fraction(1, 5), Fraction(1, 3)]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_value_is_minus_one_eighteenth(alpha):
    assert value(load().new_initial_state(), equilibrium(alpha)) == Fraction(-1, 18)


@pytest.mark.parametrize("player", [0, 1])
def test_no_pure_strategy_does_better(player):
    strategy = equilibrium(ALPHAS[1])
    own = [key for key in strategy if (key[0] != "?") == (player == 0)]
    values = []
    for choice in itertools.product((0, 1), repeat=6):
        values.append(value(load().new_initial_state(), strategy | dict(zip(own, choice, strict=True))))
    assert (max if player == 0 else min)(values) == Fraction(-1, 18)


# --- what players know ------------------------------------------------------------------------------------------------


def knowledge(state, viewer):
    """What a player has seen, by the rules in words: cards as they were dealt, steps, and the cards shown at the end."""
    players = state.game.num_players
    cards = [action - 2 for action in state.history() if action >= 2]
    steps = steps_of(state)
    shown = {viewer}
    if state.is_terminal():
        alive = set(range(players))
        if BET in steps:
            alive = {number % players for number, step in enumerate(steps) if step == BET}
        if len(alive) > 1:
            shown |= alive
    return tuple(card if player in shown else "?" for player, card in enumerate(cards)), tuple(steps)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_player_knows_what_they_have_seen_and_no_more(players):
    states = all_states(players)
    for viewer in range(players):
        seen = [knowledge(state, viewer) for state in states]
        texts = [state.information_state_string(viewer) for state in states]
        keys = [int(kernels.information_key(state.array, viewer)) for state in states]
        # One to one: neither less nor more.
        assert len(set(seen)) == len(set(zip(seen, texts, strict=True))) == len(set(texts))
        assert len(set(seen)) == len(set(zip(seen, keys, strict=True))) == len(set(keys))


def test_the_keys_of_two_players_differ():
    start = load().new_initial_state()
    assert kernels.information_key(start.array, 0) != kernels.information_key(start.array, 1)


def test_a_players_picture_hides_the_other_card():
    assert position("1 2 p").to_svg(player=0) == position("1 0 p").to_svg(player=0)
    assert position("1 2 p").to_svg(player=0) != position("2 1 p").to_svg(player=0)
    assert position("1 2 p").to_svg() != position("1 0 p").to_svg()
    # The showdown shows it.
    assert position("1 2 pp").to_svg(player=0) != position("1 0 pp").to_svg(player=0)


@pytest.mark.parametrize(
    ("players", "text", "viewer"),
    [
        (2, "1 2", 0),
        (2, "1 2 pb", 0),
        (3, "1 3 0 pb", 1),
        (3, "1 3 -", 2),
        (3, "1 3 0 pbpb", 0),  # player 0 folded and sees the cards of the showdown
        (4, "0 3 1 2 bppp", 2),  # everyone folded, no card is shown
    ],
)
def test_resampling_is_exactly_distributed(players, text, viewer):
    """Every deal is as likely as any other, so is each of those that look the same to the viewer."""
    state = position(text, players)
    same = [
        s.to_text() for s in all_states(players) if s.information_state_string(viewer) == state.information_state_string(viewer)
    ]
    assert text in same
    rng = np.random.default_rng(2)
    drawn = [state.resample_from_infostate(viewer, rng).to_text() for _ in range(600 * len(same))]
    counts = [drawn.count(text) for text in same]
    assert sum(counts) == len(drawn)
    assert len(same) == 1 or stats.chisquare(counts).pvalue > 0.001


# --- text, notation, parameters ---------------------------------------------------------------------------------------


def test_evaluation():
    assert load().new_initial_state().evaluate() == [0, 0]
    assert position("2 0 p").evaluate() == [0.5, -0.5]
    assert position("2 0 1 b", 3).evaluate() == [0.5, -0.25, -0.25]
    # The highest card has folded.
    assert position("0 1 3 pbp", 3).evaluate() == [-0.25, 0.5, -0.25]


def test_text_and_notation():
    state = position("- -")
    assert state == load().new_initial_state()
    for move, text in (("deal 2", "2 -"), ("deal 0", "2 0"), ("pass", "2 0 p"), (" B", "2 0 pb"), ("p", "2 0 pbp")):
        state.apply_action(state.string_to_action(move))
        assert state.to_text() == text
        assert position(text) == state
    assert state.current_player() == TERMINAL
    assert str(state).endswith("player 1 takes the pot")
    assert position("2 -").current_player() == CHANCE
    for text in ("deal 3", "deal", "call", "", None):
        with pytest.raises(NotationError, match="pass or bet"):
            state.string_to_action(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0", "not 2 cards and the steps"),
        ("0 1 p b", "not 2 cards and the steps"),
        ("0 3", "card 2: '3' is no card that is left"),
        ("1 1", "card 2: '1' is no card that is left"),
        ("1 01", "card 2: '01' is no card"),
        ("- 1", "card 1: '-' is no card"),
        ("0 - p", "step 1: 'p', but no player is to act"),
        ("0 1 pc", "step 2: 'c' is neither p nor b"),
        ("0 1 bpp", "step 3: 'p', but no player is to act"),
    ],
)
def test_no_positions(text, message):
    with pytest.raises(PositionError, match=message):
        position(text)


def test_players_are_two_to_ten():
    assert load(10).num_players == len(load(10).player_names) == 10
    for players in (1, 11):
        with pytest.raises(ParameterError, match="players"):
            load(players)


def test_the_belief_is_over_the_cards_not_seen():
    game = gamelab.load("kuhn")
    state = game.state_from_text("0 2 pb")
    assert state.belief(0) == {(1,): 0.5, (2,): 0.5}
    assert game.describe_belief(state.array[0], 1) == " 50.00 %  0\n 50.00 %  1"
    # At a showdown all is seen; who folds keeps the secret.
    assert game.state_from_text("0 2 pbb").belief(0) == {(): 1.0}
    assert game.state_from_text("0 2 pbp").belief(1) == {(0,): 0.5, (1,): 0.5}


def test_with_three_players_the_belief_is_over_both_cards():
    belief = gamelab.load("kuhn", players=3).state_from_text("0 3 1 pp").belief(1)
    assert belief == dict.fromkeys([(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)], 1 / 6)


def test_a_game_without_secrets_has_no_beliefs():
    with pytest.raises(ParameterError, match="tictactoe hides nothing"):
        gamelab.load("tictactoe").new_initial_state().belief(0)
