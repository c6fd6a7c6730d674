"""Claims that rest on earlier turns of the session, through the whole pipeline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.past.session import Digest
from groundwire.model import Match
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine
from groundwire.settings import SHIPPED
from groundwire.transcript.turn import split_turns
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
FOLDER = str(Path(__file__).parent)  # exists, and holds none of the files named here
Act = Callable[[Session], object]
Turns = list[list[Act]]

PYTEST_OK = "....\n========== 42 passed in 1.20s =========="
PYTEST_BAD = (
    "FAILED tests/test_cart.py::test_total - assert 3 == 4\n"
    "========== 3 failed, 39 passed in 1.31s =========="
)
GO_OK = "ok  \tshop/cart\t0.012s\nok  \tshop/order\t0.020s"
CARGO_BAD = "error[E0308]: mismatched types\nerror: could not compile `shop` (lib) due to 1 error"
TSC_OK = ""
RUFF_OK = "All checks passed!"
COMMIT = "[main 1a2b3c4] Fix the total\n 1 file changed, 2 insertions(+)"
PUSH = "To github.com:dev/shop.git\n   1a2b3c4..5d6e7f8  main -> main"


def bash(command: str, output: str, exit_code: int = 0) -> Act:
    return lambda session: session.bash(command, output, exit_code=exit_code)


def edit(path: str) -> Act:
    return lambda session: session.edit(path, "a = 1", "a = 2")


def todos(*states: str) -> Act:
    items = [{"content": f"item {n}", "status": state} for n, state in enumerate(states)]
    return lambda session: session.call("TodoWrite", {"todos": items}, "ok")


CODE = edit("/home/dev/shop/src/cart.py")
NOTES = edit("/home/dev/shop/README.md")
LOOK = bash("git status --short", " M src/cart.py")
TESTED = bash("pytest -q", PYTEST_OK)
BROKEN = bash("pytest -q", PYTEST_BAD, 1)


def judged(turns: Turns, message: str, digest: Digest | None = Digest()) -> Examined:  # noqa: B008
    """Judge ``message`` at the end of the last of ``turns``; the others close with a plain word."""
    session = Session()
    for number, acts in enumerate(turns, 1):
        session.prompt("go on")
        for act in acts:
            act(session)
        session.say(message if number == len(turns) else "The log is attached.")
    memory = Memory(digest=digest)
    done = []
    for turn in split_turns(session.entries):
        event = Event("Stop", "s", message=turn.message, cwd=FOLDER)
        done.append(examine(event, turn, SCANNER, SHIPPED, memory))
        memory = done[-1].memory
    return done[-1]


def match_of(examined: Examined, claim: str) -> Match:
    return next(m for m in examined.analysis.matches if m.marker.claim == claim)


PASSES, PUSHED, COMMITTED = "All tests pass.", "I pushed the branch.", "I committed the change."
EARLIER: list[tuple[str, str, str, str, Turns]] = [
    # name, message, claim, verdict, the turns
    ("passed before", PASSES, "tests_pass", "earlier", [[CODE, TESTED], [LOOK]]),
    ("passed two turns ago", PASSES, "tests_pass", "earlier", [[TESTED], [LOOK], [LOOK]]),
    ("no tool call at all", PASSES, "tests_pass", "earlier", [[CODE, TESTED], []]),
    ("a document edited since", PASSES, "tests_pass", "earlier", [[TESTED], [NOTES]]),
    ("go", PASSES, "tests_pass", "earlier", [[bash("go test ./...", GO_OK)], [LOOK]]),
    ("edited since", PASSES, "tests_pass", "unsupported", [[TESTED], [CODE]]),
    ("edited in the same turn", PASSES, "tests_pass", "unsupported", [[TESTED, CODE], [LOOK]]),
    ("edited between", PASSES, "tests_pass", "unsupported", [[TESTED], [CODE], [LOOK]]),
    ("edited, no call now", PASSES, "tests_pass", "unsupported", [[TESTED], [CODE], []]),
    ("tested again", PASSES, "tests_pass", "earlier", [[TESTED], [CODE], [TESTED], [LOOK]]),
    ("failed before", PASSES, "tests_pass", "unsupported", [[BROKEN], [LOOK]]),
    ("failed and edited", PASSES, "tests_pass", "unsupported", [[BROKEN], [CODE]]),
    ("failed, then passed", PASSES, "tests_pass", "earlier", [[BROKEN], [TESTED], [LOOK]]),
    ("this turn decides", PASSES, "tests_pass", "contradicted", [[TESTED], [BROKEN]]),
    ("and makes good", PASSES, "tests_pass", "supported", [[BROKEN], [CODE, TESTED]]),
    ("another number", "All 50 tests pass.", "tests_pass", "unsupported", [[TESTED], [LOOK]]),
    ("that number", "All 42 tests pass.", "tests_pass", "earlier", [[TESTED], [LOOK]]),
    (
        "a part was run",
        PASSES,
        "tests_pass",
        "qualified",
        [[bash("pytest tests/test_cart.py", PYTEST_OK)], [LOOK]],
    ),
    ("never run", PASSES, "tests_pass", "unsupported", [[CODE], []]),
    ("no work was done", PASSES, "tests_pass", "unsupported", [[], []]),
    (
        "build",
        "The build succeeds.",
        "build_ok",
        "unsupported",
        [[bash("cargo build", CARGO_BAD, 101)], [LOOK]],
    ),
    (
        "lint",
        "The linter is clean.",
        "lint_clean",
        "earlier",
        [[bash("ruff check .", RUFF_OK)], [LOOK]],
    ),
    (
        "types",
        "Type checks pass.",
        "types_ok",
        "unsupported",
        [[bash("npx tsc --noEmit", TSC_OK)], [edit("/home/dev/shop/src/cart.ts")]],
    ),
    (
        "committed before",
        COMMITTED,
        "committed",
        "earlier",
        [[CODE, bash("git commit -qam x", COMMIT)], [LOOK]],
    ),
    (
        "edited after the commit",
        COMMITTED,
        "committed",
        "unsupported",
        [[bash("git commit -am x", COMMIT)], [CODE]],
    ),
    (
        "pushed before",
        PUSHED,
        "pushed",
        "earlier",
        [[bash("git commit -am x", COMMIT), bash("git push", PUSH)], [LOOK]],
    ),
    (
        "committed after the push",
        PUSHED,
        "pushed",
        "unsupported",
        [[bash("git push", PUSH)], [bash("git commit -am x", COMMIT)]],
    ),
    (
        "works, tested before",
        "The cart works now.",
        "works",
        "earlier",
        [[CODE, TESTED], [LOOK]],
    ),
    (
        "works, failed before",
        "The cart works now.",
        "works",
        "unsupported",
        [[BROKEN], [CODE]],
    ),
    (
        "whole work, open items",
        "Everything is done.",
        "done",
        "unsupported",
        [[todos("pending", "completed")], [CODE]],
    ),
    (
        "searched before",
        "There are no other callers of it.",
        "no_other",
        "earlier",
        [[lambda s: s.grep("old_total", [])], [bash("git log -1", "x")]],
    ),
]


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "turns"),
    [row[1:] for row in EARLIER],
    ids=[row[0] for row in EARLIER],
)
def test_earlier_turns(message: str, claim: str, wanted: str, turns: Turns) -> None:
    verdict = match_of(judged(turns, message), claim).verdict
    assert verdict is not None
    assert (verdict.status, bool(verdict.why)) == (wanted, True)


def test_the_reason_names_the_command_and_the_line() -> None:
    passed = match_of(judged([[TESTED], [LOOK]], PASSES), "tests_pass").verdict
    failed = match_of(judged([[BROKEN], [LOOK]], PASSES), "tests_pass").verdict
    stale = match_of(judged([[TESTED], [CODE]], PASSES), "tests_pass").verdict
    assert passed is not None
    assert failed is not None
    assert stale is not None
    assert "(pytest -q:" in passed.why
    assert "the last test run of this session failed" in failed.why
    assert "3 failed, 39 passed" in failed.why
    assert stale.why.startswith("cart.py was edited after the last test run")


def test_an_earlier_pass_lets_the_turn_end_and_a_stale_one_does_not() -> None:
    assert judged([[CODE, TESTED], [LOOK]], PASSES).decision.action == "pass"
    assert judged([[CODE, TESTED], [CODE]], PASSES).decision.action == "block"


BACK = "The tests passed earlier."


@pytest.mark.parametrize(
    ("digest", "turns", "wanted"),
    [
        (None, [[LOOK]], "not_checkable"),  # nothing is known of earlier turns
        (Digest(whole=False), [[LOOK]], "not_checkable"),
        (Digest(), [[TESTED], [LOOK]], "earlier"),
        (Digest(), [[CODE], [LOOK]], "unsupported"),  # seen from the beginning, and never run
    ],
)
def test_a_claim_that_refers_back(digest: Digest | None, turns: Turns, wanted: str) -> None:
    verdict = match_of(judged(turns, BACK, digest), "tests_pass").verdict
    assert verdict is not None
    assert verdict.status == wanted


@pytest.mark.parametrize(
    ("message", "turns", "known"),
    [
        ("See commit 1a2b3c4.", [[bash("git commit -am x", COMMIT)], [LOOK]], True),
        ("See commit 9f8e7d6.", [[bash("git commit -am x", COMMIT)], [LOOK]], False),
        ("It is in src/cart.py:3.", [[CODE], [bash("git log -1", "x")]], True),
        ("It is in src/order.py:3.", [[CODE], [bash("git log -1", "x")]], False),
    ],
)
def test_references_that_earlier_turns_know(message: str, turns: Turns, known: bool) -> None:
    kinds = {match.kind for match in judged(turns, message).analysis.matches}
    assert ("unsupported_reference" not in kinds) is known


def test_a_turn_of_a_sub_agent_leaves_the_digest_alone() -> None:
    session = Session(agent=True)
    session.prompt("test it")
    TESTED(session)
    session.say("All tests pass.")
    [turn] = split_turns(session.entries, agent=True)
    event = Event("SubagentStop", "s", agent_type="tester", message=turn.message)
    assert examine(event, turn, SCANNER, SHIPPED, Memory(digest=Digest())).memory.digest == Digest()


def test_a_turn_that_ends_twice_is_kept_once(tmp_path: Path) -> None:
    session = Session()
    session.prompt("go on")
    for act in (BROKEN, CODE, bash("git commit -am x", COMMIT), todos("pending")):
        act(session)
    session.say("All tests pass.")
    [turn] = split_turns(session.entries)
    event = Event("Stop", "s", message=turn.message)
    first = examine(event, turn, SCANNER, SHIPPED, Memory(digest=Digest())).memory
    again = examine(event, turn, SCANNER, SHIPPED, first).memory
    assert first.digest == again.digest
    assert first.digest is not None
    assert first.digest.runs
