"""Which commands a message says were run, which texts it quotes, which edits it reports.

Only plain reports are read: "I ran `npm test`", "the log says `...`". Instructions, conditions,
plans, examples and what somebody else did are left out; a miss is better than a false alarm.

Only plain reports are read, in which a verb of editing governs the file in the same clause and the
writer is the subject. What others did, plans, conditions and denials are left out; a miss is better
than a false alarm.
"""

from __future__ import annotations

from itertools import pairwise

from groundwire.base.rules import lists
from groundwire.language.markdown import FILLER
from groundwire.language.paths import is_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.language.paths import Spot


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
#: What was run, when the command follows in brackets: "I ran the full test suite (`make test`)".
_OBJECTS = _set("the full whole complete entire command test suite tests all a build linter lint")
#: May stand between what printed, the verb and the quotation.
_FILLERS = _set("also just only again even still then finally back out only first me us")
#: Behind a command these make its result a condition or a wish.
_CONDITIONS = _set("if when whenever unless until should would could may might must")
_EXECUTED = _each("executed ran")
#: What follows a command that was run.
_OUTCOMES = _each("passed succeeded completed finished printed reported returned exited confirmed")
_SHOWN = _each("shows showed confirms gives gave prints")
_STATING = _each("no all that zero only every clean everything nothing")

_PAST_SAYINGS = _set("said printed reported logged showed read stated was")
_ENDED_WITH = tuple([verb, "with"] for verb in ("failed", "crashed", "errored", "died", "aborted"))


def says_it_ran(text: str, start: int, end: int, *, verbs_last: bool = False) -> bool:
    """Tell whether the command at ``start:end``, in backticks, is said to have been run."""
    before = _words_before(text, start)
    behind = _words_behind(text, end)
    if not lists.UNREAL_WORDS.isdisjoint(before) or not lists.ELSEWHERE_WORDS.isdisjoint(
        [*before, *behind]
    ):
        return False
    core = [word for word in before if word not in lists.RUN_ADVERBS]
    if _ran(core):
        return True
    after = [word for word in behind if word not in lists.RUN_ADVERBS]
    if not _CONDITIONS.isdisjoint(behind):
        return False
    if verbs_last and after[:1] in _EXECUTED and lists.UNREAL_WORDS.isdisjoint(behind):
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
        stop = text.find(lists.QUOTES[text[at]], at + 1, min(end, at + _LONGEST_QUOTE))
        if stop >= 0 and _is_text(text[at + 1 : stop]) and _introduces(_words_before(text, at)):
            yield at, stop + 1
        at = _next_quote(text, max(at, stop) + 1, end)


def _next_quote(text: str, start: int, end: int) -> int:
    """Return where the next opening mark stands, ``end`` when there is none."""
    return min(
        (at for mark in lists.QUOTES if (at := text.find(mark, start, end)) >= 0), default=end
    )


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
    if not lists.UNREAL_WORDS.isdisjoint(words) or not lists.ELSEWHERE_WORDS.isdisjoint(words):
        return False
    words = [word for word in words if word not in _FILLERS]
    if words[-1:] and words[-1] in ("with", "this", "that", "the", "following", "line", "error"):
        words = words[:-1] if words[-2:] not in _ENDED_WITH else words
    if words[-2:] in _ENDED_WITH:
        return True
    if not words or words[-1] not in lists.OUTPUT_SAYINGS:
        return False
    subject = words[-2] if len(words) > 1 else ""
    if subject in lists.OUTPUT_RECORDS:
        return True
    return words[-1] in _PAST_SAYINGS and subject in lists.OUTPUT_PRINTERS


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


#: What one does to a file, or to a member of a list: "added a.sh to the scripts that run".
_MEMBER_VERBS = frozenset("added removed deleted dropped".split())
_LIST_LEADS = frozenset("to into in from".split())
_DETERMINERS = frozenset("the a an our your its this that".split())
_ALL_LEADS = frozenset(lead for leads in lists.EDIT_LEADS.values() for lead in leads)
_WRITER = frozenset(("i", "we", "i've", "we've"))
_OPENERS = _WRITER | lists.EDIT_OPENERS
_BEHIND = frozenset("was is are were would should needs will has did does".split())
_CLAUSE_ENDS = (". ", "! ", "? ", "; ", ": ", " - ", " \u2013 ", " \u2014 ", "(", ")", " but ")
_DECORATION = " \t*_#>~|+-\u2022\u2713\u2714\u2705\u2611`[]"
_LONGEST_CLAUSE = 160
_LONGEST_REPORT = 1_000
_MOST_OBJECT = 10


