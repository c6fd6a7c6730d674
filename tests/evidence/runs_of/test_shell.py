"""Reading shell text: words, joints, groups, wrappers, and what becomes of an exit status."""

import shlex
import shutil
import subprocess
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.evidence.programs import classify
from groundwire.shell.commands import Command, read_commands, read_script
from tests.support.tables import rows, tables

TABLES = tables(__file__)
BASH = shutil.which("bash")


def command_of(text: str, program: str) -> Command:
    return next(command for command in read_commands(text) if command.argv[0] == program)


QUOTED = TABLES["quoted"]


@pytest.mark.parametrize("line", QUOTED.strip().split("\n"))
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


def wrapped(text: str) -> tuple[object, ...]:
    command = read_commands(text)[-1]
    return " ".join(command.argv), " ".join(command.wrappers)


def folder(text: str) -> tuple[object, ...]:
    return command_of(text, "RUN").cwd, read_script(text).cwd


def printed(text: str) -> tuple[object, ...]:
    shown = command_of(text, "RUN").exit
    return shown.status_text, shown.on_success, shown.on_failure


def output(text: str) -> tuple[object, ...]:
    command = command_of(text, "RUN")
    return command.stdout_file, command.stderr_hidden


def inside(text: str) -> bool:
    command = read_commands(text)[-1]
    return (command.argv, command.cwd) == (("npm", "test"), "web")


test_row = rows(
    __file__,
    commands_of_a_text=lambda text: [" ".join(one.argv) for one in read_commands(text)],
    wrappers_come_off=wrapped,
    shells_inside_are_read=inside,
    the_folder_of_a_command=folder,
    what_hides_the_exit_status=lambda text: command_of(text, "RUN").exit.hidden,
    where_the_result_is_printed=printed,
    where_the_output_goes=output,
)


def test_what_stands_around_a_command() -> None:
    assert read_script("cd sub && pytest", "web").commands[1].cwd == "web/sub"
    assert read_commands("bash scripts/test.sh -c x")[0].argv[1] == "scripts/test.sh"
    first, second, third, fourth = read_commands("a && b -x | tail -3 & c")
    assert [one.connector for one in (first, second, third, fourth)] == ["", "&&", "|", "&"]
    assert second.pipe_to == (("tail", "-3"),)
    assert [one.background for one in (first, second, fourth)] == [False, True, False]
    (command, _) = read_commands("CI=1  timeout 60   npx jest -t 'a b' 2>&1 | tail")
    assert command.text == "timeout 60 npx jest -t 'a b'"
    assert read_commands("python - <<'X'\nx\nX")[0].input_text == "x\n"


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


HOSTILE = TABLES["hostile"]


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


@pytest.mark.parametrize("piece", [piece.replace("~", ";") for piece in HOSTILE])
def test_reading_is_linear(piece: str) -> None:
    once, twice = lines_run(piece * 500), lines_run(piece * 1000)
    assert twice < 2.3 * once + 500
    read_commands(piece * 4_000)  # copying, which no line count shows, would take minutes
