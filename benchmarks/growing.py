"""Turns that grow along one axis, and what the hook makes of them.

    python -I -S growing.py SOURCES LIBRARIES AXIS SIZE

Run so, it examines one of them in a process whose instructions can be counted.
"""

from __future__ import annotations

import gc
import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.model import ToolCall
    from groundwire.verdict.examine import Examined

CLAIMS = (
    "I updated `src/pkg/mod7.py`. The root cause was the missing lock. All tests pass now and the "
    "build succeeds. It works, see commit 1a2b3c4. There are no other callers, 42 tests passed. "
)
#: Sizes of the smaller turn, whose instructions are compared with those of one four times as large.
AXES = {"texts": 250, "claims": 10, "calls": 50, "results": 5_000}


def examined(axis: str, size: int) -> Examined:
    """Examine a turn of this size along an axis: the length of texts that are hard to read, the
    number of claims or calls, the length of each of ten results."""
    if axis == "texts":
        return examine_turn(mixed(10, 100), hostile(size))
    if axis == "claims":
        return examine_turn(mixed(10, 100), "".join(f"{CLAIMS}Step {n}. " for n in range(size)))
    return examine_turn(mixed(size, 500) if axis == "calls" else mixed(10, size), CLAIMS)


def examine_turn(calls: Sequence[ToolCall], message: str) -> Examined:
    """Return what the hook makes of a message after these calls."""
    from groundwire.base.model import Turn
    from groundwire.base.settings import SHIPPED
    from groundwire.hook.handle import scanner_for_one
    from groundwire.inputs.event import Event
    from groundwire.verdict.decision import Memory
    from groundwire.verdict.examine import examine

    turn = Turn(prompt="fix it", message=message, calls=tuple(calls), cwd="/home/dev/shop")
    event = Event("Stop", "s", message=message, cwd=os.path.dirname(__file__))
    return examine(event, turn, scanner_for_one(None), SHIPPED, Memory())


def shapes() -> list[str]:
    """Return what is hard to split, to pair or to bound."""
    with open(os.path.join(os.path.dirname(__file__), "hostile.json"), encoding="utf-8") as file:
        found: list[str] = json.load(file)
    return found


def hostile(size: int) -> str:
    """Return a text of all shapes, each with ``size`` characters."""
    return "\n\n".join(
        "".join(shape.replace("#", str(at)) for at in range(size // len(shape) + 1))
        for shape in shapes()
    )


def mixed(count: int, size: int) -> list[ToolCall]:
    """A working session: reads, edits, tests in several ecosystems, searches, builds, git."""
    return [_call(number, size) for number in range(count)]


def _call(number: int, size: int) -> ToolCall:
    from groundwire.base.model import ToolCall

    path = f"/home/dev/shop/src/pkg/mod{number % 331}.py"
    tests = "1 failed, 3 passed in 1.2s" if number % 70 == 3 else "4 passed in 1.2s"
    commands = {
        2: (f"pytest -v tests/test_mod{number % 331}.py", "tests/a.py::test_a PASSED"),
        4: (f"npm run build -w pkg{number} 2>&1 | tail -40", "compiled a.ts"),
        5: (f"go test ./pkg{number}/...", "ok  \tshop/pkg\t0.01s"),
        6: (f"cargo build -p pkg{number} > {number}.log 2>&1", ""),
        7: (f"tail -20 {number - 1}.log", "warning: unused variable"),
        8: (f"git diff HEAD -- {path}", "+    total = 0"),
        9: (f"rm gen/f{number}.py build/{number}/x.o; ./check{number}.sh; echo done", "step in 12"),
    }
    kind = number % 10
    if kind in commands:
        command, line = commands[kind]
        result = _lines(size, line) + (tests if kind == 2 else "")
        return ToolCall(f"t{number}", "Bash", {"command": command}, result)
    if kind == 1:
        change = {"file_path": path, "old_string": "assert a", "new_string": "assert b"}
        return ToolCall(f"t{number}", "Edit", change, "The file has been updated")
    name, field = (("Grep", "pattern"), ("Read", "file_path"))[kind == 0]
    return ToolCall(f"t{number}", name, {field: path}, _lines(size, f"{path}:12: x = a/b/c.py"))


def _lines(size: int, text: str) -> str:
    return "".join(f"{text} {n}\n" for n in range(size // (len(text) + 5) + 1)) if text else ""


if __name__ == "__main__":
    sys.path[:0] = sys.argv[1:3]
    gc.disable()  # as the hook does
    examined(sys.argv[3], int(sys.argv[4]))
    os._exit(0)
