"""``--format gitlab``: the Code Quality report of GitLab, a subset of Code Climate's issues.

Keys and severities: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from groundwire.digest import digest
from groundwire.json_codec import dumps
from groundwire.render.band import HIGH, MODERATE, SUPPRESSED, VERY_HIGH, band
from groundwire.render.place import Places
from groundwire.render.prose import one_line, quote
from groundwire.render.sarif import STDIN_URI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.model import Match

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
