"""Labelled data with a known answer: hand-made predictions, and a small real set."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire.base.model import Analysis, Decision, Marker, Match, Turn, Verdict
from groundwire.base.settings import SHIPPED
from groundwire.inputs.event import STOP, Event
from groundwire.verdict.decision import Situation
from groundwire_lab.labels import Label, Message
from groundwire_lab.samples import Prediction, Sample, decided
from tests.support.transcripts import Session

FAILED = "FAILED tests/test_pool.py::test_drain - assert 3 == 4\n1 failed, 7 passed in 0.41s"
PASSED = "........\n8 passed in 0.38s"
#: A word of every message of the set.
OPEN = "lagrange"
REPOS = ("team/pool", "team/queue", "other/shop")
#: Stands in the messages of the last repository alone.
ALONE = "This should work now."


def prediction(name: str, rows: Sequence[tuple[int | None, int]], status: str = "") -> Prediction:
    """Return a message with a row for each sentence: its flag, and what its match has (0: none).

    ``status`` is the verdict on all matches, "" on bare text; the claim of each is its own.
    """
    text = "".join(chr(ord("a") + at) for at in range(len(rows)))  # no sentence twice
    labels = {number: Label(flag) for number, (flag, _) in enumerate(rows, 1) if flag != 0}
    spans = tuple((at, at + 1) for at in range(len(rows)))
    message = Message(name, text, spans, labels, session=name)
    event = Event(STOP, name, message=text)
    verdict = Verdict(status) if status else None
    found = []
    for at, (_, confidence) in enumerate(rows):
        marker = Marker(f"m{at}.{confidence}", "completeness_claim", "weak")
        one = Match(marker.kind, "x", at, confidence, marker, spans[at], (), verdict)
        found += [one] if confidence else []
    sample, analysis = Sample(message, event, Turn()), Analysis(text, tuple(found))
    return decided(Prediction(sample, analysis, Situation(event), Decision("pass"), ()), SHIPPED)


def write_set(folder: Path, sessions: int = 12) -> Path:
    """Write a labelled set as ``gold.jsonl``, ``events.jsonl`` and ``transcripts/``.

    Two turns a session, four sessions a repository. In every second turn the tests failed and the
    message says that they passed. In the last repository a sentence of its own is always flagged.
    """
    gold, events = [], []
    (folder / "transcripts").mkdir(parents=True)
    for number in range(2 * sessions):
        session = number // 2
        repo = REPOS[session * len(REPOS) // sessions]
        wrong = number % 2 == 0
        name = f"{folder.name}{number:02}"
        sentences = [f"All tests pass in {OPEN}.", f"I think the {OPEN} cache is warm now."]
        sentences += [ALONE] if repo == REPOS[-1] else [f"Bye, {OPEN}."]
        text = "\n\n".join(sentences)
        builder = Session(session_id=f"5f0c1c6e-0000-4000-8000-{number:012}")
        builder.prompt(f"mend the pool of {OPEN}")
        builder.bash("pytest -q", FAILED if wrong else PASSED, exit_code=int(wrong))
        builder.say(text)
        builder.write(folder / "transcripts" / f"{name}.jsonl")
        fields = {"hook_event_name": "Stop", "last_assistant_message": text}
        path = f"transcripts/{name}.jsonl"
        events.append({"session_id": name, "transcript_path": path, "cwd": "/nowhere", **fields})
        gold.append(_line(name, f"session{session}", repo, sentences, wrong))
    for file, rows in (("gold.jsonl", gold), ("events.jsonl", events)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "gold.jsonl"


def _line(name: str, session: str, repo: str, sentences: list[str], wrong: bool) -> dict[str, Any]:
    text = "\n\n".join(sentences)
    starts = [text.index(sentence) for sentence in sentences]
    units = [[at, at + len(one)] for at, one in zip(starts, sentences, strict=True)]
    support = "contradicted" if wrong else "supported"
    first = {"flag": int(wrong), "support": support, "sure": 1, "use": "assertion"}
    labels = {"1": {"kind": "ungrounded_behavioral_assertion", **first}}
    if wrong:
        labels["2"] = {"flag": None, "kind": "speculation_language", "sure": 0}
    if ALONE in sentences:
        labels["3"] = {"flag": 1, "kind": "speculation_language", "sure": 1}
    names = {"id": name, "repo": repo, "session": session}
    return {**names, "text": text, "units": units, "labels": labels}
