"""ShellCheck: ``^-- SC2086 (info): text``, its gcc and JSON forms; silent when all is well."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, is_number

_LEVELS = ("error", "warning", "info", "style")
_MARK = "-- SC"
_JSON = '[{"file":"'
_NO_JSON = "[]"
_BROKEN_ENDS = ("does not exist (No such file or directory)", "(Permission denied)")
_BROKEN = ("unrecognized option ", "Unknown format ", "No files specified")
_WIKI = "  https://www.shellcheck.net/wiki/SC"


def parse(output: str) -> Outcome | None:
    """Read the first finding of whatever level: each gives exit status 1."""
    lines = output.split("\n")
    for line in lines:
        if _is_finding(line) or line.startswith((_JSON, *_BROKEN)) or line.endswith(_BROKEN_ENDS):
            return Outcome(FAILED, line=brief(line))
    if lines[0] == _NO_JSON:
        return Outcome(PASSED, line=_NO_JSON)
    wiki = next((line for line in lines if line.startswith(_WIKI)), "")  # the end of the list
    return Outcome(FAILED, line=brief(wiki)) if wiki else None


def _is_finding(line: str) -> bool:
    """Tell whether ``line`` is "^-- SC2086 (info): text" or "a.sh:3:6: note: text [SC2086]"."""
    if line.endswith("]"):
        return is_number(line[:-1].rpartition(" [SC")[2])
    marker, _, rest = line.partition(" SC")
    code, _, level = rest.partition(" (")
    return (
        is_number(code)
        and level.partition(")")[0] in _LEVELS
        and not marker.strip().strip("^-")
        and "^" in marker
    )
