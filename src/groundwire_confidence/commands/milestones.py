"""``groundwire milestones``: which milestone patterns files hold, and what they add."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from groundwire.base.files import Skipped
from groundwire.commands.flags import runtime_for
from groundwire.commands.options import Patterns, Set
from groundwire.commands.progress import with_progress
from groundwire.report.prose import counted, one_line
from groundwire_confidence.commands.file_options import Paths, all_files, file_scanner, tell
from groundwire_confidence.headers.milestones import FileScan, scan_file
from groundwire_confidence.reinforcement.formulas import checked_base, enhanced
from groundwire_confidence.reinforcement.milestones import MILESTONES, contributions


class Format(StrEnum):
    """How files are reported."""

    TEXT = "text"
    JSONL = "jsonl"


def milestones(
    paths: Paths,
    format: Annotated[Format, typer.Option(help="How to report.")] = Format.TEXT,  # noqa: A002
    base: Annotated[
        float | None, typer.Option(help="Confidence without any pattern; 0.5 to 0.707107.")
    ] = None,
    weight: Annotated[
        float | None, typer.Option(help="What a pattern adds when its entry says nothing; 0 to 1.")
    ] = None,
    category_bonus: Annotated[
        float | None, typer.Option(help="What each category beyond the first adds; 0 to 1.")
    ] = None,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Scan files for milestone patterns, each counted once per file.

    Files that are not text, links below a folder and groundwire's own headers are skipped.

    Examples:

        groundwire milestones docs

        groundwire milestones . --format jsonl --base 0.6
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
    skipped = 0
    hidden = format is Format.JSONL and sys.stdout.isatty()
    for item in with_progress(files, "scanning", hidden=hidden):
        scan = item if isinstance(item, Skipped) else scan_file(item, scanner, each, extra)
        if isinstance(scan, Skipped):
            tell(scan)
            skipped += 1
            continue
        scans.append(scan)
        typer.echo(_json(scan, base) if format is Format.JSONL else _line(scan, base))
    if format is Format.TEXT:
        typer.echo(_summary(scans, skipped))


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
