"""Causes in plain words against what the turn was told, saw, ran and changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, call, edit, matches, reading, verdict_on

KIND = "causality_language"
CARGO_RED = bash("cargo test", "test cart::sums ... FAILED\ntest result: FAILED. 1 failed", 101)
CARGO_GREEN = bash("cargo test", "test result: ok. 6 passed; 0 failed")
LOCKED = bash("git commit -am x", "fatal: Unable to create '.git/index.lock': File exists.", 128)
UNLOCKED = bash("rm -f .git/index.lock", "")
GRADLE = bash("./gradlew build", "Execution failed for task ':app:compileJava'.", 1)
PODS = bash("kubectl get pods", "shop-1  0/1  Pending  0  3m")
JOBS = bash("sidekiqmon", "queue exports: 4 jobs, 1 running (nightly export)")
SLOW = bash("curl -m 30 localhost/report", "curl: (28) Operation timed out after 30000 ms", 28)
GIVEN_UP = bash("curl --max-time 30 -s localhost/report || echo ERR", "ERR")
EMPTY = bash("curl -s localhost/report", "ERR", 1)
LIMITED = bash("python crawl.py", "HTTP 429 Too Many Requests", 1)
LS = bash("ls ~/.m2/repository", "com.fasterxml\norg.slf4j")
WHY = bash("npm why lodash", "lodash@4.17.21\nnode_modules/lodash\n  lodash from async@3")
CRATES = bash("cargo tree -i time", "time v0.1.45\n\u2514\u2500\u2500 chrono v0.4.19")
HIDDEN = bash("./gradlew build", "... [412 lines truncated] ...\nBUILD FAILED", 1)

ROWS: list[tuple[str, list[Act], str]] = [
    # something that nothing in the turn names
    ("The build failed once, but that was a stale daemon.", [GRADLE], UNSUPPORTED),
    ("It failed at first, but it was just the mirror.", [CARGO_RED, CARGO_GREEN], UNSUPPORTED),
    ("The commit failed, but that was a virus scanner.", [LOCKED], UNSUPPORTED),
    ("The deploy isn't hung, it's stuck behind two long migrations.", [PODS], UNSUPPORTED),
    ("What you saw was the browser serving the old bundle.", [PODS], UNSUPPORTED),
    # it stands somewhere, or was dealt with
    ("The commit failed, but that was a stale lock.", [LOCKED], QUALIFIED),
    ("The commit failed, but that was a lock from an earlier run.", [UNLOCKED], QUALIFIED),
    ("The worker is queued behind the nightly export.", [JOBS], QUALIFIED),
    ("What you saw was the pod still pending.", [PODS], QUALIFIED),
    ("The spec failed, but that was a typo.", [edit("cart_spec.rb")], QUALIFIED),
    ("The build failed once, but that was a stale daemon.", [HIDDEN], QUALIFIED),
    # a limit that was hit says so
    ("The report hit its 30-second timeout.", [EMPTY], UNSUPPORTED),
    ("The report hit its 30-second timeout.", [SLOW], SUPPORTED),
    ("The report hit the 30-second timeout.", [GIVEN_UP], QUALIFIED),  # its own limit
    ("The crawl hit a rate limit.", [EMPTY], UNSUPPORTED),
    ("The crawl hit a rate limit.", [LIMITED], SUPPORTED),
    ("The image build ran out of disk space.", [GRADLE], UNSUPPORTED),
    ("The build ran out of memory.", [HIDDEN], NOT_CHECKABLE),
    # what comes and goes was seen to do both
    ("The cart test is flaky.", [CARGO_RED], UNSUPPORTED),
    ("The cart test is flaky.", [CARGO_RED, CARGO_GREEN], SUPPORTED),
    ("The cart test is flaky.", [CARGO_RED, edit("src/cart.rs"), CARGO_GREEN], UNSUPPORTED),
    ("The report failure was transient.", [SLOW], QUALIFIED),
    # who needs a package is asked of the package manager
    ("Both jars come in via the logging starter.", [LS], UNSUPPORTED),
    ("The lodash package is pulled in by async.", [WHY], QUALIFIED),
    ("The old crate is a transitive dependency of chrono.", [CRATES], QUALIFIED),
    ("The library is brought in by the client.", [reading("yarn.lock", "async@3")], QUALIFIED),
    ("The gem is pulled in by rails, both pulled in by the app.", [PODS], UNSUPPORTED),
    ("The package is already here, it is pulled in by flask.", [LS], UNSUPPORTED),
    ("The package is pulled in by flask.", [call("mcp__deps__tree", "")], QUALIFIED),
    # what a program is said to have done stands somewhere
    ("The two crates are new: your editor added them.", [CRATES], UNSUPPORTED),
    ("Dropbox was holding the file.", [bash("lsof shop.db", "Dropbox 411 shop.db")], QUALIFIED),
    (
        "Your IDE changed it.",
        [bash("cat a.ts", "x\n<system-reminder>by an IDE")],
        QUALIFIED,
    ),
    ("Windows Defender quarantined the binary.", [HIDDEN], QUALIFIED),
    # what went on inside a program is not seen
    ("It chose the wrong class because the negation confused it.", [JOBS], QUALIFIED),
    # a code that was returned is printed
    ("The gate was returning 4xx because the shop is closed.", [EMPTY], UNSUPPORTED),
    ("The gate was returning 4xx because the shop is closed.", [LIMITED], QUALIFIED),
    ("The gate was returning 503 because the shop is closed.", [LIMITED], UNSUPPORTED),
]


@pytest.mark.parametrize(("message", "acts", "status"), ROWS)
def test_a_plain_cause(message: str, acts: list[Act], status: str, tmp_path: Path) -> None:
    found = verdict_on(tmp_path, message, KIND, acts)
    assert (found.status, found.why) == (status, found.why)


def test_it_names_what_nothing_shows(tmp_path: Path) -> None:
    message = "The build failed once, but that was a stale daemon."
    assert "daemon" in verdict_on(tmp_path, message, KIND, [GRADLE]).why


@pytest.mark.parametrize(
    "message",
    [
        "The first build failed, but that was expected.",
        "The import failed, but that was before the edit.",
        "The client retries on a transient error.",
        "If the crawl hit a rate limit, wait an hour.",
        "Events come in through the socket.",
        "The map is copied because callers expect their own.",
        "It returns null because the map is empty.",
    ],
)
def test_no_cause_is_stated(message: str, tmp_path: Path) -> None:
    assert not [one for one in matches(tmp_path, message, [PODS]) if one.kind == KIND]


def test_talk_without_a_tool_call_is_not_judged(tmp_path: Path) -> None:
    found = matches(tmp_path, "The crawl hit a rate limit.", [])
    assert [one.verdict.status for one in found if one.verdict] == [NOT_CHECKABLE]
