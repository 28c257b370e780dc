"""Spider Wars on the mini web, written anew for `solve_spiderwars.py`: positions are numbers, and see the web as their player.

A position is seen by the player to act, who plays from left to right: where Orange is to act, the web is turned. A turn has
two actions, so a position also says which leg has moved already. It leaves out what has passed, the numbers of turns and of
passes. Nothing here is taken from the game in `gamelab.games`.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from gamelab.core._jit import njit

# --- the web ----------------------------------------------------------------------------------------------------------

#   y
#   4      2   7  12      Holes are numbered column by column, upwards: the half turn takes hole h to 12 - h.
#   3    G   4   9        The player to act starts at G and wants to get to O, number 13.
#   2      1   6  11
#   1        3   8   O
#   0      0   5  10      x = 0 .. 4
HOLES = [(x, y) for x in range(5) for y in range(5) if x % 2 == y % 2]
NEST = 13
PLACES = [*HOLES, (5, 1)]
DADDY, SMALL = 0, 1
REACH = (2, 1)
OUT = 0


def distances() -> NDArray[np.int64]:
    """Steps from each place to each, shape (14, 14); no way leads through the nest."""
    far = np.full((14, 14), 99)
    for a, b in itertools.product(range(14), repeat=2):
        dx, dy = abs(PLACES[a][0] - PLACES[b][0]), abs(PLACES[a][1] - PLACES[b][1])
        if a == b or (dx, dy) in ((0, 2), (1, 1)):
            far[a, b] = a != b
    for middle in range(NEST):
        far = np.minimum(far, far[:, middle : middle + 1] + far[middle])
    return far


FAR = distances()
# Bit masks of the places in reach of a planted leg, and of the holes that lie no further ahead: shapes (2, 13) and (13,).
NEAR = np.array([[sum(1 << p for p in range(14) if 0 < FAR[h, p] <= reach) for h in range(NEST)] for reach in REACH])
BACK = np.array([sum(1 << h for h in range(NEST) if HOLES[h][0] <= HOLES[planted][0]) for planted in range(NEST)])


def stances(kind: int) -> list[tuple[int, ...]]:
    """How a spider can stand: out of the game, hanging by one leg, or on two."""
    pairs = [pair for pair in itertools.combinations(range(NEST), 2) if FAR[pair] <= REACH[kind]]
    return [(), *((hole,) for hole in range(NEST)), *pairs]


STANCES = [stances(kind) for kind in (DADDY, SMALL)]
DADDIES, SMALLS = map(len, STANCES)
# By kind and stance: the legs in ascending order (-1: none), their bit mask, and the stance after the half turn.
LEGS = np.full((2, DADDIES, 2), -1)
MASK = np.zeros((2, DADDIES), np.int64)
TURNED = np.zeros((2, DADDIES), np.int64)
# By kind and two legs in any order, or twice the same for a Dangler: the stance.
STANCE = np.zeros((2, NEST, NEST), np.int64)
for _kind in (DADDY, SMALL):
    for _number, _legs in enumerate(STANCES[_kind]):
        LEGS[_kind, _number, : len(_legs)] = _legs
        MASK[_kind, _number] = sum(1 << leg for leg in _legs)
        TURNED[_kind, _number] = STANCES[_kind].index(tuple(sorted(12 - leg for leg in _legs)))
        if _legs:
            STANCE[_kind, _legs[0], _legs[-1]] = STANCE[_kind, _legs[-1], _legs[0]] = _number

# --- positions and actions --------------------------------------------------------------------------------------------

# Phases of a turn: 0 at its start, then 1 + the leg that has moved: the Daddy's lower or higher number, then the small one's.
PHASES = 5
POSITIONS = (DADDIES * SMALLS) ** 2 * PHASES
WON = -1
MOST = 64  # actions in a position, at most
REPLANT, PASS = 14 * 14, 2 * 14 * 14  # an action is 14 * from + to, plus REPLANT if so, or PASS


@njit
def pack(daddy, small, their_daddy, their_small, phase):  # type: ignore[no-untyped-def]
    """The number of a position: stances of the player to act and of the other, and the phase."""
    return (((daddy * SMALLS + small) * DADDIES + their_daddy) * SMALLS + their_small) * PHASES + phase


@njit
def unpack(position):  # type: ignore[no-untyped-def]
    """The inverse of `pack`."""
    rest, phase = divmod(position, PHASES)
    rest, their_small = divmod(rest, SMALLS)
    rest, their_daddy = divmod(rest, DADDIES)
    daddy, small = divmod(rest, SMALLS)
    return daddy, small, their_daddy, their_small, phase


@njit
def end_turn(position):  # type: ignore[no-untyped-def]
    """The same spiders as the other player sees them, at the start of a turn."""
    daddy, small, their_daddy, their_small, _ = unpack(position)
    return pack(TURNED[DADDY, their_daddy], TURNED[SMALL, their_small], TURNED[DADDY, daddy], TURNED[SMALL, small], 0)


@njit
def is_position(position):  # type: ignore[no-untyped-def]
    """Whether both have a spider, no hole holds two legs, and the leg that has moved is there."""
    daddy, small, their_daddy, their_small, phase = unpack(position)
    mine, theirs = MASK[DADDY, daddy] | MASK[SMALL, small], MASK[DADDY, their_daddy] | MASK[SMALL, their_small]
    if mine == 0 or theirs == 0 or mine & theirs or MASK[DADDY, daddy] & MASK[SMALL, small]:
        return False
    if MASK[DADDY, their_daddy] & MASK[SMALL, their_small]:
        return False
    return phase == 0 or (LEGS[DADDY, daddy, 1] if phase <= 2 else LEGS[SMALL, small, 1]) >= 0


@njit
def targets(position, kind, leg):  # type: ignore[no-untyped-def]
    """Where a leg of the player to act may go, as a bit mask."""
    daddy, small, _, _, phase = unpack(position)
    stance = daddy if kind == DADDY else small
    if LEGS[kind, stance, 1] < 0 or phase == 1 + 2 * kind + leg:
        return 0
    return NEAR[kind, LEGS[kind, stance, 1 - leg]] & ~(MASK[DADDY, daddy] | MASK[SMALL, small])


@njit
def hit(kind, stance, hole):  # type: ignore[no-untyped-def]
    """The stance after an opponent's leg has come into a hole."""
    if not MASK[kind, stance] >> hole & 1:
        return stance
    if LEGS[kind, stance, 1] < 0:
        return OUT
    other = LEGS[kind, stance, 1] if LEGS[kind, stance, 0] == hole else LEGS[kind, stance, 0]
    return STANCE[kind, other, other]


