"""Front matter, and the ``data_metadata`` that data files carry in it (R004-17).

Only what the requirement asks for is read: one mapping of plain values, a key a line. Everything
else in the front matter, its comments and its order stay as they are.
"""

from __future__ import annotations

import re

from groundwire.base.errors import ConfidenceError, FileError
from groundwire.base.record import Record
from groundwire_confidence.reinforcement.ageing import Date, next_review, read_date, show_date

KEYS = ("created", "validated", "next_review", "confidence", "reviewed_by")
REVIEWER = "human_agent"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
#: Front matter with both its edges.
_MATTER = re.compile(
    r"---[ \t]*+(?>\r\n|\n|\r)(?:[^\r\n]*+(?>\r\n|\n|\r))*?(?:---|\.\.\.)[ \t]*+(?:\r\n|\n|\r|\Z)"
)
#: Comments, directives and edges in front of the first content of YAML.
_PREAMBLE = re.compile(r"(?:[ \t]*+(?:---[ \t]*+|[#%][^\r\n]*+)?+(?:\r\n|\n|\r|\Z))*+")
#: The possessive quantifiers (``*+``) keep each of these linear in its line.
_BLOCK = re.compile(r"data_metadata[ \t]*+:[ \t]*+(?:#[^\r\n]*+)?+\s*+\Z")
_KEY = re.compile(
    r"(?<![^\r\n])(?:[A-Za-z_][^\r\n:#]*+|(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+')[ \t]*+):(?:[ \t\r\n]|\Z)"
)
_OTHER = re.compile(r"data_metadata[ \t]*:")
_ENTRY = re.compile(
    r"\A([ \t]++)([A-Za-z_][\w-]*)[ \t]*:"
    r"(?:[ \t]+(\"[^\"]*+\"|'[^']*+'|(?:[^ \t#]|(?<![ \t])#|[ \t]++(?=[^ \t#]))*+))?"
    r"[ \t]*(?:[ \t]#.*)?\Z"
)


class Metadata(Record):
    """The ``data_metadata`` of a text: its values by key, and the span of its lines."""

    values: dict[str, str]
    start: int
    end: int
    indent: str


def front_matter_span(text: str) -> tuple[int, int] | None:
    """Return the span of the front matter with both its edges; None when there is none."""
    found = _MATTER.match(text)
    return found.span() if found else None


def metadata_of(text: str, region: tuple[int, int]) -> Metadata | None:
    """Return the metadata inside ``text[region]``; None when there is none.

    Raises FileError naming the line that cannot be read.
    """
    metadata = None
    at = region[0]
    while at < region[1]:
        line_end = _line_end(text, at)
        if _BLOCK.match(text[at:line_end].rstrip("\r\n")):
            if metadata:
                raise FileError(f"line {_number(text, at)}: data_metadata stands there twice")
            metadata = _read(text, at, line_end, region[1])
            line_end = metadata.end
        elif _OTHER.match(text, at):
            place = f"line {_number(text, at)}: data_metadata"
            raise FileError(f"{place}: allowed: one key and value a line below it")
        at = line_end
    return metadata


def _read(text: str, start: int, at: int, end: int) -> Metadata:
    values: dict[str, str] = {}
    indent, last = "", at
    while at < end:
        line_end = _line_end(text, at)
        line = text[at:line_end].rstrip("\r\n")
        if line.strip() and not line.lstrip().startswith("#"):
            if not line[0].isspace():
                break
            entry = _ENTRY.match(line)
            if not entry or (indent and entry[1] != indent) or entry[2] in values:
                raise FileError(f"line {_number(text, at)}: allowed: one key and value a line")
            indent = entry[1]
            values[entry[2]] = _plain(entry[3] or "")
            last = line_end
        at = line_end
    return Metadata(values, start, last, indent or "  ")


