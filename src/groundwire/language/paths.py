"""Paths in a line of text with their line numbers, and words that tell references from prose."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.base.rules.lists import (
    BARE_FILES,
    EXTENSIONS,
    MEDIA_TYPES,
    NO_FILES,
    ROOTS,
    SITE_ENDS,
)

_ENDS = " \t\r\n\"'`()[]{}<>|,;*\u201c\u201d\u2018\u2019\u00a0=!?\u2026\u2192"
_ANCHORS = "./\\:"
_TABLE = {**dict.fromkeys(map(ord, _ENDS), " "), **dict.fromkeys(map(ord, _ANCHORS), ".")}
_NAME_CHARACTERS = frozenset("_-.+@~$%&#")
_LONGEST_PATH = 300
_LINE_WORDS = ("lines", "line", "L")


class Spot(Record):
    """A path at ``start:end``; ``line`` and ``end_line`` are 0 where none is given."""

    start: int
    end: int
    path: str
    line: int = 0
    end_line: int = 0
    has_extension: bool = False


def find_paths(text: str, start: int, end: int) -> list[Spot]:
    """Return the paths within ``text[start:end]``, a line or part of one. Linear."""
    line = text[start:end]
    if "." not in line and "/" not in line and ":" not in line and "\\" not in line:
        return []
    shape = line.translate(_TABLE)
    spots = []
    anchor = shape.find(".")
    while anchor >= 0:
        begin = shape.rfind(" ", 0, anchor) + 1
        stop = shape.find(" ", anchor)
        stop = len(shape) if stop < 0 else stop
        spot = None
        if stop - begin <= _LONGEST_PATH and not _is_last_word(line, begin, anchor, stop):
            spot = _spot(text, start + begin, start + stop, end)
        if spot is not None:
            spots.append(spot)
            stop = max(stop, spot.end - start)
        anchor = shape.find(".", stop)
    return spots


def _is_last_word(line: str, begin: int, anchor: int, stop: int) -> bool:
    """Tell whether a token is a word with the full stop or colon of its sentence: no path."""
    word = line[begin:anchor]
    return anchor == stop - 1 and line[anchor] in ".:" and word.isalpha() and word not in BARE_FILES


def _spot(text: str, start: int, end: int, limit: int) -> Spot | None:
    """Read the token ``text[start:end]``; the line may follow it up to ``limit``."""
    while end > start and text[end - 1] in ".:/\\-" and not text[start:end].endswith("./"):
        if text[end - 1] in "/\\":
            break
        end -= 1
    token = text[start:end]
    if "://" in token or token.startswith(("www.", "@", "#", "-", "//")):
        return None
    path, line, end_line, size = _split_location(token)
    if not is_path(path, _in_code(text, start, end), line > 0):
        return None
    if text[start + len(path) : start + len(path) + 1] == "(" and not line:
        line, stop = _digits(text, start + len(path) + 1)
        if not line or text[stop : stop + 1] not in (",", ")"):
            return None  # a call
        end_line, size = line, stop + (text[stop] == ")") - start
    if text[start - 1 : start] == "*" and (_is_glob(text, start - 2, -1) or path[0] in "_-."):
        return None  # the rest of a pattern such as src/*_test.py
    stop = start + size
    if path.endswith("/") and text[stop : stop + 1] == "*" and _is_glob(text, stop, 1):
        return None
    if not line:
        line, end_line, stop = _line_nearby(text, start, stop, limit)
    return Spot(start, stop, path, line, end_line, _extension(path) != "")


def is_path(token: str, in_code: bool, has_line: bool) -> bool:
    """Tell whether ``token`` is a path: with a known extension, or plainly written as one."""
    parts = token.replace("\\", "/").split("/")
    name = parts[-1]
    if token.startswith("\\"):
        return False  # an escape such as \\n
    if token.lower() in NO_FILES or name.lower() in NO_FILES:
        return False
    if not any(map(str.isalpha, token)) or not all(map(_is_name, parts)):
        return False
    if len(parts) == 1:
        return _extension(token) != "" or (name in BARE_FILES and (in_code or has_line))
    first = parts[0]
    if _is_site(first) or any(not part for part in parts[1:-1]):
        return False
    if _extension(token) or name in BARE_FILES or has_line:
        return True
    if first in MEDIA_TYPES:
        return False
    if first in ("", ".", "..", "~"):
        return any(len(part) > 1 for part in parts[1:])
    if first in ROOTS or first.endswith(":"):
        return in_code or len(parts) > 2 or not name
    return in_code and (not name or len(parts) > 2)


def _is_name(part: str) -> bool:
    plain = part.replace(".", "").replace("-", "").replace("_", "")
    return plain.isalnum() or (
        all(character.isalnum() or character in _NAME_CHARACTERS for character in part[2:])
        and (part[1:2] in ("", ":") or _is_letter(part[1]))
        and (not part or _is_letter(part[0]))
    )


def _is_letter(character: str) -> bool:
    return character.isalnum() or character in _NAME_CHARACTERS


def _is_site(first: str) -> bool:
    host, dot, end = first.rpartition(".")
    return bool(dot and host) and end in SITE_ENDS


def _extension(path: str) -> str:
    """Return the known extension of ``path``; "" for none, and for names that only look like it."""
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem.strip(".") or stem.replace(".", "").isdigit():
        return ""
    return extension if extension.lower() in EXTENSIONS else ""


def _split_location(token: str) -> tuple[str, int, int, int]:
    """Split ``a.py:12-20``, ``a.py#L12`` and ``a.py::test``; return path, lines and their size."""
    drive = 2 if token[1:3] == ":\\" else 0
    for mark in (":", "#L"):
        at = token.find(mark, drive)
        if at > 0:
            line, stop = _digits(token, at + len(mark))
            if not line:
                return token[:at], 0, 0, at
            end_line, stop = _range_end(token, stop, line)
            return token[:at], line, end_line, stop
    return token, 0, 0, len(token)


