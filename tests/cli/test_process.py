"""The command as a process of its own: exit status, streams, pipes, terminals, Ctrl-C, and what it imports."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gamelab
from gamelab.cli import app

COMMAND = [sys.executable, "-m", "gamelab"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
INTERRUPT, END_OF_INPUT = b"\x03", b"\x04"
GREEDY_STORE = "tournament tictactoe -a random -a greedy --workers 1 --store my.db"


def surroundings(**changed):
    """The environment of a process, without what would colour its output."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return {**kept, "PYTHONPATH": str(Path(gamelab.__file__).parents[1]), "TERM": "xterm-256color", **changed}


@pytest.fixture
def process(folder):
    """Runs a command line as a process; options are those of `subprocess.run`."""

    def call(line, **options):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        if "input" in options:
            del streams["stdin"]
        return subprocess.run([*COMMAND, *line.split()], env=surroundings(), timeout=120, check=False, **{**streams, **options})

    return call


class Terminal:
    """A command line on a pseudo-terminal, which sends Ctrl-C and the like to it."""

    def __init__(self, line, **environment):
        child, self.end = pty.fork()
        if child == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # the tests may run in the background, where Ctrl-C is ignored
            os.execve(sys.executable, [*COMMAND, *line.split()], surroundings(**environment))
        self.child, self.shown = child, ""

    def wait_for(self, text, seconds=120):
        """Read until something is shown."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            assert self._read(deadline), self.shown

    def type(self, keys):
        os.write(self.end, keys)

    def leave(self, seconds=60):
        """Read to the end; the exit status."""
        deadline = time.monotonic() + seconds
        while self._read(deadline):
            if time.monotonic() > deadline:
                os.kill(self.child, signal.SIGKILL)
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])

    def _read(self, deadline):
        if not select.select([self.end], [], [], max(0, deadline - time.monotonic()))[0]:
            return False
        try:
            part = os.read(self.end, 65536)
        except OSError:  # Linux: the other end is closed
            return False
        self.shown += part.decode(errors="replace")
        return bool(part)


@pytest.fixture
def terminal(folder):
    return Terminal


# --- exit status and streams ------------------------------------------------------------------------------------------


def test_success_is_silent_on_standard_error(process):
    done = process("rules tictactoe")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Tic-tac-toe\n")


@pytest.mark.parametrize("line", ["rules chess", "nonsense", "analyse tictactoe --seed -1", "ratings missing.db"])
def test_bad_input_is_status_2_and_one_line(process, line):
    done = process(line)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert done.stderr.startswith(b"gamelab: ")


def test_the_application_reports_alike_however_it_is_called():
    runner = CliRunner()
    assert runner.invoke(app, ["rules", "tictactoe"]).stdout.startswith("Tic-tac-toe\n")
    for line in ("rules chess", "rules", "perft netwerk x"):
        result = runner.invoke(app, line.split())
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("line", ["games", "perft tictactoe 3 --divide"])
def test_a_broken_pipe_is_silent(process, line):
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = process(line, stdout=write_end)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("line", ["games", "agents --json"])
def test_a_full_disk_is_told_in_one_line(process, line):
    with open("/dev/full", "wb") as full:
        done = process(line, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"gamelab: standard output: No space left on device\n")


def test_closed_streams_are_no_reason_to_fall_over(process):
    for closed in (">&-", "<&- >&- 2>&-"):
        line = f"'{sys.executable}' -m gamelab play tictactoe --against random {closed}"
        assert subprocess.run(line, shell=True, env=surroundings(), capture_output=True, timeout=120).returncode == 0


def test_play_survives_bytes_that_are_no_text(process):
    done = process("play tictactoe --against random", input=b"\xff\xfe\nb2\nquit\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no move of tictactoe" in done.stdout
    assert done.stdout.endswith(b"Left.\n")


# --- terminals --------------------------------------------------------------------------------------------------------


def test_a_terminal_has_colours_but_not_with_no_color(terminal):
    plain, coloured = terminal("games", NO_COLOR="1"), terminal("games")
    assert plain.leave() == coloured.leave() == 0
    assert COLOUR.search(coloured.shown)
    assert not COLOUR.search(plain.shown)
    assert COLOUR.sub("", coloured.shown).split() == plain.shown.split()


def test_a_tournament_shows_its_progress_and_leaves_the_report(terminal):
    shell = terminal(f"{GREEDY_STORE} -n 4", COLUMNS="100")
    assert shell.leave() == 0
    assert "Tic-tac-toe, 2 agents" in shell.shown
    assert "4/4" in COLOUR.sub("", shell.shown)
    assert "Store: my.db" in shell.shown


def test_a_person_at_a_terminal(terminal):
    shell = terminal("play tictactoe --against random")
    shell.wait_for("x> ")
    shell.type(b"b2\n")
    shell.wait_for("o (random): ")
    shell.type(b"resign\n")
    assert shell.leave() == 0
    assert "Moves: b2 " in shell.shown


@pytest.mark.parametrize("key", [INTERRUPT, END_OF_INPUT])
def test_ctrl_c_and_ctrl_d_at_the_prompt_leave(terminal, key):
    shell = terminal("play tictactoe --against random")
    shell.wait_for("x> ")
    time.sleep(0.3)  # Python shows the prompt a moment before it listens for signals
    shell.type(key)
    assert shell.leave() == 0
    assert shell.shown.endswith("\r\nLeft.\r\n")


@pytest.mark.parametrize(
    ("line", "shown", "typed"),
    [
        ("play netwerk --against alphabeta:depth=100", "White> ", b"c4\n"),
        ("perft netwerk 60", "", b""),
        ("analyse netwerk -a alphabeta:depth=100", "", b""),
    ],
)
def test_ctrl_c_breaks_into_a_search(terminal, line, shown, typed):
    shell = terminal(line)
    shell.wait_for(shown)
    shell.type(typed)
    time.sleep(2)  # wherever it is by then: importing, compiling or searching
    shell.type(INTERRUPT)
    started = time.monotonic()
    assert shell.leave() == 130
    assert shell.shown.endswith("gamelab: interrupted\r\n")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_tournament_tells_how_to_go_on_and_can(terminal, process, workers):
    line = f"tournament tictactoe -a mcts:sims=200 -a mcts:sims=201 --workers {workers} --store my.db"
    shell = terminal(f"{line} -n 100000", COLUMNS="200")
    shell.wait_for(" 3/100000")
    shell.type(INTERRUPT)
    assert shell.leave() == 130
    assert "Traceback" not in shell.shown
    told = re.search(r"gamelab: interrupted; (\d+) of 100000 games are in my.db: to go on (.*)\r\n$", shell.shown)
    assert told[2] == "run the same command again"
    done = process("ratings my.db")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"{told[1]} of 100000 games, incomplete".encode() in done.stdout


# --- what is imported -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["--help", "tournament --help", "--version"])
def test_help_does_not_wait_for_compilers_or_plots(line):
    heavy = ("numba", "numpy", "matplotlib", "pandas", "scipy", "rich")
    code = (
        "import sys; sys.modules['click'] = None; from gamelab.cli import run; "  # click is no dependency of ours
        f"status = run({line.split()!r}); sys.exit(status or ' '.join(m for m in {heavy!r} if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=surroundings(), capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
