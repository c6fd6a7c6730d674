"""How files become batches, and batches tasks."""

from groundwire_fleet.plan import LARGE, TASK, Batch, File, batches, bounds, scan_settings


def files(*sizes: int) -> list[File]:
    return [File(f"/{at}", f"file:/{at}", size) for at, size in enumerate(sizes)]


def test_large_files_come_first_and_batches_are_bounded() -> None:
    given = files(10, LARGE, 20, 30, LARGE + 1, 5)
    found = [(it.large, [file.size for file in it.files]) for it in batches(given, 40, 2)]
    assert found == [(True, [LARGE]), (True, [LARGE + 1]), (False, [10, 20]), (False, [30, 5])]
    assert [*batches([])] == []


def test_halves_of_a_batch_are_all_of_it() -> None:
    [batch] = batches(files(1, 2, 3))
    assert [len(half.files) for half in batch.halves()] == [1, 2]
    assert sum((half.files for half in batch.halves()), ()) == batch.files


def test_no_file_is_cut() -> None:
    """Spark cuts at min(maxPartitionBytes, max(openCostInBytes, bytes / minPartitionNum))."""
    for batch in (Batch((*files(*[1 << 20] * 1_000), File("", "", 200 << 20))), *batches(files(7))):
        settings = scan_settings(batch, 4)
        most, opening = (
            int(settings[f"spark.sql.files.{name}"][:-1])
            for name in ("maxPartitionBytes", "openCostInBytes")
        )
        cut = min(
            most, max(opening, batch.bytes // int(settings["spark.sql.files.minPartitionNum"]))
        )
        assert cut >= max(file.size for file in batch.files)


def test_tasks_are_large_and_enough_for_all_cores() -> None:
    few = scan_settings(Batch(tuple(files(*[1 << 20] * 64))), 2)
    assert few["spark.sql.files.maxPartitionBytes"] == f"{8 << 20}b"
    many = scan_settings(Batch(tuple(files(*[1 << 20] * 4_096))), 2)
    assert many["spark.sql.files.maxPartitionBytes"] == f"{TASK}b"
    alone = scan_settings(Batch(tuple(files(LARGE, LARGE)), large=True), 2)
    assert alone["spark.sql.files.openCostInBytes"] == f"{LARGE}b"


def test_batches_grow_with_the_cluster() -> None:
    assert bounds(2) == (64 << 30, 20_000)
    assert bounds(1_000) == (8_000 * TASK, 400_000)
