"""Release notes: what a changelog says of a version is no report on the work of a turn."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.text.fold import Folded

_TITLES = ("changelog", "release notes", "unreleased", "what's new in")
#: Headings inside the notes of a version ("Keep a Changelog" and its relatives).
_SECTIONS = frozenset(
    "added changed deprecated removed fixed security improved features fixes documentation".split()
)
_WORDS = ("version ", "release ", "v")
_BEHIND = (":", " -", " \u2013", " \u2014", " (")
_LONGEST_NUMBER = 20


def release_blocks(folded: Folded) -> frozenset[int]:
    """Return where the blocks begin that stand under the heading of a version or are led by one."""
    found = []
    inside = False
    for block in folded.blocks:
        title = folded.text.startswith(_TITLES, block.start, block.end)
        begin, end = folded.span(block.start, block.end)
        behind = _behind_version(folded.original[begin : min(end, begin + 2 * _LONGEST_NUMBER)])
        if block.role == "heading":
            is_section = folded.text[block.start : block.end] in _SECTIONS
            inside = title or behind is not None or (inside and is_section)
        if inside or title or (behind is not None and behind.startswith(_BEHIND)):
            found.append(block.start)
    return frozenset(found)


def _behind_version(line: str) -> str | None:
    """Return what stands behind the version that opens a line, None where none does."""
    line = line.lower().lstrip("[*")
    for word in _WORDS:
        line = line.removeprefix(word)
    rest = line.lstrip("0123456789.")
    number = line[: len(line) - len(rest)].rstrip(".")
    return rest.lstrip("]*") if "." in number and number[0] != "." else None
