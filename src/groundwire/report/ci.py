"""Formats of CI servers: JUnit XML, GitHub's annotations, GitLab's Code Quality report.

Keys and severities: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.json_codec import dumps
from groundwire.base.model import Match
from groundwire.report.prose import Places, one_line, quote
from groundwire.report.sarif import STDIN_URI
from groundwire.report.text import HIGH, MODERATE, STDIN_NAME, SUPPRESSED, VERY_HIGH, band

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_FAILURE = "<failure "
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))


def junit_cases(name: str, text: str, matches: Sequence[Match]) -> list[str]:
    """Return one failed test case for each match of a text; without any, one that passed."""
    places = Places(text)
    cases = []
    for match in matches:
        line, column = places.line_column(match.offset)
        failure = f"{quote(match.evidence)}: {match.kind} {match.confidence}"
        notes = [match.marker.note, match.verdict.why if match.verdict else ""]
        case = f"{line}:{column} {match.marker.id}"
        cases.append(case_of(name, case, failure, [one for one in notes if one], match.kind))
    return cases or [case_of(name, "no finding")]


def case_of(
    name: str, case: str, failure: str = "", more: Sequence[str] = (), kind: str = ""
) -> str:
    """Return one test case on one line; ``failure`` says in a line what failed."""
    head = f'<testcase classname="{escape(_suite_name(name))}" name="{escape(case)}"'
    if not failure:
        return f"{head}/>"
    lines = "&#10;".join(map(escape, more))
    element = f'{_FAILURE}type="{escape(kind)}" message="{escape(failure)}">{lines}</failure>'
    return f"{head}>{element}</testcase>"


def junit(suites: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return the whole document for test cases by the file they are of, without a line feed."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="groundwire">']
    for name, cases in suites:
        failed = sum(_FAILURE in case for case in cases)
        counts = f'tests="{len(cases)}" failures="{failed}" errors="0"'
        lines.append(f'<testsuite name="{escape(_suite_name(name))}" {counts}>')
        lines += [*cases, "</testsuite>"]
    return "\n".join([*lines, "</testsuites>"])


def _suite_name(name: str) -> str:
    return STDIN_NAME if name == "-" else name


def escape(text: str) -> str:
    """Return ``text`` on one line as the value of an attribute; no character that XML refuses."""
    text = one_line(text)
    for character, escaped in _ESCAPES:
        text = text.replace(character, escaped)
    return text


_COMMANDS = {VERY_HIGH: "error", HIGH: "warning", MODERATE: "notice", SUPPRESSED: "notice"}
#: What the runner reads as end of the command, by its own table; ``%`` first, it is the escape.
_DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY = (*_DATA, (":", "%3A"), (",", "%2C"))


def github(name: str, text: str, matches: Iterable[Match]) -> str:
    """Return one workflow command per match, one a line, without a final line feed.

    ``name`` is the file that ``text`` came from; for ``-`` the place stands in the message.
    Columns are code points from 1, the end column is the one behind the evidence.
    """
    places = Places(text)
    return "\n".join(_command(name, places, match) for match in matches)


def _command(name: str, places: Places, match: Match) -> str:
    label = band(match.confidence)
    properties: dict[str, str | int] = {}
    message = _message(match)
    if name == "-":
        line, column = places.line_column(match.offset)
        message = f"line {line}, column {column}: {message}"
    else:
        properties = {"file": name, **_region(places, match)}
    properties["title"] = f"{match.kind} {match.confidence} ({label})"
    listed = ",".join(f"{key}={escape_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMANDS[label]} {listed}::{escape_data(message)}"


def _region(places: Places, match: Match) -> dict[str, str | int]:
    line, column = places.line_column(match.offset)
    end_line, end_column = places.line_column(match.offset + len(match.evidence))
    if end_line != line:  # GitHub takes columns only for annotations within one line
        return {"line": line, "endLine": end_line}
    return {"line": line, "col": column, "endColumn": end_column}


def _message(match: Match) -> str:
    parts = [f"{quote(match.evidence)} [{match.marker.id}]"]
    if match.marker.note:
        parts.append(one_line(match.marker.note))
    if match.verdict is not None:
        why = one_line(match.verdict.why)
        parts.append(f"Verdict {match.verdict.status}" + (f": {why}" if why else "."))
    return "\n".join(parts)


def escape_data(text: str) -> str:
    """Escape the message of a workflow command."""
    return _escape(text, _DATA)


def escape_property(text: str) -> str:
    """Escape the value of a property of a workflow command."""
    return _escape(text, _PROPERTY)


def _escape(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for character, escaped in table:
        text = text.replace(character, escaped)
    return text


_SEVERITIES = {VERY_HIGH: "critical", HIGH: "major", MODERATE: "minor", SUPPRESSED: "info"}


def gitlab_rows(name: str, text: str, matches: Iterable[Match], turn: int = 0) -> list[str]:
    """Return one issue for each match, each as one line of JSON without a comma behind it.

    ``name`` is the file that ``text`` came from, or ``-``. With a ``turn``, ``text`` is the message
    of that turn of a transcript: then lines of it are none of the file, and the issue stands at 1.
    """
    places = Places(text)
    mark_counts: dict[str, int] = {}
    path = STDIN_URI if name == "-" else one_line(name).removeprefix("./")
    rows = []
    for match in matches:
        first = last = 1
        if not turn:
            first = places.line_column(match.offset)[0]
            last = places.line_column(match.offset + len(match.evidence))[0]
        sentence = one_line(text[slice(*match.sentence)])
        parts = (path, str(turn), match.kind, match.marker.id, match.evidence, sentence)
        mark = digest("\x1f".join(parts).encode("utf-8", "replace"))
        mark_counts[mark] = mark_counts.get(mark, 0) + 1
        rows.append(
            dumps(
                {
                    "type": "issue",
                    "check_name": match.marker.id,
                    "description": _description(match, turn),
                    "categories": ["Bug Risk"],
                    "severity": _SEVERITIES[band(match.confidence)],
                    "fingerprint": f"{mark}{mark_counts[mark]:x}",
                    "location": {"path": path, "lines": {"begin": first, "end": last}},
                }
            ).rstrip("\n")
        )
    return rows


def gitlab(rows: Iterable[str]) -> str:
    """Return the report of all rows, one a line, without a final line feed."""
    return "[" + ",\n ".join(rows) + "]"


def _description(match: Match, turn: int) -> str:
    parts = [f"turn {turn}:"] if turn else []
    parts.append(f"{quote(match.evidence)}: {match.kind}, {match.confidence} of 100.")
    if match.marker.note:
        parts.append(one_line(match.marker.note))
    if match.verdict is not None and match.verdict.why:
        parts.append(f"Verdict {match.verdict.status}: {one_line(match.verdict.why)}")
    return " ".join(parts)
