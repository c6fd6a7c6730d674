"""What a message reports as run or observed in a turn that called no tool.

Such a turn is talk: what it tells of the work rests on earlier turns, and cannot be checked here.
A fresh observation ("I ran the tests and all pass", "it exited with code 0") can: nothing ran.
"""

from __future__ import annotations

from groundwire.evidence.message.claims import BUILD, LINT, TESTS, TYPES
from groundwire.evidence.past.session import Digest
from groundwire.model import UNSUPPORTED, Verdict
from groundwire.scan.cited_words import ELSEWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.model import Ledger
    from groundwire.scan.filters import Sentence
    from groundwire.scan.find import Findings, Kept

_RUN_CLAIMS = frozenset((TESTS, BUILD, LINT, TYPES, "command"))
_PATH = "reference.path-line"
_EXIT_CODE = "quantity.exit-code"
_RAN = "behavior.verified.ran-tests"
_RUN_VERBS = frozenset("ran reran re-ran executed".split())
_PARTICIPLES = frozenset("run rerun re-run executed".split())
_HAVE = frozenset("i've we've have".split())
_BEFORE_VERB = frozenset("i we and then just also now".split())
#: Words of a prompt that asks for what was done before, or for a text about it.
_ASKS_BACK = frozenset(
    "did done have has had was were before earlier already previous previously last so recap "
    "summarize summarise summary status progress report changelog description pr commit message "
    "notes happened yesterday again still continue".split()
)
_LONGEST_PROMPT = 4_000
_NOTHING_RAN = Verdict(UNSUPPORTED, "no tool was called in this turn, so nothing was run")
_NO_FILE = Verdict(UNSUPPORTED, "no such file or line on disk, and nothing told of it")
_NEVER_RAN = Verdict(UNSUPPORTED, "no tool was called in this session, so nothing was run")


def untooled_verdict(
    findings: Findings, one: Kept, ledger: Ledger, digest: Digest | None
) -> Verdict | None:
    """Return ``unsupported`` for a fresh observation of a run; None: it may be of another turn.

    The turn must be there from its prompt to its message (``ledger.prompt``). Without a ``digest``
    of the session only plain reports of an own run count; with one that says that no tool was ever
    called, every claim about a run does.
    """
    marker = one.candidate.marker
    if one.milder:
        return None
    if marker.id == _PATH:  # the only candidates are those that the disk does not hold
        return _NO_FILE
    is_run = marker.claim in _RUN_CLAIMS
    if not ledger.prompt or not (is_run or marker.id in (_EXIT_CODE, _RAN)):
        return None
    sentence = findings.sentences[one.sentence]
    words = _words(sentence)
    if any(cue.marker.id == "cue.earlier" for cue in sentence.cues):
        return None
    if not ELSEWHERE.isdisjoint(words) or _is_told(one, ledger):
        return None
    if digest is not None:
        return _NEVER_RAN if digest == Digest() else None
    if not _ASKS_BACK.isdisjoint(_plain(ledger.prompt[:_LONGEST_PROMPT])):
        return None
    return _NOTHING_RAN if not is_run or _says_own_run(words) else None


def _is_told(one: Kept, ledger: Ledger) -> bool:
    """Tell whether the user or the harness told the outcome that the message repeats."""
    if one.candidate.marker.id in (_RAN, "reference.command"):
        return False
    signs: tuple[str, ...] = ("pass", "green", "succe")
    if one.candidate.marker.id == _EXIT_CODE:
        signs = ("exit code", "exit status", "exited")
    elif one.candidate.marker.claim != TESTS:
        signs = (*signs, "0 error", "clean")
    told = [ledger.prompt, *ledger.known]
    return any(sign in text.lower() for sign in signs for text in told)


def _says_own_run(words: list[str]) -> bool:
    """Tell whether the writer says that it ran something: "I ran", "and re-ran", "I've run"."""
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if word in _RUN_VERBS and (not place or before in _BEFORE_VERB):
            return True
        if word in _PARTICIPLES and before in _HAVE:
            return True
    return False


def _words(sentence: Sentence) -> list[str]:
    return _plain(sentence.text[sentence.start : sentence.end])


def _plain(text: str) -> list[str]:
    letters = "".join(one if one.isalpha() or one in "'-" else " " for one in text.lower())
    return letters.split()
