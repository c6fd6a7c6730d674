"""The digest of a session: what it keeps, within which bounds, and how it is stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from groundwire.evidence.ledger import build_ledger
from groundwire.evidence.past.session import Digest, extended
from groundwire.evidence.turn.facts import facts_of
from groundwire.model import ToolCall, Turn
from groundwire.state.past import from_plain, to_plain

CWD = "/home/dev/shop"


def call(name: str, result: str = "ok", error: bool = False, **arguments: Any) -> ToolCall:
    return ToolCall("t-1", name, arguments, result, error)


def bash(command: str, result: str = "", error: bool = False) -> ToolCall:
    return call("Bash", result, error, command=command)


def edit(path: str, error: bool = False) -> ToolCall:
    return call("Edit", "ok", error, file_path=path, old_string="a", new_string="b")


def after(*turns: list[ToolCall], prompt: str = "", before: Digest | None = Digest()) -> Digest:  # noqa: B008
    digest = before
    for calls in turns:
        turn = Turn(prompt=prompt, calls=tuple(calls), cwd=CWD)
        digest = extended(digest, facts_of(build_ledger(turn)), prompt, CWD)
    assert digest is not None
    return digest


OK = bash("pytest -q", "42 passed in 1.2s")
BAD = bash("pytest -q", "Exit code 1\n3 failed, 39 passed in 1.2s", True)
UNCLEAR = bash("pytest -q 2>&1 | tail -1", "done")
BUILT = bash("make build", "built")
COMMIT = bash("git commit -am x", "[main 1a2b3c4] Total\n 1 file changed, 2 insertions(+)")

RUNS: list[tuple[str, list[list[ToolCall]], list[tuple[str, str, tuple[str, ...]]]]] = [
    ("passed", [[OK]], [("pytest -q", "passed", ())]),
    ("open failure", [[BAD]], [("pytest -q", "failed", ())]),
    ("made good in the turn", [[BAD, OK]], [("pytest -q", "passed", ())]),
    ("made good later", [[BAD], [OK]], [("pytest -q", "passed", ())]),
    ("broken later", [[OK], [BAD]], [("pytest -q", "failed", ())]),
    ("edited after it", [[OK, edit(f"{CWD}/a.go")]], [("pytest -q", "passed", ("a.go",))]),
    ("edited later", [[OK], [edit(f"{CWD}/a.go")]], [("pytest -q", "passed", ("a.go",))]),
    ("edited, and run again", [[OK], [edit("a.go")], [OK]], [("pytest -q", "passed", ())]),
    ("an edit that failed", [[OK], [edit("a.go", True)]], [("pytest -q", "passed", ())]),
    # the outcome is not shown, so the failure is no longer known to be open
    ("run again, not shown", [[BAD], [UNCLEAR]], []),
    ("two commands", [[BUILT], [OK]], [("make build", "passed", ()), ("pytest -q", "passed", ())]),
    ("a commit, no look", [[COMMIT, bash("git log", "x")]], [("git commit -am x", "passed", ())]),
    ("no run", [[bash("ls", "a.go")]], []),
]


@pytest.mark.parametrize(("turns", "kept"), [r[1:] for r in RUNS], ids=[r[0] for r in RUNS])
def test_runs(turns: list[list[ToolCall]], kept: list[tuple[str, str, tuple[str, ...]]]) -> None:
    assert [(run.command, run.status, run.edited) for run in after(*turns).runs] == kept


def test_counts_and_the_deciding_line() -> None:
    [run] = after([BAD]).runs
    assert (run.passed, run.line) == (39, "3 failed, 39 passed in 1.2s")


def test_paths_are_those_named_by_inputs_and_prompt_the_latest_last() -> None:
    reads = [call("Read", "see lib/other.rb", file_path=f"{CWD}/src/a.rb"), edit("/srv/b.rb")]
    digest = after(reads, prompt="look at lib/c.rb")
    assert digest.paths == ("lib/c.rb", "src/a.rb", "/srv/b.rb")
    assert digest.edited == ("/srv/b.rb",)


def test_shell_edits_count() -> None:
    assert after([bash("sed -i s/1/2/ src/a.rs")]).edited == ("src/a.rs",)


def test_commits_figures_and_empty_searches() -> None:
    calls = [
        COMMIT,
        bash("./bench", "p99 183.5 ms, 12,400 requests"),
        call("Grep", "", pattern="x_y"),
    ]
    digest = after(calls)
    assert digest.commits == ("1a2b3c4",)
    assert {"183.5", "12,400"} <= set(digest.figures)
    assert digest.searches == ("x_y",)


TODOS: list[tuple[str, list[list[ToolCall]], list[str]]] = [
    ("left open", [[call("TodoWrite", todos=[{"content": "a", "status": "pending"}])]], ["a"]),
    ("kept", [[call("TaskCreate", "Task #1 created", subject="a")], [OK]], ["a"]),
    (
        "closed by its number in a later turn",
        [
            [
                call("TaskCreate", "Task #1 created", subject="a"),
                call("TaskCreate", "Task #2 created", subject="b"),
            ],
            [call("TaskUpdate", taskId="1", status="completed")],
        ],
        ["b"],
    ),
    (
        "a new list replaces the old one",
        [
            [call("TodoWrite", todos=[{"content": "a", "status": "pending"}])],
            [call("TodoWrite", todos=[{"content": "b", "status": "completed"}])],
        ],
        [],
    ),
]


@pytest.mark.parametrize(("turns", "left"), [r[1:] for r in TODOS], ids=[r[0] for r in TODOS])
def test_todos(turns: list[list[ToolCall]], left: list[str]) -> None:
    assert [text for _, text in after(*turns).todos] == left


def busy(number: int) -> list[ToolCall]:
    folder = f"{CWD}/packages/some-longer-name-{number}"
    return [
        call("Read", "x", file_path=f"{folder}/index.ts"),
        edit(f"{folder}/main.ts"),
        bash(
            f"cd {folder} && npx jest --coverage", f"Tests:       {number} passed, {number} total"
        ),
        bash(f"git commit -am {number}", f"[main {number:07x}a] m\n 1 file changed"),
        call("Grep", "", pattern=f"pattern_{number}"),
        call("TaskCreate", f"Task #{number} created", subject=f"step {number} " + "x" * 300),
    ]


def test_a_long_session_stays_small_and_keeps_the_latest() -> None:
    digest = after(*(busy(number) for number in range(10, 400)))
    assert len(json.dumps(to_plain(digest))) < 32_000
    assert digest.runs[-1].passed == 399 or digest.runs[-2].passed == 399
    assert digest.edited[-1].endswith("some-longer-name-399/main.ts")
    assert digest.searches[-1] == "pattern_399"
    assert digest.whole is False  # what was dropped may have been a run of any kind


def test_an_ordinary_turn_takes_little() -> None:
    assert len(json.dumps(to_plain(after(busy(1), busy(2))))) < 4_000


def test_the_same_turn_twice_is_the_same_digest() -> None:
    turn = [*busy(1), BAD, edit("a.go"), OK]
    assert after([OK], turn, turn) == after([OK], turn)


@pytest.mark.parametrize(("before", "whole"), [(Digest(), True), (None, False)])
def test_whole_means_seen_from_the_beginning(before: Digest | None, whole: bool) -> None:
    assert after([OK], before=before).whole is whole


def test_a_turn_beyond_the_reading_cap_is_not_whole() -> None:
    turn = Turn(calls=(OK,), cwd=CWD, partial=True)
    assert extended(Digest(), facts_of(build_ledger(turn)), "", CWD).whole is False


def test_stored_and_read_again() -> None:
    digest = after(busy(1), [BAD])
    assert from_plain(json.loads(json.dumps(to_plain(digest)))) == digest
    assert from_plain(json.loads(json.dumps(to_plain(None)))) is None


FOREIGN: list[Any] = [
    None,
    7,
    "x",
    [],
    {},
    {"runs": 1},
    {**(to_plain(Digest()) or {}), "runs": [{}]},
]


@pytest.mark.parametrize("plain", FOREIGN, ids=str)
def test_another_shape_is_nothing(plain: object) -> None:
    assert from_plain(plain) is None
