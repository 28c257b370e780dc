"""Stores: what is written comes back, what cannot be trusted is refused by name, and nothing finished is ever lost."""

import os
import shutil
import sqlite3
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.agents import BUILT_IN, Agent
from gamelab.arena import store as module
from gamelab.arena.match import GameRecord
from gamelab.arena.schedule import Pairing
from gamelab.arena.setup import Setup
from gamelab.arena.store import Store
from gamelab.arena.tournament import Tournament
from gamelab.core.errors import StoreError, TournamentError

REPEATABLE = settings(derandomize=True, deadline=None)
WEBS = Path(gamelab.__file__).parent / "games" / "spiderwars" / "webs"
SETUP = Setup("tictactoe", {}, ["random", "greedy"], 1, 0, None)
PAIRING = Pairing(0, 0, ("random", "greedy"), ("random", "greedy"))
RECORD = GameRecord(PAIRING, ("a1", "b2"), 1, (-1.0, 1.0), "forfeit: why", 0, (1, 0), (0.25, 0.5), (3, 0))


def tournament(games=8, agents=("random", "greedy"), seed=1, game="tictactoe", **options):
    return Tournament(game, agents, games, seed, **options)


def columns(path):
    with sqlite3.connect(path) as db:
        found = [(name, kind, needed) for _, name, kind, needed, *_ in db.execute("PRAGMA table_info(games)")]
    db.close()
    return found


def rows(path):
    """All columns of the games but the times."""
    with sqlite3.connect(path) as db:
        names = [column[1] for column in db.execute("PRAGMA table_info(games)") if column[1] != "seconds"]
        found = db.execute(f"SELECT {', '.join(names)} FROM games ORDER BY game_id").fetchall()
    db.close()
    return found


def change(path, statement, *values):
    with sqlite3.connect(path) as db:
        db.execute(statement, values)
    db.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.db"


@pytest.fixture
def played(path):
    """A store with all 8 games."""
    tournament(store=path).run()
    return path


# --- what is written comes back ---------------------------------------------------------------------------------------


specs = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@st.composite
def records(draw):
    game_id = draw(st.integers(0, 2**40))
    one, other = draw(st.lists(specs, min_size=2, max_size=2, unique=True))
    seats = (one, other) if game_id % 2 == 0 else (other, one)
    moves = tuple(draw(st.lists(specs, max_size=6)))
    movers = tuple(draw(st.lists(st.integers(0, 1), max_size=6)))
    forfeit = draw(st.sampled_from([None, 0, 1]))
    scores = st.none() if forfeit is not None else st.none() | st.tuples(st.floats(-1e9, 1e9), st.integers(-60, 60).map(float))
    return GameRecord(
        Pairing(game_id, draw(st.integers(0, 2**40)), seats, (one, other)),
        moves,
        draw(st.integers(0, len(moves))),
        draw(st.sampled_from([(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)])),
        draw(specs),
        forfeit,
        movers,
        tuple(draw(st.integers(0, 10**9)) / 10**6 for _ in movers),
        tuple(draw(st.integers(0, 2**62)) for _ in movers),
        draw(scores),
        draw(st.sampled_from([None, 0, 1])),
    )


@REPEATABLE
@given(st.lists(records(), max_size=5, unique_by=lambda record: record.pairing.game_id))
def test_games_come_back_as_they_were_in_the_order_of_the_schedule(games):
    with Store() as store:
        for record in games:
            store.add(record, 2**63 - 1, "versions")
        assert store.records() == sorted(games, key=lambda record: record.pairing.game_id)
        assert store.game_ids() == {record.pairing.game_id for record in games}


def test_a_game_that_is_there_stays_as_it_is():
    with Store() as store:
        store.add(RECORD, 1, "first")
        store.add(replace(RECORD, ending="another"), 1, "second")
        assert store.records() == [RECORD]
        assert store.versions() == ["first"]


def test_all_versions_that_played_are_named_once():
    with Store() as store:
        for game_id, version in enumerate(["b", "a", "b"]):
            store.add(replace(RECORD, pairing=replace(PAIRING, game_id=game_id)), 1, version)
        assert store.versions() == ["a", "b"]


