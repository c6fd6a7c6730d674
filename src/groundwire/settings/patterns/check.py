"""The examples of a pattern entry, run: each hit must be found, each miss must not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.base.model import BLOCKER, CUE
from groundwire.language.automaton import Scanner
from groundwire.language.find import find
from groundwire.language.fold import fold
from groundwire.language.markdown import mask
from groundwire.language.other_languages import ForeignScanner
from groundwire.settings.patterns.compile import rules_of
from groundwire.settings.patterns.load import Loaded


def check_lexicon(lexicon: Sequence[Loaded], language: str = "") -> list[str]:
    """Return one ``file: id: message`` line per example that does not hold."""
    rules = rules_of(lexicon)
    scanner = ForeignScanner(rules, language) if language else Scanner(rules)
    return [
        f"{item.path}: {item.entry.id}: {problem}"
        for item in lexicon
        for problem in check_entry(item, scanner)
    ]


def check_entry(item: Loaded, scanner: Scanner) -> Iterable[str]:
    """Yield what is wrong with the hits and misses of one entry."""
    marker_id = item.entry.id
    for hit in item.entry.hits:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        text = hit.replace("{", "", 1).replace("}", "", 1)
        evidence = evidence_of(text, marker_id, item.kind, scanner)
        if wanted not in evidence:
            yield f"hit {text!r}: wanted {wanted!r}, found {evidence or 'nothing'}"
    for miss in item.entry.misses:
        evidence = evidence_of(miss, marker_id, item.kind, scanner)
        if evidence:
            yield f"miss {miss!r}: found {evidence}"


def evidence_of(text: str, marker_id: str, kind: str, scanner: Scanner) -> list[str]:
    """Return the evidence of every occurrence of one marker that stands in ``text``.

    Blockers and cues never become matches; for them the bare occurrence counts.
    """
    if kind in (BLOCKER, CUE):
        folded = fold(text, mask(text))
        candidates = [c for c in scanner.scan(folded.text) if c.marker.id == marker_id]
    else:
        findings = find(text, scanner, cited=True)
        folded = findings.folded
        candidates = [k.candidate for k in findings.kept if k.candidate.marker.id == marker_id]
    spans = [folded.span(c.start, c.end) for c in candidates]
    return [text[start:end] for start, end in spans]
