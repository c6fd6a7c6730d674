"""Commands, quotations, commits, lines and edits that a message names, against the turn."""

from __future__ import annotations

import pytest

from groundwire.evidence.references import knows
from groundwire.evidence.session import Digest
from groundwire.evidence.timeline import timeline_of
from groundwire.model import ToolCall, Turn
from groundwire.scan.references import COMMAND, COMMIT, EDIT, PATH, QUOTE, RERUN, STATUS, Reference


def bash(command: str, result: str = "ok") -> ToolCall:
    return ToolCall("t", "Bash", {"command": command}, result)


def edit(path: str, error: bool = False) -> ToolCall:
    arguments = {"file_path": path, "old_string": "a", "new_string": "b"}
    return ToolCall("t", "Edit", arguments, "ok", error)


def asked(
    kind: str, named: str, *calls: ToolCall, prompt: str = "", partial: bool = False,
    digest: Digest | None = None, own: bool = False,
) -> bool | None:  # fmt: skip
    turn = timeline_of(Turn(prompt=prompt, calls=calls, partial=partial, cwd="/p"))
    reference = Reference(0, 1, kind, named, line=3, claimed=own)
    return knows(reference, turn, lambda *_: False, lambda _: False, digest)


COMMANDS = [
    # the same, in another spelling
    ("npm test", ["cd web && npm test -- --watch=false"], True),
    ("pytest", ["python -m pytest -q tests"], True),
    ("make lint", ["CI=1 make lint 2>&1 | tail -5"], True),
    ("mvn verify", ["./mvnw -q verify"], True),
    ("tsc --noEmit", ["npx tsc --noEmit -p web"], True),
    ("git push", ["git add . && git commit -m x && git push origin main"], True),
    ("python scripts/load.py", ["uv run python scripts/load.py --n 3"], True),
    ("timeout 60 cargo test", ["cargo test --all"], True),
    ("phpunit", ["vendor/bin/phpunit --testdox"], True),
    # another one
    ("npm test", ["npm run build"], False),
    ("cargo clippy", ["cargo fmt", "cargo build"], False),
    ("pytest", ["go test ./..."], False),
    ("make lint", ["make test"], False),
    ("go vet ./...", ["go test ./..."], False),
    ("docker build .", ["docker ps"], False),
    ("git push", ["git commit -m x"], False),
    ("swift test", ["swift build"], False),
    ("npm test", ["python3 -c 'print(1)'"], False),
    # it may have been run, under another name or by a script; or a tool may have done it
    ("npm test", ["npx vitest run"], None),
    ("npm run lint", ["npx eslint ."], None),
    ("npm test", ["./ci.sh"], None),
    ("pytest tests/a.py", ["pytest tests/b.py"], None),
    ("uv run pytest -q && uv run mypy .", ["uv run pytest"], None),
    ("grep -rn total src", ["ls"], None),
]


@pytest.mark.parametrize(("claimed", "commands", "known"), COMMANDS, ids=[str(r) for r in COMMANDS])
def test_commands(claimed: str, commands: list[str], known: bool | None) -> None:
    assert asked(COMMAND, claimed, *map(bash, commands)) is known
    if known is False:
        assert asked(COMMAND, claimed, *map(bash, commands), partial=True) is None
        assert asked(COMMAND, claimed, *map(bash, commands), bash("ls", claimed)) is None
        assert asked(COMMAND, claimed, ToolCall("t", "Agent", {}, "done")) is None


LOG = bash(
    "tail -20 app.log", "10:02 worker 3: \x1b[31mconnection   reset\x1b[0m by peer\n10:03 ok"
)
OK, SOURCE = bash("pytest -q", "4 passed in 0.1s"), edit("/p/src/a.py")
CLEAN = bash("git status", "On branch main\nnothing to commit, working tree clean")
ROWS: list[tuple[str, str, list[ToolCall], bool | None]] = [
    (RERUN, "pytest -q", [OK, SOURCE], False),
    (RERUN, "pytest -q", [OK, SOURCE, OK], True),
    (RERUN, "pytest -q", [OK, edit("/p/README.md")], None),
    (RERUN, "pytest -q", [SOURCE], None),
    (QUOTE, "connection reset by peer", [LOG], True),
    (QUOTE, "worker <n>: connection reset", [LOG], True),
    (QUOTE, "worker 3 ... by peer", [LOG], True),
    (QUOTE, "nothing of the kind\nconnection reset", [LOG], True),
    (QUOTE, "b", [LOG], None),
    (QUOTE, "permission denied for orders", [LOG], False),
    (QUOTE, "permission denied", [bash("x", "a\n... [12 characters truncated] ...\n")], None),
    (QUOTE, "hello from it", [ToolCall("t", "Write", {"content": "x('hello from it')"}, "")], True),
    (COMMIT, "1a2b3c4d5e", [bash("git commit -m x", "[main 1a2b3c4] x")], True),
    (COMMIT, "9f8e7d6", [OK], False),
    (PATH, "src/a.py", [SOURCE], True),
    (PATH, "src/b.py", [SOURCE], False),
    (STATUS, "git status", [CLEAN], True),
    (STATUS, "git status", [CLEAN, SOURCE], None),
    (STATUS, "git status", [OK], False),
    (EDIT, "config.yml", [edit("/p/deploy/config.yml")], True),
    (EDIT, "config.yml", [bash("sed -i s/1/2/ config.yml")], True),
    (EDIT, "config.yml", [edit("config.yml", error=True), SOURCE], False),
    (EDIT, "config.yml", [SOURCE], False),
    (EDIT, "config.yml", [SOURCE, OK, bash("git diff --stat")], False),
    (EDIT, "config.yml", [SOURCE, bash("npm run generate")], None),
    (EDIT, "config.yml", [SOURCE, bash("ruff check --fix .")], None),
    (EDIT, "config.yml", [SOURCE, bash("git checkout main")], None),
    (EDIT, "config.yml", [SOURCE, bash("cp -r a b")], None),
    (EDIT, "config.yml", [SOURCE, ToolCall("t", "mcp__fs__do", {}, "ok")], None),
    (EDIT, "Cargo.lock", [SOURCE], None),
    (EDIT, "config.yml", [bash("git show HEAD", "config.yml | 2 +-")], None),  # what others did
]  # fmt: skip


@pytest.mark.parametrize(("kind", "named", "calls", "known"), ROWS, ids=[f"{r[:2]}" for r in ROWS])
def test_references(kind: str, named: str, calls: list[ToolCall], known: bool | None) -> None:
    assert asked(kind, named, *calls) is known


def test_a_turn_without_calls_knows_less() -> None:
    assert asked(COMMAND, "npm test") is False
    assert asked(COMMAND, "npm test", prompt="npm test fails") is None
    assert asked(PATH, "a.py") is False
    assert asked(QUOTE, "permission denied for orders") is None


def test_edits_of_earlier_turns_count() -> None:
    look = bash("git status")
    assert asked(EDIT, "c.yml", look, digest=Digest(edited=("src/c.yml",)), own=True) is True
    assert asked(EDIT, "c.yml", look, digest=Digest(), own=True) is False
    assert asked(EDIT, "c.yml", look, digest=Digest(whole=False), own=True) is None
    assert asked(EDIT, "c.yml", SOURCE, prompt="I have updated c.yml, look") is None
