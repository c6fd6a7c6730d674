"""The instruction budget: what counts as over it, and that every stage has one."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as program
from benchmarks.figures import Figure
from benchmarks.instructions import PART, STAGES, Budget, read_budget
from benchmarks.processes import Case, interleaved, peak_memory
from tests.support.tables import table

PYTHON = ".".join(platform.python_version_tuple()[:2])


@table
def test_the_limit_of_a_stage(python: str, stage: str, limit: float | None) -> None:
    budget = Budget(python, 0.1, {"scan": 0.5, "small": 0.01})
    assert budget.limit(stage) == (None if limit is None else pytest.approx(limit))


def test_every_stage_has_a_budget() -> None:
    budget = read_budget()
    assert set(STAGES[1:]) < set(budget.stages)
    assert 0 < budget.margin <= 0.2


@pytest.mark.parametrize(("count", "code"), [(0.5, 0), (0.7, 1)])
def test_the_short_form_fails_on_instructions_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: float, code: int
) -> None:
    counted = Figure(PART, "scan", count, "x pass", target=0.6)
    slow = Figure("cold", "hook", 99.0, "x pass", target=2.0)
    parts = {"instructions": lambda *_: iter([counted]), "cold": lambda *_: iter([slow])}
    monkeypatch.setattr(program, "PARTS", parts)
    assert program.main(["--short", "--out", str(tmp_path)]) == code
    assert program.main(["--out", str(tmp_path)]) == 0
    written = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [figure["met"] for figure in written["figures"]] == [count < 0.6, False]
    assert set(written["machine"]) >= {"python", "processor", "cores", "libraries"}


def test_an_unknown_part_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        program.main(["warm"])
    assert "no such part: warm; allowed: cold, instructions" in capsys.readouterr().err


def test_processes_are_timed_in_rounds_and_checked() -> None:
    checked: list[bytes] = []
    echo = (sys.executable, "-I", "-S", "-c", "import sys; print(sys.stdin.read())")
    cases = {"bare": Case((*echo[:-1], "pass")), "echo": Case(echo, lambda: b"x", checked.append)}
    seconds = interleaved(cases, 2, {})
    assert {name: len(spent) for name, spent in seconds.items()} == {"bare": 2, "echo": 2}
    assert checked == [b"x\n"] * 3  # one round warms up


def test_peak_memory_is_that_of_the_command_alone() -> None:
    held = bytearray(60 << 20)  # what this process holds must not count
    python = (sys.executable, "-I", "-S", "-c")
    little, _ = peak_memory((*python, "print(1)"), b"", {})
    much, output = peak_memory((*python, "x = b'1' * (40 << 20); print(len(x))"), b"", {})
    assert little < 40 < len(held) >> 20
    assert 38 < much - little < 50
    assert output == b"41943040\n"
