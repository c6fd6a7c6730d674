"""What the texts of a turn show: names, numbers, paths; and what a sentence names."""

from __future__ import annotations

from functools import partial

import pytest

from groundwire.evidence.records import Shown
from groundwire.evidence.texts import Texts, names_in
from groundwire.model import ToolCall, Turn
from tests.support.growth import LINEAR, Work, steepness


def bash(command: str, result: str | None, background: str = "") -> ToolCall:
    return ToolCall("t-1", "Bash", {"command": command}, result, background_id=background)


def printed(*results: str) -> Texts:
    return Texts(Turn(calls=tuple(bash("run", result) for result in results)))


NAMES = [
    ("TypeError: x is not a function", "TypeError", True),
    ("typeerror in cart", "TypeError", True),
    ("see cart_total()", "cart_total", True),
    ("see cart_total()", "cart", False),
    ("\x1b[31mENOENT\x1b[0m: no such file", "ENOENT", True),
    ("cannot   open", "cannot open", False),
    ("src/app.py:12", "app.py", True),
    ("myapp.py", "app.py", False),
    ("origin/main..HEAD", "origin/main", True),
    ("--fail-fast", "--fail-fast", True),
    ("", "x", False),
]


@pytest.mark.parametrize(("result", "name", "known"), NAMES, ids=[f"{r[1]}: {r[0]}" for r in NAMES])
def test_a_name_stands_as_a_word(result: str, name: str, known: bool) -> None:
    assert (printed(result).shows(name) is not None) is known


NUMBERS = [
    ("42 passed", 42, "", True),
    ("Tests: 42", 42, "", True),
    ('{"total":42}', 42, "", True),
    ("41/42 ok", 42, "", True),
    ("41 of 42 ok", 41, "", True),
    ("1,234 rows", 1234, "", True),
    ("1234 rows", 1234, "", True),
    ("took 42s.", 42, "", True),
    ("93% covered", 93, "%", True),
    ("93.5 % covered", 93.5, "percent", True),
    ("93 tests", 93, "%", False),
    ("Time: 512.3 ms", 0.5123, "s", True),
    ("after: 4,200 ms", 4.2, "seconds", True),
    ("took 2 minutes", 120, "s", True),
    ("built in 1.20s", 1.2, "s", True),
    ("12 apples", 12, "s", False),
    ("2 KB", 2000, "B", True),
    ("14 MB", 14000, "KB", True),
    ("142 passed", 42, "", False),
    ("42.5 s", 42, "", False),
    ("v1.42.0 at 10:42:07", 42, "", False),
    ("on 2026-11-42", 42, "", False),
    ("4bd42f1 and a42", 42, "", False),
]


@pytest.mark.parametrize(
    ("result", "number", "unit", "known"), NUMBERS, ids=[f"{r[1]}{r[2]}: {r[0]}" for r in NUMBERS]
)
def test_a_number_stands_for_itself(result: str, number: float, unit: str, known: bool) -> None:
    assert (printed(result).prints(number, unit) is not None) is known


def test_the_latest_result_is_shown_with_its_line() -> None:
    calls = (
        ToolCall("t-1", "Bash", {"command": "pytest -q"}, "start\n41 passed"),
        ToolCall("t-2", "Read", {"file_path": "/p/a.py"}, "1\u2192total = 41\n2\u2192other"),
        ToolCall("t-3", "Edit", {"file_path": "/p/a.py", "new_string": "41 seats"}, "ok: 41 seats"),
    )
    texts = Texts(Turn(calls=calls))
    assert texts.prints(41) == Shown("t-2", "Read /p/a.py", "total = 41")
    assert texts.shows("passed") == Shown("t-1", "pytest -q", "41 passed")
    assert texts.shows("seats") is None  # what an edit returns is what the turn wrote


CUT = "a\n... [1200 characters truncated] ...\nb"
PARTS: list[tuple[str, list[ToolCall], bool]] = [
    ("all is there", [bash("ls", "a.py"), ToolCall("t", "Grep", {"pattern": "x"}, "")], True),
    ("cut by the harness", [bash("ls", CUT)], False),
    ("no result", [bash("ls", None)], False),
    ("in the background", [bash("ls", "started", "b1")], False),
    ("started in the background",
     [bash("x", "Command running in background with ID: b1. Output is being written")], False),
    ("a picture", [ToolCall("t", "Read", {"file_path": "a.png"}, "[image]")], False),
    ("too long", [bash("cat big", "x\n" * 150_000)], False),
]  # fmt: skip


