"""Which commands a message says were run, and which texts it presents as output.

Only plain reports are read: "I ran `npm test`", "the log says `...`". Instructions, conditions,
plans, examples and what somebody else did are left out; a miss is better than a false alarm.
"""

from __future__ import annotations

from groundwire.scan.cited_rows import in_table, row_says_it_ran
from groundwire.scan.cited_words import (
    ADVERBS,
    CONDITIONS,
    ELSEWHERE,
    ENDED_WITH,
    FILLERS,
    INTRODUCED,
    OBJECTS,
    OUTCOMES,
    PAST_SAYINGS,
    PRINTERS,
    RAN,
    RECORDS,
    SAYINGS,
    SHOWN,
    STATING,
    TOOLS_OF_RUNS,
    UNREAL,
)
from groundwire.scan.paths import is_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_SENTENCE = 400
_FEWEST_WORDS = 3
_RUNS = ("ran", "reran", "re-ran", "executed")
#: Verbs of an own edit.
_CHANGED = frozenset(
    "adjusted added changed corrected edited fixed modified moved patched refactored removed "
    "renamed replaced rewrote updated".split()
)
_SHORTEST = 15
_LONGEST_QUOTE = 600
_QUOTES = {"`": "`", '"': '"', "\u201c": "\u201d"}
#: Words that ask the reader to look.
_ASKING = frozenset(("check", "confirm", "verify"))
#: What is said of a status that lists nothing.
_CLEAN = (
    ("clean",),
    ("is", "clean"),
    ("is", "empty"),
    ("shows", "nothing"),
    ("reports", "nothing"),
    ("lists", "nothing"),
    ("prints", "nothing"),
    ("comes", "back", "clean"),
    ("came", "back", "clean"),
)
_SENTENCE_ENDS = (". ", "! ", "? ", "; ", "\n")


def says_it_ran(text: str, start: int, end: int) -> bool:
    """Tell whether the command at ``start:end``, in backticks, is said to have been run."""
    before = _words_before(text, start)
    behind = _words_behind(text, end)
    if not UNREAL.isdisjoint(before) or not ELSEWHERE.isdisjoint([*before, *behind]):
        return False
    core = [word for word in before if word not in ADVERBS]
    if _ran(core) or row_says_it_ran(text, start, end):
        return True
    after = [word for word in behind if word not in ADVERBS]
    if not CONDITIONS.isdisjoint(behind):
        return False
    if core == ["running"]:
        return after[:1] in OUTCOMES or (after[:1] in SHOWN and after[1:2] in STATING)
    return not core and after[:1] in OUTCOMES and not in_table(text, start)


def says_clean(text: str, start: int, end: int) -> bool:
    """Tell whether the status command at ``start:end``, in backticks, is said to be clean."""
    before, behind = _words_before(text, start), _words_behind(text, end)
    if not (UNREAL | _ASKING).isdisjoint(before) or not CONDITIONS.isdisjoint(behind):
        return False
    after = [word for word in behind[:4] if word not in ADVERBS]
    return any(tuple(after[: len(words)]) == words for words in _CLEAN)


def ran_after_edit(text: str, at: int) -> bool:
    """Tell whether the words before ``at`` say: "I changed X, then ran"."""
    words = [word for word in _words_before(text, at) if word not in ADVERBS]
    own = words[1:] if words[:1] in (["i"], ["we"], ["i've"], ["we've"]) else words
    if len(own) < _FEWEST_WORDS or own[0] not in _CHANGED or not ELSEWHERE.isdisjoint(words):
        return False
    return own[-2] in ("then", "and") and own[-1] in _RUNS


def introduces_run(text: str, start: int) -> tuple[int, int] | None:
    """Return where the line stands that says that the command fenced at ``start`` was run."""
    floor = max(0, start - _LONGEST_SENTENCE)
    stop = floor + len(text[floor:start].rstrip())
    begin = text.rfind("\n", floor, stop) + 1
    if not text[begin:stop].rstrip("*_ ").endswith(":"):
        return None
    whole = _words_before(text, stop)
    words = _words(text[max(begin, text.rfind(",", begin, stop)) : stop])  # the last clause
    words = [word for word in words if word not in ADVERBS]
    if not UNREAL.isdisjoint(words) or not ELSEWHERE.isdisjoint(whole) or not _ran(words):
        return None
    return begin, stop


