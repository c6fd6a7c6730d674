"""What a turn wrote and took away again is no edit of its sources; everything else is."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs import source_edits, weakened_tests
from groundwire.model import ToolCall

CWD = "/home/dev/shop"


def bash(command: str, result: str = "", error: bool = False, tool: str = "Bash") -> ToolCall:
    return ToolCall("t-1", tool, {"command": command}, result, error)


def power(command: str) -> ToolCall:
    return bash(command, tool="PowerShell")


def create(path: str) -> ToolCall:
    result = f"File created successfully at: {CWD}/{path}"
    return ToolCall("t-2", "Write", {"file_path": f"{CWD}/{path}", "content": "x"}, result, False)


def overwrite(path: str) -> ToolCall:
    result = f"The file {CWD}/{path} has been updated."
    return ToolCall("t-2", "Write", {"file_path": f"{CWD}/{path}", "content": "x"}, result, False)


def edit(path: str) -> ToolCall:
    result = "The file has been updated."
    return ToolCall("t-3", "Edit", {"file_path": f"{CWD}/{path}"}, result, False)


def read(path: str) -> ToolCall:
    return ToolCall("t-4", "Read", {"file_path": f"{CWD}/{path}"}, "1\u2192x", False)


HERE = "cat > {0} <<'EOF'\nprint(1)\nEOF\n"

GONE: list[tuple[str, list[ToolCall]]] = [
    ("python, one command", [bash(HERE.format("probe.py") + "python probe.py; rm -f probe.py")]),
    ("node, two spellings", [bash(HERE.format("p.mjs") + "node ./p.mjs; rm -f ./p.mjs")]),
    ("go, a later command", [create("dbg/main.go"), bash("go run ./dbg"), bash("rm -rf dbg")]),
    ("ruby, an edit between", [create("tmp_x.rb"), edit("tmp_x.rb"), bash("rm tmp_x.rb")]),
    ("rust", [create("examples/try.rs"), bash("cargo run --example try; rm examples/try.rs")]),
    ("php, absolute", [bash(HERE.format("x.php")), bash(f"php x.php; rm {CWD}/x.php")]),
    ("java, with its classes", [create("Probe.java"), bash("java Probe.java; rm -f Probe.*")]),
    ("a copy", [bash("cp src/a.ts src/a.orig.ts; tsc src/a.orig.ts; rm src/a.orig.ts")]),
    ("in a folder", [bash("cd web && " + HERE.format("p.ts")), bash("npx tsx p.ts; rm -f p.ts")]),
    ("git clean", [create("probe.py"), bash("python probe.py"), bash("git clean -fd")]),
    ("PowerShell", [create("p.ps1"), power("./p.ps1; Remove-Item -Force p.ps1")]),
    ("unlink", [create("p.pl"), bash("perl p.pl; unlink p.pl")]),
    ("moved out", [create("p.py"), bash("mv p.py /tmp/p.py")]),
    ("its program failed first", [
        bash(HERE.format("p.py") + "python p.py", "Exit code 1\nTypeError", True),
        edit("p.py"),
        bash("python p.py; rm p.py"),
    ]),
    ("taken away, then failed", [
        create("p.py"), bash("python p.py; rm p.py; exit 3", "Exit code 3\nx", True),
    ]),
    ("twice", [bash(HERE.format("p.js") + "node p.js; rm p.js")] * 2),
]  # fmt: skip

LEFT: list[tuple[str, list[ToolCall], list[str]]] = [
    ("fetched source", [bash("curl -s http://x/y.py > y.py")], ["y.py"]),
    ("fetched manifest", [bash("helm template . > deploy.yaml")], ["deploy.yaml"]),
    ("made by a program", [bash("node gen.js > schema.json")], ["schema.json"]),
    ("written", [bash("echo '{}' > config.json")], ["config.json"]),
    ("rewritten", [bash("jq .a package.json > out.json")], ["out.json"]),
    ("stays", [bash(HERE.format("probe.py") + "python probe.py")], ["probe.py"]),
    ("another one goes", [create("a.go"), bash("rm b.go")], [f"{CWD}/a.go", "b.go"]),
    ("a source goes", [bash("rm src/cart.rb")], ["src/cart.rb"]),
    ("was there", [overwrite("a.ts"), bash("rm a.ts")], [f"{CWD}/a.ts", "a.ts"]),
    ("was read", [read("a.rs"), bash(HERE.format("a.rs")), bash("rm a.rs")], ["a.rs", "a.rs"]),
    ("was edited", [edit("A.java"), bash("rm A.java")], [f"{CWD}/A.java", "A.java"]),
    ("written again", [create("p.py"), bash("rm p.py"), create("p.py")], [f"{CWD}/p.py"]),
    ("only if it failed", [create("p.py"), bash("python p.py || rm p.py")],
     [f"{CWD}/p.py", "p.py"]),
    ("a look at git", [create("p.py"), bash("git clean -n")], [f"{CWD}/p.py"]),
    ("git knows it", [create("p.py"), bash("git add p.py"), bash("git clean -fd")],
     [f"{CWD}/p.py"]),
    ("another folder", [create("web/p.ts"), bash("rm api/p.ts")], [f"{CWD}/web/p.ts", "api/p.ts"]),
    ("its command failed", [create("p.py"), bash("make && rm p.py", "Exit code 2\nx", True)],
     [f"{CWD}/p.py"]),
    ("timed out", [
        create("p.py"),
        bash("python p.py; rm p.py", "Exit code 143\nCommand timed out after 2m 0s", True),
    ], [f"{CWD}/p.py"]),
    ("moved on", [create("p.py"), bash("mv p.py src/cart.py")], ["src/cart.py"]),
    ("copied from", [bash("cp src/a.ts src/b.ts")], ["src/b.ts"]),
    ("copied into a folder", [bash("cp conf/a.json src/")], ["src/a.json"]),
    ("another name below", [create("a/p.py"), bash("rm *.py")], [f"{CWD}/a/p.py", "*.py"]),
]  # fmt: skip

OUTSIDE = [
    bash("kubectl get pods -o json > pods.json"),
    bash("curl -s http://localhost:8080/users > users.json"),
    bash("gh api repos/o/r/issues | jq . > /dev/null; gh api repos/o/r > data/repo.json"),
    bash("docker logs web > run.out"),
    bash("psql -c 'select 1' > rows.tsv"),
    bash("cd /tmp/try && " + HERE.format("main.go")),
    bash("d=$(mktemp -d) && " + HERE.format("$d/a.py")),
    bash("work=/tmp/x\n" + HERE.format('"$work/a.rb"')),
    bash(HERE.format("$TMPDIR/a.ts") + HERE.format("${TMPDIR:-/tmp}/b.ts")),
    bash(HERE.format("/var/folders/x1/T/a.swift")),
    power("cp src/a.cs $env:TEMP/a.cs"),
    bash(HERE.format("/home/dev/.cache/agent/scratchpad/a.rs")),
    bash("cp src/Cart.java /tmp/Cart.java"),
]


@pytest.mark.parametrize("calls", [row[1] for row in GONE], ids=[row[0] for row in GONE])
def test_what_is_written_and_taken_away_again_is_no_edit(calls: list[ToolCall]) -> None:
    assert source_edits(calls, CWD) == ()


@pytest.mark.parametrize(("calls", "paths"), [r[1:] for r in LEFT], ids=[r[0] for r in LEFT])
def test_what_is_left_of_it_is_an_edit(calls: list[ToolCall], paths: list[str]) -> None:
    assert [path for _, path in source_edits(calls, CWD)] == paths


@pytest.mark.parametrize("call", OUTSIDE, ids=[str(call.input["command"])[:20] for call in OUTSIDE])
def test_temporary_folders_are_no_part_of_the_project(call: ToolCall) -> None:
    assert source_edits([call], CWD) == ()


def test_a_project_in_a_temporary_folder_is_one() -> None:
    call = bash("cd /tmp/shop && " + HERE.format("main.go"))
    assert source_edits([call], "/tmp/shop") == ((0, "main.go"),)


@pytest.mark.parametrize("name", ["tests/test_probe.py", "probe.test.ts", "cart_probe_test.go"])
def test_a_scratch_test_is_not_deleted(name: str) -> None:
    written = [bash(HERE.format(name) + f"run {name}; rm ./{name}")]
    assert weakened_tests(written) == weakened_tests([create(name), bash(f"rm {name}")]) == ()
    assert weakened_tests([bash(f"rm {name}")]) == ((name, "deleted"),)
