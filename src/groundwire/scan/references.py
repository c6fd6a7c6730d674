"""References of a message: paths, lines, commits, commands and pasted output.

They often stand in inline code, which the mask covers, so the original text is read; the mask only
tells code and quotes from prose.
"""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.cited import (
    find_quotes,
    introduced_block,
    introduces_run,
    ran_after_edit,
    says_clean,
    says_it_ran,
)
from groundwire.scan.cited_rows import fenced_command
from groundwire.scan.commits import is_hash, named_commits
from groundwire.scan.edit_reports import find_edit_reports
from groundwire.scan.fences import split_lines
from groundwire.scan.paths import Spot, find_paths
from groundwire.scan.reference_words import (
    BARE_FILES,
    COMMANDS,
    OPEN_LANGUAGES,
    OUTPUT_LANGUAGES,
    OUTPUT_SIGNS,
    SOLE_COMMANDS,
)
from groundwire.text.mask import FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    _Span = tuple[int, int]

PATH = "path"
COMMIT = "commit"
HASH = "hash"  # in inline code, and not said to be a commit
COMMAND = "command"
OUTPUT = "output"
EDIT = "edit"  # a file that is said to have been edited, from the verb on
FENCED = "fenced"  # a fence that opens with a command
RERUN = "rerun"  # a command that is said to have been run after an edit
STATUS = "status"  # a `git status` that is said to be clean
QUOTE = "quote"  # a text that is presented as what a command printed

_LONGEST_CODE = 300
_STATUS = "git status"
_MARKERS = {
    PATH: "reference.path-line",
    COMMIT: "reference.commit",
    COMMAND: "reference.command",
    RERUN: "reference.rerun",
    QUOTE: "reference.quote",
    STATUS: "reference.status-clean",
    EDIT: "behavior.edit.not-made",
}


class Reference(Record):
    """Something outside the message that it names, at ``start:end`` of the original.

    ``path`` is the path, hash, command or quoted text as written, empty for output; ``line`` and
    ``end_line`` are 0 where none is given. ``claimed`` tells of a command that it is said to have
    been run, and of an edit that the writer says "I".
    """

    start: int
    end: int
    kind: str
    path: str = ""
    line: int = 0
    end_line: int = 0
    has_extension: bool = False
    claimed: bool = False

    @property
    def locates(self) -> bool:
        """Whether a reader can look it up: a file with extension or line, or pasted output."""
        return self.kind == OUTPUT or (self.kind == PATH and (self.line > 0 or self.has_extension))


def find_references(original: str, masked: str) -> list[Reference]:
    """Return the references of a message by position; ``masked`` is the masked ``original``.

    Those of one kind do not overlap; a path inside a command is both. Linear.
    """
    lines, fences = split_lines(original, masked)
    found = [one for fence in fences for one in _output(original, *fence)]
    for line in lines:
        spots = find_paths(original, *line)
        found.extend(map(_path, spots))
        found.extend(
            Reference(begin, end, EDIT, path, claimed=own)
            for begin, end, path, own in find_edit_reports(original, masked, *line, spots)
        )
        found.extend(_in_code(original, masked, line))
        found.extend(
            Reference(begin, end, COMMIT, original[begin:end])
            for begin, end in named_commits(original, *line)
        )
        found.extend(_quote(original, *spot) for spot in find_quotes(original, *line))
    found.extend(_introduced(original, found))
    found = [one for one in found if one.kind != FENCED]
    found.sort(key=lambda one: (one.start, -one.end, one.kind))
    return _without_overlaps(found)


