"""Commands that a table row, a list item or a fence presents as run: "| `mix test` | passed |"."""

from __future__ import annotations

from groundwire.scan.cited_words import ELSEWHERE, UNREAL

_LONGEST_LINE = 600
_MOST_ROWS = 60
_CHECKS = ("\u2705", "\u2714", "\u2611", "\u2713")
#: First words of a cell or an item that tells how a run ended.
_ENDS = frozenset(
    "passed passes pass succeeded success successful executed ran completed ok clean green "
    "finished".split()
)
#: Words in the head of a column that tells how runs ended.
_HEADS = frozenset("result results outcome outcomes ran executed run output".split())
#: Words of a cell beside its command, at most.
_MOST_WORDS = 6


def row_says_it_ran(text: str, start: int, end: int) -> bool:
    """Tell whether the row or item around the command at ``start:end`` says how its run ended."""
    first, last = _line(text, start, end)
    line = text[first:last]
    said = _words(text[first:start] + " " + text[end:last])
    if not UNREAL.isdisjoint(said) or not ELSEWHERE.isdisjoint(said):
        return False
    if line.lstrip().startswith("|"):
        return _cells_say(text, first, start, end, last)
    if not line.lstrip().startswith(("- ", "* ", "+ ")) or _words(text[first:start]):
        return False
    return text[end:last].lstrip(" `:*-\u2013\u2014").startswith(_CHECKS)


def in_table(text: str, at: int) -> bool:
    """Tell whether the line at ``at`` is a row of a table."""
    return text[_line(text, at, at)[0] : at].lstrip().startswith("|")


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the line around ``start:end``, of a long one what lies near."""
    floor, limit = max(0, start - _LONGEST_LINE), min(len(text), end + _LONGEST_LINE)
    first = text.rfind("\n", floor, start) + 1 or floor
    last = text.find("\n", end, limit)
    return first, limit if last < 0 else last


def _cells_say(text: str, first: int, start: int, end: int, last: int) -> bool:
    behind = text[end:last].strip("`").split("|")
    before = text[first:start].rpartition("|")[2]
    if len(_words(before)) + len(_words(behind[0])) > _MOST_WORDS:
        return False
    head = _words(_head(text, first))
    if not UNREAL.isdisjoint(head):
        return False
    for cell in behind[1:]:
        shown = cell.strip(" *_")
        words = _words(shown)
        if words[:1] and words[0] in _ENDS:
            return True
        if shown.startswith(_CHECKS) and not words and not _HEADS.isdisjoint(head):
            return True
    return False


def _head(text: str, first: int) -> str:
    """Return the first row of the table that the row at ``first`` belongs to."""
    head = ""
    for _ in range(_MOST_ROWS):
        if first == 0:
            return head
        above = _line(text, first - 1, first - 1)[0]
        if not text[above : first - 1].lstrip().startswith("|"):
            return head
        head = text[above : first - 1]
        first = above
    return ""


def fenced_command(fence: str) -> str:
    """Return the first line of a fence, without its prompt sign."""
    lines = [line.strip() for line in fence.strip().split("\n")[1:]]
    return next((line.removeprefix("$ ") for line in lines if line), "")


def _words(text: str) -> list[str]:
    plain = "".join(one if one.isalpha() or one in "'-" else " " for one in text.lower())
    return [word.strip("'-") for word in plain.split() if word.strip("'-")]
