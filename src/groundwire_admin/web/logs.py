"""The server's log: one JSON object a line on stderr; no token, no query, no text of a turn."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Formats a record with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        fields.update((k, v) for k, v in vars(record).items() if k not in _USUAL)
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


def without_queries(record: logging.LogRecord) -> bool:
    """Take the query out of addresses, which uvicorn logs whole for a websocket; keep the line."""
    if record.name.startswith("uvicorn") and isinstance(record.args, tuple):
        record.args = tuple(
            one.partition("?")[0] if isinstance(one, str) else one for one in record.args
        )
    return True


def log_to_stderr(level: int = logging.INFO) -> None:
    """Send everything that this process logs to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(without_queries)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx", "httpx2", "alembic", "asyncio"):  # every step of theirs is too much
        logging.getLogger(name).setLevel(logging.WARNING)
