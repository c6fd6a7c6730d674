"""Which files a turn changed, and which of these changes make a run stale."""

from __future__ import annotations

from functools import partial

import pytest

from groundwire.evidence.edits import Edit, edits_of, is_source
from groundwire.model import ToolCall
from tests.support.growth import LINEAR, Work, steepness

CWD = "/home/dev/shop"


def bash(command: str, result: str = "", error: bool = False, tool: str = "Bash") -> ToolCall:
    return ToolCall("t-1", tool, {"command": command}, result, error)


def power(command: str) -> ToolCall:
    return bash(command, tool="PowerShell")


def tool(name: str, path: str, result: str = "ok", error: bool = False) -> ToolCall:
    return ToolCall("t-2", name, {"file_path": f"{CWD}/{path}", "content": "x"}, result, error)


def create(path: str) -> ToolCall:
    return tool("Write", path, f"File created successfully at: {CWD}/{path}")


def edit(path: str) -> ToolCall:
    return tool("Edit", path)


def sources(*calls: ToolCall, cwd: str = CWD) -> list[str]:
    return [edit.path for edit in edits_of(calls, cwd) if edit.is_source and edit.succeeded]


HERE = "cat > {0} <<'EOF'\nprint(1)\nEOF\n"
FAILED = "Exit code 1\nTypeError"

GONE: list[tuple[str, list[ToolCall]]] = [
    ("python, one command", [bash(HERE.format("probe.py") + "python probe.py; rm -f probe.py")]),
    ("node, two spellings", [bash(HERE.format("p.mjs") + "node ./p.mjs; rm -f ./p.mjs")]),
    ("go, a later command", [create("dbg/main.go"), bash("go run ./dbg"), bash("rm -rf dbg")]),
    ("ruby, an edit between", [create("tmp_x.rb"), edit("tmp_x.rb"), bash("rm tmp_x.rb")]),
    ("php, absolute", [bash(HERE.format("x.php")), bash(f"php x.php; rm {CWD}/x.php")]),
    ("java, with its classes", [create("Probe.java"), bash("java Probe.java; rm -f Probe.*")]),
    ("a copy", [bash("cp src/a.ts src/a.orig.ts; tsc src/a.orig.ts; rm src/a.orig.ts")]),
    ("in a folder", [bash("cd web && " + HERE.format("p.ts")), bash("npx tsx p.ts; rm -f p.ts")]),
    ("PowerShell", [create("p.ps1"), power("./p.ps1; Remove-Item -Force p.ps1")]),
    ("moved out", [create("p.py"), bash("mv p.py /tmp/p.py")]),
    ("git rm", [create("p.swift"), bash("git rm -f p.swift")]),
    ("its program failed first", [
        bash(HERE.format("p.py") + "python p.py", FAILED, True), edit("p.py"),
        bash("python p.py; rm p.py"),
    ]),
    ("taken away, then failed",
     [create("p.py"), bash("python p.py; rm p.py; exit 3", FAILED, True)]),
    ("twice", [bash(HERE.format("p.js") + "node p.js; rm p.js")] * 2),
    ("stashed and taken back", [bash("git stash && go test ./...; git stash pop")]),
]  # fmt: skip

LEFT: list[tuple[str, list[ToolCall], list[str]]] = [
    ("edited", [edit("src/a.rs")], ["src/a.rs"]),
    ("refused", [tool("Edit", "a.rs", "String to replace not found", True)], []),
    ("read", [tool("Read", "a.rs")], []),
    ("by another tool", [tool("mcp__fs__write_file", "a.kt")], ["a.kt"]),
    ("in place", [bash("sed -i s/1/2/ src/a.c"), bash("perl -pi -e s/1/2/ b.pl")],
     ["src/a.c", "b.pl"]),
    ("in a folder", [bash("cd api && sed -i s/1/2/ a.go")], ["api/a.go"]),
    ("fetched source", [bash("curl -s http://x/y.py > y.py")], ["y.py"]),
    ("written", [bash("echo '{}' | tee config.json")], ["config.json"]),
    ("PowerShell", [power("Set-Content -Path src/a.cs -Value x.y")], ["src/a.cs"]),
    ("stays", [bash(HERE.format("probe.py") + "python probe.py")], ["probe.py"]),
    ("stays although its program failed", [bash(HERE.format("p.py") + "python p.py", FAILED, True)],
     ["p.py"]),
    ("perhaps never reached", [bash("make && sed -i s/1/2/ a.c", FAILED, True)], []),
    ("another one goes", [create("a.go"), bash("rm b.go")], ["a.go", "b.go"]),
    ("was there", [tool("Write", "a.ts", "updated"), bash("rm a.ts")], ["a.ts", "a.ts"]),
    ("was read", [tool("Read", "a.rs"), bash(HERE.format("a.rs")), bash("rm a.rs")],
     ["a.rs", "a.rs"]),
    ("written again", [create("p.py"), bash("rm p.py"), create("p.py")], ["p.py"]),
    ("only if it failed", [create("p.py"), bash("python p.py || rm p.py")], ["p.py", "p.py"]),
    ("another folder", [create("web/p.ts"), bash("rm api/p.ts")], ["web/p.ts", "api/p.ts"]),
    ("its command failed", [create("p.py"), bash("make && rm p.py", FAILED, True)], ["p.py"]),
    ("timed out", [
        create("p.py"),
        bash("python p.py; rm p.py", "Exit code 143\nCommand timed out after 2m 0s", True),
    ], ["p.py"]),
    ("moved on", [create("p.py"), bash("mv p.py src/cart.py")], ["src/cart.py"]),
    ("copied", [bash("cp conf/a.json src/; cp a.ts b.ts")], ["src/a.json", "b.ts"]),
    ("another name below", [create("a/p.py"), bash("rm *.py")], ["a/p.py", "*.py"]),
    ("a folder with a longer name", [create("src2/a.go"), bash("rm -rf src")], ["src2/a.go"]),
    ("taken back", [bash("git checkout -- src/a.go"), bash("git restore lib/b.rb")],
     ["src/a.go", "lib/b.rb"]),
    ("unnamed", [bash("git apply x.patch"), bash("patch -p1 < y.patch"), bash("git reset --hard")],
     ["git apply", "patch", "git reset"]),
    ("looks and moves of git", [bash("git checkout main; git switch -c b; git checkout v1.2"),
     bash("git merge main; git rebase x; git pull; git commit -am x; git stash list")], []),
    ("a formatter", [bash("ruff format . && npx prettier --write src && go fmt ./...")], []),
    ("elsewhere", [bash("ssh host rm a.py"), bash("ssh host 'sed -i s/1/2/ a.py'")], []),
]  # fmt: skip

