"""Labels at statements: held against the turn, sparing what they disclose, taught when wanted."""

from pathlib import Path

from groundwire.event import SESSION_START, Event
from groundwire.service.start import LABELS, start_session
from tests.cli.command import Command
from tests.everyday.rows import examined
from tests.support.tables import rows, tables

REPORTED = 50


def label(acts: str, says: str, *, tmp_path: Path) -> tuple[list[str], list[str]]:
    row = {"file": "labels", "number": 1, "prompt": "go on", "says": says}
    analysis = examined(tmp_path, row, tables(__file__)["acts"][acts]).analysis
    offsets = [one.offset for one in analysis.matches]
    assert offsets == sorted(offsets)
    reported = [one.evidence for one in analysis.matches if one.confidence >= REPORTED]
    return reported, [one.evidence for one in analysis.suppressed if one.filter == "label"]


test_row = rows(__file__, label=label)


def test_the_model_is_asked_for_labels_when_that_is_wanted(tmp_path: Path) -> None:
    cli = Command(tmp_path)
    event = Event(SESSION_START, "s", cwd=str(cli.folder))
    asked = LABELS.partition(":")[0]
    assert asked not in start_session(event, {"source": "startup"}, cli.env, 0.0)
    cli.settings('labels = true\n[markers]\n"certainty.label-verified" = false\n')
    assert asked in start_session(event, {"source": "startup"}, cli.env, 0.0)
