"""Score headers in text: where they go, how they are written, found, read and left out of scans.

Three styles: an HTML comment (Markdown, plain text), the same lines behind ``#`` (YAML), and three
lines behind ``#`` or ``//`` (code). Offsets are code points of the file's text.
"""

from __future__ import annotations

import re

from groundwire.base.errors import FileError
from groundwire_confidence.headers.front_matter import front_matter_span
from groundwire_confidence.headers.score import (
    Score,
    code_lines,
    header_problem,
    modifier_names,
    plain_lines,
)
from groundwire_confidence.reinforcement.ageing import read_date
from groundwire_confidence.reinforcement.milestones import milestone

HTML, HASH, SLASHES, YAML = "html", "#", "//", "yaml"
STYLES = {
    ".md": HTML,
    ".txt": HTML,
    ".yml": YAML,
    ".yaml": YAML,
    ".py": HASH,
    ".rb": HASH,
    ".sh": HASH,
    ".js": SLASHES,
    ".ts": SLASHES,
}

_END = r"(?:\r\n|\n|\r|\Z)"
_PLAIN_KEYS = ("CONFIDENCE SCORE:", "BASE:", "VALIDATION:", "V&V_INTEGRATION:", "FORMULA:")
_HTML_BLOCK = re.compile(
    rf"<!--[ \t]*(?:\r\n|\n|\r)[ \t]*CONFIDENCE SCORE:[^>]{{0,2000}}?-->[ \t]*{_END}"
)
_YAML_BLOCK = re.compile(
    "".join(rf"#[ \t]*{re.escape(key)}[^\r\n]*(?:\r\n|\n|\r)" for key in _PLAIN_KEYS)
    + rf"#[ \t]*LAST_UPDATED:[^\r\n]*{_END}"
)
_CODE_BLOCK = re.compile(
    r"(?P<mark>#|//) CONFIDENCE: [^\r\n]*(?:\r\n|\n|\r)"
    r"(?P=mark) V&V_INTEGRATION: [^\r\n]*(?:\r\n|\n|\r)"
    rf"(?P=mark) MILESTONE: [^\r\n]*{_END}"
)
_BLOCKS = {HTML: _HTML_BLOCK, YAML: _YAML_BLOCK, HASH: _CODE_BLOCK, SLASHES: _CODE_BLOCK}
_FIELD = re.compile(r"([A-Z&_][A-Z&_ ]*): ([^|\r\n]*)")
_BLANK = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_LINE = re.compile(rf"[^\r\n]*{_END}")
#: Comments that must stay in front: interpreter, encoding, Ruby's magic comments, directives of
#: YAML and of JavaScript's tools. A comment on the first function stays with it.
_LEADING = {
    HASH: re.compile(
        r"(?:#!|#[^\r\n]*coding[:=]|#\s*(?:-\*-\s*)?"
        rf"(?:frozen_string_literal|warn_indent|shareable_constant_value)\s*:)[^\r\n]*{_END}"
    ),
    SLASHES: re.compile(
        rf"(?:#!|//\s*@)[^\r\n]*{_END}"
        r"|/\*(?:(?!\*/)[\s\S])*?@(?:jest-|flow|noflow|format|prettier|jsx|license|preserve)"
        rf"(?:(?!\*/)[\s\S])*\*/[ \t]*{_END}"
    ),
    YAML: re.compile(rf"(?:%[^\r\n]*|---[ \t]*){_END}"),
}


def render(style: str, score: Score, updated: str, line_end: str) -> str:
    """Return the header of one style, closed by a line end."""
    if style in (HASH, SLASHES):
        lines = [f"{style} {line}" for line in code_lines(score)]
    elif style == YAML:
        lines = [f"# {line}" for line in plain_lines(score, updated)]
    else:
        lines = ["<!--", *(f"  {line}" for line in plain_lines(score, updated)), "-->"]
    return "".join(line + line_end for line in lines)


