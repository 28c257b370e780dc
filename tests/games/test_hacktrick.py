"""Hack Trick: every rule by hand-made games, the known answers of the text, text form, pictures and random games."""

import functools
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import IllegalActionError, NotationError, ParameterError, PositionError
from gamelab.games.hacktrick.cards import unpack
from gamelab.games.hacktrick.evaluation import MATCH_VALUE
from gamelab.games.hacktrick.servers import LINES, SQUARE
from gamelab.games.hacktrick.view import row_of
from gamelab.search.playout import playout
from gamelab.testing import random_states


@functools.cache
def load(**parameters):
    return gamelab.load("hacktrick", **parameters)


def position(record, **parameters):
    header = "" if "starter" in record else "starter 0 "
    return load(**parameters).state_from_text(header + record)


def legal(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def play(state, *names):
    for name in names:
        state.apply_action(state.string_to_action(name))
    return state


def hands(state):
    return [unpack(hand) for hand in state.array[0]["hands"]]


def markers(state):
    """Servers with each player's markers, one entry a marker."""
    return [
        [server for server in range(1, 10) for level in range(3) if int(word) >> (server - 1 + 9 * level) & 1]
        for word in state.array[0]["markers"]
    ]


def field(state, name):
    value = state.array[0][name]
    return value.tolist()


# Player 0 holds 2 3 4 (9), player 1 2 3 5 (10); the 1 lies in the row.
DEAL = "cards 0 0 1 2 3 4 2 3 5 open 1 "


# --- map, setup, announcements ----------------------------------------------------------------------------------------


def test_lines_are_the_rows_columns_and_diagonals_of_the_square():
    rows = [set(row) for row in SQUARE]
    columns = [set(column) for column in zip(*SQUARE, strict=True)]
    diagonals = [{SQUARE[i][i] for i in range(3)}, {SQUARE[i][2 - i] for i in range(3)}]
    assert sorted(map(sorted, rows + columns + diagonals)) == sorted(map(sorted, LINES))
    assert {a + b for a, b in combinations(range(6), 2)} == set(range(1, 10))


def test_two_are_turned_up_four_dealt_to_the_starter_three_to_the_other():
    for starter in (0, 1):
        state = load(starter=starter).new_initial_state()
        assert dict(state.chance_outcomes()) == dict.fromkeys(range(6), pytest.approx(1 / 6))
        play(state, "card 5", "card 5")
        assert dict(state.chance_outcomes())[5] == pytest.approx(1 / 16)
        play(state, *["card 1", "card 0", "card 1", "card 2"])
        assert hands(state)[starter] == (0, 1, 1, 2)
        play(state, *["card 3", "card 4", "card 4"])
        assert hands(state)[1 - starter] == (3, 4, 4)
        assert state.current_player() == starter
        assert legal(state) == ["open 0", "open 1", "open 2"]
        play(state, "open 1")
        assert (field(state, "markers"), field(state, "supply")) == ([0, 0], [10, 10])
        assert state.current_player() == 1 - starter
        for player in (0, 1):
            sums = [3, 11] if starter == 0 else [11, 3]
            assert f"open 1 sums {sums[0]} {sums[1]}" in state.information_state_string(player)


# --- playing, drawing, capturing --------------------------------------------------------------------------------------


def test_a_card_must_differ_from_the_last_one():
    state = position(DEAL)
    assert legal(state) == [*[f"play {n}" for n in (2, 3, 5)], *[f"play {n} giant" for n in (2, 3, 5)], "draw"]
    play(state, "play 3", "no call")
    assert legal(state) == ["play 2", "play 4", "play 2 giant", "play 4 giant", "draw"]
    with pytest.raises(IllegalActionError, match=r"play 3 \(16\) is illegal"):
        play(state, "play 3")


def test_the_sum_of_the_last_two_cards_is_infected():
    state = play(position(DEAL), "play 5", "no call", "play 3 giant")
    assert markers(state) == [[8], [6]]
    assert (field(state, "giant"), field(state, "supply")) == ([8, 0], [9, 9])
    assert [row_of(state.array[0]), field(state, "last")] == [[1, 5, 3], 3]


def test_the_giant_is_placed_once():
    state = play(position(DEAL), "play 5 giant", "no call", "draw", "card 0")
    assert legal(state) == ["play 2", "play 3", "draw"]


def test_the_hand_limit_is_four():
    state = play(position(DEAL), "draw")
    assert state.is_chance_node()
    assert dict(state.chance_outcomes()) == {
        number: pytest.approx(copies / 9) for number, copies in enumerate((1, 2, 1, 1, 2, 2))
    }
    play(state, "card 1")
    assert (hands(state)[1], state.current_player()) == ((1, 2, 3, 5), 0)
    play(state, "draw", "card 0")
    assert legal(state) == [*[f"play {n}" for n in (2, 3, 5)], *[f"play {n} giant" for n in (2, 3, 5)]]


def test_infecting_captures_all_that_the_opponent_has_there_and_leaves_own_markers():
    # Player 1 infects 2+3 = 5 twice, the first time with the giant; player 0 answers with 5+0 and captures both.
    record = "cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call play 0 no call"
    state = position(record)
    assert (markers(state), field(state, "giant"), field(state, "zone")) == ([[3, 5], []], [0, 10], [2, 0])
    assert field(state, "supply") == [8, 8]
    assert "captured 2 with the giant" in state.information_state_string(1)


def test_own_markers_stay_where_one_more_is_put():
    state = position("cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call")
    assert markers(state) == [[3], [5, 5]]


# --- spying -----------------------------------------------------------------------------------------------------------

# Player 0 has captured the giant and a small marker, as above; player 1 holds one 2, player 0 the 4.
CAPTURED = "cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call play 0 no call "


def test_spying_costs_a_captured_marker_the_giant_last():
    state = position(CAPTURED)
    assert "spy" not in legal(state)  # player 1 has captured nothing
    play(state, "draw", "card 5")
    assert legal(state)[0] == "spy"
    play(state, "spy")
    assert (field(state, "zone"), field(state, "giant")) == ([1, 0], [0, 10])
    assert "spy sum 7" in state.information_state_string(0)
    assert state.information_state_string(1).endswith("spy sum 7")
    # Once a turn, before anything else.
    assert legal(state) == ["play 4", "play 4 giant", "draw"]
    play(state, "draw", "card 4", "draw", "card 3", "spy")
    assert (field(state, "zone"), field(state, "giant")) == ([0, 0], [0, 11])


def test_a_hacked_player_may_spy():
    state = play(position(CAPTURED), "play 2", "hack")
    assert legal(state) == ["spy", "play 4", "play 4 giant"]
    assert legal(play(state, "spy")) == ["play 4", "play 4 giant"]


# --- calls ------------------------------------------------------------------------------------------------------------


def test_calls_follow_a_play_and_cost_a_small_marker():
    state = play(position(DEAL), "play 5")
    assert (state.current_player(), legal(state)) == (1, ["no call", "hack", "firewall"])
    for call, supply in (("no call", 9), ("hack", 8), ("firewall", 8)):
        after = play(state.clone(), call)
        assert (field(after, "supply"), field(after, "giant"), after.current_player()) == ([10, supply], [0, 0], 0)


def test_no_call_after_drawing():
    assert play(position(DEAL), "draw", "card 1").current_player() == 0


def test_a_hacked_player_must_play_and_may_hack_back():
    state = play(position(DEAL), "play 5", "hack")
    assert "draw" not in legal(state)
    play(state, "play 2")
    assert legal(state) == ["no call", "hack", "firewall"]
    # The call binds for one turn.
    play(state, "no call")
    assert "draw" in legal(state)


def test_a_firewall_forbids_hack_and_nothing_else():
    state = play(position(DEAL), "play 5", "firewall")
    assert legal(state) == [*[f"play {n}" for n in (2, 3, 4)], *[f"play {n} giant" for n in (2, 3, 4)], "draw"]
    assert legal(play(state.clone(), "play 2")) == ["no call", "firewall"]
    # Whoever draws has used up the turn that the call was for.
    play(state, "draw", "card 0", "draw", "card 1", "play 0")
    assert legal(state) == ["no call", "hack", "firewall"]


def test_a_hacked_player_who_cannot_play_shows_the_hand_and_draws():
    # Player 1 is left with two 3s when a 3 is played with HACK.
    record = "cards 0 0 3 2 4 1 3 3 5 open 2 play 5 no call play 3 hack"
    state = position(record)
    assert legal(state) == ["draw"]
    play(state, "draw")
    assert "show draw" in state.information_state_string(0)
    assert "hand shown" in state.information_state_string(0)
    assert state.belief(0) == {(3, 3): 1.0}
    play(state, "card 5")
    # No 3 is left in the deck.
    assert set(state.belief(0)) == {(0, 3, 3), (1, 3, 3), (2, 3, 3), (3, 3, 4), (3, 3, 5)}
    # Unhacked, drawing shows nothing.
    free = play(position("cards 0 0 3 2 4 1 3 3 5 open 2 play 5 no call play 3 no call"), "draw")
    assert "show" not in free.information_state_string(0)
    assert len(free.belief(0)) > 1


def test_a_hacked_player_without_cards_draws():
    record = "cards 0 0 1 2 3 4 5 2 5 open 1 play 5 no call play 2 no call play 5 no call play 3 no call play 2 no call "
    state = position(record + "play 4 hack")
    assert (hands(state), legal(state)) == ([(), ()], ["spy", "draw"])
    assert "show draw" in play(state, "draw").information_state_string(0)


def test_the_hack_combination_of_the_text():
    """You hold 0 2 3, the opponent 3 4, and you want server 6: play 3 and HACK, the 4 is forced, and 4 + 2 = 6."""
    state = position("cards 0 0 0 1 2 3 3 4 5 open 1 play 5 no call")
    assert hands(state) == [(0, 2, 3), (3, 4)]
    play(state, "play 3", "hack")
    assert legal(state) == ["play 4", "play 4 giant"]
    play(state, "play 4", "no call", "play 2")
    assert markers(state)[0] == [6, 8]


# --- the reshuffle ----------------------------------------------------------------------------------------------------


def test_an_empty_deck_is_made_anew_of_the_row_but_its_last_card():
    seen = 0
    for state in random_states(load(), 20_000, np.random.default_rng(2)):
        if not state.is_chance_node() or len(unpack(state.array[0]["deck"])) != 1:
            continue
        seen += 1
        row = row_of(state.array[0])
        ((card, probability),) = state.chance_outcomes()
        assert (probability, len(row) >= 8) == (1.0, True)
        state.apply_action(card)
        assert row_of(state.array[0]) == row[-1:]
        assert unpack(state.array[0]["deck"]) == tuple(sorted(row[:-1]))
        out = [event & 63 for event in field(state, "record")[:2]]
        everywhere = [*hands(state)[0], *hands(state)[1], *row, *out]
        assert sorted(everywhere) == sorted(3 * list(range(6)))
        # What is neither in the row nor out nor held by oneself, the other holds.
        for viewer in (0, 1):
            assert state.belief(viewer) == {hands(state)[1 - viewer]: 1.0}
    assert seen > 20


# --- the end ----------------------------------------------------------------------------------------------------------

# Last plays that win, with the winner's servers, the points that it is worth in a match, and the three.
WINS = {
    "line": (
        "cards 1 0 4 4 2 3 3 1 2 open 2 play 1 firewall play 3 giant firewall play 2 no call play 4 firewall play 3",
        ([3, 5, 7], 1, "three in line"),
    ),
    "line, giant placed last": (
        "cards 1 5 3 4 2 0 0 4 2 open 2 play 0 firewall play 4 giant no call play 2 firewall play 3 firewall play 4 giant",
        ([2, 6, 7], 1, "three in line"),
    ),
    "line, giant placed before": (
        "cards 4 2 0 5 3 1 4 1 2 open 0 play 1 no call play 5 giant no call play 4 giant hack play 3 firewall play 2",
        ([1, 5, 9], 2, "three in line"),
    ),
    "line, giant beside another marker": (
        "cards 2 0 1 5 0 4 3 4 2 open 4 play 2 firewall play 0 firewall play 4 giant firewall play 1 giant no call "
        "draw card 2 draw card 3 play 3 no call draw card 5 play 2",
        ([4, 5, 6, 4], 2, "three in line"),
    ),
    "stack": (
        "cards 4 1 0 4 5 3 2 3 4 open 5 play 2 no call play 3 giant hack play 4 no call draw card 2 play 3",
        ([7, 7, 7], 1, "three on one server"),
    ),
    "stack, giant placed last": (
        "cards 0 0 4 5 5 1 2 3 4 open 4 play 3 no call draw card 2 play 4 hack play 5 giant no call play 2 giant",
        ([7, 7, 7], 1, "three on one server"),
    ),
    "stack, giant placed before": (
        "cards 1 1 2 4 0 5 5 3 2 open 0 play 5 hack play 2 giant no call play 3 giant no call draw card 1 play 2",
        ([5, 5, 5], 2, "three on one server"),
    ),
    "the last marker": (
        "cards 5 4 0 2 0 5 0 1 3 open 5 play 1 giant no call draw card 1 draw card 5 play 0 no call play 3 firewall "
        "play 0 giant no call draw card 2 draw card 1 play 2 firewall play 1 no call play 5 hack play 2 firewall "
        "draw card 2 draw card 3 play 0 firewall draw card 4 play 2",
        ([2, 2, 2, 6, 6], 1, "three on one server"),
    ),
}


@pytest.mark.parametrize("name", WINS)
def test_three_win(name):
    record, (servers, _, how) = WINS[name]
    state = position(record)
    winner = field(state, "result")
    assert state.is_terminal()
    assert state.returns() == ([1, -1] if winner == 0 else [-1, 1])
    assert sorted(markers(state)[winner]) == sorted(servers)
    assert state.game.describe_end(state.array[0]) == how


# Player 1 is about to place a marker of the last two; the record ends with the move that loses.
LAST_BUT_ONE = (
    "cards 4 5 4 3 3 0 3 1 1 open 0 play 1 hack play 3 giant no call play 1 firewall play 4 firewall draw card 0 draw card 2 "
    "play 3 firewall play 2 no call play 0 firewall play 3 no call draw card 0 draw card 4 "
)
OUT_BY_PLAYING = (
    "cards 1 3 5 4 4 3 1 0 3 open 4 play 0 firewall play 5 giant firewall play 1 firewall draw card 0 play 3 giant firewall "
    "play 4 firewall draw card 5 play 3 hack play 5 firewall draw card 0 draw card 1 draw card 5 draw card 2 draw card 2 "
    "play 1 no call play 0 no call play 2"
)


def test_who_has_placed_the_last_marker_without_three_loses():
    state = position(OUT_BY_PLAYING)
    loser = field(state, "turn")
    assert (field(state, "supply")[loser], state.returns()[loser]) == (0, -1)
    assert state.game.describe_end(state.array[0]) == "out of markers"


@pytest.mark.parametrize(
    ("last_play", "call", "giant"), [("play 0 giant", "firewall", 3), ("play 0", "firewall", 11), ("play 0", "hack", 11)]
)
def test_a_call_paid_with_the_last_marker_loses(last_play, call, giant):
    """A small marker is paid while there is one, else the giant, which is then out of the game."""
    state = position(LAST_BUT_ONE)
    player = state.current_player()
    assert (field(state, "supply")[player], field(state, "giant")[player]) == (2, 0)
    play(state, last_play, call)
    assert (state.returns()[player], field(state, "giant")[player]) == (-1, giant)
    assert state.game.describe_end(state.array[0]) == "out of markers"


def longest_way(seed):
    """Turns of a game in which everyone draws if possible, never calls, and wins only if there is no other move."""
    state, rng, turns = load().new_initial_state(), np.random.default_rng(seed), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
            continue
        actions = {state.action_to_string(action): action for action in state.legal_actions() if action != 12}
        waiting = [actions[name] for name in ("draw", "no call") if name in actions]
        quiet = [action for action in actions.values() if not state.child(action).is_terminal()]
        action = (waiting or quiet or list(actions.values()))[0]
        turns += state.action_to_string(action).startswith(("play", "draw"))
        state.apply_action(action)
    return turns


def test_a_game_lasts_at_most_39_turns():
    """Ten plays of one player and nine of the other end it; their draws are at most two more than the plays before the last."""
    assert max(longest_way(seed) for seed in range(40)) == 39


# --- match play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WINS)
def test_points_of_a_game_in_a_match(name):
    record, (_, points, _) = WINS[name]
    single = position(record)
    winner = field(single, "result")
    *before, last = record.rsplit("play", 1)
    state = position("match 0-0 starter 0 " + "".join(before), match=True)
    play(state, "play" + last)
    score = [0, 0]
    score[winner] = points
    assert (field(state, "score"), state.is_terminal(), state.returns()) == (score, False, [0, 0])
    # The loser starts the next game, and everything is as at the start of one.
    fresh = load(match=True).state_from_text(f"match {score[0]}-{score[1]} starter {1 - winner}")
    assert state == fresh
    assert (field(state, "supply"), len(unpack(state.array[0]["deck"])), state.is_chance_node()) == ([10, 10], 18, True)
    play(state, *["card 0"] * 3, "card 1")
    assert hands(state)[1 - winner] == (0, 1)


def test_running_out_of_markers_scores_one():
    state = position("match 2-2 starter 0 " + OUT_BY_PLAYING, match=True)
    assert (field(state, "score"), state.returns()) == ([3, 2], [1, -1])
    assert state.game.describe_end(state.array[0]) == "out of markers; match 3-2"


def test_three_points_or_more_end_a_match():
    record, (_, points, _) = WINS["line, giant placed before"]
    state = position("match 0-2 starter 0 " + record, match=True)
    assert (points, field(state, "score"), state.returns()) == (2, [0, 4], [-1, 1])
    assert "match 0-2 starter 0" in state.to_text()
    state = position("match 1-1 starter 0 " + record, match=True)
    assert (field(state, "score"), state.is_terminal()) == ([1, 3], True)


def test_random_matches_end_with_three_points():
    states, buffer = np.zeros(1, load(match=True).dtype), load().action_buffer()
    rng = np.random.default_rng(1)
    for _ in range(200):
        states[:] = load(match=True).initial_array()
        playout(states[0], buffer, rng)
        score, winner = states[0]["score"], states[0]["result"]
        assert score[winner] in (3, 4)
        assert score[1 - winner] <= 2


# --- random games -----------------------------------------------------------------------------------------------------


def turns_of(record):
    """Plays and draws in a record; 29 is a draw after showing the hand."""
    codes = record & 63
    return int(np.sum(((codes >= 13) & (codes <= 25)) | (codes == 29)))


def test_random_games_last_fourteen_and_a_half_turns():
    states, buffer, rng = np.zeros(1, load().dtype), load().action_buffer(), np.random.default_rng(3)
    lengths = []
    for _ in range(20_000):
        states[:] = load().initial_array()
        playout(states[0], buffer, rng)
        lengths.append(turns_of(states[0]["record"][10 : states[0]["length"]]))
    # One standard error is 0.03.
    assert np.mean(lengths) == pytest.approx(14.5, abs=0.12)
    assert max(lengths) <= 39


def played(choices, **parameters):
    """The state after as many actions as there are choices, each a fraction of the list of those possible."""
    state = load(**parameters).new_initial_state()
    for choice in choices:
        actions = state.legal_actions()
        if not actions:
            break
        state.apply_action(actions[int(choice * len(actions))])
    return state


CHOICES = st.lists(st.floats(0, 1, exclude_max=True), max_size=70)


@settings(max_examples=60, deadline=None)
@given(CHOICES, st.booleans())
def test_positions_read_back_from_text(choices, match):
    state = played(choices, match=match)
    again = state.game.state_from_text(state.to_text())
    assert again == state
    for player in (0, 1):
        assert kernels.information_key(again.array, player) == kernels.information_key(state.array, player)
    # Lines and capitals mean nothing.
    assert state.game.state_from_text(" ".join(state.to_text().upper().split())) == state


@settings(max_examples=30, deadline=None)
@given(CHOICES)
def test_cards_and_markers_are_all_there(choices):
    state = played(choices)
    dealt = [event & 63 for event in field(state, "record")[: min(2, field(state, "length"))]]
    cards = [*hands(state)[0], *hands(state)[1], *dealt]
    cards += [*unpack(state.array[0]["deck"]), *unpack(state.array[0]["row"])]
    assert sorted(cards) == sorted(3 * list(range(6)))
    for player in (0, 1):
        assert field(state, "supply")[player] + len(markers(state)[player]) + field(state, "zone")[1 - player] <= 10
        assert len(hands(state)[player]) <= 4
        server = field(state, "giant")[player]
        assert not 1 <= server <= 9 or server in markers(state)[player]
    assert not set(markers(state)[0]) & set(markers(state)[1])


def test_information_keys_and_texts_tell_the_same_states_apart():
    keys: dict[tuple[int, str], int] = {}
    for state in random_states(load(), 3000, np.random.default_rng(6)):
        for player in (0, 1):
            key = kernels.information_key(state.array, player)
            assert keys.setdefault((player, state.information_state_string(player)), key) == key
    assert len(set(keys.values())) == len(keys) > 3000


# --- text form and notation -------------------------------------------------------------------------------------------

DEALT = "starter 0 cards 0 0 1 2 3 4 2 3 5 "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "word 1, the end: who starts, starter 0 or starter 1, stands before the cards"),
        ("cards 0 0", "word 1, 'cards': who starts"),
        ("starter 2", "word 2, '2': the starter is 0 or 1"),
        ("starter 1", "word 2, '1': the first game is started by 0, the parameter starter"),
        ("starter 0 cards", "word 4, the end: a card is a number from 0 to 5"),
        ("starter 0 cards 0 6", "word 5, '6': 'card 6' is no action"),
        ("starter 0 cards 0 0 0 0", "word 7, '0': 'card 0' is not possible here, but card 1, card 2"),
        ("starter 0 open 1", "word 3, 'open': 'open 1' is not possible here, but card 0"),
        (DEALT + "open 5", "word 13, 'open': 'open 5' is not possible here, but for player 0: open 1, open 2"),
        (DEALT + "open", "word 13, 'open': 'open' is no action: write open 4"),
        (DEALT + "open 1 play 1", "word 15, 'play': 'play 1' is not possible here, but for player 1: play 2"),
        (DEALT + "open 1 cards 2", "word 16, '2': 'card 2' is not possible here"),
        (DEALT + "open 1 draw card 1 hello", "word 18, 'hello': 'hello' is no action"),
        (DEALT + "open 1 play 5 no", "word 17, 'no': 'no' is no action"),
        ("starter 0 " + WINS["line"][0] + " no call", "word 31, 'no': the game is over before it"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(text, message):
    with pytest.raises(PositionError) as error:
        load().state_from_text(text)
    assert f"hacktrick position, {message}" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("starter 0", "word 1, 'starter': a position of a match begins with its score"),
        ("match 3-0 starter 0", "word 2, '3-0': the score before the game"),
        ("match 1-0 starter 0", "word 4, '0': the loser of the game before starts, and that is 1"),
        ("match 0-0 starter 1", "word 4, '1': the first game is started by 0"),
        ("match 0-0 starter 0 " + WINS["line"][0], "word 32, '3': it ends the game: the next one of the match"),
    ],
)
def test_what_is_wrong_with_a_text_of_a_match_is_said(text, message):
    with pytest.raises(PositionError) as error:
        load(match=True).state_from_text(text)
    assert f"hacktrick position, {message}" in str(error.value)


