"""The text that goes back to the model when a turn is stopped, and what the user is told."""

from __future__ import annotations

from groundwire.base.model import (
    BLOCK,
    CONTRADICTED,
    STRENGTHS,
    UNSUPPORTED,
    Decision,
    Judged,
    Match,
    Verdict,
)
from groundwire.language.safe import MOST, quoted, safe, without_secrets
from groundwire.report.prose import counted

LONGEST_REASON = 1000
_HEAD = "not backed by evidence in this turn:"
#: How everything begins that goes back to the model.
NAME = "groundwire: "
#: The last line, for whoever reads along; what it names shows, and changes nothing.
_TO_USER = "(User: groundwire why shows what decided.)"
#: What a turn is asked for whose confidence is too low (requirement R000-24).
_LIFT = (
    "Do what lifts it and answer again. If that cannot be done, answer: "
    "I don't know - my confidence is too low to answer this accurately."
)
_MOST_STATEMENTS = 4
#: A judge that gives a statement less than this does not speak against it.
_DOUBTED = 50
_LONGEST_COMMAND = 60
#: What a command may hold, beside letters and digits, that stands without quotation marks.
_PLAIN = "_./:=@,-"
#: Characters of a quoted sentence; the shorter ones are for reasons that would be too long.
QUOTE_LENGTHS = (110, 80, 50)

#: What to do about a statement that the turn speaks against.
_REPAIRS_OF = {
    CONTRADICTED: "Correct it, or run it again",
    UNSUPPORTED: "Check it, or say it is open",
}
#: What to do about a statement that an accuser speaks against.
REPAIRS_OF_FACTS = {
    "run_failed": "Say so, or mend it and run it again",
    "run_never": "Run it, or say that it was not run",
    "run_empty": "Run it so that its result shows, or say that it was not run",
    "count": "Give the number that was printed",
    "deed_failed": "Say so, or do it again",
    "guess_as_answer": "Look at it, or say that it is open",
}
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


def reason_text(text: str, decision: Decision, *, interactive: bool, confidence: str = "") -> str:
    """Return the instruction to the model, at most 1,000 characters.

    ``interactive`` False means that only the final message will be read, so the whole answer has
    to be given again. ``confidence`` is what a confidence model says of the message; it stands
    behind the statements, or alone when it is what stops the turn.
    """
    confidence = safe(confidence, LONGEST_REASON)
    if not decision.blocking:
        return _cut_reason(f"{NAME}{confidence}\n{_LIFT}", _LIFT)
    instruction = (
        "Give only the corrected statements, not the whole answer again."
        if interactive
        else "Give the whole answer again with these statements corrected."
    ) + f"\n{_TO_USER}"
    sentences = worst_per_sentence(decision.blocking)
    head = f"{NAME}{counted(len(sentences), 'statement')} {_HEAD}"
    reason = ""
    for length in QUOTE_LENGTHS:
        lines = [head, *_statement_lines(text, sentences, length), confidence, instruction]
        reason = "\n".join(filter(None, lines))
        if len(reason) <= LONGEST_REASON:
            break
    return _cut_reason(reason, instruction)


def _statement_lines(text: str, sentences: list[Match], length: int) -> list[str]:
    """Return one line for each of the worst statements, and one that counts the others.

    Those that rest on the same call stand together, behind the worst of them.
    """
    calls: dict[str, dict[str, list[Match]]] = {}
    call_ids: set[str] = set()
    for match in sentences[:_MOST_STATEMENTS]:
        missing = missing_in(match)
        call = match.verdict.call_id if match.verdict else ""
        calls.setdefault(call or missing, {}).setdefault(missing, []).append(match)
    lines = [
        f"- {', '.join(quote_of(text, match, length) for match in group)}: "
        f"{missing_in(group[0], call_ids)}."
        for alike in calls.values()
        for group in alike.values()
    ]
    more = len(sentences) - _MOST_STATEMENTS
    return [*lines, f"- and {more} more of this kind."] if more > 0 else lines


def worst_per_sentence(matches: tuple[Match, ...]) -> list[Match]:
    """Keep the worst match of each sentence, worst first; of equal ones the most telling."""
    worst: dict[tuple[int, int], Match] = {}
    for match in sorted(matches, key=rank):
        worst.setdefault(match.sentence, match)
    return list(worst.values())


def rank(match: Match) -> tuple[bool, int, int, int]:
    """Return by what statements are ordered in a reason, the least first."""
    telling = STRENGTHS.index(match.marker.strength or STRENGTHS[0])
    denied = match.verdict is not None and match.verdict.status == CONTRADICTED
    return not denied, -match.confidence, -telling, match.offset


