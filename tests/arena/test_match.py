"""One game: it can be replayed, its random choices come from streams of their own, and no agent can spoil it."""

import json
import math
import re
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamelab
from gamelab.agents import Agent, make_agent
from gamelab.arena import match
from gamelab.arena.match import play_game
from gamelab.arena.schedule import Pairing
from gamelab.core.errors import GamelabError
from gamelab.games import load

REPEATABLE = settings(derandomize=True, deadline=None)
GAMES = {name: load(name) for name in ("tictactoe", "netwerk")}
SEATS = ("one", "other")


class Bot(Agent):
    """Chooses as the function it is given does."""

    name = "bot"

    def __init__(self, function):
        super().__init__()
        self.function = function

    def choose(self, state, rng):
        return self.function(state, rng)


def uniform(state, rng):
    return int(rng.choice(state.legal_actions()))


def first_legal(state, rng):
    return state.legal_actions()[0]


def raiser(error):
    def choose(state, rng):
        raise error

    return choose


def play(one=uniform, other=uniform, *, game="tictactoe", seed=1, swapped=False, round_=0, **options):
    agents = [agent if isinstance(agent, Agent) else Bot(agent) for agent in (one, other)]
    pairing = Pairing(2 * round_ + swapped, round_, SEATS[::-1] if swapped else SEATS, SEATS)
    return play_game(GAMES[game], agents, pairing, seed=seed, **options)


def replayed(record, game):
    """The states of a game, the last one included."""
    states = [GAMES[game].new_initial_state()]
    for move in record.moves:
        state = states[-1]
        states.append(state.child(state.string_to_action(move)))
    return states


# --- scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters", "sign", "told"),
    [
        ("kreuzquer", {"players": 3}, -1, "minus points"),
        ("kreuzquer", {"players": 1}, -1, "minus points"),
        ("web", {"players": 2}, 1, "scores"),
        ("hacktrick", {"match": True}, 1, "match"),
    ],
)
def test_scores_are_what_the_ending_tells(name, parameters, sign, told):
    game = load(name, **parameters)
    seats = tuple(f"bot {seat}" for seat in range(game.num_players))
    record = play_game(game, [Bot(uniform) for _ in seats], Pairing(0, 0, seats, seats), seed=5)
    numbers = re.findall(r"\d+" if told == "match" else r"-?\d+", record.ending.partition(f"{told} ")[2])
    assert record.scores == tuple(sign * float(number) for number in numbers)
    assert len(record.scores) == len(seats)


def test_scores_that_cannot_be_are_the_games_fault_and_nothing_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(type(GAMES["tictactoe"]), "scores", lambda self, state: (math.nan, 0.0))
    with pytest.raises(GamelabError, match="tictactoe: Game.scores must be a tuple with a finite number for each player"):
        gamelab.Tournament("tictactoe", ["random", "greedy"], games=2, seed=1, store=tmp_path / "t.db").run()
    monkeypatch.undo()
    assert (
        len(gamelab.Tournament("tictactoe", ["random", "greedy"], games=2, seed=1, store=tmp_path / "t.db").run().records) == 2
    )


def test_there_are_no_scores_where_a_game_knows_none_or_was_forfeited():
    assert play().scores is None
    game = load("kreuzquer")
    record = play_game(game, [Bot(uniform), Bot(raiser(ValueError("no")))], Pairing(0, 0, SEATS, SEATS), seed=1)
    assert record.forfeit == 1
    assert record.scores is None


# --- who began --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "parameters", "starter"), [
    ("tictactoe", {}, 0), ("kreuzquer", {"players": 3}, 0), ("hacktrick", {"starter": 0}, 0), ("hacktrick", {"starter": 1}, 1),
])  # fmt: skip
@pytest.mark.parametrize("opening_plies", [0, 3])
def test_who_acted_first_is_kept(name, parameters, starter, opening_plies):
    game = load(name, **parameters)
    seats = tuple(f"bot {seat}" for seat in range(game.num_players))
    bots = [Bot(uniform) for _ in seats]
    assert play_game(game, bots, Pairing(0, 0, seats, seats), seed=5, opening_plies=opening_plies).starter == starter


