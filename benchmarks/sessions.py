"""Session files as Claude Code writes them: an ordinary last turn behind any length of history."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

PROMPT = "Why does the pool crash on shutdown? Please fix it and run the tests."
_SOURCE = "".join(
    f"{number:6}\tdef step_{number}(rows: list[int]) -> int:  # line {number} of the module\n"
    for number in range(1, 130)
)
_SEARCH = "".join(f"src/pool/worker_{n}.py:{n * 7}:    pool.close(wait={n})\n" for n in range(120))
_TESTS = (
    "============================= test session starts ==============================\n"
    "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0\ncollected 240 items\n\n"
    + "".join(f"tests/pool/test_{n}.py {'.' * 12} [{n * 5:3}%]\n" for n in range(1, 21))
    + "\n============================= 240 passed in 12.31s ==============================\n"
)
#: One round of work: tool, input, result. A turn repeats it until its results are long enough.
_ROUND: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Grep", {"pattern": "pool.close", "path": "src"}, _SEARCH),
    ("Read", {"file_path": "/home/dev/app/src/pool/worker.py"}, _SOURCE),
    ("Bash", {"command": "git log --oneline -5"}, "4f2a9c1 Close the pool\n9be0d13 Add workers\n"),
    ("Read", {"file_path": "/home/dev/app/src/pool/__init__.py"}, _SOURCE),
    (
        "Edit",
        {
            "file_path": "/home/dev/app/src/pool/worker.py",
            "old_string": "wait=False",
            "new_string": "wait=True",
        },
        "The file /home/dev/app/src/pool/worker.py has been updated.",
    ),
    ("Bash", {"command": "cd app && pytest -q 2>&1 | tail -40"}, _TESTS),
    ("Bash", {"command": "ruff check src"}, "All checks passed!\n"),
    ("Bash", {"command": "pytest tests/pool -q"}, _TESTS),
)


def write_session(
    path: Path, megabytes: float, turn_kilobytes: float = 200, message: str = ""
) -> None:
    """Write a session of about ``megabytes`` whose last turn has ``turn_kilobytes`` of results.

    ``message`` ends that turn: without its final message the hook would wait for it.
    """
    turn = list(turn_lines(turn_kilobytes * 1e3))
    if message:
        turn.append(_line("assistant", [{"type": "text", "text": message}]))
    room = megabytes * 1e6 - sum(map(len, turn))
    older = "".join(turn_lines(2e5, "An older request.")).encode()
    with path.open("wb") as file:
        while file.tell() + len(older) < room:
            file.write(older)
        file.write("".join(turn).encode())


def write_turn(path: Path, command: str, output: str, message: str) -> None:
    """Write a session of one turn with one command."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": output}
    lines = (
        _line("user", PROMPT),
        _line("assistant", [call]),
        _line("user", [result], toolUseResult={"stdout": output, "interrupted": False}),
        _line("assistant", [{"type": "text", "text": message}]),
    )
    path.write_text("".join(lines), encoding="utf-8")


def turn_lines(results: float, prompt: str = PROMPT) -> Iterator[str]:
    """Yield the lines of one turn: the prompt, then tool calls with ``results`` bytes returned."""
    yield _line("user", prompt)
    number, returned = 0, 0
    while returned < results:
        name, arguments, result = _ROUND[number % len(_ROUND)]
        call = {"type": "tool_use", "id": f"toolu_{number:05}", "name": name, "input": arguments}
        yield _line("assistant", [call])
        block = {"type": "tool_result", "tool_use_id": f"toolu_{number:05}", "content": result}
        yield _line("user", [block], toolUseResult={"stdout": result, "interrupted": False})
        number += 1
        returned += 2 * len(result)


def _line(role: str, content: object, **more: object) -> str:
    message = {"role": role, "id": "msg_01", "content": content}
    entry = {
        "parentUuid": None,
        "isSidechain": False,
        "type": role,
        "cwd": "/home/dev/app",
        "sessionId": "5b0c4a1e",
        "message": message,
        **more,
    }
    return json.dumps(entry, separators=(",", ":")) + "\n"


def write_calls(path: Path, count: int) -> None:
    """Write a session of one turn with so many tool calls."""
    lines = turn_lines(float("inf"))
    path.write_text("".join(next(lines) for _ in range(1 + 2 * count)), encoding="utf-8")
