"""`gamelab play`: a person against a bot, in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.cli.output import GameName, Parameters, PositionFile, Seed, load_game, read_state
from gamelab.cli.position import describe_analysis
from gamelab.core.errors import GamelabError, ParameterError

if TYPE_CHECKING:
    from gamelab.agents import Agent
    from gamelab.core.state import State

__all__ = ["Session", "register"]

SHOWN_IN_HINT = 5
HELP = """\
A move in the game's notation, or
  moves, ?   the legal moves          hint    what the bot thinks of your position
  undo       take back your last move board   the position again
  rules      the rules of the game    text    the position as text, for `gamelab analyse`
  resign     give up                  quit    leave"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    game: GameName,
    seat: Annotated[int, typer.Option("--as", min=0, help="Which player you are, from 0.")] = 0,
    against: Annotated[str, typer.Option("--against", metavar="SPEC", help="The bot.")] = "mcts:sims=2000",
    seed: Seed = 1,
    position: PositionFile = None,
    parameters: Parameters = None,
) -> None:
    """Play against a bot.

    For example: gamelab play netwerk --as 1 --against alphabeta:time=1
    """
    from gamelab.agents import make_agent

    loaded = load_game(game, parameters)
    if seat >= loaded.num_players:
        raise ParameterError(f"--as {seat}: {loaded.name} has players 0 to {loaded.num_players - 1}")
    if position == "-":
        raise ParameterError("--position -: standard input is for your moves; name a file")
    state = read_state(loaded, position)
    bot = make_agent(against)
    bot.warm_up(loaded)
    Session(state, bot, seat, seed).run()


class Session:
    """One game between a person, who types, and a bot.

    Parameters
    ----------
    state : State
        Where it begins.
    bot : Agent
        Plays all other seats.
    seat : int
        The person's.
    seed : int
        Of chance and of the bot.
    """

    def __init__(self, state: State, bot: Agent, seat: int, seed: int) -> None:
        from gamelab.core.seeds import stream

        self.state, self.bot, self.seat = state, bot, seat
        self._chance, self._bot_rng, self._hint_rng = (stream(seed, "play", use) for use in ("chance", "bot", "hint"))
        self._commands = {
            "moves": self._moves,
            "?": self._moves,
            "help": lambda: print(HELP),
            "hint": self._hint,
            "board": self._show,
            "rules": lambda: print(self.state.game.rules_text),
            "text": lambda: print(self.state.information_state_string(self.seat)),
            "undo": self._undo,
        }

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        name = self.state.game.player_names[self.seat]
        print(f"{self.state.game.title}: you are {name}, against {self.bot}. `help` tells what you can type.\n")
        self._show()
        while not self.state.is_terminal():
            if self.state.is_chance_node():
                self._apply(self.state.sample_chance(self._chance), "chance")
            elif self.state.current_player() != self.seat:
                self._bot_moves()
            elif not self._person_moves():
                return
        self._say_result()

    def _show(self) -> None:
        hidden = self.state.game.hidden_information
        print(self.state.information_state_string(self.seat) if hidden else self.state)

    def _apply(self, action: int, who: str) -> None:
        print(f"{who}: {self.state.action_to_string(action)}")
        self.state.apply_action(action)

    def _bot_moves(self) -> None:
        seat = self.state.current_player()
        view = self.state.resample_from_infostate(seat, self._bot_rng)
        action = self.bot.choose(view, self._bot_rng)
        self._apply(action, f"{self.state.game.player_names[seat]} ({self.bot})")
        print()
        self._show()

    def _person_moves(self) -> bool:
        """Ask until a move is played or taken back; False if the person leaves."""
        while True:
            line = _read(f"{self.state.game.player_names[self.seat]}> ")
            word = "quit" if line is None else line.strip().lower()
            if word == "quit":
                print("Left." if line is not None else "\nLeft.")
                return False
            if word == "resign":
                print("You resign.")
                self._print_moves()
                return False
            if word in self._commands:
                self._commands[word]()
                if word == "undo":
                    return True
            elif word and self._try_move(line or ""):
                return True

    def _try_move(self, text: str) -> bool:
        try:
            self.state.apply_action(self.state.string_to_action(text))
        except GamelabError as error:
            print(f"{str(error).split(' in ' + self.state.game.name)[0]}. `moves` lists the legal ones.")
            return False
        return True

    def _moves(self) -> None:
        print(self.state.game.explain_actions(self.state.array[0], self.state.legal_actions()))

    def _hint(self) -> None:
        view = self.state.resample_from_infostate(self.seat, self._hint_rng)
        try:
            analysis = self.bot.analyse(view, self._hint_rng)
        except GamelabError as error:
            print(f"The bot cannot say: {error}")
            return
        print(describe_analysis(view, analysis, SHOWN_IN_HINT))

    def _undo(self) -> None:
        """Back to the person's last decision."""
        past = self.state
        for plies in range(1, len(self.state.history()) + 1):
            past = self.state.before(plies)
            if past.current_player() == self.seat:
                self.state = past
                self.bot.new_game()
                break
        else:
            print("There is nothing to take back.")
            return
        self._show()

    def _say_result(self) -> None:
        value = self.state.returns()[self.seat]
        print("You win" if value > 0 else "You lose" if value < 0 else "Nobody wins", end="")
        print(f": {self.state.game.describe_end(self.state.array[0])}.")
        self._print_moves()

    def _print_moves(self) -> None:
        past = self.state.before(len(self.state.history()))
        names = []
        for action in self.state.history():
            names.append(past.action_to_string(action))
            past.apply_action(action)
        print("Moves: " + " ".join(names))


def _read(prompt: str) -> str | None:
    """A line of the person's, None at the end of the input."""
    try:
        if sys.stdin.isatty():
            import readline  # noqa: F401 - editing and history at the prompt

            return input(prompt)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        return None
    return line if line else None
