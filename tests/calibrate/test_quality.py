"""Quality: by whom the figures are, what is compared, and which sentences are explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.calibrate.ablation import WHOLE, ablation, parts
from groundwire.calibrate.crossval import LEFT_OUT, left_out
from groundwire.calibrate.design import Case, read_cases
from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.figures import figures, recall_by_kind
from groundwire.calibrate.fit import Spreads, plan_of
from groundwire.calibrate.predict import predict, units_of
from groundwire.calibrate.quality import IN_USE, columns_of, explained, false_alarms, misses
from groundwire.calibrate.reference import find_script, measure
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import Sample
from groundwire.confidence.share import Share
from groundwire.lexicon.weights import load_model
from groundwire.rules import weights as shipped
from groundwire.settings import SHIPPED
from tests.calibrate.synthetic import REPOS, prediction

RUNTIME = shipped_runtime()
MODEL = load_model()
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


def script(folder: Path, text: str) -> Path:
    path = folder / "score.py"
    path.write_text(text)
    return path


def test_the_reference_is_asked_when_there_is_one(samples: list[Sample], tmp_path: Path) -> None:
    predictions = predict(samples, RUNTIME)
    found = measure(predictions, 50, script(tmp_path, COUNTING))
    assert found.figures["units"] == 3 * len(samples)
    assert found.figures["flagged"] == len(samples) / 2 + len(samples) / len(REPOS)
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
    labels = folder / "gold.jsonl"
    labels.touch()
    assert find_script(folder) is find_script(labels) is None
    beside = script(tmp_path, "")
    assert find_script(folder) == find_script(labels) == beside
    inside = script(folder, "")
    assert find_script(folder) == find_script(labels) == inside


def test_left_out_comes_first_and_in_use_is_what_the_product_says(
    cases: list[Case], samples: list[Sample]
) -> None:
    found = columns_of(cases, MODEL, SHIPPED)
    assert list(found) == [LEFT_OUT, IN_USE]
    assert found[IN_USE] == predict(samples, RUNTIME)
    assert found[LEFT_OUT] == left_out(cases, plan_of(MODEL, Spreads()), SHIPPED)


def test_settings_of_features_hold_in_what_is_left_out(samples: list[Sample]) -> None:
    """With the failed run switched off, nothing tells the two kinds of turns apart by it."""
    off = SHIPPED.replace(features=(("failed_open", 0.0), ("passed_fresh", 0.0)))
    cases = read_cases(samples, RUNTIME.replace(settings=off))
    claims = [
        unit for unit in units_of(columns_of(cases, MODEL, off)[LEFT_OUT]) if unit.number == 1
    ]
    assert max(unit.confidence for unit in claims) < 50


def test_what_each_part_brings(cases: list[Case]) -> None:
    plan = plan_of(MODEL, Spreads())
    found = dict(ablation(cases, plan, SHIPPED))
    assert list(found) == [WHOLE, *(f"- {name}" for name in parts())]
    precision = found[WHOLE]["average_precision"]
    assert found["- facts of the turn"]["average_precision"] < precision
    assert found["- searched_hits"]["average_precision"] == precision  # no message has it


def test_every_feature_is_in_one_part() -> None:
    together = [name for names in list(parts().values())[:3] for name in names]
    assert sorted(together) == sorted(shipped.FEATURES)


def test_kinds(samples: list[Sample]) -> None:
    half = len(samples) // 2
    assert recall_by_kind(predict(samples, RUNTIME), 50)[CLAIM] == Share(half, half)


def test_the_worst_come_first() -> None:
    rows = [(0, [(60, "")]), (0, [(90, "")]), (1, [(80, "")]), (1, []), (0, []), (1, [(20, "")])]
    found = [prediction("a", rows)]
    assert [unit.confidence for _, unit in false_alarms(found)] == [90, 60]
    assert [unit.confidence for _, unit in misses(found)] == [0, 20, 80]


def test_an_explanation_is_about_its_sentence_alone(samples: list[Sample]) -> None:
    one, unit = misses(predict(samples, RUNTIME))[-1]
    text = explained(one, unit, SHIPPED.thresholds)
    assert one.sample.message.id in text
    assert "All tests pass" in text
    assert "contradicted" in text
    assert "1 failed, 7 passed" in text
    assert "I think" not in text
