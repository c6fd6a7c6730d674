"""Runs that write into a file: what later calls show of it belongs to the last one that did."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs import open_failures, runs_of
from groundwire.model import ToolCall

OK, BAD = "4 passed in 0.10s", "1 failed, 3 passed in 0.10s"


def bash(command: str, result: str = "", error: bool = False) -> ToolCall:
    return ToolCall("t-1", "Bash", {"command": command}, result, error)


TEST = "pytest -q > out.log 2>&1; true"
SHOWN: list[tuple[str, list[ToolCall], list[str]]] = [
    ("shown once", [bash(TEST), bash("tail -3 out.log", OK)], ["passed"]),
    (
        "written again, both shown",
        [bash(TEST), bash("tail -3 out.log", BAD), bash(TEST), bash("tail -3 out.log", OK)],
        ["failed", "passed"],
    ),
    (
        "only the second one shown",
        [bash(TEST), bash(TEST), bash("cat out.log", BAD)],
        ["unknown", "failed"],
    ),
    (
        "looked at while it runs, the last look counts",
        [bash(TEST), bash("tail -3 out.log", "...."), bash("tail -3 out.log", OK)],
        ["passed"],
    ),
    (
        "through tee",
        [bash(TEST), bash("make 2>&1 | tee out.log", "x"), bash("cat out.log", OK)],
        ["unknown"],
    ),
]


@pytest.mark.parametrize(("calls", "wanted"), [r[1:] for r in SHOWN], ids=[r[0] for r in SHOWN])
def test_what_is_shown_of_a_file(calls: list[ToolCall], wanted: list[str]) -> None:
    tests = [run for run in runs_of(calls) if run.kind == "test"]
    assert [run.outcome.status for run in tests] == wanted


def test_hundreds_of_other_runs_do_not_hide_what_makes_a_failure_good() -> None:
    failed = [bash(f"pytest tests/t{n}.py", f"Exit code 1\n{BAD}", True) for n in range(300)]
    passed = [bash(f"pytest tests/t{n}.py", OK) for n in range(0, 300, 2)]
    left = open_failures(runs_of([*failed, *passed]))
    assert [run.narrow for run in left] == [f"tests/t{n}.py" for n in range(1, 300, 2)]


def test_a_run_of_the_folder_makes_its_files_good() -> None:
    failed = [bash(f"pytest tests/t{n}.py", f"Exit code 1\n{BAD}", True) for n in range(300)]
    assert open_failures(runs_of([*failed, bash("pytest tests", OK)])) == ()
