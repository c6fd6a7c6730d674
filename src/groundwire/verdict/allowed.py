"""What the settings of a user take out of the findings: kinds, markers and allowed phrases."""

from __future__ import annotations

from groundwire.base.settings import Settings
from groundwire.language.automaton import is_bounded
from groundwire.language.candidates import Dropped, Kept
from groundwire.language.find import Findings
from groundwire.language.fold import fold_phrase


def without_allowed(findings: Findings, settings: Settings) -> tuple[list[Kept], list[Dropped]]:
    """Return the candidates without those that the settings switch off or allow, and all dropped.

    The reason of each that is taken out names the setting, or is the one given for the allowance.
    """
    phrases = _allowed_spans(findings.folded.text, settings)
    allowed_ids = {allow.marker: allow.reason for allow in settings.allow if allow.marker}
    kept: list[Kept] = []
    dropped = list(findings.dropped)
    for one in findings.kept:
        marker = one.candidate.marker
        if marker.kind in settings.kinds_off:
            dropped.append(Dropped(one.candidate, "settings", f"kind {marker.kind} is off"))
        elif marker.id in settings.markers_off:
            dropped.append(Dropped(one.candidate, "settings", f"marker {marker.id} is off"))
        elif marker.id in allowed_ids:
            dropped.append(Dropped(one.candidate, "allowlist", allowed_ids[marker.id]))
        elif reason := _covering(phrases, one):
            dropped.append(Dropped(one.candidate, "allowlist", reason))
        else:
            kept.append(one)
    return kept, dropped


def _allowed_spans(text: str, settings: Settings) -> list[tuple[int, int, str]]:
    """Return where allowed phrases stand as whole phrases, with the reasons given for them."""
    spans = []
    for allow in settings.allow:
        phrase = fold_phrase(allow.phrase)
        at = -1
        while phrase and (at := text.find(phrase, at + 1)) >= 0:
            if is_bounded(text, at, at + len(phrase)):
                spans.append((at, at + len(phrase), allow.reason))
    return spans


def _covering(spans: list[tuple[int, int, str]], one: Kept) -> str:
    start, end = one.candidate.start, one.candidate.end
    return next((why for first, last, why in spans if first <= start and end <= last), "")
