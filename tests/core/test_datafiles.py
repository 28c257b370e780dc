"""Data files that parameters name: where they are, and games made of files that have changed."""

import os
import shutil
from pathlib import Path

import pytest

import gamelab
from gamelab.core.errors import ParameterError

WEBS = Path(gamelab.__file__).parent / "games" / "spiderwars" / "webs"


@pytest.mark.parametrize(
    ("game", "parameter"), [("spiderwars", "web"), ("web", "deck"), ("kreuzquer", "tiles"), ("kreuzquer", "boards")]
)
@pytest.mark.parametrize("path", ["~nobody-of-this-name/my.toml", "null\0byte.toml"])
def test_what_is_no_path_is_said(game, parameter, path):
    with pytest.raises(ParameterError, match=f"{game}, {parameter} .* is no path"):
        gamelab.load(game, **{parameter: path})


@pytest.mark.parametrize(
    ("game", "parameter"), [("spiderwars", "web"), ("web", "deck"), ("kreuzquer", "tiles"), ("kreuzquer", "boards")]
)
def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path, game, parameter):
    os.mkfifo(tmp_path / "pipe.toml")
    for path, reason in ((tmp_path / "pipe.toml", "no regular file"), ("/dev/zero", "no regular file"), (tmp_path, "Is a dir")):
        with pytest.raises(ParameterError, match=f"{game}, {parameter} .*: cannot be read: {reason}"):
            gamelab.load(game, **{parameter: str(path)})


def test_the_same_file_is_the_same_from_any_folder(tmp_path, monkeypatch):
    shutil.copy(WEBS / "mini.toml", tmp_path / "my.toml")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert gamelab.load("spiderwars", web="../my.toml") == gamelab.load("spiderwars", web=str(tmp_path / "my.toml"))


def test_a_changed_file_makes_another_game(tmp_path):
    shutil.copy(WEBS / "mini.toml", tmp_path / "my.toml")
    before = gamelab.load("spiderwars", web=str(tmp_path / "my.toml"))
    assert before == gamelab.load("spiderwars", web=str(tmp_path / "my.toml"))
    shutil.copy(WEBS / "standard.toml", tmp_path / "my.toml")
    assert before.rules_fingerprint() != gamelab.load("spiderwars", web=str(tmp_path / "my.toml")).rules_fingerprint()
    assert before != gamelab.load("spiderwars", web=str(tmp_path / "my.toml"))


@pytest.mark.parametrize(
    ("game", "parameter", "folder", "old", "new"),
    [
        ("web", "deck", "decks", "S33 1", "S33 3"),
        ("kreuzquer", "tiles", "tiles", '"w-w-", copies = 2', '"w-w-", copies = 1'),
        ("kreuzquer", "boards", "boards", "31-22", "13-22"),
    ],
)
def test_a_fingerprint_tells_what_a_file_says(tmp_path, game, parameter, folder, old, new):
    path = tmp_path / "my.toml"
    text = (WEBS.parent.parent / game / folder / "standard.toml").read_text()

    def fingerprint(content):
        path.write_text(content)
        return gamelab.load(game, **{parameter: str(path)}).rules_fingerprint()

    assert fingerprint(text) == fingerprint(f"# another comment\n{text}")
    assert fingerprint(text) != fingerprint(text.replace(old, new, 1))
