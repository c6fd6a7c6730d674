"""The hook's second opinion: a judge on reported matches that do not stop the turn.

Imported only when the settings switch it on. It is advisory: the decision stands before it is asked
for, and nothing here can change it. Whatever goes wrong is no opinion, and a note in the log.
"""

from __future__ import annotations

import os
import subprocess
import sys

from groundwire import json_codec
from groundwire.decision import blocking
from groundwire.model import REPORT, Match
from groundwire.record import Record
from groundwire.render.ledger_text import ledger_text
from groundwire.render.prose import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from groundwire.service.examine import Examined
    from groundwire.settings import Judge, Settings

JUDGE = "judge"
_LONGEST_QUESTION = 1_000
_LONGEST_STATEMENT = 1_000
_LONGEST_QUOTE = 80


class Opinion(Record):
    """``fields`` are for the decision log, ``notes`` for its notes, ``text`` is for the user."""

    fields: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    text: str = ""


def opinion_on(examined: Examined, settings: Settings, env: Mapping[str, str]) -> Opinion:
    """Ask the judge about the matches between both thresholds; never raises."""
    matches = undecided(examined, settings)
    if not matches:
        return Opinion()
    try:
        statements = [_statement(examined, match, settings.judge) for match in matches]
        answer = _ask(statements, settings.judge, env)
        return _read(examined, matches, settings.judge, answer)
    except Exception as failure:
        return Opinion(notes=(f"no second opinion: {type(failure).__name__}",))


def undecided(examined: Examined, settings: Settings) -> list[Match]:
    """Return the reported matches below the thresholds that stop a turn, one of each sentence.

    The most confident come first, and not more than the settings say. None of a turn that goes
    back, which is judged when it ends again.
    """
    decision, situation = examined.decision, examined.situation
    if decision.action != REPORT or situation is None:
        return []
    wanted = blocking(decision.matches, settings.thresholds)
    by_sentence: dict[tuple[int, int], Match] = {}
    for match in sorted(decision.matches, key=lambda m: (-m.confidence, m.offset)):
        if match not in wanted:
            by_sentence.setdefault(match.sentence, match)
    return list(by_sentence.values())[: settings.judge.statements]


def _statement(examined: Examined, match: Match, judge: Judge) -> dict[str, str]:
    """Return what is asked about one match: the request, the ledger, the sentence."""
    start, end = match.sentence
    calls = examined.timeline.calls if examined.timeline else ()
    first = match.verdict.call_id if match.verdict else ""
    return {
        "query": examined.situation.prompt[:_LONGEST_QUESTION] if examined.situation else "",
        "context": ledger_text(calls, first, judge.evidence_characters),
        "response": examined.analysis.text[start:end][:_LONGEST_STATEMENT],
    }


def _ask(
    statements: Sequence[dict[str, str]], judge: Judge, env: Mapping[str, str]
) -> dict[str, Any]:
    """Return the answer of the judge's process, which ends with the time that it has."""
    request = {
        "provider": judge.provider,
        "model": judge.model,
        "base_url": judge.base_url,
        "budget_ms": judge.budget_ms,
        "prices": dict(judge.prices),
        "statements": list(statements),
    }
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    script = os.path.join(package, JUDGE, "opinion_main.py")
    try:
        process = subprocess.run(  # noqa: S603
            [sys.executable, "-I", script],
            input=json_codec.dumps(request).encode(),
            env=dict(env),
            capture_output=True,
            timeout=judge.budget_ms / 1000,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"problem": f"no answer within {judge.budget_ms} ms"}
    answer = json_codec.loads(process.stdout)
    return answer if isinstance(answer, dict) else {"problem": "an answer of another kind"}


def _read(
    examined: Examined, matches: Sequence[Match], judge: Judge, answer: Mapping[str, Any]
) -> Opinion:
    """Return what the log holds and the user is told of an answer."""
    opinions = answer.get("opinions", [])
    if "problem" in answer or len(opinions) != len(matches):
        problem = one_line(str(answer.get("problem", "an answer of another kind")))
        return Opinion(notes=(f"no second opinion: {problem}",))
    rows, notes, lines = [], [], []
    for match, opinion in zip(matches, opinions, strict=True):
        if "problem" in opinion:
            notes.append(f"no second opinion at {match.offset}: {one_line(opinion['problem'])}")
            continue
        rows.append({"offset": match.offset, "confidence": match.confidence, **opinion})
        start, end = match.sentence
        quote = one_line(examined.analysis.text[start:end], _LONGEST_QUOTE)
        lines.append(f'backed to {opinion["score"]:.0%}: "{quote}"')
    if not rows:
        return Opinion(notes=tuple(notes))
    fields = {"provider": judge.provider, "model": judge.model, "opinions": rows}
    head = f"groundwire: second opinion of {one_line(judge.model, _LONGEST_QUOTE)}, advisory only: "
    return Opinion(fields, tuple(notes), head + "; ".join(lines))
