"""The rules of Netwerk as compiled functions.

White (player 0) joins the files a and h, Black (player 1) the ranks 1 and 8. While a player has stones in hand, a turn puts
one on an empty square; later a turn lifts one and puts it elsewhere. Nobody may place on a corner or in the other's goals,
nor so that the stone just put down belongs to a group of three or more (the no-crowd rule). Who cannot do either passes. A
network (see `network`) wins; if a lifted stone opens one for the opponent too, the opponent wins. Two passes in a row, or
`max_plies` plies, are a draw.

Source: Sid Sackson, "Network" (A Gamut of Games, 1969); rule text 002_eb0eef8dfd2e0554.txt, "Netwerk" (Dutch).

Actions, ascending as they are listed:

    0 .. 63          put a stone on square s
    64 .. 4159       lift the stone on f and put it on t: 64 + 64 * f + t
    4160             pass
"""

from __future__ import annotations

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, lowest_bit, mix, nth, popcount, without_lowest
from gamelab.core.rules import TERMINAL, implements, state_dtype
from gamelab.games.netwerk.geometry import FIELD, SQUARES, crowded_squares
from gamelab.games.netwerk.network import completes_network, has_network

__all__ = [
    "CROWDING",
    "DRAW",
    "DTYPE",
    "MAX_LEGAL_ACTIONS",
    "MOVE",
    "NUM_ACTIONS",
    "ONGOING",
    "PASS",
    "STONES",
    "judge",
]

STONES = 10
MOVE = SQUARES
PASS = MOVE + SQUARES * SQUARES
NUM_ACTIONS = PASS + 1
# Each of ten stones may go to any of 48 squares of the field that none of the ten stands on.
MAX_LEGAL_ACTIONS = STONES * (48 - STONES)
# Whom the no-crowd rule binds while placing; when moving it binds both.
CROWDING = ("both", "first")
ONGOING = -1
DRAW = 2
NOTHING = np.uint64(0)
SIX, LOW_SIX = np.uint64(6), np.uint64(63)
OTHER = np.uint64(1)  # player ^ OTHER is the opponent

DTYPE = state_dtype(
    [
        (("stones on the board, a bitboard for each player", "stones"), np.uint64, (2,)),
        (("Zobrist key of the stones, kept up with every move", "key"), np.uint64),
        (("plies played, passes included", "ply"), np.uint16),
        (("parameter: plies after which the game is drawn", "max_plies"), np.uint16),
        (("stones in hand, for each player", "hands"), np.uint8, (2,)),
        (("passes in a row just made", "passes"), np.uint8),
        (("parameter: index into CROWDING", "crowding"), np.uint8),
        (("player to move, 0 White or 1 Black; meaningless at the end", "player"), np.uint8),
        (("ONGOING, the winner 0 or 1, or DRAW", "result"), np.int8),
    ],
    __file__,
)

# Players and squares that index an array are unsigned below: numba would test signed ones for being negative.
ZOBRIST = np.random.default_rng(0x4E6574).integers(0, 2**64, (2, SQUARES), dtype=np.uint64)


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    for player in range(2):
        state["stones"][player] = NOTHING
        state["hands"][player] = STONES
    state["key"] = NOTHING
    state["ply"] = 0
    state["passes"] = 0
    state["player"] = 0
    state["result"] = ONGOING


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    return np.int64(state["player"]) if state["result"] == ONGOING else np.int64(TERMINAL)


@njit
def empty_field(state):  # type: ignore[no-untyped-def]
    """The empty squares where the player to move may stand, crowds or not."""
    return FIELD[np.uint64(state["player"])] & ~(state["stones"][0] | state["stones"][1])


@njit
def placements(state, own):  # type: ignore[no-untyped-def]
    """Where the player to move may place a stone beside the stones `own`."""
    if state["player"] == 0 or state["crowding"] == 0:
        return empty_field(state) & ~crowded_squares(own)
    return empty_field(state)


