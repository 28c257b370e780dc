"""Agents that see what is hidden: only those that say so, and in tournaments only where that is wanted."""

import json

import numpy as np
import pytest

import gamelab
from gamelab.agents import Agent, make_agent, view_for
from gamelab.arena.match import play_game
from gamelab.arena.schedule import Pairing
from gamelab.cli import run

GAMES = 60


class Watcher(Agent):
    """Passes, and notes what it is shown."""

    name = "watcher"

    def __init__(self):
        super().__init__()
        self.cheats = True  # no good: the arena goes by the spec
        self.seen = []

    def view(self, state, player, rng):
        return state

    def choose(self, state, rng):
        self.seen.append(state.to_text())
        return state.legal_actions()[0]


def games_watched(spec):
    """What a first player with this spec saw at its first decision in each of many games, and what was true."""
    game, watcher = gamelab.load("kuhn"), Watcher()
    truth = []
    for number in range(GAMES):
        seats = (spec, "other")
        pairing = Pairing(2 * number, number, seats, seats)
        watcher.seen.clear()
        record = play_game(game, [watcher, Watcher()], pairing, seed=5)
        cards = " ".join(move.removeprefix("deal ") for move in record.moves[:2])
        truth.append((watcher.seen[0], cards))
    return truth


def test_an_agent_is_shown_its_own_card_and_a_guess_whatever_it_says_of_itself():
    watched = games_watched("watcher")
    assert all(seen[0] == true[0] for seen, true in watched)
    right = sum(seen == true for seen, true in watched)
    assert GAMES // 4 < right < 3 * GAMES // 4  # one of two cards


def test_an_agent_that_cheats_is_shown_the_truth():
    assert all(seen == true for seen, true in games_watched("cheat:watcher"))


def test_a_view_is_a_copy():
    state = gamelab.load("kuhn").state_from_text("0 2 p")
    for spec in ("mcts", "cheat:mcts"):
        view = view_for(spec, state, 1, np.random.default_rng(1))
        view.apply_action(0)
        assert state.to_text() == "0 2 p"


def test_a_spec_with_cheat_makes_an_agent_that_cheats():
    agent = make_agent(" cheat: mcts:sims=50")
    assert (agent.cheats, agent.spec, agent.name) == (True, "cheat:mcts:sims=50", "mcts")
    assert make_agent(agent.spec).cheats
    assert not make_agent("mcts:sims=50").cheats


@pytest.mark.parametrize("spec", ["cheat", "cheat:", "cheat:cheat:greedy", "cheat: cheat:greedy"])
def test_cheat_is_followed_by_an_agent(spec):
    with pytest.raises(gamelab.GamelabError, match="is followed by the spec of an agent"):
        make_agent(spec)


def test_the_agent_behind_cheat_is_checked():
    with pytest.raises(gamelab.GamelabError, match="no agent is called 'chess'"):
        make_agent("cheat:chess")


def test_tournaments_refuse_cheats_unless_they_are_asked_for():
    specs = ["cheat:mcts:sims=30", "mcts:sims=30"]
    for agents in (specs, [make_agent(spec) for spec in specs]):
        with pytest.raises(gamelab.GamelabError, match="cheat:mcts:sims=30 sees what is hidden.*allow_cheats"):
            gamelab.Tournament("kuhn", agents, games=2, seed=1)
    points, games = gamelab.Tournament("kuhn", [*specs, "random"], games=1200, seed=1, allow_cheats=True).run().points()
    # Who knows both cards never calls a better one and never folds to a worse one.
    assert points[0, 2] > points[1, 2] + 0.02 * games[0, 2]


def test_on_the_command_line(capsys, tmp_path):
    line = ["tournament", "kuhn", "-a", "cheat:greedy", "-a", "random", "-n", "4", "--workers", "1", "--json"]
    assert run([*line, "--store", str(tmp_path / "a.db")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "--allow-cheats" in told.err
    assert not list(tmp_path.iterdir())
    assert run([*line, "--store", str(tmp_path / "a.db"), "--allow-cheats"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"][0] == "cheat:greedy"


@pytest.mark.parametrize("spec", ["alphabeta:depth=2", "expectimax:depth=2"])
def test_search_that_takes_all_for_true_needs_to_cheat(spec):
    state = gamelab.load("kuhn").state_from_text("1 2 pb")
    with pytest.raises(gamelab.GamelabError, match=f"{spec}: .* plays games without hidden information; kuhn has some"):
        make_agent(spec).choose(state, 1)


def test_expectimax_that_cheats_folds_to_the_better_card_alone():
    agent, game = make_agent("cheat:expectimax:depth=4"), gamelab.load("kuhn")
    answers = {text: agent.choose(game.state_from_text(text), 1) for text in ("1 2 pb", "1 0 pb")}
    assert answers == {"1 2 pb": 0, "1 0 pb": 1}