def test_the_setup_comes_back(path):
    setup = replace(SETUP, parameters={"crowding": 1, "max_plies": 60}, seed=2**63 - 1, move_limit=0.25)
    with Store(path) as store:
        store.begin(setup, 10, {"random": "none", "greedy": "depth"})
    with Store(path, create=False) as store:
        assert store.setup() == setup
        assert store.planned_games() == 10
        assert store.budgets() == {"random": "none", "greedy": "depth"}


def test_a_store_can_be_read_while_it_is_written(path):
    seen = []
    tournament(store=path).run(progress=lambda done, total: seen.append(len(gamelab.open_result(path).records)))
    assert seen == list(range(9))


def test_a_closed_store_is_one_file(played):
    assert list(played.parent.iterdir()) == [played]


@pytest.mark.parametrize("text", [str, Path])
def test_a_store_is_named_by_a_text_or_a_path(path, text):
    assert tournament(store=text(path)).run().path == path
    assert len(gamelab.open_result(text(path)).records) == 8


def test_a_store_that_lacks_one_of_the_later_columns_is_continued(played):
    before = gamelab.open_result(played).records
    kept = ", ".join(name for name, *_ in columns(played) if name != "starter")
    change(played, f"CREATE TABLE fewer AS SELECT {kept} FROM games")
    change(played, "DROP TABLE games")
    change(played, "ALTER TABLE fewer RENAME TO games")
    assert gamelab.open_result(played).records == [replace(record, starter=None) for record in before]
    longer = tournament(10, store=played).run()
    assert [record.starter for record in longer.records] == [None] * 8 + [0] * 2


def test_a_store_of_an_earlier_version_is_read_and_continued(path, tmp_path):
    """Format 1 as it was before scores were kept and there was another; its games must be what is still played today."""
    with sqlite3.connect(path) as db:
        db.executescript((Path(__file__).parent / "data" / "two_players.sql").read_text())
    db.close()
    before = rows(path)
    assert len(gamelab.open_result(path).records) == 4  # reading changes nothing
    assert rows(path) == before
    tournament(4, store=tmp_path / "now.db", opening_plies=1).run()
    assert [row[:-3] for row in rows(tmp_path / "now.db")] == [row[:-1] for row in before]  # but versions, scores, starter
    longer = tournament(8, store=path, opening_plies=1).run()
    assert len(longer.records) == 8
    assert rows(path)[:4] == [(*row, None, None) for row in before]
    assert columns(path) == columns(tmp_path / "now.db")


# --- the same store, whoever plays ------------------------------------------------------------------------------------


def test_executors_write_the_same_store(tmp_path):
    agents = ["random", "greedy", "mcts:sims=30,memory=4"]
    tournament(18, agents, store=tmp_path / "alone.db", opening_plies=2).run()
    with ThreadPoolExecutor(1) as executor:
        tournament(18, agents, store=tmp_path / "thread.db", opening_plies=2).run(executor=executor)
    with ProcessPoolExecutor(2, get_context("fork")) as executor:
        tournament(18, agents, store=tmp_path / "processes.db", opening_plies=2).run(executor=executor)
        executor.submit(len, "").result()  # it is left open for its owner
    assert rows(tmp_path / "alone.db") == rows(tmp_path / "thread.db") == rows(tmp_path / "processes.db")


class Exclusive(Agent):
    """Raises if it is asked while it is thinking: an agent keeps what it learned, and is not for two games at once."""

    name = "exclusive"
    thinking = False

    def choose(self, state, rng):
        if self.thinking:
            raise RuntimeError("asked by two games at once")
        self.thinking = True
        time.sleep(0.002)
        self.thinking = False
        return state.legal_actions()[0]


def test_threads_share_no_agents(monkeypatch):
    monkeypatch.setitem(BUILT_IN, "exclusive", Exclusive)
    with ThreadPoolExecutor(4) as executor:
        result = tournament(24, ["random", "exclusive"]).run(executor=executor)
    assert result.forfeits() == []


def test_a_store_of_one_worker_goes_on_with_two(path, tmp_path):
    tournament(6, store=path).run()
    tournament(20, store=path).run(2)
    tournament(20, store=tmp_path / "at once.db").run()
    assert rows(path) == rows(tmp_path / "at once.db")


def test_progress_tells_what_is_done_and_what_is_to_do(played):
    told = []
    tournament(12, store=played).run(progress=lambda *counts: told.append(counts))
    assert told == [(done, 12) for done in range(8, 13)]


