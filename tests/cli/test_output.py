"""Tables, JSON and waiting."""

import json
import threading

import pytest

from gamelab.cli.output import interruptible, print_json, print_table, signed


@pytest.mark.parametrize(("number", "text"), [(0.4, "0"), (-0.4, "0"), (-0.6, "-1"), (1500.2, "+1500")])
def test_numbers_have_a_sign_but_zero_has_none(number, text):
    assert signed(number) == text


def test_json_has_no_numbers_that_are_none(capsys):
    print_json({"a": [float("inf"), float("nan"), 1.5], "b": (float("-inf"), "x")})
    assert json.loads(capsys.readouterr().out) == {"a": [None, None, 1.5], "b": [None, "x"]}


def test_a_table_in_a_pipe_is_plain_and_whole(capsys):
    long = "mcts:" + ",".join(f"option{i}=[red]value[/red]" for i in range(3))
    print_table("A title that is longer than its table", ("agent", "points"), [(long, 1), ("b", 22)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A title that is longer than its table"
    assert lines[4].split() == [long, "1"]
    assert lines[5].split() == ["b", "22"]
    assert all(line == line.rstrip() for line in lines)


def test_what_was_called_elsewhere_returns_and_raises_here():
    assert interruptible(lambda: threading.current_thread()) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


def test_an_interrupt_stops_the_search(monkeypatch):
    stopped = threading.Event()

    def interrupt(thread):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "join", interrupt)
        with pytest.raises(KeyboardInterrupt):
            interruptible(lambda: stopped.wait(60), stopped.set)
    assert stopped.is_set()
