"""Tournaments for three and more: blocks that share their luck, stores that go on, and tables from games written out."""

import json
import math
import sqlite3
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from gamelab.arena import match
from gamelab.arena.match import GameRecord
from gamelab.arena.multiplayer import MultiplayerResult
from gamelab.arena.result import open_result
from gamelab.arena.schedule import round_robin, whole_blocks
from gamelab.arena.setup import Setup
from gamelab.arena.store import Store
from gamelab.arena.tournament import Tournament
from gamelab.core.errors import ParameterError, StoreError, TournamentError
from gamelab.games import load
from tests.search.random_trees import RandomTree

REPEATABLE = settings(derandomize=True, deadline=None)
BOTS = ("random", "greedy", "tests.arena.bots.Keeper")
KILLER, LOYAL = "tests.arena.bots.Killer", "tests.arena.bots.Loyal"


def play(agents=BOTS, games=12, workers=1, players=3, **options):
    return Tournament(load("kuhn", players=players), agents, games, 1, **options).run(workers)


def rows(path):
    """All columns of the games but the times."""
    with sqlite3.connect(path) as db:
        names = [column[1] for column in db.execute("PRAGMA table_info(games)") if column[1] != "seconds"]
        found = db.execute(f"SELECT {', '.join(names)} FROM games ORDER BY game_id").fetchall()
    db.close()
    return found


def moves(result):
    return [record.moves for record in result.records]


# --- playing ----------------------------------------------------------------------------------------------------------


