"""Findings that are known and accepted: what a baseline file holds, and what is new beside it.

A finding is the same one wherever its sentence stands: kind, marker and the folded sentence count,
neither file nor line.
"""

from __future__ import annotations

import json

from groundwire.base.digest import digest
from groundwire.base.errors import UsageError
from groundwire.base.model import BLOCK, PASS, REPORT, Decision
from groundwire.language.fold import fold_phrase
from groundwire.verdict.decision import blocking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundwire.base.model import Match
    from groundwire.base.settings import Thresholds

#: Version of the file and of what a fingerprint is made of.
VERSION = 1


def fingerprint(text: str, match: Match) -> str:
    """Return 32 hexadecimal characters for a match of ``text``, the same in every place."""
    sentence = fold_phrase(text[slice(*match.sentence)])
    parts = (match.kind, match.marker.id, sentence)
    return digest("\n".join(parts).encode("utf-8", "replace"))


def new_matches(text: str, matches: Iterable[Match], known: frozenset[str]) -> tuple[Match, ...]:
    """Return the matches of ``text`` whose fingerprint is not among the ``known`` ones."""
    return tuple(match for match in matches if fingerprint(text, match) not in known)


def new_decision(
    text: str, decision: Decision, known: frozenset[str], thresholds: Thresholds
) -> Decision:
    """Return the decision on a message without its known findings.

    What blocked the turn counts again without them: statements that only did so together need not.
    """
    matches = new_matches(text, decision.matches, known)
    stopping = new_matches(text, decision.blocking, known)
    if stopping and blocking(stopping, thresholds):
        return decision.replace(matches=matches, blocking=stopping)
    reported = tuple(one for one in matches if one.confidence >= thresholds.report)
    action = decision.action if decision.action != BLOCK else REPORT
    return decision.replace(
        action=action if reported else PASS, matches=reported, blocking=(), let_through=""
    )


def baseline_text(findings: Mapping[str, str]) -> str:
    """Return the file for fingerprints with the markers that they are of, a line each."""
    table = {"version": VERSION, "findings": dict(sorted(findings.items()))}
    return json.dumps(table, indent=1) + "\n"


def read_baseline(path: str) -> frozenset[str]:
    """Return the fingerprints of a baseline file; raises UsageError with what is wrong."""
    try:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    except OSError as error:
        raise UsageError(
            f"--baseline: {path}: {error.strerror}; `groundwire baseline PATH` writes one"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--baseline: {path}: {error}; expected JSON") from None
    version = table.get("version") if isinstance(table, dict) else None
    if version != VERSION:
        raise UsageError(f"--baseline: {path}: version: {version!r}; allowed: {VERSION}")
    findings = table.get("findings")
    if not isinstance(findings, dict):
        raise UsageError(f"--baseline: {path}: findings: expected an object of fingerprints")
    return frozenset(findings)
