"""Tournaments with more than two players from the command line: reports, JSON, plots, refusals."""

from dataclasses import replace

import pytest

import gamelab
from gamelab.cli.report import print_report
from gamelab.cli.report_parts import print_games

THREE = "tournament kuhn -p players=3 -a random -a greedy -a tests.arena.bots.Keeper --workers 1"


def test_the_report_has_it_all(command):
    lines = command(f"{THREE} -n 12 --store my.db").splitlines()
    starts = [
        "kuhn, players=3, seed 1: 12 games",
        "How often row finished ahead of column in % (12 meetings each)",
        "Ratings: Elo with mean 0, Plackett-Luce model with seats, 95 % intervals by the wider of Hessian and sandwich",
        "Seats in the order of play",
        "Game length: ",
        "Distinct games: ",
        "Store: my.db",
    ]
    for start in starts:
        assert any(line.startswith(start) for line in lines), start
    seats = lines[next(i for i, line in enumerate(lines) if line.startswith("Seats")) :]
    assert [line.split()[0] for line in seats[4:7]] == ["1", "2", "3"]
    assert "First player" not in "\n".join(lines)


def test_ratings_prints_the_report_again(command, from_json):
    assert command(f"{THREE} -n 12 --store my.db") == command("ratings my.db")
    found = from_json("ratings my.db --bootstrap 20")
    assert found["players"] == 3
    assert {row["name"] for row in found["ratings"]} == {"random", "greedy", "tests.arena.bots.Keeper"}
    assert found["interval_method"] == "bootstrap"
    assert len(found["seats"]) == 3
    assert "bootstrap over blocks" in command("ratings my.db --bootstrap 20")


def test_a_store_is_continued(command):
    command(f"{THREE} -n 6 --store short.db")
    command(f"{THREE} -n 18 --store short.db")
    command(f"{THREE} -n 18 --store long.db")
    short, long = (gamelab.open_result(f"{name}.db").records for name in ("short", "long"))
    assert [record.moves for record in short] == [record.moves for record in long]


def test_by_default_there_are_whole_blocks(from_json):
    # Two at a table of four: a round is three line-ups, of 4, 6 and 4 games.
    found = from_json("tournament kuhn -p players=4 -a random -a tests.arena.bots.Keeper --workers 1 --store my.db")
    assert found["games"] == found["planned_games"] == 17 * 14 + 4


def test_forfeits_and_games_without_scores_are_told(command, capsys):
    command("tournament kreuzquer -a greedy -a tests.arena.bots.Nonsense -a random --workers 1 -n 6 --store my.db")
    assert "A forfeit counts as the lowest score of all" in command("ratings my.db")
    result = gamelab.open_result("my.db")
    finished = [record for record in result.records if record.forfeit is None]
    assert len(finished) == 2
    print_report(replace(result, records=[replace(finished[0], scores=None), finished[1]]))
    out = capsys.readouterr().out
    assert "Of 2 finished games only 1 were kept with scores: there are no means of them." in out
    assert "Scores of the game" not in out


def test_alone_those_who_all_forfeited_have_no_scores(command):
    command("tournament kreuzquer -p players=1 -a tests.arena.bots.Nonsense --workers 1 -n 2 --store my.db")
    assert "\nNo game was finished, so there are no scores.\n" in command("ratings my.db")


def test_agents_that_repeat_themselves_are_told_on(command, monkeypatch):
    from gamelab.cli import tournament
    from tests.search.random_trees import RandomTree

    monkeypatch.setattr(tournament, "load_game", lambda name, parameters: RandomTree(players=3))
    line = "tournament tree -a tests.arena.bots.Keeper -a tests.arena.bots.Dropper --workers 1"
    assert "Agents repeat themselves" in command(f"{line} -n 12")
    assert "Agents repeat themselves" not in command(f"{line} -n 6")
    assert "Agents repeat themselves" not in command(f"{line} -n 12 --openings 3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"{THREE} -n 10 --store my.db",
            "games: 10 would break a block (they are played in blocks, seats rotated); try 6",
        ),
        (f"{THREE} -n 0 --store my.db", "games: 0 is not a whole number of at least 6"),
        ("tournament kuhn -p players=3 -a random -n 6 --store my.db", "two agents or more, not 1"),
    ],
)
def test_what_cannot_be_played_is_refused(refusal, line, message):
    assert message in refusal(line)