def _plain(value: str) -> str:
    """Return a scalar without the quotes around it."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def metadata_problems(values: dict[str, str], today: Date) -> list[str]:
    """Return what is wrong with the values of ``data_metadata``; [] when they are in order."""
    problems = [f"{key} is missing" for key in KEYS if not values.get(key)]
    days: dict[str, Date] = {}
    for key in ("created", "validated", "next_review"):
        if values.get(key):
            try:
                days[key] = read_date(key, values[key])
            except ConfidenceError as error:
                problems.append(str(error))
    if len(days) == 3:
        if not days["created"] <= days["validated"] <= days["next_review"]:
            problems.append("allowed: created <= validated <= next_review")
        if days["validated"] > today:
            problems.append(f"validated: value {values['validated']}: lies in the future")
    if values.get("confidence") and not re.fullmatch(r"1(\.0+)?", values["confidence"]):
        problems.append(f"confidence: value {values['confidence']!r:.40}: allowed: 1.0")
    if values.get("reviewed_by") and values["reviewed_by"] != REVIEWER:
        problems.append(f"reviewed_by: value {values['reviewed_by']!r:.40}: allowed: {REVIEWER}")
    return problems


def validated_values(created: str, validated: Date) -> dict[str, str]:
    """Return the values of data that a person validated on a day; ``created`` may be ""."""
    day = show_date(validated)
    return {
        "created": created or day,
        "validated": day,
        "next_review": show_date(next_review(validated)),
        "confidence": "1.0",
        "reviewed_by": REVIEWER,
    }


def created_values(created: Date) -> dict[str, str]:
    """Return the values of data that is new; who validated it is to be added by a person."""
    day, review = show_date(created), show_date(next_review(created))
    return {"created": day, "next_review": review, "confidence": "1.0"}


def with_metadata(text: str, values: dict[str, str], line_end: str, *, whole: bool) -> str:
    """Return ``text`` with ``data_metadata`` holding ``values``; other keys of it stay.

    ``whole`` treats the text itself as the mapping (YAML); otherwise the block is put into the
    front matter, which is made when there is none. Raises FileError for metadata it cannot read.
    """
    span = (0, len(text)) if whole else front_matter_span(text)
    metadata = metadata_of(text, span) if span else None
    block = _block(values, metadata, text, line_end)
    if metadata:
        return text[: metadata.start] + block + text[metadata.end :]
    if span is None:
        return f"---{line_end}{block}---{line_end}{text}"
    # Front matter ends with an edge of three characters.
    at = _first_content(text) if whole else len(text[: span[1]].rstrip()) - 3
    return text[:at] + block + text[at:]


def _block(values: dict[str, str], metadata: Metadata | None, text: str, line_end: str) -> str:
    """Return the lines of the metadata; lines that say the same already stay as they are."""
    if metadata is None:
        lines = [f"  {key}: {value}" for key, value in values.items()]
        return line_end.join(["data_metadata:", *lines, ""])
    left = dict(values)
    block = []
    at = metadata.start
    while at < metadata.end:
        end = _line_end(text, at)
        line = text[at:end]
        entry = _ENTRY.match(line.rstrip("\r\n"))
        if entry and entry[2] in left:
            value = left.pop(entry[2])
            if _plain(entry[3] or "") != value:
                end_of_line = line[len(line.rstrip("\r\n")) :]
                line = f"{entry[1]}{entry[2]}: {value}{end_of_line}"
        block.append(line)
        at = end
    if left and block and not block[-1].endswith(("\r", "\n")):
        block[-1] += line_end
    block += [f"{metadata.indent}{key}: {value}{line_end}" for key, value in left.items()]
    return "".join(block)


def _first_content(text: str) -> int:
    """Return where the first line of YAML that is no comment, directive or edge begins."""
    preamble = _PREAMBLE.match(text)
    return preamble.end() if preamble else 0


def is_mapping(text: str) -> bool:
    """Tell whether YAML is a mapping in block style, by its first line of content."""
    return bool(_KEY.match(text, _first_content(text)))


def _line_end(text: str, at: int) -> int:
    found = _LINE.match(text, at)
    return found.end() if found else len(text)


def _number(text: str, at: int) -> int:
    return len(text[:at].splitlines()) + 1
