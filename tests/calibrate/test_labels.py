"""Label files: what is refused, what is kept, and that a file is never half written."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.errors import TranscriptError
from groundwire_lab.errors import LabelError
from groundwire_lab.label_items import Item, items_of, spread
from groundwire_lab.labels import read_labels, write_labels
from groundwire_lab.runtime import shipped_runtime
from groundwire_lab.samples import read_samples
from tests.calibrate.synthetic import write_set
from tests.support.tables import table, tables
from tests.support.transcripts import Session as Transcript

TABLES = tables(__file__)
GOOD: dict[str, Any] = TABLES["good"]


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps({**GOOD, **row}) + "\n" for row in rows), encoding="utf-8")
    return path


@table
def test_errors_name_file_line_and_key(
    row: dict[str, Any] | str, key: str, allowed: str, tmp_path: Path
) -> None:
    line = row if isinstance(row, str) else json.dumps({**GOOD, **row})
    path = write(tmp_path, {"id": "z"})
    path.write_text(f"{path.read_text()}\n{line}", encoding="latin-1")
    with pytest.raises(LabelError) as error:
        read_labels(path)
    said = str(error.value)
    assert said.startswith(f"{path}:3: {key}"), said
    assert allowed in said.partition("allowed: ")[2]


def test_all_errors_are_told_at_once(tmp_path: Path) -> None:
    wrong = {"session": 5}, {"labels": {"2": {"flag": 5}}}, {"id": "b", "units": 3}
    path = write(tmp_path, {}, *wrong, {})
    with pytest.raises(LabelError) as error:
        read_labels(path)
    said = str(error.value).splitlines()
    assert [line.removeprefix(f"{path}:")[0] for line in said] == [*"23445"]
    assert said[-1].endswith('id: value "a": is on line 1 already')


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    unknown = {"flag": None, "kind": "none"}
    row = {
        "text": "It works \U0001f600 \udc80. It is done.",
        "units": [[0, 13], [14, 25]],
        "labels": {
            "1": {**unknown, "sure": 0, "why": "half of it"},
            "2": {**unknown, "open": True},
        },
        "transcript": "t.jsonl",
        "turn": 3,
        "rater": "me",
    }
    path = write(tmp_path, row)
    messages = read_labels(path)
    write_labels(path, messages)
    assert read_labels(path) == messages
    assert json.loads(path.read_text()) == {**GOOD, **row}


def test_turns_come_from_the_transcript_that_a_message_names(tmp_path: Path) -> None:
    path = write_set(tmp_path / "turn", 2)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        row.update(transcript=str(tmp_path / "turn" / "transcripts" / f"{row['id']}.jsonl"), turn=1)
    lone = write(tmp_path / "turn" / "transcripts", *rows)
    assert [len(sample.turn.calls) for sample in read_samples(lone)] == [1] * len(rows)
    rows[1]["turn"] = 2
    with pytest.raises(LabelError, match="no event or turn for the message with id 'turn01'"):
        read_samples(write(tmp_path / "turn" / "transcripts", *rows))


@table
def test_what_does_not_belong_together_is_named(
    name: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = write_set(tmp_path / "turn", 1)
    changed = path.with_name(name)
    changed.write_text(changed.read_text().replace(old, new), encoding="utf-8")
    with pytest.raises((LabelError, TranscriptError), match=said):
        read_samples(path)


@pytest.fixture
def items(tmp_path: Path) -> list[Item]:
    session = Transcript(cwd="/home/dev/shop")
    for number, message in enumerate(TABLES["messages"]):
        session.prompt(f"question {number}")
        session.bash("ls", "a.py")
        session.say(message)
    return items_of(Path(session.write(tmp_path / "one.jsonl")), shipped_runtime())


def test_sentences_with_a_match_are_asked(items: list[Item]) -> None:
    texts = [item.message.text[slice(*item.message.units[item.unit - 1])] for item in items]
    assert texts[0] == "I think it is the parser."
    assert "It is definitely the queue." in texts
    assert "Bye." not in texts
    for item in items:
        assert item.best in item.matches
        assert item.best.confidence == max(match.confidence for match in item.matches)
        assert {item.message.unit_at(match.offset) for match in item.matches} == {item.unit}
    assert items[0].prompt == "question 0"
    assert (items[0].message.repo, items[0].message.turn) == ("shop", 1)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sample_is_spread_over_kinds_and_confidences(items: list[Item], seed: int) -> None:
    groups = {("a", 10): 100, ("a", 95): 3, ("b", 10): 50, ("b", 60): 2}
    many = [
        items[0].replace(unit=number, best=items[0].best.replace(kind=kind, confidence=confidence))
        for (kind, confidence), count in groups.items()
        for number in range(count)
    ]
    sample = spread(many, 14, seed)
    drawn = Counter((item.best.kind, item.best.confidence) for item in sample)
    assert drawn == {("a", 10): 5, ("a", 95): 3, ("b", 10): 4, ("b", 60): 2}
