"""``--format junit``: JUnit XML as CI servers read it (Jenkins' ``junit-10.xsd``)."""

from __future__ import annotations

from groundwire.render.place import Places
from groundwire.render.prose import one_line, quote
from groundwire.render.report_text import STDIN_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundwire.model import Match

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
