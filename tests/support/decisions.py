"""The decision log of a home folder."""

import json
from pathlib import Path
from typing import Any


def decisions(home: Path) -> list[dict[str, Any]]:
    """Return the lines of the log; none where there is no file."""
    path = home / ".local/state/groundwire/decisions.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]
