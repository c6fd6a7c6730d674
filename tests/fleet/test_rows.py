"""Rows of a transcript: what a replay decides, with what the lines say besides it."""

import gzip
import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.model import BLOCK, REPORT
from groundwire.base.settings import SHIPPED
from groundwire.inputs.turns import LINE_CAP
from groundwire.runs.replay import replay_transcript
from groundwire.settings.load import load
from groundwire.settings.runtime import Runtime
from groundwire_fleet import rows as module
from groundwire_fleet.rows import COLUMNS, Line, Options, date_of, lines_of, rows_of
from tests.everyday.rows import SCANNER
from tests.support import tables
from tests.support.transcripts import Session, dump

RUNTIME = Runtime(SHIPPED, SCANNER)
OPTIONS = Options(b"salt", "test")
TRANSCRIPTS = Path(__file__).parents[2] / "fixtures" / "transcripts"
Rows = dict[str, list[dict[str, Any]]]
test_rows = tables.rows(__file__, date_of=date_of)


def rows(
    lines: Iterable[Line | bytes], path: str = "file:/a/b.jsonl", options: Options = OPTIONS
) -> Rows:
    found: Rows = {table: [] for table in COLUMNS}
    given = ((len(it) - 1, it[:-1]) if isinstance(it, bytes) else it for it in lines)
    for table, date, row in rows_of(path, given, RUNTIME, options):
        assert row.keys() == COLUMNS[table].keys() - {"size", "mtime", "etag"}
        found[table].append({"date": date, **row})
    return found


def overclaim(**fields: Any) -> Session:
    failed = ("bash", "pytest -q", "3 failed, 39 passed in 1.31s", {"exit_code": 1})
    steps = (("prompt", "fix the failing test"), failed, ("say", "All tests pass: 42 passed."))
    return Session(**fields).play(steps)


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_decisions_are_those_of_a_replay(path: Path) -> None:
    found = rows(path.read_bytes().splitlines(keepends=True), str(path))
    outcomes = list(replay_transcript(path, RUNTIME))
    decided = [(row["number"], row["decision"], row["calls"]) for row in found["decisions"]]
    assert decided == [(it.number, it.decision.action, len(it.turn.calls)) for it in outcomes]
    for row, outcome in zip(found["decisions"], outcomes, strict=True):
        assert (row["stops_at"] >= SHIPPED.thresholds.stop_from) == (row["decision"] == BLOCK)
        stopping = [it for it in found["matches"] if it["turn"] == row["turn"] and it["stopping"]]
        assert len(stopping) == len(outcome.decision.blocking)
    assert found["errors"] == []
    assert found["files"][0]["bytes"] == path.stat().st_size


def test_what_the_lines_say_besides() -> None:
    session = overclaim(cwd="/home/alice/shop/api")
    usage = {"input_tokens": 4, "cache_read_input_tokens": 100, "output_tokens": 7, "service": "x"}
    session.entries[-1]["message"]["usage"] = usage
    [row] = rows(map(dump, session.entries))["decisions"]
    began, ended = (datetime.fromisoformat(session.entries[at]["timestamp"]) for at in (0, -1))
    assert (row["time"], row["seconds"]) == (ended, (ended - began) / timedelta(seconds=1))
    assert (row["repository"], row["agent"], row["host_version"]) == ("api", "main", "2.1.219")
    assert row["model"] == session.entries[-1]["message"]["model"]
    other = session.entries[1]["message"]["usage"]
    inputs = sum(count for name, count in other.items() if "input" in name)
    assert (row["tokens_in"], row["tokens_out"]) == (104 + inputs, 7 + other["output_tokens"])


def test_names_are_hashed_and_text_is_left_out() -> None:
    lines = [*map(dump, overclaim(cwd="/Users/alice/shop").entries)]
    for secret in ("alice", "5f0c1c6e", "All tests pass", "39 passed"):
        assert secret not in str(rows(lines))
    [row] = rows(lines)["decisions"]
    [salted] = rows(lines, options=Options(b"other", "test"))["decisions"]
    assert {name for name in row if row[name] != salted[name]} == {"session", "user", "source"}
    [copied] = rows(lines, "file:/copy")["decisions"]
    assert {name for name in row if row[name] != copied[name]} == {"source"}


def test_sentences_are_kept_when_asked_for_and_their_secrets_masked() -> None:
    session = Session()
    session.prompt("why?")
    session.say("I think the crash is caused by a race, password=hunter2secret \udcff.")
    lines = [json.dumps(entry).encode() + b"\n" for entry in session.entries]
    kept = rows(lines, options=OPTIONS._replace(keep_text=True))
    [sentence] = {row["sentence"] for row in kept["matches"]}
    assert sentence.startswith("I think the crash is caused by a race, password=")
    assert "hunter2secret" not in sentence
    sentence.encode()


def test_unreadable_lines_are_told_with_their_offsets() -> None:
    good = [*map(dump, overclaim().entries)]
    lines: list[Line | bytes] = [good[0], b'{"type": "user", "cut\n', (LINE_CAP + 1, None)]
    found = rows([*lines, (9_000, None), b"\n", *good[1:]])
    first = len(good[0])
    told = [(row["offset"], row["error"].partition(";")[0]) for row in found["errors"]]
    assert told == [(first, "no JSON object"), (first + 22, f"a line of {LINE_CAP + 1} bytes")]
    assert [row["decision"] for row in found["decisions"]] == [BLOCK]
    assert found["errors"][0]["date"] == "2026-03-02"


def test_a_file_without_sense_gives_few_rows() -> None:
    found = rows([b"\x00\xff\n"] * 1_000)
    assert len(found["errors"]) == 100
    assert found["errors"][-1]["error"] == "no JSON object; further lines are not listed"
    assert found["files"][0]["lines"] == 1_000


def test_what_fails_ends_one_file_and_is_told() -> None:
    def lines() -> Iterable[Line]:
        yield 9, gzip.compress(b"")
        raise error

    error: Exception = OSError("no more")
    found = rows(lines())
    assert [row["error"] for row in found["errors"]] == ["no JSON object", "OSError: no more"]
    error = MemoryError()  # what is left of this file would be in the way of others
    with pytest.raises(MemoryError):
        rows(lines())


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lines_of_a_stream(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINE_CAP", 50)
    monkeypatch.setattr(module, "_BUFFER", 4)
    lines = [b"{}\n", b"\n", b"x" * 59 + b"\n", b"z" * 50 + b"\n", b"y" * 51, b""]
    stream = BufferedReader(BytesIO(pack(b"".join(lines))))
    found = [(size, text and text.strip()) for size, text in lines_of(stream)]
    assert found == [(2, b"{}"), (0, b""), (59, None), (50, b"z" * 50), (51, None)]


def test_turns_of_sub_agents_are_only_reported() -> None:
    lines = map(dump, overclaim(agent=True).entries)
    [row] = rows(lines, "s3a://x/s/subagents/agent-1.jsonl")["decisions"]
    assert (row["agent"], row["stops_at"], row["decision"]) == ("sub-agent", 0, REPORT)


def test_the_salt_is_no_setting(tmp_path: Path) -> None:
    assert load({"GROUNDWIRE_FLEET_SALT": "x"}, str(tmp_path)).settings == SHIPPED
