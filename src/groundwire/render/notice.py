"""What the user is told of findings that do not stop a turn."""

from __future__ import annotations

from groundwire.model import BLOCK, Decision
from groundwire.render.prose import counted
from groundwire.render.reason import NAME
from groundwire.text.safe import quoted


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
