"""References of a message: paths, lines, commits, commands and pasted output.

They often stand in inline code, which the mask covers, so the original text is read; the mask only
tells code and quotes from prose.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.base.rules import lists
from groundwire.base.rules.lists import COMMIT_FILLERS, PAST_COMMITS
from groundwire.language.markdown import FILLER
from groundwire.language.paths import Spot, find_paths
from groundwire.language.words import word_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    _Span = tuple[int, int]
    _Fence = tuple[int, int, str]


_COMMIT_WORDS = ("commit", "sha", "revision", "changeset", "hash", "head", "reverted", "pushed")
_HEX = frozenset("0123456789abcdef")
_SHORTEST_HASH, _LONGEST_HASH = 7, 40


def named_commits(original: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where hashes follow a word such as "commit" in the line ``original[start:end]``.

    "The previous commit abc1234" was there before the turn: it is none of what the turn tells.
    """
    line = original[start:end].replace("\u0130", "i").lower()
    spans = []
    for word in _COMMIT_WORDS:
        at = line.find(word)
        while at >= 0:
            is_past = word_before(line, at)[0] in PAST_COMMITS
            at += len(word)
            for first, last in _tokens(line, at, 4):
                token = line[first:last]
                if is_hash(token) and not is_past:
                    spans.append((start + first, start + last))
                if token not in COMMIT_FILLERS:
                    break
            at = line.find(word, at)
    return spans


def _tokens(text: str, at: int, count: int) -> list[tuple[int, int]]:
    """Return up to ``count`` runs of letters and digits from ``at`` on, near each other."""
    spans: list[tuple[int, int]] = []
    for _ in range(count):
        limit = min(len(text), at + 4)
        while at < limit and not text[at].isalnum():
            if text[at] in ".;!?#\n":
                return spans
            at += 1
        end = at
        while end < min(len(text), at + _LONGEST_HASH + 1) and text[end].isalnum():
            end += 1
        if end == at or text[end : end + 1] in ("-", "_", "/"):
            break
        spans.append((at, end))
        at = end
    return spans


def is_hash(word: str) -> bool:
    """Tell whether ``word`` can be a commit: 7 to 40 hex digits, with a digit and a letter."""
    if not _SHORTEST_HASH <= len(word) <= _LONGEST_HASH or not _HEX.issuperset(word):
        return False
    return not word.isdigit() and not word.isalpha()


_BLANK = FILLER + " \t\r"


def split_lines(original: str, masked: str) -> tuple[list[_Span], list[_Fence]]:
    """Return the spans of the lines of prose, and start, end and language of the fences.

    ``masked`` is the masked ``original``. A fence that is not closed goes on to the end. Linear.
    """
    prose: list[_Span] = []
    fences: list[_Fence] = []
    fence = ""
    opened_at, language = 0, ""
    start = 0
    while start < len(original):
        end = original.find("\n", start)
        end = len(original) if end < 0 else end
        covered = original[start] != "`" and not masked[start:end].strip(_BLANK)
        line = original[start:end].strip()
        if fence:
            if line.startswith(fence) and not line.strip(fence[0]):
                fences.append((opened_at, end, language))
                fence = ""
        elif _opens_fence(line, masked[start:end]):
            fence = line[: len(line) - len(line.lstrip(line[0]))]
            opened_at, language = start, line[len(fence) :].strip().lower()
        elif not covered:
            prose.append((start, end))
        start = end + 1
    if fence:
        fences.append((opened_at, len(original), language))
    return prose, fences


def _opens_fence(line: str, masked: str) -> bool:
    """Three or more backticks or tildes that the mask covers and that are no inline code."""
    if not line.startswith(("```", "~~~")) or masked.strip(_BLANK):
        return False
    return line[0] == "~" or "`" not in line.lstrip("`")


PATH = "path"
COMMIT = "commit"
HASH = "hash"  # in inline code, and not said to be a commit
COMMAND = "command"
OUTPUT = "output"
EDIT = "edit"  # a file that is said to have been edited, from the verb on
QUOTE = "quote"  # a text that is presented as what a command printed

