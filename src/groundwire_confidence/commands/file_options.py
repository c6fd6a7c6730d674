"""What the commands over files share: days, patterns, and telling what was passed over."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

from groundwire.base.errors import GroundwireError
from groundwire.base.files import Skipped, walk
from groundwire.base.rules.file_patterns import shipped_file_patterns
from groundwire.commands.progress import with_progress
from groundwire.language.file_patterns import FileScanner
from groundwire.report.prose import one_line
from groundwire_confidence.headers.data_files import is_sidecar
from groundwire_confidence.reinforcement.ageing import Date, read_date

Result = TypeVar("Result")


def day(name: str, text: str) -> Date:
    """Return the day that an option names, today for ""; raises ConfidenceError."""
    if text:
        return read_date(name, text)
    now = date.today()
    return now.year, now.month, now.day


def file_scanner(folders: Sequence[str]) -> FileScanner:
    """Return the scanner for the shipped patterns and those of ``folders``; raises LexiconError."""
    if not folders:
        return FileScanner(shipped_file_patterns())
    from groundwire.settings.patterns.file_patterns import compile_file_patterns

    return FileScanner(compile_file_patterns(folders))


def all_files(
    paths: Sequence[Path], wanted: Callable[[Path], bool] = lambda _: True
) -> list[Path | Skipped]:
    """Return the files of all paths, each once, that are named or ``wanted``.

    Raises FileError for a path that is no file or folder.
    """
    found = {
        item.path if isinstance(item, Skipped) else item: item
        for path in paths
        for item in walk(path)
        if isinstance(item, Skipped) or item in paths or (wanted(item) and not is_sidecar(item))
    }
    return list(found.values())


def each_file(
    files: Sequence[Path | Skipped],
    label: str,
    read: Callable[[Path], Result | Skipped],
    *,
    hidden: bool = False,
) -> Iterator[Result | None]:
    """Yield what ``read`` makes of each file, None for one that is passed over, which it tells.

    A terminal shows how far it is, by ``label``, unless that is ``hidden``.
    """
    paths = [item.path if isinstance(item, Skipped) else item for item in files]
    for item in with_progress(files, paths, label, hidden=hidden):
        result = item if isinstance(item, Skipped) else read(item)
        if isinstance(result, Skipped):
            tell(result)
        yield None if isinstance(result, Skipped) else result


def tell(what: Skipped | GroundwireError) -> None:
    """Tell on standard error what was passed over or could not be done."""
    text = f"{what.path}: {what.reason}" if isinstance(what, Skipped) else str(what)
    print(f"groundwire: {one_line(text)}", file=sys.stderr)  # noqa: T201
