"""Tournaments in a game for one: everybody meets the same chance, and differences are paired."""

import json
import math

import pytest
from scipy.stats import t, ttest_1samp

from gamelab.arena.match import GameRecord
from gamelab.arena.result import open_result
from gamelab.arena.schedule import round_robin
from gamelab.arena.setup import Setup
from gamelab.arena.solo import SoloResult
from gamelab.arena.statistics import student_interval
from gamelab.arena.tournament import Tournament
from gamelab.cli.report import print_report
from gamelab.core.errors import ParameterError, StoreError, UnknownNameError
from tests.arena.dice import Dice

KEEPER, DROPPER = "tests.arena.bots.Keeper", "tests.arena.bots.Dropper"


def play(agents=(KEEPER, DROPPER, "random"), games=30, **options):
    return Tournament(Dice(), agents, games, 1, **options).run()


def dice_of(record):
    return [move for move in record.moves if move.startswith("roll")]


def result_of(scores, forfeits=()):
    """Rounds of three agents with these scores; the games listed were forfeited, and what is left of the last is missing."""
    pairings = list(round_robin("abc", 3 * max(1, math.ceil(len(scores) / 3)), 1))
    records = [
        GameRecord(pairing, ("x",), 0, (float(score),), "end", 0 if pairing.game_id in forfeits else None, (0,), (1.0,), (5,))
        for pairing, score in zip(pairings, scores, strict=False)
    ]
    return SoloResult(Setup("dice", {}, list("abc"), 1, 0, None), records, len(pairings), seats=1)


# --- playing ----------------------------------------------------------------------------------------------------------


def test_all_agents_meet_the_same_dice():
    result = play()
    assert isinstance(result, SoloResult)
    rounds = [result.records[i : i + 3] for i in range(0, 30, 3)]
    assert all(dice_of(one) == dice_of(two) == dice_of(three) for one, two, three in rounds)
    assert len({tuple(dice_of(one)) for one, _, _ in rounds}) > 5


def test_who_keeps_all_scores_what_was_rolled_and_who_drops_all_nothing():
    result = play()
    rolled = [sum(int(die[5:]) for die in dice_of(record)) for record in result.records[::3]]
    assert result.scores()[:, 0].tolist() == rolled
    assert result.scores()[:, 1].tolist() == [0] * 10
    means = result.mean_scores()
    assert list(means) == [KEEPER, "random", DROPPER]
    assert means[KEEPER].value == pytest.approx(sum(rolled) / 10)
    assert (means[DROPPER].low, means[DROPPER].high) == (0, 0)


def test_a_store_goes_on_and_is_read_again(tmp_path):
    path = tmp_path / "t.db"
    play(games=9, store=path)
    longer = play(games=30, store=path)
    assert [record.moves for record in longer.records] == [record.moves for record in play(games=30).records]
    assert open_result(path) == longer


def test_one_agent_is_enough():
    result = play([KEEPER], games=4)
    assert len(result.scores()) == 4
    assert result.behind_the_best() == {}


def test_openings_are_the_same_for_all():
    result = play(games=15, opening_plies=2)
    for i in range(0, 15, 3):
        assert len({record.moves[:4] for record in result.records[i : i + 3]}) == 1
        assert result.records[i].opening in (3, 4)


def test_who_raises_forfeits_and_gets_the_lowest_score_of_all():
    result = play([KEEPER, "tests.arena.bots.Nonsense"], games=10)
    assert [record.forfeit for record in result.records] == [None, 0] * 5
    assert all(record.returns == (0.0,) for record in result.forfeits())
    lowest = min(record.returns[0] for record in result.records[::2])
    assert result.scores()[:, 1].tolist() == [lowest] * 5


# --- what follows -----------------------------------------------------------------------------------------------------


def test_means_and_paired_differences_by_hand():
    result = result_of([4, 1, 7, 6, 2, 7, 5, 6, 7])
    assert {spec: mean.value for spec, mean in result.mean_scores().items()} == {"c": 7, "a": 5, "b": 3}
    difference = result.difference("a", "b", 0.9)
    assert difference.value == 2
    expected = ttest_1samp([3, 4, -1], 0).confidence_interval(0.9)
    assert (difference.low, difference.high) == pytest.approx((expected.low, expected.high))
    assert result.behind_the_best()["b"] == result.difference("c", "b")


def test_the_cross_table_counts_who_scored_more():
    points, games = result_of([4, 1, 7, 6, 6, 5, 3]).points()
    assert points.tolist() == [[0, 1.5, 1], [0.5, 0, 1], [1, 1, 0]]
    assert games.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    table = result_of([4, 1, 7]).crosstable()
    assert table.loc["a", "b"] == 1
    assert math.isnan(table.loc["a", "a"])


def test_a_forfeit_does_not_pay_where_scores_are_costs():
    result = result_of([-4, 0, -7, -6, -2, -9], forfeits=[1])
    assert result.scores()[0].tolist() == [-4, -9, -7]


def test_an_interval_of_one_game_is_not_known():
    result = result_of([4, 1, 7])
    assert result.mean_scores()["c"].high == math.inf
    assert result.to_dict()["scores"][0]["score"] == {"value": 7, "low": None, "high": None, "confidence": 0.95}


def test_students_interval_is_the_textbooks():
    values = [3.0, 4.5, 9.0, 1.5]
    expected = t.interval(0.8, 3, 4.5, math.sqrt(10.5 / 4))  # 10.5 = (2.25 + 0 + 20.25 + 9) / 3
    found = student_interval(values, 0.8)
    assert (found.low, found.high) == pytest.approx(expected)
    with pytest.raises(ParameterError, match="at least one"):
        student_interval([])


def test_a_report_is_strict_json():
    report = result_of([4, 1, 7, 6]).to_dict()
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert [(row["rank"], row["name"]) for row in report["scores"]] == [(1, "c"), (2, "a"), (3, "b")]


def test_a_frame_has_a_seat_and_a_return():
    frame = result_of([4, 1, 7]).to_frame()
    assert frame[["seat_1", "return_1"]].to_numpy().tolist() == [["a", 4.0], ["b", 1.0], ["c", 7.0]]


def test_without_games_there_is_nothing_to_report():
    with pytest.raises(StoreError, match="no game was played"):
        result_of([]).to_dict()
    assert result_of([]).points()[1].sum() == 0


def test_the_report_has_scores_and_no_ratings(capsys):
    print_report(result_of([4, 1, 7, 6, 2, 7.5]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "dice, seed 1: 6 games"
    assert lines[1].startswith("Mean scores, and by how much they are behind the best over the same chance, with 95 %")
    cells = [line.split() for line in lines if line.strip()[:1] in ("1", "2", "3")]
    assert [row[:3] for row in cells] == [["1", "c", "7.25"], ["2", "a", "5"], ["3", "b", "1.5"]]
    assert cells[2][6] == "5.75"


def test_only_lengths_are_drawn():
    result = result_of([4, 1, 7])
    assert len(result.plot("lengths").axes) == 1
    with pytest.raises(ParameterError, match="dice: no figure 'ratings' of a game for one; there is: lengths"):
        result.plot("ratings")
    with pytest.raises(UnknownNameError):
        result.plot("pie")