def test_the_games_of_a_block_share_their_deal_and_blocks_do_not():
    result = play(games=48)
    deals = [{record.moves[:3] for record in result.records[i : i + 6]} for i in range(0, 48, 6)]
    assert all(len(deal) == 1 for deal in deals)
    assert len(set.union(*deals)) > 4
    assert result.blocks().tolist() == [i // 6 for i in range(48)]


def test_the_games_of_a_block_share_their_opening():
    result = play(games=36, opening_plies=2)
    for i in range(0, 36, 6):
        assert len({record.moves[: record.opening] for record in result.records[i : i + 6]}) == 1
    assert {record.opening for record in result.records} == {5}


def test_agents_draw_differently_on_each_seat_and_in_each_game():
    result = play(["random", LOYAL], games=60)
    assert len({record.moves[3:] for record in result.records}) > 10


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_any_number_of_players_can_play(players):
    games = whole_blocks(BOTS, players, 2)
    result = play(games=games, players=players)
    assert [len(record.returns) for record in result.records] == [players] * games
    assert result.ratings().games.sum() == players * games


def test_four_players_on_a_random_tree():
    result = Tournament(RandomTree(players=4, depth=6), ["random", "greedy"], 14, 1).run()
    assert {tuple(sorted(record.pairing.seats)) for record in result.records} == {
        ("greedy",) * twos + ("random",) * (4 - twos) for twos in (1, 2, 3)
    }
    assert len(result.by_seat()) == 4


def test_an_agent_on_two_seats_is_two_agents():
    result = play([LOYAL, "random"], games=6)
    assert max(record.pairing.seats.count(LOYAL) for record in result.records) == 2
    assert result.forfeits() == []


def test_who_fails_forfeits_and_the_others_share_the_win():
    result = play([*BOTS, "tests.arena.bots.Nonsense"], games=24)
    assert len(result.forfeits()) == 18
    for record in result.forfeits():
        assert record.pairing.seats[record.forfeit] == "tests.arena.bots.Nonsense"
        assert record.returns == tuple(-1.0 if seat == record.forfeit else 0.5 for seat in range(3))


def test_who_is_too_slow_forfeits(monkeypatch):
    monkeypatch.setattr(match, "GRACE_SECONDS", 0.01)
    result = play(["random", "tests.arena.bots.Sleeper"], games=3, move_limit=0.2)
    assert len(result.forfeits()) == 3
    assert all("took longer than 0.2 s" in record.ending for record in result.records)


def test_a_number_of_games_that_breaks_a_block_is_refused(tmp_path):
    with pytest.raises(TournamentError, match="try 6 or 12"):
        play(games=10, store=tmp_path / "t.db")
    assert list(tmp_path.iterdir()) == []


# --- stores -----------------------------------------------------------------------------------------------------------


def test_any_number_of_workers_gives_the_same_store(tmp_path):
    for workers in (1, 2):
        play(workers=workers, games=24, store=tmp_path / f"{workers}.db")
    assert rows(tmp_path / "1.db") == rows(tmp_path / "2.db")


def test_a_store_is_read_again_and_goes_on(tmp_path):
    path = tmp_path / "t.db"
    play(games=12, store=path)
    longer = play(games=30, store=path)
    assert isinstance(longer, MultiplayerResult)
    assert moves(longer) == moves(play(games=30))
    assert open_result(path) == longer


def test_games_missing_in_the_middle_of_a_block_are_played(tmp_path):
    path = tmp_path / "t.db"
    play(store=path)
    before = rows(path)
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM games WHERE game_id IN (0, 4, 7)")
    db.close()
    partial = open_result(path)
    assert len(partial.records) == 9
    assert json.loads(json.dumps(partial.to_dict(), allow_nan=False))["planned_games"] == 12
    play(store=path)
    assert rows(path) == before


def test_a_killed_worker_takes_no_finished_game_along(tmp_path, monkeypatch):
    path, spared = tmp_path / "t.db", tmp_path / "spared"
    monkeypatch.setenv("KILLER_SPARED", str(spared))

    def run(workers, store):
        agents = ["random", "tests.arena.bots.Keeper", KILLER]
        return Tournament(RandomTree(players=3, depth=6), agents, 24, 1, store=store).run(workers)

    with pytest.raises(TournamentError, match="worker process died"):
        run(2, path)
    finished = rows(path)
    spared.touch()
    run(2, path)
    run(1, tmp_path / "at once.db")
    assert rows(path) == rows(tmp_path / "at once.db")
    assert set(finished) <= set(rows(path))


def test_the_number_of_players_is_part_of_a_tournament(tmp_path):
    for players, other in ((2, 3), (3, 2)):
        path = tmp_path / f"{players}.db"
        play(players=players, store=path)
        with pytest.raises(StoreError, match=f"players is {players} there and {other} here"):
            play(players=other, store=path)


def test_an_empty_store_of_another_number_of_seats_is_refused(tmp_path):
    Store(tmp_path / "t.db").close()
    with pytest.raises(StoreError, match="made for games of 2 seats, not of 3"):
        play(store=tmp_path / "t.db")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seats", '["random", "greedy"]'),
        ("seats", '["random", "greedy", "nobody"]'),
        ("seats", "["),
        ("seats", "7"),
        ("returns", "[1, -1]"),
        ("returns", "[0, 0, 2]"),
        ("forfeit", "3"),
        ("movers", "[3]"),
        ("opponents", "null"),
    ],
)
def test_a_game_that_cannot_be_is_refused(tmp_path, column, value):
    path = tmp_path / "t.db"
    play(store=path)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE games SET {column} = ? WHERE game_id = 5", [value])
    db.close()
    with pytest.raises(StoreError, match=r"t\.db.*damaged"):
        open_result(path)


# --- what follows, by hand --------------------------------------------------------------------------------------------

RETURNS = [
    (1.0, -0.5, -0.5), (0.5, 0.5, -1.0), (0.0, 0.0, 0.0), (1.0, 0.0, -1.0), (-0.5, 1.0, -0.5), (-1.0, 0.0, 1.0),
    (0.25, 0.25, -0.5), (1.0, -0.5, -0.5),
]  # fmt: skip


def result_of(returns, agents="abc", planned=None):
    pairings = list(round_robin(agents, planned or whole_blocks(agents, 3, max(len(returns), 1)), 3))
    records = [
        GameRecord(pairing, (str(pairing.game_id),), 0, values, "end", None, (0, 1, 2), (1.0, 2.0, 3.0), (1, 2, 3))
        for pairing, values in zip(pairings, returns, strict=False)
    ]
    return MultiplayerResult(Setup("kuhn", {"players": 3}, list(agents), 1, 0, None), records, len(pairings), seats=3)