def test_on_web_the_cards_say_who_begins_and_the_games_of_a_pair_begin_on_one_seat():
    game, starters = load("web"), []
    for round_ in range(6):
        pair = [Pairing(2 * round_ + swapped, round_, SEATS[::-1] if swapped else SEATS, SEATS) for swapped in (0, 1)]
        one, other = (play_game(game, [Bot(uniform), Bot(uniform)], pairing, seed=5) for pairing in pair)
        deal = game.new_initial_state()
        deal.apply_action(deal.string_to_action(one.moves[0]))
        assert one.starter == other.starter == deal.current_player() == one.movers[0]
        starters.append(one.starter)
    assert set(starters) == {0, 1}


def test_who_forfeits_at_once_may_have_been_about_to_begin():
    assert play(raiser(ValueError("no"))).starter == 0
    game = load("hacktrick", starter=1)
    record = play_game(game, [Bot(uniform), Bot(raiser(ValueError("no")))], Pairing(0, 0, SEATS, SEATS), seed=1)
    assert (record.forfeit, record.movers, record.starter) == (1, (1,), 1)


# --- what is recorded -------------------------------------------------------------------------------------------------


@REPEATABLE
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**63 - 1), st.integers(0, 30))
def test_a_game_can_be_replayed_from_its_record(game, seed, opening_plies):
    record = play(game=game, seed=seed, opening_plies=opening_plies)
    states = replayed(record, game)
    assert states[-1].is_terminal()
    assert not any(state.is_terminal() for state in states[:-1])
    assert record.returns == tuple(states[-1].returns())
    assert record.ending == GAMES[game].describe_end(states[-1].array[0])
    assert record.forfeit is None
    assert record.plies == len(record.moves)
    assert record.movers == tuple(state.current_player() for state in states[record.opening : -1])
    assert len(record.movers) == len(record.seconds) == len(record.nodes)


def test_nodes_and_seconds_are_those_of_the_agent():
    counting = Bot(None)

    def count(state, rng):
        counting.last_nodes += 1
        time.sleep(0.002)
        return uniform(state, rng)

    counting.function = count
    record = play(counting, uniform)
    mine = [i for i, seat in enumerate(record.movers) if seat == 0]
    assert [record.nodes[i] for i in mine] == list(range(1, len(mine) + 1))
    assert all(record.seconds[i] >= 0.002 for i in mine)
    assert all(seconds >= 0 for seconds in record.seconds)


def test_both_agents_are_made_to_forget_before_the_game():
    events = []
    agents = [Bot(lambda state, rng: (events.append("choose"), uniform(state, rng))[1]) for _ in SEATS]
    for seat, agent in enumerate(agents):
        agent.new_game = lambda seat=seat: events.append(f"new game {seat}")
    play(*agents)
    assert events[:2] == ["new game 0", "new game 1"]
    assert set(events[2:]) == {"choose"}


def test_an_agent_sees_the_position_and_the_moves_that_led_to_it():
    seen = []
    record = play(lambda state, rng: (seen.append(state), first_legal(state, rng))[1], game="netwerk", opening_plies=3)
    before = [state for state in replayed(record, "netwerk")[3:-1] if state.current_player() == 0]
    assert seen == before
    assert [state.history() for state in seen] == [state.history() for state in before]


def test_numpy_integers_are_actions():
    record = play(lambda state, rng: np.int32(state.legal_actions()[0]))
    assert record.forfeit is None


# --- openings and streams ---------------------------------------------------------------------------------------------


def test_an_opening_has_as_many_plies_as_asked_for():
    assert [play(game="netwerk", opening_plies=plies).opening for plies in (0, 1, 5)] == [0, 1, 5]