_LONGEST_CODE = 300
_EDIT_VERBS = lists.DIRECT_VERBS | lists.EDIT_LEADS.keys()
_MARKERS = {
    PATH: "reference.path-line",
    COMMIT: "reference.commit",
    COMMAND: "reference.command",
    QUOTE: "reference.quote",
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
    claimed: bool = False


def find_references(original: str, masked: str, *, verbs_last: bool = False) -> list[Reference]:
    """Return the references of a message by position; ``masked`` is the masked ``original``.

    ``verbs_last``: "`a.py` updated" and "`make` executed" are reports, as in languages that have
    the verb at the end. Those of one kind do not overlap; a path inside a command is both. Linear.
    """
    lines, fences = split_lines(original, masked)
    outputs = (fence for fence in fences if is_output(original, *fence))
    references = [Reference(start, end, OUTPUT) for start, end, _ in outputs]
    references.extend([one for output in references for one in _introduced(original, output)])
    whole = original.lower()  # most messages have few of these words
    verbs = [verb for verb in _EDIT_VERBS if verb in whole]
    introduced = [word for word in lists.INTRODUCTIONS if word in whole]
    for line in lines:
        text = original[slice(*line)]
        if spots := find_paths(original, *line):
            references += map(_path, spots)
            if verbs and _has(masked[slice(*line)], verbs):
                references += _edits(original, masked, line, spots, verbs_last)
        if "`" in text:
            references += _code_references(original, masked, line, verbs_last)
        references += [
            Reference(begin, end, COMMIT, original[begin:end])
            for begin, end in named_commits(original, *line)
        ]
        if introduced and any(map(text.count, lists.QUOTES)) and _has(text, introduced):
            references += _quotes(original, line)
    references.sort(key=lambda one: (one.start, -one.end, one.kind))
    return _without_overlaps(references)


def reference_candidates(references: Iterable[Reference]) -> Iterator[tuple[str, Reference]]:
    """Yield the marker id and the reference of what a message cites as known.

    That is a line, a commit, a command said to have been run, a quotation or an edit.
    """
    for reference in references:
        cited = reference.kind in (COMMIT, QUOTE, EDIT) or reference.claimed
        if cited or (reference.kind == PATH and reference.line > 0):
            yield _MARKERS[reference.kind], reference


def _has(text: str, words: list[str]) -> bool:
    text = text.lower()
    return any(word in text for word in words)


def _edits(
    original: str, masked: str, line: _Span, spots: list[Spot], verbs_last: bool
) -> Iterator[Reference]:
    """Yield the files that a line reports as edited."""
    from groundwire.language.citations import find_edit_reports

    reports = find_edit_reports(original, masked, *line, spots, verbs_last=verbs_last)
    for begin, end, path, own in reports:
        yield Reference(begin, end, EDIT, path, claimed=own)


def _quotes(original: str, line: _Span) -> Iterator[Reference]:
    """Yield what a line quotes as output."""
    from groundwire.language.citations import find_quotes

    for start, end in find_quotes(original, *line):
        yield Reference(start, end, QUOTE, original[start + 1 : end - 1].strip("`"))


def _introduced(original: str, output: Reference) -> Iterator[Reference]:
    """Yield a fence of output that the line before presents as printed; that line is cited."""
    from groundwire.language.citations import introduced_block

    spot = introduced_block(original, output.start)
    if spot is not None:
        yield Reference(*spot, QUOTE, original[output.start : output.end])


def _path(spot: Spot) -> Reference:
    return Reference(spot.start, spot.end, PATH, spot.path, spot.line, spot.end_line)


def is_output(original: str, start: int, end: int, language: str) -> bool:
    """Tell whether the fence at ``start:end`` holds what a tool printed."""
    name = language.split(" ", maxsplit=1)[0]
    opens = not name or name in lists.OPEN_LANGUAGES
    return name in lists.OUTPUT_LANGUAGES or (
        opens and any(original.find(sign, start, end) >= 0 for sign in lists.OUTPUT_SIGNS)
    )


def _code_references(original: str, masked: str, line: _Span, verbs_last: bool) -> list[Reference]:
    """Return the hashes, commands and bare file names that are a whole stretch of inline code."""
    references = []
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
            for reference in _reference_of_code(original[begin:close], begin):
                claimed = reference.kind == COMMAND and _says_it_ran(
                    original, at, close + width, verbs_last
                )
                references.append(reference.replace(claimed=True) if claimed else reference)
            begin = close + width
        at = original.find("`", begin, end)
    return references


def _says_it_ran(original: str, start: int, end: int, verbs_last: bool) -> bool:
    from groundwire.language.citations import says_it_ran  # few messages name a command

    return says_it_ran(original, start, end, verbs_last=verbs_last)


def _reference_of_code(code: str, start: int) -> list[Reference]:
    start += len(code) - len(code.lstrip())
    code = code.strip()
    if code.startswith("$ "):
        start, code = start + 2, code[2:]
    if is_hash(code):
        return [Reference(start, start + len(code), HASH, code)]
    if code in lists.BARE_FILES:
        return [Reference(start, start + len(code), PATH, code)]
    if _is_command(code):
        return [Reference(start, start + len(code), COMMAND, code)]
    return []


def _is_command(code: str) -> bool:
    first, _, rest = code.partition(" ")
    return first in lists.SOLE_COMMANDS or (first in lists.COMMANDS and bool(rest.strip()))


def _without_overlaps(references: list[Reference]) -> list[Reference]:
    ends: dict[str, int] = {}
    kept = []
    commits = {one.start for one in references if one.kind == COMMIT}
    for one in references:
        if one.kind == HASH and one.start in commits:
            continue
        if one.start >= ends.get(one.kind, 0):
            ends[one.kind] = one.end
            kept.append(one)
    return kept