@pytest.mark.parametrize(("calls", "whole"), [r[1:] for r in PARTS], ids=[r[0] for r in PARTS])
def test_whole(calls: list[ToolCall], whole: bool) -> None:
    assert Texts(Turn(calls=tuple(calls))).whole is whole
    assert Texts(Turn(calls=tuple(calls), partial=True)).whole is False


PATHS = [
    ("/home/dev/shop/src/app.py", "src/app.py", True),
    ("/home/dev/shop/src/app.py", "/home/dev/shop/src/app.py", True),
    ("/home/dev/shop/src/app.py", "./src/app.py", True),
    ("/home/dev/shop/src/app.py", "src\\app.py", True),
    ("/home/dev/shop/src/app.py", "~/shop/src/app.py", True),
    ("/home/dev/shop/src/app.py", "C:/home/dev/shop/src/app.py", True),
    ("/home/dev/shop/src/app.py", "@src/app.py", True),
    ("/home/dev/shop/src/app.py", "src/", True),
    ("src/app.py", "/home/dev/shop/src/app.py", True),  # a command ran in another folder
    ("total 8\napp.py", "src/app.py", True),  # a listing of src
    ("FAILED tests/test_cart.py::test_total", "tests/test_cart.py", True),
    ("  --> src/main.rs:11:19", "src/main.rs", True),
    ("make: *** [Makefile:41: flash] Error 1", "Makefile", True),
    (r"C:\Users\dev\shop\web.config(12,3): error", "shop/web.config", True),
    ("\u25cb /orders/[id]  src/app/orders/[id]/page.tsx", "src/app/orders/[id]/page.tsx", True),
    ("diff --git a/web/app.ts b/web/app.ts", "web/app.ts", True),
    ("see /p/new plan.md", "new plan.md", True),
    ("/home/dev/shop/src/app.py", "sr", False),
    ("src/app.py", "lib/app.py", False),
    ("src/app.py", "src/app.p", False),
    ("src/app.py", "rc/app.py", False),
    ("src/app.pyx src/app.py.bak", "src/app.py", False),
    ("src/App.py", "src/app.py", False),
    ("src/my_app.py", "app.py", False),
    ("the models are fine", "app/models", False),
    ("https://example.com/src/app.py", "src/app.py", False),
    ("src/app.py", "", False),
    ("src/app.py", "./", False),
]


@pytest.mark.parametrize(("known", "path", "wanted"), PATHS, ids=[f"{p[1]}: {p[0]}" for p in PATHS])
def test_paths(known: str, path: str, wanted: bool) -> None:
    assert printed(known).knows_path(path) is wanted
    assert Texts(Turn(prompt=known)).knows_path(path) is wanted


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("Read", {"file_path": "/p/src/cart.py"}, True),
        ("Grep", {"pattern": "x", "path": "src/cart.py"}, True),
        ("Bash", {"command": "cat src/cart.py"}, True),
        ("Write", {"file_path": "/p/a.md", "content": "see src/cart.py"}, False),
        ("Agent", {"prompt": "look into src/cart.py"}, False),
        ("TodoWrite", {"todos": [{"content": "fix src/cart.py"}]}, False),
    ],
)
def test_inputs_point_at_paths(name: str, arguments: dict[str, object], wanted: bool) -> None:
    call = ToolCall("t", name, arguments, "ok")
    assert Texts(Turn(calls=(call,))).knows_path("src/cart.py") is wanted


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("`load_all(x)` in `src/a.py:12-30` is slow.", ("load_all", "a.py")),
        ("It raised TypeError and ENOENT.", ("TypeError", "ENOENT")),
        ('The log says "cannot open" in camelCase.', ("cannot open", "camelCase")),
        ("`git push origin` to `origin/main`", ("git push origin", "origin/main")),
        ("MAX_SIZE, os.path and go.mod, i.e. all", ("MAX_SIZE", "os.path", "go.mod")),
        ("`a_b` and a_b", ("a_b",)),
        ("Nothing is named here, e.g. by GitHub.", ("GitHub",)),
        ("All tests pass.", ()),
    ],
)
def test_names_in_a_sentence(sentence: str, names: tuple[str, ...]) -> None:
    assert names_in(sentence) == names


def test_hostile_texts_are_searched_in_linear_time() -> None:
    def work(size: int, _round: int) -> Work:
        texts = printed("a/" * size, "x.y " * size, "1," * size)
        return partial(lambda: (texts.knows_path("b/a"), texts.shows("x"), texts.prints(1)))

    assert steepness(work, 10_000, 80_000) <= LINEAR