def test_a_position_as_it_is_written():
    state = play(position(CAPTURED), "play 2", "hack", "spy", "play 4 giant", "firewall", "draw", "card 5")
    assert state.to_text().splitlines() == [
        "starter 0",
        "cards 1 1 2 0 0 4 3 5 2",
        "open 2",
        "play 3 giant no call",
        "play 0 no call",
        "play 5 no call",
        "play 0 no call",
        "play 2 hack",
        "spy play 4 giant firewall",
        "draw card 5",
    ]


def test_notation():
    state = position(DEAL)
    assert state.string_to_action("  Play  3   GIANT ") == state.string_to_action("play 3 giant")
    for text in ("play", "play 6", "play 3 giants", "open", "nocall", "card", "play3"):
        with pytest.raises(NotationError, match="write open 4"):
            state.string_to_action(text)


@pytest.mark.parametrize("given", [{"starter": 2}, {"starter": "x"}, {"match": "maybe"}, {"match": 1}])
def test_bad_parameters(given):
    with pytest.raises(ParameterError, match=next(iter(given))):
        gamelab.load("hacktrick", **given)


# --- what people see --------------------------------------------------------------------------------------------------


def test_what_a_player_knows_is_written_and_nothing_else():
    state = play(position(CAPTURED), "draw", "card 5", "spy")
    assert state.information_state_string(0).splitlines() == [
        "player 0",
        "hand 4",
        "opponent's hand 2 cards; sum 7",
        "out 1 1",
        "row 2 3 0 5 0",
        "deck 8 cards",
        "own markers 3 5; supply 8 with the giant; captured 1 with the giant",
        "opponent's markers -; supply 8; captured 0",
        "player 0 to play or draw",
        "record",
        "  1 1 2 0 0 4 ? ? ?",
        "  open 2 sums 4 10",
        "  play 3 giant no call",
        "  play 0 no call",
        "  play 5 no call",
        "  play 0 no call",
        "  draw card ?",
        "  spy sum 7",
    ]


