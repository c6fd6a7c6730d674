"""From tool calls to runs: outcomes of real commands, ends of calls, later output, other code."""

import os
import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence import visible
from groundwire.evidence.records import FAILED, PASSED, Outcome, Run
from groundwire.evidence.runs_of import runs_of
from groundwire.model import ToolCall
from tests.support.calls import Calls, calls_of
from tests.support.tables import rows, tables

TABLES = tables(__file__)

Shell = Callable[[str], ToolCall]
FAILING = "FAILED a.py::test_x - assert 0\n== 1 failed, 1 passed in 0.10s =="
WHOLE = f"collected 2 items\n\na.py .F\n\n=== FAILURES ===\nE   assert 0\n{FAILING}"
PASSING = "collected 2 items\n\na.py ..\n\n== 2 passed in 0.10s =="


def bash(command: str, result: str | None = "", code: int = 0, name: str = "Bash") -> ToolCall:
    text = f"Exit code {code}\n{result}" if code else result
    return ToolCall("toolu_1", name, {"command": command}, text, is_error=code != 0)


def edit(path: str) -> ToolCall:
    return ToolCall("toolu_2", "Edit", {"file_path": path}, "ok")


def statuses(*calls: ToolCall) -> list[str]:
    return [run.outcome.status for run in runs_of(calls)]


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
    files = TABLES["shell"]
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # starts four times as fast

    def run(command: str) -> ToolCall:
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1; {command}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return bash(command, done.stdout.rstrip(), done.returncode)

    return run


def real(command: str, expected: list[str], distrust: str, *, shell: Shell) -> bool:
    found = runs_of([shell(command)])
    for one, wanted in zip(found, expected, strict=True):
        assert fnmatchcase(short(one), f"{wanted}*")
    return found[0].distrust.startswith(distrust) and bool(found[0].distrust) is bool(distrust)


HIDING = st.sampled_from(
    ["{}", "{} | tail -2", "{} || true", "{}; echo done", "({}) 2>&1 | head", "{} && ls", "! {}"]
)


@given(HIDING, st.integers(0, 20), st.integers(0, 20), st.booleans())
def test_a_failed_run_never_reads_as_passed(hiding: str, start: int, end: int, bad: bool) -> None:
    shown = "\n".join(WHOLE.split("\n")[start:end])  # a part of its output
    code = 1 if bad or hiding in ("{}", "{} && ls") else 0
    assert PASSED not in statuses(bash(hiding.replace("{}", "pytest"), shown, code))


def test_what_was_refused_did_not_run() -> None:
    refusal = "The user doesn't want to proceed with this tool use."
    assert runs_of([ToolCall("t", "Bash", {"command": "pytest"}, refusal, is_error=True)]) == ()
    assert runs_of([ToolCall("t", "Read", {"command": "pytest"}, PASSING)]) == ()
    assert runs_of([ToolCall("t", "Bash", {"command": 7}, PASSING)]) == ()


def test_lines_and_exit_code_that_disagree() -> None:
    (run,) = runs_of([bash("pytest", PASSING, 1)])
    assert run.outcome.status == "unknown"
    assert run.distrust.startswith("exit code 1")


def test_looks_are_runs_when_their_output_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(tool: str, text: str) -> Outcome | None:
        return Outcome(FAILED, line=text) if (tool, text) == ("kubectl", "web down") else None

    monkeypatch.setattr(visible, "parse_output", parse)
    (run,) = runs_of([bash("kubectl get pods", "web down")])
    assert (run.kind, run.outcome.status) == ("look", FAILED)
    assert runs_of([bash("kubectl get pods", "web up")]) == ()
    both = runs_of([bash("kubectl apply -f a.yml && kubectl get pods", "web down")])
    assert [(run.kind, run.changes) for run in both] == [("other", True), ("look", False)]
    assert [run.kind for run in runs_of([bash("pytest; kubectl get pods", "web down")])] == ["test"]
    assert statuses(bash("kubectl rollout status deploy/web", "waiting", 1)) == [FAILED]


def test_a_note_of_the_harness_ends_a_task() -> None:
    note = "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n(exit code 2)"
    (run,) = runs_of([bash("pytest", "Command running in background with ID: b1.")], "", [note])
    assert (run.outcome.status, run.outcome.line) == (FAILED, "exit code 2")


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


def ended(result: str, code: int) -> tuple[object, ...]:
    (run,) = runs_of([bash("go build ./...", result, code)])
    return run.outcome.status, run.outcome.line


def in_the_background(later: list[Any]) -> str:
    started = ["Bash", "pytest", "Command running in background with ID: b1."]
    (run, *_) = runs_of(calls_of([started, later]))
    assert (run.background, run.index) == (True, 0)
    return run.outcome.status


def known(calls: Calls) -> int:
    runs = [run for run in runs_of(calls_of(calls)) if run.kind == "test"]
    return sum(run.outcome.status != "unknown" for run in runs)


test_row = rows(
    __file__,
    real_commands=real,
    changes=lambda calls: [run.changes for run in runs_of([bash(*call) for call in calls])],
    statuses=lambda calls: statuses(*(bash(*call) for call in calls)),
    failed_among=lambda calls: FAILED in statuses(*(bash(*call) for call in calls)),
    ends_of_a_call=ended,
    background_runs_and_their_later_output=in_the_background,
    how_it_ended_on_other_code_is_not_known=known,
)
