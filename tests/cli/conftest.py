"""What the tests of the command line share: command lines that go well, and ones that must be refused."""

import json
import shlex

import pytest

from gamelab.cli import run


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(folder, capsys):
    """Runs a command line that goes well; what it printed."""

    def call(line):
        capsys.readouterr()
        status = run(shlex.split(line))
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return call


@pytest.fixture
def from_json(command):
    """Runs a command line with --json; what it printed, as Python objects."""
    return lambda line: json.loads(command(f"{line} --json"))


@pytest.fixture
def refusal(folder, capsys):
    """Runs a command line that must be refused; its one line of complaint. No file may come, go or change."""

    def call(line):
        capsys.readouterr()
        before = contents(folder)
        status = run(shlex.split(line))
        out, err = capsys.readouterr()
        assert (status, out) == (2, "")
        assert err.startswith("gamelab: ")
        assert err.index("\n") == len(err) - 1
        assert contents(folder) == before
        return err.removeprefix("gamelab: ").rstrip("\n")

    return call


def contents(folder):
    """Every path below a folder, with the bytes of the files."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
