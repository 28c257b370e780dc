"""Kuhn poker: the smallest game with hidden information, solved by hand, to check searches and solvers on.

H. W. Kuhn, "A simplified two-person poker" (1950): three cards, 0 (jack), 1 (queen) and 2 (king), an ante of one chip each, one
card each. In turn each player bets a chip or passes. Once somebody has bet, each of the others in turn bets as well (calls) or
passes (folds), and the game ends; it also ends when all have passed. The highest card of those who did not fold takes the pot.
In equilibrium the first player loses 1/18 of a chip on average. With more players (R. Risk, D. Szafron 2010) there is one card
more than players.

    step     0 1 2 ... n-1 | n n+1 ...      player = step % n; bit `step` of `bets` is set if it was a bet.
    player   0 1 2 ... n-1 | 0 1   ...      A bet at step f is the last but n - 1 steps.

Returns are chips won, divided by the most that can be: 2 a loser, so 2 * (n - 1); for two players half the chips.
"""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

import numpy as np

from gamelab.core import rules
from gamelab.core._jit import njit
from gamelab.core.bits import bit, lowest, mix, nth, popcount, without_lowest
from gamelab.core.errors import NotationError, PositionError, quoted
from gamelab.core.game import Game, Parameter
from gamelab.core.rules import CHANCE, TERMINAL, implements, state_dtype

__all__ = ["DTYPE", "Kuhn"]

PASS, BET, DEAL = 0, 1, 2  # DEAL + card is the outcome of chance that deals the card
MAX_PLAYERS = 10
NO_CARD = -1
UNSEEN = 15  # stands for a card dealt to another player in an information key

DTYPE = state_dtype(
    [
        (("card of each player, 0 the lowest, or NO_CARD", "cards"), np.int8, (MAX_PLAYERS,)),
        (("cards dealt so far, to players 0, 1, ... in turn", "dealt"), np.uint8),
        (("passes and bets so far", "steps"), np.uint8),
        (("which steps were bets, a bit for each", "bets"), np.uint32),
        (("number of players", "players"), np.uint8),
    ],
    __file__,
)


# --- rules ------------------------------------------------------------------------------------------------------------


@implements(rules.initial, DTYPE)
def initial(state):  # type: ignore[no-untyped-def]
    for player in range(MAX_PLAYERS):
        state["cards"][player] = NO_CARD
    state["dealt"] = 0
    state["steps"] = 0
    state["bets"] = 0


@implements(rules.current_player, DTYPE)
def current_player(state):  # type: ignore[no-untyped-def]
    players, steps = np.int64(state["players"]), np.int64(state["steps"])
    if state["dealt"] < players:
        return np.int64(CHANCE)
    last = players
    if state["bets"] != 0:
        last += lowest(np.uint64(state["bets"]))
    return np.int64(TERMINAL) if steps == last else steps % players


@implements(rules.legal_actions, DTYPE)
def legal_actions(state, out):  # type: ignore[no-untyped-def]
    if rules.current_player(state) == TERMINAL:
        return 0
    out[0] = PASS
    out[1] = BET
    return 2


@implements(rules.apply_action, DTYPE)
def apply_action(state, action):  # type: ignore[no-untyped-def]
    if action >= DEAL:
        state["cards"][state["dealt"]] = action - DEAL
        state["dealt"] += 1
        return
    if action == BET:
        state["bets"] |= np.uint32(bit(state["steps"]))
    state["steps"] += 1


@njit
def folded(state, player):  # type: ignore[no-untyped-def]
    """Whether a player has passed after a bet."""
    if state["bets"] == 0:
        return False
    bets = np.uint64(state["bets"])
    # Those who sat before the first to bet answer in the second round.
    step = player if player >= lowest(bets) else player + np.int64(state["players"])
    return step < np.int64(state["steps"]) and bets & bit(step) == np.uint64(0)


@njit
def best_player(state):  # type: ignore[no-untyped-def]
    """Who has the highest card of all that did not fold."""
    best = -1
    for player in range(np.int64(state["players"])):
        if not folded(state, player) and (best < 0 or state["cards"][player] > state["cards"][best]):
            best = player
    return best


@implements(rules.returns, DTYPE)
def returns(state, out):  # type: ignore[no-untyped-def]
    players = np.int64(state["players"])
    for player in range(players):
        out[player] = 0.0
    if rules.current_player(state) != TERMINAL:
        return
    best, pot = best_player(state), 0
    for player in range(players):
        # The ante, and one chip more in a game with a bet if the player is in it.
        chips = 2 if state["bets"] != 0 and not folded(state, player) else 1
        out[player] -= chips / (2 * (players - 1))
        pot += chips
    out[best] += pot / (2 * (players - 1))


