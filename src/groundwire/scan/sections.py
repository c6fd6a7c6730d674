"""Parts of a message that describe a product: notes of a release, and tables of settings.

What they say is no report on the work of a turn.
"""

from __future__ import annotations

from groundwire.text.blocks import HEAD, ROW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.text.fold import Folded

RELEASE = "release"
LEGEND = "legend"
_TITLES = ("changelog", "release notes", "unreleased", "what's new in")
#: Headings inside the notes of a version ("Keep a Changelog" and its relatives).
_HEADINGS = frozenset(
    "added changed deprecated removed fixed security improved features fixes documentation".split()
)
_WORDS = ("version ", "release ", "v")
_BEHIND = (":", " -", " \u2013", " \u2014", " (")
_LONGEST_VERSION = 40
#: Columns of a table that explains settings, codes or fields, and of one that reports.
_EXPLAINING = frozenset(
    "allowed argument default effect flag meaning option parameter required setting variable when "
    "means stands".split()
)
_REPORTING = frozenset("after before change changes done now outcome result state status".split())
_CELL = "\x1d"


def sections_of(folded: Folded) -> dict[int, str]:
    """Return what the blocks belong to that stand in such a part, by where they begin."""
    sections = {}
    noted = explained = False
    for block in folded.blocks:
        text = folded.text[block.start : block.end]
        if block.role in (HEAD, ROW):
            explained = _explains(text) if block.role == HEAD else explained
            if explained:
                sections[block.start] = LEGEND
            continue
        explained = False
        begin, end = folded.span(block.start, block.end)
        behind = _behind_version(folded.original[begin : min(end, begin + _LONGEST_VERSION)])
        title = text.startswith(_TITLES)
        if block.role == "heading":
            noted = title or behind is not None or (noted and text in _HEADINGS)
        if noted or title or (behind is not None and behind.startswith(_BEHIND)):
            sections[block.start] = RELEASE
    return sections


def _explains(head: str) -> bool:
    words = frozenset(head.replace(_CELL, " ").split())
    return not _EXPLAINING.isdisjoint(words) and _REPORTING.isdisjoint(words)


def _behind_version(line: str) -> str | None:
    """Return what stands behind the version that opens a line, None where none does."""
    line = line.lower().lstrip("[*")
    for word in _WORDS:
        line = line.removeprefix(word)
    rest = line.lstrip("0123456789.")
    number = line[: len(line) - len(rest)].rstrip(".")
    return rest.lstrip("]*") if "." in number and number[0] != "." else None