def test_cards_of_chance_are_seen_by_their_owner():
    game, state = load(), load().new_initial_state()
    assert game.action_as_seen(state.array[0], 3, 1) == "card 3"
    play(state, "card 0", "card 0")
    assert [game.action_as_seen(state.array[0], 3, viewer) for viewer in (0, 1)] == ["card 3", "a card for player 0"]
    state = play(position(DEAL), "draw")
    assert [game.action_as_seen(state.array[0], 1, viewer) for viewer in (0, 1)] == ["a card for player 1", "card 1"]


def test_actions_are_explained():
    state = play(position(CAPTURED), "play 2", "hack")
    explained = state.game.explain_actions(state.array[0], state.legal_actions())
    assert "You are hacked: you must play a card if you can." in explained
    assert "pay a captured marker: the opponent announces" in explained
    assert "infects server 6" in explained
    assert "draw" not in explained
    state = position("cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call")
    assert "infects server 5, captures 2 with the giant" in state.game.explain_actions(state.array[0], state.legal_actions())
    state = position(LAST_BUT_ONE)
    assert "(the giant)" in state.game.explain_actions(state.array[0], state.legal_actions())
    play(state, "play 0")
    assert "your last: you lose at once" in state.game.explain_actions(state.array[0], state.legal_actions())
    winning = position(WINS["line"][0].rsplit("play", 1)[0])
    assert "infects server 7, three: you win" in winning.game.explain_actions(winning.array[0], winning.legal_actions())
    losing = position(OUT_BY_PLAYING.rsplit("play", 1)[0])
    assert "your last marker: you lose" in losing.game.explain_actions(losing.array[0], losing.legal_actions())


