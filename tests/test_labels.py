"""Labels at statements: held against the turn, sparing what they disclose, taught when wanted."""

from pathlib import Path

from groundwire.base.budget import Watch
from groundwire.base.model import CONTRADICTED, ToolCall, Turn
from groundwire.base.settings import SHIPPED
from groundwire.hook.start import LABELS, start_session
from groundwire.inputs.event import SESSION_START, Event
from groundwire.language.find import find
from groundwire.turn.timeline import timeline_of
from groundwire.verdict.analysis import analysis_of
from groundwire.verdict.decision import blocking
from groundwire.verdict.evidence import Evidence
from groundwire.verdict.labels import MARKER
from tests.cli.command import Command
from tests.everyday.rows import SCANNER, examined
from tests.support.tables import rows, tables


def label(acts: str, says: str, *, tmp_path: Path) -> tuple[list[str], list[str]]:
    row = {"file": "labels", "number": 1, "prompt": "go on", "says": says}
    analysis = examined(tmp_path, row, tables(__file__)["acts"][acts]).analysis
    offsets = [one.offset for one in analysis.matches]
    assert offsets == sorted(offsets)
    stopping = [one.evidence for one in blocking(analysis.matches, SHIPPED.thresholds)]
    return stopping, [one.evidence for one in analysis.suppressed if one.filter == "label"]


def ran(command: str, named: str, *, tmp_path: Path) -> str:
    says = f"The total is rounded. [VERIFIED: {named}]"
    row = {"file": "labels", "number": 1, "prompt": "go on", "says": says}
    acts = [["edit", "src/a.py"], ["bash", command, "42 passed in 1s"]]
    found = examined(tmp_path, row, acts)
    told = [one.verdict for one in found.analysis.matches if one.marker == MARKER]
    assert all(one and one.status == CONTRADICTED for one in told)
    return found.decision.action if told else "not checkable"


test_row = rows(__file__, label=label, ran=ran)


def test_labels_are_left_out_when_the_time_is_up() -> None:
    text = "All tests pass. [INFERRED] The total is rounded. [VERIFIED: ruff check src]"
    call = ToolCall("1", "Bash", {"command": "pytest -q"}, "3 passed in 1s")
    timeline = timeline_of(Turn(prompt="go on", message=text, calls=(call,)))
    findings = find(text, SCANNER)
    whole = analysis_of(findings, SHIPPED, Evidence(timeline, whole=True))
    assert [one.evidence for one in whole.matches][-1:] == ["[VERIFIED: ruff check src]"]
    watch = Watch(0.0)
    late = analysis_of(findings, SHIPPED, Evidence(timeline, whole=True, watch=watch))
    assert not late.matches
    assert "the time was up: the last labels not checked" in watch.notes


def test_the_model_is_asked_for_labels_when_that_is_wanted(tmp_path: Path) -> None:
    cli = Command(tmp_path)
    event = Event(SESSION_START, "s", cwd=str(cli.folder))
    asked = LABELS.partition(":")[0]
    assert asked not in start_session(event, {"source": "startup"}, cli.env, 0.0)
    cli.settings('labels = true\n[markers]\n"certainty.label-verified" = false\n')
    assert asked in start_session(event, {"source": "startup"}, cli.env, 0.0)