def place(text: str, style: str) -> int:
    """Return where a header belongs: behind everything that must come first."""
    if style == HTML:
        span = front_matter_span(text)
        return span[1] if span else 0
    at = 0
    leading = _LEADING[style]
    while at < len(text) and (found := leading.match(text, at)) and found.end() > at:
        at = found.end()
    return at


def find_header(text: str, style: str) -> tuple[int, int] | None:
    """Return the span of the header at its place, or at the very top; blank lines may precede it.

    A header that is quoted further down is content.
    """
    for start in (place(text, style), 0):
        blank = _BLANK.match(text, start)
        found = _BLOCKS[style].match(text, blank.end() if blank else start)
        if found:
            return found.span()
    return None


def with_header(text: str, style: str, score: Score, updated: str, line_end: str) -> str:
    """Return ``text`` with the header of ``score``, in place of the one that it had.

    When nothing but the date would change, the text stays as it is.
    """
    span = find_header(text, style)
    if span is None:
        at = place(text, style)
        before = text[:at] + (line_end if at and text[at - 1] not in "\r\n" else "")
        return before + render(style, score, updated, line_end) + text[at:]
    old = text[slice(*span)]
    without = text[: span[0]] + text[span[1] :]
    same_day = header_fields(old).get("LAST_UPDATED", updated)
    unchanged = _stripped(render(style, score, same_day, line_end)) == _stripped(old)
    if span[0] < place(without, style):  # it stands in front of what must come first
        day = same_day if unchanged else updated
        return with_header(without, style, score, day, line_end)
    if unchanged:
        return text
    new = render(style, score, updated, line_end)
    if not old.endswith(("\r", "\n")):
        new = new.removesuffix(line_end)
    return text[: span[0]] + new + text[span[1] :]


def _stripped(block: str) -> list[str]:
    return [line.strip() for line in block.splitlines()]


def header_fields(block: str) -> dict[str, str]:
    """Return the fields of a header by the keys that it prints."""
    return {key.strip(): value.strip() for key, value in _FIELD.findall(block)}


def check_header(text: str, style: str) -> str:
    """Return what is wrong with the header of a text, or "" when it is there and in order."""
    span = find_header(text, style)
    if span is None:
        return "has no score header"
    if span[0] < place(text[: span[0]] + text[span[1] :], style):
        return "has its score header in front of what must come first"
    fields = header_fields(text[slice(*span)])
    try:
        return _code_problem(fields) if style in (HASH, SLASHES) else _plain_problem(fields)
    except KeyError as error:
        return f"score header has no {error.args[0]}"
    except (ValueError, FileError) as error:
        return f"score header: {error}"


def _plain_problem(fields: dict[str, str]) -> str:
    names = {"score": "CONFIDENCE SCORE", "base": "BASE"}
    names.update(evidence="EVIDENCE", observation="OBSERVATION", **modifier_names())
    numbers = {name: _number(key, fields[key]) for name, key in names.items()}
    read_date("LAST_UPDATED", fields["LAST_UPDATED"])
    milestone(fields["MILESTONE"])
    return header_problem(numbers)


def _code_problem(fields: dict[str, str]) -> str:
    for key in ("CONFIDENCE", "V&V_INTEGRATION"):
        _number(key, fields[key].partition(" ")[0])
    milestone(fields["MILESTONE"])
    return ""


def _number(key: str, text: str) -> float:
    if not re.fullmatch(r"[+-]?\d+(\.\d+)?", text, re.ASCII):
        raise FileError(f"{key}: value {text!r:.40}: allowed: a number such as +0.05")
    return float(text)


def without_headers(text: str) -> str:
    """Return ``text`` with every score header blanked, line ends kept.

    For scans: a header holds patterns itself, so writing one would raise the next score.
    """
    for block in (_HTML_BLOCK, _YAML_BLOCK, _CODE_BLOCK):
        text = block.sub(lambda match: "".join(c for c in match[0] if c in "\r\n"), text)
    return text
