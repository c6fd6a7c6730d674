"""The text that goes back to the model when a turn is stopped: short, factual, one repair each."""

from __future__ import annotations

from groundwire.model import CONTRADICTED, Decision, Match

LONGEST_REASON = 1000
_MOST_STATEMENTS = 4
_LONGEST_QUOTE = 110

#: What is missing and what to do about it, where no verdict says so more exactly.
REPAIRS = {
    "speculation_language": "a guess given as the answer. Check it, or say what is not verified",
    "causality_language": "no tool result of this turn shows this cause. Show it, or call it open",
    "certainty_language": "the certainty is not earned by a result. Name the result or drop it",
    "completeness_claim": "the scope was not shown to be covered. List what was done and checked",
    "ungrounded_behavioral_assertion": "no result of this turn shows it. Run it, or say it is open",
    "unsupported_absence": "no search of this turn shows it. Search, or limit the statement",
    "pseudo_quantification": "the number has no source. Give the measurement, or leave it out",
    "evaluative_design_claim": "a verdict without a comparison. Give the comparison or drop it",
    "internal_contradiction": "it contradicts another statement of the message. Say which holds",
    "unsupported_reference": "the reference is not known from this turn. Open it, or leave it out",
}


def reason_text(text: str, decision: Decision, *, interactive: bool) -> str:
    """Return the instruction to the model, at most 1,000 characters.

    ``interactive`` False means that only the final message will be read, so the whole answer has
    to be given again.
    """
    sentences = _by_sentence(decision.blocking)
    lines = [f"- {_quote(text, m)}: {_missing(m)}." for m in sentences[:_MOST_STATEMENTS]]
    more = len(sentences) - _MOST_STATEMENTS
    if more > 0:
        lines.append(f"- and {more} more of this kind.")
    again = (
        "Give only the corrected statements, not the whole answer again."
        if interactive
        else "Give the whole answer again with these statements corrected."
    )
    head = "Not backed by evidence in this turn:"
    return _cut("\n".join([head, *lines, again]), again)


def let_through_text(decision: Decision) -> str:
    """Return what the user is told when findings remain after the blocks of a prompt."""
    count = len(decision.matches)
    noun = "statement" if count == 1 else "statements"
    return f"groundwire let the turn end with {count} unsupported {noun}: {decision.why}."


def _by_sentence(matches: tuple[Match, ...]) -> list[Match]:
    """Keep the worst match of each sentence, worst first."""
    worst: dict[tuple[int, int], Match] = {}
    for match in sorted(matches, key=lambda m: (-_gravity(m), -m.confidence, m.offset)):
        worst.setdefault(match.sentence, match)
    return list(worst.values())


def _gravity(match: Match) -> int:
    return 1 if match.verdict and match.verdict.status == CONTRADICTED else 0


def _missing(match: Match) -> str:
    if match.verdict and match.verdict.why:
        return f"{match.verdict.why}. Check it, or say that it is open"
    return REPAIRS[match.kind]


def _quote(text: str, match: Match) -> str:
    """Return the sentence, cut around the evidence when it is long."""
    start, end = match.sentence
    if end - start > _LONGEST_QUOTE:
        middle = match.offset + len(match.evidence) // 2
        start = max(start, min(middle - _LONGEST_QUOTE // 2, end - _LONGEST_QUOTE))
        end = min(end, start + _LONGEST_QUOTE)
    words = " ".join(text[start:end].split())
    before = "..." if start > match.sentence[0] else ""
    behind = "..." if end < match.sentence[1] else ""
    return f'"{before}{words}{behind}"'


def _cut(reason: str, again: str) -> str:
    if len(reason) <= LONGEST_REASON:
        return reason
    room = LONGEST_REASON - len(again) - len("...\n")
    return f"{reason[:room].rstrip()}...\n{again}"
