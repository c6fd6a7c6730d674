"""Outcomes for other programs: lines of JSON, and what CI servers read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from groundwire.model import BLOCK
from groundwire.render.gitlab import gitlab, gitlab_rows
from groundwire.render.junit import case_of, junit
from groundwire.render.match_json import full_fields
from groundwire.replay.run import Outcome

JSONL, GITLAB, JUNIT = "jsonl", "gitlab", "junit"


def json_line(outcome: Outcome) -> list[str]:
    """Return one outcome as one line of JSON."""
    fields = {
        "session_id": outcome.turn.session_id,
        "transcript": str(outcome.path),
        "turn": outcome.number,
        "timestamp": outcome.turn.timestamp,
        "message_id": outcome.turn.message_id,
        "decision": outcome.decision.action,
        "reason": outcome.reason,
        "matches": [full_fields(match) for match in outcome.decision.matches],
    }
    if outcome.not_checked:
        fields["not_checked"] = outcome.not_checked
    if outcome.look:
        fields["second_look"] = outcome.look
    return [json.dumps(fields)]


def _issues(outcome: Outcome) -> list[str]:
    matches = outcome.decision.matches
    return gitlab_rows(str(outcome.path), outcome.turn.message, matches, outcome.number)


def _case(outcome: Outcome) -> list[str]:
    head, _, more = outcome.reason.partition("\n")
    stopped = outcome.decision.action == BLOCK
    name = f"turn {outcome.number}"
    return [case_of(str(outcome.path), name, head, more.splitlines(), "block" if stopped else "")]


#: Format -> what one outcome gives, and format -> the document of all, by transcript.
LINES: dict[str, Callable[[Outcome], list[str]]] = {
    JSONL: json_line,
    GITLAB: _issues,
    JUNIT: _case,
}
DOCUMENTS: dict[str, Callable[[Sequence[tuple[str, list[str]]]], str]] = {
    GITLAB: lambda files: gitlab(row for _, rows in files for row in rows),
    JUNIT: junit,
}
