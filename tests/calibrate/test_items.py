"""What is asked of a rater: the sentences with a match, a sample of them, and where it goes on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from groundwire.calibrate.errors import LabelError
from groundwire.calibrate.label_book import Book, Session
from groundwire.calibrate.label_items import Item, distinct, items_of, spread
from groundwire.calibrate.labels import Label, Message, write_labels
from groundwire.calibrate.read_labels import read_labels
from groundwire.calibrate.runtime import shipped_runtime
from tests.support.transcripts import Session as Transcript

RUNTIME = shipped_runtime()
MESSAGES = [
    "I think it is the parser. Nothing else.\n\nIt is probably the cache. All tests pass.",
    "It is definitely the queue. I believe the pool is too small.",
    "Bye.",
]


@pytest.fixture
def items(tmp_path: Path) -> list[Item]:
    session = Transcript(cwd="/home/dev/shop")
    for number, message in enumerate(MESSAGES):
        session.prompt(f"question {number}")
        session.bash("ls", "a.py")
        session.say(message)
    return items_of(Path(session.write(tmp_path / "one.jsonl")), RUNTIME)


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


def test_a_threshold_leaves_lower_ones_out(items: list[Item], tmp_path: Path) -> None:
    threshold = max(item.best.confidence for item in items)
    high = items_of(tmp_path / "one.jsonl", RUNTIME, threshold)
    assert high == [item for item in items if item.best.confidence >= threshold]
    assert 0 < len(high) < len(items)


def test_sentences_that_are_not_asked_stay_open(items: list[Item]) -> None:
    """A sample must not turn the rest of a message into sentences that nobody would challenge."""
    message = items[0].message
    assert all(label.open and label.flag is None for label in message.labels.values())
    assert set(message.labels) == {i.unit for i in items if i.message.id == message.id}


def test_a_resumed_session_is_asked_once(items: list[Item]) -> None:
    assert distinct([*items, *items]) == items


def many(items: list[Item], kinds: dict[tuple[str, int], int]) -> list[Item]:
    """Return items with so many of each kind and confidence."""
    return [
        items[0].replace(unit=number, best=items[0].best.replace(kind=kind, confidence=confidence))
        for (kind, confidence), count in kinds.items()
        for number in range(count)
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sample_is_spread_over_kinds_and_confidences(items: list[Item], seed: int) -> None:
    groups = {("a", 10): 100, ("a", 95): 3, ("b", 10): 50, ("b", 60): 2}
    sample = spread(many(items, groups), 14, seed)
    drawn = Counter((item.best.kind, item.best.confidence) for item in sample)
    assert drawn == {("a", 10): 5, ("a", 95): 3, ("b", 10): 4, ("b", 60): 2}


def test_a_sample_keeps_the_order_and_depends_on_the_seed(items: list[Item]) -> None:
    pool = many(items, {("a", 10): 60, ("b", 90): 60})
    first, again, other = spread(pool, 20, 1), spread(pool, 20, 1), spread(pool, 20, 2)
    assert first == again != other
    assert first == sorted(first, key=pool.index)
    assert spread(pool, 500, 1) == pool
    assert spread([], 5, 1) == []


def sitting(path: Path, items: list[Item]) -> Session:
    return Session(Book(path), items)


def flags(path: Path) -> list[int | None]:
    return [
        label.flag
        for message in read_labels(path)
        for _, label in sorted(message.labels.items())
        if label.answered
    ]


def test_answers_are_kept_at_once_and_taken_up_again(items: list[Item], tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    session = sitting(path, items)
    for count, key in enumerate(("y", "n", "?"), 1):
        session.answer(key)
        assert len(flags(path)) == count
    assert flags(path) == [1, 0, None]
    again = sitting(path, items)
    assert again.items == items[3:]
    again.answer("y")
    assert flags(path) == [1, 0, None, 1]


def test_a_flagged_sentence_gets_the_kind_of_its_match(items: list[Item], tmp_path: Path) -> None:
    session = sitting(tmp_path / "labels.jsonl", items)
    session.answer("y")
    session.answer("n")
    labels = read_labels(tmp_path / "labels.jsonl")[0].labels
    assert labels[items[0].unit] == Label(1, "speculation_language", more={"sure": 1})
    assert labels[items[1].unit] == Label(0, "none", more={"sure": 1})


def test_undo_goes_back_to_the_state_before(items: list[Item], tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    session = sitting(path, items)
    states: list[list[Message]] = [[]]
    for key in ("y", "n", "skip", "y"):
        session.skip() if key == "skip" else session.answer(key)
        states.append(read_labels(path))
    for state in reversed(states[:-1]):
        assert session.undo()
        assert read_labels(path) == state
    assert session.item == items[0]
    assert not session.undo()


def test_a_skipped_message_is_not_asked_again(items: list[Item], tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    session = sitting(path, items)
    session.answer("y")
    session.skip()
    assert session.item is not None
    assert session.item.message.turn == 2
    assert {item.message.turn for item in sitting(path, items).items} == {2}
    labels = read_labels(path)[0].labels
    assert not labels[items[0].unit].skipped
    assert any(label.skipped for label in labels.values())
    assert all(label.flag is None for label in labels.values() if label.skipped)


def test_a_set_that_was_judged_elsewhere_is_complete(items: list[Item], tmp_path: Path) -> None:
    """Its sentences without a label count as 0, so nothing is open; ids may differ."""
    path = tmp_path / "labels.jsonl"
    foreign = items[0].message.replace(id="other", labels={}, transcript="", turn=0)
    write_labels(path, [foreign])
    assert {item.message.turn for item in sitting(path, items).items} == {2}


def test_matches_of_newer_patterns_are_asked(items: list[Item], tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    known = {items[0].unit: Label(1, "speculation_language")}
    write_labels(path, [items[0].message.replace(labels=known)])
    session = sitting(path, items)
    assert session.items == items[1:]
    session.answer("n")
    labels = read_labels(path)[0].labels
    assert labels[items[0].unit].flag == 1
    assert set(labels) == set(items[0].message.labels)


def test_a_book_that_cannot_be_written_is_named(items: list[Item], tmp_path: Path) -> None:
    session = sitting(tmp_path / "missing" / "labels.jsonl", items)
    with pytest.raises(LabelError, match=r"missing/labels.jsonl: .*; expected a writable file"):
        session.answer("y")
    assert session.item == items[0]