@njit
def after_leg(position, kind, leg, target):  # type: ignore[no-untyped-def]
    """The position after a leg has moved, the turn not ended yet; or `WON`."""
    daddy, small, their_daddy, their_small, _ = unpack(position)
    if target == NEST:
        return WON
    their_daddy, their_small = hit(DADDY, their_daddy, target), hit(SMALL, their_small, target)
    if their_daddy == OUT and their_small == OUT:
        return WON
    planted = LEGS[kind, daddy if kind == DADDY else small, 1 - leg]
    stance = STANCE[kind, planted, target]
    phase = 1 + 2 * kind + (target > planted)
    if kind == DADDY:
        return pack(stance, small, their_daddy, their_small, phase)
    return pack(daddy, stance, their_daddy, their_small, phase)


@njit
def turn_goes_on(position):  # type: ignore[no-untyped-def]
    """Whether another leg can move."""
    for kind in range(2):
        for leg in range(2):
            if targets(position, kind, leg):
                return True
    return False


@njit
def replantings(position, kind, n, children, actions):  # type: ignore[no-untyped-def]
    """Append those of a Dangler."""
    daddy, small, their_daddy, their_small, _ = unpack(position)
    stance = daddy if kind == DADDY else small
    planted = LEGS[kind, stance, 0]
    if planted < 0 or LEGS[kind, stance, 1] >= 0:
        return n
    taken = MASK[DADDY, daddy] | MASK[SMALL, small] | MASK[DADDY, their_daddy] | MASK[SMALL, their_small]
    room = NEAR[kind, planted] & BACK[planted] & ~taken
    for hole in range(NEST):
        if room >> hole & 1:
            stance = STANCE[kind, planted, hole]
            a, b = (stance, small) if kind == DADDY else (daddy, stance)
            children[n] = end_turn(pack(a, b, their_daddy, their_small, 0))
            actions[n] = REPLANT + 14 * planted + hole
            n += 1
    return n