# --- what is finished stays -------------------------------------------------------------------------------------------


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_broken_off_goes_on(path, tmp_path, workers):
    def stop(done, total):
        if done == 7:
            raise Interrupted

    with pytest.raises(Interrupted):
        tournament(20, store=path).run(workers, progress=stop)
    assert len(rows(path)) == 7
    assert gamelab.open_result(path).planned_games == 20
    tournament(20, store=path).run(workers)
    tournament(20, store=tmp_path / "at once.db").run()
    assert rows(path) == rows(tmp_path / "at once.db")


def test_games_missing_in_the_middle_are_played(played):
    before = rows(played)
    change(played, "DELETE FROM games WHERE game_id IN (0, 3, 4)")
    tournament(store=played).run()
    assert rows(played) == before


def test_a_killed_worker_takes_no_finished_game_along(path, tmp_path, monkeypatch):
    spared = tmp_path / "spared"
    monkeypatch.setenv("KILLER_SPARED", str(spared))
    agents = ["random", "tests.arena.bots.Killer"]
    spared.touch()
    tournament(10, agents, store=path).run(2)
    finished = rows(path)
    spared.unlink()
    with pytest.raises(TournamentError, match=r"worker process died .*Killer.*; what was finished is stored, run again"):
        tournament(20, agents, store=path).run(2)
    assert rows(path)[:10] == finished
    spared.touch()
    tournament(20, agents, store=path).run(2)
    tournament(20, agents, store=tmp_path / "at once.db").run()
    assert rows(path) == rows(tmp_path / "at once.db")


def on_a_disk_of(monkeypatch, pages, beginning="INSERT"):
    """Let the store's disk be full after so many pages, from the first statement on that begins so."""

    class Small(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement.startswith(beginning):
                super().execute(f"PRAGMA max_page_count = {pages}")
            return super().execute(statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(module.sqlite3, "connect", lambda *args, **options: connect(*args, factory=Small, **options))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_stops_the_run_which_then_goes_on(path, tmp_path, monkeypatch, workers):
    with monkeypatch.context() as patch:
        on_a_disk_of(patch, 8)
        with pytest.raises(StoreError, match=r"t\.db.* full"):
            tournament(100, store=path).run(workers)
    kept = rows(path)
    assert 0 < len(kept) < 100
    tournament(100, store=path).run(workers)
    tournament(100, store=tmp_path / "at once.db").run()
    assert rows(path) == rows(tmp_path / "at once.db")
    assert set(kept) <= set(rows(path))


def test_a_disk_full_from_the_start_can_be_tried_again(path, monkeypatch):
    with monkeypatch.context() as patch:
        on_a_disk_of(patch, 1, "BEGIN")
        with pytest.raises(StoreError, match=r"t\.db"):
            tournament(store=path).run()
    assert len(tournament(store=path).run().records) == 8


def test_a_disk_full_at_the_setup_is_reported_as_such(path, monkeypatch):
    Store(path).close()
    on_a_disk_of(monkeypatch, 1, "INSERT OR REPLACE")
    with pytest.raises(StoreError, match=r"t\.db.* full"), Store(path) as store:
        store.begin(replace(SETUP, agents=["x" * 100_000, "y"]), 2, {})


# --- another tournament -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "netwerk"}, "game is 'tictactoe' there and 'netwerk' here"),
        ({"parameters": {"size": 4, "colour": "red"}}, "size is None there and 4 here"),
        ({"agents": ["random", "greedy", "mcts"]}, "agents: only here mcts"),
        ({"agents": ["mcts", "greedy", "pimc"]}, "agents: only there random and only here mcts, pimc"),
        ({"agents": ["greedy", "random"]}, "agents stand in another order, there random, greedy"),
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"opening_plies": 2}, "opening_plies is 0 there and 2 here"),
        ({"move_limit": 0.5}, "move_limit is None there and 0.5 here"),
    ],
)
def test_another_setup_is_refused_naming_only_what_differs(path, changed, message):
    setup = replace(SETUP, parameters={"colour": "red"})
    with Store(path) as store:
        store.begin(setup, 4, {})
        with pytest.raises(StoreError, match=rf"t\.db: holds another tournament: {message}$"):
            store.begin(replace(setup, **changed), 4, {})
        assert store.setup() == setup


