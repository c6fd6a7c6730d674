"""Words and tones of decisions and verdicts."""

from __future__ import annotations

DECISIONS = {"block": "Blocked", "report": "Reported", "pass": "Passed"}
DECISION_TONES = {"block": "bad", "report": "warn", "pass": "good"}
VERDICTS = {
    "contradicted": ("Contradicted", "bad", "a tool's output says otherwise"),
    "unsupported": ("Unsupported", "bad", "no tool call of the turn supports it"),
    "qualified": ("Qualified", "warn", "limited by its own words, or neither proved nor refuted"),
    "not_checkable": ("Not checkable", "info", "the turn has nothing to compare it with"),
    "earlier": ("Earlier", "info", "known from an earlier turn"),
    "supported": ("Supported", "good", "a tool call of the turn supports it"),
}
MAIN_AGENT = "main agent"
WORDS_ONLY = ("Words only", "warn", "no verdict: judged by the words alone")


def decision_words(decision: str) -> tuple[str, str]:
    """Return words and tone of a decision."""
    return DECISIONS.get(decision, decision), DECISION_TONES.get(decision, "")


def verdict_words(verdict: str) -> tuple[str, str, str]:
    """Return words, tone and meaning of a verdict."""
    return VERDICTS.get(verdict, WORDS_ONLY)


def kind_words(kind: str) -> str:
    """Return a kind as it is read."""
    return kind.replace("_", " ")
