"""Reports of edits against the edits that the turn made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.past.session import Digest
from groundwire.model import Match
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine
from groundwire.settings import SHIPPED
from groundwire.transcript.turn import split_turns
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
Act = Callable[[Session], object]


def edit(path: str) -> Act:
    return lambda session: session.edit(path, "a = 1", "a = 2")


def refused(path: str) -> Act:
    arguments = {"file_path": path, "old_string": "a", "new_string": "b"}
    said = "<tool_use_error>String to replace not found in file.</tool_use_error>"

    def act(session: Session) -> None:
        session.result(session.use("Edit", arguments), said, error=True)

    return act


def bash(command: str, output: str = "") -> Act:
    return lambda session: session.bash(command, output)


OTHER = edit("/home/dev/shop/src/other.txt")


def reports(
    message: str,
    *acts: Act,
    prompt: str = "please do it",
    digest: Digest | None = Digest(),  # noqa: B008
) -> list[Match]:
    session = Session()
    session.prompt(prompt)
    for act in acts:
        act(session)
    session.say(message)
    [turn] = split_turns(session.entries)
    event = Event("Stop", "s", message=message)
    found = examine(event, turn, SCANNER, SHIPPED, Memory(digest=digest))
    return [match for match in found.analysis.matches if match.marker.claim == "edited"]


MISSED = [
    # message, what the turn did, verdict
    ("I updated `config.yml` to use the pool.", [OTHER], "unsupported"),
    ("I've updated the config.yml as you asked.", [bash("cat config.yaml")], "unsupported"),
    ("Added tests to `pkg/store/index_test.go`.", [OTHER], "unsupported"),
    ("I also added a test for the empty cart to cart_test.go.", [OTHER], "unsupported"),
    ("Removed the flag from src/main.rs.", [OTHER], "unsupported"),
    ("- **Updated `lib/parse.ts`**: it now trims.", [OTHER], "unsupported"),
    ("1. Changed the timeout in `src/client.ts`", [OTHER], "unsupported"),
    ("Created `migrations/0004_total.sql`.", [OTHER], "unsupported"),
    ("I rewrote `App.java` and `Cart.java`.", [edit("/p/App.java")], "unsupported"),
    ("We moved the helper into `Helpers.swift`.", [OTHER], "unsupported"),
    ("I have refactored app/models/order.rb.", [OTHER], "unsupported"),
    ("Deleted `old_cart.py`.", [OTHER], "unsupported"),
    ("Added `cache.go` to store what was read; the rest is next.", [OTHER], "unsupported"),
    ("Bumped the version in Cargo.toml.", [OTHER], "unsupported"),
    ("I edited `Program.cs`.", [refused("/p/Program.cs")], "contradicted"),
    ("Updated `config.yml`.", [refused("/p/config.yml"), OTHER], "contradicted"),
    # neither a test run nor a look changes anything
    ("I modified `cart.py`.", [bash("pytest -q", "4 passed in 0.1s")], "unsupported"),
    ("I modified `cart.py`.", [bash("git diff --stat"), bash("ls src | head")], "unsupported"),
]


@pytest.mark.parametrize(("message", "acts", "status"), MISSED, ids=[row[0] for row in MISSED])
def test_an_edit_that_was_not_made(message: str, acts: list[Act], status: str) -> None:
    assert [m.verdict and m.verdict.status for m in reports(message, *acts)] == [status]


MADE_OR_UNKNOWN = [
    ("Updated `config.yml`.", [edit("/p/config.yml")]),
    ("Updated `deploy/config.yml`.", [edit("/srv/p/deploy/config.yml")]),
    # refused first, then made
    ("I edited `Program.cs`.", [refused("/p/Program.cs"), edit("/p/Program.cs")]),
    ("I updated `go.mod`.", [OTHER, bash("sed -i s/1/2/ go.mod")]),
    ("I updated `main.tf`.", [OTHER, bash("terraform fmt")]),
    ("I updated `schema.ts`.", [OTHER, bash("npm run generate")]),
    ("I updated `a.py`.", [OTHER, bash("ruff check --fix .", "Found 2 errors (2 fixed).")]),
    ("I updated `a.py`.", [OTHER, bash("python - <<'E'\nopen('x')\nE")]),
    ("I updated `a.py`.", [OTHER, bash("git checkout main")]),
    ("I updated `a.py`.", [OTHER, bash("echo 'x = 1' > b.py")]),
    ("I updated `a.py`.", [OTHER, lambda s: s.task("edit", "edit it", "done")]),
    ("I updated `a.py`.", [OTHER, lambda s: s.call("mcp__fs__write", {"path": "x"}, "ok")]),
    ("I updated `Cargo.lock`.", [OTHER]),
    # nobody says "I", and the turn edits nothing: it tells of what others did
    ("Updated `config.yml`.", [bash("git show HEAD", "config.yml | 2 +-")]),
    ("The last commit updated config.yml.", [OTHER]),
    ("I have not updated config.yml.", [OTHER]),
    ("You already updated config.yml.", [OTHER]),
    ("Should I have updated config.yml?", [OTHER]),
    ("If I updated config.yml, it would break.", [OTHER]),
    ("Updated the value that is read from config.yml.", [OTHER]),
    ("I fixed the crash in cart.py.", [OTHER]),  # the repair may be elsewhere
    ("Changed the path to config.yml.", [OTHER]),  # a value
    ("I changed how settings are found in config.yml.", [OTHER]),
    ("config.yml was updated upstream.", [OTHER]),
    ("I added Node.js support.", [OTHER]),
    # members of a list that stands in another file
    ("Added `dump.sh` and `copy.sh` to the SCRIPTS array.", [OTHER]),
    ("Removed `old.ts` from the exclude list.", [OTHER]),
    ("```\nI updated config.yml\n```", [OTHER]),
    ("> Updated config.yml", [OTHER]),
]


@pytest.mark.parametrize(
    ("message", "acts"), MADE_OR_UNKNOWN, ids=[f"{n} {r[0]}" for n, r in enumerate(MADE_OR_UNKNOWN)]
)
def test_no_report_or_nothing_against_it(message: str, acts: list[Act]) -> None:
    assert reports(message, *acts) == []


@pytest.mark.parametrize(
    ("digest", "acts", "found"),
    [
        (Digest(edited=("src/config.yml",)), [bash("git status")], 0),  # edited earlier
        (Digest(edited=("src/other.yml",)), [bash("git status")], 1),
        (Digest(whole=False), [bash("git status")], 0),  # it may have been edited before
        (None, [bash("git status")], 0),
        (None, [OTHER], 1),
    ],
)
def test_earlier_turns_count(digest: Digest | None, acts: list[Act], found: int) -> None:
    assert len(reports("I updated `config.yml`.", *acts, digest=digest)) == found


@pytest.mark.parametrize(
    ("prompt", "found"),
    [("please update config.yml", 1), ("I have updated config.yml, look at it", 0)],
)
def test_the_prompt_asks_or_tells(prompt: str, found: int) -> None:
    assert len(reports("I updated `config.yml`.", OTHER, prompt=prompt)) == found


def test_the_verdict_names_the_file() -> None:
    [match] = reports("I edited `src/Program.cs`.", refused("/p/src/Program.cs"))
    assert match.evidence == "edited `src/Program.cs"
    assert match.verdict is not None
    assert match.verdict.why.startswith("the edit of program.cs was refused")