OUTSIDE = [
    bash("kubectl get pods -o json > pods.json"),
    bash("gh api repos/o/r/issues > data/repo.json; docker logs web > run.out"),
    bash("cd /tmp/try && " + HERE.format("main.go")),
    bash("d=$(mktemp -d) && " + HERE.format("$d/a.py")),
    bash(HERE.format("$TMPDIR/a.ts") + HERE.format("${TMPDIR:-/tmp}/b.ts")),
    bash(HERE.format("/var/folders/x1/T/a.swift")),
    power("cp src/a.cs $env:TEMP/a.cs"),
    bash(HERE.format("/home/dev/.cache/agent/scratchpad/a.rs")),
    bash("go test ./... > /dev/null 2>&1"),
]


@pytest.mark.parametrize("calls", [row[1] for row in GONE], ids=[row[0] for row in GONE])
def test_what_is_made_and_taken_away_again_is_no_source(calls: list[ToolCall]) -> None:
    assert sources(*calls) == []


@pytest.mark.parametrize(("calls", "paths"), [r[1:] for r in LEFT], ids=[r[0] for r in LEFT])
def test_what_is_left_is_source(calls: list[ToolCall], paths: list[str]) -> None:
    assert sources(*calls) == paths


@pytest.mark.parametrize("call", OUTSIDE, ids=[str(call.input["command"])[:20] for call in OUTSIDE])
def test_what_lies_outside_is_no_source(call: ToolCall) -> None:
    assert sources(call) == []


def test_a_project_in_a_temporary_folder_is_one() -> None:
    call = bash("cd /tmp/shop && " + HERE.format("main.go"))
    assert sources(call, cwd="/tmp/shop") == ["main.go"]


def test_an_edit_names_its_call() -> None:
    refused = tool("MultiEdit", "a.py", "no", True)
    assert edits_of([edit("README.md"), refused, bash("rm b.py")], CWD) == (
        Edit(0, "t-2", "README.md", is_source=False),
        Edit(1, "t-2", "a.py", succeeded=False),
        Edit(2, "t-1", "b.py", removed=True),
    )


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        *((path, True) for path in (
            "src/a.py", "Makefile", "package.json", "go.sum", "CMakeLists.txt", ".env",
            "requirements-dev.txt", "tests/fixtures/page.md", "config/app.yml", "notes.py", "a.sql",
            "example/main.go", "src/sample.rs",
        )),
        *((path, False) for path in (
            "README.md", "docs/a.rst", "notes.txt", "LICENSE", "CHANGELOG", "TODO", ".env.sample",
            ".env.example", "config.sample.yml", ".vscode/settings.json", ".idea/x.xml", "logo.png",
            ".github/workflows/ci.yml", ".gitlab-ci.yml", ".editorconfig", "/tmp/a.py", "$OUT", "",
        )),
    ],
)  # fmt: skip
def test_files_that_a_run_reads(path: str, wanted: bool) -> None:
    assert is_source(path) is wanted


def test_many_files_are_read_in_linear_time() -> None:
    def work(size: int, _round: int) -> Work:
        made = [create(f"gen/f{n}.py") for n in range(size)]
        gone = [bash(f"rm gen/f{n}.py lib{n}.o build/{n}/x.o") for n in range(size)]
        return partial(edits_of, [*made, *gone], CWD)

    assert steepness(work, 300, 1_200) <= LINEAR
