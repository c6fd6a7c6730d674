"""The ledger of a turn: commands, and the paths that the harness knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from groundwire.evidence.ledger import build_ledger, knows_path, paths_in
from groundwire.model import Ledger, ToolCall, Turn
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns
from tests.support.transcripts import Session

Write = Callable[[Session], object]


def ledger_of(tmp_path: Path, write: Write) -> Ledger:
    session = Session()
    session.prompt("go on")
    write(session)
    session.say("Done.")
    (turn,) = split_turns(all_entries(session.write(tmp_path / "s.jsonl")))
    return build_ledger(turn)


def knowing(*paths: str) -> Ledger:
    return Ledger(paths=frozenset(paths))


TRACE = '  File "/srv/app/web/views.py", line 12, in get\n    raise KeyError(name)'
FAILED = "FAILED tests/test_cart.py::test_total - AssertionError"
RUST = "error[E0433]: failed to resolve\n  --> src/main.rs:11:19\n   |"
GO = "    journal_test.go:58: replayed 11 entries, want 12"
GIT = " M src/cart.py\n?? docs/plan.md\n R src/{old => new}/name.py"
DIFF = "diff --git a/web/app.ts b/web/app.ts\n--- a/web/app.ts\n+++ b/web/app.ts"
MAKE = "make: *** [Makefile:41: flash] Error 1"
JS = "\x1b[31mFAIL\x1b[0m  test/auth.test.js"
WINDOWS = r"C:\Users\dev\shop\web.config(12,3): error CS1002"
ROUTE = "\u25cb /orders/[id]   src/app/orders/[id]/page.tsx"


@pytest.mark.parametrize(
    ("write", "path"),
    [
        (lambda s: s.read("/home/dev/shop/src/cart.py", "x"), "src/cart.py"),
        (lambda s: s.edit("/home/dev/shop/src/cart.py", "x", "y"), "cart.py"),
        (lambda s: s.create("/home/dev/shop/docs/new plan.md", "x"), "docs/new plan.md"),
        (lambda s: s.call("NotebookEdit", {"notebook_path": "/n/a.ipynb"}, "ok"), "a.ipynb"),
        (lambda s: s.grep("x", ["src/a.py"]), "src/a.py"),
        (lambda s: s.grep("x", [], path="/home/dev/shop/src"), "src"),
        (lambda s: s.glob("*.md", ["/home/dev/shop/read me.md"]), "read me.md"),
        (lambda s: s.bash("cat deploy/run.sh", "echo"), "deploy/run.sh"),
        (lambda s: s.bash("pytest", TRACE), "web/views.py"),
        (lambda s: s.bash("pytest", FAILED), "tests/test_cart.py"),
        (lambda s: s.bash("cargo build", RUST, exit_code=101), "src/main.rs"),
        (lambda s: s.bash("go test", GO), "internal/journal/journal_test.go"),
        (lambda s: s.bash("git status -s", GIT), "src/cart.py"),
        (lambda s: s.bash("git status -s", GIT), "docs/plan.md"),
        (lambda s: s.bash("git diff", DIFF), "web/app.ts"),
        (lambda s: s.bash("make flash", MAKE), "Makefile"),
        (lambda s: s.bash("npm test", JS), "test/auth.test.js"),
        (lambda s: s.bash("build", WINDOWS), "shop/web.config"),
        (lambda s: s.bash("build", ROUTE), "src/app/orders/[id]/page.tsx"),
        (lambda s: s.bash("ls -a", ".\n..\n.gitignore\n.env.local"), ".gitignore"),
        (lambda s: s.task("look", "look", "It is in lib/it.rb, line 3."), "lib/it.rb"),
        (lambda s: s.meta("see notes/todo.txt"), "notes/todo.txt"),
        (lambda s: s.attach("file", filename="/home/dev/shop/a.toml"), "a.toml"),
        (lambda s: s.compact("imports/orders.py is left."), "imports/orders.py"),
        (lambda s: s.call("mcp__db__dump", {"files": ["out/a.sql"]}, "ok"), "out/a.sql"),
    ],
)
def test_known_paths(tmp_path: Path, write: Write, path: str) -> None:
    assert knows_path(ledger_of(tmp_path, write), path)


@pytest.mark.parametrize(
    "write",
    [
        lambda s: s.say("It is in src/made_up.py."),
        lambda s: s.feedback("src/made_up.py is not known"),
        lambda s: s.create("/home/dev/shop/a.md", "see src/made_up.py"),
        lambda s: s.edit("/home/dev/shop/a.md", "x", "see src/made_up.py"),
        lambda s: s.call("Agent", {"prompt": "look into src/made_up.py"}, "nothing found"),
        lambda s: s.call("TodoWrite", {"todos": [{"content": "fix src/made_up.py"}]}, "ok"),
        lambda s: s.bash("ls", "src/not_made_up.py"),
        lambda s: s.bash("ls", "src/made_up.pyc\nsrc/made_up.py.bak"),
        lambda s: s.bash("ls", "https://example.com/src/made_up.py"),
    ],
)
def test_what_the_model_wrote_makes_no_path_known(tmp_path: Path, write: Write) -> None:
    assert not knows_path(ledger_of(tmp_path, write), "src/made_up.py")


def test_an_empty_input_is_no_path(tmp_path: Path) -> None:
    assert "" not in ledger_of(tmp_path, lambda s: s.call("Read", {"file_path": ""}, "x")).paths


def test_a_path_that_a_tool_was_given_is_kept_whole(tmp_path: Path) -> None:
    ledger = ledger_of(tmp_path, lambda s: s.create("/home/dev/shop/new plan (2).md", "x"))
    assert "/home/dev/shop/new plan (2).md" in ledger.paths


def test_a_prompt_makes_paths_known() -> None:
    ledger = build_ledger(Turn(prompt="please fix @src/cart.py, and (maybe) `lib/b.py`."))
    assert {"src/cart.py", "lib/b.py"} <= set(ledger.paths)


@pytest.mark.parametrize(
    ("known", "asked", "answer"),
    [
        ("/home/dev/shop/src/app.py", "src/app.py", True),
        ("/home/dev/shop/src/app.py", "/home/dev/shop/src/app.py", True),
        ("/home/dev/shop/src/app.py", "app.py", True),
        ("/home/dev/shop/src/app.py", "./src/app.py", True),
        ("/home/dev/shop/src/app.py", "src\\app.py", True),
        ("/home/dev/shop/src/app.py", "~/shop/src/app.py", True),
        ("/home/dev/shop/src/app.py", "C:/home/dev/shop/src/app.py", True),
        ("/home/dev/shop/src/app.py", "@src/app.py", True),
        ("/home/dev/shop/src/app.py", "src/", True),  # the folder of a known file
        ("src/app.py", "src", True),
        ("/home/dev/shop/src/app.py", "shop/src", True),
        ("/home/dev/shop/src/app.py", "sr", False),
        ("/home/dev/shop/src", "src/", True),
        ("src/app.py", "/home/dev/shop/src/app.py", True),  # a command ran in another folder
        ("app.py", "src/app.py", True),  # a listing of src
        ("src/app.py", "lib/app.py", False),
        ("src/app.py", "src/app.p", False),
        ("src/app.py", "rc/app.py", False),
        ("src/app.py", "src/app.pyx", False),
        ("src/App.py", "src/app.py", False),
        ("src/my_app.py", "app.py", False),
        ("src/app.py", "", False),
        ("src/app.py", "/", False),
        ("src/app.py", ".", False),
        ("src/app.py", "./", False),
        ("src/app.py", "a b", False),
    ],
)
def test_knows_path(known: str, asked: str, answer: bool) -> None:
    assert knows_path(knowing(known), asked) is answer


def test_parts_of_a_path_with_blanks_must_all_be_known() -> None:
    assert knows_path(knowing("docs/new", "plan.md"), "docs/new plan.md")
    assert not knows_path(knowing("docs/new"), "docs/new plan.md")


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("in src/a.py, lib/b.py; and c.txt.", {"src/a.py", "lib/b.py", "c.txt"}),
        ("\"a.py\" 'b.py' `c.py` (d.py) [e.py]", {"a.py", "b.py", "c.py", "d.py", "e.py"}),
        ("src/a.py:12:5: E501", {"src/a.py"}),
        ("--config=conf/app.toml", {"conf/app.toml"}),
        ("src\\win\\a.cs", {"src/win/a.cs"}),
        ("../other/a.py /etc/hosts", {"../other/a.py", "/etc/hosts"}),
        ("./b.py ~/c.py src/ @d.py", {"b.py", "c.py", "src", "d.py"}),
        ("Makefile LICENSE dockerfile Nothing", {"Makefile", "LICENSE", "dockerfile"}),
        (".gitignore .env", {".gitignore", ".env"}),
        ("took 0.41s, 3.11 passed, v1.2.3 ... -- / . , 12%", set()),
        ("https://example.com/a/b.py", set()),
        ("a" * 600 + "/b.py", set()),
        ("src/\u00fcber/\u4e16.py", {"src/\u00fcber/\u4e16.py"}),
        ("self.client.extraordinarily long.names_like_this", set()),
        ("", set()),
    ],
)
def test_paths_in(text: str, paths: set[str]) -> None:
    assert paths_in(text) == paths


def test_commands_are_those_of_shells_in_order(tmp_path: Path) -> None:
    def write(session: Session) -> None:
        session.bash("make", "ok")
        session.call("Read", {"command": "no command"}, "x")
        session.call("PowerShell", {"command": "dotnet build"}, "ok")
        session.call("Bash", {"command": 7}, "x")
        session.bash("make test", "1 failed", exit_code=2)

    ledger = ledger_of(tmp_path, write)
    assert ledger.commands == ("make", "dotnet build", "make test")
    assert [call.name for call in ledger.calls] == ["Bash", "Read", "PowerShell", "Bash", "Bash"]


@pytest.mark.parametrize("partial", [False, True])
def test_partial_is_passed_on(partial: bool) -> None:
    ledger = build_ledger(Turn(partial=partial))
    assert ledger.replace(paths=()) == Ledger(partial=partial)
    assert list(ledger.paths) == []


@pytest.mark.parametrize("lines", [1, 100_000])
def test_a_path_that_is_printed_often_is_one_path(lines: int) -> None:
    line = "src/module_a/file.py:12: warning: unused variable `x` [-Wunused]\n"
    call = ToolCall("toolu_1", "Bash", {"command": "make"}, line * lines)
    assert list(build_ledger(Turn(calls=(call,))).paths) == ["src/module_a/file.py"]


def test_looking_for_a_name_finds_what_reading_all_paths_finds() -> None:
    """The first questions of a turn search its texts, later ones ask the set of all paths."""
    names = ("app.py", "src", "b.ts", "Makefile", "x y.txt", ".env", "..", "@p", "q'r.md", "(z)")
    joints = ("/", "//", "\\", " ", ", ", "\n", ": ", "`", "/./")
    choose = Random(5)

    def text(length: int) -> str:
        return "".join(choose.choice(names) + choose.choice(joints) for _ in range(length))

    answers = set()
    for _ in range(150):
        call = ToolCall("1", "Read", {"file_path": text(2)}, text(12))
        asked = build_ledger(Turn(prompt=text(2), calls=(call,)))
        whole = asked.replace(paths=frozenset(asked.paths))
        asked = build_ledger(Turn(prompt=whole.prompt, calls=(call,)))
        for path in (text(choose.randrange(1, 4)) for _ in range(15)):
            answers.add(knows_path(asked, path))
            assert knows_path(asked, path) == knows_path(whole, path), (path, call)
    assert answers == {True, False}
