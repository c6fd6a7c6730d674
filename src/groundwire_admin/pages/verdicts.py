"""Words and tones of decisions and verdicts."""

from __future__ import annotations

from groundwire_admin.service.verdict_line import MEANINGS

DECISIONS = {"block": "Blocked", "report": "Reported", "pass": "Passed"}
DECISION_TONES = {"block": "bad", "report": "warn", "pass": "good"}
_VERDICTS = {
    "contradicted": ("Contradicted", "bad"),
    "unsupported": ("Unsupported", "bad"),
    "qualified": ("Qualified", "warn"),
    "not_checkable": ("Not checkable", "info"),
    "earlier": ("Earlier", "info"),
    "supported": ("Supported", "good"),
}
_LOOKS = {
    "wake": ("Woken", "bad"),
    "note": ("Noted", "warn"),
    "nothing": ("Nothing told", ""),
}
MAIN_AGENT = "main agent"


def decision_words(decision: str) -> tuple[str, str]:
    """Return words and tone of a decision."""
    return DECISIONS.get(decision, decision), DECISION_TONES.get(decision, "")


def look_words(act: str) -> tuple[str, str]:
    """Return words and tone of what came of a second look."""
    return _LOOKS.get(act, _LOOKS["nothing"])


def verdict_words(verdict: str) -> tuple[str, str, str]:
    """Return words, tone and meaning of a verdict."""
    verdict = verdict if verdict in _VERDICTS else ""
    return (*_VERDICTS.get(verdict, ("Words only", "warn")), MEANINGS[verdict])


def kind_words(kind: str) -> str:
    """Return a kind as it is read."""
    return kind.replace("_", " ")
