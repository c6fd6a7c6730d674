"""``groundwire data-age``: how old validated data is, and what is to be done."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Literal

import typer

from groundwire.base.files import is_data_file
from groundwire.report.prose import counted, one_line
from groundwire_confidence.commands.file_options import all_files, day, each_file
from groundwire_confidence.headers.data_files import SUFFIXES, DataFile, check_data_file
from groundwire_confidence.reinforcement.ageing import ACTIONS

_PROBLEM = "Cannot be told"


def data_age(
    paths: list[Path],
    format_: Literal["text", "jsonl"] = "text",
    fail_on: Literal["nothing", "review", "validation", "refresh"] = "nothing",
    today: str = "",
) -> None:
    """Show the age of data files in whole months, their confidence and what to do about them.

    Data files are those in _data folders, and files that are named. Their validation record is
    data_metadata in the front matter, the key _confidence, or a sidecar.

    Examples:

        groundwire data-age site/_data

        groundwire data-age . --fail-on validation

    Options:
        paths: Files or folders.
        --fail-on: Exit with 1 from this action on, and for a record that is no good.
    """
    now = day("--today", today)
    counts: Counter[str] = Counter()
    as_lines = format_ == "jsonl"
    files = all_files(paths, lambda path: is_data_file(path) and path.suffix.lower() in SUFFIXES)
    check = partial(check_data_file, today=now)
    for data in each_file(files, "reading", check, hidden=as_lines and sys.stdout.isatty()):
        if data:
            counts[data.age.action if data.age else _PROBLEM] += 1
            counts[""] += bool(data.problems)
            typer.echo(_json(data) if as_lines else _line(data))
    if not as_lines:
        typer.echo(_summary(counts))
    raise typer.Exit(_exit_code(counts, fail_on))


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


def _exit_code(counts: Counter[str], fail_on: str) -> int:
    first = {"review": 1, "validation": 2, "refresh": 3}.get(fail_on)
    if first is None:
        return 0
    return int(bool(counts[""] or any(counts[name] for name in (*ACTIONS[first:], _PROBLEM))))