@njit
def landings(empty: np.uint64, own: np.uint64, lifted: np.uint64) -> np.uint64:
    """Where a stone, one of `own`, may be put down, of the `empty` squares; `lifted` is the word with its bit."""
    return empty & ~crowded_squares(own ^ lifted)


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if state["result"] != ONGOING:
        return 0
    own = state["stones"][state["player"]]
    n = 0
    if state["hands"][state["player"]] > 0:
        open_squares = placements(state, own)
        while open_squares != NOTHING:
            out[n] = lowest(open_squares)
            open_squares = without_lowest(open_squares)
            n += 1
    else:
        empty = empty_field(state)
        lifting = own
        while lifting != NOTHING:
            source = lowest(lifting)
            lifting = without_lowest(lifting)
            open_squares = landings(empty, own, bit(source))
            while open_squares != NOTHING:
                out[n] = MOVE + SQUARES * source + lowest(open_squares)
                open_squares = without_lowest(open_squares)
                n += 1
    if n == 0:
        out[0] = PASS
        return 1
    return n


@implements(rules.random_action, DTYPE)
def random_action(state, buffer, u):  # type: ignore[no-untyped-def]
    """Counts the legal actions instead of listing them: with all stones placed there are hundreds."""
    own = state["stones"][state["player"]]
    if state["hands"][state["player"]] > 0:
        open_squares = placements(state, own)
        if open_squares == NOTHING:
            return np.int64(PASS)
        return np.int64(nth(open_squares, int(u * popcount(open_squares))))
    # The buffer holds, for each stone that can be lifted, how many squares it can go to.
    empty = empty_field(state)
    total = 0
    stone = np.uint64(0)
    lifting = own
    while lifting != NOTHING:
        count = popcount(landings(empty, own, lowest_bit(lifting)))
        lifting = without_lowest(lifting)
        buffer[stone] = count
        total += count
        stone += np.uint64(1)
    if total == 0:
        return np.int64(PASS)
    pick = int(u * total)
    stone = np.uint64(0)
    lifting = own
    while pick >= buffer[stone]:
        pick -= buffer[stone]
        lifting = without_lowest(lifting)
        stone += np.uint64(1)
    target = nth(landings(empty, own, lowest_bit(lifting)), pick)
    return np.int64(MOVE + SQUARES * lowest(lifting) + target)


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    player = np.uint64(state["player"])
    state["ply"] += 1
    if action == PASS:
        state["passes"] += 1
        if state["passes"] >= 2:
            state["result"] = DRAW
    else:
        state["passes"] = 0
        if action < MOVE:
            place(state, player, np.uint64(action))
        else:
            pair = np.uint64(action - MOVE)
            move(state, player, pair >> SIX, pair & LOW_SIX)
    if state["result"] == ONGOING and state["ply"] >= state["max_plies"]:
        state["result"] = DRAW
    state["player"] = player ^ OTHER


@njit
def place(state, player, square):  # type: ignore[no-untyped-def]
    """Put a stone from the hand on a square. It can only complete a network of its own colour, and only through itself."""
    own = state["stones"][player] | bit(square)
    state["stones"][player] = own
    state["hands"][player] -= 1
    state["key"] ^= ZOBRIST[player, square]
    if completes_network(own, own | state["stones"][player ^ OTHER], player, square):
        state["result"] = player


@njit
def move(state, player, source, target):  # type: ignore[no-untyped-def]
    """Lift a stone and put it elsewhere. The lifted stone can open lines of either colour, so all is judged anew."""
    state["stones"][player] ^= bit(source) | bit(target)
    state["key"] ^= ZOBRIST[player, source] ^ ZOBRIST[player, target]
    judge(state, player)


@njit
def judge(state, mover):  # type: ignore[no-untyped-def]
    """Set the result if networks stand on the board, as if `mover` had just moved: the opponent's counts first."""
    occupied = state["stones"][0] | state["stones"][1]
    other = mover ^ OTHER
    if has_network(state["stones"][other], occupied, other):
        state["result"] = other
    elif has_network(state["stones"][mover], occupied, mover):
        state["result"] = mover


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    out[0] = 0.0
    out[1] = 0.0
    if state["result"] == 0 or state["result"] == 1:
        out[state["result"]] = 1.0
        out[1 - state["result"]] = -1.0


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    """The ply counts, for the draw by `max_plies`; so no position repeats in a game, and what a search keeps stays true."""
    rest = np.uint64(state["ply"]) << np.uint64(32) | np.uint64(state["hands"][0]) << np.uint64(16)
    rest |= np.uint64(state["hands"][1]) << np.uint64(8) | np.uint64(state["passes"]) << np.uint64(4)
    rest |= np.uint64(state["player"])
    return state["key"] ^ mix(rest)
