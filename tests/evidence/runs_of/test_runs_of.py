"""From tool calls to runs: outcomes of real commands, ends of calls, later output, other code."""

import os
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.model import ToolCall
from groundwire.turn.records import PASSED, Run
from groundwire.turn.runs import runs_of
from tests.support.calls import Calls, calls_of
from tests.support.programs import run_program
from tests.support.tables import rows, tables

Shell = Callable[[str], ToolCall]
WHOLE = (
    "collected 2 items\n\na.py .F\n\n=== FAILURES ===\nE   assert 0\n"
    "FAILED a.py::test_x - assert 0\n== 1 failed, 1 passed in 0.10s =="
)


def bash(command: str, result: str = "", code: int = 0) -> ToolCall:
    text = f"Exit code {code}\n{result}" if code else result
    return ToolCall("toolu_1", "Bash", {"command": command}, text, is_error=code != 0)


def short(run: Run) -> str:
    """Kind, tool and outcome of a run in words."""
    counts = "".join(
        f" {name[0]}{value}"
        for name in ("passed", "failed")
        if (value := getattr(run.outcome, name)) is not None
    )
    return f"{run.kind} {run.tool or '-'} {run.outcome.status}{counts}"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Runs a command as the client does, and gives the tool call that its transcript would hold."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in tables(__file__)["shell"].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # starts four times as fast

    def run(command: str) -> ToolCall:
        done = run_program(["bash", "-c", f"exec 2>&1; {command}"], b"", environment, folder)
        return bash(command, done.stdout.decode().rstrip(), done.returncode)

    return run


def real(command: str, expected: list[str], distrust: str, *, shell: Shell) -> bool:
    found = runs_of([shell(command)])
    for one, wanted in zip(found, expected, strict=True):
        assert fnmatchcase(short(one), f"{wanted}*")
    return found[0].distrust.startswith(distrust) and bool(found[0].distrust) is bool(distrust)


def told(calls: Calls, names: str) -> list[str]:
    """Return what is told of each run, by the names of fields of it or of its outcome."""
    found = []
    for run in runs_of(calls_of(calls)):
        has = [run if name in Run._fields else run.outcome for name in names.split()]
        found.append(" ".join(map(str, map(getattr, has, names.split()))))
    return found


test_row = rows(__file__, real_commands=real, runs=told)


HIDING = st.sampled_from(
    ["{}", "{} | tail -2", "{} || true", "{}; echo done", "({}) 2>&1 | head", "{} && ls", "! {}"]
)


@given(HIDING, st.integers(0, 20), st.integers(0, 20), st.booleans())
def test_a_failed_run_never_reads_as_passed(hiding: str, start: int, end: int, bad: bool) -> None:
    shown = "\n".join(WHOLE.split("\n")[start:end])  # a part of its output
    code = 1 if bad or hiding in ("{}", "{} && ls") else 0
    found = runs_of([bash(hiding.replace("{}", "pytest"), shown, code)])
    assert PASSED not in [run.outcome.status for run in found]


def test_a_note_of_the_harness_ends_a_task() -> None:
    note = "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n(exit code 2)"
    (run,) = runs_of([bash("pytest", "Command running in background with ID: b1.")], "", [note])
    assert short(run) == "test pytest failed"
    assert run.outcome.line == "exit code 2"


def test_the_shell_keeps_its_folder() -> None:
    def signatures(*calls: ToolCall, cwd: str = "") -> list[str]:
        return [run.signature for run in runs_of(calls, cwd)]

    go, stay = bash("cd web && npm test"), bash("npm test")
    first, second, third = signatures(go, stay, bash("cd .. && npm test"))
    assert first == second != third
    assert len(set(signatures(bash("cd web && npm test", "x", 1), go))) == 1
    back = bash("cd /srv && make", "Shell cwd was reset to /home/dev/shop")
    assert signatures(back, stay)[1:] == signatures(stay)
    assert signatures(bash("cd /home/dev/shop/web && npm test"), cwd="/home/dev/shop") == [first]
