"""What the benchmarks measure with: sizes as asked, the same each time, known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import messages, prose, sessions, transcripts
from benchmarks.bulk import write_copies
from benchmarks.growth import Curve, draw
from groundwire.analysis import analyse
from groundwire.replay.run import replay_transcript
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.runtime import Runtime
from groundwire.settings import SHIPPED
from groundwire.transcript.read import tail_entries
from groundwire.transcript.turn import build_turn


@pytest.mark.parametrize("size", [100, 5_000, 50_000])
def test_texts_have_the_size_that_is_asked_for(size: int) -> None:
    assert len(messages.message(size)) == size
    assert len(prose.prose(size)) == size
    assert prose.prose(size) == prose.prose(size)
    assert size < 200 or prose.prose(size) != prose.prose(size, 2)


def test_texts_open_with_what_is_found() -> None:
    scanner = Scanner(shipped_rules())
    for text, expected in (
        (messages.message(5_000), messages.EXPECTED),
        (prose.prose(5_000), prose.EXPECTED),
    ):
        found = analyse(text, scanner, SHIPPED).matches
        assert tuple(match.evidence for match in found[: len(expected)]) == expected


def test_prose_finds_about_what_an_article_does() -> None:
    text = prose.prose(100_000)
    found = analyse(text, Scanner(shipped_rules()), SHIPPED).matches
    reported = [match for match in found if match.confidence >= SHIPPED.thresholds.report]
    assert 0.3 < len(reported) / 100 < 2.5  # in 1,000 characters


@pytest.mark.parametrize("megabytes", [1, 5])
def test_a_session_is_as_long_as_asked_and_so_is_its_last_turn(
    tmp_path: Path, megabytes: int
) -> None:
    path = tmp_path / "s.jsonl"
    sessions.write_session(path, megabytes, 200)
    assert 0.8 <= path.stat().st_size / 1e6 / megabytes <= 1.05
    turn = build_turn(tail_entries(str(path)).entries)
    assert turn.prompt == sessions.PROMPT
    results = sum(len(call.result or "") for call in turn.calls)
    assert 90_000 <= results <= 110_000  # each stands twice in its line


def test_a_session_with_so_many_calls(tmp_path: Path) -> None:
    sessions.write_calls(tmp_path / "s.jsonl", 17)
    turn = build_turn(tail_entries(str(tmp_path / "s.jsonl")).entries)
    assert len(turn.calls) == 17
    assert all(call.result for call in turn.calls)


def test_made_up_sessions_get_the_decisions_that_are_expected(tmp_path: Path) -> None:
    runtime = Runtime(SHIPPED, Scanner(shipped_rules()))
    actions: dict[str, int] = {}
    for number in range(3):
        path = tmp_path / f"{number}.jsonl"
        assert transcripts.write_session(path, number, 6, 4) == path.stat().st_size
        for outcome in replay_transcript(path, runtime):
            action = outcome.decision.action
            actions[action] = actions.get(action, 0) + 1
    assert actions == transcripts.expected_actions(range(3), 6)


def test_copies_are_sessions_of_their_own(tmp_path: Path) -> None:
    written = write_copies(tmp_path, 60)
    files = sorted(tmp_path.rglob("*.jsonl"))
    assert len(files) == 60
    assert sum(path.stat().st_size for path in files) == written
    ids = set()
    for path in files:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        ids.add(next(row["sessionId"] for row in rows if "sessionId" in row))
    assert len(ids) == 60


def test_the_chart_is_a_picture(tmp_path: Path) -> None:
    curves = [
        Curve("mask", "characters", (1, 2), (1.0, 2.0)),
        Curve("fold", "calls", (1, 2), (1, 1)),
    ]
    draw(curves, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
    assert curves[0].exponent == pytest.approx(1)
