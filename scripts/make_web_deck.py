"""Make Web's standard deck: faces and dots by a seed, as the rules of the game ask for them.

    .venv/bin/python scripts/make_web_deck.py > gamelab/games/web/decks/standard.toml

The original cards are lost. What is known: 60 cards of three shapes, the piles of bends slightly higher, computers, a few
servers, and dots on the backs. The rest is decided here:

- 19 straight cards, 22 bends, 19 blocks; each has an open cell or a server; eight carry a server;
- points and dots of a card add up to 4 to 8, so that richer cards have fewer dots; all points to 150 to 200;
- every face, turned as you like, is printed on two or three cards, whose dots differ.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from gamelab.games.web.cards import KINDS, SHAPE_CELLS, SHAPES, Card, Deck, face_of

SEED = 1
COUNTS = (19, 22, 19)
SERVER_FACES = (1, 2, 1)  # of each shape, each printed twice
LEAST, MOST = 4, 8  # points and dots of one card
POINTS = (150, 200)
# How likely a cell is open or a computer of 1 to 5 points.
WEIGHTS = np.array([10, 4, 5, 4, 2, 1]) / 26


def make_deck(seed: int) -> Deck:
    """The first deck of the seed's stream that keeps all conditions."""
    rng = np.random.default_rng(seed)
    while True:
        cards = tuple(card for shape in range(len(SHAPES)) for card in _cards_of_shape(shape, rng))
        deck = Deck("standard", cards)
        if not faults(deck):
            return deck


def _cards_of_shape(shape: int, rng: np.random.Generator) -> list[Card]:
    """Two cards of each face, of the last face three if the number is odd."""
    faces = COUNTS[shape] // 2
    cards: list[Card] = []
    known: set[tuple[int, str]] = set()
    while len(known) < faces:
        copies = COUNTS[shape] - 2 * (faces - 1) if len(known) == faces - 1 else 2
        card = Card(shape, _cells(shape, len(known) < SERVER_FACES[shape], rng), 1)
        dots = [d for d in range(1, 6) if LEAST <= card.points + d <= MOST]
        if face_of(card) in known or len(dots) < copies or not set(card.cells) & {".", "S"}:
            continue
        known.add(face_of(card))
        chosen = sorted(rng.choice(dots, copies, replace=False).tolist())
        cards += [Card(shape, card.cells, d) for d in chosen]
    return cards


def _cells(shape: int, with_server: bool, rng: np.random.Generator) -> str:
    cells = [KINDS[kind] for kind in rng.choice(6, SHAPE_CELLS[shape], p=WEIGHTS)]
    if with_server:
        cells[rng.integers(len(cells))] = "S"
    return "".join(cells)


def faults(deck: Deck) -> list[str]:
    """What a deck lacks to be a standard one; that its cells and dots are some at all, `deckfile.read_deck` checks."""
    found = []
    for shape, count in enumerate(COUNTS):
        if len(deck.of_shape(shape)) != count:
            found.append(f"{len(deck.of_shape(shape))} cards of shape {SHAPES[shape]}, not {count}")
    for number, card in enumerate(deck.cards):
        if not set(card.cells) & {".", "S"}:
            found.append(f"card {number} has neither an open cell nor a server")
        if not LEAST <= card.points + card.dots <= MOST:
            found.append(f"card {number}: points and dots are {card.points + card.dots}, not {LEAST} to {MOST}")
        if len({deck.cards[twin].dots for twin in deck.twins(number)}) < 2:
            found.append(f"card {number}: its face tells its dots")
    if sum("S" in card.cells for card in deck.cards) != 2 * sum(SERVER_FACES):
        found.append("not eight cards with a server")
    total = sum(card.points for card in deck.cards)
    if not POINTS[0] <= total <= POINTS[1]:
        found.append(f"{total} points in all, not {POINTS[0]} to {POINTS[1]}")
    return found


def as_toml(deck: Deck) -> str:
    """The deck as a file that `deckfile.read_deck` reads."""
    lines = [
        "# Cards as CELLS DOTS, see gamelab/games/web/deckfile.py. Made by scripts/make_web_deck.py.",
        f'name = "{deck.name}"',
    ]
    for shape, name in enumerate(SHAPES):
        texts = [f'"{deck.cards[number].cells} {deck.cards[number].dots}"' for number in deck.of_shape(shape)]
        rows = [", ".join(texts[i : i + 8]) for i in range(0, len(texts), 8)]
        lines += ["", f"{name} = [", *(f"    {row}," for row in rows), "]"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write a deck to standard output."""
    parser = argparse.ArgumentParser(description="Write the standard deck of Web to standard output.")
    parser.add_argument("--seed", type=int, default=SEED)
    seed = parser.parse_args().seed
    if seed < 0:
        parser.error(f"--seed: {seed} is less than 0")
    sys.stdout.write(as_toml(make_deck(seed)))


if __name__ == "__main__":
    main()
