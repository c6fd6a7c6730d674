"""How files become batches, and batches tasks; what becomes of files that were not read whole."""

from datetime import UTC, datetime

from groundwire_fleet import plan
from groundwire_fleet.plan import File, batches, manifest, tasks
from groundwire_fleet.rows import Options


def files(*sizes: int) -> tuple[File, ...]:
    return tuple(File(f"/{at}.jsonl", f"file:/{at}", size) for at, size in enumerate(sizes))


def test_batches_are_bounded_and_grow_with_the_cluster() -> None:
    given = files(10, plan.BATCH_BYTES, 20, *[1] * plan.BATCH_FILES)
    assert [len(it) for it in batches(given, 2)] == [1, 1, plan.BATCH_FILES, 1]
    assert [len(it) for it in batches(given, 1_000)] == [len(given)]
    assert [*batches([], 2)] == []


def test_what_a_session_has_written_is_in_one_batch() -> None:
    days = {"a/s.jsonl": 9, "a/t.jsonl": 2, "a/s/subagents/agent-1.jsonl": 1, "a/u.jsonl": 7}
    size = plan.BATCH_BYTES // 2
    given = [File(it, it, size, datetime(2026, 3, day, tzinfo=UTC)) for it, day in days.items()]
    listed = plan.files_of(it._asdict() for it in given)
    found = [[file.path for file in batch] for batch in batches(listed, 2)]
    assert found == [["a/t.jsonl", "a/u.jsonl"], ["a/s.jsonl", "a/s/subagents/agent-1.jsonl"]]


def test_the_largest_task_comes_first_and_holds_whole_sessions() -> None:
    names = ("a/s.jsonl", "a/s/subagents/agent-1.jsonl", "a/t.jsonl.gz", "a/big.jsonl", "a/u.jsonl")
    sizes = (1 << 20, 9 << 20, 3 << 20, 2 << 30, 1)
    given = tuple(File(*it) for it in zip(names, names, sizes, strict=True))
    found = [[file.path for file in task] for task in tasks(given, 2)]
    assert found == [["a/big.jsonl"], ["a/s.jsonl", names[1], "a/t.jsonl.gz", "a/u.jsonl"]]


def test_tasks_are_large_and_enough_for_all_cores() -> None:
    assert len(tasks(files(*[1 << 20] * 64), 2)) in range(8, 11)
    many = tasks(files(*[1 << 20] * 4_096), 2)
    assert len(many) in range(32, 36)
    assert max(sum(file.size for file in task) for task in many) <= plan.TASK


def test_what_was_not_read_to_its_end_is_told_once() -> None:
    hashed = Options(b"salt", "test").hashed
    packed = File("p", "p.gz", 99, datetime(2026, 3, 2, tzinfo=UTC))
    batch = (*files(0, 10, 10), packed)
    read = {hashed("file:/0"): {}, hashed("file:/1"): {"bytes": 4}, hashed("p.gz"): {"bytes": 9}}
    rows, errors = manifest(batch, read, [], hashed)
    assert [row["bytes"] for row in rows] == [0, 4, 0, 9]
    assert (rows[0]["date"], rows[3]["date"]) == ("1970-01-01", "2026-03-02")
    told = {row["path"]: (row["offset"], row["error"]) for row in errors}
    not_given = (0, "Spark did not hand it over")
    assert told == {"file:/1": (4, "only 4 of 10 bytes were read"), "file:/2": not_given}
    assert len(manifest(batch, read, [hashed("file:/1")], hashed)[1]) == 1
