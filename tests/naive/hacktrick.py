"""Hack Trick in plain Python: a slow twin of the compiled game, written from the rule text alone.

Cards are ints in lists, the board is a dict from server to the list of markers on it, a marker is
a pair of its owner and its size, and what a player must or may not do is a flag.  Moves are the
words of the notation.  Nothing here is meant to be fast.

References
----------
Hack Trick, rule text 001_ed736f565bd5016b.txt (Hungarian).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

#   2 7 6      The map is a magic square: its rows, columns and diagonals are
#   9 5 1      exactly the threes of different servers that add up to 15.
#   4 3 8
SERVERS = range(1, 10)
LINES = [line for line in combinations(SERVERS, 3) if sum(line) == 15]

DECK = [0, 1, 2, 3, 4, 5] * 3
MARKERS = ["giant"] + 9 * ["small"]
CARDS_OUT = 2
STARTERS_CARDS, OTHERS_CARDS = 4, 3
HAND_LIMIT = 4
MATCH_POINTS = 3

Marker = tuple[int, str]
# ("out", card), ("dealt", player, card), ("open", player, card), ("sum", player, total),
# ("play", player, card), ("shown", player, sorted hand), ("drawn", player, card),
# ("reshuffle", sorted cards that become the deck)
Event = tuple[Any, ...]


@dataclass
class Position:
    """One moment of a game, or of a match of several.

    Attributes
    ----------
    match : bool
        Whether games go on until a player has three points.
    starter : int
        Who is dealt four cards in this game.
    score : list of int
        Points of either player from the games that are over.
    phase : str
        What comes next: ``"setup"`` (a card is dealt), ``"open"``, ``"turn"``, ``"call"``,
        ``"draw"`` (a card is drawn) or ``"over"``.
    to_move : int
        Whose turn it is, also while chance gives them a card; the starter in the setup.
    deck, out, row : list of int
        Cards to be drawn in unknown order, those turned up in the setup, those played.
    hands : list of list of int
    servers : dict of int to list of (int, str)
        The markers on each server: owner and size.
    supply, spying_zone : list of list of str
        Sizes of the markers that either player has yet to place, and of those they have captured.
    spied, hacked, firewalled : bool
        Of the player to move: has spied this turn; has to play; may not call HACK.
    winner : int or None
        Of the game that is over, or of the match.
    log : list of tuple
        What has happened with the cards of this game, see ``Event``.
    """

    match: bool
    starter: int
    score: list[int]
    phase: str
    to_move: int
    deck: list[int]
    out: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=lambda: [[], []])
    servers: dict[int, list[Marker]] = field(default_factory=lambda: {s: [] for s in SERVERS})
    supply: list[list[str]] = field(default_factory=lambda: [MARKERS.copy(), MARKERS.copy()])
    spying_zone: list[list[str]] = field(default_factory=lambda: [[], []])
    spied: bool = False
    hacked: bool = False
    firewalled: bool = False
    winner: int | None = None
    log: list[Event] = field(default_factory=list)

    def copy(self) -> Position:
        """Return an independent copy."""
        return replace(
            self,
            score=self.score.copy(),
            deck=self.deck.copy(),
            out=self.out.copy(),
            row=self.row.copy(),
            hands=[hand.copy() for hand in self.hands],
            servers={server: markers.copy() for server, markers in self.servers.items()},
            supply=[supply.copy() for supply in self.supply],
            spying_zone=[zone.copy() for zone in self.spying_zone],
            log=self.log.copy(),
        )


def start(*, match: bool = False, starter: int = 0, score: tuple[int, int] = (0, 0)) -> Position:
    """Return a game before its first card is turned up."""
    return Position(match, starter, list(score), "setup", starter, DECK.copy())


# --- what may happen ----------------------------------------------------------------------------


def to_act(position: Position) -> str | int | None:
    """Return the player to choose, ``"chance"``, or None when all is over."""
    if position.phase == "over":
        return None
    return "chance" if position.phase in ("setup", "draw") else position.to_move


def chances(position: Position) -> dict[str, Fraction]:
    """Return each card that may come next, with its probability; empty where a player chooses."""
    if to_act(position) != "chance":
        return {}
    total = len(position.deck)
    return {f"card {c}": Fraction(n, total) for c, n in sorted(Counter(position.deck).items())}


def legal_moves(position: Position) -> list[str]:
    """Return what the player to act may do; empty where it is not for a player to choose."""
    player = position.to_move
    if position.phase == "open":
        return [f"open {card}" for card in sorted(set(position.hands[player]))]
    if position.phase == "call":
        return (["firewall"] if position.firewalled else ["hack", "firewall"]) + ["no call"]
    if position.phase != "turn":
        return []
    moves = ["spy"] if position.spying_zone[player] and not position.spied else []
    for card in playable(position):
        moves += [f"play {card}"] if "small" in position.supply[player] else []
        moves += [f"play {card} giant"] if "giant" in position.supply[player] else []
    may_draw = len(position.hands[player]) < HAND_LIMIT
    if may_draw and not (position.hacked and playable(position)):
        moves.append("draw")
    return moves


def playable(position: Position) -> list[int]:
    """Return the numbers in the mover's hand that differ from the last card of the row."""
    return sorted(set(position.hands[position.to_move]) - {position.row[-1]})


# --- playing ------------------------------------------------------------------------------------