@implements(rules.evaluate, DTYPE)
def evaluate(state, out):  # type: ignore[no-untyped-def]
    """As if the highest card that did not fold took the antes; nothing before all cards are dealt."""
    players = np.int64(state["players"])
    ante = 0.0 if state["dealt"] < players else 1.0 / (2 * (players - 1))
    for player in range(players):
        out[player] = -ante
    out[best_player(state)] += players * ante


# --- chance and what is hidden ----------------------------------------------------------------------------------------


@njit
def undealt(state):  # type: ignore[no-untyped-def]
    """The cards left in the deck, as bits."""
    cards = bit(np.int64(state["players"]) + 1) - np.uint64(1)
    for player in range(np.int64(state["dealt"])):
        cards &= ~bit(state["cards"][player])
    return cards


@implements(rules.chance_outcomes, DTYPE)
def chance_outcomes(state, actions, probabilities):  # type: ignore[no-untyped-def]
    cards = undealt(state)
    n = popcount(cards)
    for i in range(n):
        actions[i] = DEAL + lowest(cards)
        probabilities[i] = 1.0 / n
        cards = without_lowest(cards)
    return n


@implements(rules.sample_chance, DTYPE)
def sample_chance(state, rng):  # type: ignore[no-untyped-def]
    return DEAL + draw(undealt(state), rng)


@njit
def draw(cards, rng):  # type: ignore[no-untyped-def]
    """One of the cards, all equally likely."""
    return nth(cards, np.int64(rng.random() * popcount(cards)))


@njit
def sees(state, viewer, player):  # type: ignore[no-untyped-def]
    """Whether `viewer` knows the card of `player`: their own, and at a showdown those of all who did not fold."""
    if viewer == player:
        return True
    if rules.current_player(state) != TERMINAL or folded(state, player):
        return False
    return popcount(np.uint64(state["bets"])) != 1


@implements(rules.resample, DTYPE)
def resample(state, player, rng):  # type: ignore[no-untyped-def]
    """The cards that the player does not see are dealt again: how the others bet says nothing sure about them."""
    dealt = np.int64(state["dealt"])
    cards = undealt(state)
    for other in range(dealt):
        if not sees(state, player, other):
            cards |= bit(state["cards"][other])
    for other in range(dealt):
        if not sees(state, player, other):
            card = draw(cards, rng)
            cards &= ~bit(card)
            state["cards"][other] = card


@njit
def bets_code(state):  # type: ignore[no-untyped-def]
    """Passes and bets in the upper 24 bits; below is room for ten cards."""
    return np.uint64(state["steps"]) << np.uint64(59) | np.uint64(state["bets"]) << np.uint64(40)


@implements(rules.state_key, DTYPE)
def state_key(state):  # type: ignore[no-untyped-def]
    code = bets_code(state)
    for player in range(np.int64(state["dealt"])):
        code |= np.uint64(state["cards"][player] + 1) << np.uint64(4 * player)
    return mix(code)


@implements(rules.information_key, DTYPE)
def information_key(state, player):  # type: ignore[no-untyped-def]
    code = bets_code(state)
    for other in range(np.int64(state["dealt"])):
        card = np.int64(state["cards"][other]) + 1 if sees(state, player, other) else UNSEEN
        code |= np.uint64(card) << np.uint64(4 * other)
    return mix(mix(code) + np.uint64(player))


# --- the game seen from Python ----------------------------------------------------------------------------------------


