"""``--format github``: workflow commands that GitHub shows as annotations."""

from __future__ import annotations

from groundwire.model import Match
from groundwire.render.band import HIGH, MODERATE, SUPPRESSED, VERY_HIGH, band
from groundwire.render.place import Places
from groundwire.render.prose import one_line, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
