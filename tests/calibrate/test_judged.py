"""Judge and join on labelled turns: recordings, the fit, and what a good judge brings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.calibrate.design import Case, read_cases
from groundwire.calibrate.errors import CalibrateError, LabelError
from groundwire.calibrate.figures import figures
from groundwire.calibrate.fit import Spreads, plan_of
from groundwire.calibrate.judged import (
    CLEARED,
    HYBRID,
    JUDGE,
    LINEAR,
    Point,
    columns_of,
    fitted_join,
    judged_cases,
)
from groundwire.calibrate.recording import Recorded, read_recording, write_recording
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import read_samples
from groundwire.judge.join import joined
from groundwire.lexicon.weights import load_model
from tests.calibrate.synthetic import write_set
from tests.cli.command import Command

RUNTIME = shipped_runtime()
PLAN = plan_of(load_model(), Spreads())


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return read_cases(read_samples(write_set(tmp_path_factory.mktemp("set"))), RUNTIME)


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
        judged = judged_cases(cases, RUNTIME, PLAN, answers(cases, knowing=knowing))
        columns, fit = columns_of(judged, RUNTIME.settings)
        assert list(columns) == [LINEAR, JUDGE, CLEARED, HYBRID]
        assert (fit.join.judge > 0.5) is knowing
        reached[knowing] = {title: figures(it, 50) for title, it in columns.items()}
    good, bad = reached[True], reached[False]
    assert good[HYBRID]["average_precision"] == pytest.approx(1)
    assert good[HYBRID]["block_precision"] == 1
    assert good[HYBRID]["block_recall"] >= good[LINEAR]["block_recall"] >= 0.75
    assert good[CLEARED]["false_block_rate"] <= good[LINEAR]["false_block_rate"]
    assert bad[HYBRID]["average_precision"] > bad[JUDGE]["average_precision"]


def test_turns_without_an_answer_are_left_out(cases: list[Case]) -> None:
    some = dict(list(answers(cases, knowing=True).items())[:5])
    assert len(judged_cases(cases, RUNTIME, PLAN, some)) == 5
    with pytest.raises(CalibrateError, match="none of the recorded answers"):
        judged_cases(cases, RUNTIME, PLAN, {})


def test_the_join_finds_what_made_the_flags() -> None:
    points = [
        Point(linear if marked else None, judge, int(linear * marked + 2 * judge > 0.5))
        for linear in (-2.0, -1.0, 0.0, 1.0, 2.0)
        for judge in (-2.0, -1.0, 0.0, 1.0, 2.0)
        for marked in (True, False)
    ]
    join = fitted_join(points)
    assert join.judge > join.linear > 0
    assert joined(80, 80, join) > joined(20, 80, join) > joined(20, 20, join)
    with pytest.raises(CalibrateError, match="flagged statements and others"):
        fitted_join([Point(None, 0.0, 0)])


def test_a_recording_comes_back_as_it_was(tmp_path: Path) -> None:
    one = Recorded("a", ((0, 4), (5, 9)), 2, '{"statements": []}', "m", 1, "0f", 10, 2, 1.5, 0.001)
    write_recording(tmp_path / "r.jsonl", [one])
    assert read_recording(tmp_path / "r.jsonl") == {"a": one}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "no recorded answers"),
        ('{"id": "a"}', "r.jsonl:1: 'statements': expected id, statements, calls and answer"),
        ('{"id": "a", "statements": [[0, 1]], "calls": 0, "answer": 3}', "found int"),
        ('{"id": "a", "statements": [], "calls": 0, "answer": ""}\n' * 2, "stands there twice"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "r.jsonl").write_text(line)
    with pytest.raises(LabelError, match=says):
        read_recording(tmp_path / "r.jsonl")


def test_the_command_scores_files_that_were_filled_in(cli: Command, gold: Path) -> None:
    """Prompts are written, answered by hand, recorded, and the recording is scored again."""
    wanted = ("judge-eval", gold, "--shipped", "--prompts", "asked", "--record", "r.jsonl")
    assert "put each answer beside its prompt" in cli.refused(*wanted)
    prompts = sorted((cli.folder / "asked").glob("*.txt"))
    assert len(prompts) == 24
    assert "</turn>" in prompts[0].read_text(encoding="utf-8")
    said = (
        '{"statements": [{"n": 1, "probability": 90, "kind": "completeness_claim", "why": "#1"}]}'
    )
    for number, path in enumerate(prompts):
        answer = said if number % 2 == 0 else 'Nothing. {"statements": []}'
        path.with_suffix(".json").write_text(answer, encoding="utf-8")
    printed = cli.out(*wanted, "--model", "by hand")
    assert "24 answers of by hand (prompt 1)" in printed
    assert "join fitted on all of them" in printed
    again = cli.out("judge-eval", gold, "--shipped", "--replay", "r.jsonl")
    assert again == printed


def test_one_source_of_answers_is_named(cli: Command, gold: Path) -> None:
    assert "name one of --replay FILE" in cli.refused("judge-eval", gold)
    refused = cli.refused("judge-eval", gold, "--replay", "r.jsonl", "--prompts", "p")
    assert "name one of --replay FILE" in refused
