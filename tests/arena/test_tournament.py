"""Tournaments: the same games on any number of workers, stores that go on, and agents that misbehave."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import gamelab
from gamelab.arena.schedule import round_robin
from gamelab.arena.store import Store
from gamelab.arena.tournament import Tournament

ROOT = Path(__file__).resolve().parents[2]
BOTS = ["random", "greedy", "mcts:sims=40"]


def play(agents=BOTS, games=12, seed=1, workers=1, game="tictactoe", executor=None, **options):
    return Tournament(game, agents, games, seed, **options).run(workers, executor=executor)


def rows(path):
    """All columns of the games but the times."""
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        games = [dict(row) for row in db.execute("SELECT * FROM games ORDER BY game_id")]
    for game in games:
        del game["seconds"]
    return games


# --- schedule ---------------------------------------------------------------------------------------------------------


def test_everybody_meets_everybody_in_both_seats():
    seats = [pairing.seats for pairing in round_robin("abcd", 24)]
    assert sorted(seats) == sorted((a, b) for a in "abcd" for b in "abcd" if a != b for _ in range(2))


def test_a_longer_schedule_begins_with_the_shorter_one():
    assert list(round_robin("abc", 40))[:14] == list(round_robin("abc", 14))


@pytest.mark.parametrize(
    ("agents", "games", "message"),
    [(["a"], 2, "two agents"), (["a", "b", "a"], 2, "twice: a"), (["a", "b"], 3, "even number"), (["a", "b"], 0, "even")],
)
def test_unfit_schedules_are_refused(agents, games, message):
    with pytest.raises(gamelab.GamelabError, match=message):
        list(round_robin(agents, games))


# --- the same games, however they are played --------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tictactoe", "netwerk"])
def test_any_number_of_workers_gives_the_same_store(tmp_path, game):
    for workers in (1, 2, 3):
        play(workers=workers, game=game, games=20, opening_plies=2, store=tmp_path / f"{workers}.db")
    assert rows(tmp_path / "1.db") == rows(tmp_path / "2.db") == rows(tmp_path / "3.db")


def test_an_executor_gives_the_same_games():
    with ThreadPoolExecutor(1) as executor:
        assert moves(play(executor=executor)) == moves(play())


def moves(result):
    return [record.moves for record in result.records]


def test_seeds_repeat_and_differ():
    assert moves(play(seed=3)) == moves(play(seed=3)) != moves(play(seed=4))


def test_the_games_of_a_pair_share_their_opening_with_seats_swapped():
    result = play(["random", "greedy"], games=20, opening_plies=3)
    for one, other in result._whole_pairs():
        assert one.moves[:3] == other.moves[:3]
        assert one.opening == other.opening == 3
        assert one.pairing.seats == other.pairing.seats[::-1]
    assert len({record.moves[:3] for record in result.records}) > 5


def test_openings_do_not_depend_on_what_agents_draw(monkeypatch):
    results = []
    for wasted in ("1", "50"):
        monkeypatch.setenv("DRAWER_WASTES", wasted)
        results.append(play(["random", "tests.arena.bots.Drawer"], games=10, opening_plies=4))
    few, many = results
    assert [m[:4] for m in moves(few)] == [m[:4] for m in moves(many)]
    assert moves(few) != moves(many)


# --- stores -----------------------------------------------------------------------------------------------------------


def test_a_store_goes_on_where_it_stopped(tmp_path):
    store = tmp_path / "t.db"
    play(games=12, store=store)
    longer = play(games=30, store=store)
    assert len(longer.records) == 30
    assert moves(longer) == moves(play(games=30))
    assert moves(gamelab.open_result(store)) == moves(longer)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"agents": ["random", "greedy"]}, "agents: only there mcts:sims=40$"),
        ({"opening_plies": 1}, "opening_plies is 0 there and 1 here"),
        ({"move_limit": 5}, "move_limit is None there and 5.0 here"),
        ({"game": "netwerk"}, "game is 'tictactoe' there and 'netwerk' here"),
        ({"games": 6}, "12 games, more than the 6"),
    ],
)
def test_a_store_of_another_tournament_is_refused(tmp_path, change, message):
    store = tmp_path / "t.db"
    play(store=store)
    before = rows(store)
    with pytest.raises(gamelab.GamelabError, match=message):
        play(store=store, **change)
    assert rows(store) == before


def test_a_run_that_is_killed_loses_and_doubles_nothing(tmp_path):
    store = tmp_path / "killed.db"
    code = (
        "import sys; from gamelab.arena.tournament import Tournament;"
        "Tournament('netwerk', ['random', 'mcts:sims=300'], 300, 7, store=sys.argv[1]).run(int(sys.argv[2]))"
    )
    for workers in ("1", "2"):
        process = subprocess.Popen([sys.executable, "-c", code, str(store), workers], cwd=ROOT, start_new_session=True)
        enough = 20 if workers == "1" else 60
        while process.poll() is None and (not store.exists() or _count(store) < enough):
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert enough <= _count(store) < 300
    agents = ["random", "mcts:sims=300"]
    result = play(agents, games=300, seed=7, game="netwerk", workers=2, store=store)
    assert [record.pairing.game_id for record in result.records] == list(range(300))
    assert moves(result) == moves(play(agents, games=300, seed=7, game="netwerk", workers=2))


def _count(path):
    try:
        with Store(path, create=False) as store:
            return len(store.game_ids())
    except gamelab.GamelabError:  # not made yet
        return 0


@pytest.mark.parametrize("kind", ["text", "database", "folder", "no folder", "damaged"])
def test_what_is_no_store_is_refused_by_name(tmp_path, kind):
    path = tmp_path / "x.db"
    if kind == "text":
        path.write_text("no database at all, but long enough to be read as one" * 20)
    elif kind == "database":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE shopping (item TEXT)")
    elif kind == "folder":
        path.mkdir()
    elif kind == "no folder":
        path = tmp_path / "nowhere" / "x.db"
    else:
        play(store=path)
        with sqlite3.connect(path) as db:
            db.execute("UPDATE games SET moves = '[' WHERE game_id = 3")
        with pytest.raises(gamelab.GamelabError, match="x.db.*damaged"):
            gamelab.open_result(path)
        return
    with pytest.raises(gamelab.GamelabError, match="x.db"):
        play(store=path)
    with pytest.raises(gamelab.GamelabError, match="x.db"):
        gamelab.open_result(path)


def test_a_full_disk_is_reported_and_finished_games_stay(tmp_path):
    store = tmp_path / "full.db"
    code = (
        "import sys, resource, signal; from gamelab.arena.tournament import Tournament;"
        "from gamelab.core.errors import StoreError;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "t = Tournament('tictactoe', ['random', 'greedy'], 4000, 1, store=sys.argv[1]);"
        "t.game.new_initial_state().legal_actions();"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000));\n"
        "try:\n    t.run()\nexcept StoreError as error:\n    print(error); sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(store)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    assert "full.db" in done.stdout
    kept = gamelab.open_result(store).records
    assert 0 < len(kept) < 4000


# --- agents that misbehave --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("bot", "reason", "move_limit"),
    [
        ("Raiser", "raised RuntimeError: out of ideas", None),
        ("Cheat", "illegal move", None),
        ("Nonsense", "illegal move: an action is a whole number, not None", None),
        ("Sleeper", "took longer than 0.2 s", 0.2),
    ],
)
def test_it_forfeits_and_the_tournament_goes_on(bot, reason, move_limit, workers):
    spec = f"tests.arena.bots.{bot}"
    games = 2 if bot == "Sleeper" else 8
    result = play(["random", spec], games=games, move_limit=move_limit, game="netwerk", workers=workers)
    assert len(result.records) == games
    for record in result.forfeits():
        assert record.pairing.seats[record.forfeit] == spec
        assert reason in record.ending
        assert record.returns[record.forfeit] == -1
        assert "\n" not in record.ending
    assert len(result.forfeits()) == games


def test_a_search_over_the_limit_is_stopped():
    started = time.perf_counter()
    result = play(["random", "mcts:time=30"], games=2, move_limit=0.3, game="netwerk")
    assert time.perf_counter() - started < 20
    assert len(result.forfeits()) == 2


def test_a_state_is_lent_not_given():
    result = play(["random", "tests.arena.bots.Vandal"], games=10)
    assert result.forfeits() == []


def test_a_killed_worker_is_reported_and_the_run_can_go_on(tmp_path, monkeypatch):
    store, spared = tmp_path / "t.db", tmp_path / "spared"
    monkeypatch.setenv("KILLER_SPARED", str(spared))
    agents = ["random", "greedy", "tests.arena.bots.Killer"]
    with pytest.raises(gamelab.GamelabError, match="worker process died"):
        play(agents, games=30, workers=2, store=store)
    spared.touch()
    assert len(play(agents, games=30, workers=2, store=store).records) == 30


def test_unfit_agents_are_refused_before_anything_is_written(tmp_path):
    for agents in (["random", "nobody"], ["random", "mcts:sims=0"], ["random", "random"], ["random"]):
        with pytest.raises(gamelab.GamelabError):
            play(agents, store=tmp_path / "t.db")
    assert list(tmp_path.iterdir()) == []


# --- results ----------------------------------------------------------------------------------------------------------


def test_the_tables_add_up():
    result = play(games=60)
    points, games = result.points()
    assert games.sum() == 2 * 60
    assert points.sum() == 60
    assert (games == games.T).all()
    frame = result.to_frame()
    assert len(frame) == 60
    mine = frame[(frame["first"] == "random") & (frame["second"] == "greedy")]
    theirs = frame[(frame["first"] == "greedy") & (frame["second"] == "random")]
    expected = ((mine["first_return"] + 1) / 2).sum() + ((1 - theirs["first_return"]) / 2).sum()
    assert points[0, 1] == expected
    assert result.crosstable().loc["random", "greedy"] == pytest.approx(expected / games[0, 1])
    assert sum(result.endings().values()) == 60


def test_ratings_order_and_json():
    result = play(games=60)
    ranked = [row["name"] for row in result.ratings().to_records()]
    assert ranked[-1] == "random"
    report = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert report["games"] == 60
    assert report["first_player_share"]["low"] <= report["first_player_share"]["value"]
    assert {"games", "mean", "median", "shortest", "longest"} == set(report["lengths"])


def test_bootstrap_intervals_need_a_seed_and_repeat():
    result = play(games=40)
    one, other = (result.ratings(bootstrap=50, seed=3) for _ in range(2))
    assert (one.low == other.low).all()
    assert one.method == "bootstrap"


def test_an_empty_tournament_has_no_ratings(tmp_path):
    with Store(tmp_path / "t.db") as store:
        store.begin(Tournament("tictactoe", BOTS, 6, 1).setup, 6, {})
    with pytest.raises(gamelab.GamelabError, match="no game was played"):
        gamelab.open_result(tmp_path / "t.db").ratings()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": 5}, "game is a name, or a game that gamelab.load made, not 5"),
        ({"agents": None}, "agents is a list of specs, not None"),
        ({"agents": "random"}, "agents is a list of specs, not 'random'"),
        ({"agents": ["random", None]}, "an agent's spec is a text such as mcts:sims=2000, not None"),
        ({"games": "2"}, "games: '2' is not an even number"),
        ({"seed": 1.0}, "seed: 1.0 is not a whole number"),
        ({"store": 5}, "5 is no name of a file to keep games in"),
    ],
)
def test_what_no_tournament_can_be_made_of(changed, message):
    setup = {"game": "tictactoe", "agents": ["random", "greedy"], "games": 2, "seed": 1, **changed}
    with pytest.raises(gamelab.GamelabError, match=re.escape(message)):
        Tournament(**setup).run()
