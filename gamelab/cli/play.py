"""`gamelab play`: a person against bots, in the terminal."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gamelab.cli.analyse import describe_analysis, moves_in_notation
from gamelab.cli.options import GameName, Parameters, PositionFile, load_game, read_state
from gamelab.cli.output import interruptible, prepare
from gamelab.core.errors import GamelabError, ParameterError, cut

if TYPE_CHECKING:
    from gamelab.agents import Agent
    from gamelab.core.state import State

__all__ = ["Session", "register"]

BOT, BOT_IN_THE_DARK = "mcts:sims=2000", "ismcts:sims=2000"
FRESH_SEEDS = 10**6  # enough to be surprised, few enough to type
SHOWN_IN_HINT = 5
HELP = """\
Type a move as `moves` lists them, or
  moves, ?  the legal moves             board   the position again
  hint      what the bot would play     text    the position, for --position, or what you know of it
  belief    what may be hidden          rules   the rules of the game
  undo      back to your last decision; where something is hidden, only after `gamelab play --undo`
  resign    give up                     quit    leave (also Ctrl-D)"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    game: GameName,
    seat: Annotated[int, typer.Option("--as", metavar="N", min=0, help="Which player you are; 0 begins.")] = 0,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="SPEC",
            help=f"The bot; `gamelab agents` lists them. Default: {BOT}; with hidden information {BOT_IN_THE_DARK}.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="S", min=0, max=2**63 - 1, help="Settles chance and the bot. Default: a new one, which is shown."
        ),
    ] = None,
    undo: Annotated[
        bool,
        typer.Option("--undo", help="Allow `undo` even where something is hidden: you keep what you have seen."),
    ] = False,
    position: PositionFile = None,
    parameters: Parameters = None,
) -> None:
    """Play against a bot in the terminal.

    \b
    For example:
      gamelab play netwerk
      gamelab play netwerk --as 1 --against alphabeta:time=1
      gamelab play netwerk -p crowding=first --position game.txt

    While you play, `help` lists what you can type.
    """  # noqa: D301 - click keeps the lines of a paragraph that begins with \b
    from gamelab.agents import make_agent, warm_up

    loaded = load_game(game, parameters)
    if seat >= loaded.num_players:
        raise ParameterError(f"--as {seat}: {loaded.name} has players 0 to {loaded.num_players - 1}")
    if position == "-":
        raise ParameterError("--position -: standard input is for your moves; name a file")
    state = read_state(loaded, position)
    bot = make_agent(against or (BOT_IN_THE_DARK if loaded.hidden_information else BOT))
    prepare(lambda: warm_up(bot, loaded))
    # It is shown, and with it the game can be played again.
    chosen = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
    Session(state, bot, seat, chosen, undo=undo).run()


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
    undo : bool
        Whether moves are taken back even where something is hidden. Whoever takes one back keeps what it brought to light: a
        card that was drawn or shown, or what the bot did with its own.
    """

    def __init__(self, state: State, bot: Agent, seat: int, seed: int, *, undo: bool = False) -> None:
        from gamelab.agents import make_agent
        from gamelab.core.seeds import stream

        self.state, self.bot, self.seat, self.seed = state, bot, seat, seed
        self._may_undo = undo or not state.game.hidden_information
        # Advice comes from another bot of the kind: it looks at the person's secrets, and it must not change the game.
        self._adviser = make_agent(bot.spec)
        self._bot_rng, self._hint_rng = stream(seed, "play", "bot"), stream(seed, "play", "hint")
        self._commands = {
            "moves": self._list_moves,
            "belief": self._tell_belief,
            "?": self._list_moves,
            "help": lambda: print(HELP),
            "hint": self._hint,
            "board": self._show,
            "rules": lambda: print(self.state.game.rules_text),
            "text": lambda: print(self.state.information_state_string(self.seat)),
        }

    @property
    def _me(self) -> str:
        return self.state.game.player_names[self.seat]

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        title = f"{self.state.game.title}, seed {self.seed}"
        print(f"{title}: you are {self._me}, against {self.bot}. `help` tells what you can type.\n")
        self._show()
        while not self.state.is_terminal():
            if self.state.is_chance_node():
                self._chance_moves()
            elif self.state.current_player() != self.seat:
                self._bot_moves()
            elif not self._person_moves():
                return
        self._say_result()

    def _show(self) -> None:
        hidden = self.state.game.hidden_information
        print(self.state.information_state_string(self.seat) if hidden else self.state)

    # --- the others ---------------------------------------------------------------------------------------------------

    def _chance_moves(self) -> None:
        from gamelab.core.seeds import stream

        # A stream for each ply: whoever takes a move back finds the same luck again.
        self._announce("Chance", self.state.sample_chance(stream(self.seed, "play", "chance", len(self.state.history()))))
        if self.state.current_player() == self.seat:
            self._show()

    def _bot_moves(self) -> None:
        from gamelab.agents import view_for

        player = self.state.current_player()
        view = view_for(self.bot.spec, self.state, player, self._bot_rng)
        action = interruptible(lambda: self.bot.choose(view, self._bot_rng), self.bot.stop)
        self._announce(f"{self.state.game.player_names[player]} ({self.bot})", action)
        print()
        self._show()

    def _announce(self, who: str, action: int) -> None:
        """Play another's action, and tell what the person sees of it."""
        print(f"{who}: {self.state.game.action_as_seen(self.state.array[0], action, self.seat)}")
        self.state.apply_action(action)

    # --- the person ---------------------------------------------------------------------------------------------------

    def _person_moves(self) -> bool:
        """Ask until a move is played or taken back; False if the person leaves."""
        while True:
            line = _read(f"{self._me}> ")
            word = "quit" if line is None else line.lower()
            if word == "quit":
                print("Left.")
                return False
            if word == "resign":
                print("You resign.")
                self._print_moves()
                return False
            if word == "undo":
                if self._undo():
                    return True
            elif word in self._commands:
                self._commands[word]()
            elif line and self._try_move(line):
                return True

    def _try_move(self, text: str) -> bool:
        try:
            action = self.state.string_to_action(text)
        except GamelabError as error:
            print(f"{error}. `moves` lists the legal ones.")
            return False
        if action not in self.state.legal_actions():
            print(f"{cut(text)} is illegal here. `moves` lists the legal ones.")
            return False
        self.state.apply_action(action)
        if self.state.is_terminal():
            self._show()
        return True

    def _list_moves(self) -> None:
        print(self.state.game.explain_actions(self.state.array[0], self.state.legal_actions()))

    def _tell_belief(self) -> None:
        try:
            print(self.state.game.describe_belief(self.state.array[0], self.seat))
        except GamelabError as error:
            print(f"{error}.")

    def _hint(self) -> None:
        # Not the adviser's own view: advice of a bot that cheats would tell secrets.
        view = self.state.resample_from_infostate(self.seat, self._hint_rng)
        try:
            analysis = interruptible(lambda: self._adviser.analyse(view, self._hint_rng), self._adviser.stop)
        except GamelabError as error:
            print(f"The bot cannot say: {error}")
            return
        print(describe_analysis(view, analysis, SHOWN_IN_HINT))

    def _undo(self) -> bool:
        """Back to the person's last decision, if there was one, and if it can be unknown what came of it."""
        if not self._may_undo:
            print("Nothing is taken back where something is hidden: you would keep what you have seen. --undo allows it.")
            return False
        played = self.state.history()
        for plies in range(1, len(played) + 1):
            past = self.state.before(plies)
            if past.current_player() == self.seat:
                self._take_back(past, played[-plies:])
                return True
        print("There is nothing to take back.")
        return False

    def _take_back(self, past: State, actions: list[int]) -> None:
        if not self.state.game.hidden_information:  # what chance or the bot did may be secret
            print("Taken back: " + " ".join(moves_in_notation(past, actions)) + "\n")
        self.state = past
        self.bot.new_game()
        self._show()

    # --- the end ------------------------------------------------------------------------------------------------------

    def _say_result(self) -> None:
        value = self.state.returns()[self.seat]
        outcome = "You win" if value > 0 else "You lose" if value < 0 else "Nobody wins"
        if self.state.game.num_players == 1:
            outcome = f"Your score is {value:g}"
        print(f"\n{outcome}: {self.state.game.describe_end(self.state.array[0])}.")
        self._print_moves()

    def _print_moves(self) -> None:
        played = self.state.history()
        print("Moves: " + " ".join(moves_in_notation(self.state.before(len(played)), played)))


def _read(prompt: str) -> str | None:
    """A line of the person's without the space around it, None at the end of the input."""
    try:
        if sys.stdin.isatty():
            import readline  # noqa: F401 - editing and history at the prompt

            return input(prompt).strip()
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        line = ""
    if not line:
        print()  # behind the prompt
        return None
    return line.strip()
