"""What ``groundwire scan`` does, without typer: an ordinary call starts as fast as it can."""

from __future__ import annotations

import os
import sys

from groundwire.base.budget import Watch
from groundwire.base.record import Record
from groundwire.commands.sources import STDIN, read_text
from groundwire.settings.runtime import load_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from groundwire.base.model import Analysis, Match
    from groundwire.settings.runtime import Runtime

JSON, FULL, TEXT, SARIF, GITHUB, GITLAB, JUNIT = FORMATS = (
    "json", "full", "text", "sarif", "github", "gitlab", "junit",
)  # fmt: skip
#: The report of ``groundwire explain``, of one text.
EXPLANATION = "explanation"
CODEPOINT, UTF16 = OFFSET_UNITS = ("codepoint", "utf16")
NOTHING, REPORT, BLOCK = FAIL_ON = ("nothing", "report", "block")

_LONG_TEXT = 100_000
#: Options with a value that ``quick_scan`` reads by itself, and the values it takes.
CHOICES = {
    "--format": FORMATS,
    "--threshold": tuple(map(str, range(101))),
    "--offset-unit": OFFSET_UNITS,
    "--fail-on": FAIL_ON,
}


class Wanted(Record):
    """The options of a scan; without ``format``, text on a terminal and else JSON."""

    files: tuple[str, ...] = ()
    format: str = ""
    threshold: str | None = None
    verbose: bool = False
    offset_unit: str = CODEPOINT
    fail_on: str = NOTHING
    baseline: str = ""
    docs_url: str = ""
    commit_message: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What is read, ``-`` for standard input."""
        return self.files or (STDIN,)


def quick_scan(arguments: list[str]) -> int | None:
    """Scan when ``arguments`` are some ordinary options and a file; return the exit code.

    None leaves the rest to typer: what is wrong or rare, and the help.
    """
    wanted = read_options(arguments)
    if wanted is None:
        return None
    runtime = load_runtime({}, once=True)
    for warning in runtime.warnings:
        print(f"groundwire: warning: {warning}", file=sys.stderr)  # noqa: T201
    if wanted.threshold is not None:  # a flag is above all other settings
        settings = runtime.settings
        thresholds = settings.thresholds.replace(report=int(wanted.threshold))
        runtime = runtime.replace(settings=settings.replace(thresholds=thresholds))
    return run_scan(wanted, runtime)


def read_options(arguments: list[str]) -> Wanted | None:
    """Return the options that ``arguments`` name; None when not all of them are known and right."""
    options: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--verbose":
            options["verbose"] = True
        elif name in CHOICES:
            value = value if equals else next(words, "")
            if value not in CHOICES[name]:
                return None
            options[name[2:].replace("-", "_")] = value
        elif word != STDIN and word.startswith("-"):
            return None
        else:
            options["files"] = (*options.get("files", ()), word)
    return Wanted(**options)


def run_scan(wanted: Wanted, runtime: Runtime) -> int:
    """Print the report of the texts; return 1 for what ``fail_on`` names in one of them, else 0.

    Raises EventError when a text cannot be read.
    """
    texts = [(name, _text(name, wanted)) for name in wanted.names]
    length = sum(len(text) for _, text in texts)
    if length <= _LONG_TEXT:
        report, failed = _report_and_failure(texts, wanted, runtime)
    else:
        from groundwire.base.process import collect_rarely
        from groundwire.commands.progress import at_work

        collect_rarely()
        with at_work(f"scanning {length:,} characters"):
            report, failed = _report_and_failure(texts, wanted, runtime)
    if report:
        print(report)  # noqa: T201
    return int(failed)


def _report_and_failure(
    texts: Sequence[tuple[str, str]], wanted: Wanted, runtime: Runtime
) -> tuple[str, bool]:
    """Return the report of the texts, and whether it holds what ``fail_on`` names."""
    form = wanted.format or (TEXT if sys.stdout.isatty() else JSON)
    from groundwire.runs.scan import reported

    fingerprints = _known_findings(wanted.baseline)
    reports = []
    failed = False
    for name, text in texts:
        analysis = _analysis(text, runtime)
        if fingerprints:
            from groundwire.runs.baseline import new_matches

            analysis = analysis.replace(matches=new_matches(text, analysis.matches, fingerprints))
        reports.append(
            (name, analysis, reported(analysis, runtime.settings, 0 if wanted.verbose else None))
        )
        failed |= _fails(wanted.fail_on, analysis, runtime)
    return _report(wanted, form, reports, runtime), failed


def _known_findings(baseline: str) -> frozenset[str]:
    if not baseline:
        return frozenset()
    from groundwire.runs.baseline import read_baseline

    return read_baseline(baseline)


def _text(name: str, wanted: Wanted) -> str:
    """Return the text of a file or of standard input; a terminal is told what is waited for."""
    if name == STDIN and sys.stdin.isatty():
        print("groundwire: type or paste the text; Ctrl-D ends it", file=sys.stderr)  # noqa: T201
    text = read_text(name)
    if not wanted.commit_message:
        return text
    from groundwire.language.markdown import without_comments

    return without_comments(text)


def _analysis(text: str, runtime: Runtime) -> Analysis:
    """Return all that is found in ``text``; standard error tells what was left out."""
    from groundwire.verdict.analysis import analyse
    from groundwire.verdict.evidence import Evidence

    watch = Watch(float("inf"), strict=True)
    analysis = analyse(text, runtime.scanner, runtime.settings, Evidence(watch=watch))
    tell(watch.notes)
    return analysis


def tell(notes: Iterable[str]) -> None:
    """Say on standard error what was left out."""
    for note in notes:
        print(f"groundwire: {note}", file=sys.stderr)  # noqa: T201


def _array(rows: list[dict[str, Any]], text: str, unit: str) -> str:
    """Return a JSON array with one match a line."""
    import json

    if unit == UTF16:
        from groundwire.report.json_output import utf16_offsets

        offsets = utf16_offsets(text, [row["offset"] for row in rows])
        rows = [{**row, "offset": offset} for row, offset in zip(rows, offsets, strict=True)]
    return "[" + ",\n ".join(map(json.dumps, rows)) + "]"


def _report(
    wanted: Wanted,
    form: str,
    reports: Sequence[tuple[str, Analysis, list[Match]]],
    runtime: Runtime,
) -> str:
    """Return the report in the form that was asked for."""
    if form == EXPLANATION:
        from groundwire.report.explain import explain

        return explain(reports[0][1], runtime.settings.thresholds)
    rows = [(name, analysis.text, matches) for name, analysis, matches in reports]
    if form == TEXT:
        from groundwire.report.text import report_text

        hidden = sum(len(analysis.matches) - len(matches) for _, analysis, matches in reports)
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        return report_text(rows, hidden, colour=colour)
    if form == SARIF:
        from groundwire.report.sarif import sarif

        return sarif(rows, wanted.docs_url).rstrip("\n")
    if form == GITHUB:
        from groundwire.report.ci import github

        return "\n".join(filter(None, (github(*file_row) for file_row in rows)))
    if form == GITLAB:
        from groundwire.report.ci import gitlab, gitlab_rows

        return gitlab(row for file_row in rows for row in gitlab_rows(*file_row))
    if form == JUNIT:
        from groundwire.report.ci import junit, junit_cases

        return junit((file_row[0], junit_cases(*file_row)) for file_row in rows)
    from groundwire.report.json_output import full_fields, match_fields

    fields = full_fields if form == FULL else match_fields
    if len(rows) == 1:
        [(_, text, matches)] = rows
        return _array([fields(match) for match in matches], text, wanted.offset_unit)
    arrays = (
        _array(
            [{**fields(match), "file": name} for match in matches], text, wanted.offset_unit
        ).strip("[]")
        for name, text, matches in rows
    )
    return "[" + ",\n ".join(filter(None, arrays)) + "]"


def _fails(fail_on: str, analysis: Analysis, runtime: Runtime) -> bool:
    thresholds = runtime.settings.thresholds
    if fail_on == BLOCK:
        from groundwire.verdict.decision import blocking

        return bool(blocking(analysis.matches, thresholds))
    return fail_on == REPORT and any(m.confidence >= thresholds.report for m in analysis.matches)
