"""A person against a bot, with what the person types on standard input."""

import io
import re
import shlex
import sys

import pytest

import gamelab
from gamelab.cli import run
from gamelab.cli.play import Session
from gamelab.core.state import State
from gamelab.games.tictactoe import TicTacToe

AGAINST_RANDOM = "tictactoe --against random --seed 1"
FREE_MIDDLE = "x.x\n...\no.o\n"  # x moves and can win at b3, o at b1
CELLS = [column + row for row in "123" for column in "abc"]


@pytest.fixture
def play(capsys, monkeypatch, folder):
    """Plays with lines typed by the person; what was shown."""
    (folder / "free.txt").write_text(FREE_MIDDLE)

    def call(line, *typed, end="\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed) + (end if typed else "")))
        status = run(["play", *shlex.split(line)])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return call


def moves_of(out):
    """The line of all moves at the end of a game."""
    return next(line for line in out.splitlines() if line.startswith("Moves:")).split()[1:]


def answers(out, prompt="x> "):
    """What came after each prompt."""
    return out.split(prompt)[1:]


# --- what can be typed ------------------------------------------------------------------------------------------------


def test_the_start_says_who_plays_and_shows_the_board(play):
    out = play(AGAINST_RANDOM, "quit")
    assert out.startswith("Tic-tac-toe, seed 1: you are x, against random. `help` tells what you can type.\n\n3  . . .\n")
    assert out.endswith("x> Left.\n")


def test_help_names_everything_that_can_be_typed(play):
    told = answers(play(AGAINST_RANDOM, "help", "quit"))[0]
    assert all(word in told for word in ("moves", "hint", "undo", "belief", "board", "rules", "text", "resign", "quit"))


@pytest.mark.parametrize("word", ["moves", "?", "  MOVES  "])
def test_moves_explains_the_legal_ones(play, word):
    assert answers(play(AGAINST_RANDOM, word, "quit"))[0] == " ".join(CELLS) + "\n"
    assert "Place a stone: a2 b2 " in play("netwerk --against random", word, "quit")


def test_board_text_and_rules(play):
    out = play(AGAINST_RANDOM, "b2", "board", "text", "rules", "quit")
    state = gamelab.load("tictactoe").state_from_text(answers(out)[2])
    assert answers(out)[1] == f"{state}\n"
    assert answers(out)[3] == f"{state.game.rules_text}\n"


def test_hint_is_the_bots_view(play):
    hint = answers(play("tictactoe --against alphabeta:depth=3 --position free.txt", "hint", "quit"))[0]
    assert hint.startswith("Best for x: b3, wins in 1 ply\nExpected: b3\n  b3")
    lines = answers(play("netwerk --against mcts:sims=100", "hint", "quit"), "White> ")[0].splitlines()
    assert sum(line.endswith(" visits") for line in lines) == 5


def test_a_hint_changes_nothing_in_the_game(play):
    line = "netwerk --against mcts:sims=50 --seed 3"
    plain, hinted = play(line, "b2", "d2", "resign"), play(line, "hint", "b2", "hint", "d2", "resign")
    assert moves_of(plain) == moves_of(hinted)


def test_a_move_may_be_written_in_capitals_with_space_around(play):
    assert moves_of(play(AGAINST_RANDOM, "  B2 ", "resign"))[0] == "b2"


def test_an_empty_line_asks_again(play):
    assert answers(play(AGAINST_RANDOM, "", "   ", "quit")) == ["", "", "Left.\n"]


@pytest.mark.parametrize("typed", ["zz", "b4", "b2 c3", "-", "undo 2", "\x00", "é", pytest.param("x" * 10_000, id="long")])
def test_what_cannot_be_read_is_explained_in_one_line(play, typed):
    answer, last = answers(play(AGAINST_RANDOM, typed, "quit"))
    shown = typed if len(typed) <= 60 else "x" * 27 + " ... " + "x" * 27
    assert answer.startswith(f"{shown!r} is no move of tictactoe")
    assert answer.endswith("`moves` lists the legal ones.\n")
    assert answer.count("\n") == 1
    assert last == "Left.\n"


def test_an_illegal_move_is_explained_in_one_line(play):
    out = play(AGAINST_RANDOM, "b2", "b2", "resign")
    assert answers(out)[1] == "b2 is illegal here. `moves` lists the legal ones.\n"
    assert moves_of(out).count("b2") == 1


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_own_move_and_the_answer(play):
    out = play(AGAINST_RANDOM, "b2", "undo", "text", "a1", "resign")
    assert answers(out)[1].startswith("Taken back: b2 ")
    assert answers(out)[2] == "...\n...\n...\n"
    assert moves_of(out)[0] == "a1"


def test_undo_again_goes_further_back(play):
    assert moves_of(play("netwerk --against random", "b2", "d2", "undo", "undo", "undo", "resign")) == []


@pytest.mark.parametrize("options", ["", "--as 1", "--position free.txt"])
def test_undo_before_the_first_own_move_takes_nothing_back(play, options):
    assert "There is nothing to take back." in play(f"{AGAINST_RANDOM} {options}", "undo", "quit")


# --- how it ends ------------------------------------------------------------------------------------------------------


def test_resigning_shows_the_moves(play):
    assert "x> You resign.\nMoves: b2 " in play(AGAINST_RANDOM, "b2", "resign")


def test_the_end_of_the_input_leaves(play):
    assert play(AGAINST_RANDOM).endswith("x> \nLeft.\n")
    assert "o (random): " in play(AGAINST_RANDOM, "b2", end="")


@pytest.mark.parametrize(
    ("bot", "move", "ending"),
    [
        ("random", "b3", "You win: three in line.\nMoves: b3\n"),
        ("alphabeta:depth=2", "a2", "You lose: three in line.\nMoves: a2 b1\n"),
    ],
)
def test_a_game_won_and_a_game_lost(play, bot, move, ending):
    out = play(f"tictactoe --against {bot} --position free.txt", move)
    assert out.endswith(ending)
    # The last board is the whole story, whoever ended it.
    assert f"{'x' if bot == 'random' else 'o'} has won\n\nYou" in out


def test_a_game_drawn(play):
    squares = ["b2", "d2", "f2", "b4", "d4", "f4", "b6", "d6", "f6", "c7", "g3", "g5"]
    out = play("netwerk --against random -p max_plies=6 --seed 5", *squares)
    assert "Nobody wins: draw by max_plies." in out
    assert len(moves_of(out)) == 6


@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_game_to_its_end(play, seat):
    # Whatever is illegal by then is asked for again, so typing every cell ends every game.
    out = play(f"{AGAINST_RANDOM} --as {seat}", *CELLS)
    state = gamelab.load("tictactoe").new_initial_state()
    for move in moves_of(out):
        state.apply_action(state.string_to_action(move))
    assert {1: "You win", -1: "You lose", 0: "Nobody wins"}[state.returns()[seat]] in out


def test_a_position_that_is_over_ends_at_once(play, folder):
    (folder / "won.txt").write_text("xxx\noo.\n...")
    out = play(f"{AGAINST_RANDOM} --as 1 --position won.txt")
    assert "You lose: three in line." in out
    assert ">" not in out


def test_the_seed_settles_the_game(play):
    typed = ["b2", "d2", "f2", "b4", "resign"]
    first, again, other = (play(f"netwerk --against random --seed {seed}", *typed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_without_a_seed_each_game_is_another_and_its_seed_is_shown(play):
    outs = [play("hacktrick --against random", "resign") for _ in range(6)]
    deals = {" ".join(moves_of(out)[:18]) for out in outs}
    assert len(deals) > 1  # of six deals all alike there is none in a million
    shown = re.match(r"Hack Trick, seed ([0-9]+): you are player 0", outs[0])
    assert play(f"hacktrick --against random --seed {shown[1]}", "resign") == outs[0]


# --- hidden information -----------------------------------------------------------------------------------------------


class Secretive(TicTacToe):
    """Tic-tac-toe of which one only knows how many marks there are, to see what a session gives away."""

    hidden_information = True

    def write_information(self, state, player):
        return f"player {player} knows"


def test_with_hidden_information_nobody_sees_more_than_they_know(monkeypatch, capsys):
    views = []

    def resample(state, player, rng):
        views.append(player)
        return State(state.game, state.array.copy())

    monkeypatch.setattr(State, "resample_from_infostate", resample)
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\nhint\ntext\nundo\nquit\n"))
    Session(Secretive().new_initial_state(), gamelab.make_agent("greedy"), seat=0, seed=1, undo=True).run()
    out = capsys.readouterr().out
    assert views == [1, 0]  # the bot's, and the one for the hint
    assert re.search(r"o \(greedy\): [abc][13]\n\nplayer 0 knows\n", out)  # what a player does is seen by all
    assert "to move" not in out  # no board
    assert "Taken back" not in out


@pytest.mark.parametrize(("option", "undone"), [("", False), ("--undo", True)])
def test_what_was_seen_is_not_taken_back(play, option, undone):
    """A card of the player's own, drawn after the decision, is known from then on."""
    out = play(f"kuhn --against random --seed 3 {option}", "undo", "pass", "undo", "quit")
    assert ("--undo allows it" in out) != undone
    assert ("There is nothing to take back." in out) == undone  # the first one; nothing was decided yet


def test_the_bot_can_play_the_game_whoever_it_is(play):
    assert "against ismcts:sims=2000." in play("kuhn", "quit")
    assert "against mcts:sims=2000." in play("tictactoe", "quit")


def test_a_person_sees_the_own_card_and_what_the_others_may_be(play):
    out = play("kuhn --against random --seed 3", "belief", "bet")
    assert "Chance: deal 1\nChance: a card for player 1\n1 ?\n" in out
    assert answers(out, "player 0> ")[0] == " 50.00 %  0\n 50.00 %  2\n"
    assert "player 1 (random): bet\n\n1 0 bb\n" in out  # a showdown


def test_where_nothing_is_hidden_there_is_no_belief(play):
    assert answers(play(AGAINST_RANDOM, "belief", "quit"))[0] == "tictactoe hides nothing.\n"


def test_the_bot_that_cheats_sees_the_truth_and_its_adviser_does_not(monkeypatch, capsys):
    resampled = []
    real = State.resample_from_infostate
    monkeypatch.setattr(State, "resample_from_infostate", lambda *args: resampled.append(args[1]) or real(*args))
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\nbet\n"))
    state = gamelab.load("kuhn").state_from_text("1 2")
    Session(state, gamelab.make_agent("cheat:mcts:sims=20"), seat=0, seed=1).run()
    assert resampled == [0]  # for the hint
    assert "player 1 (cheat:mcts:sims=20): bet" in capsys.readouterr().out  # it has the king
