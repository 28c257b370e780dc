"""Kreuz & Quer as a `Game`: metadata, parameters, notation and pictures."""

from __future__ import annotations

from typing import Any

from gamelab.core.datafiles import full_path
from gamelab.core.errors import ParameterError, known_names, quoted
from gamelab.core.game import Game, Parameter
from gamelab.games.kreuzquer import evaluation as _evaluation  # noqa: F401 - binds rules.evaluate
from gamelab.games.kreuzquer import rules, text
from gamelab.games.kreuzquer.board import draw_boards
from gamelab.games.kreuzquer.datafiles import built_in, read_boards, read_tiles
from gamelab.games.kreuzquer.drawing import draw_svg

__all__ = ["KreuzQuer"]

MATCHING = ("strict", "own")


class KreuzQuer(Game):
    """Kreuz & Quer for one to four players, with chance, nothing hidden. See `gamelab.games.kreuzquer.rules`.

    Attributes
    ----------
    tiles : TileSet
    boards : Boards
    """

    name = "kreuzquer"
    title = "Kreuz & Quer"
    dtype = rules.DTYPE
    chance_mode = "enumerated"
    num_distinct_actions = rules.NUM_ACTIONS
    max_legal_actions = rules.MAX_LEGAL_ACTIONS
    parameter_specs = {  # noqa: RUF012
        "players": Parameter(2, "number of players", low=1, high=rules.MAX_PLAYERS),
        "tiles": Parameter("standard", "the tiles: standard, or the path of a file of tiles"),
        "boards": Parameter("standard", "the boards: standard, or the path of a file of boards"),
        "board_of_seat": Parameter("ABCD", "the letters of the players' boards, in order of seats; more are not looked at"),
        "matching": Parameter("strict", "what may lie at a pipe: only that pipe, or (own) no pipe too", choices=MATCHING),
    }
    rules_text = """\
Kreuz & Quer (after the rule text 003_c511304264d22cbe.txt, German, which does not name the game)

Each player has a board of 5x5 cells, a1 to e5, and the same 28 square tiles; on each side of a tile ends a wide pipe, a narrow
one, or none, and all pipes of a tile meet in its middle. A crossing is printed on c3: narrow to north and south, wide to east
and west. Around the board are 16 outlets worth 1 to 3, four a side; the middle of each side is blank.

There are 24 rounds. A tile is drawn, `tile 7`, and everybody puts that tile on a free cell of the own board, turned as they
like: `c4 wn-n` is the cell and the sides as they lie, north east south west. At least one of its pipes must continue a pipe of
the same width that lies there. Where two tiles touch, wide must lie at wide, narrow at narrow, and none at none (matching=own:
the new tile may have no pipe where the neighbour has one). Towards the blank middle of the border there may be no pipe; an
outlet takes either, or none. Who cannot or does not want to do that puts the tile face down on any free cell, `c4 x`; towards
it anything goes. What lies, lies.

At the end all outlets that no pipe reaches count their value in minus points, and each tile face down counts one. Fewest minus
points win; who ties for it shares the win. A lone player tries to get as few as possible: the result is minus the minus points.

The pictures of the tiles and the boards are missing from the text; those used here are reconstructions. tiles=FILE and
boards=FILE read others, see gamelab/games/kreuzquer/datafiles.py; board_of_seat says who has which board.
"""

    def __init__(self, /, **parameters: object) -> None:
        super().__init__(**parameters)
        for kind in ("tiles", "boards"):
            which = str(self._parameters[kind])
            if which not in built_in(kind):
                self._parameters[kind] = full_path(f"kreuzquer, {kind}", which)
        self.num_players = int(self._parameters["players"])
        self.player_names = tuple(f"player {player}" for player in range(self.num_players))
        self.tiles = read_tiles(str(self._parameters["tiles"]))
        self.boards = read_boards(str(self._parameters["boards"]))
        self.max_chance_outcomes = len(self.tiles.sides)
        self._outlets = self._outlets_of_seats()
        self._takers = self.tiles.takers(strict=self._parameters["matching"] == "strict")

    def _outlets_of_seats(self) -> list[tuple[int, ...]]:
        """The outlets of each player's board."""
        letters, known = str(self._parameters["board_of_seat"]), self.boards.outlets
        wrong = f"kreuzquer, board_of_seat: {quoted(letters)}"
        for letter in letters[: self.num_players]:
            if letter not in known:
                boards = f"the boards {self.boards.name}; known: {known_names(known)}"
                raise ParameterError(f"{wrong}: no board {quoted(letter)} among {boards}")
        if len(letters) < self.num_players:
            raise ParameterError(f"{wrong} has fewer letters than players, {self.num_players}")
        return [known[letter] for letter in letters[: self.num_players]]

    def write_parameters(self, state: Any) -> None:
        state["players"], state["kinds"] = self.num_players, len(self.tiles.sides)
        state["strict"] = self._parameters["matching"] == "strict"
        for player, values in enumerate(self._outlets):
            state["outlets"][player, : len(values)] = values
        first = 0
        for kind, (lays, copies) in enumerate(zip(self.tiles.lays, self.tiles.copies, strict=True)):
            state["turns"][kind], state["lay_of"][kind, : len(lays)] = len(lays), lays
            state["tiles_of"][kind] = self.tiles.bits[kind]
            state["kind_of"][first : first + copies] = kind
            first += copies
        state["takers"] = self._takers

    def action_to_string(self, state: Any, action: int) -> str:
        return text.action_to_string(action)

    def string_to_action(self, state: Any, text_of_action: str) -> int:
        return text.string_to_action(self.tiles, text_of_action)

    def write_text(self, state: Any) -> str:
        return text.write_position(self.tiles, state)

    def read_text(self, text_of_position: str, state: Any) -> None:
        text.read_position(self.tiles, text_of_position, state)

    def draw_text(self, state: Any) -> str:
        return draw_boards(self.tiles, state)

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        return draw_svg(self.tiles, state, last_action)

    def scores(self, state: Any) -> tuple[float, ...]:
        """The minus points, negative."""
        return tuple(-float(minus) for minus in state["minus"][: self.num_players])

    def describe_end(self, state: Any) -> str:
        return f"all tiles placed; {text.status(state)}" if state["round"] == rules.ROUNDS else "not over"