def find_locations(original: str, masked: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return where the references begin that ``locates`` holds of, ascending.

    Prose is read only in lines that touch one of the ``spans``, ascending stretches of the message.
    """
    lines, fences = split_lines(original, masked)
    found = [one for fence in fences for one in _output(original, *fence)]
    for line in _touching(lines, spans):
        found.extend(_path(spot) for spot in find_paths(original, *line))
    found.sort(key=lambda one: (one.start, -one.end, one.kind))
    return [one.start for one in _without_overlaps(found) if one.locates]


def reference_candidates(references: Iterable[Reference]) -> Iterator[tuple[str, Reference]]:
    """Yield the marker id and the reference of what a message cites as known.

    That is a line, a commit, a command said to have been run, a quotation or an edit.
    """
    for one in references:
        cited = one.kind in (COMMIT, QUOTE, EDIT, RERUN, STATUS) or one.claimed
        if cited or (one.kind == PATH and one.line > 0):
            yield _MARKERS[one.kind], one


def _touching(lines: list[_Span], spans: Iterable[tuple[int, int]]) -> list[_Span]:
    kept: list[_Span] = []
    at = 0
    for start, end in spans:
        while at < len(lines) and lines[at][1] < start:
            at += 1
        while at < len(lines) and lines[at][0] < end:
            kept.append(lines[at])
            at += 1
    return kept


def _quote(original: str, start: int, end: int) -> Reference:
    return Reference(start, end, QUOTE, original[start + 1 : end - 1].strip("`"))


def _introduced(original: str, found: list[Reference]) -> list[Reference]:
    """Return the fences that a line before them presents as printed; that line is cited."""
    quotes = []
    for one in found:
        if one.kind == FENCED:
            quotes.extend(_fenced_run(original, one))
        spot = introduced_block(original, one.start) if one.kind == OUTPUT else None
        if spot is not None:
            quotes.append(Reference(*spot, QUOTE, original[one.start : one.end]))
    return quotes


def _fenced_run(original: str, fence: Reference) -> list[Reference]:
    """Return the command of a fence whose line before says that it was run; that line is cited."""
    spot = introduces_run(original, fence.start)
    if spot is None:
        return []
    run = Reference(*spot, COMMAND, fence.path, claimed=True)
    return [run, run.replace(kind=RERUN)] if ran_after_edit(original, spot[1]) else [run]


def _path(spot: Spot) -> Reference:
    return Reference(
        spot.start, spot.end, PATH, spot.path, spot.line, spot.end_line, spot.has_extension
    )


def _output(original: str, start: int, end: int, language: str) -> list[Reference]:
    """Return the fence at ``start:end`` when it holds what a tool printed, or opens as a run."""
    name = language.split(" ", maxsplit=1)[0]
    opens = not name or name in OPEN_LANGUAGES
    command = fenced_command(original[start : min(end, start + _LONGEST_CODE)])
    if (opens or name in OUTPUT_LANGUAGES) and _is_command(command):
        found = [Reference(start, end, FENCED, command)]
    else:
        found = []
    if name in OUTPUT_LANGUAGES or (
        opens and any(original.find(sign, start, end) >= 0 for sign in OUTPUT_SIGNS)
    ):
        found.append(Reference(start, end, OUTPUT))
    return found


def _in_code(original: str, masked: str, line: _Span) -> list[Reference]:
    """Return the hashes, commands and bare file names that are a whole stretch of inline code."""
    found = []
    start, end = line
    at = original.find("`", start, end)
    while at >= 0:
        width = 1
        while original[at + width : at + width + 1] == "`":
            width += 1
        begin = at + width
        close = -1
        if masked[at] == FILLER:
            close = original.find("`" * width, begin, min(end, begin + _LONGEST_CODE))
        if close > begin:
            for one in _code(original[begin:close], begin):
                claimed = one.kind == COMMAND and says_it_ran(original, at, close + width)
                found.append(one.replace(claimed=True) if claimed else one)
                if claimed and ran_after_edit(original, at):
                    found.append(one.replace(kind=RERUN, start=at, end=close + width))
            if original.startswith(_STATUS, begin) and says_clean(original, at, close + width):
                found.append(Reference(at, close + width, STATUS, original[begin:close]))
            begin = close + width
        at = original.find("`", begin, end)
    return found


def _code(code: str, start: int) -> list[Reference]:
    start += len(code) - len(code.lstrip())
    code = code.strip()
    if code.startswith("$ "):
        start, code = start + 2, code[2:]
    if is_hash(code):
        return [Reference(start, start + len(code), HASH, code)]
    if code in BARE_FILES:
        return [Reference(start, start + len(code), PATH, code)]
    if _is_command(code):
        return [Reference(start, start + len(code), COMMAND, code)]
    return []


def _is_command(code: str) -> bool:
    first, _, rest = code.partition(" ")
    return first in SOLE_COMMANDS or (first in COMMANDS and bool(rest.strip()))


def _without_overlaps(found: list[Reference]) -> list[Reference]:
    ends: dict[str, int] = {}
    kept = []
    commits = {one.start for one in found if one.kind == COMMIT}
    for one in found:
        if one.kind == HASH and one.start in commits:
            continue
        if one.start >= ends.get(one.kind, 0):
            ends[one.kind] = one.end
            kept.append(one)
    return kept
