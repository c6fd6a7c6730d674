"""Lines of the decision log for the tests."""

import json
from pathlib import Path
from typing import Any


def a_record(number: int, **fields: Any) -> dict[str, Any]:
    """Return what a line holds; ``number`` makes its id and its minute."""
    return {
        "id": f"{number:016x}-abcdef",
        "time": f"2026-11-01T{number // 60:02d}:{number % 60:02d}:00.000Z",
        "decision": "report",
        "matches": [],
        **fields,
    }


def write(folder: Path, *lines: dict[str, Any] | bytes) -> None:
    """Add records, or other bytes, to the log in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "decisions.jsonl").open("ab") as file:
        for line in lines:
            file.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