@REPEATABLE
@given(st.integers(0, 10_000))
def test_an_opening_never_ends_the_game(seed):
    record = play(seed=seed, opening_plies=10_000)
    assert 5 <= record.opening + 1 <= 9
    assert len(record.movers) >= 1


def test_openings_try_all_first_moves():
    firsts = [play(round_=round_, opening_plies=1).moves[0] for round_ in range(300)]
    counts = [firsts.count(move) for move in set(firsts)]
    assert len(counts) == 9
    assert min(counts) > 10  # 300 / 9 are expected


def test_the_games_of_a_pair_share_their_opening():
    one, other = (play(game="netwerk", opening_plies=6, swapped=swapped) for swapped in (False, True))
    assert one.moves[:6] == other.moves[:6]
    assert one.moves[6:] != other.moves[6:]


def test_openings_differ_between_rounds_seeds_and_opponents():
    options = [{}, {"round_": 1}, {"seed": 2}]
    openings = {play(game="netwerk", opening_plies=6, **option).moves[:6] for option in options}
    others = Pairing(0, 0, ("one", "third"), ("one", "third"))
    third = play_game(GAMES["netwerk"], [Bot(uniform), Bot(uniform)], others, seed=1, opening_plies=6)
    assert len({*openings, third.moves[:6]}) == 4


def test_a_game_is_settled_by_pairing_and_seed():
    assert play(seed=5, opening_plies=2).moves == play(seed=5, opening_plies=2).moves


@REPEATABLE
@given(st.integers(0, 100), st.integers(0, 6))
def test_what_an_agent_draws_changes_neither_the_opening_nor_the_other_stream(wasted, opening_plies):
    def game(waste):
        drawn = []

        def waster(state, rng):
            rng.random(waste)
            return first_legal(state, rng)

        def watcher(state, rng):
            drawn.append(rng.random())
            return first_legal(state, rng)

        return play(waster, watcher, opening_plies=opening_plies).moves, drawn

    assert game(0) == game(wasted)


def test_the_seats_draw_from_different_streams():
    draws = {0: [], 1: []}

    def watcher(state, rng):
        draws[state.current_player()].append(rng.random())
        return first_legal(state, rng)

    play(watcher, watcher)
    assert not set(draws[0]) & set(draws[1])


# --- agents that misbehave --------------------------------------------------------------------------------------------


def check_forfeit(record, seat, reason):
    assert record.forfeit == seat
    assert record.returns == ((-1.0, 1.0) if seat == 0 else (1.0, -1.0))
    assert record.ending.startswith("forfeit: bot ")
    assert reason in record.ending
    assert "\n" not in record.ending
    assert record.movers[-1] == seat
    assert len(record.movers) == len(record.moves) - record.opening + 1


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("move_limit", [None, 60])
def test_who_raises_forfeits_with_the_reason_in_one_line(seat, move_limit):
    bots = [uniform, uniform]
    bots[seat] = raiser(ZeroDivisionError("not\n  like   this"))
    record = play(*bots, opening_plies=2, move_limit=move_limit)
    check_forfeit(record, seat, "raised ZeroDivisionError: not like this")


@pytest.mark.parametrize("error", [gamelab.GamelabError("mine"), RecursionError(), MemoryError(), StopIteration()])
def test_any_exception_is_a_forfeit(error):
    check_forfeit(play(raiser(error)), 0, f"raised {type(error).__name__}")


@pytest.mark.parametrize("action", [-1, 9, 10**9, -(10**30), np.int64(77)])
def test_an_action_that_does_not_exist_is_a_forfeit(action):
    check_forfeit(play(lambda state, rng: action), 0, "played an illegal move")


def test_an_action_that_was_legal_once_is_a_forfeit():
    record = play(lambda state, rng: 4)
    check_forfeit(record, 0, "played an illegal move")
    assert record.moves[0] == "b2"


