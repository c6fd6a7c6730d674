"""The stages of one turn in this process, from the message to the score, each by itself."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, from_quartiles, quartiles
from benchmarks.messages import EXPECTED, message
from benchmarks.scale import Scale
from benchmarks.sessions import write_session
from groundwire.base.model import Turn
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED
from groundwire.inputs.transcript import tail_entries
from groundwire.inputs.turns import build_turn
from groundwire.language.automaton import Scanner
from groundwire.language.find import find
from groundwire.language.fold import fold
from groundwire.language.markdown import mask
from groundwire.turn.timeline import timeline_of
from groundwire.verdict.analysis import analyse
from groundwire.verdict.assess import assess
from groundwire.verdict.claims import claims_of
from groundwire.verdict.evidence import Evidence

PART = "stages"
MESSAGE = 5_000


class Stages:
    """Runs the stages on one text and one turn, and keeps the milliseconds of each.

    ``filter`` is what ``find`` does beside masking, folding and scanning: numbers, references,
    contradictions, resolution and context filters. ``score`` is what ``analyse`` does beside
    ``find`` and ``assess``. Both are differences of times of the same round. The collector rests
    meanwhile, as it does in the hook.
    """

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.spent: dict[str, float] = {}

    def run(self, text: str, read: Callable[[], Turn]) -> dict[str, float]:
        """Return the milliseconds of each stage; stops the run on a wrong answer."""
        self.spent = {}
        masked = self._timed("mask", lambda: mask(text))
        folded = self._timed("fold", lambda: fold(text, masked))
        self._timed("scan", lambda: self.scanner.scan(folded.text))
        findings = self._timed("find", lambda: find(text, self.scanner))
        turn = self._timed("read", read)
        timeline = self._timed("timeline", lambda: timeline_of(turn))
        evidence = Evidence(timeline) if turn.calls else Evidence()
        claims = claims_of(findings, findings.kept)
        self._timed("assess", lambda: assess(findings, findings.kept, claims, timeline, SHIPPED))
        analysis = self._timed("analyse", lambda: analyse(text, self.scanner, SHIPPED, evidence))
        found = tuple(match.evidence for match in analysis.matches[: len(EXPECTED)])
        if found != EXPECTED:
            raise SystemExit(f"wrong matches: {found}")
        spent = self.spent
        known = spent["mask"] + spent["fold"] + spent["scan"]
        return {
            **{name: spent[name] for name in ("mask", "fold", "scan")},
            "filter": max(spent["find"] - known, 1e-3),
            "read": spent["read"],
            "timeline": spent["timeline"],
            "assess": spent["assess"],
            "score": max(spent["analyse"] - spent["find"] - spent["assess"], 1e-3),
        }

    def _timed(self, name: str, call: Callable[[], Any]) -> Any:
        gc.collect()
        gc.disable()
        begun = time.perf_counter()
        found = call()
        self.spent[name] = (time.perf_counter() - begun) * 1e3
        gc.enable()
        return found


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the milliseconds of each stage: a 5 KB message, a turn with 200 KB of results."""
    path = folder / "stages.jsonl"
    write_session(path, 1, 200, message(MESSAGE))
    stages = Stages(Scanner(shipped_rules()))
    text = message(MESSAGE)
    rounds = [
        stages.run(text, lambda: build_turn(tail_entries(str(path)).entries))
        for _ in range(5 * scale.repeats + 1)
    ][1:]  # what is made once is made in the first
    for name in rounds[0]:
        yield from_quartiles(PART, name, quartiles([one[name] for one in rounds]), "ms")
