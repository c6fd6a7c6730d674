"""What a message refers to: paths, lines, commits, commands and pasted output."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bare import locations
from groundwire.scan.references import (
    COMMAND,
    COMMIT,
    HASH,
    OUTPUT,
    PATH,
    Reference,
    find_references,
    reference_candidates,
)
from groundwire.text.mask import mask

PATTERNS = Path(__file__).parents[2] / "patterns" / "unsupported_reference.toml"
MARKERS = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]
ENTRIES = [entry for entry in MARKERS if "scanner" in entry]
FENCE = "```python\nopen('src/a.py:3')  # commit abc1234\n```"


def references(text: str, *kinds: str) -> list[Reference]:
    found = find_references(text, mask(text).text)
    return [one for one in found if not kinds or one.kind in kinds]


def cited(text: str, *kinds: str) -> list[str]:
    return [text[one.start : one.end] for one in references(text, *kinds)]


@pytest.mark.parametrize(
    ("text", "evidence", "path", "line", "end_line"),
    [
        ("See src/a.py:12.", "src/a.py:12", "src/a.py", 12, 12),
        ("See `src/b.py:3-9` here", "src/b.py:3-9", "src/b.py", 3, 9),
        ("lib/c.go#L12-L20 casts", "lib/c.go#L12-L20", "lib/c.go", 12, 20),
        ("lib/c.go#L12", "lib/c.go#L12", "lib/c.go", 12, 12),
        ("pkg/a.go:10:5: undefined", "pkg/a.go:10:5", "pkg/a.go", 10, 10),  # go vet
        ("a.ts(12,5): error", "a.ts(12", "a.ts", 12, 12),  # tsc
        ("(src/a.rs:7)", "src/a.rs:7", "src/a.rs", 7, 7),
        ("**src/e.py:1**", "src/e.py:1", "src/e.py", 1, 1),
        ('"Foo.java:31"', "Foo.java:31", "Foo.java", 31, 31),
        ("foo.py, line 12", "foo.py, line 12", "foo.py", 12, 12),
        ("foo.py (line 7)", "foo.py (line 7)", "foo.py", 7, 7),
        ("foo.py (lines 7-9)", "foo.py (lines 7-9)", "foo.py", 7, 9),
        ("foo.py at line 9", "foo.py at line 9", "foo.py", 9, 9),
        ("`foo.py` line 9", "foo.py` line 9", "foo.py", 9, 9),
        ("line 42 of `foo.py`", "foo.py", "foo.py", 42, 42),
        ("lines 3-5 in foo.py", "foo.py", "foo.py", 3, 5),
        ("Makefile:12", "Makefile:12", "Makefile", 12, 12),
        ("src/run:12", "src/run:12", "src/run", 12, 12),
        ("C:\\src\\a.cs:3", "C:\\src\\a.cs:3", "C:\\src\\a.cs", 3, 3),
        ("[x](src/x.kt#L4)", "src/x.kt#L4", "src/x.kt", 4, 4),
        ("resume.go:promptName() asks", "resume.go", "resume.go", 0, 0),
        ("tests/test_a.py::test_b fails", "tests/test_a.py", "tests/test_a.py", 0, 0),
        ("the file package.json.", "package.json", "package.json", 0, 0),
        ("Cargo.lock changed", "Cargo.lock", "Cargo.lock", 0, 0),
        ("../a/b.rb and more", "../a/b.rb", "../a/b.rb", 0, 0),
        ("`Dockerfile` is new", "Dockerfile", "Dockerfile", 0, 0),
        ("src/groundwire/scan holds it", "src/groundwire/scan", "src/groundwire/scan", 0, 0),
        ("/etc/passwd is read", "/etc/passwd", "/etc/passwd", 0, 0),
        ("`cmd/server/cli` moved", "cmd/server/cli", "cmd/server/cli", 0, 0),
        ("| `a.vue:3` | x |\n|---|---|", "a.vue:3", "a.vue", 3, 3),
        ("https://x.org/y and src/a.py:3", "src/a.py:3", "src/a.py", 3, 3),
    ],
)
def test_path(text: str, evidence: str, path: str, line: int, end_line: int) -> None:
    (one,) = references(text, PATH)
    assert text[one.start : one.end] == evidence
    assert (one.path, one.line, one.end_line) == (path, line, end_line)


@pytest.mark.parametrize(
    "text",
    [
        "Node.js, Next.js, Vue.js, `three.js` and Socket.io",
        "e.g. this, i.e. that, a.m. and p.m.",
        "and/or, TCP/IP, I/O, CI/CD, he/she/they, red/green/refactor",
        "1.5 and v2.1.3 and 3.11/3.12",
        "example.com, docs.rs, deno.land and bun.sh",
        "foo.bar(), json.load(f), self.go(), re.sh()",
        "console.log prints process.env and `response.json`",
        "10/10 on 3/10/2026 and 24/7",
        "https://github.com/a/b/blob/main/foo.py#L10",
        "www.site.org/a.html",
        "github.com/foo/bar/main.go is an import",
        "application/json and text/html",
        "origin/main, feature/new-parser and `user/name`",
        "localhost:8080, 127.0.0.1:80 and 10:30",
        "std::vec and Foo::bar",
        "src/*.py, `src/**/*.ts` and *_test.go",
        "a\\n\\nb is an escape",
        "@scope/package and #tag/one",
        "// a comment /",
        "What ... is this?!",
        "> src/q.py:3",
        "    indented/a.py:3",
        "```\nsrc/q.py:3\n```",
        "x" * 400 + "/a.py",  # longer than any path
        "The ratio is 3:4.",
    ],
)
def test_no_path(text: str) -> None:
    assert cited(text, PATH) == []


@pytest.mark.parametrize(
    ("text", "evidence", "kind"),
    [
        ("commit abc1234 broke it", "abc1234", COMMIT),
        ("Commit: `abc1234`", "abc1234", COMMIT),
        ("commits 1234abc and more", "1234abc", COMMIT),
        ("committed as `803390c`", "803390c", COMMIT),
        ("(commit 803390c)", "803390c", COMMIT),
        ("sha: 1a2b3c4d5e", "1a2b3c4d5e", COMMIT),
        ("HEAD is now at 1a2b3c4d", "1a2b3c4d", COMMIT),
        ("revision 1a2b3c4d, tagged", "1a2b3c4d", COMMIT),
        ("reverted 9f8e7d6c", "9f8e7d6c", COMMIT),
        ("commit hash " + "a1" * 20, "a1" * 20, COMMIT),
        ("HEAD detached at `0f1e2d3`", "0f1e2d3", COMMIT),
        ("pushed 9f8e7d6c to main", "9f8e7d6c", COMMIT),
        ("changeset 9f8e7d6c", "9f8e7d6c", COMMIT),
        ("`deadbee1` is an ancestor", "deadbee1", HASH),
        ("the id `82b4027`", "82b4027", HASH),
    ],
)
def test_commit(text: str, evidence: str, kind: str) -> None:
    (one,) = references(text, COMMIT, HASH)
    assert (text[one.start : one.end], one.path, one.kind) == (evidence, evidence, kind)


@pytest.mark.parametrize(
    "text",
    [
        "The commit message is short.",
        "commit 1234567 has no letter",
        "commit defaced has no digit",
        "commit abc123 is too short",
        "commit " + "a1" * 21,
        "The color is #ff00aa1.",
        "550e8400-e29b-41d4 is a uuid",
        "deadbee1 in plain words",
        "`the deadbee1 here`",
        "commit the change. 1a2b3c4d is next",
        "commit 1a2b3c4d-dirty",
        "```\ncommit 1a2b3c4d\n```",
        "> commit 1a2b3c4d",
        "recommit everything",
        "It is in the previous commit (1a2b3c4d).",
        "The parent commit 1a2b3c4d has it already.",
        "the SHA-256 sum",
        "overhead 12 of 1000000",
    ],
)
def test_no_commit(text: str) -> None:
    assert cited(text, COMMIT, HASH) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("run `npm test`", "npm test"),
        ("`pytest`", "pytest"),
        ("`pytest -q tests/`", "pytest -q tests/"),
        ("`go test ./...`", "go test ./..."),
        ("`$ cargo build --release`", "cargo build --release"),
        ("`git commit -m x`", "git commit -m x"),
        ("`mvn -q verify`", "mvn -q verify"),
        ("`./gradlew test`", "./gradlew test"),
        ("`make lint`", "make lint"),
        ("`tsc`", "tsc"),
        ("``docker run `id` ``", "docker run `id`"),
        ("`bundle exec rspec`", "bundle exec rspec"),
        ("`dotnet test`", "dotnet test"),
        ("`python -m build`", "python -m build"),
        ("- `uv run pytest`", "uv run pytest"),
    ],
)
def test_command(text: str, evidence: str) -> None:
    assert cited(text, COMMAND) == [evidence]


@pytest.mark.parametrize(
    "text",
    [
        "`foo bar`",
        "`git`",
        "`node`",
        "run npm test",  # not in code
        "`make_pool(3)`",
        "`gofmt_all x`",
        "`test`",
        "`npm `",
        "```\nnpm test\n```",
        "> `npm test`",
        "`npm test",
        "`nodes go`",
        "`Make sure`",
        "`cd src`",
        "``",
    ],
)
def test_no_command(text: str) -> None:
    assert cited(text, COMMAND) == []


@pytest.mark.parametrize(
    "fence",
    [
        "```\n$ pytest\n3 passed in 1s\n```",
        "```text\n=== RUN   TestPool\n--- PASS: TestPool (0.01s)\nPASS\n```",
        "```bash\nTests:       3 failed, 41 passed\n```",
        "```console\nanything\n```",
        "~~~log\nanything\n~~~",
        "```\nTraceback (most recent call last):\n```",
        "```\nerror[E0382]: use of moved value\n```",
        "```\ntest result: ok. 12 passed; 0 failed\n```",
        "```\n[INFO] BUILD SUCCESS\n```",
        "```sh\nexit status 1\n```",
        "```\n3 passed, and it is never closed",
        "   ```output\n   indented\n   ```",
        "````\n```\n2 failed\n```\n````",
        "```\n\nRan 12 tests in 0.1s\n```",
        "```\nnpm ERR! code ELIFECYCLE\n```",
    ],
)
def test_output(fence: str) -> None:
    assert len(references(f"I ran it:\n\n{fence}\n", OUTPUT)) == 1


@pytest.mark.parametrize(
    "fence",
    [
        "```python\nprint('3 passed')\n```",
        "```js\nconsole.log('error: x')\n```",
        "```\na -> b -> c\n```",
        "```text\n+---+\n| a |\n+---+\n```",
        "```bash\nnpm install\n```",
        "```diff\n- error: a\n+ error: b\n```",
        '```json\n{"failed": 3}\n```',
        "```\n```",
        "`3 passed`",
        "3 passed in 1s",
        "    3 passed in 1s",
        "> 3 passed in 1s",
        '```go\nt.Fatal("exit status 1")\n```',
        "```yaml\nrun: exit status 1\n```",
        "``` 3 passed ``` is inline",
    ],
)
def test_no_output(fence: str) -> None:
    assert references(f"I wrote it:\n\n{fence}\n", OUTPUT) == []


@pytest.mark.parametrize(
    ("text", "locates"),
    [
        ("src/a.py", True),
        ("src/a.py:3", True),
        ("src/run:3", True),
        ("`src/`", False),
        ("/etc/hosts", False),
        ("commit 1a2b3c4d", False),
        ("`npm test`", False),
    ],
)
def test_locates(text: str, locates: bool) -> None:
    assert bool(locations(text, mask(text).text, [(0, len(text))])) is locates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # field 3 J: an invented line passed the peer
        ("src/nope.py:9999 returned None", [("src/nope.py:9999", "path-line")]),
        ("src/nope.py returned None", []),  # without a line it is a name
        ("commit 1a2b3c4d", [("1a2b3c4d", "commit")]),
        ("`1a2b3c4d`", []),  # not said to be a commit
        ("`npm test`", []),
        ("```\n3 passed\n```", []),
        ("a.go:1 and b.go:2", [("a.go:1", "path-line"), ("b.go:2", "path-line")]),
    ],
)
def test_candidates(text: str, expected: list[tuple[str, str]]) -> None:
    assert candidates(text) == expected


def candidates(text: str) -> list[tuple[str, str]]:
    """Return what a message cites as known, with the end of the marker's name."""
    found = reference_candidates(references(text))
    return [(text[one.start : one.end], name.removeprefix("reference.")) for name, one in found]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_examples_of_the_pattern_file(entry: dict[str, list[str]]) -> None:
    name = str(entry["id"]).removeprefix("reference.")
    for hit in entry["hits"]:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        assert (wanted, name) in candidates(hit.replace("{", "").replace("}", ""))
    for miss in entry["misses"]:
        assert name not in [found for _evidence, found in candidates(miss)]


PIECES = st.sampled_from(
    "src/a.py:12 `b.go` `npm test` commit 1a2b3c4d `1a2b3c4d` Node.js and/or 10/10 x.ts(3,4) : / . "
    "line 3 of c.rs (line 9) C:\\d.cs:4 a/b/ # * ` ``` \u00b2 :12 #L3 Makefile:2".split(" ")
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=30).map(" ".join),
    st.lists(PIECES, max_size=30).map("\n".join),
    st.text("ab1./\\:#L-`~*()\n ,x\u00b2", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_spans_are_valid_and_apart_within_a_kind(text: str) -> None:
    found = references(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
    for kind in (PATH, COMMIT, HASH, COMMAND, OUTPUT):
        ends = [(one.start, one.end) for one in found if one.kind == kind]
        assert all(a[1] <= b[0] for a, b in pairwise(ends))


@given(TEXTS.filter(lambda text: "`" not in text and "~" not in text))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = references(text)
    shift = len(FENCE) + 2
    assert references(f"{text}\n\n{FENCE}") == found
    moved = [one.replace(start=one.start + shift, end=one.end + shift) for one in found]
    assert references(f"{FENCE}\n\n{text}") == moved
