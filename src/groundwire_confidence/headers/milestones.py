"""Which milestone patterns the files of a path hold, and what they add."""

from __future__ import annotations

from pathlib import Path

from groundwire.base.files import Skipped, TextFile, read_text_file
from groundwire.base.record import Record
from groundwire.language.file_patterns import FileHit, FileScanner
from groundwire_confidence.headers.data_files import is_sidecar
from groundwire_confidence.headers.headers import without_headers
from groundwire_confidence.reinforcement.milestones import (
    CATEGORY_BONUS,
    PATTERN_WEIGHT,
    Contributions,
    contributions,
)


class FileScan(Record):
    """The patterns of one file, each once with the line of its first occurrence, and their sums."""

    path: Path
    hits: tuple[FileHit, ...]
    lines: tuple[int, ...]
    sums: Contributions


def scan_file(
    path: Path,
    scanner: FileScanner,
    pattern_weight: float = PATTERN_WEIGHT,
    category_bonus: float = CATEGORY_BONUS,
) -> FileScan | Skipped:
    """Scan one file; groundwire's own headers do not count."""
    if is_sidecar(path):
        return Skipped(path, "holds the score of another file")
    file = read_text_file(path)
    if isinstance(file, Skipped):
        return file
    hits, lines = find_patterns(file, scanner)
    patterns = [hit.pattern for hit in hits]
    return FileScan(path, hits, lines, contributions(patterns, pattern_weight, category_bonus))


def find_patterns(
    file: TextFile, scanner: FileScanner
) -> tuple[tuple[FileHit, ...], tuple[int, ...]]:
    """Return the patterns that a file's own content holds, and their lines from 1."""
    text = without_headers(file.text)
    hits = scanner.scan(text)
    return hits, tuple(text.count(file.line_end, 0, hit.offset) + 1 for hit in hits)
