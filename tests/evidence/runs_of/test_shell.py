"""Reading shell text: words, joints, groups, wrappers, and what becomes of an exit status."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.inputs.shell.commands import Command, read_commands, read_script
from groundwire.turn.programs import classify
from tests.support.tables import rows, tables

TABLES = tables(__file__)
BASH = shutil.which("bash")


@pytest.mark.parametrize("line", TABLES["quoted"].strip().split("\n"))
def test_words_are_what_bash_makes_of_them(line: str) -> None:
    assert BASH is not None, "bash is needed to compare with"
    script = f'show() {{ printf "%s\\n" "$@"; }}\nshow {line}'
    shown = subprocess.run([BASH, "-c", script], capture_output=True, text=True, check=True).stdout
    (command,) = read_commands(f"show {line}")
    assert "\n".join(command.argv[1:]) == shown[:-1]


@given(st.lists(st.text(min_size=1), max_size=6))
def test_quoted_words_come_back(words: list[str]) -> None:
    words = [word.replace("\r\n", "\n") for word in words]
    assert read_commands(shlex.join(["prog", *words]))[0].argv == ("prog", *words)


def field(command: Command, name: str) -> object:
    value = getattr(command if name in Command._fields else command.exit, name)
    return " ".join(value) if isinstance(value, tuple) and name != "pipe_to" else value


def told(*names: str) -> Callable[[str], object]:
    """Return a function of a text that tells this of RUN in it, or else of its last command."""

    def of(text: str) -> object:
        commands = read_commands(text)
        found = [one for one in commands if one.argv[0] == "RUN"] or commands[-1:]
        values = [field(found[0], name) for name in names]
        return values if names[1:] else values[0]

    return of


def folder(text: str, start: str) -> tuple[object, str]:
    script = read_script(text, start)
    return next(one.cwd for one in script.commands if one.argv[0] == "RUN"), script.cwd


test_row = rows(
    __file__,
    commands_of_a_text=lambda text, names: [
        " ".join(str(field(one, name)) for name in names.split()) for one in read_commands(text)
    ],
    wrappers_come_off=told("argv", "wrappers"),
    shells_inside_are_read=told("argv", "cwd"),
    the_folder_of_a_command=folder,
    pipes=told("pipe_to"),
    what_hides_the_exit_status=told("hidden"),
    where_the_result_is_printed=told("status_text", "on_success", "on_failure"),
    where_the_output_goes=told("stdout_file", "stderr_hidden"),
)


PIECES = st.sampled_from(
    "a b -c 'd' \"e $(f)\" ; && || | |& & ( ) { } [[ ]] $( ${ ` ' \" \\ $' <<EOF EOF < > 2>&1 "
    "> f &> # if then else fi for x in do done case esac while ! cd .. bash -c set -e timeout 1 "
    "A=1 A=$( npx eval yarn -m echo $? \n \t éà \x00".split(" ")
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=40), st.sampled_from([" ", "", "\n"]))
def test_broken_text_gives_commands(pieces: list[str], joint: str) -> None:
    for command in read_commands(joint.join(pieces)):
        assert command.argv
        classify(command)


def lines_run(text: str) -> int:
    """Count the lines of Python that reading takes: the same number on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read_commands(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", [piece.replace("~", ";") for piece in TABLES["hostile"]])
def test_reading_is_linear(piece: str) -> None:
    once, twice = lines_run(piece * 500), lines_run(piece * 1000)
    assert twice < 2.3 * once + 500
    read_commands(piece * 4_000)  # copying, which no line count shows, would take minutes