class Kuhn(Game):
    """Kuhn poker. A position is each player's card, ``-`` if not yet dealt, then the steps: ``0 2 pb`` is a bet to answer."""

    name = "kuhn"
    title = "Kuhn poker"
    dtype = DTYPE
    chance_mode = "enumerated"
    hidden_information = True
    max_legal_actions = 2
    parameter_specs = {  # noqa: RUF012
        "players": Parameter(2, "number of players; there is one card more", low=2, high=MAX_PLAYERS),
    }
    rules_text = """\
Kuhn poker (Harold W. Kuhn, "A simplified two-person poker", 1950)

Everyone pays an ante of one chip and is dealt one card, hidden from the others; there is one card more than players. In turn
`bet` one chip or `pass`. Once somebody has bet, everyone else has one more turn: bet too, or pass and be out. The highest card
of those still in takes the pot. The result is chips won or lost, as a share of the most that can be won.
"""

    def __init__(self, /, **parameters: object) -> None:
        super().__init__(**parameters)
        self.num_players = int(self._parameters["players"])
        self.max_chance_outcomes = self.num_players + 1
        self.num_distinct_actions = DEAL + self.num_players + 1
        self.player_names = tuple(f"player {player}" for player in range(self.num_players))

    def write_parameters(self, state: Any) -> None:
        state["players"] = self.num_players

    def action_to_string(self, state: Any, action: int) -> str:
        return f"deal {action - DEAL}" if action >= DEAL else ("pass", "bet")[action]

    def string_to_action(self, state: Any, text: str) -> int:
        word = text.strip().lower() if isinstance(text, str) else ""
        actions = {"p": PASS, "pass": PASS, "b": BET, "bet": BET}
        actions |= {f"deal {card}": DEAL + card for card in range(self.num_players + 1)}
        if word not in actions:
            raise NotationError(
                f"{quoted(text)} is no move of kuhn: write pass or bet, for chance deal 0 to deal {self.num_players}"
            )
        return actions[word]

    def write_text(self, state: Any) -> str:
        return self._write(state, range(self.num_players))

    def write_information(self, state: Any, player: int) -> str:
        return self._write(state, [other for other in range(self.num_players) if sees(state, player, other)])

    def read_text(self, text: str, state: Any) -> None:
        words = text.split()
        if len(words) not in (self.num_players, self.num_players + 1):
            raise PositionError(f"kuhn position: not {self.num_players} cards and the steps: {quoted(text)}")
        rules.initial(state)
        cards = words[: self.num_players]
        for number, card in enumerate(cards, 1):
            if card == "-" and all(other == "-" for other in cards[number:]):
                break
            if not re.fullmatch("0|[1-9][0-9]?", card) or int(card) > self.num_players or card in cards[: number - 1]:
                raise PositionError(
                    f"kuhn position, card {number}: {quoted(card)} is no card that is left, 0 to {self.num_players}"
                )
            rules.apply_action(state, DEAL + int(card))
        for number, step in enumerate("".join(words[self.num_players :]), 1):
            if rules.current_player(state) < 0:
                raise PositionError(f"kuhn position, step {number}: {quoted(step)}, but no player is to act")
            if step not in "pb":
                raise PositionError(f"kuhn position, step {number}: {quoted(step)} is neither p nor b")
            rules.apply_action(state, "pb".index(step))

    def belief(self, state: Any, player: int) -> dict[Any, float]:
        """The cards of the others that are not seen, in order of their seats: all equally likely."""
        hidden = [other for other in range(int(state["dealt"])) if not sees(state, player, other)]
        seen = {int(state["cards"][other]) for other in range(int(state["dealt"])) if other not in hidden}
        deals = list(permutations(sorted(set(range(self.num_players + 1)) - seen), len(hidden)))
        return dict.fromkeys(deals, 1 / len(deals))

    def action_as_seen(self, state: Any, action: int, viewer: int) -> str:
        if action >= DEAL and state["dealt"] != viewer:
            return f"a card for player {state['dealt']}"
        return self.action_to_string(state, action)

    def draw_text(self, state: Any) -> str:
        return f"{self.write_text(state)}\n{self._status(state)}"

    def draw_svg(self, state: Any, *, player: int | None = None, last_action: int | None = None) -> str:
        width = max(60 * self.num_players + 20, 200)
        visible = [other for other in range(self.num_players) if player is None or sees(state, player, other)]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 130" width="{width}" height="130" '
            'font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
            f"<title>Kuhn poker, {self._status(state)}</title>",
            f'<rect width="{width}" height="130" rx="8" fill="#f6f1e7"/>',
        ]
        for seat in range(int(state["dealt"])):
            x = 40 + 60 * seat
            known = seat in visible
            parts.append(
                f'<rect class="card" x="{x - 22}" y="14" width="44" height="62" rx="5" stroke="#3a342c" '
                f'fill="{"#ffffff" if known else "#2f5d94"}"/>'
            )
            if known:
                parts.append(f'<text x="{x}" y="55" font-size="26" fill="#3a342c">{state["cards"][seat]}</text>')
        steps = " ".join(self._steps(state))
        parts.append(f'<text class="steps" x="{width // 2}" y="98" font-size="15" fill="#3a342c">{steps}</text>')
        parts.append(f'<text x="{width // 2}" y="119" font-size="14" fill="#3a342c">{self._status(state)}</text></svg>')
        return "".join(parts)

    def describe_end(self, state: Any) -> str:
        if rules.current_player(state) != TERMINAL:
            return "not over"
        return "showdown" if int(state["bets"]).bit_count() != 1 else "everyone else folded"

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _steps(self, state: Any) -> str:
        return "".join("pb"[int(state["bets"]) >> step & 1] for step in range(int(state["steps"])))

    def _write(self, state: Any, visible: Any) -> str:
        dealt = int(state["dealt"])
        cards = [str(state["cards"][player]) if player in visible else "?" for player in range(dealt)]
        cards += ["-"] * (self.num_players - dealt)
        return " ".join([*cards, self._steps(state)]).rstrip()

    def _status(self, state: Any) -> str:
        player = int(rules.current_player(state))
        if player == CHANCE:
            return "cards are dealt"
        return f"player {player} to act" if player != TERMINAL else f"player {best_player(state)} takes the pot"
