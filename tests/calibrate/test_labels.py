"""Label files: what is refused, what is kept, and that a file is never half written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groundwire.calibrate.errors import LabelError
from groundwire.calibrate.labels import Label, Message, write_labels
from groundwire.calibrate.read_labels import read_labels
from groundwire.calibrate.samples import read_samples
from groundwire.errors import TranscriptError
from tests.calibrate.synthetic import OPEN, write_set
from tests.support.tables import table

GOOD: dict[str, Any] = {
    "id": "a",
    "repo": "team/pool",
    "session": "s",
    "text": "It works. It is done.",
    "units": [[0, 9], [10, 21]],
    "labels": {"1": {"flag": 1, "kind": "completeness_claim", "sure": 1}},
}


def write(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "labels.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def changed(**values: Any) -> dict[str, Any]:
    return {**GOOD, **values}


@table
def test_errors_name_file_line_and_key(
    row: dict[str, Any] | str, key: str, allowed: str, tmp_path: Path
) -> None:
    line = row if isinstance(row, str) else json.dumps({**GOOD, **row})
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{json.dumps(changed(id='z'))}\n\n{line}", encoding="latin-1")
    with pytest.raises(LabelError) as error:
        read_labels(path)
    said = str(error.value)
    assert said.startswith(f"{path}:3: {key}"), said
    assert allowed in said.partition("allowed: ")[2]


def test_all_errors_are_told_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path, changed(session=5), changed(labels={"2": {"flag": 5}}), changed(id="b", units=3)
    )
    with pytest.raises(LabelError) as error:
        read_labels(path)
    said = str(error.value).splitlines()
    assert [line.removeprefix(f"{path}:")[0] for line in said] == [*"1233"]


def test_a_long_list_of_errors_is_cut(tmp_path: Path) -> None:
    path = write(tmp_path, *[changed(id=f"m{n}", session=5) for n in range(50)])
    with pytest.raises(LabelError, match="and 30 more problems"):
        read_labels(path)


def test_the_same_id_twice(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD, changed(id="b"), GOOD)
    with pytest.raises(LabelError, match=r'labels.jsonl:3: id: value "a": is on line 1 already'):
        read_labels(path)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(LabelError, match="expected a readable file"):
        read_labels(tmp_path / name)


def test_errors_never_quote_the_text(tmp_path: Path) -> None:
    row = changed(text=f"about {OPEN}", units=[[0, 500]])
    with pytest.raises(LabelError) as error:
        read_labels(write(tmp_path, row))
    assert OPEN not in str(error.value)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    row = changed(
        text="It works \U0001f600 \udc80. It is done.",
        units=[[0, 13], [14, 25]],
        labels={
            "1": {"flag": None, "kind": "none", "sure": 0, "why": "half of it"},
            "2": {"flag": None, "kind": "none", "open": True},
        },
        transcript="t.jsonl",
        turn=3,
        rater="me",
    )
    path = write(tmp_path, row)
    messages = read_labels(path)
    write_labels(path, messages)
    assert read_labels(path) == messages
    assert json.loads(path.read_text()) == row


def test_a_unit_without_a_label_is_not_flagged() -> None:
    message = Message("a", "x y z", ((0, 1), (2, 3), (4, 5)), {1: Label(1), 2: Label(None)})
    assert [message.flag(unit) for unit in (1, 2, 3)] == [1, None, 0]
    assert [message.unit_at(offset) for offset in range(5)] == [1, 0, 2, 0, 3]


def test_a_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, GOOD)
    before = path.read_bytes()

    def broken(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="No space"):
        write_labels(path, [])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    write_labels(link, [])
    assert link.is_symlink()
    assert path.read_bytes() == b""


def test_turns_come_from_the_events_beside_the_labels(tmp_path: Path) -> None:
    samples = read_samples(write_set(tmp_path / "turn"))
    assert all(len(sample.turn.calls) == 1 for sample in samples)
    assert [sample.event.session_id for sample in samples] == [s.message.id for s in samples]


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


def test_a_message_without_a_source_is_bare_text(tmp_path: Path) -> None:
    [sample] = read_samples(write(tmp_path, GOOD))
    assert (sample.turn.calls, sample.event.message) == ((), GOOD["text"])


@table
def test_what_does_not_belong_together_is_named(
    name: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = write_set(tmp_path / "turn", 1)
    changed = path.with_name(name)
    changed.write_text(changed.read_text().replace(old, new), encoding="utf-8")
    with pytest.raises((LabelError, TranscriptError), match=said):
        read_samples(path)


def test_events_without_a_session_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    (tmp_path / "events.jsonl").write_text('\n{"last_assistant_message": "x"}\n')
    with pytest.raises(LabelError, match=r"events.jsonl:2: session_id: missing"):
        read_samples(path)
