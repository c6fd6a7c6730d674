"""Pattern files with ``mode = "file"``: reading, checking and compiling them.

The hook knows nothing of them: they have a generated module of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.base.errors import LexiconError
from groundwire.base.rules.file_patterns import FilePattern
from groundwire.language.file_patterns import FileScanner
from groundwire.report.prose import one_line
from groundwire.settings.patterns.load import (
    FILE_MODE,
    FileEntry,
    FilePatternFile,
    hit_errors,
    order_errors,
    read_tables,
)
from groundwire.settings.patterns.read import check, source


class LoadedPattern(NamedTuple):
    """One valid entry with where it came from."""

    path: Path
    entry: FileEntry


def load_file_patterns(folders: Sequence[Path | str] = ()) -> list[LoadedPattern]:
    """Read the shipped file patterns and those of further ``folders``.

    Raises LexiconError with one ``file: id: message`` line per problem.
    """
    errors: list[str] = []
    loaded: list[LoadedPattern] = []
    for path, data in read_tables(folders, errors):
        if data.get("mode") != FILE_MODE:
            continue
        parsed = check(path, data, FilePatternFile, errors)
        if parsed is None:
            continue
        errors.extend(order_errors(path, [entry.id for entry in parsed.pattern]))
        for entry in parsed.pattern:
            errors.extend(f"{path}: {entry.id}: {text}" for text in hit_errors(entry.hits))
        loaded.extend(LoadedPattern(path, entry) for entry in parsed.pattern)
    errors.extend(_duplicates(loaded))
    if errors:
        raise LexiconError("\n".join(map(one_line, errors)))
    return loaded


def _duplicates(loaded: Iterable[LoadedPattern]) -> Iterable[str]:
    ids: dict[str, Path] = {}
    forms: dict[str, str] = {}
    for path, entry in loaded:
        if entry.id in ids:
            yield f"{path}: {entry.id}: already defined in {ids[entry.id]}"
        ids.setdefault(entry.id, path)
        other = forms.setdefault(entry.form, entry.id)
        if other != entry.id:
            yield f"{path}: {entry.id}: form {entry.form!r} already belongs to {other}"


def compile_file_patterns(folders: Sequence[Path | str] = ()) -> tuple[FilePattern, ...]:
    """Load the shipped file patterns and ``folders`` and compile them; raises LexiconError."""
    return patterns_of(load_file_patterns(folders))


def patterns_of(loaded: Iterable[LoadedPattern]) -> tuple[FilePattern, ...]:
    """Compile loaded entries, sorted by id."""
    entries = sorted((item.entry for item in loaded), key=lambda entry: entry.id)
    return tuple(
        FilePattern(
            entry.id, entry.category, entry.milestone, entry.form, entry.boundary, entry.weight
        )
        for entry in entries
    )


def file_patterns_source(patterns: Iterable[FilePattern]) -> str:
    """Return the text of the generated module for ``patterns``."""
    rows = [tuple(getattr(one, field) for field in FilePattern._fields) for one in patterns]
    return source("The shipped file patterns", {"ROWS": rows})


def check_file_patterns(loaded: Sequence[LoadedPattern]) -> list[str]:
    """Return one ``file: id: message`` line per example that does not hold."""
    scanner = FileScanner(patterns_of(loaded))
    return [
        f"{item.path}: {item.entry.id}: {problem}"
        for item in loaded
        for problem in check_file_entry(item.entry, scanner)
    ]


def check_file_entry(entry: FileEntry, scanner: FileScanner) -> Iterable[str]:
    """Yield what is wrong with the hits and misses of one entry."""
    for hit in entry.hits:
        start, end = hit.index("{"), hit.index("}") - 1
        text = hit.replace("{", "", 1).replace("}", "", 1)
        if _offset(text, entry.id, scanner) != start or text[start:end] != entry.form:
            yield f"hit {text!r}: not found where the braces are"
    for miss in entry.misses:
        if _offset(miss, entry.id, scanner) is not None:
            yield f"miss {miss!r}: found"


def _offset(text: str, pattern_id: str, scanner: FileScanner) -> int | None:
    return next((hit.offset for hit in scanner.scan(text) if hit.pattern.id == pattern_id), None)
