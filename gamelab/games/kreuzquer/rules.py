"""The rules of Kreuz & Quer as compiled functions.

Each player has a board of 5x5 cells with a crossing printed on the middle one, and the same 28 square tiles, on whose sides
wide and narrow pipes end. In each of 24 rounds a tile is drawn, one for all, and every player puts it on a free cell of the own
board. Face up it must continue a pipe that lies there, wide at wide or narrow at narrow, and no pipe may run into a side
without one; the blank middle of a border is such a side, an outlet takes either pipe or none. Face down a tile may go on any
free cell. At the end each outlet that no pipe reaches counts its value, and each tile face down one minus point; fewest win.

Source: rule text 003_c511304264d22cbe.txt (German; a game description that does not name the game). Where the text is silent:

- seats place in turn, which changes nothing, for no board has to do with another; the text has all place at the same time;
- a side without a pipe may not lie at a neighbour's pipe either (`matching` "strict"); the text forbids only that a tile's own
  pipe runs into an empty side (`matching` "own");
- the middle cell counts as a tile that lies: the first tiles are laid beside it;
- a tile face down is neither a neighbour to be laid at nor in anybody's way; the choice to lay face down is free, as the text
  says, even if the tile would fit;
- an outlet at a tile face down is not reached;
- players who tie with the fewest minus points share the win;
- whoever looks on knows which kinds are left, those that lie face down included: everyone has seen them drawn.

Actions, ascending as they are listed; lays and cells are numbered as in `geometry`:

    25 * lay + cell      put the tile on a cell so that it lies like that; lay 0 is face down
    2025 + kind          chance: a tile of that kind is drawn

So turns that look the same are one action. What a cell takes is kept side by side as bitboards of cells: `fits` has the cells
that a given pipe (or none) may show on a given side, `links` those where a neighbour shows that very pipe. The cells where a
lay is legal are four `fits` anded, four `links` ored.
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import lowest, lowest_bit, mix, nth, popcount, without_lowest
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype
from gamelab.games.kreuzquer.geometry import (
    ALL_CELLS,
    BLANK,
    CELLS,
    CROSSING,
    FACE_DOWN,
    LAYS,
    MIDDLE,
    NARROW,
    NEIGHBOUR,
    NONE,
    OUTLET_AT,
    OUTLETS,
    SIDES_OF,
    SURROUNDINGS,
    WIDE,
)
from gamelab.games.kreuzquer.pieces import MAX_TILES

__all__ = [
    "DRAW",
    "DTYPE",
    "EMPTY",
    "MAX_LEGAL_ACTIONS",
    "MAX_PLAYERS",
    "NO_TILE",
    "NUM_ACTIONS",
    "ROUNDS",
    "lay_tile",
    "places",
]

MAX_PLAYERS = 4
ROUNDS = CELLS - 1
DRAW = LAYS * CELLS  # DRAW + kind is the outcome of chance that draws the kind
NUM_ACTIONS = DRAW + MAX_TILES
MAX_LEGAL_ACTIONS = 5 * ROUNDS  # four turns and face down, on each cell
NO_TILE = -1
EMPTY = 255  # no tile on the cell
NOTHING, ONE = np.uint64(0), np.uint64(1)

DTYPE = state_dtype(
    [
        (("how each cell is covered: a lay, 0 face down, or EMPTY; for each player", "lays"), np.uint8, (MAX_PLAYERS, CELLS)),
        (("cells without a tile, for each player", "free"), np.uint32, (MAX_PLAYERS,)),
        (
            ("cells that may show no, a wide, a narrow pipe on a side: player, side, pipe", "fits"),
            np.uint32,
            (MAX_PLAYERS, 4, 3),
        ),
        (("cells at which a neighbour shows that pipe: player, side, pipe", "links"), np.uint32, (MAX_PLAYERS, 4, 3)),
        (("minus points if the game ended now, for each player", "minus"), np.uint8, (MAX_PLAYERS,)),
        (("exclusive or of hashes of all that lies", "hash"), np.uint64),
        (("tiles not drawn yet, a bit each; of equal tiles the lower bits go first", "left"), np.uint32),
        (("kind of the tile to be placed, or NO_TILE", "tile"), np.int8),
        (("player to place it", "seat"), np.uint8),
        (("rounds that are over", "round"), np.uint8),
        (("parameter: number of players", "players"), np.uint8),
        (("parameter: 1 if no pipe goes only to no pipe", "strict"), np.uint8),
        (("parameter: number of kinds", "kinds"), np.uint8),
        (("parameter: the tiles of a kind", "tiles_of"), np.uint32, (MAX_TILES,)),
        (("parameter: the kind of a tile", "kind_of"), np.uint8, (MAX_TILES,)),
        (("parameter: how many lays a kind has", "turns"), np.uint8, (MAX_TILES,)),
        (("parameter: the lays of a kind, ascending", "lay_of"), np.uint8, (MAX_TILES, 4)),
        (("parameter: the tiles that fit, for each surroundings of a cell", "takers"), np.uint32, (SURROUNDINGS,)),
        (
            ("parameter: value of each outlet, 0 where there is none, for each player", "outlets"),
            np.uint8,
            (MAX_PLAYERS, OUTLETS + 1),
        ),
    ],
    __file__,
)


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    for player in range(MAX_PLAYERS):
        clear_board(state, player)
    state["hash"] = NOTHING
    state["left"] = NOTHING
    for kind in range(state["kinds"]):
        state["left"] |= state["tiles_of"][kind]
    state["tile"] = NO_TILE
    state["seat"] = 0
    state["round"] = 0


@njit
def clear_board(state, player):  # type: ignore[no-untyped-def]
    """Nothing but the crossing lies on the player's board."""
    total = 0
    for outlet in range(OUTLETS):
        total += state["outlets"][player, outlet]
    state["minus"][player] = total
    state["free"][player] = ALL_CELLS
    for cell in range(CELLS):
        state["lays"][player, cell] = EMPTY
    for side in range(4):
        for pipe in range(3):
            state["links"][player, side, pipe] = 0
            state["fits"][player, side, pipe] = ALL_CELLS
        state["fits"][player, side, WIDE] = ALL_CELLS & ~BLANK[side]
        state["fits"][player, side, NARROW] = ALL_CELLS & ~BLANK[side]
    lay_tile(state, player, MIDDLE, CROSSING)


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    if state["tile"] != NO_TILE:
        return np.int64(state["seat"])
    return np.int64(TERMINAL) if state["round"] == ROUNDS else np.int64(CHANCE)


