"""Which files go into which job: plain Python, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Bytes of one task, unless there are too few for all cores.
TASK = 128 << 20
#: Files from this size on get a task of their own, before all others.
LARGE = 256 << 20
#: Bytes and files of one batch, which is what a killed job loses; on many cores they are more.
BATCH_BYTES, BATCH_FILES = 64 << 30, 20_000
_FILES_OF_A_TASK = 50
#: Bytes that opening a file counts as.
OPENING = 64 << 10


class File(NamedTuple):
    """One transcript as listed: where to read it, its name in the manifest, and its size."""

    path: str
    key: str
    size: int


class Batch(NamedTuple):
    """Files that are read by one job and published together."""

    files: tuple[File, ...]
    large: bool = False

    @property
    def bytes(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    def halves(self) -> Iterator[Batch]:
        """Yield the batch in two parts."""
        middle = len(self.files) // 2
        yield Batch(self.files[:middle], self.large)
        yield Batch(self.files[middle:], self.large)


def batches(
    files: Iterable[File], most_bytes: int = BATCH_BYTES, most_files: int = BATCH_FILES
) -> Iterator[Batch]:
    """Yield batches in the given order of files, those of large files first; none is empty."""
    large: list[File] = []
    small: list[File] = []
    for file in files:
        (large if file.size >= LARGE else small).append(file)
    for group, is_large in ((large, True), (small, False)):
        part: list[File] = []
        size = 0
        for file in group:
            if part and (size + file.size > most_bytes or len(part) >= most_files):
                yield Batch(tuple(part), is_large)
                part, size = [], 0
            part.append(file)
            size += file.size
        if part:
            yield Batch(tuple(part), is_large)


def bounds(cores: int) -> tuple[int, int]:
    """Return the most bytes and files of a batch: what fills all cores eight times, or more."""
    rounds = 8 * cores
    return max(BATCH_BYTES, rounds * TASK), max(BATCH_FILES, rounds * _FILES_OF_A_TASK)


def scan_settings(batch: Batch, cores: int) -> dict[str, str]:
    """Return how Spark has to cut a batch into tasks, so that it never cuts a file.

    A task takes as many files as fit (``maxPartitionBytes``), which is never less than the largest
    file; of large files it takes one.
    """
    largest = max(file.size for file in batch.files)
    most = max(largest, min(TASK, batch.bytes // (4 * cores)), 1)
    return {
        "spark.sql.files.maxPartitionBytes": f"{most}b",
        "spark.sql.files.openCostInBytes": f"{most if batch.large else OPENING}b",
        "spark.sql.files.minPartitionNum": "1",
    }