@pytest.mark.parametrize("answer", [None, 4.0, True, False, "4", "b2", [4], float("nan"), np.float64(4), np.True_])
def test_nonsense_is_a_forfeit(answer):
    check_forfeit(play(lambda state, rng: answer), 0, "an action is a whole number")


def test_a_forfeit_late_in_the_game_keeps_the_moves_before_it():
    def tires(state, rng):
        if len(state.history()) >= 4:
            raise RuntimeError("tired")
        return first_legal(state, rng)

    assert len(play(tires).moves) == 4


def test_an_agent_can_do_nothing_to_the_state():
    def vandal(state, rng):
        action = uniform(state, rng)
        state.apply_action(action)
        state.array.view(np.uint8)[:] = 255
        state._history[:] = [1, 2, 3]
        return action

    for game in GAMES:
        assert play(vandal, vandal, game=game).moves == play(uniform, uniform, game=game).moves


def test_the_keyboard_still_interrupts():
    with pytest.raises(KeyboardInterrupt):
        play(raiser(KeyboardInterrupt()))


def test_an_agent_that_exits_forfeits():
    check_forfeit(play(raiser(SystemExit(3))), 0, "raised SystemExit")


def test_an_agent_that_exits_under_a_limit_forfeits_for_that():
    check_forfeit(play(raiser(SystemExit(3)), move_limit=60), 0, "raised SystemExit")


def test_an_error_that_cannot_be_printed_is_a_forfeit():
    class Unprintable(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    check_forfeit(play(raiser(Unprintable())), 0, "raised Unprintable")


def test_an_enormous_action_is_a_forfeit():
    check_forfeit(play(lambda state, rng: 10**5000), 0, "illegal move")


def test_nonsense_of_several_lines_has_a_reason_of_one():
    check_forfeit(play(lambda state, rng: np.zeros((3, 1))), 0, "an action is a whole number")


def test_nodes_can_be_numpy_integers():
    bot = Bot(uniform)
    bot.last_nodes = np.int64(3)
    json.dumps(play(bot).nodes)


# --- the hard limit ---------------------------------------------------------------------------------------------------


def test_a_limit_that_is_kept_changes_nothing():
    free, limited = (play(make_agent("mcts:sims=50,memory=4"), move_limit=limit) for limit in (None, 60))
    assert free.moves == limited.moves
    assert limited.forfeit is None


def test_who_overruns_the_limit_forfeits_though_it_never_lets_go(monkeypatch):
    monkeypatch.setattr(match, "GRACE_SECONDS", 0.05)
    released = threading.Event()

    def dreamer(state, rng):
        while not released.wait(0.01):
            pass
        return first_legal(state, rng)

    started = time.perf_counter()
    try:
        record = play(uniform, dreamer, move_limit=0.1)
    finally:
        released.set()
    assert time.perf_counter() - started < 5
    check_forfeit(record, 1, "took longer than 0.1 s for a move")
    assert record.seconds[-1] >= 0.1


def test_a_busy_loop_overruns_the_limit_too(monkeypatch):
    monkeypatch.setattr(match, "GRACE_SECONDS", 0.05)
    end = time.monotonic() + 3

    def spinner(state, rng):
        while time.monotonic() < end:
            pass
        return first_legal(state, rng)

    record = play(spinner, move_limit=0.1)
    check_forfeit(record, 0, "took longer than 0.1 s")
    assert time.monotonic() < end


@pytest.mark.parametrize("spec", ["mcts:time=30,memory=16", "alphabeta:time=30,memory=4"])
def test_a_search_over_the_limit_forfeits_and_is_stopped(spec):
    agent = make_agent(spec)
    agent.warm_up(GAMES["netwerk"])
    record = play(agent, game="netwerk", move_limit=0.2)
    assert record.forfeit == 0
    assert record.ending == f"forfeit: {spec} took longer than 0.2 s for a move"
    assert not [thread for thread in threading.enumerate() if thread.name == f"gamelab {spec}"]


def test_a_limit_of_centuries_is_no_limit():
    assert play(move_limit=1e10).forfeit is None
