"""Quality: by whom the figures are, what is compared, and which sentences are explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.figures import by_verdict, figures
from groundwire.calibrate.labels import Label
from groundwire.calibrate.predict import predict, units_of
from groundwire.calibrate.quality import (
    IN_USE,
    VERDICTS_OFF,
    parts,
    precision_by_kind,
    rated_support,
    recall_by_kind,
    stopped_by,
    supported_assertion,
    variants,
)
from groundwire.calibrate.reference import find_script, measure
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import Sample, read_samples
from groundwire.calibrate.worst import explained, false_alarms, misses
from groundwire.confidence.share import Share
from groundwire.settings import SHIPPED
from tests.calibrate.synthetic import SECRET, prediction, write_set

RUNTIME = shipped_runtime()
CLAIM = "ungrounded_behavioral_assertion"
#: A reference of the tests: it counts what it is given, so that a wrong hand-over shows.
COUNTING = """
import json, sys
rows = [[json.loads(line) for line in open(path)] for path in sys.argv[1:3]]
assert sys.argv[3:] == ["--report", "50", "--json"], sys.argv
gold, predicted = rows
assert [g["id"] for g in gold] == [p["id"] for p in predicted]
print(json.dumps({
    "units": sum(len(g["units"]) for g in gold),
    "flagged": sum(label["flag"] == 1 for g in gold for label in g["labels"].values()),
    "blocked": sum(p["decision"] == "block" for p in predicted),
    "matches": sum(len(p["matches"]) for p in predicted),
    "precision": float("nan"),
    "recall_by_kind": {"x": "1/2"},
    "ci95": {"precision": [0.25, 0.75]},
}))
"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return read_samples(write_set(tmp_path_factory.mktemp("set")))


def script(folder: Path, text: str) -> Path:
    path = folder / "score.py"
    path.write_text(text)
    return path


def test_the_reference_is_asked_when_there_is_one(samples: list[Sample], tmp_path: Path) -> None:
    predictions = predict(samples, RUNTIME)
    found = measure(predictions, 50, script(tmp_path, COUNTING))
    assert found.figures["units"] == 3 * len(samples)
    assert found.figures["flagged"] == len(samples) / 2
    assert found.figures["blocked"] == figures(predictions, 50)["blocked"] > 0
    assert found.figures["matches"] == sum(len(one.analysis.matches) for one in predictions)
    assert found.intervals == {"precision": (0.25, 0.75)}
    assert "recall_by_kind" not in found.figures


def test_without_a_reference_the_figures_are_our_own(samples: list[Sample]) -> None:
    predictions = predict(samples, RUNTIME)
    assert measure(predictions, 50, None).figures == pytest.approx(
        figures(predictions, 50), nan_ok=True
    )


def test_a_reference_that_fails_is_named(samples: list[Sample], tmp_path: Path) -> None:
    broken = script(tmp_path, "import sys\nsys.exit('no such key')\n")
    with pytest.raises(CalibrateError, match=r"score.py: exit status 1: no such key"):
        measure(predict(samples, RUNTIME), 50, broken)


def test_where_the_reference_stands(tmp_path: Path) -> None:
    folder = tmp_path / "dev"
    folder.mkdir()
    assert find_script(folder) is None
    beside = script(tmp_path, "")
    assert find_script(folder) == beside
    inside = script(folder, "")
    assert find_script(folder) == inside


def test_without_verdicts_a_failed_run_says_nothing(samples: list[Sample]) -> None:
    found = variants(samples, RUNTIME, None)
    assert list(found) == [IN_USE, VERDICTS_OFF]
    claims = {
        name: [unit for unit in units_of(predictions) if unit.number == 1]
        for name, predictions in found.items()
    }
    half = len(samples) // 2
    used = {group.name: group.flagged for group in by_verdict(claims[IN_USE])}
    assert used["contradicted"] == Share(half, half)
    assert "no verdict" not in used
    assert [group.name for group in by_verdict(claims[VERDICTS_OFF])] == ["no verdict"]
    assert len({unit.confidence for unit in claims[VERDICTS_OFF]}) == 1


def test_parts_by_split_and_repository(samples: list[Sample]) -> None:
    messages = [sample.message for sample in samples]
    found = parts(messages)
    assert list(found) == ["all", "tune", "check", "team/pool", "team/queue"]
    counts = {name: sum(map(belongs, messages)) for name, belongs in found.items()}
    assert counts["tune"] + counts["check"] == counts["all"] == len(samples)
    assert counts["team/pool"] + counts["team/queue"] == counts["all"]
    tune = [message for message in messages if found["tune"](message)]
    assert "check" not in parts(tune)


def test_kinds(samples: list[Sample]) -> None:
    predictions = predict(samples, RUNTIME)
    half = len(samples) // 2
    assert recall_by_kind(predictions, 50) == {CLAIM: Share(half, half)}
    assert precision_by_kind(units_of(predictions), 50)[CLAIM] == Share(half, half)


def test_what_raters_found_supported_stops_no_turn(samples: list[Sample]) -> None:
    half = len(samples) // 2
    predictions = predict(samples, RUNTIME)
    assert stopped_by(predictions, rated_support) == {
        "contradicted": Share(half, half),
        "supported": Share(0, half),
    }
    assert stopped_by(predictions, supported_assertion) == {CLAIM: Share(0, half)}


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"use": "assertion", "support": "supported"}, CLAIM),
        ({"use": "report_of_edit", "support": "supported"}, None),
        ({"use": "assertion", "support": "unsupported"}, None),
        ({}, None),
    ],
)
def test_a_supported_assertion_is_told_by_its_label(more: dict[str, str], kind: str | None) -> None:
    assert supported_assertion(Label(0, CLAIM, more=more)) == kind


def test_the_worst_come_first() -> None:
    rows = [(0, [(60, "")]), (0, [(90, "")]), (1, [(80, "")]), (1, []), (0, []), (1, [(20, "")])]
    found = [prediction("a", rows)]
    assert [unit.confidence for _, unit in false_alarms(found)] == [90, 60]
    assert [unit.confidence for _, unit in misses(found)] == [0, 20, 80]


def test_only_the_tune_part_is_explained(samples: list[Sample]) -> None:
    predictions = predict(samples, RUNTIME)
    shown = [*false_alarms(predictions), *misses(predictions)]
    assert shown
    for one, unit in shown:
        text = explained(one, unit, SHIPPED.thresholds)
        assert SECRET not in text
        assert one.sample.message.id in text
    hidden = next(one for one in predictions if one.sample.message.split == "check")
    with pytest.raises(ValueError, match="is of the part check"):
        explained(hidden, hidden.units[0], SHIPPED.thresholds)


def test_an_explanation_is_about_its_sentence_alone(samples: list[Sample]) -> None:
    one, unit = misses(predict(samples, RUNTIME))[0]
    text = explained(one, unit, SHIPPED.thresholds)
    assert "All tests pass" in text
    assert "contradicted" in text
    assert "1 failed, 7 passed" in text
    assert "I think" not in text