@njit
def successors(position, children, actions):  # type: ignore[no-untyped-def]
    """All actions and the positions that they lead to, or `WON`; none where the turn would have ended before.

    At the start of a turn a child belongs to the other player, later on to the same: the child's phase says which.
    """
    daddy, small, _, _, phase = unpack(position)
    n = 0
    for kind in range(2):
        for leg in range(2):
            room = targets(position, kind, leg)
            for target in range(NEST + 1):
                if room >> target & 1:
                    child = after_leg(position, kind, leg, target)
                    if child != WON and (phase > 0 or not turn_goes_on(child)):
                        child = end_turn(child)
                    children[n] = child
                    actions[n] = 14 * LEGS[kind, daddy if kind == DADDY else small, leg] + target
                    n += 1
    if phase == 0:
        n = replantings(position, DADDY, n, children, actions)
        n = replantings(position, SMALL, n, children, actions)
        if n == 0:
            children[0], actions[0], n = end_turn(position), PASS, 1
    return n


@njit
def count_children(first, children, actions):  # type: ignore[no-untyped-def]
    """Write how many actions each position has into `first[position + 1]`, shape (POSITIONS + 1,)."""
    for position in range(POSITIONS):
        if is_position(position):
            first[position + 1] = successors(position, children, actions)


@njit
def list_children(first, out, children, actions):  # type: ignore[no-untyped-def]
    """Write the children of each position into `out[first[position]:first[position + 1]]`."""
    for position in range(POSITIONS):
        if first[position] < first[position + 1]:
            n = successors(position, children, actions)
            out[first[position] : first[position] + n] = children[:n]


def buffers() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Room for the children and actions of a position."""
    return np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)


def graph() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The children of all positions: those of one, `WON` among them, are `children[first[position]:first[position + 1]]`.

    Numbers that are no position have none.
    """
    first = np.zeros(POSITIONS + 1, np.int64)
    count_children(first, *buffers())
    np.cumsum(first, out=first)
    children = np.zeros(first[-1], np.int32)
    list_children(first, children, *buffers())
    return first, children


# --- the game in words ------------------------------------------------------------------------------------------------


def position_of(*legs: tuple[tuple[int, int], ...]) -> int:
    """The start of a turn with a Daddy and a small spider of the player to act, and the same of the other."""
    numbers = [STANCES[i % 2].index(tuple(sorted(map(HOLES.index, pair)))) for i, pair in enumerate(legs)]
    return int(pack(*numbers, 0))


START = position_of(((0, 2), (1, 3)), ((0, 0), (1, 1)), ((4, 2), (3, 1)), ((4, 4), (3, 3)))


def action_name(action: int, player: int) -> str:
    """An action in the game's notation; for player 1, Orange, the web is turned back."""
    if action == PASS:
        return "pass"
    origin, target = (PLACES[number] for number in divmod(action % REPLANT, 14))
    if player:
        origin, target = ((4 - x, 4 - y) for x, y in (origin, target))
    return f"{origin[0]},{origin[1]}{'+' if action >= REPLANT else '>'}{target[0]},{target[1]}"


def options(position: int, player: int, *, opening: bool = False) -> dict[str, int]:
    """Each action's name, and the position that it leads to, or `WON`. In the opening a turn has one action."""
    children, actions = buffers()
    n = successors(position, children, actions)
    ends = [end_turn(child) if opening and child % PHASES else child for child in children[:n].tolist()]
    return {action_name(action, player): int(child) for action, child in zip(actions[:n].tolist(), ends, strict=True)}
