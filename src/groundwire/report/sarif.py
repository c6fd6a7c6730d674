"""``--format sarif``: SARIF 2.1.0, the format that code scanning services read.

Offsets and columns are UTF-16 code units and ``columnKind`` says so: it is what most consumers
count in, those that ignore ``columnKind`` among them. The offset in code points, groundwire's
own, stands in the properties of a result.
"""

from __future__ import annotations

import os

from groundwire.base.digest import digest
from groundwire.base.json_codec import dumps
from groundwire.base.model import Marker, Match
from groundwire.base.rules import shipped_rules
from groundwire.base.version import __version__
from groundwire.report.json_output import utf16_offsets
from groundwire.report.prose import Places, one_line, quote
from groundwire.report.text import HIGH, MODERATE, SUPPRESSED, VERY_HIGH, band

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Report = tuple[str, str, Sequence[Match]]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
STDIN_URI = "stdin"
_MARKUP = frozenset("\\`*_<>|#[]~")
#: The help of a rule, for its note and id.
_HELP = (
    '{0} "groundwire patterns show {1}" has its words and examples; "{1}" = false below [markers] '
    "in .groundwire.toml switches it off."
)
#: Version of what the fingerprint is made of; a change of its parts needs a new name.
FINGERPRINT = "groundwireStatement/v1"
#: ``kind`` and ``level`` of a result. Below the report threshold nothing is claimed to be wrong.
_LEVELS = {
    VERY_HIGH: ("fail", "error"),
    HIGH: ("fail", "warning"),
    MODERATE: ("fail", "note"),
    SUPPRESSED: ("informational", "none"),
}
_URI_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


def sarif(reports: Iterable[Report], docs_url: str = "") -> str:
    """Return the SARIF log of ``(name, text, matches)`` as one line of JSON; see ``sarif_log``."""
    return dumps(sarif_log(reports, docs_url))


def sarif_log(reports: Iterable[Report], docs_url: str = "") -> dict[str, Any]:
    """Return one SARIF log with one run over several ``(name, text, matches)``.

    ``name`` is the file that ``text`` came from, or ``-``. The markers of the matches are its
    rules. ``docs_url`` is the address of the built pages, where ``helpUri`` of a rule then points;
    without it, to the help of the rule in the log itself (SARIF 2.1.0, section 3.10.3).
    """
    reports = list(reports)
    declared = {one.marker.id: one.marker for _, _, matches in reports for one in matches}
    positions = {marker_id: number for number, marker_id in enumerate(declared)}
    driver = {
        "name": "groundwire",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(*row, docs_url) for row in enumerate(declared.values())],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\n"],
        "results": [result for report in reports for result in _results(report, positions)],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(number: int, marker: Marker, docs_url: str) -> dict[str, Any]:
    title = marker.kind.replace("_", " ").capitalize()
    note = one_line(marker.note) or f"{title}."
    properties = {"kind": marker.kind, "strength": marker.strength, "claim": marker.claim}
    page = f"{docs_url.rstrip('/')}/{marker_page(marker)}"
    return {
        "id": marker.id,
        "shortDescription": {"text": f"{title}: {marker.id}"},
        "fullDescription": {"text": _unlinked(note)},
        "help": {"text": _unlinked(_HELP.format(note, marker.id)), "markdown": _help(note, marker)},
        "helpUri": page if docs_url else f"sarif:/runs/0/tool/driver/rules/{number}/help",
        "properties": {**{key: value for key, value in properties.items() if value}},
    }


def _help(note: str, marker: Marker) -> str:
    """Return what code scanning shows beside a finding; GitHub shows this and no ``helpUri``."""
    shown = "".join(f"\\{sign}" if sign in _MARKUP else sign for sign in note)
    return f"""\
{shown}

- its words and examples: `groundwire patterns show {marker.id}`
- to switch off the marker, in `.groundwire.toml`:

```toml
[markers]
"{marker.id}" = false
```
"""