def test_the_table_in_a_terminal():
    assert str(position("cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call")).splitlines() == [
        "player 1 (x): hand 2; supply 8; captured 0",
        "  2 .     7 .     6 .",
        "  9 .     5 Xx    1 .",
        "  4 .     3 o     8 .",
        "player 0 (o): hand 0 4; supply 9 with the giant; captured 0",
        "row 2 3 0 5; deck 9",
        "player 0 to play or draw",
    ]


def test_a_picture_hides_the_other_hand():
    state = position("cards 1 1 2 0 0 4 3 5 2 open 2 play 3 giant no call play 0 no call play 5 no call")
    everything, mine = state.to_svg(), state.to_svg(0)
    # In the row 4, out 2, in the hands 2 and 1; the deck is a back.
    assert (everything.count('class="card"'), everything.count('class="card back"')) == (9, 1)
    assert (mine.count('class="card"'), mine.count('class="card back"')) == (8, 2)
    assert mine == state.resample_from_infostate(0, np.random.default_rng(1)).to_svg(0)
    assert everything.count('class="marker') == 3
    assert everything.count('class="marker p1 giant"') == 1
    assert everything.count('class="supply') == 17
    assert 'class="score"' in position("match 0-0 starter 0 " + DEAL, match=True).to_svg()
    assert position(WINS["line"][0]).to_svg().count('class="winning"') == 1


# --- evaluation -------------------------------------------------------------------------------------------------------


def test_a_win_in_reach_is_worth_nearly_a_win():
    state = position(WINS["line"][0].rsplit("play", 1)[0])
    player = state.current_player()
    assert state.evaluate()[player] > 0.9
    priors = {name: kernels.action_prior(state.array, state.string_to_action(name)) for name in legal(state)}
    assert max(priors, key=priors.get).startswith("play 3")


def test_in_a_match_the_score_counts():
    for record in ("", DEAL):
        leading, trailing = (
            position(f"match {score} starter {starter} {record.replace('open 1', '')}", match=True).evaluate()[0]
            for score, starter in (("2-0", 1), ("0-2", 0))
        )
        assert leading > 0.5 > -0.5 > trailing
    assert np.allclose(MATCH_VALUE[:3, :3], -MATCH_VALUE[:3, :3].T)
    assert MATCH_VALUE[2, 2] == 0


def test_greedy_beats_random():
    result = gamelab.Tournament("hacktrick", ["greedy", "random"], games=60, seed=5).run()
    assert result.crosstable().loc["greedy", "random"] > 0.6