def test_all_differences_are_named_at_once(path):
    with Store(path) as store:
        store.begin(SETUP, 4, {})
        with pytest.raises(StoreError, match="seed is .*; opening_plies is "):
            store.begin(replace(SETUP, seed=9, opening_plies=9), 4, {})


def test_another_parameter_of_the_game_is_refused(path):
    tournament(2, game="netwerk", store=path).run()
    with pytest.raises(StoreError, match=r"tournament: max_plies is 200 there and 60 here$"):
        tournament(2, game=gamelab.load("netwerk", max_plies=60), store=path).run()


def test_fewer_games_are_refused_and_more_are_not(path):
    with Store(path) as store:
        store.begin(SETUP, 4, {})
        with pytest.raises(StoreError, match=r"t\.db: holds a tournament of 4 games, more than the 2 asked for"):
            store.begin(SETUP, 2, {})
        assert store.planned_games() == 4
        store.begin(SETUP, 6, {})
        assert store.planned_games() == 6


# --- data files that parameters name ----------------------------------------------------------------------------------


@pytest.fixture
def web(tmp_path):
    """A web file of Spider Wars; the standard web is another one."""
    return str(shutil.copy(WEBS / "mini.toml", tmp_path / "my.toml"))


def on(web, games=2, **options):
    return tournament(games, game=gamelab.load("spiderwars", web=web, max_turns=20), **options)


def test_a_store_is_not_continued_by_other_rules(path, web):
    on(web, store=path).run()
    before = rows(path)
    shutil.copy(WEBS / "standard.toml", web)
    with pytest.raises(StoreError, match=r"t\.db: its games were played by other rules: web=.*my\.toml has changed since"):
        on(web, 4, store=path).run()
    assert rows(path) == before
    assert len(gamelab.open_result(path).records) == 2
    shutil.copy(WEBS / "mini.toml", web)
    assert len(on(web, 4, store=path).run().records) == 4


@pytest.mark.parametrize("damage", ['{"parameters": [1]}', '{"agents": [1, 2]}', '{"agents": 5}', '{"rules": "twice"}', "[]"])
def test_a_damaged_set_up_is_no_traceback(path, web, damage):
    on(web, store=path).run()
    statement = "UPDATE meta SET value = json_patch(value, ?) WHERE key = 'setup'"
    change(path, statement, damage)
    with pytest.raises(StoreError, match=r"t\.db: "):
        on(web, store=path).run()


def test_comments_in_a_data_file_are_no_rules(path, web):
    on(web, store=path).run()
    Path(web).write_text("# mine\n" + Path(web).read_text())
    assert len(on(web, 4, store=path).run().records) == 4


def test_a_store_from_before_fingerprints_takes_that_of_who_goes_on(path, web):
    on(web, store=path).run()
    change(path, "DELETE FROM meta WHERE key = 'rules'")
    assert len(gamelab.open_result(path).records) == 2
    assert len(on(web, 4, store=path).run().records) == 4
    shutil.copy(WEBS / "standard.toml", web)
    with pytest.raises(StoreError, match="other rules"):
        on(web, 6, store=path).run()


def test_what_comes_with_the_game_has_no_fingerprint(path):
    """Tables in the records may change with a version of gamelab, and that alone is no reason to refuse a store."""
    assert tournament(2, game="spiderwars", store=path).setup.rules is None
    assert tournament(2, game=gamelab.load("netwerk", crowding="first"), store=path).setup.rules is None


def test_workers_read_a_data_file_once(path, web, tmp_path):
    def lose_it(done, total):
        if done == 1:
            Path(web).unlink()

    there = on(web, 12, store=tmp_path / "alone.db").run()
    with ProcessPoolExecutor(1, get_context("fork")) as executor:
        assert on(web, 12, store=path).run(executor=executor, progress=lose_it).records
    assert [row[:-1] for row in rows(path)] == [row[:-1] for row in rows(there.path)]


def test_workers_see_that_a_data_file_has_changed(path, web):
    event = on(web, 4, store=path)
    shutil.copy(WEBS / "standard.toml", web)
    with pytest.raises(TournamentError, match=r"my\.toml.* a worker finds other rules: a data file has changed"):
        event.run(2)
    assert rows(path) == []


# --- what is no store -------------------------------------------------------------------------------------------------


def refused(path, message=""):
    with pytest.raises(StoreError, match=rf"{path.name}.*{message}"):
        gamelab.open_result(path)
    with pytest.raises(StoreError, match=rf"{path.name}.*{message}"):
        tournament(store=path).run()