def _ran(words: list[str]) -> bool:
    """Read "I ran", "and ran", "Verified with", "have run"; nobody else may be the subject."""
    if words[-2:] == ["by", "running"]:
        words = [*words[:-2], "with"]
    if words[-1:] in TOOLS_OF_RUNS:
        verbs = [place for place, word in enumerate(words) if word in RAN]
        return bool(verbs) and len(words) - verbs[-1] <= 8 and _own(words[: verbs[-1]])
    if words[-1:] == ["run"]:
        return words[-2:-1] in (["have"], ["i've"], ["we've"]) and _own(words[:-1])
    while words[-1:] and words[-1] in OBJECTS:
        words = words[:-1]
    return words[-1:] in (["ran"], ["reran"], ["re-ran"], ["executed"]) and _own(words[:-1])


def _own(words: list[str]) -> bool:
    """The subject before a verb is the writer, or left out as in a report."""
    if words[-1:] in (["have"], ["and"], ["then"]) and len(words) > 1:
        return True
    return words[-1:] in ([], ["i"], ["we"], ["i've"], ["we've"], ["and"], ["then"])


def find_quotes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where, in the line ``text[start:end]``, output is quoted, marks included."""
    line = text[start:end].lower()
    if not any(word in line for word in INTRODUCED):
        return
    at = _next_quote(text, start, end)
    while at < end:
        stop = text.find(_QUOTES[text[at]], at + 1, min(end, at + _LONGEST_QUOTE))
        if stop >= 0 and _is_text(text[at + 1 : stop]) and _introduces(_words_before(text, at)):
            yield at, stop + 1
        at = _next_quote(text, max(at, stop) + 1, end)


def _next_quote(text: str, start: int, end: int) -> int:
    """Return where the next opening mark stands, ``end`` when there is none."""
    return min((at for mark in _QUOTES if (at := text.find(mark, start, end)) >= 0), default=end)


def introduced_block(text: str, start: int) -> tuple[int, int] | None:
    """Return where the line stands that presents the fence at ``start`` as printed output."""
    floor = max(0, start - _LONGEST_SENTENCE)
    stop = floor + len(text[floor:start].rstrip())
    begin = text.rfind("\n", floor, stop) + 1
    if not text[begin:stop].rstrip("*_ ").endswith(":"):
        return None
    words = _words_before(text, stop)
    return (begin, stop) if _introduces(words) else None


def _introduces(words: list[str]) -> bool:
    """``words`` stand before a quotation and present it as what something printed."""
    if not UNREAL.isdisjoint(words) or not ELSEWHERE.isdisjoint(words):
        return False
    words = [word for word in words if word not in FILLERS]
    if words[-1:] and words[-1] in ("with", "this", "that", "the", "following", "line", "error"):
        words = words[:-1] if words[-2:] not in ENDED_WITH else words
    if words[-2:] in ENDED_WITH:
        return True
    if not words or words[-1] not in SAYINGS:
        return False
    subject = words[-2] if len(words) > 1 else ""
    if subject in RECORDS:
        return True
    return words[-1] in PAST_SAYINGS and subject in PRINTERS


def _is_text(quote: str) -> bool:
    """Long enough to be told from a name, and no path."""
    words = quote.split()
    if len(words) < 2 or is_path(quote.strip(), True, False):
        return False
    return len(words) >= _FEWEST_WORDS or len(quote.strip()) >= _SHORTEST


def _words_before(text: str, at: int) -> list[str]:
    """Return the words of the sentence before ``at``, lower case, code and signs left out."""
    sentence = text[max(0, at - _LONGEST_SENTENCE) : at]
    for end in _SENTENCE_ENDS:
        sentence = sentence.rpartition(end)[2]
    return _words(sentence)


def _words_behind(text: str, at: int) -> list[str]:
    """Return the words of the sentence behind the closing mark at ``at``."""
    sentence = text[at : at + _LONGEST_SENTENCE].lstrip("`")
    for end in _SENTENCE_ENDS:
        sentence = sentence.partition(end)[0]
    return _words(sentence)


def _words(sentence: str) -> list[str]:
    pieces = sentence.replace("\u2019", "'").lower().split("`")
    plain = " code ".join(pieces[::2]) if len(pieces) % 2 else " ".join(pieces[::2])
    letters = "".join(char if char.isalnum() or char in "'-" else " " for char in plain)
    return [word.strip("'-") for word in letters.split() if word.strip("'-0123456789")]