def test_a_block_by_hand():
    # a b c, b c a, c a b, a c b, b a c, c b a
    result = result_of(RETURNS[:6])
    agents, seats = result.by_agent(), result.by_seat()
    assert agents["a"].mean_return.value == pytest.approx((1 - 1 + 0 + 1 + 1 + 1) / 6)
    assert agents["b"].mean_return.value == pytest.approx((-0.5 + 0.5 + 0 - 1 - 0.5 + 0) / 6)
    assert agents["a"].mean_rank == pytest.approx((1 + 3 + 2 + 1 + 1 + 1) / 6)
    assert agents["c"].mean_rank == pytest.approx((2.5 + 1.5 + 2 + 2 + 2.5 + 3) / 6)
    assert agents["a"].wins.value == pytest.approx((1 + 0 + 1 / 3 + 1 + 1 + 1) / 6)
    assert agents["b"].wins.value == pytest.approx((0 + 1 / 2 + 1 / 3) / 6)
    assert seats[1].mean_return.value == pytest.approx((-0.5 + 0.5 + 0 + 0 + 1 + 0) / 6)
    assert seats[0].mean_rank == pytest.approx((1 + 1.5 + 2 + 1 + 2.5 + 3) / 6)
    assert [standing.games for standing in (*agents.values(), *seats)] == [6] * 6
    points, games = result.points()
    assert points[0].tolist() == [0, 4.5, 4.5]  # a is behind in game 1, and ties in game 2
    assert games.tolist() == [[0, 6, 6], [6, 0, 6], [6, 6, 0]]
    assert result.crosstable().loc["b", "a"] == 0.25
    assert math.isnan(result.crosstable().loc["b", "b"])


# --- scores -----------------------------------------------------------------------------------------------------------

SCORES = [(9.0, 4.0, 7.0), (5.0, 5.0, 5.0), (1.0, 8.0, 8.0), (6.0, 3.0, 6.0), (2.0, 9.0, 0.0), (7.0, 1.0, 2.0)]


def scored(scores, forfeits=(), agents="abc"):
    """Games of which only who won and what was scored is known; those listed were forfeited by the first seat."""
    returns = [tuple((3 * (value == max(game)) / game.count(max(game)) - 1) / 2 for value in game) for game in scores]
    result = result_of(returns, agents)
    records = [
        replace(record, forfeit=0, returns=(-1.0, 0.5, 0.5)) if i in forfeits else replace(record, scores=game)
        for i, (record, game) in enumerate(zip(result.records, scores, strict=True))
    ]
    return replace(result, records=records)


def test_who_did_not_win_is_ranked_by_score():
    result = scored(SCORES)
    assert result.ranks().tolist() == [[1, 3, 2], [2, 2, 2], [3, 1.5, 1.5], [1.5, 3, 1.5], [2, 1, 3], [1, 3, 2]]
    assert result.by_seat()[2].mean_rank == pytest.approx((2 + 2 + 1.5 + 1.5 + 3 + 2) / 6)
    # a b c, b c a, c a b, a c b, b a c, c b a
    assert result.points()[0][0].tolist() == [0, 1 + 0.5 + 0.5 + 0.5 + 1 + 1, 1 + 0.5 + 1 + 1 + 1 + 0]
    assert result.by_agent()["a"].wins.value == pytest.approx((1 + 1 / 3 + 1 / 2 + 1 / 2 + 1 + 0) / 6)


