"""The picture of Netwerk: what its shapes say, read back from the SVG, and the chain along which a network is drawn."""

import functools
import itertools
from xml.etree import ElementTree

import numpy as np
import pytest

import gamelab
from gamelab.games.netwerk.chain import find_network
from gamelab.games.netwerk.network import has_network
from gamelab.testing import random_states
from tests.naive import netwerk as naive

SVG = "{http://www.w3.org/2000/svg}"
NAMES = {"W": "White", "B": "Black"}
INNER = [file + rank for file in "bcdefg" for rank in "234567"]


@functools.cache
def load(crowding="both", max_plies=200):
    return gamelab.load("netwerk", crowding=crowding, max_plies=max_plies)


def squares(text):
    """Names of squares given as column-row digits from the top left, the way the known answers are written."""
    return ["abcdefgh"[int(column)] + str(8 - int(row)) for column, row in text.split()]


def turned(text):
    """The same squares with columns and rows exchanged: Black's networks become White's."""
    return " ".join(row + column for column, row in text.split())


def text_of(stones, last):
    rows = ["".join(stones.get(file + str(rank), ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    return "\n".join([*rows, last]) + "\n"


def position(colour, own, other="", last="W"):
    """A state with Black's stones `own`, or the same board turned for White."""
    if colour == "W":
        own, other = turned(own), turned(other)
    opponent = naive.OTHER[colour]
    stones = dict.fromkeys(squares(own), colour) | dict.fromkeys(squares(other), opponent)
    return load().state_from_text(text_of(stones, last))


def chain_names(colour, chain):
    return squares(turned(chain) if colour == "W" else chain)


def found_chain(state, colour):
    return [naive.SQUARES[square] for square in find_network(state.array[0], "WB".index(colour))]


def played(state, *moves):
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


class Picture:
    """An SVG taken apart: its shapes by class, and what square a point lies on."""

    def __init__(self, state):
        self.svg = state.to_svg()
        self.root = ElementTree.fromstring(self.svg)
        self.edge = {}
        boards = self.all("square")
        lefts, tops = (sorted({float(rect.get(axis)) for rect in boards}) for axis in "xy")
        for rect in boards:
            file, rank = lefts.index(float(rect.get("x"))), 7 - tops.index(float(rect.get("y")))
            self.edge["abcdefgh"[file] + str(rank + 1)] = rect

    def all(self, *classes):
        return [shape for shape in self.root.iter() if {*classes} <= {*shape.get("class", "").split()}]

    def square(self, x, y):
        """The name of the square whose centre a point is."""
        for name, rect in self.edge.items():
            left, top, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
            if (left + width / 2, top + height / 2) == (float(x), float(y)):
                return name
        raise AssertionError(f"({x}, {y}) is no centre of a square")

    def circles(self, *classes):
        found = [shape for shape in self.all(*classes) if shape.tag == f"{SVG}circle"]
        return sorted(self.square(shape.get("cx"), shape.get("cy")) for shape in found)

    def stones(self):
        return {square: colour for colour in "WB" for square in self.circles("stone", NAMES[colour])}

    def chains(self):
        """The squares of each line drawn for a network, outline and line being one."""
        lines = {line.get("points") for line in self.all("network")}
        return [[self.square(*point.split(",")) for point in points.split()] for points in lines]

    def caption(self):
        (caption,) = self.all("caption")
        return caption.text

    def thick_edged(self):
        """Whose hand has an edge that stands out."""
        trays = {colour: self.all("tray", NAMES[colour])[0] for colour in "WB"}
        return [colour for colour, tray in trays.items() if float(tray.get("stroke-width", 1)) > 1]


def assert_shows(state):
    """The picture is well formed and says what the twin's reading of the position says."""
    picture, twin = Picture(state), naive.parse(state.to_text(), max_plies=int(state.array[0]["max_plies"]))
    assert len(picture.edge) == 64
    assert picture.stones() == twin.stones
    assert len(picture.all("stone")) == len(twin.stones)
    for colour, number in zip("WB", twin.hands, strict=True):
        assert len(picture.all("hand", NAMES[colour])) == number
    result = naive.result(twin)
    if result in ("W", "B"):
        (chain,) = picture.chains()
        assert {tuple(chain), tuple(reversed(chain))} & naive.networks(twin, result)
    else:
        assert picture.chains() == []
    caption = {None: f"{NAMES[twin.to_move]} to move", "draw": "Draw"}.get(result) or f"{NAMES[result]} has won"
    assert picture.caption().startswith(caption)
    assert picture.thick_edged() == ([twin.to_move] if result is None else [])
    return picture


# --- the board --------------------------------------------------------------------------------------------------------


def test_board_of_the_start():
    picture = assert_shows(load().new_initial_state())
    assert {*picture.edge} == {*naive.SQUARES}
    assert picture.stones() == {}
    assert picture.caption() == "White to move, ply 0"
    assert picture.all("last") == picture.all("lifted") == []


def test_goals_corners_and_field_differ():
    fills = {name: rect.get("fill") for name, rect in Picture(load().new_initial_state()).edge.items()}
    areas = [naive.CORNERS, set().union(*naive.GOALS["W"]), set().union(*naive.GOALS["B"]), {*INNER}]
    assert sum(map(len, areas)) == 64
    colours = [{fills[name] for name in area} for area in areas]
    assert all(len(colour) == 1 for colour in colours)
    assert len(set().union(*colours)) == 4


@pytest.mark.parametrize("colour", "WB")
def test_a_hand_has_the_tint_of_its_goals_and_a_name(colour):
    picture = Picture(load().new_initial_state())
    (tray,) = picture.all("tray", NAMES[colour])
    assert all(picture.edge[name].get("fill") == tray.get("fill") for goal in naive.GOALS[colour] for name in goal)
    left, top, width, height = (float(tray.get(key)) for key in ("x", "y", "width", "height"))
    (label,) = (text for text in picture.root.iter(f"{SVG}text") if text.text == NAMES[colour])
    shapes = [(stone.get("cx"), stone.get("cy")) for stone in picture.all("hand", NAMES[colour])]
    for x, y in [(label.get("x"), label.get("y")), *shapes]:
        assert left < float(x) < left + width
        assert top < float(y) < top + height


def test_blacks_hand_lies_above_whites():
    picture = Picture(load().new_initial_state())
    black, white = (float(picture.all("tray", NAMES[colour])[0].get("y")) for colour in "BW")
    assert black < white


def test_coordinates_stand_beside_their_lines():
    picture = Picture(load().new_initial_state())
    texts = {text.text: text for text in picture.root.iter(f"{SVG}text")}
    for letter in "abcdefgh":
        rect = picture.edge[letter + "1"]
        assert float(texts[letter].get("x")) == float(rect.get("x")) + float(rect.get("width")) / 2
    for digit in "12345678":
        rect = picture.edge["a" + digit]
        assert 0 < float(texts[digit].get("y")) - float(rect.get("y")) < float(rect.get("height"))


def test_self_contained():
    picture = Picture(played(load().new_initial_state(), "c4"))
    width, height = picture.root.get("width"), picture.root.get("height")
    assert picture.root.get("viewBox") == f"0 0 {width} {height}"
    tags = {shape.tag.removeprefix(SVG) for shape in picture.root.iter()}
    assert not {"style", "script", "image", "use", "foreignObject"} & tags
    # Nothing is named, so that many pictures can stand on one page; no colour is left to the page.
    attributes = {key for shape in picture.root.iter() for key in shape.attrib}
    assert not {key for key in attributes if key == "id" or "href" in key}
    assert "currentColor" not in picture.svg
    assert all("fill" in shape.attrib for shape in picture.root.iter(f"{SVG}text"))
    backdrop = next(picture.root.iter(f"{SVG}rect"))
    assert (backdrop.get("width"), backdrop.get("height")) == (width, height)


def test_title_says_what_is_to_be_seen():
    picture = Picture(played(load().new_initial_state(), "c4"))
    title = picture.root[0]
    assert title.tag == f"{SVG}title"
    assert title.text == "Netwerk: Black to move, ply 1, last c4"
    assert picture.root.get("role") == "img"


@pytest.mark.parametrize("seed", [1, 2])
def test_everything_lies_within_the_picture(seed):
    for state in random_states(load(), 100, np.random.default_rng(seed)):
        picture = Picture(state)
        width, height = float(picture.root.get("width")), float(picture.root.get("height"))
        for circle in picture.root.iter(f"{SVG}circle"):
            x, y, r = (float(circle.get(key)) for key in ("cx", "cy", "r"))
            assert r < min(x, y, width - x, height - y)
        for rect in picture.root.iter(f"{SVG}rect"):
            assert float(rect.get("x", 0)) + float(rect.get("width")) <= width
            assert float(rect.get("y", 0)) + float(rect.get("height")) <= height


# --- the last move ----------------------------------------------------------------------------------------------------


def test_a_stone_placed_is_marked():
    picture = assert_shows(played(load().new_initial_state(), "c4", "f1", "a5"))
    assert picture.circles("last") == ["a5"]
    assert picture.all("lifted") == []
    assert picture.caption() == "Black to move, ply 3, last a5"


def test_a_stone_moved_is_marked_with_where_it_came_from():
    state = position("B", "20 55", "11 66 05", "B hands 0 0 ply 30")
    picture = assert_shows(played(state, "c8-e6"))
    assert picture.circles("last") == ["e6"]
    assert picture.circles("lifted") == ["c8"]
    (line,) = (shape for shape in picture.all("lifted") if shape.get("d"))
    ends = [point.split() for point in line.get("d").removeprefix("M").split("L")]
    assert [picture.square(*end) for end in ends] == ["c8", "e6"]
    assert picture.caption() == "White to move, ply 31, last c8-e6"


PASSING = dict.fromkeys(["b6", "c6", "f6", "g6", "b3", "c3", "f3", "g3"], "W")


def test_a_pass_is_in_the_caption_only():
    picture = assert_shows(played(load().state_from_text(text_of(PASSING, "W")), "pass"))
    assert picture.all("last") == picture.all("lifted") == []
    assert picture.caption() == "Black to move, ply 9, last pass"


def test_a_draw_by_passes():
    picture = assert_shows(played(load().state_from_text(text_of(PASSING, "W ply 9 passes 1")), "pass"))
    assert picture.caption() == "Draw, ply 10, last pass"


def test_a_draw_by_max_plies():
    state = load(max_plies=2).new_initial_state()
    assert assert_shows(played(state, "c4", "f1")).caption() == "Draw, ply 2, last f1"


def test_the_mark_lies_over_the_stone_and_the_way_below():
    state = played(position("B", "20 55", "11 66 05", "B hands 0 0 ply 30"), "c8-e6")
    kinds = [shape.get("class", "").split(" ")[0] for shape in Picture(state).root.iter()]
    stones = [place for place, kind in enumerate(kinds) if kind == "stone"]
    assert max(place for place, kind in enumerate(kinds) if kind == "lifted") < min(stones)
    assert kinds.index("last") > max(stones)


# --- the winning network ----------------------------------------------------------------------------------------------

FOUR = "20 60 13 33 25 35 55 65 57"
FIRST = "60 65 55 33 35 57"
SHORTEST = [FIRST, "60 33 13 35 55 57", "20 25 35 33 55 57"]
CROSSING = "20 25 35 13 33 55 57"


def assert_drawn(state, colour, *chains):
    """The line goes along one of the chains, from either end, and `find_network` says the same."""
    (line,) = assert_shows(state).chains()
    assert found_chain(state, colour) == line
    either_way = [order for chain in chains for order in (chain_names(colour, chain), chain_names(colour, chain)[::-1])]
    assert line in either_way


@pytest.mark.parametrize("colour", "BW")
def test_one_of_the_shortest_of_four_networks(colour):
    assert_drawn(position(colour, FOUR), colour, *SHORTEST)


@pytest.mark.parametrize("colour", "BW")
def test_the_only_network_left_by_a_stone_in_the_way(colour):
    assert_drawn(position(colour, FOUR, "56"), colour, FIRST)


@pytest.mark.parametrize("colour", "BW")
def test_a_network_of_seven_that_crosses_itself(colour):
    # With 34 taken, 35 and 33 no longer see each other: the way round is left.
    assert_drawn(position(colour, CROSSING, "34"), colour, CROSSING)


@pytest.mark.parametrize("colour", "BW")
@pytest.mark.parametrize("stones", ["60 20 42 33 35 57", "20 42 60 65 55 57", "60 42 33 35 25 27"])
def test_no_network_no_line(colour, stones):
    state = position(colour, stones)
    assert found_chain(state, colour) == []
    assert assert_shows(state).chains() == []


@pytest.mark.parametrize("colour", "BW")
@pytest.mark.parametrize("missing", FIRST.split())
def test_a_network_completed_by_placing(colour, missing):
    state = position(colour, FIRST.replace(missing, ""), last=colour)
    (square,) = chain_names(colour, missing)
    assert_drawn(played(state, square), colour, FIRST)
    assert Picture(state).circles("last") == [square]
    assert Picture(state).caption() == f"{NAMES[colour]} has won, ply 6, last {square}"


@pytest.mark.parametrize("colour", "BW")
def test_a_network_completed_by_moving(colour):
    state = position(colour, FIRST.replace("33", "22"), last=f"{colour} hands 0 0")
    source, target = chain_names(colour, "22 33")
    assert_drawn(played(state, f"{source}-{target}"), colour, FIRST)
    assert Picture(state).circles("lifted") == [source]
    assert Picture(state).circles("last") == [target]


@pytest.mark.parametrize("colour", "BW")
def test_a_network_opened_by_the_opponent(colour):
    # The stone on 46 stands between 35 and 57; lifted, it gives the other the game.
    opponent = naive.OTHER[colour]
    state = position(colour, FIRST, "46 03", last=f"{opponent} hands 0 0")
    source, target = chain_names(colour, "46 05")
    assert not state.is_terminal()
    assert_drawn(played(state, f"{source}-{target}"), colour, FIRST)
    assert Picture(state).caption().startswith(f"{NAMES[colour]} has won")
    assert Picture(state).circles("stone", NAMES[opponent]) == sorted(chain_names(colour, "03 05"))


# --- any position -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("crowding", ["both", "first"])
def test_random_games(crowding):
    for state in random_states(load(crowding), 400, np.random.default_rng(17)):
        record = state.array.tobytes()
        picture = assert_shows(state)
        last = state.action_to_string(state.history()[-1]).split("-") if state.history() else ["pass"]
        assert picture.circles("last") == [name for name in last[-1:] if name != "pass"]
        assert picture.circles("lifted") == last[:-1]
        assert state.array.tobytes() == record


def crowded_board(rng, colour):
    """Six to eight stones of a colour inside, one in either goal, a few of the other's: networks and near misses."""
    stones = dict.fromkeys(map(str, rng.choice(INNER, 6 + rng.integers(3), replace=False)), colour)
    for goal in naive.GOALS[colour]:
        stones[str(rng.choice(sorted(goal)))] = colour
    for square in map(str, rng.choice(INNER, rng.integers(6), replace=False)):
        stones.setdefault(square, naive.OTHER[colour])
    return stones


def sees(stones, one, other):
    """The direction from one stone to another that it sees, worked out from their names."""
    files, ranks = ord(other[0]) - ord(one[0]), int(other[1]) - int(one[1])
    distance = max(abs(files), abs(ranks))
    assert {abs(files), abs(ranks)} <= {0, distance}
    direction = files // distance, ranks // distance
    between = [(ord(one[0]) + direction[0] * i, int(one[1]) + direction[1] * i) for i in range(1, distance)]
    assert not [square for square in between if chr(square[0]) + str(square[1]) in stones]
    return direction


def assert_network(stones, colour, chain):
    """The chain keeps each of the rules of a network."""
    assert len(chain) >= 6
    assert len({*chain}) == len(chain)
    assert all(stones[square] == colour for square in chain)
    in_goals = [square[0] in "ah" if colour == "W" else square[1] in "18" for square in chain]
    assert in_goals == [True, *[False] * (len(chain) - 2), True]
    axis = 0 if colour == "W" else 1
    assert chain[0][axis] != chain[-1][axis]
    directions = [sees(stones, one, other) for one, other in itertools.pairwise(chain)]
    assert all(one != other for one, other in itertools.pairwise(directions))


@pytest.mark.parametrize("colour", "WB")
def test_find_network_agrees_with_has_network_and_keeps_the_rules(colour):
    rng = np.random.default_rng(23)
    player, lengths = "WB".index(colour), []
    for _ in range(2500):
        stones = crowded_board(rng, colour)
        state = load().state_from_text(text_of(stones, naive.OTHER[colour]))
        own, other = state.array[0]["stones"][player], state.array[0]["stones"][1 - player]
        chain = found_chain(state, colour)
        assert bool(chain) == has_network(own, own | other, player)
        lengths.append(len(chain))
        if chain:
            assert_network(stones, colour, chain)
    assert min(lengths.count(0), len(lengths) - lengths.count(0)) > 300
    assert max(lengths) > 6


@pytest.mark.parametrize("colour", "WB")
def test_find_network_is_as_short_as_any(colour):
    rng = np.random.default_rng(29)
    longer = 0
    for _ in range(600):
        text = text_of(crowded_board(rng, colour), naive.OTHER[colour])
        networks = naive.networks(naive.parse(text), colour)
        chain = found_chain(load().state_from_text(text), colour)
        assert len(chain) == min(map(len, networks), default=0)
        longer += len(chain) > 6
    assert longer > 5
