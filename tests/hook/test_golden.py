"""Whole hook runs with all that they print and log: ``fixtures/hook/<case>/``.

``event.json`` is the hook input with paths relative to the case; ``expected.json`` is what comes
out. Confidences of turns come from fitted weights: of these the band is held, and which statements
a reason names; of bare text the number. After a change of patterns or evidence look at the
difference that ``pytest tests/hook --update-golden`` makes, and commit it when it is meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.service.hook import handle
from groundwire.settings import SHIPPED
from tests.conftest import Hook

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hook"
CASES = sorted(path.parent for path in FIXTURES.glob("*/event.json"))
PATHS = ("transcript_path", "agent_transcript_path", "cwd")  # a full path stays as it is
#: Fields of the log that no two runs, or no two releases, share.
VOLATILE = ("id", "time", "milliseconds", "version")


def event_of(case: Path) -> bytes:
    """Return the event of a case with full paths."""
    event = json.loads((case / "event.json").read_text(encoding="utf-8"))
    return json.dumps(
        {key: str(case / value) if key in PATHS else value for key, value in event.items()}
    ).encode()


def outcome(case: Path, stdout: str, record: dict[str, Any] | None) -> dict[str, Any]:
    """Return what ``expected.json`` holds of a run."""
    answer, log = json.loads(stdout) if stdout else None, None
    if record is not None:
        log = {key: value for key, value in record.items() if key not in VOLATILE}
        log["transcript"] = log["transcript"].removeprefix(f"{case}/")
        log["matches"] = [banded(match) if match["verdict"] else match for match in log["matches"]]
        if answer and any(match["verdict"] for match in log["matches"]):
            answer = {key: without_weights(key, value) for key, value in answer.items()}
    return {"stdout": answer, "log": log}


def without_weights(key: str, value: Any) -> Any:
    """Return a field of an answer about a turn without what the weights decide."""
    if key == "reason":  # the statements that it names, not what is said of them
        return [line.partition('": ')[0] for line in value.splitlines()]
    return [banded(match) for match in value] if key == "matches" else value


def banded(match: dict[str, Any]) -> dict[str, Any]:
    """Return a match with a band in place of its confidence."""
    reported = match["confidence"] >= SHIPPED.thresholds.report
    return {**match, "confidence": "reported" if reported else "below"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_case(
    hook: Hook, case: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    data = event_of(case)
    process = hook.raw(data)
    assert (process.returncode, process.stderr) == (0, b"")
    printed = process.stdout.decode("ascii")
    assert printed in ("", json.dumps(json.loads(printed or "{}")) + "\n")  # one plain object
    lines = hook.log()
    seen = outcome(case, printed, lines[-1] if lines else None)
    expected = case / "expected.json"
    if request.config.getoption("update_golden", default=False):
        text = json.dumps(seen, indent=2, ensure_ascii=False)
        expected.write_text(f"{text}\n", encoding="utf-8")
    wanted = json.loads(expected.read_text(encoding="utf-8"))
    assert json.dumps(seen) == json.dumps(wanted)  # the order of the keys, too

    other = tmp_path / "other"
    reply = handle(data, {"HOME": str(other)}, 1_772_442_000.0)
    assert outcome(case, reply.output, reply.record) == wanted


def test_the_cases_differ() -> None:
    """Enough situations, every decision among them, and each transcript is there."""
    logs = [
        json.loads((case / "expected.json").read_text(encoding="utf-8"))["log"] for case in CASES
    ]
    decisions = {log["decision"] if log else "no check" for log in logs}
    assert len(CASES) >= 12
    assert decisions == {"block", "report", "pass", "no check"}
    for case in CASES:
        event = json.loads((case / "event.json").read_text(encoding="utf-8"))
        read = event.get("agent_transcript_path") or event.get("transcript_path")
        assert read is None or (case / read).stat().st_size > 1_000
