"""Each rule of the verdicts, over real outputs of the tools of nine ecosystems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Match,
)
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine, turn_of
from groundwire.settings import SHIPPED
from tests.evidence.ecosystems import ECOSYSTEMS, Ecosystem
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
Act = Callable[[Session, Ecosystem], object]


def edit(session: Session, project: Ecosystem) -> None:
    session.edit(f"{session.cwd}/{project.source}", "a = 1", "a = 2")


def edit_readme(session: Session, _: Ecosystem) -> None:
    session.edit(f"{session.cwd}/README.md", "one", "two")


def skip_a_test(session: Session, project: Ecosystem) -> None:
    session.edit(f"{session.cwd}/{project.test_file}", "check(total, 4);\ncheck(count, 1);", "")


def passing_tests(session: Session, project: Ecosystem) -> None:
    line, output, code = project.test.passed()
    session.bash(line, output, exit_code=code)


def failing_tests(session: Session, project: Ecosystem) -> None:
    line, output, code = project.test.failed()
    session.bash(line, output, exit_code=code)


def part(session: Session, project: Ecosystem) -> None:
    _, output, code = project.test.passed()
    session.bash(project.part, output, exit_code=code)


def hidden_tests(session: Session, project: Ecosystem) -> None:
    session.bash(f"{project.test.line} > /dev/null 2>&1; echo done", "done")


def check(session: Session, project: Ecosystem) -> None:
    line, output, code = project.build.passed()
    session.bash(line, output, exit_code=code)


def failing_check(session: Session, project: Ecosystem) -> None:
    line, output, code = project.build.failed()
    session.bash(line, output, exit_code=code)


def read(session: Session, project: Ecosystem) -> None:
    session.read(f"{session.cwd}/{project.source}", "total of the cart")


def search(session: Session, project: Ecosystem) -> None:
    session.grep("old_total", [])


def search_with_hits(session: Session, project: Ecosystem) -> None:
    session.grep("old_total", [f"{session.cwd}/{project.source}"])


def open_todos(session: Session, _: Ecosystem) -> None:
    items = [
        {"content": "migrate the price table", "status": "completed"},
        {"content": "drop the legacy column", "status": "pending"},
    ]
    session.call("TodoWrite", {"todos": items}, "ok")


def finished_todos(session: Session, _: Ecosystem) -> None:
    items = [{"content": "migrate the price table", "status": "completed"}]
    session.call("TodoWrite", {"todos": items}, "ok")


def delegate(session: Session, _: Ecosystem) -> None:
    session.task("test it", "run the tests", "All of them passed.")


#: name, message, claim, verdict, what the turn did
RULES: list[tuple[str, str, str, str, list[Act]]] = [
    # tests against their runs
    ("passed", "All tests pass.", "tests_pass", SUPPORTED, [edit, passing_tests]),
    (
        "passed after a repair",
        "The tests pass.",
        "tests_pass",
        SUPPORTED,
        [failing_tests, passing_tests],
    ),
    (
        "only text edited since",
        "All tests pass.",
        "tests_pass",
        SUPPORTED,
        [passing_tests, edit_readme],
    ),
    ("printed failures", "All tests pass.", "tests_pass", CONTRADICTED, [edit, failing_tests]),
    (
        "failed in the end",
        "All tests pass.",
        "tests_pass",
        CONTRADICTED,
        [passing_tests, failing_tests],
    ),
    ("stale", "All tests pass.", "tests_pass", UNSUPPORTED, [passing_tests, edit]),
    ("never run", "All tests pass now.", "tests_pass", UNSUPPORTED, [read, edit]),
    ("a part", "All tests pass.", "tests_pass", QUALIFIED, [edit, part]),
    ("hidden", "All tests pass.", "tests_pass", NOT_CHECKABLE, [edit, hidden_tests]),
    ("another agent", "All tests pass.", "tests_pass", NOT_CHECKABLE, [edit, delegate]),
    ("an earlier turn", "As before, all tests pass.", "tests_pass", NOT_CHECKABLE, [edit]),
    ("only looked", "All tests pass.", "tests_pass", NOT_CHECKABLE, [read]),
    (
        "stale, rerun unseen",
        "All tests pass.",
        "tests_pass",
        NOT_CHECKABLE,
        [passing_tests, edit, hidden_tests],
    ),
    # status against checks
    ("works, tested", "The cart works now.", "works", SUPPORTED, [edit, passing_tests]),
    ("works, tests failed", "The cart works now.", "works", CONTRADICTED, [edit, failing_tests]),
    ("works, untested", "The cart works now.", "works", UNSUPPORTED, [edit]),
    ("works, stale", "The cart works now.", "works", UNSUPPORTED, [passing_tests, edit]),
    ("verified, tested", "I verified the fix.", "verified", SUPPORTED, [edit, passing_tests]),
    ("verified, looked at", "I verified the fix.", "verified", QUALIFIED, [edit, read]),
    ("verified, not at all", "I verified the fix.", "verified", UNSUPPORTED, [edit]),
    (
        "fixed, tested",
        "The bug is fixed.",
        "fixed",
        SUPPORTED,
        [failing_tests, edit, passing_tests],
    ),
    ("fixed, failing", "The bug is fixed.", "fixed", UNSUPPORTED, [edit, failing_tests]),
    (
        "tests fixed, failing",
        "The cart tests are fixed.",
        "fixed",
        CONTRADICTED,
        [edit, failing_tests],
    ),
    ("fixed, untested", "The bug is fixed.", "fixed", UNSUPPORTED, [edit]),
    ("fixed, not shown", "The bug is fixed.", "fixed", NOT_CHECKABLE, [edit, hidden_tests]),
    ("ready, tested", "It is production-ready.", "ready", SUPPORTED, [edit, passing_tests]),
    ("ready, failing", "It is production-ready.", "ready", CONTRADICTED, [edit, failing_tests]),
    ("ready, untested", "It is production-ready.", "ready", UNSUPPORTED, [edit]),
    ("with its limits", "It works, except for refunds.", "works", QUALIFIED, [edit, failing_tests]),
    # completion
    (
        "complete",
        "The task is complete.",
        "done",
        SUPPORTED,
        [finished_todos, edit, passing_tests],
    ),
    (
        "items open",
        "The task is complete.",
        "done",
        UNSUPPORTED,
        [edit, passing_tests, open_todos],
    ),
    (
        "items open and told",
        "The task is complete. Dropping the legacy column is still pending.",
        "done",
        QUALIFIED,
        [edit, passing_tests, open_todos],
    ),
    (
        "one thing made, others open",
        "I've successfully added the migration.",
        "made",
        SUPPORTED,
        [edit, passing_tests, open_todos],
    ),
    ("complete, failing", "The task is complete.", "done", UNSUPPORTED, [edit, failing_check]),
    # guarantees
    (
        "tests as a guarantee",
        "The tests guarantee that totals are never wrong.",
        "guarantee",
        UNSUPPORTED,
        [edit, passing_tests],
    ),
    (
        "a purpose",
        "The lock ensures that only one job runs at a time.",
        "guarantee",
        QUALIFIED,
        [edit, passing_tests],
    ),
    (
        "tests are not coverage",
        "There is comprehensive test coverage now.",
        "coverage",
        UNSUPPORTED,
        [edit, passing_tests],
    ),
    ("safe", "The new handler is safe.", "safety", NOT_CHECKABLE, [edit, passing_tests]),
    (
        "safe by tests",
        "The tests prove that the handler is safe.",
        "safety",
        UNSUPPORTED,
        [edit, passing_tests],
    ),
    # absence
    ("searched", "There are no other callers of it.", "no_other", SUPPORTED, [search]),
    ("hits left", "There are no other callers of it.", "no_other", QUALIFIED, [search_with_hits]),
    ("unsearched", "There are no other callers of it.", "no_other", UNSUPPORTED, [read, edit]),
    ("not in what was read", "The module has no tests.", "absence", NOT_CHECKABLE, [read]),
    ("nothing was read", "The module has no tests.", "absence", UNSUPPORTED, [edit]),
]


def found(folder: Path, project: Ecosystem, message: str, acts: list[Act]) -> tuple[Match, ...]:
    session = Session()
    session.prompt("please do it")
    for act in acts:
        act(session, project)
    session.say(message)
    event = Event("Stop", "s", transcript_path=session.write(folder / "t.jsonl"), message=message)
    return examine(event, turn_of(event), SCANNER, SHIPPED, Memory()).analysis.matches


@pytest.mark.parametrize("project", ECOSYSTEMS, ids=[project.name for project in ECOSYSTEMS])
@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"),
    [row[1:] for row in RULES],
    ids=[row[0] for row in RULES],
)
def test_rule(
    tmp_path: Path, project: Ecosystem, message: str, claim: str, wanted: str, acts: list[Act]
) -> None:
    matches = found(tmp_path, project, message, acts)
    verdict = next(match.verdict for match in matches if match.marker.claim == claim)
    assert verdict
    assert verdict.status == wanted, verdict.why


@pytest.mark.parametrize("project", ECOSYSTEMS, ids=[project.name for project in ECOSYSTEMS])
def test_edits_after_the_failed_run_are_named(tmp_path: Path, project: Ecosystem) -> None:
    match = found(tmp_path, project, "All tests pass.", [failing_tests, edit])[0]
    assert match.verdict
    assert match.verdict.status == CONTRADICTED
    name = project.source.rpartition("/")[2]
    assert match.verdict.why.startswith(
        f"the last test run failed, and {name} was edited after it ({project.test.line}: "
    )


#: What a failed build says: message, claim and verdict.
AFTER_A_FAILED_BUILD = [
    ("The bug is fixed.", "fixed", UNSUPPORTED),  # the build may fail over something else
    ("The broken build is fixed.", "fixed", CONTRADICTED),
    ("The compile errors are fixed.", "fixed", CONTRADICTED),
    ("The cart works correctly.", "works", CONTRADICTED),
]
BUILT = ("go", "rust", "java", "csharp", "c")


@pytest.mark.parametrize("name", BUILT)
@pytest.mark.parametrize(("message", "claim", "wanted"), AFTER_A_FAILED_BUILD)
def test_failed_build(tmp_path: Path, name: str, message: str, claim: str, wanted: str) -> None:
    [project] = [project for project in ECOSYSTEMS if project.name == name]
    test_rule(tmp_path, project, message, claim, wanted, [edit, failing_check])
