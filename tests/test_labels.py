"""Labels at statements: held against the turn, sparing what they disclose, taught when wanted."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.event import SESSION_START, Event
from groundwire.service.start import LABELS, start_session
from tests.cli.command import Command
from tests.everyday.rows import examined

TABLE = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))
REPORTED = 50


@pytest.mark.parametrize(("acts", "says", "stopped", "spared"), TABLE["rows"])
def test_a_label(
    acts: str, says: str, stopped: list[str], spared: list[str], tmp_path: Path
) -> None:
    row = {"file": "labels", "number": 1, "prompt": "go on", "says": says}
    analysis = examined(tmp_path, row, TABLE["acts"][acts]).analysis
    reported = [one.evidence for one in analysis.matches if one.confidence >= REPORTED]
    assert reported == stopped
    assert [one.evidence for one in analysis.suppressed if one.filter == "label"] == spared
    assert [one.offset for one in analysis.matches] == sorted(
        one.offset for one in analysis.matches
    )


def test_the_model_is_asked_for_labels_when_that_is_wanted(tmp_path: Path) -> None:
    cli = Command(tmp_path)
    event = Event(SESSION_START, "s", cwd=str(cli.folder))
    asked = LABELS.partition(":")[0]
    assert asked not in start_session(event, {"source": "startup"}, cli.env, 0.0)
    cli.settings('labels = true\n[markers]\n"certainty.label-verified" = false\n')
    assert asked in start_session(event, {"source": "startup"}, cli.env, 0.0)
