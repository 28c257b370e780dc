"""Spider Wars against the known answers of its rules, and every rule in a position made by hand."""

import functools
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.core import kernels
from gamelab.core.errors import IllegalActionError, NotationError, PositionError
from gamelab.search.playout import playout_batch
from gamelab.testing import random_states

SLOW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
START = """\
Green: D 0,4-1,5 S 0,0-1,1 S 0,2-1,3 S 0,8-1,7
Orange: D 7,3-8,4 S 7,1-8,0 S 7,5-8,6 S 7,7-8,8
Green to move; turn 0"""
PLACE = r"(?<!\d)-?\d+,-?\d+"


@functools.cache
def load(**parameters):
    return gamelab.load("spiderwars", **parameters)


def position(green, orange, last="Green to move", **parameters):
    return load(**parameters).state_from_text(f"Green: {green}\nOrange: {orange}\n{last}")


def names(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def play(state, *moves):
    state = state.clone()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def spiders(state):
    """Green's spiders and Orange's as the text has them."""
    return [line.partition(": ")[2] for line in state.to_text().splitlines()[:2]]


def turned(text, right=8, top=8):
    """A text with every place turned by half and the colours exchanged."""

    def turn(place):
        x, y = place[0].split(",")
        return f"{right - int(x)},{top - int(y)}"

    places = re.sub(PLACE, turn, text)
    return places.replace("Green", "?").replace("Orange", "Green").replace("?", "Orange")


def turned_position(state):
    """The same position for the other player, in a game in which the other one moves first."""
    green, orange, last = turned(state.to_text()).splitlines()
    other = load(**{**state.game.parameters, "first": "orange" if state.game.parameters["first"] == "green" else "green"})
    return other.state_from_text("\n".join([orange, green, last]))


# --- known answers ----------------------------------------------------------------------------------------------------


def test_start():
    state = load().new_initial_state()
    assert state.to_text() == START
    assert state == load().state_from_text(START)
    assert len(state.game.web.holes) == 41
    assert turned_position(state).to_text() == START.replace("Green to", "Orange to")


def test_twenty_first_moves():
    moves = names(load().new_initial_state())
    assert len(moves) == 20
    by_spider = [sum(move.split(">")[0] in legs for move in moves) for legs in ("0,4 1,5", "0,8 1,7", "0,2 1,3", "0,0 1,1")]
    assert by_spider == [12, 4, 2, 2]


def test_231_positions_after_the_second_turn():
    start = load().new_initial_state()
    for number, first in enumerate(start.legal_actions()):
        after = start.child(first)
        second = [after.child(one).child(two) for one in after.legal_actions() for two in after.child(one).legal_actions()]
        assert len({state.key() for state in second}) == 231
        assert {state.current_player() for state in second} == {0}
        if number % 5 == 0:
            assert len({spiders(state)[1] for state in second}) == 231


@pytest.mark.parametrize(("spider", "leg_moves"), [("D 0,4-1,5", 4), ("S 0,8-1,7", 8), ("S 0,2-1,3", 8), ("S 0,0-1,1", 8)])
def test_leg_moves_to_the_nest_if_the_opponent_never_moves(spider, leg_moves):
    orange = START.splitlines()[1].partition(": ")[2]
    reached, frontier, moves = {spider}, [(spider, orange)], 0
    while True:
        moves += 1
        ahead = []
        for green, others in frontier:
            state = position(green, others)
            for child in map(state.child, state.legal_actions()):
                if child.is_terminal():
                    assert child.returns() == [1, -1]
                    assert moves == leg_moves
                    return
                if spiders(child)[0] not in reached:
                    reached.add(spiders(child)[0])
                    ahead.append(spiders(child))
        frontier = ahead


def test_figure_9():
    far_orange, far_green = "S 7,1-8,0", "S 0,8-1,7"
    assert set(names(position("S 4,4", far_orange))) == {"4,4+4,2", "4,4+4,6", "4,4+3,3", "4,4+3,5"}
    orange = position(far_green, "S 4,4", "Orange to move")
    assert set(names(orange)) == {"4,4+4,2", "4,4+4,6", "4,4+5,3", "4,4+5,5"}
    assert len(names(position("D 4,4", far_orange))) == 11
    assert len(names(position(far_green, "D 4,4", "Orange to move"))) == 11


def test_a_lone_dangler_must_pass():
    state = position("S 0,0", "S 0,2-1,3")
    assert names(state) == ["pass"]
    after = play(state, "pass")
    assert after.to_text().splitlines()[2] == "Orange to move; turn 3; passes 1"
    assert play(after, "1,3>0,4").to_text().splitlines()[2] == "Orange to move; turn 3; moved 0,4"


@pytest.mark.parametrize("turns", range(3, 7))
def test_nobody_can_force_a_win_within_six_turns(turns):
    """Nor within nine, which takes the same search minutes. The last turn is the winner's."""
    winner = 1 - turns % 2
    left = 2 * ((turns + 1) // 2) - (1 if winner == 0 else 0)
    assert not forces_a_win(load().new_initial_state(), winner, left, {})


def forces_a_win(state, winner, left, known):
    """Whether the winner can force a win with so many leg moves left: an and-or search that stops where it is too far."""
    if state.is_terminal():
        return state.returns()[winner] == 1
    if least_leg_moves(state, winner) > left:
        return False
    if (state.key(), left) not in known:
        mine = state.current_player() == winner
        options = sorted(state.legal_actions(), key=lambda action: -kernels.action_prior(state.array, action))
        outcomes = (forces_a_win(state.child(action), winner, left - mine, known) for action in options)
        known[state.key(), left] = any(outcomes) if mine else all(outcomes)
    return known[state.key(), left]


def least_leg_moves(state, player):
    """No win takes fewer: the nearest leg's steps to the nest, a Daddy's by twos, or one hit for each leg of the opponent's."""
    legs, others = (int(state.array["legs"][0, side]) for side in (player, 1 - player))
    daddies, steps = int(state.array["daddies"][0]), state.array["steps"][0, player]
    own = [hole for hole in range(41) if legs >> hole & 1]
    return min(others.bit_count(), *((int(steps[hole]) + (daddies >> hole & 1)) >> (daddies >> hole & 1) for hole in own))


def test_random_games_are_mostly_decisive():
    game = load()
    states, buffer, rng = (
        np.concatenate([game.initial_array(), game.blank_array()]),
        game.action_buffer(),
        np.random.default_rng(3),
    )
    decisive = 0
    for _ in range(3000):
        totals = np.zeros(2)
        playout_batch(states, 1, buffer, totals, rng)
        decisive += bool(totals.any())
    assert 0.69 < decisive / 3000 < 0.75


# --- turns ------------------------------------------------------------------------------------------------------------


def test_the_first_turn_moves_one_leg_and_later_ones_two():
    state = load().new_initial_state()
    players = []
    for _ in range(7):
        players.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert players == [0, 1, 1, 0, 0, 1, 1]
    assert load(first="orange").new_initial_state().current_player() == 1


def test_no_leg_moves_twice_in_a_turn():
    state = play(position("S 2,2-3,3 S 0,4-0,6", "S 7,1-8,0"), "2,2>3,5")
    assert state.to_text().splitlines()[2] == "Green to move; turn 2; moved 3,5"
    # The other leg of the same spider, or one of another, but not the leg in 3,5.
    assert {move.split(">")[0] for move in names(state)} == {"3,3", "0,4", "0,6"}
    assert play(state, "3,3>4,4").current_player() == 1
    assert play(state, "0,4>1,7").current_player() == 1


def test_a_small_leg_reaches_one_step_from_the_other_leg_and_a_daddys_two():
    small = {move for move in names(position("S 4,4-5,5", "S 7,1-8,0")) if move.startswith("5,5>")}
    assert {move.split(">")[1] for move in small} == {"4,2", "4,6", "3,3", "3,5", "5,3"}
    daddy = {move.split(">")[1] for move in names(position("D 4,4-5,5", "S 7,1-8,0")) if move.startswith("5,5>")}
    first = {"4,2", "4,6", "3,3", "3,5", "5,3"}
    second = {"4,0", "4,8", "3,1", "3,7", "5,1", "5,7", "2,2", "2,4", "2,6", "6,2", "6,4", "6,6"}
    assert daddy == first | second


def test_a_way_may_lead_over_occupied_holes_but_not_through_a_nest():
    # All around 0,0 is occupied, and the Daddy steps over it.
    state = position("D 0,0-1,1 S 0,2-1,3 S 2,0-2,2", "S 7,1-8,0")
    assert {"1,1>0,4", "1,1>2,0"} & set(names(state)) == {"1,1>0,4"}
    # 0,8 and 0,6 are neighbours of Green's nest; 0,8 to 0,4 is two steps by way of 0,6.
    daddy = {move.split(">")[1] for move in names(position("D 0,8-1,7", "S 7,1-8,0")) if move.startswith("1,7>")}
    assert daddy == {"0,6", "0,4", "1,5", "2,8", "2,6"}


def test_not_onto_own_legs_nor_into_the_own_nest():
    moves = names(position("S 0,8-0,6 S 1,7-2,8", "S 7,1-8,0"))
    assert {move.split(">")[1] for move in moves if move.startswith("0,8")} == {"0,4", "1,5"}
    assert not any(move.endswith(("-1,7", "1,7")) for move in moves)


def test_a_turn_without_a_second_action_ends(tmp_path):
    state = play(line(tmp_path, 6).state_from_text("Green: S 1,0-2,0\nOrange: S 4,0-5,0\nGreen to move"), "2,0>0,0")
    assert state.to_text() == "Green: S 0,0-1,0\nOrange: S 4,0-5,0\nOrange to move; turn 3"


# --- Danglers ---------------------------------------------------------------------------------------------------------


def test_pushing_out_a_leg_makes_a_dangler():
    state = play(position("S 3,3-4,4", "S 5,5-6,6 D 8,4-8,6"), "3,3>5,5")
    assert spiders(state) == ["S 4,4-5,5", "D 8,4-8,6 S 6,6"]
    assert state.current_player() == 0


def test_a_dangler_whose_planted_leg_is_hit_is_knocked_out():
    state = play(position("S 4,4-5,5", "S 6,6 D 8,4-8,6"), "4,4>6,6")
    assert spiders(state) == ["S 5,5-6,6", "D 8,4-8,6"]
    assert not state.is_terminal()


def test_both_in_one_turn():
    state = position("S 3,3-4,4", "S 5,5-6,6 D 8,4-8,6")
    assert spiders(play(state, "3,3>5,5", "4,4>6,6")) == ["S 5,5-6,6", "D 8,4-8,6"]


def test_a_daddy_can_hang_too():
    state = play(position("S 3,3-4,4", "S 8,6-8,8 D 5,5-6,6"), "3,3>5,5")
    assert spiders(state) == ["S 4,4-5,5", "D 6,6 S 8,6-8,8"]
    assert spiders(play(state, "4,4>6,6")) == ["S 5,5-6,6", "S 8,6-8,8"]


def test_a_dangler_neither_moves_nor_attacks():
    # Its planted leg is beside an orange one and the nest is near; only replanting is left, and the other spider's moves.
    state = position("S 8,2 S 0,2-0,4", "S 7,3-7,5")
    assert {move for move in names(state) if move.startswith("8,2")} == {"8,2+7,1", "8,2+8,0", "8,2+8,4"}


def test_replanting_uses_up_the_turn_and_must_come_first():
    state = position("S 4,4 S 0,2-0,4", "S 7,3-7,5")
    after = play(state, "4,4+3,5")
    assert spiders(after) == ["S 0,2-0,4 S 3,5-4,4", "S 7,3-7,5"]
    assert after.current_player() == 1
    assert not any("+" in move for move in names(play(state, "0,2>0,6")))


def test_a_replanted_daddy_is_a_daddy():
    assert spiders(play(position("D 4,4", "S 7,3-7,5"), "4,4+2,4")) == ["D 2,4-4,4", "S 7,3-7,5"]


def test_replanting_needs_an_unoccupied_hole_that_is_no_progress():
    state = position("D 1,1 S 0,0-0,2 S 1,3-2,2", "S 1,5-2,4")
    assert {move for move in names(state) if "+" in move} == {"1,1+0,4"}
    # The own nest is within reach of 0,6, and back towards it; but a nest is no hole.
    assert set(names(position("S 0,6", "S 7,3-7,5"))) == {"0,6+0,4", "0,6+0,8"}


# --- the end ----------------------------------------------------------------------------------------------------------


def test_a_leg_in_the_nest_wins_at_once_in_mid_turn():
    state = play(position("S 7,1-8,2", "S 3,3-3,5"), "7,1>9,1")
    assert state.returns() == [1, -1]
    assert state.legal_actions() == []
    assert state.game.describe_end(state.array[0]) == "nest"
    assert state.to_text().splitlines()[2] == "Orange to move; turn 3"
    orange = play(position("S 3,3-3,5", "D 1,5-2,8", "Orange to move"), "2,8>-1,7")
    assert orange.returns() == [-1, 1]


def test_a_daddy_jumps_into_the_nest_over_two_steps():
    assert "6,2>9,1" in names(position("D 7,1-6,2", "S 3,3-3,5"))
    assert "6,2>9,1" not in names(position("S 7,1-6,2", "S 3,3-3,5"))


def test_the_second_leg_wins_too():
    assert play(position("S 6,0-7,1", "S 3,3-3,5"), "6,0>8,2", "7,1>9,1").returns() == [1, -1]


def test_knocking_out_the_last_spider_wins_at_once():
    state = play(position("S 4,4-5,5", "S 6,6"), "4,4>6,6")
    assert state.returns() == [1, -1]
    assert state.game.describe_end(state.array[0]) == "last spider knocked out"
    both = play(position("S 5,5-6,6", "S 4,4-3,3", "Orange to move"), "3,3>5,5", "4,4>6,6")
    assert both.returns() == [-1, 1]


def line(tmp_path, holes, **parameters):
    """A web that is one row of holes: there a Dangler has nowhere to go but ahead."""
    places = [f"{x},0" for x in range(holes)]
    beside = {place: [n for n in (f"{x - 1},0", f"{x + 1},0") if n in places] for x, place in enumerate(places)}
    path = tmp_path / "line.toml"
    path.write_text(
        f"""name = "line"
holes = {places}
neighbours = {{ {", ".join(f'"{place}" = {near}' for place, near in beside.items())} }}
nests.green = {{ at = "-1,0", neighbours = ["0,0"] }}
nests.orange = {{ at = "{holes},0", neighbours = ["{holes - 1},0"] }}
start.green.small = ["0,0-1,0"]
start.orange.small = ["{holes - 2},0-{holes - 1},0"]
"""
    )
    return gamelab.load("spiderwars", web=str(path), **parameters)


def test_two_passes_in_a_row_are_a_draw(tmp_path):
    state = line(tmp_path, 5).state_from_text("Green: S 0,0\nOrange: S 4,0\nGreen to move")
    assert names(state) == ["pass"]
    one = play(state, "pass")
    assert names(one) == ["pass"]
    both = play(one, "pass")
    assert both.returns() == [0, 0]
    assert both.game.describe_end(both.array[0]) == "draw by passes"
    assert both.game.state_from_text(both.to_text()) == both


def test_a_pass_is_forgotten_after_an_action(tmp_path):
    game = line(tmp_path, 6)
    state = play(game.state_from_text("Green: S 0,0\nOrange: S 3,0-4,0\nGreen to move"), "pass", "4,0>2,0")
    assert state.to_text().splitlines()[2] == "Orange to move; turn 3; moved 2,0"


def test_max_turns_is_a_draw_unless_the_last_turn_wins():
    state = position("S 6,0-7,1 S 0,0-0,2", "S 3,3-3,5", "Green to move; turn 2", max_turns=3)
    assert play(state, "6,0>8,2", "7,1>9,1").returns() == [1, -1]
    draw = play(state, "0,0>0,4", "6,0>8,2")
    assert draw.is_terminal()
    assert draw.returns() == [0, 0]
    assert draw.game.describe_end(draw.array[0]) == "draw by max_turns"
    assert load(max_turns=1).new_initial_state().child(state.string_to_action("0,4>3,3")).returns() == [0, 0]


# --- one position, one record -----------------------------------------------------------------------------------------


def test_legs_and_spiders_have_no_names():
    state = position("D 0,4-1,5 S 0,0-1,1 S 2,2-3,3 S 4,6", "S 7,1-8,0")
    same = position("S 4,6 S 3,3-2,2 S 1,1-0,0 D 1,5-0,4", "S 8,0-7,1")
    assert state == same
    assert state.key() == same.key()
    # The same two holes by three ways, in the last one by the other leg each.
    ways = [("2,2>2,4", "3,3>1,3"), ("3,3>1,3", "2,2>2,4"), ("3,3>2,4", "2,2>1,3")]
    assert len({(play(state, *way).to_text(), play(state, *way).key()) for way in ways}) == 1
    assert play(state, "0,0>2,0", "2,2>4,4") == play(state, "2,2>4,4", "0,0>2,0")


def test_which_leg_has_moved_is_part_of_a_position():
    one, other = ("Green to move; turn 2; moved 2,2", "Green to move; turn 2; moved 3,3")
    states = [position("S 2,2-3,3", "S 7,1-8,0", last) for last in (one, other)]
    assert states[0] != states[1]
    assert states[0].key() != states[1].key()


def test_who_is_tied_to_whom_is_part_of_a_position():
    states = [position(green, "S 7,1-8,0") for green in ("S 2,2-3,3 S 2,4-3,5", "S 2,2-2,4 S 3,3-3,5", "D 2,2-3,3 S 2,4-3,5")]
    assert len({state.key() for state in states}) == 3


def test_different_positions_have_different_keys():
    states = random_states(load(), 4000, np.random.default_rng(5)) + random_states(
        load(web="mini"), 4000, np.random.default_rng(6)
    )
    assert len({state.key() for state in states}) == len({(state.game, state.to_text()) for state in states})


def test_the_half_turn_swaps_the_players():
    rng = np.random.default_rng(7)
    for state in random_states(load(), 300, rng):
        other = turned_position(state)
        assert sorted(names(other)) == sorted(turned(move) for move in names(state))
        assert other.returns() == state.returns()[::-1]
        assert other.evaluate() == pytest.approx(state.evaluate()[::-1], abs=1e-12)


def test_random_actions_are_those_of_the_list():
    for state in random_states(load(), 200, np.random.default_rng(8)):
        actions, buffer = state.legal_actions(), state.game.action_buffer()
        drawn = [int(kernels.random_action(state.array, buffer, (i + 0.5) / len(actions))) for i in range(len(actions))]
        assert drawn == actions


# --- what a search asks besides ---------------------------------------------------------------------------------------


def test_quiet_means_that_no_action_wins_or_knocks_out():
    seen = set()
    for state in random_states(load(web="mini"), 400, np.random.default_rng(9)):
        if state.is_terminal():
            continue
        count = len(re.findall("[DS] ", spiders(state)[1 - state.current_player()]))
        forcing = [
            any(c.returns()) or len(re.findall("[DS] ", spiders(c)[1 - state.current_player()])) < count
            for c in children(state)
        ]
        assert kernels.is_quiet(state.array) == (not any(forcing))
        seen.add(any(forcing))
    assert seen == {True, False}


def children(state):
    return [state.child(action) for action in state.legal_actions()]


def test_priors_put_wins_before_knock_outs_before_danglers_before_walking():
    state = position("S 7,1-8,2 S 4,4-5,5", "S 6,6 S 4,6-4,8", "Green to move")
    prior = {move: kernels.action_prior(state.array, state.string_to_action(move)) for move in names(state)}
    order = [prior["7,1>9,1"], prior["4,4>6,6"], prior["5,5>4,6"], prior["4,4>6,4"], prior["4,4>5,7"], prior["5,5>3,3"]]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == 6


def test_alphabeta_beats_random_moves():
    result = gamelab.Tournament("spiderwars", ["alphabeta:depth=2", "random"], games=30, seed=1, opening_plies=2).run(workers=1)
    assert float(result.crosstable().loc["alphabeta:depth=2", "random"]) >= 0.95


# --- text -------------------------------------------------------------------------------------------------------------


@SLOW
@given(st.sampled_from(["standard", "mini"]), st.integers(0, 120), st.randoms(use_true_random=False))
def test_text_reads_back_in_any_order(web, plies, random):
    state = load(web=web).new_initial_state()
    for _ in range(plies):
        if state.is_terminal():
            break
        state.apply_action(random.choice(state.legal_actions()))
    assert state.game.state_from_text(state.to_text()) == state
    assert state.game.state_from_text(shuffled(state.to_text(), random)) == state


def shuffled(text, random):
    """Spiders and their legs in another order, in small letters, with space around."""
    *lines, last = text.splitlines()
    for i, row in enumerate(lines):
        name, _, rest = row.partition(":")
        found = re.findall(rf"([DS]) ({PLACE})(?:-({PLACE}))?", rest)
        random.shuffle(found)
        lines[i] = " ".join([f"  {name} :", *(f"{kind}  {b + '-' if b else ''}{a}" for kind, a, b in found)])
    return "\n".join([*lines, last]).lower()


def test_left_out_turn():
    assert position("S 0,0-1,1", "S 7,1-8,0", "Green to move").array["turn"] == 2
    assert position("S 0,0-1,1", "S 7,1-8,0", "Orange to move").array["turn"] == 1
    assert position("S 0,0-1,1", "S 7,1-8,0", "Green to move", first="orange").array["turn"] == 1


@pytest.mark.parametrize(
    ("green", "orange", "last", "message"),
    [
        ("S 0,0-1,1", "S 7,1-8,0", "Green", "line 3: begins with"),
        ("S 0,0-1,1", "S 7,1-8,0", "White to move", "line 3: begins with"),
        ("X 0,0-1,1", "S 7,1-8,0", "Green to move", "line 1: 'X' is not D"),
        ("SD 0,0-1,1", "S 7,1-8,0", "Green to move", "line 1: 'SD' is not D"),
        ("S", "S 7,1-8,0", "Green to move", "line 1: a spider is two words"),
        ("S 0,0-1,1-2,2", "S 7,1-8,0", "Green to move", "line 1: '0,0-1,1-2,2' is not written"),
        ("S 0,0-0,1", "S 7,1-8,0", "Green to move", "line 1: the web standard has no hole 0,1"),
        ("S 0,0-2,2", "S 7,1-8,0", "Green to move", "line 1: 0,0-2,2: the legs are out of each other's reach"),
        ("D 0,0-3,3", "S 7,1-8,0", "Green to move", "line 1: 0,0-3,3: the legs are out of each other's reach"),
        ("S 0,0-0,0", "S 7,1-8,0", "Green to move", "line 1: 0,0-0,0: two legs in 0,0"),
        ("S 0,0-1,1", "S 1,1-2,2", "Green to move", "line 2: 1,1-2,2: two legs in 1,1"),
        ("S -1,7-0,8", "S 7,1-8,0", "Green to move", "line 1: -1,7-0,8: -1,7 is Green's own nest"),
        ("S 9,1", "S 7,1-8,4", "Green to move", "line 1: 9,1: a Dangler cannot hang from a nest"),
        ("D 0,0-1,1 D 3,3", "S 7,1-8,0", "Green to move", "line 1: 2 of kind D, but Green has 1"),
        ("S 0,0 S 0,2 S 0,4 S 0,6", "S 7,1-8,0", "Green to move", "line 1: 4 of kind S, but Green has 3"),
        ("", "S 7,1-8,0", "Green to move; moved 0,0", "line 3: Orange has won with the last turn"),
        ("", "", "Green to move", "line 3: Green has won already"),
        ("S 0,0-1,1", "", "Green to move", "line 3: Green has won already"),
        ("S 8,2-9,1", "S 7,7-8,8", "Green to move", "line 3: Green has won already"),
        ("S 8,2-9,1", "S 7,7-8,8", "Orange to move; passes 1", "line 3: Green has won with the last turn"),
        ("S 8,2-9,1", "S 7,7-8,8", "Orange to move; moved 7,7", "line 3: Green has won with the last turn"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn 3", "line 3: after 3 turns it is not Green's"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn 202", "line 3: turn 202 is past max_turns, 200"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn x", "line 3: turn: 'x' is not a whole number"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn 2; turn 2", "line 3: 'turn 2' is none of"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; speed 2", "line 3: 'speed 2' is none of"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn 0; moved 0,0", "line 3: moved 0,0: the first turn of the game"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; turn 200; moved 0,0", "line 3: turn 200 is the end"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; moved 8,0", "line 3: moved 8,0: no leg"),
        ("S 0,0 S 0,4-0,6", "S 7,1-8,0", "Green to move; moved 0,0", "line 3: moved 0,0: no leg of a two-legged"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; passes 1", "line 3: passes 1: Orange could have moved"),
        ("S 0,0-1,1", "S 7,1-8,0", "Green to move; passes 3", "line 3: 3 passes in a row do not fit"),
        (
            "S 0,0",
            "S 0,2-1,3",
            "Orange to move; passes 1; moved 0,2",
            "line 3: 1 passes in a row do not fit turn 1 in mid-turn",
        ),
    ],
)
def test_impossible_positions(green, orange, last, message):
    with pytest.raises(PositionError, match=re.escape(message)):
        position(green, orange, last)


def test_lines_that_are_missing_or_misnamed():
    for text, message in [("Green: S 0,0", "1 lines, not 3"), ("\n".join(["Green:"] * 4), "4 lines, not 3")]:
        with pytest.raises(PositionError, match=message):
            load().state_from_text(text)
    with pytest.raises(PositionError, match="line 1: begins with Green"):
        load().state_from_text("Orange: S 7,1-8,0\nGreen: S 0,0-1,1\nGreen to move")


def test_moves_that_are_none():
    state = load().new_initial_state()
    for move in ("0,0", "0,0>", "0,0>1,1>2,2", "0,0-1,1", "0,1>1,1", "0,0>9,9", "passed", "0,0+", ">1,1", "00,0>1,1"):
        with pytest.raises(NotationError):
            state.string_to_action(move)
    with pytest.raises(IllegalActionError, match=r"0,0>4,4"):
        play(state, "0,0>4,4")
    assert state.string_to_action(" PASS ") == 8192


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_the_picture_shows_each_spider():
    for state in random_states(load(), 60, np.random.default_rng(10)):
        svg, text = state.to_svg(), state.to_text()
        for player, name in enumerate(("Green", "Orange")):
            found = re.findall(rf"([DS]) {PLACE}(-{PLACE})?", spiders(state)[player])
            kinds = [(("spider" if second else "dangler"), ("daddy" if kind == "D" else "small")) for kind, second in found]
            drawn = re.findall(rf'<g class="(spider|dangler) {name} (daddy|small)">', svg)
            assert sorted(drawn) == sorted(kinds)
        assert svg.count('class="peg"') == len(re.findall(PLACE, text.partition("to move")[0]))
        assert svg.count('class="hole"') == 41
        assert svg.count('class="moved"') == ("moved" in text)
        last = state.history()[-1:] and state.action_to_string(state.history()[-1])
        assert svg.count('class="last"') == (bool(last) and last != "pass")


def test_actions_in_words():
    explained = [state.game.explain_actions(state.array[0], state.legal_actions()) for state in WORDED]
    assert explained == [
        "Move a leg (write it as from>to):\n  0,2 to 0,4 1,1 1,5 2,2 2,4\n  1,3 to 0,0 0,4 1,1\n"
        "Replant a leg (write it as from+to):\n  8,8 to 7,7 8,6",
        "You can neither move nor replant a leg: pass.",
    ]


WORDED = [position("S 8,8 S 0,2-1,3", "S 7,1-8,0"), position("S 0,0", "S 0,2-1,3")]


def test_the_board_in_a_terminal():
    state = play(position("D 0,4-1,5 S 0,0", "S 4,4-5,5 S 8,8", "Orange to move"), "4,4>5,7")
    assert str(state) == BOARD.strip("\n")


BOARD = """
   8        .         .         .         .        O2*
   7  [G]        .         .        O1!        .
   6        .         .         .         .         .
   5            GD         .        O1         .
   4       GD         .         .         .         .
   3             .         .         .         .
   2        .         .         .         .         .
   1             .         .         .         .        [O]
   0       G1*        .         .         .         .
      -1    0    1    2    3    4    5    6    7    8    9
Orange to move one leg; turn 1
"""
