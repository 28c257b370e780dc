"""Other libraries at the same work. Those parts that need them are skipped where they are not installed."""

import sys

import pytest

import gamelab
from gamelab.analysis.peers import OpenSpielSearch, PeerError, PgxGames, compare_with_openspiel
from gamelab.cli import run

PEERS = [
    pytest.param(lambda game: OpenSpielSearch(game, 10, solver=False), "pyspiel", "pip install open_spiel", id="openspiel"),
    pytest.param(lambda game: PgxGames(game, 1, 1), "jax", "pip install pgx", id="pgx"),
]


@pytest.mark.parametrize(("make", "module", "advice"), PEERS)
def test_a_missing_peer_says_how_to_get_it(make, module, advice, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PeerError, match=advice):
        make(gamelab.load("tictactoe"))


@pytest.mark.parametrize("game", [gamelab.load("netwerk"), gamelab.load("connectfour", rows=5)], ids=repr)
def test_only_the_same_game_is_compared(game):
    with pytest.raises(PeerError, match="connectfour, tictactoe with default parameters"):
        compare_with_openspiel(game, 0.01)


def test_bench_goes_on_without_peers(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert run(["bench", "tictactoe", "--seconds", "0.01", "--peers"]) == 0
    out, err = capsys.readouterr()
    assert "random games" in out
    assert err == "gamelab: OpenSpiel is not installed: pip install open_spiel\n"


def test_openspiel_searches_the_same_game():
    pytest.importorskip("pyspiel")
    root = OpenSpielSearch(gamelab.load("connectfour"), 500, solver=True).run()
    assert root.explore_count == 500
    assert sorted(child.action for child in root.children) == list(range(7))
    rate, ratio = compare_with_openspiel(gamelab.load("connectfour"), 0.01)
    assert rate.unit == "simulations/s"
    assert 0 < ratio.low <= ratio.median <= ratio.high


@pytest.mark.filterwarnings("ignore")  # jax's own
def test_pgx_plays_whole_random_games():
    pytest.importorskip("pgx")
    games = PgxGames(gamelab.load("tictactoe"), batch=64, steps=200)
    # 5 to 9 plies; 7.626 on average if all actions are equally likely, as counting all orders of play gives.
    assert games.plies / games.run() == pytest.approx(7.626, abs=0.15)
