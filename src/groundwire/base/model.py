"""The records that flow through the pipeline, and the words they are made of.

Offsets are code points. ``start``/``end`` of a candidate count in the folded text; ``offset`` of a
match counts in the original message, and ``text[offset:offset + len(evidence)] == evidence``.
"""

from __future__ import annotations

from math import exp, log

from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What a match can be, in the order in which reports list them.
KINDS = (
    "speculation_language",
    "causality_language",
    "certainty_language",
    "completeness_claim",
    "ungrounded_behavioral_assertion",
    "unsupported_absence",
    "pseudo_quantification",
    "evaluative_design_claim",
    "internal_contradiction",
    "unsupported_reference",
)
#: Automaton entries that yield no match: longer phrases that cancel a marker, and context words.
BLOCKER = "blocker"
CUE = "cue"

#: How a run ended.
PASSED = "passed"
FAILED = "failed"
UNKNOWN = "unknown"

FAINT = "faint"
#: Claim of markers that count only where the turn denies their sentence.
TOLD = "told"
CERTAINTY = "certainty"
STRENGTHS = (FAINT, "weak", "medium", "strong", CERTAINTY)

SUPPORTED = "supported"
QUALIFIED = "qualified"
UNSUPPORTED = "unsupported"
CONTRADICTED = "contradicted"
EARLIER = "earlier"
NOT_CHECKABLE = "not_checkable"
VERDICTS = (SUPPORTED, QUALIFIED, UNSUPPORTED, CONTRADICTED, EARLIER, NOT_CHECKABLE)

BLOCK = "block"
REPORT = "report"
PASS = "pass"  # noqa: S105 - a decision, not a password


class Marker(Record):
    """One entry of a pattern file, compiled.

    ``only`` and ``unless`` are context patterns: ``~`` stands for the marker, ``^`` and ``$`` for
    the two ends of its sentence. ``only`` needs one of them to hold, ``unless`` none.
    """

    id: str
    kind: str
    strength: str = ""
    claim: str = ""
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    note: str = ""


class Candidate(Record):
    """An occurrence of a marker in the folded text, before resolution."""

    start: int
    end: int
    marker: Marker

    def __hash__(self) -> int:
        return hash((self.start, self.end))


class Factor(Record):
    """One named input of a confidence: ``weight * value`` logits, worth ``points`` of 0-100.

    ``says`` is what it found in the turn, ``call_id`` the tool call that shows it.
    """

    name: str
    weight: float
    value: float
    points: int = 0
    says: str = ""
    call_id: str = ""


class Verdict(Record):
    """What the turn says of a claim, for the reader, and the tool call that shows it."""

    status: str
    why: str = ""
    call_id: str = ""
    command: str = ""
    line: str = ""


class Judged(Record):
    """What a judge says of a statement: ``probability`` (0-100) that it would be challenged.

    ``why`` is one short line, ``call`` the number (from 1) of the tool call that it names, or 0,
    with its ``command``.
    """

    probability: int
    why: str = ""
    call: int = 0
    command: str = ""


class Match(Record):
    """A kept occurrence with its confidence (0-100, high is bad).

    ``judged`` is there when a judge was asked about the turn and spoke of this sentence.
    """

    kind: str
    evidence: str
    offset: int
    confidence: int
    marker: Marker
    sentence: tuple[int, int]
    factors: tuple[Factor, ...] = ()
    verdict: Verdict | None = None
    context: str = ""  # the filter that made it milder, if one did
    judged: Judged | None = None
    accuser: str = ""  # who states a fact of the session against the sentence

    def __hash__(self) -> int:
        return hash((self.offset, self.marker.id))


class Suppressed(Record):
    """A candidate that a named filter dropped."""

    kind: str
    evidence: str
    offset: int
    marker: Marker
    filter: str
    reason: str


class ToolCall(Record):
    """One tool call of the turn with what the harness returned; ``result`` is None when missing.

    ``background_id`` names the task of a call that went on in the background: its result says only
    that it was started.
    """

    id: str
    name: str
    input: dict[str, Any]
    result: str | None = None
    is_error: bool = False
    interrupted: bool = False
    background_id: str = ""


class Turn(Record):
    """What one turn of the main chain held, from the last human prompt to its end.

    ``known`` holds texts that came from the harness or the user but from no tool call:
    attachments, hook context, compaction summaries. ``said`` are the model's texts before the final
    message, each behind the number of calls made before it. ``partial`` says that reading stopped
    at the cap before the prompt was found, ``follows`` that earlier turns called tools, too,
    ``first`` that its session begins with it.
    ``prompt_id`` is the client's name for the human prompt, ``client`` the version that wrote it.
    """

    prompt: str = ""
    message: str = ""
    message_id: str = ""
    calls: tuple[ToolCall, ...] = ()
    known: tuple[str, ...] = ()
    partial: bool = False
    interrupted: bool = False
    timestamp: str = ""
    session_id: str = ""
    cwd: str = ""
    said: tuple[tuple[int, str], ...] = ()
    follows: bool = False
    first: bool = False
    prompt_id: str = ""
    client: str = ""


class Analysis(Record):
    """Everything that the pipeline says about one message; matches sorted by offset."""

    text: str
    matches: tuple[Match, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    language: str = ""  # as in ``Findings``


class Decision(Record):
    """What happens to the turn; ``blocking`` are the matches that caused a block.

    ``let_through`` names the prompt when findings remain after blocks were spent on it.
    """

    action: str
    matches: tuple[Match, ...] = ()
    blocking: tuple[Match, ...] = ()
    why: str = ""
    let_through: str = ""


class Outcome(Record):
    """What an output says: ``status``, counts as printed (None: not printed), the deciding line."""

    status: str = UNKNOWN
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None
    total: int | None = None
    line: str = ""


def percent(value: float) -> int:
    """Return ``round_half_up(100 * sigmoid(value))``; safe for any finite logit."""
    if value < 0:
        power = exp(max(value, -700.0))
        return int(100 * power / (1 + power) + 0.5)
    return int(100 / (1 + exp(-min(value, 700.0))) + 0.5)


def logit(prior: float) -> float:
    """Return the log odds of a probability between 0 and 1."""
    return log(prior / (1 - prior))
