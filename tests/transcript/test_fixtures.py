"""The fixture sessions, which ``make demo`` replays, read as the hook and as replay read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.json_codec import dumps, loads
from groundwire.transcript.read import all_entries, tail_entries
from groundwire.transcript.turn import build_turn, split_turns

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
FILES = sorted(FOLDER.glob("*.jsonl"))

#: Finished turns and tool calls in each file.
EXPECTED = {
    "agent-a1b2c3d": (1, 3),
    "chat-background": (2, 6),
    "dashboard-nextjs": (3, 11),
    "etl-compaction": (3, 9),
    "gitsum-rust": (2, 9),
    "infra-subagent": (3, 4),
    "ledgerd-go": (2, 8),
    "notes-swift": (2, 3),
    "payroll-slash": (3, 5),
    "planner-talk": (3, 1),
    "sensor-firmware": (3, 6),
    "shop-django": (3, 11),
}


def test_every_file_is_expected() -> None:
    assert [file.stem for file in FILES] == sorted(EXPECTED)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_turns_and_calls(file: Path) -> None:
    turns = list(split_turns(all_entries(str(file)), agent=file.stem.startswith("agent-")))
    assert (len(turns), sum(len(turn.calls) for turn in turns)) == EXPECTED[file.stem]
    assert all(turn.prompt and not turn.partial and not turn.interrupted for turn in turns)
    assert all(call.result is not None for turn in turns for call in turn.calls)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_tail_is_the_last_turn(file: Path) -> None:
    agent = file.stem.startswith("agent-")
    tail = tail_entries(str(file), agent=agent)
    last = list(split_turns(all_entries(str(file)), agent=agent))[-1]
    assert build_turn(tail.entries, tail.partial, agent) == last
    assert tail.skipped == 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_line_survives_being_written_again(file: Path, tmp_path: Path) -> None:
    lines = [loads(line) for line in file.read_bytes().split(b"\n") if line]
    again = tmp_path / file.name
    again.write_text("".join(dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert list(all_entries(str(again))) == list(all_entries(str(file)))
    assert file.stat().st_size < 60_000
