"""Figures of a message against what tools printed, through the whole pipeline."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from groundwire.evidence.turn.printed import Printed
from groundwire.evidence.turn.seen import Source
from groundwire.model import CONTRADICTED, EARLIER, NOT_CHECKABLE, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import (
    Act,
    bash,
    call,
    edit,
    grep,
    matches,
    reading,
    recorded,
    task,
    verdict_on,
    write,
)
from tests.support.growth import LINEAR, Work, steepness

KIND = "pseudo_quantification"
JEST = bash("npx jest", recorded("jest", "passed"))
DOTNET = bash("dotnet test", recorded("dotnet", "test_passed"))
PYTEST = bash("pytest -q", "....\n========== 42 passed, 3 skipped in 1.20s ==========")
COVERAGE = bash(
    "coverage report",
    "Name          Stmts   Miss  Cover\n---------------------------------\n"
    "shop/cart.py     57      4    93%\nTOTAL           211     28    87%",
)
GO_COVER = bash(
    "go test -cover ./...", "ok  \texample.com/shop\t0.412s\tcoverage: 71.4% of statements"
)
HYPERFINE = bash(
    "hyperfine ./old ./new",
    "Benchmark 1: ./old\n  Time (mean ± σ):     512.3 ms ±   4.1 ms    [User: 480.2 ms]\n"
    "Benchmark 2: ./new\n  Time (mean ± σ):     128.0 ms ±   1.9 ms    [User: 101.7 ms]\n"
    "Summary\n  ./new ran\n    4.00 ± 0.07 times faster than ./old",
)
TWO_TIMES = bash("sh bench.sh", "before: 4200 ms\nafter: 1300 ms")
VITE = bash(
    "npm run build", "dist/assets/index-4f2a.js   143.92 kB │ gzip: 46.31 kB\n✓ built in 1.84s"
)
ESLINT_BAD = bash("npx eslint src", "✖ 5 problems (2 errors, 3 warnings)", 1)
RUFF_OK = bash("ruff check .", "All checks passed!")
CARGO = bash("cargo test", "test result: ok. 27 passed; 0 failed; 1 ignored; finished in 0.31s")
GRADLE = bash("./gradlew build", "BUILD SUCCESSFUL in 38s\n12 actionable tasks: 12 executed")
WC = bash("wc -l src/lib.rs", "509 src/lib.rs")
FAILING = bash("make check", "checking\nfailed: 2 targets", 2)
READ = reading("app.py", "LIMIT = 30\nprint(LIMIT)")

ROWS: list[tuple[str, str, list[Act]]] = [
    # as printed, in another form, or derived
    ("42 tests passed.", SUPPORTED, [PYTEST]),
    ("Of these 3 skipped.", SUPPORTED, [PYTEST]),
    ("27 passed.", SUPPORTED, [CARGO]),
    ("3 tests passed.", SUPPORTED, [DOTNET]),
    ("2 tests pass.", SUPPORTED, [JEST]),
    ("69 tests passed in both.", SUPPORTED, [PYTEST, CARGO]),  # the two runs together
    ("Coverage is 87%.", SUPPORTED, [COVERAGE]),
    ("Coverage is 71%.", SUPPORTED, [GO_COVER]),  # rounded
    ("It is 4x faster.", SUPPORTED, [HYPERFINE]),
    ("It is 75% faster.", SUPPORTED, [HYPERFINE]),  # 128 of 512 ms
    ("The run took 0.51 s.", SUPPORTED, [HYPERFINE]),  # printed in ms
    ("The build took 38 seconds.", SUPPORTED, [GRADLE]),
    ("It dropped from 4.2 s to 1.3 s.", SUPPORTED, [TWO_TIMES]),
    ("That is 69% faster (4200 ms to 1300 ms).", SUPPORTED, [TWO_TIMES]),
    ("The bundle was built in 1.8s.", SUPPORTED, [VITE]),
    ("The file has 509 lines.", SUPPORTED, [WC]),
    ("I changed 2 files.", SUPPORTED, [edit("a.py"), edit("b.py"), edit("b.py")]),
    ("It is used in 3 files.", SUPPORTED, [grep("total", "a.go", "b.go", "c.go")]),
    ("The linter reports 0 errors.", SUPPORTED, [RUFF_OK]),
    ("The linter reports 2 errors.", SUPPORTED, [ESLINT_BAD]),
    # measured, and nowhere in results that are whole
    ("It is 37% faster now.", UNSUPPORTED, [JEST, READ]),
    ("Memory use fell by 64%.", UNSUPPORTED, [READ]),
    ("Test coverage is 91%.", UNSUPPORTED, [PYTEST]),
    ("It is 12x faster.", UNSUPPORTED, [CARGO]),
    ("The import took 8.4 s.", UNSUPPORTED, [bash("python load.py", "rows: 190\nok")]),
    ("The suite finished in 96 seconds.", UNSUPPORTED, [PYTEST]),
    ("57 tests passed.", CONTRADICTED, [PYTEST]),
    # exit codes
    ("The check exited with code 0.", CONTRADICTED, [FAILING]),
    ("`make check` exited with code 0.", CONTRADICTED, [PYTEST, FAILING]),
    ("`make check` exited with code 2.", SUPPORTED, [FAILING, PYTEST]),
    ("The suite exited with code 0.", SUPPORTED, [PYTEST]),
    ("The exit code was 3.", SUPPORTED, [bash("./job; echo exit=$?", "done\nexit=3")]),
    ("It exited with code 137.", UNSUPPORTED, [PYTEST]),
    ("It exited with code 0.", UNSUPPORTED, [READ]),
    ("It exited with code 4.", NOT_CHECKABLE, [PYTEST, call("mcp__ci__run", "queued")]),
    # no claim that can be held against the turn
    ("It takes about 5 minutes, some 40% faster.", NOT_CHECKABLE, [PYTEST]),  # an estimate
    ("It should be 37% faster.", NOT_CHECKABLE, [PYTEST]),
    ("I added 6 tests.", NOT_CHECKABLE, [PYTEST]),  # counted by hand
    ("All 7 new tests pass.", SUPPORTED, [PYTEST]),  # a part of the run, which passed
    ("It is used in 14 places.", NOT_CHECKABLE, [READ]),
    ("It is 37% faster now.", NOT_CHECKABLE, [task("I measured it."), READ]),
    ("It is 37% faster now.", NOT_CHECKABLE, [call("mcp__bench__run", "see the chart")]),
    ("It is 30% faster now.", NOT_CHECKABLE, [READ]),  # the number stands there, of something else
    (
        "It is 37% faster now.",
        NOT_CHECKABLE,
        [bash("sh bench.sh", "a\n... [1200 characters truncated] ...\nb")],
    ),
    ("It is 37% faster now.", NOT_CHECKABLE, [write("notes.md", "37% less work"), READ]),
    ("3 places need it.", NOT_CHECKABLE, [task("I found 3 places.")]),
]


@pytest.mark.parametrize(("message", "status", "acts"), ROWS, ids=[row[0] for row in ROWS])
def test_figure(message: str, status: str, acts: list[Act], tmp_path: Path) -> None:
    found = verdict_on(tmp_path, message, KIND, acts)
    assert (found.status, found.why) == (status, found.why)


def test_a_figure_of_the_user_is_not_new(tmp_path: Path) -> None:
    found = verdict_on(tmp_path, "It is 37% faster now.", KIND, [READ], "why is it 37% faster?")
    assert found.status == EARLIER


@pytest.mark.parametrize(
    ("message", "acts", "command", "line"),
    [
        ("Coverage is 87%.", [COVERAGE], "coverage report", "TOTAL           211     28    87%"),
        ("The build took 38 seconds.", [GRADLE], "./gradlew build", "BUILD SUCCESSFUL in 38s"),
        ("The check exited with code 0.", [FAILING], "make check", "Exit code 2"),
        ("57 tests passed.", [PYTEST], "pytest -q", "42 passed, 3 skipped"),
    ],
)
def test_it_points_to_call_and_line(
    message: str, acts: list[Act], command: str, line: str, tmp_path: Path
) -> None:
    found = verdict_on(tmp_path, message, KIND, acts)
    assert found.call_id.startswith("toolu_")
    assert found.command == command
    assert " ".join(line.split()) in " ".join(found.line.split())


def test_a_contradicted_exit_code_is_printed(tmp_path: Path) -> None:
    (found,) = [
        one
        for one in matches(tmp_path, "The check exited with code 0.", [FAILING])
        if one.kind == KIND
    ]
    assert found.verdict is not None
    assert found.verdict.printed
    assert found.confidence >= 95


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42 passed", [(42, "passed", None)]),
        ("took 1.2s", [(1.2, "s", None)]),
        ("real\t0m1.50s", [(1.5, "s", None)]),
        ("1m02s", [(62, "s", None)]),
        ("41/42 ok", [(41, "ok", 42)]),
        ("41 of 42 ok", [(41, "of", 42), (42, "ok", None)]),
        ("total 1,234 rows", [(1234, "rows", None)]),
        ("93.1% 21x 4.0×", [(93.1, "%", None), (21, "x", None), (4, "x", None)]),
        ("v1.2.3 2026-11-21 10:30:00 a1b2 1e9f", []),  # versions, dates, times, hashes
        ("(12 ms)", [(12, "ms", None)]),
        ("Tests: 7", [(7, "", None)]),
        ("9" * 40, []),
    ],
)
def test_printed_numbers(text: str, expected: list[tuple[float, str, float | None]]) -> None:
    printed = Printed([Source(0, "t", "run", text)])
    found = [(round(one.value, 6), one.unit, one.total) for one in printed.numbers]
    assert found == expected


def test_long_results_are_read_in_linear_time(tmp_path: Path) -> None:
    def work(lines: int, _round: int) -> Work:
        output = "\n".join(f"row {n} took {n % 97}.{n % 10} ms of {n}" for n in range(lines))
        acts = [bash("sh bench.sh", output)]
        return partial(verdict_on, tmp_path, "It is 37% faster now.", KIND, acts)

    assert steepness(work, 5_000, 40_000) <= LINEAR