def missing_in(match: Match, named: set[str] | None = None) -> str:
    """Say what speaks against the statement; a call that is ``named`` is not named again."""
    verdict = match.verdict
    printed = verdict is not None and verdict.status == CONTRADICTED and bool(verdict.line)
    if match.judged and match.judged.why and match.judged.probability >= _DOUBTED and not printed:
        return f"{_judge_text(match.judged)}. {_REPAIRS_OF[UNSUPPORTED]}"
    if verdict and verdict.why and verdict.status in _REPAIRS_OF:
        repair = REPAIRS_OF_FACTS.get(match.accuser, _REPAIRS_OF[verdict.status])
        return f"{_verdict_text(verdict, named)}. {repair}"
    return REPAIRS[match.kind]


def _verdict_text(verdict: Verdict, named: set[str] | None) -> str:
    """Return what a verdict says; its command and what stands in quotes are the words of others."""
    command = verdict.command if verdict.why.startswith(verdict.command) else ""
    says, mark, words = verdict.why[len(command) :].partition('"')
    clause = safe(says)
    if named is not None and command and verdict.call_id:
        if verdict.call_id in named:
            return f"the same run {clause}"
        named.add(verdict.call_id)
    end = quoted(words.removesuffix('"')) if mark else ""
    return " ".join(filter(None, (command and _command_text(command), clause, end)))


def _command_text(command: str, longest: int = MOST) -> str:
    """Return a command of one plain word as it is, and any other quoted."""
    is_plain = command.isascii() and all(sign.isalnum() or sign in _PLAIN for sign in command)
    return safe(command, longest) if is_plain else quoted(command, longest)


def _judge_text(judged: Judged) -> str:
    """Quote a judge, with the call that it rests on."""
    command = judged.command and f": {_command_text(judged.command, _LONGEST_COMMAND)}"
    call = f" (call {judged.call}{command})" if judged.call else ""
    return f"a reviewer of this turn says {quoted(judged.why.rstrip('.'))}{call}"


def quote_of(text: str, match: Match, longest: int) -> str:
    """Return the sentence, cut around the evidence when it is long, between words.

    Emphasis goes, and so do the marks of code that the cut leaves without their other half.
    """
    start, end = match.sentence
    sentence = without_secrets(text[start:end])
    if sentence != text[start:end]:  # a cut could part a secret from the name that tells it
        return quoted(sentence, longest)
    if end - start > longest:
        middle = match.offset + len(match.evidence) // 2
        start = max(start, min(middle - longest // 2, end - longest))
        end = min(end, start + longest)
        if start > match.sentence[0]:
            space = text.find(" ", start, match.offset)
            start = space + 1 if space >= 0 else start
        if end < match.sentence[1]:
            space = text.rfind(" ", match.offset + len(match.evidence), end)
            end = space if space >= 0 else end
    opening = "..." if start > match.sentence[0] else ""
    behind = "..." if end < match.sentence[1] else ""
    excerpt = text[start:end].strip().replace("**", "")
    if excerpt.count("`") % 2:
        excerpt = excerpt.replace("`", "")
    return quoted(f"{opening}{excerpt}{behind}")


def _cut_reason(reason: str, instruction: str) -> str:
    if len(reason) <= LONGEST_REASON:
        return reason
    room = LONGEST_REASON - len(instruction) - len("...\n")
    return f"{reason[:room].rstrip()}...\n{instruction}"


def let_through_text(decision: Decision) -> str:
    """Return what the user is told when findings remain after the blocks of a prompt."""
    count = counted(_sentences(decision), "unsupported statement")
    return f"the turn ended with {count}: {decision.why}."


def _sentences(decision: Decision) -> int:
    return len({match.sentence for match in decision.matches})


def notifications(decision: Decision) -> list[str]:
    """Return what the user is told about findings that do not stop the turn, if there are any."""
    return [] if decision.action == BLOCK or not decision.matches else [notification_text(decision)]


def notification_text(decision: Decision) -> str:
    """Return what the user is told about findings that do not stop the turn."""
    worst = max(decision.matches, key=lambda match: match.confidence)
    count = counted(_sentences(decision), "doubtful statement")
    shown = quoted(worst.evidence)
    text = f"{NAME}{count}, the worst at {worst.confidence}: {shown}"
    judged = worst.judged
    if judged and judged.why:
        text += f"; the judge gives it {judged.probability:g}: {quoted(judged.why)}"
    return text


def statements_of(text: str, decision: Decision) -> list[tuple[Match, str, str]]:
    """Return the worst match of each statement that stops a turn, its quotation, and why."""
    worst = worst_per_sentence(decision.blocking)
    return [(match, quote_of(text, match, QUOTE_LENGTHS[0]), missing_in(match)) for match in worst]
