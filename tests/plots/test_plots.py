"""The figures of a result: what their artists hold, for tournaments plain and odd."""

import io
import subprocess
import sys
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import gamelab
from gamelab.arena.match import GameRecord
from gamelab.arena.result import Result
from gamelab.arena.schedule import Pairing, round_robin
from gamelab.arena.setup import Setup
from gamelab.core.errors import ParameterError, StoreError, UnknownNameError
from gamelab.plots import KINDS, draw
from gamelab.plots.lengths import MOST_BINS
from gamelab.plots.style import percent, signed, wrapped

LONG = ["mcts:sims=2000,c=0.7,solver=false,reuse=false,memory=512", "alphabeta:depth=6,memory=1024", "random", "greedy"]
TWELVE = [f"mcts:sims={2**i}" for i in range(12)]


def record(pairing, first_return, plies, forfeit=None):
    ending = "network" if forfeit is None else "forfeit: took too long"
    moves = tuple(f"{pairing.game_id}-{ply}" for ply in range(plies))
    return GameRecord(pairing, moves, 0, (first_return, -first_return), ending, forfeit, (), (), ())


def result_of(agents, records, planned=None, *, opening_plies=0):
    setup = Setup("netwerk", {"crowding": "both", "max_plies": 200}, list(agents), 1, opening_plies, None)
    return Result(setup, records, len(records) if planned is None else planned)


def random_result(agents, games, *, played=None, seed=1, longest=60):
    rng = np.random.default_rng(seed)
    pairings = list(round_robin(agents, games))[:played]
    records = [record(pairing, float(rng.integers(-1, 2)), int(rng.integers(10, longest))) for pairing in pairings]
    return result_of(agents, records, games)


def swept():
    """The second agent wins all its games."""
    agents = ["random", "greedy"]
    records = [record(p, 1.0 if p.seats[0] == "greedy" else -1.0, 20 + p.game_id) for p in round_robin(agents, 10)]
    return result_of(agents, records)


def single_length():
    return result_of(["a", "b", "c"], [record(p, 0.0, 9) for p in round_robin(["a", "b", "c"], 12)])


def with_forfeits():
    agents = ["a", "b"]
    forfeits = {0: 0, 5: 1}
    records = []
    for pairing in round_robin(agents, 12):
        forfeit = forfeits.get(pairing.game_id)
        lost = -1.0 if forfeit == 0 else 1.0
        records.append(record(pairing, lost, 1 if forfeit is not None else 30 + pairing.game_id, forfeit))
    return result_of(agents, records)


CASES = {
    "two": random_result(["random", "greedy"], 20),
    "swept": swept(),
    "long specs": random_result(LONG, 60),
    "twelve": random_result(TWELVE, 132),
    "incomplete": random_result(TWELVE[:5], 80, played=7),
    "one game": random_result(["a", "b", "c"], 12, played=1),
    "single length": single_length(),
    "forfeits": with_forfeits(),
    "long games": random_result(["a", "b"], 40, longest=3000),
}


def words(figure):
    """All that is written in a figure, in one line a text; laid out first, so that tick labels are there."""
    figure.draw_without_rendering()
    found = [*figure.texts, *(text for axes in figure.axes for text in axes.findobj(mpl.text.Text))]
    return [text.get_text() for text in found if text.get_text()]


def global_state():
    """What pyplot and the settings hold; but for the backend, which would be chosen by being looked at."""
    return pyplot.get_fignums(), {key: mpl.rcParams[key] for key in mpl.rcParams if key != "backend"}


def ranked(result):
    return [row["name"] for row in result.ratings().to_records()]


def scored(result, seed=1):
    """The same games with scores, the winner's the larger; those of forfeits stay unknown."""
    rng = np.random.default_rng(seed)
    return replace(result, records=[
        record if record.forfeit is not None else replace(record, scores=tuple(
            float(rng.integers(-60, 0)) + 100 * value for value in record.returns))
        for record in result.records
    ])  # fmt: skip


def bars(figure):
    """Heights of the bars by the winner's label: first player, draw, second player."""
    return {
        container.get_label().split(":")[0]: np.array([bar.get_height() for bar in container])
        for container in figure.axes[0].containers
    }