def test_a_missing_file_is_not_made_by_reading(path):
    with pytest.raises(StoreError, match=r"t\.db: there is no such file"):
        gamelab.open_result(path)
    assert not path.exists()


def test_another_database_is_left_as_it_is(path):
    change(path, "CREATE TABLE shopping (item TEXT)")
    before = path.read_bytes()
    refused(path, "an SQLite file, but no store of a gamelab tournament")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("table", ["games", "meta"])
def test_a_database_with_a_table_of_the_same_name_is_no_store(path, table):
    change(path, f"CREATE TABLE {table} (item TEXT)")
    refused(path)


def test_a_text_is_left_as_it_is(path):
    path.write_text("a shopping list\n" * 100)
    refused(path, "not a database")
    assert path.read_text() == "a shopping list\n" * 100


def test_a_folder_is_no_store(path):
    path.mkdir()
    refused(path)


def test_a_missing_folder_is_not_made(tmp_path):
    refused(tmp_path / "nowhere" / "t.db")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder that nobody can write to")
def test_a_folder_that_cannot_be_written_to_is_refused():
    refused(Path("/proc/self/t.db"))


def test_an_empty_file_becomes_a_store(path):
    path.touch()
    assert len(tournament(store=path).run().records) == 8


def test_a_store_without_a_tournament_is_refused_for_reading(path):
    Store(path).close()
    with pytest.raises(StoreError, match=r"t\.db: holds no tournament"):
        gamelab.open_result(path)


@pytest.mark.parametrize("name", ["", ":memory:"])
def test_a_name_of_no_file_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        tournament(store=name).run()
    except StoreError:
        return
    assert [file.name for file in tmp_path.iterdir()] == [name]


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [50, 100, 4096, 6000])
def test_a_store_cut_short_is_refused(played, kept):
    played.write_bytes(played.read_bytes()[:kept])
    refused(played)


def test_a_store_overwritten_in_the_middle_is_refused(played):
    content = bytearray(played.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    played.write_bytes(content)
    refused(played)


@pytest.mark.parametrize("column", ["opponents", "moves", "returns", "movers", "seconds", "nodes", "scores"])
@pytest.mark.parametrize("value", ["[", "null", "7", ""])
def test_a_game_that_cannot_be_read_is_refused(played, column, value):
    change(played, f"UPDATE games SET {column} = ? WHERE game_id = 5", value)
    refused(played, "damaged store")


def test_a_game_that_is_no_text_is_refused(played):
    change(played, "UPDATE games SET moves = CAST(x'ff' AS TEXT) WHERE game_id = 5")
    refused(played)


@pytest.mark.parametrize("value", ["", "{", "[]", "3", "null x", '{"game": "tictactoe"}'])
def test_a_setup_that_cannot_be_read_is_refused(played, value):
    change(played, "UPDATE meta SET value = ? WHERE key = 'setup'", value)
    refused(played, "damaged store")


@pytest.mark.parametrize("value", ['"many"', "[8]", "{"])
def test_a_number_of_games_that_cannot_be_read_is_refused(played, value):
    change(played, "UPDATE meta SET value = ? WHERE key = 'games'", value)
    refused(played, "damaged store")


def test_a_store_of_a_later_format_is_refused(played):
    change(played, "UPDATE meta SET value = '3' WHERE key = 'format'")
    refused(played, "store format 3, this version reads 1 and 2")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("returns", "[]"),
        ("returns", '["a", "b"]'),
        ("first", "nobody"),
        ("movers", "[7]"),
        ("seconds", "[]"),
        ("starter", "2"),
        ("starter", "who"),
        ("scores", "[1.0]"),
        ("scores", "[1.0, NaN]"),
        ("scores", "[1.0, true]"),
        ("scores", "[1.0, 1e300]"),
        ("scores", f"[1{400 * '0'}, 1]"),
        ("scores", 100_000 * "["),
        ("scores", '["1", "2"]'),
        ("game_id", "99"),
    ],
)
def test_a_game_that_cannot_be_is_refused(played, column, value):
    change(played, f"UPDATE games SET {column} = ? WHERE game_id = 5", value)
    with pytest.raises(StoreError, match=r"t\.db.*damaged"):
        gamelab.open_result(played)