def test_ratings_go_by_score():
    """Those who never win are told apart by it: b always scores more than c."""
    worth = {"a": 9.0, "b": 5.0, "c": 1.0}
    blank = scored([(0.0, 0.0, 0.0)] * 60)
    games = [
        replace(record, scores=tuple(map(worth.get, record.pairing.seats)), returns=RETURNS[0])
        for record in blank.records
        if record.pairing.seats[0] == "a"
    ]
    elo = dict(zip("abc", replace(blank, records=games).ratings().elo, strict=True))
    assert elo["b"] > elo["c"] + 300
    coarse = dict(zip("abc", replace(blank, records=[replace(game, scores=None) for game in games]).ratings().elo, strict=True))
    assert coarse["b"] == pytest.approx(coarse["c"])


def test_ranks_may_go_by_return_all_the_same():
    result = scored(SCORES).ranked_by("return")
    assert result.ranks()[:2].tolist() == [[1, 2.5, 2.5], [2, 2, 2]]
    assert result.mean_scores() == scored(SCORES).mean_scores()
    assert result.ranked_by("score") == scored(SCORES)
    with pytest.raises(ParameterError, match="by score or by return, not by 'points'"):
        result.ranked_by("points")


def test_mean_scores_by_agent_and_seat():
    result = scored(SCORES)
    agents, seats = result.mean_scores(), result.mean_scores_by_seat()
    assert [seat.value for seat in seats] == pytest.approx([30 / 6, 30 / 6, 28 / 6])
    assert agents["a"].value == pytest.approx((9 + 5 + 8 + 6 + 9 + 2) / 6)
    assert agents["b"].value == pytest.approx((4 + 5 + 8 + 6 + 2 + 1) / 6)
    assert agents["a"].high == math.inf  # a single block
    report = result.to_dict()["mean_scores"]
    assert report["by_agent"]["a"] == {"value": 6.5, "low": None, "high": None, "confidence": 0.95}
    assert [seat["value"] for seat in report["by_seat"]] == [seat.value for seat in seats]


def test_a_forfeit_does_not_pay_and_what_the_others_would_have_scored_is_not_known():
    result = scored(SCORES, forfeits=[1])
    assert result.ranks()[1].tolist() == [3, 1.5, 1.5]
    assert result.seat_scores()[1, 0] == 0  # the lowest of all
    assert np.isnan(result.seat_scores()[1, 1:]).all()
    assert [seat.value for seat in result.mean_scores_by_seat()] == pytest.approx([25 / 5, 25 / 5, 23 / 5])


def test_where_some_games_were_kept_without_scores_ranks_go_by_returns():
    """As in a tournament that a version began which did not keep them."""
    result = scored(SCORES)
    partial = replace(result, records=[*result.records[:5], replace(result.records[5], scores=None)])
    assert not partial.scored()
    assert partial.ranks().tolist() == [[1, 2.5, 2.5], [2, 2, 2], [3, 1.5, 1.5], [1.5, 3, 1.5], [2.5, 1, 2.5], [1, 2.5, 2.5]]
    assert partial.mean_scores() == {}
    assert partial.mean_scores_by_seat() == []
    assert partial.to_dict()["mean_scores"] is None
    assert "score_1" not in partial.to_frame()


def test_where_all_games_were_forfeited_there_are_no_scores():
    result = scored(SCORES, forfeits=range(6))
    assert not result.scored()
    assert result.mean_scores() == {}


def test_a_frame_has_scores_as_columns():
    frame = scored(SCORES, forfeits=[1]).to_frame()
    assert frame["score_2"].tolist()[::2] == [4, 8, 9]
    assert math.isnan(frame["score_2"][1])


def test_scores_come_back_from_a_store(tmp_path):
    path = tmp_path / "t.db"
    played = Tournament(load("kreuzquer", players=3), ["random", "greedy"], 6, 1, store=path).run()
    assert played.scored()
    assert open_result(path) == played
    assert list(played.mean_scores()) == ["greedy", "random"]  # best first


# --- who began --------------------------------------------------------------------------------------------------------