# --- where a tile can go ----------------------------------------------------------------------------------------------


@njit
def places(state, player, lay):  # type: ignore[no-untyped-def]
    """The cells on which a tile may lie face up like that, a bitboard."""
    north, east, south, west = SIDES_OF[lay, 0], SIDES_OF[lay, 1], SIDES_OF[lay, 2], SIDES_OF[lay, 3]
    cells = state["free"][player] & state["fits"][player, 0, north] & state["fits"][player, 1, east]
    cells &= state["fits"][player, 2, south] & state["fits"][player, 3, west]
    # No pipe never links: those words stay empty.
    linked = state["links"][player, 0, north] | state["links"][player, 1, east]
    linked |= state["links"][player, 2, south] | state["links"][player, 3, west]
    return np.uint64(cells & linked)


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["tile"] == NO_TILE:
        return 0
    player, tile = np.int64(state["seat"]), np.int64(state["tile"])
    n = write_actions(np.uint64(state["free"][player]), FACE_DOWN, out, 0)
    for turn in range(state["turns"][tile]):
        lay = np.int64(state["lay_of"][tile, turn])
        n = write_actions(places(state, player, lay), lay, out, n)
    return n


@njit
def write_actions(cells, lay, out, n):  # type: ignore[no-untyped-def]
    """Append the actions that put the tile on each of the cells; returns how many there are then."""
    while cells != NOTHING:
        out[n] = CELLS * lay + lowest(cells)
        cells = without_lowest(cells)
        n += 1
    return n


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """Counts instead of listing: `buffer` holds the cells for each turn of the tile."""
    player, tile = np.int64(state["seat"]), np.int64(state["tile"])
    free = np.uint64(state["free"][player])
    face_down = popcount(free)
    total = face_down
    for turn in range(state["turns"][tile]):
        cells = places(state, player, np.int64(state["lay_of"][tile, turn]))
        buffer[turn] = cells
        total += popcount(cells)
    pick = int(u * total)
    if pick < face_down:
        return np.int64(CELLS * FACE_DOWN + nth(free, pick))
    pick -= face_down
    turn = 0
    while pick >= popcount(np.uint64(buffer[turn])):
        pick -= popcount(np.uint64(buffer[turn]))
        turn += 1
    return np.int64(CELLS * np.int64(state["lay_of"][tile, turn]) + nth(np.uint64(buffer[turn]), pick))


