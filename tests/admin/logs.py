"""Lines of the decision log for the tests, as the hook writes them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.settings import Log
from groundwire.state.log import append
from groundwire_admin.service import Admin
from groundwire_admin.store.history import now
from groundwire_admin.store.tables import Assignment, Judgement

LOG = Log()
#: When the sessions of the A/B test were put in their groups.
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def a_match(**fields: Any) -> dict[str, Any]:
    return {
        "kind": "speculation_language",
        "marker": "speculation.i-think",
        "offset": 0,
        "length": 7,
        "evidence": "I think",
        "confidence": 75,
        "verdict": "",
        "call_id": "",
        **fields,
    }


def a_record(number: int, **fields: Any) -> dict[str, Any]:
    """Return a log line; ``number`` makes its id and its time, one a minute."""
    day, minute = divmod(number, 1440)
    matches = fields.get("matches", [a_match()])
    return {
        "id": f"{number:016x}-abcdef",
        "time": f"2026-11-{1 + day:02d}T{minute // 60:02d}:{minute % 60:02d}:00.000Z",
        "version": "0.1.0",
        "event": "Stop",
        "session": "s1",
        "prompt_id": "p",
        "agent_id": "",
        "agent_type": "",
        "message_id": f"msg_{number}",
        "transcript": "/home/dev/.claude/projects/shop/s1.jsonl",
        "decision": "report",
        "why": "",
        "counts": {"matches": len(matches), "blocking": 0, "suppressed": 0},
        "milliseconds": 20.0 + number,
        "error": "",
        "notes": [],
        **fields,
        "matches": matches,
    }


def write(folder: Path, *records: dict[str, Any], settings: Log = LOG) -> None:
    """Append records to the log in ``folder`` as the hook does."""
    for record in records:
        assert append(str(folder), record, settings) == ""


def write_raw(folder: Path, data: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "decisions.jsonl").open("ab") as file:
        file.write(data)


def line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def a_judgement(**fields: Any) -> dict[str, Any]:
    """Return the columns of a judgement, of the formula's in a chat unless told otherwise."""
    return {
        "purpose": "chat",
        "session": "s",
        "environment": "all",
        "requested_method": "formula",
        "method": "formula",
        "score": 0.9,
        "formula_score": None,
        "llm_score": None,
        "breakdown": {},
        "provider": "",
        "model": "",
        "prompt_version": None,
        "input_tokens": 90,
        "output_tokens": 10,
        "cost": 0.0002,
        "milliseconds": 50.0,
        "content_hash": "x",
        "cached": False,
        "problem": "",
        **fields,
    }


def keep(admin: Admin, **fields: Any) -> int:
    """Keep a judgement and return its number."""
    with admin.store.write() as session:
        row = Judgement(at=now(), **a_judgement(**fields))
        session.add(row)
        session.flush()
        return row.id


def grouped(
    admin: Admin, session_id: str, group: str, score: float, vote: int = 0, **fields: Any
) -> None:
    """Keep a chat judgement of a session that has been in a group of the A/B test since January."""
    judge = None if group == "formula" else score
    names = {"session": session_id, "requested_method": group, "method": group}
    with admin.store.write() as session:
        session.merge(Assignment(session=session_id, group=group, bucket=0, at=BEGIN))
    number = keep(admin, **{**names, "score": score, "llm_score": judge, **fields})
    if vote:
        admin.samples.vote(number, vote, who="ann")