def test_what_a_seat_is_worth_is_counted_from_who_began():
    result = scored(SCORES)
    starters = [2, 2, 2, 0, 1, None]
    begun = replace(result, records=[replace(record, starter=seat, movers=(1, 2), seconds=(1.0, 1.0), nodes=(1, 1))
                                     for record, seat in zip(result.records, starters, strict=True)])  # fmt: skip
    assert begun.places().tolist() == [[2, 0, 1]] * 3 + [[0, 1, 2], [1, 2, 0], [1, 2, 0]]  # the last was asked first
    assert [seat.value for seat in begun.mean_scores_by_seat()] == pytest.approx(
        [(7 + 5 + 8 + 6 + 9 + 1) / 6, (9 + 5 + 1 + 3 + 0 + 2) / 6, (4 + 5 + 8 + 6 + 2 + 7) / 6]
    )
    assert begun.by_seat()[0].mean_rank == pytest.approx((2 + 2 + 1.5 + 1.5 + 1 + 3) / 6)
    assert begun.by_agent() == result.by_agent()
    assert begun.mean_scores() == result.mean_scores()


def test_a_seat_is_worth_what_beginning_is_worth():
    """Whoever begins wins, on whatever seat."""
    blank = result_of([(0.0, 0.0, 0.0)] * 60)
    starters = np.random.default_rng(1).integers(0, 3, 60).tolist()
    games = [replace(record, starter=seat, returns=tuple(1.0 if other == seat else -0.5 for other in range(3)))
             for record, seat in zip(blank.records, starters, strict=True)]  # fmt: skip
    worth = [seat.value for seat in replace(blank, records=games).ratings().seat_elo]
    assert worth[0] > 500 > 0 > worth[1] == pytest.approx(worth[2], abs=1)
    assert replace(blank, records=games).by_seat()[0].wins.value == 1


# --- intervals --------------------------------------------------------------------------------------------------------


def test_blocks_are_the_observations():
    steady = result_of([(0.5, 0.0, -0.5)] * 60)
    assert steady.by_seat()[0].mean_return.value == pytest.approx(0.5)
    # The same games, but whole blocks good or bad for the first seat: half of the points, and far less certain.
    lucky = result_of(([(1.0, -0.5, -0.5)] * 6 + [(-1.0, 0.5, 0.5)] * 6) * 5)
    mixed = result_of([(1.0, -0.5, -0.5), (-1.0, 0.5, 0.5)] * 30)
    one, other = (result.by_seat()[0].mean_return for result in (lucky, mixed))
    assert one.value == pytest.approx(other.value) == pytest.approx(0)
    assert one.high - one.low > 1.5 * (other.high - other.low)
    assert lucky.ratings().seat_elo[0].high > 1.5 * mixed.ratings().seat_elo[0].high


def test_ratings_are_in_the_order_of_strength_and_seats_make_no_difference():
    strength = {"a": 0.5, "b": 0.0, "c": -0.5, "d": -1.0}
    pairings = list(round_robin("abcd", 240, 3))
    result = result_of([(0.0, 0.0, 0.0)] * 240, "abcd")
    records = [replace(record, returns=tuple(strength[agent] for agent in pairing.seats))
               for record, pairing in zip(result.records, pairings, strict=True)]  # fmt: skip
    ratings = replace(result, records=records).ratings()
    assert [row["name"] for row in ratings.to_records()] == list("abcd")
    assert [round(seat.value, 6) for seat in ratings.seat_elo] == [0, 0, 0]


def test_who_has_not_played_is_left_out_and_rated_by_the_prior():
    result = result_of(RETURNS[:6], "abcd", planned=24)
    assert list(result.by_agent()) == ["a", "b", "c"]
    report = result.to_dict()
    assert next(row for row in report["ratings"] if row["name"] == "d")["mean_return"] is None
    assert not result.ratings().connected


def test_an_agent_on_two_seats_meets_others_twice_and_itself_never():
    result = result_of([(1.0, 0.0, -1.0)] * 3, "ab", planned=6)  # a a b, a b a, b a a
    points, games = result.points()
    assert games.tolist() == [[0, 6], [6, 0]]
    assert points.tolist() == [[0, 3], [3, 0]]
    assert result.by_agent()["a"].games == 6


