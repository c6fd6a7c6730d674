"""Which commands a message says were run, and which texts it presents as output.

Only plain reports are read: "I ran `npm test`", "the log says `...`". Instructions, conditions,
plans, examples and what somebody else did are left out; a miss is better than a false alarm.
"""

from __future__ import annotations

from groundwire.scan.paths import is_path
from groundwire.scan.reference_words import QUOTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_SENTENCE, _LONGEST_QUOTE = 400, 600
_FEWEST_WORDS, _SHORTEST = 3, 15
_MARKS = 6  # characters between a command and the check mark behind it
_CHECKS = ("\u2705", "\u2714", "\u2611", "\u2713")
_SENTENCE_ENDS = (". ", "! ", "? ", "; ", "\n")


def _set(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _each(table: str) -> tuple[list[str], ...]:
    return tuple([word] for word in table.split())


#: Verbs of an own run, also in "verified with `pytest`".
_RAN = _set("ran reran re-ran executed verified tested checked confirmed validated run")
_TOOLS_OF_RUNS = _each("with via using through")
#: May stand between subject and verb, and between verb and command.
_ADVERBS = _set(
    "also just again now successfully finally locally manually already only even once twice both "
    "still cleanly fully"
)
#: What was run, when the command follows in brackets: "I ran the full test suite (`make test`)".
_OBJECTS = _set("the full whole complete entire command test suite tests all a build linter lint")
#: May stand between what printed, the verb and the quotation.
_FILLERS = _set("also just only again even still then finally back out only first me us")
#: A condition, possibility, plan, instruction, negation or example: nothing is reported.
_UNREAL = _set(
    "if when whenever once unless until before would could should might may can will shall must "
    "not never no without didn't haven't hasn't wasn't don't doesn't can't cannot couldn't won't "
    "wouldn't to let's please try you your you'll you'd example sample expected expect expects "
    "e.g for instance like such ensure ensures sure so that's want need needs instead rather than "
    "supposed assuming assume hypothetical whether new now how why"
)
#: Behind a command these make its result a condition or a wish.
_CONDITIONS = _set("if when whenever unless until should would could may might must")
#: Somebody else, or another time.
_ELSEWHERE = _set(
    "ci cd github gitlab jenkins pipeline workflow user they he she hook agent subagent reviewer "
    "earlier previously yesterday last ago originally initially session previous prior old "
    "formerly used upstream production staging author maintainer"
)
_EXECUTED = _each("executed ran")
#: What follows a command that was run.
_OUTCOMES = _each("passed succeeded completed finished printed reported returned exited confirmed")
_SHOWN = _each("shows showed confirms gives gave prints")
_STATING = _each("no all that zero only every clean everything nothing")

#: What holds output, and what prints it.
_RECORDS = _set(
    "log logs output stdout stderr console traceback stacktrace terminal trace transcript"
)
_PRINTERS = _set(
    "it command run build suite server script code compiler linter test tests process job program "
    "message error pytest jest cargo npm tsc go make gradle maven mypy eslint which and"
)
_SAYINGS = _set(
    "says said shows showed reads read printed reports reported contained contains was logged "
    "states stated"
)
_PAST_SAYINGS = _set("said printed reported logged showed read stated was")
_ENDED_WITH = tuple([verb, "with"] for verb in ("failed", "crashed", "errored", "died", "aborted"))


def says_it_ran(text: str, start: int, end: int, *, verbs_last: bool = False) -> bool:
    """Tell whether the command at ``start:end``, in backticks, is said to have been run."""
    before = _words_before(text, start)
    behind = _words_behind(text, end)
    if not _UNREAL.isdisjoint(before) or not _ELSEWHERE.isdisjoint([*before, *behind]):
        return False
    core = [word for word in before if word not in _ADVERBS]
    if _ran(core):
        return True
    after = [word for word in behind if word not in _ADVERBS]
    if not _CONDITIONS.isdisjoint(behind):
        return False
    if verbs_last and after[:1] in _EXECUTED and _UNREAL.isdisjoint(behind):
        return True
    if core == ["running"]:
        return after[:1] in _OUTCOMES or (after[:1] in _SHOWN and after[1:2] in _STATING)
    if core or text[text.rfind("\n", 0, start) + 1 : start].lstrip().startswith("|"):
        return False  # a cell of a table may be the title of its row
    mark = text[end : end + _MARKS].lstrip(" `:*-\u2013\u2014")
    return after[:1] in _OUTCOMES or mark.startswith(_CHECKS)


def _ran(words: list[str]) -> bool:
    """Read "I ran", "and ran", "Verified with", "have run"; nobody else may be the subject."""
    if words[-2:] == ["by", "running"]:
        words = [*words[:-2], "with"]
    if words[-1:] in _TOOLS_OF_RUNS:
        verbs = [place for place, word in enumerate(words) if word in _RAN]
        return bool(verbs) and len(words) - verbs[-1] <= 8 and _own(words[: verbs[-1]])
    if words[-1:] == ["run"]:
        return words[-2:-1] in (["have"], ["i've"], ["we've"]) and _own(words[:-1])
    while words[-1:] and words[-1] in _OBJECTS:
        words = words[:-1]
    return words[-1:] in (["ran"], ["reran"], ["re-ran"], ["executed"]) and _own(words[:-1])


def _own(words: list[str]) -> bool:
    """The subject before a verb is the writer, or left out as in a report."""
    if words[-1:] in (["have"], ["and"], ["then"]) and len(words) > 1:
        return True
    return words[-1:] in ([], ["i"], ["we"], ["i've"], ["we've"], ["and"], ["then"])


def find_quotes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where, in the line ``text[start:end]``, output is quoted, marks included."""
    at = _next_quote(text, start, end)
    while at < end:
        stop = text.find(QUOTES[text[at]], at + 1, min(end, at + _LONGEST_QUOTE))
        if stop >= 0 and _is_text(text[at + 1 : stop]) and _introduces(_words_before(text, at)):
            yield at, stop + 1
        at = _next_quote(text, max(at, stop) + 1, end)


def _next_quote(text: str, start: int, end: int) -> int:
    """Return where the next opening mark stands, ``end`` when there is none."""
    return min((at for mark in QUOTES if (at := text.find(mark, start, end)) >= 0), default=end)


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
    if not _UNREAL.isdisjoint(words) or not _ELSEWHERE.isdisjoint(words):
        return False
    words = [word for word in words if word not in _FILLERS]
    if words[-1:] and words[-1] in ("with", "this", "that", "the", "following", "line", "error"):
        words = words[:-1] if words[-2:] not in _ENDED_WITH else words
    if words[-2:] in _ENDED_WITH:
        return True
    if not words or words[-1] not in _SAYINGS:
        return False
    subject = words[-2] if len(words) > 1 else ""
    if subject in _RECORDS:
        return True
    return words[-1] in _PAST_SAYINGS and subject in _PRINTERS


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