# --- playing ----------------------------------------------------------------------------------------------------------


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    if action >= DRAW:
        draw(state, action - DRAW)
        return
    player = np.int64(state["seat"])
    lay, cell = action // CELLS, action % CELLS
    lay_tile(state, player, cell, lay)
    state["hash"] ^= mix(np.uint64(action) << np.uint64(2) | np.uint64(player))
    state["seat"] += 1
    if state["seat"] == state["players"]:
        state["seat"] = 0
        state["tile"] = NO_TILE
        state["round"] += 1


@njit
def draw(state, kind):  # type: ignore[no-untyped-def]
    """A tile of that kind is to be placed."""
    state["left"] ^= lowest_bit(np.uint64(state["left"] & state["tiles_of"][kind]))
    state["tile"] = kind


@njit
def lay_tile(state, player, cell, lay):  # type: ignore[no-untyped-def]
    """Put a tile on a free cell, face up or down, and note what that means for the cells beside it."""
    state["lays"][player, cell] = lay
    state["free"][player] &= ~(ONE << np.uint64(cell))
    if lay == FACE_DOWN:
        state["minus"][player] += 1
        return
    for side in range(4):
        pipe, there = SIDES_OF[lay, side], NEIGHBOUR[cell, side]
        touching = side ^ 2
        if pipe == NONE:
            state["fits"][player, touching, WIDE] &= ~there
            state["fits"][player, touching, NARROW] &= ~there
            continue
        state["minus"][player] -= state["outlets"][player, OUTLET_AT[cell, side]]
        state["links"][player, touching, pipe] |= there
        state["fits"][player, touching, WIDE + NARROW - pipe] &= ~there
        if state["strict"] == 1:
            state["fits"][player, touching, NONE] &= ~there


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    players = np.int64(state["players"])
    for player in range(players):
        out[player] = 0.0
    if rules.current_player(state) != TERMINAL:
        return
    if players == 1:
        out[0] = -np.float64(state["minus"][0])
        return
    fewest, winners = np.int64(255), 0
    for player in range(players):
        minus = np.int64(state["minus"][player])
        if minus < fewest:
            fewest, winners = minus, 0
        if minus == fewest:
            winners += 1
    for player in range(players):
        share = 1.0 / winners if state["minus"][player] == fewest else 0.0
        out[player] = (players * share - 1.0) / (players - 1)


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    rest = np.uint64(state["left"]) << np.uint64(16) | np.uint64(state["tile"] + 1) << np.uint64(8) | np.uint64(state["seat"])
    return state["hash"] ^ mix(~rest)


# --- chance -----------------------------------------------------------------------------------------------------------


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):  # type: ignore[no-untyped-def]
    total = popcount(np.uint64(state["left"]))
    n = 0
    for kind in range(state["kinds"]):
        copies = popcount(np.uint64(state["left"] & state["tiles_of"][kind]))
        if copies > 0:
            actions[n] = DRAW + kind
            probabilities[n] = copies / total
            n += 1
    return n


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):  # type: ignore[no-untyped-def]
    left = np.uint64(state["left"])
    return DRAW + np.int64(state["kind_of"][nth(left, np.int64(rng.random() * popcount(left)))])