def find_edit_reports(
    original: str,
    masked: str,
    start: int,
    end: int,
    spots: Sequence[Spot],
    *,
    verbs_last: bool = False,
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield ``(start, end, path, own)`` for the paths of a line that it reports as edited.

    ``start`` is that of the verb, or of the path where that comes first (``verbs_last``); ``own``
    tells that the writer says "I". The line is ``original[start:end]``, ``spots`` are its paths in
    order. Linear.
    """
    previous: tuple[int, int, bool] | None = None  # verb, end of the path, own: for a list of files
    for spot in spots:
        if not spot.has_extension or _is_asked(original, spot.end, end):
            previous = None
            continue
        if previous and _only_joins(original[previous[1] : spot.start]):
            verb, own = previous[0], previous[2]
        else:
            floor = max(start, spot.start - _LONGEST_CLAUSE)
            if verbs_last and (own_edit := _verb_behind(masked, floor, spot, end)) is not None:
                yield spot.start, spot.end, spot.path, own_edit
                continue
            governor = _governing_verb(masked, floor, spot.start)
            if governor is None or _is_member(masked, governor[0], spot.end, end):
                previous = None
                continue
            verb, own = governor
        yield verb, spot.end, spot.path, own
        previous = verb, spot.end, own


def _governing_verb(masked: str, start: int, end: int) -> tuple[int, bool] | None:
    """Return the position of the verb that governs what stands at ``end``, and whether "I" did."""
    words = _clause(masked[start:end])
    if any(word in lists.EDIT_GUARDS for word, _ in words):
        return None
    at = 0
    while at < len(words) and words[at][0] in _OPENERS:
        at += 1
    if at == len(words):
        return None
    verb, place = words[at]
    rest = [word for word, _ in words[at + 1 :]]
    if not _leads_to_file(verb, rest):
        return None
    return start + place, any(word in _WRITER for word, _ in words[:at])


def _verb_behind(masked: str, start: int, spot: Spot, end: int) -> bool | None:
    """Tell whether "I" edited what stands before a verb of editing; None when it is no report."""
    before = [word for word, _ in _clause(masked[start : spot.start])]
    rest = masked[spot.end : min(end, spot.end + _LONGEST_CLAUSE)].strip(FILLER)
    for mark in _CLAUSE_ENDS:
        rest = rest.partition(mark)[0]
    rest = rest.rstrip().rstrip(".").replace(FILLER, " ").lower()
    behind = [word for word, _ in _edit_words(rest, 0)]
    if (
        not behind
        or behind[0] not in lists.DIRECT_VERBS
        or not lists.EDIT_GUARDS.isdisjoint((*before, *behind))
    ):
        return None
    return not _WRITER.isdisjoint(before)


def _clause(text: str) -> list[tuple[str, int]]:
    """Return the words of the last clause of a masked text, with their positions in it."""
    clause = text.replace(FILLER, " ").replace("\u2019", "'").lower()
    cut = max(
        (clause.rfind(mark) + len(mark) for mark in _CLAUSE_ENDS if mark in clause), default=0
    )
    return _edit_words(clause, cut)


def _is_member(masked: str, verb: int, at: int, end: int) -> bool:
    """Tell whether the file that ends at ``at`` was put into, or taken from, a list elsewhere."""
    if masked[verb:at].split(maxsplit=1)[0].lower() not in _MEMBER_VERBS:
        return False
    rest = masked[at : min(end, at + _LONGEST_CLAUSE)].replace(FILLER, " ").lower()
    for mark in _CLAUSE_ENDS:
        rest = rest.partition(mark)[0]
    words = rest.split()
    return any(lead in _LIST_LEADS and behind in _DETERMINERS for lead, behind in pairwise(words))


def _edit_words(clause: str, cut: int) -> list[tuple[str, int]]:
    words = []
    at = cut
    for piece in clause[cut:].split(" "):
        word = piece.strip(_DECORATION + ",")
        if word and not word.rstrip(".").isdigit():
            words.append((word, at + piece.find(word)))
        at += len(piece) + 1
    return words


def _leads_to_file(verb: str, rest: list[str]) -> bool:
    """Tell whether ``rest``, between the verb and the file, makes the file what was edited."""
    while rest and rest[-1] in lists.EDIT_FILLERS:
        rest = rest[:-1]
    if not rest:
        return verb in lists.DIRECT_VERBS
    lead, thing = rest[-1], rest[:-1]
    if lead not in lists.EDIT_LEADS.get(verb, ()) or len(thing) > _MOST_OBJECT:
        return False
    if not _ALL_LEADS.isdisjoint(thing):
        return False
    return not thing or not (thing[-1].endswith("ed") or thing[-1] in lists.LOCATING_WORDS)


def _only_joins(text: str) -> bool:
    plain = text.replace("`", "").replace("*", "").strip().lower()
    return plain in (",", "and", ", and", "&", "+")


def _is_asked(original: str, at: int, end: int) -> bool:
    """Tell whether the sentence asks, or goes on with a verb of which the file is the subject."""
    rest = original[at : min(end, at + _LONGEST_REPORT)].lstrip("`*'\" ")
    following = rest.split(maxsplit=1)[:1]
    sentence = rest.partition(". ")[0]
    return "?" in sentence or (following != [] and following[0].lower() in _BEHIND)
