"""What the texts of a turn show: names, numbers, paths; and what a sentence names."""

from pathlib import Path
from typing import Any

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import ToolCall, Turn
from groundwire.language.references import COMMAND, Reference
from groundwire.language.words import names_in
from groundwire.turn.edits import edits_of, is_source
from groundwire.turn.session import Digest
from groundwire.turn.texts import Texts
from groundwire.turn.timeline import timeline_of
from groundwire.verdict.references import knows
from groundwire.verdict.session_did import with_turn
from tests.everyday.rows import examined
from tests.support.calls import Calls, calls_of
from tests.support.tables import rows


def printed(*results: str) -> Texts:
    return Texts(Turn(calls=calls_of([["Bash", "run", result] for result in results])))


def whole(calls: Calls) -> bool:
    assert Texts(Turn(calls=calls_of(calls), partial=True)).whole is False
    return Texts(Turn(calls=calls_of(calls))).whole


def test_what_is_not_there_or_too_long_is_not_whole() -> None:
    for result, task in ((None, ""), ("started", "b1"), ("x\n" * 150_000, "")):
        call = ToolCall("t", "Bash", {"command": "ls"}, result, background_id=task)
        assert not Texts(Turn(calls=(call,))).whole


def paths(known: str, path: str) -> bool:
    found = Texts(Turn(prompt=known)).knows_path(path)
    assert printed(known).knows_path(path) is found
    return found


def inputs(name: str, arguments: dict[str, object]) -> bool:
    call = ToolCall("t", name, arguments, "ok")
    return Texts(Turn(calls=(call,))).knows_path("src/cart.py")


DENIALS = {"failed_open", "searched_hits", "count_differs", "not_done"}


def denials(folder: Path, says: str, acts: list[list[Any]]) -> set[str]:
    row = {"file": "denials", "number": 1, "prompt": "please do it", "says": says}
    found = examined(folder, row, [["read", "notes.adoc", "nothing here"], *acts]).analysis
    return {one.name for match in found.matches for one in match.factors} & DENIALS


def denied_by(
    says: str, fact: str, denied: list[list[Any]], granted: list[list[Any]], *, tmp_path: Path
) -> bool:
    found = [denials(tmp_path, says, acts) for acts in (denied, granted)]
    return found == [{fact} if fact else set(), set()]


CWD = "/home/dev/shop"


def sources(calls: Calls, wanted: list[str] | None, cwd: str | None) -> bool:
    edits = edits_of(calls_of(calls), cwd or CWD, UNWATCHED)
    return [edit.path for edit in edits if edit.is_source and edit.succeeded] == (wanted or [])


def asked(
    kind: str, named: str, calls: Calls, more: dict[str, Any], partial: bool = False
) -> bool | None:
    """Tell whether the harness knows a reference; ``more``: the prompt, the digest, ``own``."""
    digest = Digest(**more["digest"]) if "digest" in more else None
    done = Turn(prompt=more.get("prompt", ""), calls=calls_of(calls), partial=partial, cwd="/p")
    reference = Reference(0, 1, kind, named, line=3, claimed=more.get("own", False))
    return knows(reference, timeline_of(done), lambda *_: False, lambda _: False, digest)


def commands(claimed: str, ran: list[str]) -> bool | None:
    calls = [["Bash", command] for command in ran]
    known = asked(COMMAND, claimed, calls, {})
    if known is False:
        assert asked(COMMAND, claimed, calls, {}, partial=True) is None
        assert asked(COMMAND, claimed, [*calls, ["Bash", "ls", claimed]], {}) is None
        assert asked(COMMAND, claimed, [["Agent", {}, "done"]], {}) is None
    return known


def edits(calls: Calls) -> list[object]:
    """Return of each edit its call, the path, whether it succeeded, is of source, took away."""
    found = edits_of(calls_of(calls), CWD, UNWATCHED)
    return [[it.call_id, it.path, it.succeeded, it.is_source, it.removed] for it in found]


OK = ["Bash", "pytest -q", "42 passed in 1.2s"]
BAD = ["Bash", "pytest -q", "Exit code 1\n3 failed, 39 passed in 1.2s", True]
WHOLE = Digest()


def after(*turns: Calls, prompt: str = "", before: Digest | None = WHOLE) -> Digest:
    digest = before
    for calls in turns:
        turn = timeline_of(Turn(prompt=prompt, calls=calls_of(calls), cwd=CWD))
        digest = with_turn(digest, turn, prompt, CWD)
    assert digest is not None
    return digest


def kept(turns: list[Calls], prompt: str, names: str) -> list[object]:
    digest = after(*turns, prompt=prompt)
    runs = [[run.command, run.status, [*run.edited]] for run in digest.runs]
    return [runs if name == "runs" else getattr(digest, name) for name in names.split()]


def shown(calls: Calls, number: int) -> list[str]:
    found = Texts(Turn(calls=calls_of(calls))).prints(number)
    return [found.call_id, found.command, found.line] if found else []


test_row = rows(
    __file__,
    a_number_stands_for_itself=lambda said, number, unit: bool(printed(said).prints(number, unit)),
    printed_last=shown,
    whole=whole,
    paths=paths,
    inputs_point_at_paths=inputs,
    names_in_a_sentence=lambda sentence: [*names_in(sentence)],
    what_the_turn_denies=denied_by,
    edits=edits,
    sources=sources,
    files_that_a_run_reads=is_source,
    commands=commands,
    references=asked,
    kept=kept,
)


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
    assert not with_turn(Digest(), cut, "", CWD).whole