def marker_page(marker: Marker) -> str:
    """Return the page of a marker in the built site; one of an own pack has that of its kind."""
    if shipped_rules().row_of(marker.id) is None:
        return f"kinds/{marker.kind}.html"
    return f"markers/{uri(marker.id)}.html"


def _results(report: Report, positions: dict[str, int]) -> list[dict[str, Any]]:
    name, text, matches = report
    regions = _regions(text, matches)
    artifact = {"uri": uri(name)}
    mark_counts: dict[str, int] = {}
    results = []
    for match, region in zip(matches, regions, strict=True):
        label = band(match.confidence)
        kind, level = _LEVELS[label]
        mark = _fingerprint(text, match)
        mark_counts[mark] = mark_counts.get(mark, 0) + 1
        results.append(
            {
                "ruleId": match.marker.id,
                "ruleIndex": positions[match.marker.id],
                "kind": kind,
                "level": level,
                "rank": match.confidence,
                "message": {"text": _message(match, label)},
                "locations": [
                    {"physicalLocation": {"artifactLocation": artifact, "region": region}}
                ],
                "partialFingerprints": {FINGERPRINT: f"{mark}:{mark_counts[mark]}"},
                "properties": {
                    "kind": match.kind,
                    "confidence": match.confidence,
                    "band": label,
                    "offset": match.offset,
                },
            }
        )
    return results


def _regions(text: str, matches: Sequence[Match]) -> list[dict[str, Any]]:
    places = Places(text)
    points: list[int] = []
    for match in matches:
        start, end = match.offset, match.offset + len(match.evidence)
        points += (start, end, places.line_start(start), places.line_start(end))
    units = utf16_offsets(text, points)
    regions = []
    for number, match in enumerate(matches):
        start, end, start_line, end_line = units[4 * number : 4 * number + 4]
        regions.append(
            {
                "startLine": places.line_column(match.offset)[0],
                "startColumn": start - start_line + 1,
                "endLine": places.line_column(match.offset + len(match.evidence))[0],
                "endColumn": end - end_line + 1,
                "charOffset": start,
                "charLength": end - start,
                "snippet": {"text": _well_formed(match.evidence)},
            }
        )
    return regions


def _message(match: Match, label: str) -> str:
    parts = [f"{quote(match.evidence)}: {match.kind}, {match.confidence} of 100 ({label})."]
    if match.marker.note:
        parts.append(one_line(match.marker.note))
    if match.verdict is not None:
        why = one_line(match.verdict.why)
        parts.append(f"Verdict {match.verdict.status}" + (f": {why}" if why else "."))
    return _unlinked(" ".join(parts))


def _unlinked(text: str) -> str:
    """Keep ``[x](y)`` in a message from becoming a link (SARIF 2.1.0, section 3.11.6)."""
    if "](" not in text:
        return text
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _well_formed(text: str) -> str:
    """Replace halves of surrogate pairs, which strict JSON readers refuse."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _fingerprint(text: str, match: Match) -> str:
    """Hash what the statement says, not where: it survives edits above and new line breaks."""
    sentence = text[slice(*match.sentence)]
    parts = (match.kind, match.marker.id, match.evidence, sentence)
    return digest("\x1f".join(one_line(part) for part in parts).encode())


def uri(name: str) -> str:
    """Return the URI reference of a file name: relative stays relative, ``-`` becomes a name."""
    if name == "-":
        return STDIN_URI
    path = name.replace("\\", "/") if _is_windows() else name
    raw = path.encode("utf-8", "surrogateescape")
    quoted = "".join(chr(byte) if byte in _URI_PLAIN else f"%{byte:02X}" for byte in raw)
    if path.startswith("/"):
        return f"file://{quoted}"
    return f"file:///{quoted}" if path[1:3] == ":/" and _is_windows() else quoted


def _is_windows() -> bool:
    return os.name == "nt"