# All figures


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_every_figure_can_be_saved_with_everything_inside(case, kind):
    before = global_state()
    figure = draw(scored(CASES[case]), kind)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    assert isinstance(figure, Figure)
    assert buffer.getvalue().startswith(b"\x89PNG")
    assert global_state() == before
    inside, page = figure.get_tightbbox().extents, figure.bbox_inches.extents
    assert (inside[:2] >= page[:2]).all()
    assert (inside[2:] <= page[2:]).all()
    title, facts, notes = (text.get_window_extent() for text in figure.texts)
    axes = figure.axes[0].get_tightbbox()
    assert title.y0 > facts.y1
    assert facts.y0 >= axes.y1
    assert axes.y0 >= notes.y1 or not notes.height


@pytest.mark.parametrize("kind", KINDS)
def test_heading_says_what_was_played(kind):
    written = " ".join(words(draw(scored(CASES["incomplete"]), kind)))
    for part in ("netwerk", "crowding=both", "max_plies=200", "7 games of 80 planned, 7 distinct", "seed 1"):
        assert part in written
    assert "openings" not in written
    opened = result_of(["a", "b"], CASES["two"].records[:0], 0, opening_plies=1)
    opened.records.extend(record(pairing, 1.0, 9) for pairing in round_robin(["a", "b"], 2))
    assert "openings of 1 random ply" in " ".join(words(draw(scored(opened), kind)))


def test_repeated_games_are_not_distinct():
    same = [GameRecord(p, ("c4",), 0, (1.0, -1.0), "x", None, (), (), ()) for p in round_robin(["a", "b"], 6)]
    assert "6 games, 1 distinct" in " ".join(words(draw(result_of(["a", "b"], same), "ratings")))


def test_unknown_kind_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"'pie'.*crosstable, lengths, ratings"):
        draw(CASES["two"], "pie")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_draw(kind):
    with pytest.raises(StoreError, match="no game"):
        draw(result_of(["a", "b"], [], 2), kind)


def test_importing_the_package_does_not_import_matplotlib_nor_drawing_pyplot():
    code = (
        "import sys, gamelab, gamelab.plots; assert 'matplotlib' not in sys.modules;"
        "result = gamelab.Tournament('tictactoe', ['random', 'greedy'], games=4, seed=1).run();"
        "assert result.plot('lengths')._repr_png_().startswith(b'\\x89PNG');"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_looks_the_same_whatever_the_users_settings():
    def png():
        return draw(CASES["swept"], "lengths")._repr_png_()

    plain = png()
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "black", "text.color": "red", "axes.grid": True}):
        assert png() == plain


def test_a_spec_is_no_mathematics():
    agents = ["a$_1$", "b$^{$"]
    figure = draw(result_of(agents, [record(p, 1.0, 9) for p in round_robin(agents, 2)]), "ratings")
    figure.savefig(io.BytesIO())
    assert "a$_1$" in words(figure)


def test_of_a_tournament_as_played():
    result = gamelab.Tournament("tictactoe", ["random", "greedy"], games=12, seed=3).run()
    assert sum(height.sum() for height in bars(result.plot("lengths")).values()) == 12
    assert words(result.plot("crosstable")).count("12") == 4
    assert [label.get_text() for label in result.plot().axes[0].get_yticklabels()] == ranked(result)


# Scores


@pytest.mark.parametrize("case", ["two", "long specs", "forfeits"])
def test_scores_are_sorted_with_their_spread_and_intervals(case):
    result = scored(CASES[case])
    axes = draw(result, "scores").axes[0]
    means = result.mean_scores()
    wide, middle, intervals = (np.array(artist.get_segments()) for artist in axes.collections[:3])
    for row, (spec, mean) in enumerate(means.items()):
        sample = result.seat_scores()[(result.seated() == result.setup.agents.index(spec)) & ~np.isnan(result.seat_scores())]
        np.testing.assert_allclose(wide[row], np.column_stack([np.quantile(sample, [0.05, 0.95]), [row, row]]))
        np.testing.assert_allclose(middle[row], np.column_stack([np.quantile(sample, [0.25, 0.75]), [row, row]]))
        np.testing.assert_allclose(intervals[row, :, 0], [mean.low, mean.high])
    np.testing.assert_allclose(axes.collections[3].get_offsets()[:, 0], [mean.value for mean in means.values()])
    assert [label.get_text() for label in axes.get_yticklabels()] == list(map(wrapped, means))


