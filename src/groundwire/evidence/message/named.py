"""What a sentence names that a result can show: code, files, identifiers, errors, quoted words."""

from __future__ import annotations

from groundwire.evidence.message.wording import Wording

_ERROR_ENDS = ("Error", "Exception", "Warning", "Panic", "Failure")
_ERROR_CODES = frozenset(
    "ENOENT EACCES EPERM EADDRINUSE ECONNREFUSED ECONNRESET ETIMEDOUT ENOSPC EMFILE EPIPE SIGSEGV "
    "SIGKILL SIGTERM SIGABRT NaN OOM".split()
)
_EDGES = ".,;:!?()[]{}<>\"'`*"
_SHORTEST = 3
_LONGEST = 120
_MOST = 12


def named_things(wording: Wording) -> list[str]:
    """Return the things that the sentence names, in order, each once, at most twelve."""
    found = [piece for code in wording.code for piece in _of_code(code)]
    found += _quoted(wording.masked)
    found += [word for word in map(_bare, wording.masked.split()) if _is_name(word)]
    unique = dict.fromkeys(name for name in found if _SHORTEST <= len(name) <= _LONGEST)
    return list(unique)[:_MOST]


def _of_code(code: str) -> list[str]:
    """A call stands for the function, a path of a file for its name; the rest for itself.

    The last part of ``origin/main`` or ``src/api`` is a word that stands anywhere.
    """
    if "(" in code and " " not in code.partition("(")[0]:
        code = code.partition("(")[0]
    path, colon, line = code.rpartition(":")
    if colon and line.split("-")[0].isdigit():
        code = path
    name = code.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return [name if "." in name else code]


def _quoted(masked: str) -> list[str]:
    text = masked.replace("\u201c", '"').replace("\u201d", '"')
    return [part.strip() for part in text.split('"')[1::2] if part.strip()]


def _bare(word: str) -> str:
    return word.strip(_EDGES)


def _is_name(word: str) -> bool:
    """``snake_case``, ``camelCase``, ``a.b.c``, ``file.py``, ``TypeError``, ``MAX_SIZE``."""
    if word in _ERROR_CODES or word.endswith(_ERROR_ENDS):
        return True
    if not word.isascii() or not any(map(str.isalpha, word)):
        return False
    if "_" in word.strip("_"):
        return True
    inner = word[1:]
    if any(map(str.isupper, inner)) and any(map(str.islower, inner)) and word.isalnum():
        return True
    return _is_dotted(word)


def _is_dotted(word: str) -> bool:
    """A dot between letters, and no abbreviation."""
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) > 1 and part[0].isalpha() for part in parts)
