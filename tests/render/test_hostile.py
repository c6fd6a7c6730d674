"""The words of others on each surface that a model or a user reads: they end no quotation there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.base.model import BLOCK, CONTRADICTED, Decision, Judged, Marker, Match, Verdict
from groundwire.hook.session import Session
from groundwire.language.safe import safe
from groundwire.report.explain import call_blocks, log_text, why_text
from groundwire.report.reason import notification_text, reason_text
from groundwire.runs.digest import look_text
from groundwire.turn.page import Statement, TurnDigest
from groundwire.turn.page_lines import CallLine
from groundwire.verdict.decision import Memory
from groundwire_judge.answer import Said
from groundwire_judge.grounds import Finding
from groundwire_judge.wake import note_text, wake_text
from tests.support.tables import tables

WORDS = json.loads(Path("tests/fuzz/words.json").read_text("utf-8"))
SECRET = "s3cr3t-value-9"
TEXTS = [
    *tables(__file__)["hostile"],
    *(f"passed {word} done" for word in (*WORDS["odd"], *WORDS["shown"])),
    "".join(WORDS["odd"]),
]
INNOCENT = "ran"


def match(text: str, verdict: Verdict | None = None, judged: Judged | None = None) -> Match:
    marker = Marker("behavior.tests.all-pass", "ungrounded_behavioral_assertion", "strong")
    kind, end = marker.kind, len(text)
    return Match(kind, text, 0, 90, marker, (0, end), verdict=verdict, judged=judged)


def reason(text: str, verdict: Verdict | None = None, judged: Judged | None = None) -> str:
    decision = Decision(BLOCK, (one := match(text, verdict, judged),), (one,))
    return reason_text(text, decision, interactive=True)


def told(text: str) -> str:
    session = Session(Memory())
    session.tell("name", text)
    return "\n".join(session.messages)


def finding(text: str) -> tuple[Finding, TurnDigest]:
    call = CallLine(1, "Bash", text, text, (text,))
    digest = TurnDigest(text, (), (call,), 1, (), (), (), (Statement(1, 0, len(text), text),))
    return Finding(Said(1, 90, "", text, 1, text, ""), 0, len(text), text), digest


def woken(text: str) -> str:
    one, digest = finding(text)
    return wake_text([one], digest, None)


def looked(text: str) -> str:
    row = {"act": "wake", "offset": 0, "length": 0, "probability": 90, "kind": "", "missing": ""}
    row |= {"text": text, "why": text, "quote": text, "call": 1}
    rows = [row, {**row, "act": "dropped", "dropped": text}]
    look = {"statements": rows, "provider": "p", "model": "m"}
    return look_text(look, "", finding(text)[1].calls)


def contradicted(text: str, line: str = "1 failed") -> Verdict:
    return Verdict(CONTRADICTED, f'{text} failed last: "{line}"', "t", text, line)


SURFACES: dict[str, Callable[[str], str]] = {
    "statement": reason,
    "command": lambda text: reason("It runs.", contradicted(text)),
    "output": lambda text: reason("It runs.", contradicted("make", text)),
    "clause": lambda text: reason("It runs.", Verdict(CONTRADICTED, f'no result has "{text}"')),
    "judge": lambda text: reason("It runs.", None, Judged(90, text, 1, text)),
    "notice": lambda text: notification_text(Decision("report", (match(text),))),
    "judge in a notice": lambda text: notification_text(
        Decision("report", (match("It runs.", None, Judged(90, text)),))
    ),
    "message to the user": told,
    "wake": woken,
    "note": lambda text: note_text(finding(text)[0]),
    "why": lambda text: why_text(text, [match(text, contradicted(text, text))], ()),
    "calls of why": lambda text: "\n".join(
        line for block in call_blocks(finding(text)[1].calls, [text]) for line in block
    ),
    "why of a look": looked,
    "why of the log": lambda text: log_text(
        {"matches": [{"confidence": 1, "kind": "k", "evidence": text, "marker": "m", "call_id": "",
                      "verdict": ""}]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("surface", SURFACES)
def test_the_words_of_others_stay_in_their_quotation(surface: str) -> None:
    shown = SURFACES[surface]
    usual = shown(INNOCENT)
    assert INNOCENT in usual
    for text in TEXTS:
        said = shown(text)
        assert all(sign.isprintable() or sign == "\n" for sign in said), text
        assert not set("<\u2039\uff1c\u00b4\u201c\u201d\u201e\u2019\u00ab\u300c") & {*said}, text
        assert said.replace(" -> ", "").count(">") == 0, text
        assert said.count("`") == usual.count("`"), text
        assert SECRET not in said, text
        if "why" not in surface:
            assert abs(said.count('"') - usual.count('"')) in (0, 2), text  # plain words need none
            assert said.count("\n") == usual.count("\n") or surface == "message to the user", text


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_safe_stays_as_it_is(text: str) -> None:
    once = safe(text)
    assert len(once) <= 120
    assert safe(once) == once
    assert not set('<>`"') & {*once}
