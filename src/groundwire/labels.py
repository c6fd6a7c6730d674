"""Labels that a writer puts at statements: ``[VERIFIED: command]``, ``[INFERRED]`` and the like.

A ``VERIFIED`` is held against the turn: where its command did not run, or failed last, the label is
contradicted. The others disclose that nothing shows a statement, and spare it.
"""

from __future__ import annotations

from bisect import bisect_right

from groundwire.evidence.claims import RUN, Claim
from groundwire.evidence.programs import program_of
from groundwire.evidence.records import FAILED, REPORT_TOOLS, Fact
from groundwire.evidence.told import shown_by
from groundwire.evidence.weigh import weigh
from groundwire.model import Marker, Match, Suppressed
from groundwire.rules.programs import INTERPRETERS, PROGRAMS, WRAPPERS
from groundwire.text.fold import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.analysis import Evidence
    from groundwire.evidence.timeline import Timeline
    from groundwire.model import Analysis
    from groundwire.scan.filters import Sentence
    from groundwire.scan.find import Findings
    from groundwire.settings import Settings

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


def with_labels(
    analysis: Analysis, findings: Findings, settings: Settings, evidence: Evidence
) -> Analysis:
    """Return the analysis with the labels taken into account; matches stay sorted by offset."""
    labels = list(_labels(findings))
    spans = [_span_at(findings, start) for name, _, start, _ in labels if name != VERIFIED]
    kept, spared = _denied_matches(labels, findings, settings, evidence), []
    for match in analysis.matches:
        if match.sentence in spans:
            spared.append(
                Suppressed(match.kind, match.evidence, match.offset, match.marker, *SPARED)
            )
        elif not any(start <= match.offset < end for _, _, start, end in labels):
            kept.append(match)  # the word VERIFIED of a label is no statement
    kept.sort(key=lambda match: match.offset)
    return analysis.replace(matches=tuple(kept), suppressed=(*analysis.suppressed, *spared))


def _denied_matches(
    labels: Sequence[tuple[str, str, int, int]],
    findings: Findings,
    settings: Settings,
    evidence: Evidence,
) -> list[Match]:
    """Return a match for each ``[VERIFIED: command]`` that the turn contradicts, in order.

    What cannot be told contradicts nothing: a turn that was not read whole, what another agent ran,
    what is no command, and a command of an earlier turn.
    """
    turn = evidence.turn
    off = MARKER.kind in settings.kinds_off or MARKER.id in settings.markers_off
    if turn is None or turn.partial or off:
        return []
    matches = []
    original = findings.folded.original
    past = [run.command.split() for run in (evidence.digest.runs if evidence.digest else ())]
    for name, label_text, start, end in labels:
        words = [word for word in label_text.replace("`", " ").split() if word[0] != "-"]
        fact = _fact(words, label_text, turn, past) if words and name == VERIFIED else None
        if fact is None:
            continue
        span = _span_at(findings, start)
        text = original[slice(*span)]
        feature = "not_done" if fact.shown is None else "failed_open"
        claim = Claim(0, frozenset((RUN,)), frozenset(("verified",)), text, text.lower(), "")
        weighed = weigh(claim, (MARKER,), {feature: fact}, settings)
        parts = (weighed.confidence, MARKER, span, weighed.factors, weighed.verdict)
        matches.append(Match(MARKER.kind, original[start:end], start, *parts))
    return matches


def _fact(
    words: Sequence[str], label: str, turn: Timeline, past: Sequence[Sequence[str]]
) -> Fact | None:
    """Return how the turn contradicts that the command of these words shows something."""
    is_command, words = _named_command(words, label)
    runs = [run for run in turn.runs if _holds(run.command.split(), words)]
    if runs:
        last = runs[-1]
        is_open = last.outcome.status == FAILED and last in turn.failures
        return shown_by(1.0, last, "failed last") if is_open else None
    others = any(call.name in REPORT_TOOLS for call in turn.calls)
    ran = any(_holds(command, words) for _, command in turn.texts.commands)
    if not is_command or others or ran or any(_holds(command, words) for command in past):
        return None
    return Fact(1.0, None, f"the label names `{label.strip(' `')}`, which was not run in this turn")


def _named_command(words: Sequence[str], label_text: str) -> tuple[bool, Sequence[str]]:
    """Tell whether a label names a command, and give the words by which it is found.

    An interpreter counts with an option or a file behind it, a wrapper with a program: other words
    there are prose. Which of them it was does not count.
    """
    program, rest = program_of(words[0]), words[1:]
    if program in INTERPRETERS and rest:
        own = " -" in label_text or any("/" in word or "." in word.strip(".") for word in rest)
        return own, rest if own else words
    if program in WRAPPERS and rest and program_of(rest[0]) in PROGRAMS:
        return True, rest
    return words[0].startswith("./") or program in PROGRAMS, words


def _holds(command: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether the words of a label stand in a command, in any order, ends of paths aside."""
    command_words = {word.rstrip("/") for word in command}
    return all(word.rstrip("/") in command_words for word in words)


def _labels(findings: Findings) -> Iterator[tuple[str, str, int, int]]:
    """Yield name, text, start and end of each label in the prose of a message, in order."""
    original, masked = findings.folded.original, findings.folded.masked
    at = -1
    while (at := original.find("[", at + 1)) >= 0:
        end = original.find("]", at, at + _LONGEST)
        name, _, label_text = original[at + 1 : max(end, at + 1)].partition(":")
        if name in NAMES and masked[at] == "[" and original[end + 1 : end + 2] != "(":
            yield name, label_text, at, end + 1


def _span_at(findings: Findings, at: int) -> tuple[int, int]:
    """Return where the sentence stands that a label is of: the one before a lone label."""
    folded, sentences = findings.folded, findings.sentences
    position = folded.position(at)
    number = max(0, bisect_right([one.start for one in sentences], position) - 1)
    before = sentences[number - 1] if number else None
    is_behind = before is not None and before.block == sentences[number].block
    one = sentences[number - 1] if is_behind and _is_label(sentences[number]) else sentences[number]
    return folded.span(one.start, one.end)


def _is_label(sentence: Sentence) -> bool:
    said = sentence.text[sentence.start : sentence.end]
    inside, _, behind = said.partition("]")
    return inside.startswith("[") and not any(map(is_word, behind))
