"""The digest of a session: what it keeps of earlier turns, and within which bounds."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.evidence.session import Digest, extended
from groundwire.evidence.timeline import timeline_of
from groundwire.model import ToolCall, Turn

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
        turn = timeline_of(Turn(prompt=prompt, calls=tuple(calls), cwd=CWD))
        digest = extended(digest, turn, prompt, CWD)
    assert digest is not None
    return digest


OK = bash("pytest -q", "42 passed in 1.2s")
BAD = bash("pytest -q", "Exit code 1\n3 failed, 39 passed in 1.2s", True)
COMMIT = bash("git commit -am x", "[main 1a2b3c4] Total\n 1 file changed, 2 insertions(+)")

RUNS: list[tuple[str, list[list[ToolCall]], list[tuple[str, str, tuple[str, ...]]]]] = [
    ("passed", [[OK]], [("pytest -q", "passed", ())]),
    ("open failure", [[BAD]], [("pytest -q", "failed", ())]),
    ("made good in the turn", [[BAD, OK]], [("pytest -q", "passed", ())]),
    ("made good later", [[BAD], [OK]], [("pytest -q", "passed", ())]),
    ("broken later", [[OK], [BAD]], [("pytest -q", "failed", ())]),
    ("edited after it", [[OK, edit(f"{CWD}/a.go")]], [("pytest -q", "passed", ("a.go",))]),
    ("edited later", [[OK], [edit(f"{CWD}/a.go")]], [("pytest -q", "passed", ("a.go",))]),
    ("edited twice", [[OK], [edit("a.go")], [edit("b.go")]],
     [("pytest -q", "passed", ("a.go", "b.go"))]),
    ("edited, and run again", [[OK], [edit("a.go")], [OK]], [("pytest -q", "passed", ())]),
    ("an edit that failed", [[OK], [edit("a.go", True)]], [("pytest -q", "passed", ())]),
    ("a commit, no look", [[COMMIT, bash("git log", "x")]], [("git commit -am x", "passed", ())]),
    ("no run", [[bash("ls", "a.go")]], []),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "kept"), [r[1:] for r in RUNS], ids=[r[0] for r in RUNS])
def test_runs(turns: list[list[ToolCall]], kept: list[tuple[str, str, tuple[str, ...]]]) -> None:
    assert [(run.command, run.status, run.edited) for run in after(*turns).runs] == kept


def test_what_else_is_kept() -> None:
    calls = [
        call("Read", "see lib/other.rb", file_path=f"{CWD}/src/a.rb"),
        COMMIT,
        bash("./bench", "p99 183.5 ms, 12,400 requests"),
        call("Grep", "", pattern="x_y"),
        bash("sed -i s/1/2/ src/b.rs"),
        call("TaskCreate", "Task #1 created", subject="one"),
        call("TaskCreate", "Task #2 created", subject="two"),
    ]
    digest = after(
        calls, [call("TaskUpdate", taskId="1", status="completed")], prompt="do lib/c.rb"
    )
    assert digest.paths == ("src/a.rb", "lib/c.rb")
    assert digest.edited == ("src/b.rs",)
    assert digest.commits == ("1a2b3c4",)
    assert {"183.5", "12,400"} <= set(digest.figures)
    assert digest.searches == ("x_y",)
    assert digest.todos == (("2", "two"),)
    assert "git commit -am x" in digest.text


def busy(number: int) -> list[ToolCall]:
    folder = f"{CWD}/packages/some-longer-name-{number}"
    return [
        edit(f"{folder}/main.ts"),
        bash(f"cd {folder} && pytest -q", f"{number} passed in 1.20s"),
        bash(f"git commit -am {number}", f"[main {number:07x}a] m\n 1 file changed"),
        call("TaskCreate", f"Task #{number} created", subject=f"step {number} " + "x" * 300),
    ]


def test_a_long_session_stays_small_and_keeps_the_latest() -> None:
    digest = after(*(busy(number) for number in range(10, 200)))
    assert len(repr(digest)) < 32_000
    assert 199 in (run.passed for run in digest.runs)
    assert digest.edited[-1].endswith("some-longer-name-199/main.ts")
    assert digest.whole is False  # what was dropped may have been a run of any kind


def test_the_same_turn_twice_is_the_same_digest() -> None:
    turn = [*busy(1), BAD, edit("a.go"), OK]
    assert after([OK], turn, turn) == after([OK], turn)


def test_whole_means_seen_from_the_beginning() -> None:
    assert after([OK]).whole
    assert not after([OK], before=None).whole
    cut = timeline_of(Turn(calls=(OK,), cwd=CWD, partial=True))
    assert not extended(Digest(), cut, "", CWD).whole
