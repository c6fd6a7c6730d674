"""Labels that a writer puts at statements: ``[VERIFIED: command]``, ``[INFERRED]`` and the like.

A ``VERIFIED`` is held against the turn: where its command failed last, or surely did not run, the
label is contradicted. The others disclose that nothing shows a statement, and spare it.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from groundwire.base.model import CONTRADICTED, Marker, Match, Suppressed
from groundwire.base.rules.lists import ROOTS
from groundwire.base.rules.programs import PROGRAMS, ROWS
from groundwire.inputs.shell.commands import read_commands
from groundwire.inputs.shell.paths import file_name, is_code
from groundwire.language.fold import is_word
from groundwire.language.numbers import find_numbers
from groundwire.language.words import plain_words
from groundwire.turn.programs import classify, kind_by_name, program_of
from groundwire.turn.records import FAILED, GIT, LINT, TEST, TYPES, Fact
from groundwire.turn.session import KEPT
from groundwire.verdict.assess import weigh
from groundwire.verdict.claims import SURE, Claim
from groundwire.verdict.disclosures import tells_failure
from groundwire.verdict.mentions import shown_by
from groundwire.verdict.session_did import could_have_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.base.model import Analysis
    from groundwire.base.settings import Settings
    from groundwire.inputs.shell.commands import Command
    from groundwire.language.find import Findings
    from groundwire.language.fold import Sentence
    from groundwire.turn.timeline import Timeline
    from groundwire.verdict.evidence import Evidence

VERIFIED = "VERIFIED"
NAMES = (VERIFIED, "INFERRED", "ASSUMED", "UNVERIFIED")
MARKER = Marker(
    "certainty.label-verified",
    "certainty_language",
    "certainty",
    "verified",
    note="A label names the command that shows its statement, as it ran in this turn.",
)
#: Filter of what a label discloses, and its reason.
SPARED = ("label", "a label says that nothing shows it")
#: Characters of a label that are read.
_LONGEST = 200
#: What stands between the commands of a label in prose, and what begins a comment on one.
_JOINTS = (", ", " and ", " then ", " plus ")
_COMMENTS = ("->", "=>", "\u2192", "\u21d2", ": ", " (", " \u2013 ", " \u2014 ", " - ")
#: Words of a label or its statement with which a failing command shows what they tell.
_SHOWN_BY_FAILURE = frozenset(
    "conflicts fail fails failing missing raises red rejects refuses reproduce reproduces "
    "reproduced".split()
)
#: Kinds of runs whose text names what they run.
_CLEAR = (TEST, TYPES, LINT, GIT)
#: Commands that run what a file says, and tools that show what an earlier command printed.
_BY_FILE, _LATER_OUTPUT = (".", "source"), ("BashOutput", "TaskOutput")


def with_labels(
    analysis: Analysis, findings: Findings, settings: Settings, evidence: Evidence
) -> Analysis:
    """Return the analysis with the labels taken into account; matches stay sorted by offset."""
    starts = [one.start for one in findings.sentences]
    labels = list(_labels(findings))
    spans = {_span_at(findings, starts, start) for name, _, start, _ in labels if name != VERIFIED}
    kept, spared = _denied_matches(labels, starts, findings, settings, evidence), []
    places = [start for _, _, start, _ in labels]
    for match in analysis.matches:
        at = bisect_right(places, match.offset) - 1
        if match.sentence in spans:
            spared.append(
                Suppressed(match.kind, match.evidence, match.offset, match.marker, *SPARED)
            )
        elif at < 0 or match.offset >= labels[at][3]:
            kept.append(match)  # the word VERIFIED of a label is no statement
    kept.sort(key=lambda match: match.offset)
    return analysis.replace(matches=tuple(kept), suppressed=(*analysis.suppressed, *spared))


def _denied_matches(
    labels: Sequence[tuple[str, str, int, int]],
    starts: Sequence[int],
    findings: Findings,
    settings: Settings,
    evidence: Evidence,
) -> list[Match]:
    """Return a match for each ``[VERIFIED: command]`` that the turn contradicts, in order.

    What cannot be told contradicts nothing. Labels that ``watch`` has no time for are left out.
    """
    turn = evidence.turn
    off = MARKER.kind in settings.kinds_off or MARKER.id in settings.markers_off
    if turn is None or turn.partial or off:
        return []
    matches = []
    original = findings.folded.original
    for name, label_text, start, end in labels:
        if name != VERIFIED:
            continue
        if evidence.watch.is_over("the last labels"):
            break
        fact = evidence.watch.attempt("a label", _denial, None, label_text, turn, evidence)
        if fact is None:
            continue
        span = _span_at(findings, starts, start)
        text = original[slice(*span)]
        feature = "not_done" if fact.shown is None else "failed_open"
        if fact.shown is not None and _is_of_failure(findings, starts, start, label_text):
            continue
        claim = Claim(0, frozenset((SURE,)), frozenset(("verified",)), text, text.lower(), "")
        weighed = weigh(claim, (MARKER,), {feature: fact}, settings)
        verdict = weighed.verdict.replace(status=CONTRADICTED)
        parts = (weighed.confidence, MARKER, span, weighed.factors, verdict)
        accuser = "run_never" if fact.shown is None else "run_failed"
        match = Match(MARKER.kind, original[start:end], start, *parts, accuser=accuser)
        matches.append(match)
    return matches


def _is_of_failure(findings: Findings, starts: Sequence[int], at: int, label_text: str) -> bool:
    """Tell whether a label or its statement tells the failure that its command shows."""
    numbers = {_sentence_of(findings, starts, at), _sentence_at(findings, starts, at)}
    sentences = [findings.sentences[number] for number in numbers]
    texts = (label_text, *(one.text[one.start : one.end] for one in sentences))
    words = {word for text in texts for word in plain_words(text.lower())}
    counts = find_numbers(label_text)
    return (
        not _SHOWN_BY_FAILURE.isdisjoint(words)
        or any(one.outcome == "failed" and one.value for one in counts)
        or any(tells_failure(one, findings.folded) for one in sentences)
    )


def _denial(label_text: str, turn: Timeline, evidence: Evidence) -> Fact | None:
    """Return how the turn contradicts that the commands of a label show something."""
    missing: Fact | None = None
    in_code = label_text.split("`")[1::2]
    text = " ; ".join(in_code) or _as_shell(label_text)
    is_version = any(map(text.count, "<>"))  # "pytest>=8"
    for command in read_commands(text):
        known = classify(command)
        if known is None or known.kind not in KEPT:
            continue
        runs = [run for run in turn.runs if run.signature == known.signature]
        if runs and runs[-1].outcome.status == FAILED and runs[-1] in turn.failures:
            return shown_by(1.0, runs[-1], "failed last")
        is_sure = missing is None and not is_version
        is_sure = is_sure and _is_certain(command, turn, in_code=bool(in_code))
        if is_sure and evidence.whole and not _may_have_run(known.kind, turn, evidence):
            says = f"the label names `{command.text}`, which was not run in this turn"
            missing = Fact(1.0, None, says)
    return missing


def _is_certain(command: Command, turn: Timeline, *, in_code: bool) -> bool:
    """Tell whether words are a command, by the table and, in prose, the form of its arguments.

    A file that the turn names is no command.
    """
    first, program = command.argv[0], program_of(command.argv[0])
    if program not in PROGRAMS:
        return first.startswith("./") and not turn.texts.knows_path(first)
    own = {word for number in PROGRAMS[program] for several in ROWS[number][0] for word in several}
    return in_code or all(
        before[:1] == "-" or word in own or _is_argument(word)
        for before, word in pairwise(command.argv)
    )


def _is_argument(word: str) -> bool:
    """Tell whether a word has the form of an option, a place or a task, and not of a version."""
    name = file_name(word.partition("::")[0].rstrip("/"))
    if "." in name.strip("."):
        return is_code(name)
    return not word.isalnum() or word in ROOTS or bool(kind_by_name(word))


def _as_shell(label_text: str) -> str:
    """Return a label with its commands joined and commented on as a shell reads it."""
    for joint in _JOINTS:
        label_text = label_text.replace(joint, " ; ")
    for sign in _COMMENTS:
        label_text = label_text.replace(sign, " # ")
    return label_text


def _may_have_run(kind: str, turn: Timeline, evidence: Evidence) -> bool:
    past = evidence.digest
    return could_have_done(kind, turn, past.text if past else "") or (
        past is not None and kind in past.deeds
    )


def _labels(findings: Findings) -> Iterator[tuple[str, str, int, int]]:
    """Yield name, text, start and end of each label in the prose of a message, in order."""
    original, masked = findings.folded.original, findings.folded.masked
    at = -1
    while (at := original.find("[", at + 1)) >= 0:
        end = original.find("]", at, at + _LONGEST)
        name, _, label_text = original[at + 1 : max(end, at + 1)].partition(":")
        if name in NAMES and masked[at] == "[" and original[end + 1 : end + 2] != "(":
            yield name, label_text, at, end + 1


def _sentence_at(findings: Findings, starts: Sequence[int], at: int) -> int:
    return max(0, bisect_right(starts, findings.folded.position(at)) - 1)


def _sentence_of(findings: Findings, starts: Sequence[int], at: int) -> int:
    """Return the number of the sentence that a label is of: the one before a lone label."""
    sentences, number = findings.sentences, _sentence_at(findings, starts, at)
    is_lone = number > 0 and _is_label(sentences[number])
    return number - (is_lone and sentences[number - 1].block == sentences[number].block)


def _span_at(findings: Findings, starts: Sequence[int], at: int) -> tuple[int, int]:
    """Return where the sentence stands that a label is of."""
    one = findings.sentences[_sentence_of(findings, starts, at)]
    return findings.folded.span(one.start, one.end)


def _is_label(sentence: Sentence) -> bool:
    said = sentence.text[sentence.start : sentence.end]
    inside, _, behind = said.partition("]")
    return inside.startswith("[") and not any(map(is_word, behind))
