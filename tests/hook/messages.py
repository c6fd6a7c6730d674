"""Messages with stable answers, and the events and transcripts that carry them."""

import json
from pathlib import Path
from typing import Any

from tests.support.transcripts import Session

LONE = "I think it is the parser."
LONE_MATCH = {"kind": "speculation_language", "evidence": "I think", "offset": 0, "confidence": 75}
GUESS = "I think the crash is probably caused by a race condition."
OTHER = "I believe the timeout is probably caused by the proxy."
THIRD = "My guess is that the leak is probably caused by the cache."
#: A turn of ``write_turn(..., failed=True)`` contradicts it.
FALSE = "All 8 tests pass now."
GUESSES = "I think, and I guess, that it is probably the parser, or maybe the lexer, I suppose."
CLEAN = "The log ends with a stack trace."


def stop(message: str = GUESS, **fields: Any) -> bytes:
    event = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": message}
    return json.dumps({**event, **fields}).encode()


def write_turn(
    path: Path, prompt: str, message: str = GUESS, calls: int = 0, *, failed: bool = False
) -> str:
    """Write a session of one turn with so many tool calls, and failed tests; return its path."""
    session = Session().play([["prompt", prompt]])
    for number in range(calls):
        session.bash(f"grep -rn pool src{number}", "src/pool.py:41: lock = None")
    if failed:
        session.bash("pytest -q", "1 failed, 7 passed in 0.41s", exit_code=1)
    session.say(message)
    return session.write(path)