def test_all_figures_are_drawn(command, refusal, folder):
    command(f"{THREE} -n 6 --store my.db")
    assert "kuhn: no figure 'scores' of 6 games of which 0 have scores; there is: " in refusal("plot my.db --kind scores")
    assert command("plot my.db").split() == ["my-ratings.png", "my-crosstable.png", "my-lengths.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.glob("*.png"))


def test_alone_only_scores_and_lengths_are_drawn(command, refusal, folder):
    from gamelab.arena.tournament import Tournament
    from tests.arena.dice import Dice

    Tournament(Dice(), ["random", "tests.arena.bots.Keeper"], 4, 1, store="my.db").run()
    assert "dice: no figure 'ratings' of a game for one" in refusal("plot my.db --kind ratings")
    assert command("plot my.db") == "my-scores.png\nmy-lengths.png\n"
    assert command("ratings my.db").startswith("dice, seed 1: 4 games\nMean scores")


def test_endings_are_counted_by_their_reasons(command):
    agents = "-a random -a greedy -a tests.arena.bots.Keeper"
    out = command(f"tournament kreuzquer -p players=3 {agents} --workers 1 -n 12 --store my.db")
    assert "\nEndings: all tiles placed (12)\n" in out
    assert "my-scores.png" in command("plot my.db --kind scores")


def test_what_was_scored_is_told(command):
    out = command("tournament kreuzquer -p players=3 -a random -a greedy --workers 1 -n 12 --store my.db")
    assert "\nRanks, and with them ratings, go by score\n" in out
    lines = out[out.index("Scores of the game: means with 95 % intervals over blocks") :].splitlines()[4:9]
    assert [line.split("  ")[0].strip() for line in lines] == ["greedy", "random", "seat 1", "seat 2", "seat 3"]
    assert -15 < float(lines[0].split()[1]) < 0
    assert -56 < float(lines[1].split()[1]) < -45
    two = command("tournament kreuzquer -a random -a greedy --workers 1 -n 4 --store two.db")
    assert "Scores of the game: means with 95 % intervals over pairs of games" in two
    assert "\n second player " in two
    assert "go by return\n" in command(f"{THREE} -n 12 --store kuhn.db")


def test_ranks_may_go_by_return_all_the_same(command, from_json, refusal):
    line = "tournament kreuzquer -p players=3 -a random -a greedy -a greedy:by=prior --workers 1 -n 12 --store my.db"
    assert from_json(line)["ranks_by"] == "score"
    by_return = command("ratings my.db --ranks return")
    assert "go by return\n" in by_return
    assert "Scores of the game" in by_return
    ahead = {by: from_json(f"ratings my.db --ranks {by}")["points"][2][0] for by in ("score", "return")}  # prior of random
    assert ahead["score"] == 12
    assert ahead["return"] < 9  # a tie wherever the third won
    assert "Plots: gamelab plot my.db --ranks return\nThis report again: gamelab ratings my.db --ranks return\n" in by_return
    assert command("plot my.db --kind ratings --ranks return") == "my-ratings.png\n"
    assert "--ranks: ranks go by score or by return, not by 'points'" in refusal("ratings my.db --ranks points")
    command("tournament tictactoe -a random -a greedy --workers 1 -n 4 --store two.db")
    assert "--ranks: ranks are for more than two players" in refusal("ratings two.db --ranks score")


def test_of_many_endings_only_the_most_frequent_are_shown(capsys, command):
    command(f"{THREE} -n 12 --store my.db")
    result = gamelab.open_result("my.db")
    records = [replace(record, ending=f"reason {i}", forfeit=None) for i, record in enumerate(result.records)]
    print_games(replace(result, records=records))
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Endings: "))
    assert line.startswith("Endings: reason 0 (1), reason 1 (1)")
    assert line.endswith("reason 5 (1), and 6 others")
