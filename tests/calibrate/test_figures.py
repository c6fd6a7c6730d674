"""Figures by hand-made cases, by brute force, and intervals by the published formula."""

import json
from collections.abc import Sequence
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.model import BLOCK, Decision
from groundwire.base.settings import SHIPPED
from groundwire.settings.patterns.weights import load_model
from groundwire_confidence.assessment import Share
from groundwire_judge.applied import joined
from groundwire_lab import judged
from groundwire_lab.crossval import left_out
from groundwire_lab.errors import CalibrateError
from groundwire_lab.figures import figures, measure, reliability
from groundwire_lab.fit import LEFT_OUT, Case, Spreads, plan_of
from groundwire_lab.quality import IN_USE, columns_of
from groundwire_lab.recording import Recorded
from groundwire_lab.runtime import shipped_runtime
from groundwire_lab.samples import Sample, predict, units_of
from tests.calibrate.synthetic import REPOS, prediction
from tests.cli.command import Command
from tests.support.tables import rows, table

Rows = Sequence[tuple[int, int]]  # flag, confidence (0: no match)


def of(said: Rows) -> dict[str, float]:
    return figures([prediction("a", said)], 50)


def by_hand(said: Rows, names: str) -> list[float]:
    found = of(said)
    return [found[name] for name in names.split()]


def bins(said: Rows) -> list[list[float | str]]:
    found = reliability(units_of([prediction("a", said)]))
    return [[one.name, one.flagged.hits, one.flagged.count, one.mean] for one in found]


test_row = rows(__file__, by_hand=by_hand, bins=bins)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 100)), min_size=2, max_size=40))
def test_auroc_counts_pairs(said: list[tuple[int, int]]) -> None:
    flagged = [c for flag, c in said if flag]
    others = [c for flag, c in said if not flag]
    if not flagged or not others:
        assert isnan(of(said)["auroc"])
        return
    wins = sum((a > b) + (a == b) / 2 for a in flagged for b in others)
    assert of(said)["auroc"] == pytest.approx(wins / (len(flagged) * len(others)))


def test_blocks_are_counted_by_message() -> None:
    stopped = [
        prediction(f"stopped {flag}", [(flag, 95)]).replace(decision=Decision(BLOCK))
        for flag in (1, 0, None)
    ]
    others = prediction("missed", [(1, 55)]), prediction("clean", [(0, 0)])
    found = figures([*stopped, *others], 50)
    assert (found["messages"], found["messages_judged"], found["blocked"]) == (5, 4, 2)
    assert found["block_precision"] == found["block_recall"] == found["false_block_rate"] == 0.5


@table
def test_wilson_intervals(hits: int, count: int, low: float, high: float) -> None:
    assert Share(hits, count).interval == pytest.approx((low, high), abs=5e-5)


RUNTIME = shipped_runtime()
MODEL = load_model()
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


def test_the_reference_is_asked_when_there_is_one(samples: list[Sample], tmp_path: Path) -> None:
    script = tmp_path / "score.py"
    script.write_text(COUNTING)
    predictions = predict(samples, RUNTIME)
    found = measure(predictions, 50, script)
    assert found.figures["units"] == 3 * len(samples)
    assert found.figures["flagged"] == len(samples) / 2 + len(samples) / len(REPOS)
    assert found.figures["blocked"] == figures(predictions, 50)["blocked"] > 0
    assert found.figures["matches"] == sum(len(one.analysis.matches) for one in predictions)
    assert found.intervals == {"precision": (0.25, 0.75)}
    assert "recall_by_kind" not in found.figures


def test_left_out_comes_first_and_in_use_is_what_the_product_says(
    cases: list[Case], samples: list[Sample]
) -> None:
    found = columns_of(cases, MODEL, SHIPPED)
    assert list(found) == [LEFT_OUT, IN_USE]
    assert found[IN_USE] == predict(samples, RUNTIME)
    assert found[LEFT_OUT] == left_out(cases, plan_of(MODEL, Spreads()), SHIPPED)


PLAN = plan_of(MODEL, Spreads())


def answers(cases: Sequence[Case], *, knowing: bool) -> dict[str, Recorded]:
    """Return answers of a judge who knows the labels, or of one who says the opposite."""
    found = {}
    for case in cases:
        message = case.prediction.sample.message
        said = [
            {"n": n, "probability": 93, "kind": "completeness_claim", "why": "See #1."}
            for n in range(1, len(message.units) + 1)
            if bool(message.flag(n)) is knowing
        ]
        text = json.dumps({"statements": said})
        found[message.id] = Recorded(message.id, message.units, 1, text, "m", 1)
    return found


def test_a_good_judge_makes_both_better_and_a_bad_one_is_not_believed(cases: list[Case]) -> None:
    reached = {}
    for knowing in (True, False):
        answered = answers(cases, knowing=knowing)
        columns, fit = judged.columns_of(
            judged.judged_cases(cases, RUNTIME, PLAN, answered), RUNTIME.settings
        )
        assert list(columns) == [judged.LINEAR, judged.JUDGE, judged.CLEARED, judged.HYBRID]
        assert (fit.join.judge > 0.5) is knowing
        reached[knowing] = [figures(it, 50) for it in columns.values()]
    linear, _, cleared, good = reached[True]
    _, judge, _, bad = reached[False]
    assert good["average_precision"] == pytest.approx(1)
    assert good["block_precision"] == 1
    assert good["block_recall"] >= linear["block_recall"] >= 0.75
    assert cleared["false_block_rate"] <= linear["false_block_rate"]
    assert bad["average_precision"] > judge["average_precision"]


def test_the_join_finds_what_made_the_flags() -> None:
    points = [
        judged.Point(linear if marked else None, judge, int(linear * marked + 2 * judge > 0.5))
        for linear in (-2.0, -1.0, 0.0, 1.0, 2.0)
        for judge in (-2.0, -1.0, 0.0, 1.0, 2.0)
        for marked in (True, False)
    ]
    join = judged.fitted_join(points)
    assert join.judge > join.linear > 0
    assert joined(80, 80, join) > joined(20, 80, join) > joined(20, 20, join)
    with pytest.raises(CalibrateError, match="flagged statements and others"):
        judged.fitted_join([judged.Point(None, 0.0, 0)])


def test_the_command_scores_files_that_were_filled_in(cli: Command, gold: Path) -> None:
    """Prompts are written, answered by hand, recorded, and the recording is scored again."""
    wanted = ("quality", gold, "--shipped", "--prompts", "asked", "--record", "r.jsonl")
    assert "put each answer beside its prompt" in cli.refused(*wanted)
    prompts = sorted((cli.folder / "asked").glob("*.txt"))
    assert len(prompts) == 24
    assert "</turn>" in prompts[0].read_text(encoding="utf-8")
    found = {"n": 1, "probability": 90, "kind": "completeness_claim", "why": "#1"}
    said = [json.dumps({"statements": [found]}), 'Nothing. {"statements": []}']
    for number, path in enumerate(prompts):
        path.with_suffix(".json").write_text(said[number % 2], encoding="utf-8")
    printed = cli.out(*wanted, "--model", "by hand")
    assert "24 answers of by hand (prompt 2)" in printed
    assert "join fitted on all of them" in printed
    again = cli.out("quality", gold, "--shipped", "--replay", "r.jsonl")
    assert again == printed
