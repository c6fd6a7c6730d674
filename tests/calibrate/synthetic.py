"""Labelled data with a known answer: sentences drawn from settings, and small real sets."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Any

from groundwire.calibrate.fit import Observation
from groundwire.calibrate.labels import Label, Message
from groundwire.calibrate.parameters import START, reading, row_of_factors, vector_of
from groundwire.calibrate.predict import Prediction, Unit, highest
from groundwire.calibrate.samples import Sample
from groundwire.event import STOP, Event
from groundwire.model import (
    STRENGTHS,
    VERDICTS,
    Analysis,
    Decision,
    Marker,
    Match,
    ToolCall,
    Turn,
    Verdict,
)
from groundwire.scoring import Circumstances, score
from groundwire.settings import SHIPPED, Settings
from tests.support.transcripts import Session

#: Words that stand only in messages of the check part: they must never be printed.
SECRET = "zanzibar"
OPEN = "lagrange"
FAILED = "FAILED tests/test_pool.py::test_drain - assert 3 == 4\n1 failed, 7 passed in 0.41s"
PASSED = "........\n8 passed in 0.38s"


def draw(truth: Settings, count: int, seed: int) -> list[Observation]:
    """Return sentences with one match each, flagged with the chance that ``truth`` gives it."""
    chance = random.Random(seed)
    vector = vector_of(truth)
    found = []
    for _ in range(count):
        strength = chance.choice(STRENGTHS)
        status = chance.choice(("", *VERDICTS))
        values = reading().context
        seen = Circumstances(
            chance.choice((20, 60, 100, 150, 250)),
            near_reference=not status and chance.random() < 0.5,
            neighbours=chance.randrange(4),
            stacked=chance.random() < 0.3,
            context=chance.choice((0.0, 0.0, values.legitimate, values.plan)),
        )
        _, factors = score(strength, Verdict(status) if status else None, seen, reading())
        row = row_of_factors(strength, status, factors)
        flag = int(chance.random() < 1 / (1 + exp(-float(row @ vector))))
        found.append(Observation(row.reshape(1, -1), flag))
    return found


def distance(one: Settings, other: Settings) -> float:
    """Return how far apart two settings are in logits."""
    return float(((vector_of(one) - vector_of(other)) ** 2).sum() ** 0.5)


def match(confidence: int, status: str = "", offset: int = 0) -> Match:
    """Return a match of this confidence and verdict; its claim is its own."""
    marker = Marker(f"m{offset}.{confidence}", "completeness_claim", "weak")
    verdict = Verdict(status) if status else None
    return Match(marker.kind, "x", offset, confidence, marker, (offset, offset + 1), (), verdict)


def prediction(
    name: str,
    rows: Sequence[tuple[int | None, Sequence[tuple[int, str]]]],
    calls: tuple[ToolCall, ...] = (),
) -> Prediction:
    """Return a message with a row for each sentence: its flag, and its matches."""
    text = "x" * len(rows)
    labels = {number: Label(flag) for number, (flag, _) in enumerate(rows, 1) if flag != 0}
    spans = tuple((n, n + 1) for n in range(len(rows)))
    message = Message(name, text, spans, labels, session=name)
    matches = [
        [match(confidence, status, at) for confidence, status in found]
        for at, (_, found) in enumerate(rows)
    ]
    units = tuple(
        Unit(name, at + 1, name, "", flag, flag == 1, highest(matches[at]), tuple(matches[at]))
        for at, (flag, _) in enumerate(rows)
        if flag is not None
    )
    sample = Sample(message, Event(STOP, name, message=text), Turn(calls=calls))
    together = tuple(one for inside in matches for one in inside)
    return Prediction(sample, Analysis(text, together), Decision("pass"), units)


def write_set(folder: Path, sessions: int = 12) -> Path:
    """Write a labelled set as ``gold.jsonl``, ``events.jsonl`` and ``transcripts/``.

    Two turns a session. In every second one the tests failed and the message says that they
    passed. Every third session is of the check part; its texts hold ``SECRET``, the others
    ``OPEN``.
    """
    gold, events = [], []
    (folder / "transcripts").mkdir(parents=True)
    for number in range(2 * sessions):
        session = number // 2
        split = "check" if session % 3 == 0 else "tune"
        word = SECRET if split == "check" else OPEN
        wrong = number % 2 == 0
        name = f"turn{number:02}"
        text = f"All tests pass in {word}.\n\nI think the {word} cache is warm now.\n\nBye, {word}."
        builder = Session(session_id=f"5f0c1c6e-0000-4000-8000-{number:012}")
        builder.prompt(f"mend the pool of {word}")
        builder.bash("pytest -q", FAILED if wrong else PASSED, exit_code=int(wrong))
        builder.say(text)
        builder.write(folder / "transcripts" / f"{name}.jsonl")
        fields = {"hook_event_name": "Stop", "last_assistant_message": text}
        path = f"transcripts/{name}.jsonl"
        events.append({"session_id": name, "transcript_path": path, "cwd": "/nowhere", **fields})
        gold.append(_line(name, f"session{session}", split, text, wrong))
    for file, rows in (("gold.jsonl", gold), ("events.jsonl", events)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "gold.jsonl"


def _line(name: str, session: str, split: str, text: str, wrong: bool) -> dict[str, Any]:
    units = []
    at = 0
    for sentence in text.split("\n\n"):
        units.append([at, at + len(sentence)])
        at += len(sentence) + 2
    kind = "ungrounded_behavioral_assertion"
    support = "contradicted" if wrong else "supported"
    label = {"flag": int(wrong), "kind": kind, "support": support, "sure": 1, "use": "assertion"}
    disputed = {"2": {"flag": None, "kind": "speculation_language", "sure": 0}}
    return {
        "id": name,
        "repo": f"team/{'pool' if session < 'session5' else 'queue'}",
        "session": session,
        "split": split,
        "text": text,
        "units": units,
        "labels": {"1": label, **(disputed if wrong else {})},
    }


#: Settings within all limits that differ from the shipped ones where bare text says nothing.
TRUTH = SHIPPED.replace(
    weights=START.weights,  # no drawn sentence has signals or a position
    strengths=SHIPPED.strengths.replace(faint=0.2, medium=0.72),
    verdicts=SHIPPED.verdicts.replace(
        contradicted=2.9,
        unsupported=1.2,
        qualified=-0.1,
        not_checkable=-2.2,
        earlier=-0.8,
        supported=-2.8,
    ),
    context=SHIPPED.context.replace(legitimate=-0.4, plan=-1.3),
)
