"""The pages of docs/ are true: what they quote is the code, and what they show runs."""

import doctest
import functools
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

import gamelab
from gamelab.games import game_names

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)(?: ([\w.-]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@functools.cache
def page(name="writing-a-game.md"):
    return (ROOT / "docs" / name).read_text()


def blocks(language, file=None):
    """The contents of the page's code blocks of one language, said to be from one file."""
    return [text for found, name, text in BLOCK.findall(page()) if (found, name) == (language, file or "")]


def test_every_block_is_of_a_kind_that_is_tested():
    kinds = {(language, name) for language, name, _ in BLOCK.findall(page())}
    assert kinds == {("python", "tictactoe.py"), ("python", "onepile.py"), ("toml", "pyproject.toml"), ("pycon", "")}
    assert len(BLOCK.findall(page())) == page().count("```") // 2


def test_the_quotations_are_the_whole_file_in_order():
    source = (ROOT / "gamelab" / "games" / "tictactoe.py").read_text()
    quoted = blocks("python", "tictactoe.py")
    for block in quoted:
        assert block in source, f"not in tictactoe.py (any more):\n{block}"
    assert lines_of_code("".join(quoted)) == lines_of_code(source)


def lines_of_code(text):
    return [line for line in text.splitlines() if line]


def test_files_and_links_that_the_page_names_exist():
    for name in re.findall(r"`((?:gamelab|tests)/[\w/.]*)`", page()):
        assert (ROOT / name).exists(), name
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)$", page(), re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]*)\)", page())) <= anchors


@pytest.fixture(scope="module")
def plug_in(tmp_path_factory):
    """The page's own game, installed as pip would: the module, and what its pyproject.toml says about entry points."""
    folder = tmp_path_factory.mktemp("onepile", numbered=False)
    project = tomllib.loads(blocks("toml", "pyproject.toml")[0])["project"]
    (group, entries), *rest = project["entry-points"].items()
    assert not rest
    lines = [f"[{group}]", *(f"{name} = {where}" for name, where in entries.items())]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (folder / "onepile.py").write_text(blocks("python", "onepile.py")[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        importlib.invalidate_caches()
        yield
    sys.modules.pop("onepile", None)


@pytest.mark.usefixtures("plug_in")
def test_the_examples_run():
    assert "onepile" in game_names()
    assert examples_run("writing-a-game.md") > 20


def examples_run(name):
    """Run a page's examples; how many there are."""
    # All else becomes empty lines, so that a failure names the line of the page.
    lines, inside = [], False
    for line in page(name).splitlines():
        inside = line == "```pycon" or (inside and line != "```")
        lines.append(line if inside and line != "```pycon" else "")
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, f"docs/{name}", f"docs/{name}", 0)
    report = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)
    return len(test.examples)


def test_the_examples_with_hidden_information_run():
    assert {language for language, _, _ in BLOCK.findall(page("hidden-information.md"))} == {"pycon"}
    assert examples_run("hidden-information.md") > 20


def test_the_table_of_kuhn_poker_is_of_agents_that_there_are():
    """Its figures are not measured again: that takes minutes."""
    text = page("hidden-information.md")
    rows = re.findall(r"^\| (\S+) \| ([\d.]+) \| ([\d.]+) ± [\d.]+ \|$", text, re.MULTILINE)
    command = re.search(r"`scripts/measure_regret.py (.*?)`", text).group(1)
    assert [name for name, _, _ in rows] == ["equilibrium", *(word for word in command.split() if word[0].isalpha())]
    for name, _, _ in rows[1:]:
        assert gamelab.make_agent(name).spec == name


@pytest.mark.usefixtures("plug_in")
def test_multiples_of_four_are_lost_for_the_player_to_move():
    """What the page says of its own game, by minimax over its compiled rules."""

    @functools.cache
    def wins(text):
        state = game.state_from_text(text)
        player = state.current_player()
        children = [state.child(action) for action in state.legal_actions()]
        return any(c.returns()[player] == 1 if c.is_terminal() else not wins(c.to_text()) for c in children)

    game = gamelab.load("onepile", counters=20)
    assert [left for left in range(1, 21) if not wins(f"{left} first")] == [4, 8, 12, 16, 20]
    assert [left for left in range(1, 21) if not wins(f"{left} second")] == [4, 8, 12, 16, 20]
