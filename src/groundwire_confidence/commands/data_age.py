"""``groundwire data-age``: how old validated data is, and what is to be done."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.files import Skipped, is_data_file
from groundwire.commands.progress import with_progress
from groundwire.report.prose import counted, one_line
from groundwire_confidence.commands.file_options import Paths, Today, all_files, day, tell
from groundwire_confidence.headers.data_files import SUFFIXES, DataFile, check_data_file
from groundwire_confidence.reinforcement.ageing import ACTIONS

_PROBLEM = "Cannot be told"


class Format(StrEnum):
    """How files are reported."""

    TEXT = "text"
    JSONL = "jsonl"


class FailOn(StrEnum):
    """The mildest action that makes the exit code 1."""

    NOTHING = "nothing"
    REVIEW = "review"
    VALIDATION = "validation"
    REFRESH = "refresh"


def data_age(
    paths: Paths,
    format: Annotated[Format, typer.Option(help="How to report.")] = Format.TEXT,  # noqa: A002
    fail_on: Annotated[
        FailOn,
        typer.Option(help="Exit with 1 from this action on, and for a record that is no good."),
    ] = FailOn.NOTHING,
    today: Today = "",
) -> None:
    """Show the age of data files in whole months, their confidence and what to do about them.

    Data files are those in _data folders, and files that are named. Their validation record is
    data_metadata in the front matter, the key _confidence, or a sidecar.

    Examples:

        groundwire data-age site/_data

        groundwire data-age . --fail-on validation
    """
    now = day("--today", today)
    files = [item for item in all_files(paths) if isinstance(item, Skipped) or _wanted(item, paths)]
    counts: Counter[str] = Counter()
    hidden = format is Format.JSONL and sys.stdout.isatty()
    for item in with_progress(files, "reading", hidden=hidden):
        data = item if isinstance(item, Skipped) else check_data_file(item, now)
        if isinstance(data, Skipped):
            tell(data)
            continue
        counts[data.age.action if data.age else _PROBLEM] += 1
        counts[""] += bool(data.problems)
        typer.echo(_json(data) if format is Format.JSONL else _line(data))
    if format is Format.TEXT:
        typer.echo(_summary(counts))
    raise typer.Exit(_exit_code(counts, fail_on))


def _wanted(item: Path, paths: Sequence[Path]) -> bool:
    if item in paths:
        return True
    return is_data_file(item) and item.suffix.lower() in SUFFIXES


def _line(data: DataFile) -> str:
    name = one_line(str(data.path))
    line = f"{_PROBLEM:26}  {'':17}  {name}"
    if data.age:
        months = f"{data.age.months:3} months  {data.age.confidence:.3f}"
        line = f"{data.age.action:26}  {months}  {name}"
    return "\n".join([line, *(f"    {one_line(problem)}" for problem in data.problems)])


def _json(data: DataFile) -> str:
    age = data.age
    fields = {
        "path": str(data.path),
        "record": data.where,
        "validated": data.validated,
        "months": age.months if age else None,
        "confidence": age.confidence if age else None,
        "action": age.action if age else None,
        "problems": list(data.problems),
    }
    return json.dumps(fields)


def _summary(counts: Counter[str]) -> str:
    names = (*ACTIONS, _PROBLEM)
    total = sum(counts[name] for name in names)
    parts = ", ".join(f"{counts[name]} {name}" for name in names if counts[name])
    return f"{counted(total, 'data file')}: {parts}" if total else "no data files"


def _exit_code(counts: Counter[str], fail_on: FailOn) -> int:
    first = {FailOn.REVIEW: 1, FailOn.VALIDATION: 2, FailOn.REFRESH: 3}.get(fail_on)
    if first is None:
        return 0
    return int(bool(counts[""] or any(counts[name] for name in (*ACTIONS[first:], _PROBLEM))))