def test_scores_tell_seats_and_forfeits():
    written = " ".join(words(draw(scored(CASES["forfeits"]), "scores")))
    assert "seat 2: " in written
    assert "In 2 forfeited games who forfeited has the lowest score of all" in written


def test_games_without_scores_have_no_such_figure():
    with pytest.raises(ParameterError, match="no figure 'scores' of 20 games of which 0 have scores; there is: crosstable, l"):
        draw(CASES["two"], "scores")
    forfeited = replace(CASES["forfeits"], records=CASES["forfeits"].forfeits())
    with pytest.raises(StoreError, match="no game was finished"):
        draw(forfeited, "scores")


# Ratings


@pytest.mark.parametrize("case", ["two", "swept", "long specs", "twelve", "incomplete"])
def test_ratings_are_sorted_with_their_intervals(case):
    result = CASES[case]
    axes = draw(result, "ratings").axes[0]
    rows = result.ratings().to_records()
    (intervals,) = (artist for artist in axes.collections if isinstance(artist, LineCollection))
    (points,) = (artist for artist in axes.collections if isinstance(artist, PathCollection))
    expected = [[(row["low"], place), (row["high"], place)] for place, row in enumerate(rows)]
    np.testing.assert_allclose(intervals.get_segments(), expected)
    np.testing.assert_allclose(points.get_offsets(), [(row["elo"], place) for place, row in enumerate(rows)])
    assert [label.get_text() for label in axes.get_yticklabels()] == [wrapped(row["name"]) for row in rows]
    assert axes.get_ylim() == (len(rows) - 0.5, -0.5)
    assert "Elo" in axes.get_xlabel()


def test_ratings_are_written_beside_the_intervals():
    result = CASES["swept"]
    written = words(draw(result, "ratings"))
    best = result.ratings().to_records()[0]
    assert {signed(best["elo"]), signed(-best["elo"]), "100.0 %", "0.0 %", "10"} <= set(written)


def test_first_move_advantage_has_its_interval():
    result = CASES["long specs"]
    written = " ".join(words(draw(result, "ratings")))
    elo, share = result.ratings().first_move_elo, result.first_player()
    assert f"{signed(elo.value)} ({signed(elo.low)} to {signed(elo.high)}) Elo" in written
    assert f"{percent(share.value, 1)} ({percent(share.low, 1)} to {percent(share.high, 1)})" in written
    assert "95 % intervals" in written


def test_agents_without_games_are_hollow_and_warned_of():
    figure = draw(CASES["one game"], "ratings")
    (points,) = (artist for artist in figure.axes[0].collections if isinstance(artist, PathCollection))
    white = [tuple(face) == (1, 1, 1, 1) for face in points.get_facecolors()]
    assert white == [name == "c" for name in ranked(CASES["one game"])]
    written = " ".join(words(figure))
    assert "no games yet" in written
    assert "not linked" in written
    assert "not linked" not in " ".join(words(draw(CASES["two"], "ratings")))


# Cross table


@pytest.mark.parametrize("case", ["two", "swept", "twelve", "incomplete", "one game"])
def test_cells_are_shares_by_rating(case):
    result = CASES[case]
    axes = draw(result, "crosstable").axes[0]
    names = ranked(result)
    expected = 100 * result.crosstable().loc[names, names].to_numpy()
    image = axes.images[0]
    np.testing.assert_allclose(np.ma.filled(image.get_array(), np.nan), expected)
    assert image.get_clim() == (0, 100)
    assert min(image.cmap(0.5)[:3]) > 0.95  # white at a half
    assert [text.get_text() for text in axes.texts if text.get_text() in map(wrapped, names)] == names


def test_cells_hold_share_and_games():
    result = CASES["incomplete"]
    axes = draw(result, "crosstable").axes[0]
    names = ranked(result)
    cells = {}
    for text in axes.texts:
        column, row = text.get_position()
        cells.setdefault((round(row), round(column)), []).append(text.get_text())
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            games = [r for r in result.records if {*r.pairing.seats} == {one, other}]
            points = sum((r.returns[r.pairing.seats.index(one)] + 1) / 2 for r in games)
            if games and column:  # names stand left of the first column
                assert cells[row, column] == [percent(points / len(games)), str(len(games))]
            assert games or column == 0 or (row, column) not in cells


