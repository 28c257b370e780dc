"""Data files that parameters name: where they are, and games made of files that have changed."""

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
    assert before != gamelab.load("spiderwars", web=str(tmp_path / "my.toml"))
