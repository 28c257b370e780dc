"""Results: every table from a handful of games written out, and from any games at all."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.arena.match import GameRecord
from gamelab.arena.played import LengthSummary
from gamelab.arena.result import Result
from gamelab.arena.schedule import round_robin
from gamelab.arena.setup import Setup
from gamelab.arena.tournament import Tournament
from gamelab.core.errors import ParameterError, StoreError

REPEATABLE = settings(derandomize=True, deadline=None)
AGENTS = ["a", "b", "c"]
WIN, DRAW, LOSS = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)


def result_of(records, planned=None, agents=AGENTS):
    setup = Setup("tictactoe", {}, list(agents), 1, 0, None)
    return Result(setup, records, len(records) if planned is None else planned)


def record(pairing, returns, moves=("a1", "b2"), ending="line", forfeit=None, **per_move):
    per_move = {"movers": (0, 1), "seconds": (1.0, 2.0), "nodes": (10, 20), **per_move}
    return GameRecord(pairing, tuple(moves), 0, returns, ending, forfeit, **per_move)


@pytest.fixture
def result():
    """Two rounds of three agents, broken off before the last pair."""
    returns = [WIN, LOSS, DRAW, DRAW, WIN, WIN, LOSS, LOSS, WIN, DRAW]
    schedule = list(round_robin(AGENTS, 12))
    games = [record(pairing, value) for pairing, value in zip(schedule, returns, strict=False)]
    games[1] = replace(games[1], moves=("c3", "b2", "a1", "a2"), ending="draw")
    games[2] = replace(games[2], moves=("a1",) * 9, ending="draw")
    games[3] = replace(games[3], moves=("a1",), ending="forfeit: tired", forfeit=1, movers=(0, 1), nodes=(10, 0))
    return result_of(games, 12)


# --- who began --------------------------------------------------------------------------------------------------------


def test_the_first_player_is_who_acted_first():
    """On the second seat in three of four pairs, as the cards have it, and then it wins."""
    games = [
        replace(record(pairing, WIN if pairing.round == 3 else LOSS), starter=0 if pairing.round == 3 else 1)
        for pairing in round_robin(["a", "b"], 8)
    ]
    result = result_of(games, agents=["a", "b"])
    assert result.first_player().value == 1
    assert result.ratings().first_move_elo.value > 300
    assert result.ratings().elo.tolist() == pytest.approx([0, 0])
    unknown = result_of([replace(game, starter=None, movers=(1, 0)) for game in games[:6]], agents=["a", "b"])
    assert unknown.first_player().value == 1  # who was asked first
    opened = result_of([replace(game, starter=None, movers=(1, 0), opening=1) for game in games[:6]], agents=["a", "b"])
    assert opened.first_player().value == 0  # unknown: the first seat


# --- a handful of games -----------------------------------------------------------------------------------------------


def test_points_are_counted_for_both_seats(result):
    # Against b, a wins games 0 and 7 and loses none but 6; game 1 it wins as second.
    points, games = result.points()
    assert points.tolist() == [[0, 3, 2.5], [1, 0, 1], [1.5, 1, 0]]
    assert games.tolist() == [[0, 4, 4], [4, 0, 2], [4, 2, 0]]


def test_the_cross_table_has_shares_and_no_numbers_where_nobody_met(result):
    table = result.crosstable()
    assert list(table.index) == list(table.columns) == AGENTS
    assert table.loc["a", "b"] == 0.75
    assert table.loc["b", "a"] == 0.25
    assert table.loc["c", "a"] == 0.375
    assert all(math.isnan(table.loc[agent, agent]) for agent in AGENTS)


def test_the_first_player_has_its_share_of_whole_pairs(result):
    share = result.first_player()
    assert share.value == pytest.approx((0.5 + 0.5 + 1 + 0 + 0.75) / 5)
    assert share.low < share.value < share.high
    assert result.first_player(0.5).low > share.low


def test_a_game_without_its_partner_is_left_out_of_pairs(result):
    broken_off = result_of(result.records[:9], 12)
    assert broken_off.first_player().value == pytest.approx((0.5 + 0.5 + 1 + 0) / 4)
    assert broken_off.head_to_head("a", "c").pairs == 1
    assert broken_off.points()[1].sum() == 18


def test_head_to_head_is_seen_from_the_first_named(result):
    assert result.head_to_head("a", "b").counts == (0, 0, 1, 0, 1)
    assert result.head_to_head("b", "a").counts == (1, 0, 1, 0, 0)
    assert result.head_to_head("a", "c").mean + result.head_to_head("c", "a").mean == 1


@pytest.mark.parametrize("names", [("a", "a"), ("a", "nobody")])
def test_who_never_met_has_no_head_to_head(result, names):
    with pytest.raises(ParameterError):
        result.head_to_head(*names)


def test_lengths_leave_forfeits_out(result):
    assert result.lengths() == LengthSummary(games=9, mean=(7 * 2 + 4 + 9) / 9, median=2, shortest=2, longest=9)


def test_without_a_finished_game_there_are_no_lengths(result):
    forfeited = result_of([replace(game, forfeit=0) for game in result.records])
    with pytest.raises(StoreError, match="no game was finished"):
        forfeited.lengths()
    assert forfeited.to_dict()["lengths"] is None


def test_games_are_distinct_by_their_moves(result):
    assert result.distinct_games() == 4


def test_endings_begin_with_the_most_frequent(result):
    assert list(result.endings().items()) == [("line", 7), ("draw", 2), ("forfeit: tired", 1)]


def test_scores_make_no_other_endings(result):
    endings = ["pile exhausted; scores 3 4", "pile exhausted; scores 5 4", "no card fits; scores 3 4", "forfeit: a; b"]
    records = [replace(game, ending=ending, forfeit=None) for game, ending in zip(result.records, endings, strict=False)]
    records[3] = replace(records[3], forfeit=0)
    assert result_of(records).endings() == {"pile exhausted": 2, "no card fits": 1, "forfeit: a; b": 1}


def test_forfeits_are_the_forfeited_games(result):
    assert result.forfeits() == [result.records[3]]


def test_effort_is_by_agent_and_not_by_seat(result):
    pairing = next(round_robin(AGENTS, 2))
    games = [
        record(pairing, WIN, movers=(0, 1, 0), nodes=(1, 10, 3), seconds=(0.5, 2.0, 1.5)),
        record(replace(pairing, game_id=1, seats=("b", "a")), WIN, movers=(0,), nodes=(30,), seconds=(4.0,)),
    ]
    effort = result_of(games).effort()
    assert effort["a"] == (2, 1)
    assert effort["b"] == (20, 3)
    assert all(math.isnan(value) for value in effort["c"])


def test_ratings_are_in_the_order_of_strength(result):
    returns = {("a", "b"): WIN, ("b", "a"): LOSS, ("a", "c"): WIN, ("c", "a"): LOSS, ("b", "c"): WIN, ("c", "b"): LOSS}
    games = [record(pairing, returns[pairing.seats]) for pairing in round_robin(AGENTS, 60)]
    ratings = result_of(games).ratings()
    assert [row["name"] for row in ratings.to_records()] == ["a", "b", "c"]
    assert list(ratings.games) == [40, 40, 40]
    assert result_of(games).ratings(confidence=0.5).low[0] > ratings.low[0]


def test_a_bootstrap_without_a_seed_is_refused(result):
    with pytest.raises(ParameterError, match="seed"):
        result.ratings(bootstrap=10)


def test_a_frame_has_a_row_for_each_game(result):
    frame = result.to_frame()
    assert len(frame) == 10
    row = frame.iloc[1]
    assert (row["game_id"], row["first"], row["second"], row["first_return"]) == (1, "b", "a", -1)
    assert (row["plies"], row["moves"], row["ending"]) == (4, "c3 b2 a1 a2", "draw")
    assert (row["seconds"], row["nodes"]) == (3, 30)
    assert frame["forfeit"].dropna().tolist() == [1]


# --- nothing played, or little ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["ratings", "first_player", "to_dict", "lengths"])
def test_what_needs_games_says_so(what):
    with pytest.raises(StoreError, match="no game was"):
        getattr(result_of([], 6), what)()


def test_what_needs_no_games_is_empty():
    empty = result_of([], 6)
    assert (empty.endings(), empty.forfeits(), empty.distinct_games()) == ({}, [], 0)
    assert empty.points()[1].tolist() == np.zeros((3, 3)).tolist()
    assert empty.crosstable().isna().to_numpy().all()
    assert len(empty.to_frame()) == 0


def test_an_empty_frame_has_the_same_columns(result):
    assert list(result_of([], 6).to_frame().columns) == list(result.to_frame().columns)


def test_one_game_is_enough_for_a_report():
    alone = result_of([record(next(round_robin(AGENTS, 2)), WIN)], 6)
    report = alone.to_dict()
    assert (report["games"], report["planned_games"]) == (1, 6)
    assert report["first_player_share"]["value"] == 1


# --- any games --------------------------------------------------------------------------------------------------------


@st.composite
def results(draw):
    """A part of a tournament, in which anything can have happened."""
    agents = AGENTS[: draw(st.integers(2, 3))]
    schedule = list(round_robin(agents, 2 * draw(st.integers(1, 10))))
    played = draw(st.lists(st.sampled_from(schedule), min_size=1, unique=True))
    games = []
    for pairing in sorted(played, key=lambda pairing: pairing.game_id):
        forfeit = draw(st.sampled_from([None, None, None, 0, 1]))
        returns = draw(st.sampled_from([WIN, DRAW, LOSS])) if forfeit is None else (LOSS, WIN)[forfeit]
        games.append(record(pairing, returns, draw(st.lists(st.sampled_from("xyz"), max_size=4)), forfeit=forfeit))
    return result_of(games, len(schedule), agents)


@REPEATABLE
@given(results())
def test_a_report_is_strict_json(result):
    report = result.to_dict(bootstrap=3, seed=1)
    assert json.loads(json.dumps(report, allow_nan=False)) == report


@REPEATABLE
@given(results())
def test_every_game_gives_out_one_point(result):
    points, games = result.points()
    assert points.sum() == len(result.records) == games.sum() / 2
    assert (games == games.T).all()
    assert (points + points.T == games).all()


@REPEATABLE
@given(results())
def test_tables_count_every_game_once(result):
    assert sum(result.endings().values()) == len(result.to_frame()) == len(result.records)
    assert 1 <= result.distinct_games() <= len(result.records)
    assert sorted(row["name"] for row in result.to_dict()["ratings"]) == result.setup.agents


@REPEATABLE
@given(results())
def test_shares_and_their_intervals_are_shares(result):
    share = result.first_player()
    assert 0 <= share.low <= share.value <= share.high <= 1


# --- from a tournament ------------------------------------------------------------------------------------------------


def test_a_result_read_again_is_the_same(tmp_path):
    path = tmp_path / "t.db"
    played = Tournament("netwerk", ["random", "greedy"], 4, 1, store=path, opening_plies=2).run()
    read = gamelab.open_result(path)
    assert read == played
    assert read.to_dict() == played.to_dict()


def test_a_report_says_what_was_played():
    report = Tournament("netwerk", ["random", "greedy"], 4, 7, opening_plies=2).run().to_dict()
    assert (report["game"], report["seed"], report["opening_plies"], report["store"]) == ("netwerk", 7, 2, None)
    assert report["parameters"] == dict(gamelab.load("netwerk").parameters)
    assert (report["agents"], set(report["budgets"])) == (["random", "greedy"], {"random", "greedy"})
    assert len(report["versions"]) == 1
    assert report["versions"][0].startswith(f"gamelab {gamelab.__version__}")


def test_agents_that_look_at_more_make_more_effort():
    effort = Tournament("tictactoe", ["mcts:sims=20,memory=4", "mcts:sims=60,memory=4"], 6, 1).run().effort()
    few, many = (nodes for nodes, _ in effort.values())
    assert few < many <= 60
    assert all(seconds > 0 for _, seconds in effort.values())