def test_never_met_is_hatched_and_the_diagonal_blank():
    figure = draw(CASES["one game"], "crosstable")
    patches = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle) and patch.get_hatch()]
    third = ranked(CASES["one game"]).index("c")
    met = [place for place in range(3) if place != third]
    hatched = {(round(patch.get_y() + 0.5), round(patch.get_x() + 0.5)) for patch in patches}
    assert hatched == {(third, place) for place in met} | {(place, third) for place in met}
    assert "Hatched: never met." in " ".join(words(figure))
    assert "Hatched" not in " ".join(words(draw(CASES["twelve"], "crosstable")))


# Lengths


@pytest.mark.parametrize("case", CASES)
def test_bars_add_up_to_the_games(case):
    result = CASES[case]
    figure = draw(result, "lengths")
    axes, heights = figure.axes[0], bars(figure)
    finished = [r for r in result.records if r.forfeit is None]
    for name, sign in (("first player won", 1), ("draw", 0), ("second player won", -1)):
        assert heights[name].sum() == sum(np.sign(r.returns[0]) == sign for r in finished)
    below = np.zeros(len(heights["draw"]))
    for container in axes.containers:
        assert [bar.get_y() for bar in container] == below.tolist()
        below += [bar.get_height() for bar in container]
    for bar, height in zip(axes.containers[0], below, strict=True):
        assert sum(bar.get_x() < r.plies < bar.get_x() + bar.get_width() for r in finished) == height
        assert bar.get_x() % 1 == 0.5
    assert axes.get_ylim()[1] > below.max()


@pytest.mark.parametrize("longest", [11, 60, 61, 200, 500, 3000, 400_000])
def test_bins_are_few_and_hold_as_many_odd_lengths_as_even_ones(longest):
    records = [record(Pairing(i, 0, ("a", "b"), ("a", "b")), 1.0, 10) for i in range(2)]
    records[1] = record(records[1].pairing, -1.0, longest)
    figure = draw(result_of(["a", "b"], records), "lengths")
    container = figure.axes[0].containers[0]
    width = container[0].get_width()
    assert len(container) <= MOST_BINS + 1
    assert width == 1 or width % 2 == 0
    assert (f"{width:g} to a bar" in figure.axes[0].get_xlabel()) == (width > 1)
    assert "plies" in figure.axes[0].get_xlabel()


def test_the_first_player_is_who_acted_first():
    games = [replace(game, starter=1) for game in CASES["two"].records]
    turned, plain = (bars(draw(replace(CASES["two"], records=records), "lengths")) for records in (games, CASES["two"].records))
    assert (turned["first player won"] == plain["second player won"]).all()
    assert (turned["draw"] == plain["draw"]).all()


def test_mean_and_median_are_marked():
    result = CASES["two"]
    axes = draw(result, "lengths").axes[0]
    marks = {line.get_label(): line.get_xdata()[0] for line in axes.lines}
    lengths = result.lengths()
    assert marks == {f"mean {lengths.mean:.1f}": lengths.mean, f"median {lengths.median:g}": lengths.median}
    assert {*marks} <= {text.get_text() for text in axes.get_legend().get_texts()}


def test_forfeits_are_left_out_and_said_so():
    assert "2 forfeited games" in " ".join(words(draw(CASES["forfeits"], "lengths")))
    assert "forfeited" not in " ".join(words(draw(CASES["two"], "lengths")))
    only = result_of(["a", "b"], [record(p, 1.0, 0, forfeit=1) for p in round_robin(["a", "b"], 2)])
    with pytest.raises(StoreError, match="no game was finished"):
        draw(only, "lengths")
    assert draw(only, "ratings").axes
    assert draw(only, "crosstable").axes


# Words


def test_long_specs_break_between_options():
    lines = wrapped(LONG[0]).split("\n")
    assert "".join(lines) == LONG[0]
    assert len(lines) == 3
    assert all(line.endswith(",") for line in lines[:-1])
    assert max(map(len, wrapped("x" * 70).split("\n"))) == 26


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [(0, 0, "0 %"), (1, 0, "100 %"), (0.001, 0, "1 %"), (0.999, 0, "99 %"), (0.5, 1, "50.0 %"), (0.9999, 1, "99.9 %")],
)
def test_percent(share, digits, text):
    assert percent(share, digits) == text


@pytest.mark.parametrize(("elo", "text"), [(0.4, "0"), (-0.4, "0"), (12.6, "+13"), (-12.6, "\N{MINUS SIGN}13")])
def test_signed(elo, text):
    assert signed(elo) == text
