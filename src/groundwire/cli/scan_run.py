"""What ``groundwire scan`` does, without typer: an ordinary call starts as fast as it can."""

from __future__ import annotations

import os
import sys

from groundwire import find_matches
from groundwire.cli.flags import runtime_for
from groundwire.cli.sources import STDIN, read_text
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from groundwire.model import Analysis, Match
    from groundwire.service.runtime import Runtime

JSON, FULL, TEXT, SARIF, GITHUB = FORMATS = ("json", "full", "text", "sarif", "github")
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

    file: str = STDIN
    format: str = ""
    threshold: str | None = None
    verbose: bool = False
    offset_unit: str = CODEPOINT
    fail_on: str = NOTHING


def quick_scan(arguments: list[str]) -> int | None:
    """Scan when ``arguments`` are some ordinary options and a file; return the exit code.

    None leaves the rest to typer: what is wrong or rare, and the help.
    """
    wanted = read_options(arguments)
    if wanted is None:
        return None
    runtime = runtime_for(None, once=True)
    if wanted.threshold is not None:  # a flag is above all other settings
        settings = runtime.settings
        thresholds = settings.thresholds.replace(report=int(wanted.threshold))
        runtime = runtime.replace(settings=settings.replace(thresholds=thresholds))
    return run_scan(wanted, runtime)


def read_options(arguments: list[str]) -> Wanted | None:
    """Return the options that ``arguments`` name; None when not all of them are known and right."""
    found: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--verbose":
            found["verbose"] = True
        elif name in CHOICES:
            value = value if equals else next(words, "")
            if value not in CHOICES[name]:
                return None
            found[name[2:].replace("-", "_")] = value
        elif "file" in found or (word != STDIN and word.startswith("-")):
            return None
        else:
            found["file"] = word
    return Wanted(**found)


def run_scan(wanted: Wanted, runtime: Runtime) -> int:
    """Print the report of one text; return 1 for what ``fail_on`` names, else 0.

    Raises EventError when the text cannot be read.
    """
    text = text_of(wanted.file)
    if len(text) > _LONG_TEXT:
        from groundwire.service.collector import collect_rarely

        collect_rarely()
    form = wanted.format or (TEXT if sys.stdout.isatty() else JSON)
    if form == JSON and wanted.fail_on == NOTHING:
        print(_json_lines(text, wanted, runtime))  # noqa: T201
        return 0
    from groundwire.analysis import analyse
    from groundwire.service.text import reported

    analysis = analyse(text, runtime.scanner, runtime.settings)
    matches = reported(analysis, runtime.settings, _floor(wanted))
    print(_report(wanted, form, analysis, matches, runtime))  # noqa: T201
    return int(_fails(wanted.fail_on, analysis, runtime))


def text_of(name: str) -> str:
    """Return the text of a file or of standard input; a terminal is told what is waited for."""
    if name == STDIN and sys.stdin.isatty():
        print("groundwire: type or paste the text; Ctrl-D ends it", file=sys.stderr)  # noqa: T201
    return read_text(name)


def _floor(wanted: Wanted) -> int | None:
    return 0 if wanted.verbose else None


def _json_lines(text: str, wanted: Wanted, runtime: Runtime) -> str:
    found = find_matches(
        text, threshold=_floor(wanted), settings=runtime.settings, scanner=runtime.scanner
    )
    rows = [dict(match) for match in found]
    return _array(rows, text, wanted.offset_unit)


def _array(rows: list[dict[str, Any]], text: str, unit: str) -> str:
    """Return a JSON array with one match a line."""
    import json

    if unit == UTF16:
        from groundwire.render.match_json import utf16_offsets

        offsets = utf16_offsets(text, [row["offset"] for row in rows])
        rows = [{**row, "offset": offset} for row, offset in zip(rows, offsets, strict=True)]
    return "[" + ",\n ".join(map(json.dumps, rows)) + "]"


def _report(
    wanted: Wanted, form: str, analysis: Analysis, matches: list[Match], runtime: Runtime
) -> str:
    """Return the report in the form that was asked for."""
    name, text = wanted.file, analysis.text
    if form == TEXT:
        from groundwire.render.report_text import report_text

        hidden = len(analysis.matches) - len(matches)
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        return report_text(name, text, matches, hidden, colour=colour)
    if form == SARIF:
        from groundwire.render.sarif import sarif

        return sarif(name, text, matches, runtime.markers()).rstrip("\n")
    if form == GITHUB:
        from groundwire.render.github import github

        return github(name, text, matches)
    from groundwire.render.hook_json import match_fields
    from groundwire.render.match_json import full_fields

    fields = full_fields if form == FULL else match_fields
    return _array([fields(match) for match in matches], text, wanted.offset_unit)


def _fails(fail_on: str, analysis: Analysis, runtime: Runtime) -> bool:
    thresholds = runtime.settings.thresholds
    if fail_on == BLOCK:
        from groundwire.decision import blocking

        return bool(blocking(analysis.matches, thresholds))
    return fail_on == REPORT and any(m.confidence >= thresholds.report for m in analysis.matches)