def play(position: Position, move: str) -> Position:
    """Return the position after a move of a player or a card that chance gives.

    Raises
    ------
    ValueError
        If that cannot happen here.
    """
    if move not in legal_moves(position) and move not in chances(position):
        raise ValueError(f"{move!r} is not legal here")
    position = position.copy()
    word, *rest = move.split()
    if word == "card":
        take_card(position, int(rest[0]))
    elif word == "open":
        open_row(position, int(rest[0]))
    elif word == "spy":
        spy(position)
    elif word == "play":
        play_card(position, int(rest[0]), "giant" if rest[1:] else "small")
    elif word == "draw":
        draw(position)
    else:
        call(position, move)
    return position


def take_card(position: Position, card: int) -> None:
    """Turn up, deal or draw a card: whatever is due."""
    position.deck.remove(card)
    if position.phase == "draw":
        position.hands[position.to_move].append(card)
        position.log.append(("drawn", position.to_move, card))
        if not position.deck:
            reshuffle(position)
        next_turn(position)
        return
    starter, other = position.starter, 1 - position.starter
    if len(position.out) < CARDS_OUT:
        position.out.append(card)
        position.log.append(("out", card))
        return
    receiver = starter if len(position.hands[starter]) < STARTERS_CARDS else other
    position.hands[receiver].append(card)
    position.log.append(("dealt", receiver, card))
    if len(position.hands[other]) == OTHERS_CARDS:
        position.phase = "open"


def reshuffle(position: Position) -> None:
    """Make all of the row but its last card the new deck."""
    position.deck = position.row[:-1]
    position.row = position.row[-1:]
    position.log.append(("reshuffle", tuple(sorted(position.deck))))


def open_row(position: Position, card: int) -> None:
    """Put down the first card, announce both sums, and let the other player begin."""
    put_down(position, card)
    position.log.append(("open", position.to_move, card))
    for player in (0, 1):
        announce(position, player)
    next_turn(position)


def put_down(position: Position, card: int) -> None:
    """Move a card from the mover's hand to the end of the row."""
    position.hands[position.to_move].remove(card)
    position.row.append(card)


def announce(position: Position, player: int) -> None:
    """Say aloud the sum of a player's hand."""
    position.log.append(("sum", player, sum(position.hands[player])))


def next_turn(position: Position, *, hacked: bool = False, firewalled: bool = False) -> None:
    """Hand the turn over, with what has been called against the player whose turn it becomes."""
    position.phase = "turn"
    position.to_move = 1 - position.to_move
    position.spied = False
    position.hacked, position.firewalled = hacked, firewalled


def spy(position: Position) -> None:
    """Spend a captured marker to hear the sum of the opponent's hand."""
    spend(position.spying_zone[position.to_move])
    position.spied = True
    announce(position, 1 - position.to_move)


def spend(markers: list[str]) -> None:
    """Remove a marker from the game, the giant only if it is the last."""
    markers.remove("small" if "small" in markers else "giant")


def draw(position: Position) -> None:
    """Ask for a card; one who had to play and cannot shows the hand first."""
    if position.hacked:
        hand = sorted(position.hands[position.to_move])
        position.log.append(("shown", position.to_move, tuple(hand)))
    position.phase = "draw"


def play_card(position: Position, card: int, size: str) -> None:
    """Put a card down and infect the server that it and the card before it name."""
    player, other = position.to_move, 1 - position.to_move
    put_down(position, card)
    position.log.append(("play", player, card))
    server = position.row[-2] + position.row[-1]
    for owner, captured in position.servers[server]:
        if owner == other:
            position.spying_zone[player].append(captured)
    own = [marker for marker in position.servers[server] if marker[0] == player]
    position.supply[player].remove(size)
    position.servers[server] = [*own, (player, size)]
    if threes(position, player):
        end_game(position, player, points(position, player, size))
    elif not position.supply[player]:
        end_game(position, other, 1)
    else:
        position.phase = "call"


def call(position: Position, word: str) -> None:
    """Call HACK or FIREWALL for an unplaced marker, or nothing."""
    player = position.to_move
    if word != "no call":
        spend(position.supply[player])
    if position.supply[player]:
        next_turn(position, hacked=word == "hack", firewalled=word == "firewall")
    else:
        end_game(position, 1 - player, 1)


# --- the end ------------------------------------------------------------------------------------


def threes(position: Position, player: int) -> list[list[int]]:
    """Return every winning three of a player, each as the list of its servers."""
    count = {s: sum(owner == player for owner, _ in position.servers[s]) for s in SERVERS}
    in_line = [list(line) for line in LINES if all(count[server] for server in line)]
    return in_line + [[server] for server in SERVERS if count[server] >= 3]


def points(position: Position, winner: int, placed_last: str) -> int:
    """Return what a win by a three is worth: one more with the giant in it, unless placed last."""
    giant = (winner, "giant")
    with_giant = any(giant in position.servers[server] for three in threes(position, winner) for server in three)
    return 2 if with_giant and placed_last != "giant" else 1


def end_game(position: Position, winner: int, score: int) -> None:
    """Note the result; in a match that is not decided the loser starts another game."""
    position.score[winner] += score
    if position.match and max(position.score) < MATCH_POINTS:
        scores = (position.score[0], position.score[1])
        fresh = start(match=True, starter=1 - winner, score=scores)
        vars(position).update(vars(fresh))
    else:
        position.phase, position.winner = "over", winner


def returns(position: Position) -> list[int]:
    """Return 1 for the winner of the game or match and -1 for the loser; zeros before the end."""
    if position.winner is None:
        return [0, 0]
    return [1, -1] if position.winner == 0 else [-1, 1]


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly ``depth`` moves and cards; games that end earlier add nothing."""
    moves = [*legal_moves(position), *chances(position)]
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(perft(play(position, move), depth - 1) for move in moves)
