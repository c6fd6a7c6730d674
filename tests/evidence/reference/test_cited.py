"""Commands that a message says were run, and output that it quotes, against the turn."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from groundwire.evidence.reference.quotes import Quotes
from groundwire.evidence.reference.ran import same_command, was_run
from groundwire.evidence.turn.seen import Seen
from groundwire.model import UNSUPPORTED, Ledger, Match, ToolCall
from tests.evidence.turns import Act, bash, call, edit, matches, reading, recorded, task, write


@pytest.mark.parametrize(
    ("claimed", "commands", "known"),
    [
        # the same, in another spelling
        ("npm test", ["cd web && npm test -- --watch=false"], True),
        ("pytest", ["python -m pytest -q tests"], True),
        ("make lint", ["CI=1 make lint 2>&1 | tail -5"], True),
        ("mvn verify", ["./mvnw -q verify"], True),
        ("tsc --noEmit", ["npx tsc --noEmit -p web"], True),
        ("git push", ["git add . && git commit -m x && git push origin main"], True),
        ("python scripts/load.py", ["uv run python scripts/load.py --n 3"], True),
        ("bundle exec rspec", ["bin/rspec spec/a_spec.rb"], True),
        ("timeout 60 cargo test", ["cargo test --all"], True),
        ("phpunit", ["vendor/bin/phpunit --testdox"], True),
        ("terraform plan", ["terraform -chdir=infra plan"], True),
        ("curl localhost:1/health", ["curl -s localhost:1/health"], True),
        # another one
        ("npm test", ["npm run build"], False),
        ("cargo clippy", ["cargo fmt", "cargo build"], False),
        ("pytest", ["go test ./..."], False),
        ("make lint", ["make test"], False),
        ("go vet ./...", ["go test ./..."], False),
        ("mvn verify", ["mvn compile"], False),
        ("docker build .", ["docker ps"], False),
        ("git push", ["git commit -m x"], False),
        ("dotnet test", ["dotnet build"], False),
        ("swift test", ["swift build"], False),
        ("mix test", [], False),
        ("npm test", ["python3 -c 'print(1)'"], False),
        # it may have been run, under another name or by a script
        ("npm test", ["npx vitest run"], None),
        ("npm run lint", ["npx eslint ."], None),
        ("npm test", ["./ci.sh"], None),
        ("pytest tests/a.py", ["pytest tests/b.py"], None),
        ("python scripts/load.py", ["python scripts/other.py"], None),
        ("uv run pytest -q && uv run mypy .", ["uv run pytest"], None),  # two commands
        ("grep -rn total src", [], None),  # the search tool may have done it
    ],
)
def test_was_run(claimed: str, commands: list[str], known: bool | None) -> None:
    assert was_run(claimed, commands) is known


def test_same_command_looks_into_a_script() -> None:
    assert same_command("make check", "cd web; make check || true")
    assert not same_command("make check", "make all")


PYTEST = bash("pytest -q", recorded("pytest", "passed"))
CARGO = bash("cargo build", recorded("cargo", "build_passed"))
LOG = bash(
    "tail -20 app.log", "10:02 worker 3: \x1b[31mconnection   reset\x1b[0m by peer\n10:03 ok"
)
JSON = bash("curl -s localhost/health", '{"status": "up", "detail": "2 of 3 shards ready"}')
SERVER = reading("server.go", 'log.Printf("listening on port %d", port)')
PASTED = "it says `cannot open shared object file`, why?"

REFERENCES: list[tuple[str, str, list[Act]]] = [
    # message, marker that is unsupported ("" for none), what the turn did
    ("I ran `npm test` and all is well.", "reference.command", [CARGO]),
    ("Verified with `cargo clippy`.", "reference.command", [CARGO]),
    ("- `go vet ./...` passed", "reference.command", [edit("main.go")]),
    ("Running `make lint` shows no warnings.", "reference.command", [PYTEST]),
    ("I then executed `dotnet build`.", "reference.command", [CARGO]),
    ("I've run `mix test`.", "reference.command", [edit("lib/a.ex")]),
    ("I re-ran `bundle exec rspec` twice.", "reference.command", [reading("a.rb", "x = 1")]),
    ("| Lint | `golangci-lint run` | \u2705 passed |", "reference.command", [CARGO]),
    ("- `bundle exec rspec` \u2705", "reference.command", [edit("a.rb")]),
    ("| `uv pip install -r a.txt` | succeeded (all there) |", "reference.command", [PYTEST]),
    ("Then ran:\n```bash\nmix test\n```\n", "reference.command", [edit("lib/a.ex")]),
    ("I fixed the path, then ran `pytest -q`.", "reference.rerun", [PYTEST, edit("a.py")]),
    (
        "I adjusted the crate so it can find the file, then executed:\n```\ncargo build\n```\n",
        "reference.rerun",
        [CARGO, edit("src/lib.rs")],
    ),
    ("Updated the handler and re-ran `go vet ./...`.", "reference.command", [edit("main.go")]),
    ("The log says `permission denied for relation orders`.", "reference.quote", [LOG]),
    ('It printed "all 12 shards are ready".', "reference.quote", [JSON]),
    ("The command failed with `undefined symbol: init_cart`.", "reference.quote", [CARGO]),
    ("pytest reported `9 errors during collection`.", "reference.quote", [PYTEST]),
    (
        "The terminal output was:\n```\n3 rows failed to copy\nerror: quota\n```\n",
        "reference.quote",
        [LOG],
    ),
    ("The compiler said `value moved here, in previous iteration`.", "reference.quote", [CARGO]),
    ("The log shows `worker 7: out of memory ... restarting`.", "reference.quote", [LOG]),
    (
        "The stack trace reads `at Cart.total (cart.js:12)`.",
        "reference.quote",
        [LOG],
    ),
    # run, or nothing that could be held against the turn
    ("I ran `pytest` and it is green.", "", [PYTEST]),
    ("I fixed the path, then ran `pytest -q`.", "", [edit("a.py"), PYTEST]),
    ("I fixed the path, then ran `pytest -q`.", "", [PYTEST, edit("a.py"), PYTEST]),
    ("I ran `pytest -q`, then fixed the path.", "", [PYTEST, edit("a.py")]),
    ("Fixed the docs, then ran `pytest -q`.", "", [PYTEST, edit("README.md")]),
    ("| `make lint` | checks the style |", "", [PYTEST]),
    ("| Command | Expected |\n|---|---|\n| `make lint` | passed |\n", "", [PYTEST]),
    ("| Feature | Ready |\n|---|---|\n| `make lint` | \u2705 |\n", "", [PYTEST]),
    ("- `make lint` checks the style", "", [PYTEST]),
    ("To try it:\n```bash\nmix test\n```\n", "", [edit("lib/a.ex")]),
    ("I ran `npm test`.", "", [bash("./ci.sh", "ok")]),  # the script may have run it
    ("I ran `npm test`.", "", [bash("make all", "> npm test\nok")]),  # it printed the command
    ("I ran `npm test`.", "", [task("I looked."), PYTEST]),
    ("I ran `npm test`.", "", [call("mcp__shell__exec", "ok"), PYTEST]),
    ("Run `npm test` to see it.", "", [PYTEST]),
    ("You can check it with `npm test`.", "", [PYTEST]),
    ("I did not run `npm test`.", "", [PYTEST]),
    ("CI ran `npm test` on the branch.", "", [PYTEST]),
    ("I ran `npm test` earlier.", "", [PYTEST]),
    ("Once `npm test` passed, merge it.", "", [PYTEST]),
    ("I added a script that ran `npm test`.", "", [PYTEST]),
    ("The log says `connection reset by peer`.", "", [LOG]),  # colours and blanks do not count
    ("The output shows `2 of 3 ... ready`.", "", [JSON]),  # an ellipsis
    ("The log shows `worker <n>: connection reset`.", "", [LOG]),  # a placeholder
    ('It printed "status: up, detail: 2 of 3 shards ready".', "", [JSON]),  # without its signs
    ("The server logged `listening on port`.", "", [SERVER]),
    (
        "It printed `hello from the new flag`.",
        "",
        [write("a.py", 'print("hello from the new flag")')],
    ),
    ("The CLI prints `Usage: shop [options]` then.", "", [PYTEST]),  # how it behaves
    ("The log says `ready`.", "", [PYTEST]),  # too short to tell
    ("The button reads `Save the order now`.", "", [PYTEST]),  # no output
    ("It should have printed `all is well here`.", "", [PYTEST]),
    ("The log showed `var/log/app/server.log`.", "", [PYTEST]),  # a path
    (
        "The output was:\n```\nworker 3: connection reset\nerror: quota\n```\n",
        "",
        [LOG],
    ),  # one line is there
    (
        "The log says `permission denied for relation orders`.",
        "",
        [bash("cat app.log", "a\n... [1200 characters truncated] ...\nb")],
    ),
]


@pytest.mark.parametrize(
    ("message", "marker", "acts"), REFERENCES, ids=[row[0][:60] for row in REFERENCES]
)
def test_reference(message: str, marker: str, acts: list[Act], tmp_path: Path) -> None:
    looked_up = ("reference.command", "reference.rerun", "reference.quote")
    found = [one for one in matches(tmp_path, message, acts) if one.marker.id in looked_up]
    assert [one.marker.id for one in found] == ([marker] if marker else [])
    assert all(one.verdict and one.verdict.status == UNSUPPORTED for one in found)


def test_what_the_user_pasted_is_known(tmp_path: Path) -> None:
    message = "The command failed with `cannot open shared object file`."
    assert "reference.quote" in ids(matches(tmp_path, message, [PYTEST]))
    assert "reference.quote" not in ids(matches(tmp_path, message, [PYTEST], PASTED))


def test_a_commit_is_looked_up_in_the_repository(tmp_path: Path) -> None:
    def reported(name: str) -> bool:
        message = f"The slow query came in with commit {name}."
        return "reference.commit" in ids(matches(tmp_path, message, [PYTEST]))

    assert not reported("9f8e7d6")  # no repository here: it cannot be told
    for command in ("init -q", "-c user.name=a -c user.email=a@b.c commit -q --allow-empty -m a"):
        subprocess.run(["git", "-C", str(tmp_path), *command.split()], check=True)
    head = ["git", "-C", str(tmp_path), "rev-parse", "HEAD"]
    made = subprocess.run(head, check=True, capture_output=True, text=True).stdout[:9]
    assert not reported(made)
    assert reported("9f8e7d6")


def ids(found: list[Match]) -> list[str]:
    return [one.marker.id for one in found]


@pytest.mark.parametrize(
    ("quote", "known"),
    [
        ("first second third", True),
        ("FIRST  second\nnothing of the kind", True),
        ("first {x} third", True),
        ("first second fourth", False),
        ("ok", None),
        ("```\nok\n```", None),
    ],
)
def test_quotes(quote: str, known: bool | None) -> None:
    call_ = ToolCall("t1", "Bash", {"command": "x"}, "zero\nfirst \x1b[1msecond\x1b[0m\nthird")
    assert Quotes(Seen(Ledger((call_,)))).holds(quote) is known
    assert Quotes(Seen(Ledger((call_,), partial=True))).holds("first second fourth") is None