def _range_end(text: str, at: int, line: int) -> tuple[int, int]:
    """Read the far end of a range of lines; a column behind a colon is left out."""
    if text[at : at + 1] in ("-", "\u2013"):
        skip = 2 if text[at + 1 : at + 2] == "L" else 1
        end_line, stop = _digits(text, at + skip)
        if end_line >= line:
            return end_line, stop
    elif text[at : at + 1] == ":":
        column, stop = _digits(text, at + 1)
        if column:
            return line, stop
    return line, at


def _line_nearby(text: str, start: int, stop: int, limit: int) -> tuple[int, int, int]:
    """Read "a.py, line 12", "a.py (line 12)" and "line 12 of a.py"."""
    at = stop
    while at < min(limit, stop + 6) and text[at] in " `*,(":
        at += 1
    for word in ("at ", "on ", ""):
        if text.startswith(word, at):
            at += len(word)
            break
    for word in _LINE_WORDS:
        if text.startswith(word, at):
            gap = at + len(word)
            gap += text[gap : gap + 1] == " "
            line, end = _digits(text, gap)
            if line and end <= limit:
                end_line, end = _range_end(text, end, line)
                closes = "(" in text[stop:at] and text[end : end + 1] == ")"
                return line, end_line, end + closes
    return (*_line_in_front(text, start), stop)


def _line_in_front(text: str, start: int) -> tuple[int, int]:
    words = text[max(0, start - 40) : start].rstrip(" `*").split(" ")
    if len(words) >= 3 and words[-1] in ("of", "in") and words[-3].lower() in ("line", "lines"):
        line, at = _digits(words[-2], 0)
        if line:
            end_line, at = _range_end(words[-2], at, line)
            return (line, end_line) if at == len(words[-2]) else (0, 0)
    return 0, 0


def _digits(text: str, at: int) -> tuple[int, int]:
    """Read up to seven digits; 0 when there are none."""
    stop = at
    while stop < len(text) and stop < at + 7 and "0" <= text[stop] <= "9":
        stop += 1
    return (int(text[at:stop]) if stop > at else 0), stop


def _in_code(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] == "`" or text[end : end + 1] == "`"


def _is_glob(text: str, at: int, step: int) -> bool:
    """Tell whether a name goes on behind the stars at ``at``; emphasis ends there."""
    while 0 <= at < len(text) and text[at] == "*":
        at += step
    at += step > 0 and text[at : at + 1] == "."
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "/")
