"""The lines of a message: prose, and the fences between them."""

from __future__ import annotations

from groundwire.text.mask import FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    _Span = tuple[int, int]
    _Fence = tuple[int, int, str]

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
