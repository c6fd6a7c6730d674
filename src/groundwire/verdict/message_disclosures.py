"""What a message says against itself: that something was not run, or that it fails.

Read over the whole message, code and tables among it: wherever it stands, its reader knows.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.language.words import plain_words
from groundwire.verdict.disclosures import tells_failure
from groundwire.verdict.related import ALL, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.language.find import Findings
    from groundwire.language.fold import Sentence

_CUE, _FAILURE_CUE = "cue.disclosure", "cue.failure"
_NOT = frozenset(
    "not never no none nothing nobody without didn't haven't hasn't wasn't weren't couldn't can't "
    "cannot don't doesn't isn't aren't unable yet skip skipped skipping left".split()
)
#: Words of checks and deeds, as verbs and, where the line tells of nothing that failed, as things.
_CHECK = frozenset(
    "run ran running rerun reran execute executed exercised tested testing verify verified check "
    "checked built compile compiled validate validated tried linted confirm confirmed committed "
    "pushed installed deployed commit push install deploy measured".split()
)
_THINGS = frozenset("test tests suite linter builds checks run runs verification".split())
_BEHIND = frozenset("not skipped never none left no yet".split())
_UNDONE = frozenset(
    "untested unverified unchecked unrun unvalidated unconfirmed un-run un-tested uncommitted "
    "unpushed unbuilt".split()
)
_REQUESTS = ("please run", "you can run", "run the tests yourself", "to be run", "needs a run")
#: Words of what is wrong, behind a number that is not 0.
_FAILED = frozenset(
    "fail fails failed failing failure failures error errors red broken remaining flaky timeouts "
    "errored unresolved".split()
)
#: Words of what can fail at the end of the work.
_OF_CHECKS = (
    _CHECK
    | _THINGS
    | frozenset("ci hook compilation typecheck types tag still remain remains".split())
)
#: Words with which a line takes back part of what it says.
_LIMITING = (
    "despite",
    "apart from",
    "except for",
    "with the exception",
    "other than",
    "aside from",
)
_WRONG = _FAILED | frozenset("warnings warning issues problems regressions findings broke".split())
_NEAR = 5
_ENDS = (".", ";", "|", "!", "?")


class Disclosed(Record):
    """What is disclosed.

    ``unrun``: the deeds of which a line says that something was not run or checked, all of them
    where it names none; ``failure``: something fails or failed.
    """

    unrun: frozenset[str] = frozenset()
    failure: bool = False

    def __bool__(self) -> bool:
        return bool(self.unrun) or self.failure


def disclosed_by(findings: Findings) -> Disclosed:
    """Return what a message discloses anywhere. Linear in the message."""
    undone, failure = list[str](), False
    for sentence in findings.sentences:
        cues = {cue.marker.id for cue in sentence.cues}
        if _CUE in cues:
            undone.append(sentence.text[sentence.start : sentence.end])
        failure = failure or (_FAILURE_CUE in cues and _is_of_check(sentence, findings))
    lowered = findings.folded.original.lower().replace("\u2019", "'")
    if findings.words:
        lowered += f"\n{findings.plain(slice(None))}"
    lines = lowered.replace("*", "").replace("_", "").replace(". ", "\n").split("\n")
    undone += [line for line in lines if _tells_undone(line)]
    deeds = [spoken(line) or ALL for line in undone]
    return Disclosed(
        frozenset().union(*deeds),
        failure or any(map(lowered.__contains__, _LIMITING)) or any(map(counts_failures, lines)),
    )


def _is_of_check(sentence: Sentence, findings: Findings) -> bool:
    """Tell whether a sentence tells of a check or a deed that failed, or of what still does."""
    if not tells_failure(sentence, findings.folded):
        return False
    words = plain_words(sentence.text[sentence.start : sentence.end])
    return not _OF_CHECKS.isdisjoint(words)


def _tells_undone(line: str) -> bool:
    """Tell whether a line denies a check: "the suite was never run", "tests: skipped"."""
    words = plain_words(line.replace("|", " | ").replace("-run", "run"))
    if not _UNDONE.isdisjoint(words) or any(map(line.__contains__, _REQUESTS)):
        return True
    checks = _CHECK if not _WRONG.isdisjoint(words) else _CHECK | _THINGS
    spelled = line.replace("|", " | ").split()
    for at, word in enumerate(words):
        if word not in _NOT:
            continue
        for behind in range(at + 1, min(at + 1 + _NEAR, len(words))):
            if words[behind] in checks:
                return True
            if spelled[behind - 1][-1:] in _ENDS or spelled[behind][-1:] in _ENDS:
                break
        if word in _BEHIND and not checks.isdisjoint(words[max(0, at - _NEAR) : at]):
            return True
    return False


def counts_failures(line: str) -> bool:
    """Tell whether a line in small letters counts failures: "5 passing, 5 failing", "5/10"."""
    words = plain_words(line.replace("/", " / ").replace(":", " "))
    for word, *others in zip(words, (*words[1:], ""), (*words[2:], "", ""), strict=False):
        if not word.isdecimal() or not int(word):
            continue
        if not _FAILED.isdisjoint(others):
            return True
        joint, total = others
        if joint in ("/", "of", "out") and total.isdecimal() and int(word) < int(total):
            return True
    return False
