"""The digest of a session: what it keeps of earlier turns, and within which bounds."""

from __future__ import annotations

from typing import Any

from groundwire.evidence.session import Digest, extended
from groundwire.evidence.timeline import timeline_of
from groundwire.model import Turn
from tests.support.calls import Calls, calls_of
from tests.support.tables import table

CWD = "/home/dev/shop"
OK = ["Bash", "pytest -q", "42 passed in 1.2s"]
BAD = ["Bash", "pytest -q", "Exit code 1\n3 failed, 39 passed in 1.2s", True]
WHOLE = Digest()


def after(*turns: Calls, prompt: str = "", before: Digest | None = WHOLE) -> Digest:
    digest = before
    for calls in turns:
        turn = timeline_of(Turn(prompt=prompt, calls=calls_of(calls), cwd=CWD))
        digest = extended(digest, turn, prompt, CWD)
    assert digest is not None
    return digest


@table
def test_runs(turns: list[Calls], kept: list[list[Any]]) -> None:
    assert [[run.command, run.status, [*run.edited]] for run in after(*turns).runs] == kept


def test_what_else_is_kept() -> None:
    calls: Calls = [
        ["Read", f"{CWD}/src/a.rb", "see lib/other.rb"],
        ["Bash", "git commit -am x", "[main 1a2b3c4] Total\n 1 file changed, 2 insertions(+)"],
        ["Bash", "./bench", "p99 183.5 ms, 12,400 requests"],
        ["Grep", "x_y", ""],
        ["Bash", "sed -i s/1/2/ src/b.rs"],
        ["TaskCreate", {"subject": "one"}, "Task #1 created"],
        ["TaskCreate", {"subject": "two"}, "Task #2 created"],
    ]
    done = [["TaskUpdate", {"taskId": "1", "status": "completed"}]]
    digest = after(calls, done, prompt="do lib/c.rb")
    assert digest.paths == ("src/a.rb", "lib/c.rb")
    assert digest.edited == ("src/b.rs",)
    assert digest.commits == ("1a2b3c4",)
    assert {"183.5", "12,400"} <= set(digest.figures)
    assert digest.searches == ("x_y",)
    assert digest.todos == (("2", "two"),)
    assert "git commit -am x" in digest.text


def busy(number: int) -> Calls:
    folder = f"{CWD}/packages/some-longer-name-{number}"
    return [
        ["Edit", f"{folder}/main.ts"],
        ["Bash", f"cd {folder} && pytest -q", f"{number} passed in 1.20s"],
        ["Bash", f"git commit -am {number}", f"[main {number:07x}a] m\n 1 file changed"],
        ["TaskCreate", {"subject": f"step {number} " + "x" * 300}, f"Task #{number} created"],
    ]


def test_a_long_session_stays_small_and_keeps_the_latest() -> None:
    digest = after(*(busy(number) for number in range(10, 200)))
    assert len(repr(digest)) < 32_000
    assert 199 in (run.passed for run in digest.runs)
    assert digest.edited[-1].endswith("some-longer-name-199/main.ts")
    assert digest.whole is False  # what was dropped may have been a run of any kind


def test_the_same_turn_twice_is_the_same_digest() -> None:
    turn = [*busy(1), BAD, ["Edit", "a.go"], OK]
    assert after([OK], turn, turn) == after([OK], turn)


def test_whole_means_seen_from_the_beginning() -> None:
    assert after([OK]).whole
    assert not after([OK], before=None).whole
    cut = timeline_of(Turn(calls=calls_of([OK]), cwd=CWD, partial=True))
    assert not extended(Digest(), cut, "", CWD).whole
