"""``groundwire milestones``: which milestone patterns files hold, and what they add."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Literal

import typer

from groundwire.commands.options import Patterns, Set, runtime_for
from groundwire.report.prose import counted, one_line
from groundwire_confidence.commands.file_options import all_files, each_file, file_scanner
from groundwire_confidence.headers.milestones import FileScan, scan_file
from groundwire_confidence.reinforcement.formulas import checked_base, enhanced
from groundwire_confidence.reinforcement.milestones import MILESTONES, contributions


def milestones(
    paths: list[Path],
    format_: Literal["text", "jsonl"] = "text",
    base: float | None = None,
    weight: float | None = None,
    category_bonus: float | None = None,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Scan files for milestone patterns, each counted once per file.

    Files that are not text, links below a folder and groundwire's own headers are skipped.

    Examples:

        groundwire milestones docs

        groundwire milestones . --format jsonl --base 0.6

    Options:
        paths: Files or folders.
        --base: Confidence without any pattern; 0.5 to 0.707107.
        --weight: What a pattern adds when its entry says nothing; 0 to 1.
        --category-bonus: What each category beyond the first adds; 0 to 1.
    """
    checked_base(base)
    settings = runtime_for(set_, None, patterns).settings
    known = settings.reinforcement
    each = known.pattern_weight if weight is None else weight
    extra = known.category_bonus if category_bonus is None else category_bonus
    contributions((), each, extra)  # tells numbers out of range before any file is read
    scanner = file_scanner(settings.pattern_folders)
    files = all_files(paths)
    scans: list[FileScan] = []
    as_lines = format_ == "jsonl"
    scan_one = partial(scan_file, scanner=scanner, pattern_weight=each, category_bonus=extra)
    for scan in each_file(files, "scanning", scan_one, hidden=as_lines and sys.stdout.isatty()):
        if scan:
            scans.append(scan)
            typer.echo(_json(scan, base) if as_lines else _line(scan, base))
    if not as_lines:
        typer.echo(_summary(scans, len(files) - len(scans)))


def _confidence(scan: FileScan, base: float | None) -> float:
    return enhanced(base, scan.sums.boost, scan.sums.bonus + scan.sums.category_bonus)


def _line(scan: FileScan, base: float | None) -> str:
    counts = [
        f"{one.name} {sum(hit.pattern.milestone == one.key for hit in scan.hits)}"
        for one in MILESTONES
    ]
    return f"{_confidence(scan, base):.3f}  {'  '.join(counts)}  {one_line(str(scan.path))}"


def _summary(scans: list[FileScan], skipped: int) -> str:
    """Return one line: files, patterns and categories found anywhere, highest milestone."""
    patterns = {hit.pattern.id for scan in scans for hit in scan.hits}
    categories = {hit.pattern.category for scan in scans for hit in scan.hits}
    highest = max((scan.sums.highest for scan in scans), default="")
    title = next((f"{one.name} {one.title}" for one in MILESTONES if one.key == highest), "none")
    passed = f", {skipped} passed over" if skipped else ""
    return (
        f"{counted(len(scans), 'file')}{passed}: {counted(len(patterns), 'pattern')} in "
        f"{len(categories)} {'category' if len(categories) == 1 else 'categories'}, "
        f"highest milestone {title}"
    )


def _json(scan: FileScan, base: float | None) -> str:
    sums = scan.sums
    fields: dict[str, Any] = {
        "path": str(scan.path),
        "confidence": round(_confidence(scan, base), 6),
        "boost": round(sums.boost, 6),
        "bonus": round(sums.bonus, 6),
        "category_bonus": round(sums.category_bonus, 6),
        "milestones": {key: round(value, 6) for key, value in sums.by_milestone.items()},
        "categories": list(sums.categories),
        "highest": sums.highest,
        "patterns": [
            {"id": hit.pattern.id, "form": hit.pattern.form, "line": line}
            for hit, line in zip(scan.hits, scan.lines, strict=True)
        ],
    }
    return json.dumps(fields)
