"""Web's decks: what the standard one must be like, and what is said of files that are none."""

import pickle
from collections import defaultdict

import pytest

import gamelab
from gamelab.games.web.cards import Card, distinct_rotations, face_of
from gamelab.games.web.deckfile import DECKS, DeckError, read_deck

SMALL = """
name = "small"
straight = ["... 3", "1.5 2", "S.2 1", "... 4"]
bend = ["... 2", ".1. 3", "..1 3", "... 5"]
block = [".... 3", "1..1 2", "1.S. 2", ".... 1"]
"""


def test_the_standard_deck_keeps_what_the_rules_ask_for():
    deck = read_deck("standard", 4)
    assert [len(deck.of_shape(shape)) for shape in range(3)] == [19, 22, 19]
    assert sum("S" in card.cells for card in deck.cards) == 8
    assert 150 <= sum(card.points for card in deck.cards) <= 200
    dots = defaultdict(set)
    for card in deck.cards:
        assert set(card.cells) & set(".S")
        assert 4 <= card.points + card.dots <= 8
        dots[face_of(card)].add(card.dots)
    assert all(len(seen) >= 2 for seen in dots.values())
    # No two cards are the same in all.
    assert sum(len(seen) for seen in dots.values()) == 60


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Card(0, "12.", 1), Card(0, ".21", 3), True),
        (Card(0, "12.", 1), Card(0, "1.2", 1), False),
        (Card(2, "12..", 1), Card(2, ".1.2", 1), True),  # cells are SW SE NW NE
        (Card(2, "12..", 1), Card(2, "2.1.", 1), True),
        (Card(2, "12..", 1), Card(2, "21..", 1), False),
        (Card(2, "123.", 1), Card(2, "213.", 1), False),
        (Card(1, "12.", 1), Card(1, "1.2", 1), False),  # mirrored, not turned
        (Card(1, "...", 1), Card(0, "...", 1), False),
    ],
)
def test_faces_are_the_same_up_to_turning(one, other, same):
    assert (face_of(one) == face_of(other)) == same


def test_rotations_that_look_different():
    assert distinct_rotations(Card(0, "1.1", 1)) == (0, 1)
    assert distinct_rotations(Card(0, "1..", 1)) == (0, 1, 2, 3)
    assert distinct_rotations(Card(1, "...", 1)) == (0, 1, 2, 3)
    assert distinct_rotations(Card(2, "2222", 1)) == (0,)
    assert distinct_rotations(Card(2, "1221", 1)) == (0, 1)
    assert distinct_rotations(Card(2, "1122", 1)) == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("name =", "nam ="), r"nam: unknown key; known: bend, block, name, straight"),
        (('name = "small"', ""), "name: missing"),
        (('"small"', '""'), "name: '' is not a text of one line"),
        (("bend = [", "bend = 3 # ["), "bend: 3 is not a list of texts"),
        (('bend = ["... 2",', "bend = ["), "bend: 3 cards, 2 players need 4"),
        (("1.5 2", "1.5"), r"straight\[1\]: '1.5' is not two words"),
        (("1.5 2", "1.6 2"), r"straight\[1\]: '1.6' is not 3 cells, each one of"),
        (("1..1 2", "1.1 2"), r"block\[1\]: '1.1' is not 4 cells"),
        (("1.S. 2", "1.S. 6"), r"block\[2\]: '6' is not a number of dots from 1 to 5"),
        (("1.S. 2", "1.S. 0"), r"block\[2\]: '0' is not a number of dots"),
        (("small", 'small" "'), "not TOML"),
        (('bend = ["... 2",', "bend = [" + '"... 2", ' * 60), "straight, bend, block: 71 cards in all, more than 64"),
    ],
)
def test_what_is_wrong_with_a_deck_is_said(tmp_path, change, message):
    path = tmp_path / "wrong.toml"
    path.write_text(SMALL.replace(*change))
    with pytest.raises(DeckError, match=message) as error:
        gamelab.load("web", deck=str(path))
    assert str(path) in str(error.value)


def test_unreadable_decks(tmp_path):
    with pytest.raises(DeckError, match="no deck of that name; known: standard"):
        gamelab.load("web", deck="stanard")
    with pytest.raises(DeckError, match="cannot be read"):
        gamelab.load("web", deck=str(tmp_path))
    large = tmp_path / "large.toml"
    large.write_text("#" * 100_001)
    with pytest.raises(DeckError, match="more than 100000 bytes"):
        gamelab.load("web", deck=str(large))
    small = tmp_path / "small.toml"
    small.write_text(SMALL)
    assert gamelab.load("web", deck=str(small)).num_players == 2
    with pytest.raises(DeckError, match="straight: 4 cards, 3 players need 5"):
        gamelab.load("web", deck=str(small), players=3)


def test_a_game_with_a_deck_of_ones_own_can_be_sent_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    game = gamelab.load("web", deck="mine.toml")
    monkeypatch.chdir(DECKS)
    assert pickle.loads(pickle.dumps(game)) == game