def test_what_some_get_others_lose_also_where_line_ups_differ_in_size():
    result = result_of(RETURNS[:5], "ab", planned=6)
    total = sum(standing.games * standing.mean_return.value for standing in result.by_agent().values())
    assert total == pytest.approx(0)
    assert result.by_agent()["a"].games == 2 * 3 + 2


def test_an_interval_over_equal_blocks_is_that_of_their_means():
    """Wilson's with Student's quantile: the means that lie so many of their own standard errors from what was seen."""
    result = result_of([values for values in RETURNS for _ in range(6)])
    means = np.array([(values[0] + 1) / 2 for values in RETURNS])
    observations = means.mean() * (1 - means.mean()) / (means.var(ddof=1) / len(means))  # wins and losses as uncertain
    found = result.by_seat()[0].mean_return
    assert (found.value + 1) / 2 == pytest.approx(means.mean())
    for end in (found.low, found.high):
        end = (end + 1) / 2
        assert abs(end - means.mean()) / math.sqrt(end * (1 - end) / observations) == pytest.approx(stdtrit(7, 0.975))


@pytest.mark.parametrize("blocks", [2, 3, 10])
def test_an_interval_over_few_blocks_holds_as_often_as_it_says(blocks):
    rng = np.random.default_rng(blocks)
    held = 0
    for _ in range(1000):
        luck = np.clip(rng.normal(0.0, 0.15, blocks), -0.5, 0.5).tolist()
        found = result_of([(mean, -mean, 0.0) for mean in luck for _ in range(6)])
        estimate = found.by_seat()[0].mean_return
        held += estimate.low <= 0 <= estimate.high
    assert 0.93 <= held / 1000 <= 0.99


def test_an_interval_of_returns_keeps_to_what_a_game_can_give():
    """Who never wins has the lowest return there is with three players, and no interval goes below it."""
    found = result_of([(1.0, -0.5, -0.5)] * 6 + [(-0.5, 1.0, -0.5)] * 6).by_seat()[2].mean_return
    assert found.value == found.low == -0.5
    assert -0.5 < found.high < 1


def test_a_frame_has_seats_and_returns_as_columns():
    frame = result_of(RETURNS).to_frame()
    assert frame.iloc[1][["seat_1", "seat_2", "seat_3"]].tolist() == ["b", "c", "a"]
    assert frame["return_3"].tolist() == [values[2] for values in RETURNS]
    assert list(result_of([]).to_frame().columns) == list(frame.columns)


@REPEATABLE
@given(st.lists(st.sampled_from(RETURNS), min_size=1, max_size=30), st.sampled_from(["ab", "abc", "abcd"]))
def test_a_report_is_strict_json_and_adds_up(returns, agents):
    result = result_of(returns, agents)
    report = result.to_dict(bootstrap=3, seed=1)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert [seat["seat"] for seat in report["seats"]] == [1, 2, 3]
    assert sum(seat["wins"]["value"] for seat in report["seats"]) == pytest.approx(1)
    assert sum(seat["mean_rank"] for seat in report["seats"]) == pytest.approx(6)
    points, games = result.points()
    assert (points + points.T == games).all()


@pytest.mark.parametrize("what", ["ratings", "by_agent", "by_seat", "mean_scores", "mean_scores_by_seat", "to_dict"])
def test_what_needs_games_says_so(what):
    with pytest.raises(StoreError, match="no game was played"):
        getattr(result_of([]), what)()


@pytest.mark.parametrize("kind", ["ratings", "crosstable", "lengths"])
def test_figures_are_drawn(kind):
    figure = result_of(RETURNS * 3, "abcd").plot(kind)
    texts = "\n".join(text.get_text() for text in figure.texts)
    expected = {"ratings": "seat 2 is worth", "crosstable": "finished ahead", "lengths": "length of games"}
    assert expected[kind] in texts
    if kind == "lengths":
        assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()][-1].startswith("games: 24")
