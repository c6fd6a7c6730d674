"""Files of JSON lines, and the decision log of a home folder."""

import json
from pathlib import Path
from typing import Any


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file; none where there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n") if line]


def decisions(home: Path) -> list[dict[str, Any]]:
    return json_lines(home / ".local/state/groundwire/decisions.jsonl")
