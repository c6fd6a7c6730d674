"""Whole hook runs with all that they print and log: ``fixtures/hook/<case>/``.

``event.json`` is the hook input with paths relative to the case; ``expected.json`` is what comes
out, with a band in place of each confidence, and of a reason the statements that it names. After a
change of patterns or evidence look at the difference that ``UPDATE_GOLDEN=1 pytest tests/hook``
makes, and commit it when it is meant.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.settings import SHIPPED
from tests.conftest import Hook

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hook"
CASES = sorted(path.parent for path in FIXTURES.glob("*/event.json"))
PATHS = ("transcript_path", "agent_transcript_path", "cwd")  # a full path stays as it is
#: Fields of the log that no two runs, or no two releases, share.
VOLATILE = ("id", "time", "milliseconds", "version")


def event_of(case: Path) -> bytes:
    event = json.loads((case / "event.json").read_text(encoding="utf-8"))
    return json.dumps(
        {key: str(case / value) if key in PATHS else value for key, value in event.items()}
    ).encode()


def outcome(case: Path, stdout: str, record: dict[str, Any] | None) -> dict[str, Any]:
    """Return what ``expected.json`` holds of a run."""
    answer = json.loads(stdout) if stdout else None
    if answer and "reason" in answer:  # the statements that it names, not what is said of them
        lines = answer["reason"].splitlines()
        answer["reason"] = [line.partition('": ')[0] for line in lines]
    if answer and "matches" in answer:
        answer["matches"] = [banded(match) for match in answer["matches"]]
    if record is not None:
        record = {key: value for key, value in record.items() if key not in VOLATILE}
        record["transcript"] = record["transcript"].removeprefix(f"{case}/")
        record["matches"] = [banded(match) for match in record["matches"]]
    return {"stdout": answer, "log": record}


def banded(match: dict[str, Any]) -> dict[str, Any]:
    reported = match["confidence"] >= SHIPPED.thresholds.report
    return {**match, "confidence": "reported" if reported else "below"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_case(hook: Hook, case: Path) -> None:
    printed, problem = hook.said(event_of(case))
    assert problem == ""
    assert printed in ("", json.dumps(json.loads(printed or "{}")) + "\n")  # one plain object
    lines = hook.log()
    seen = outcome(case, printed, lines[-1] if lines else None)
    expected = case / "expected.json"
    if os.environ.get("UPDATE_GOLDEN"):
        text = json.dumps(seen, indent=2, ensure_ascii=False)
        expected.write_text(f"{text}\n", encoding="utf-8")
    wanted = json.loads(expected.read_text(encoding="utf-8"))
    assert json.dumps(seen) == json.dumps(wanted)  # the order of the keys, too


def test_every_decision_is_among_them() -> None:
    logs = [json.loads((case / "expected.json").read_text("utf-8"))["log"] for case in CASES]
    decisions = {log["decision"] if log else "no check" for log in logs}
    assert len(CASES) >= 12
    assert decisions == {"block", "report", "pass", "no check"}
