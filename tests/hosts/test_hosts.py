"""Other hosts by recorded sessions: events, answers, transcripts, the hook, install and doctor."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from groundwire.inputs.event import HOST, read_event
from groundwire.inputs.hosts import NAMES, host_named
from groundwire.inputs.hosts.read import host_of, last_turn
from groundwire.runs.replay import is_agent_transcript
from tests.cli.command import Command
from tests.support.programs import run_program
from tests.support.tables import table, tables

SESSIONS = Path(__file__).parent / "sessions"
FILES = {name: next(SESSIONS.glob(f"{name}.*")) for name in NAMES}
AGENT = SESSIONS.parent / "subagents/qwen/agent-general-purpose-call_1.jsonl"
PROMPT, FALSE = "Rename old_total and run the tests.", "All tests pass now."


@table
def test_event(name: str, given: str, expected: dict[str, Any]) -> None:
    places = {"SESSION": (session := str(FILES[name])), "AGENT": str(AGENT)}
    raw = host_named(name).event(json.loads(given.replace("SESSION", session)), {})
    event = read_event({**raw, HOST: name})
    wanted = {key: places.get(str(it), it) for key, it in expected.items()}
    assert {key: getattr(event, key) for key in wanted} == wanted
    assert event.host == name
    assert bool(raw) == bool(expected)


@table
def test_answer(name: str, event: str, given: str, expected: dict[str, Any]) -> None:
    found = host_named(name).answer(json.loads(given), {"hook_event_name": event})
    assert found == expected


@table
def test_session(file: str, expected: list[str]) -> None:
    path = str(SESSIONS / file)
    turn = last_turn(host_of(path), path)
    agents = [is_agent_transcript(it) for it in (Path(path), Path("chats/session/id.jsonl"))]
    assert agents == ["agent" in file, True]
    assert (turn.prompt, turn.message, turn.cwd) == (PROMPT, FALSE, "/home/dev/shop")
    assert turn.session_id
    for call, row in zip(turn.calls, expected, strict=True):
        asked = next(str(call.input[it]) for it in _ASKED if it in call.input)
        result = f"{'!' if call.is_error else ''}{call.result}"
        assert f"{call.name} {asked}: {result}".startswith(row)


_ASKED = ("command", "file_path", "pattern", "input")


def an_end(name: str, path: Path) -> list[dict[str, Any]]:
    """The events by which a host ends the turn that stands in its session at ``path``."""
    if name == "cursor":
        lines = path.read_text(encoding="utf-8").splitlines()
        end = {"hook_event_name": "stop", "conversation_id": "c-1", "status": "completed"}
        return [*map(json.loads, lines), {**end, "workspace_roots": ["/home/dev/shop"]}]
    rows = tables(str(Path(__file__)))["event"]
    return [json.loads(rows[name][1].replace("SESSION", str(path)).replace("Done.", FALSE))]


@pytest.mark.parametrize("name", NAMES)
def test_a_false_report_is_stopped_and_an_honest_one_is_not(
    name: str, tmp_path: Path, cli: Command
) -> None:
    cli.env["TMPDIR"] = str(tmp_path)
    cli.out("install", "--host", name)
    [file] = [it for it in cli.home.rglob("*") if it.is_file() and "groundwire" in it.read_text()]
    words = _command_in(file)

    def answers(text: str) -> dict[str, Any]:
        path = tmp_path / FILES[name].name
        session = FILES[name].read_text(encoding="utf-8")
        path.write_text(session.replace(FALSE, text), encoding="utf-8")
        for event in an_end(name, path):
            data = json.dumps(event).replace(FALSE, text).replace('"spec"', '"off"').encode()
            done = run_program(words, data, cli.env, code=0)
            assert done.stderr == b""
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    assert answers("One test failed: test_a.") == {}
    stopped = answers(FALSE)
    reason = stopped.get("reason") or stopped["followup_message"]
    assert '"python3 -m unittest test_cart" failed last' in reason
    [replayed] = cli.out("replay", FILES[name], "--format", "jsonl").splitlines()
    assert json.loads(replayed)["decision"] == "block"
    looked = cli.out("doctor")
    assert f"registered for {NAMES[name]} in" in looked
    assert "starts and answers" in looked
    cli.out("uninstall", "--host", name)
    assert not file.exists()


def _command_in(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        line = next(line for line in text.splitlines() if line.startswith("const COMMAND"))
        found: list[str] = json.loads(line.partition("= ")[2])
        return found
    quoted = text.partition(f'{_KEY.get(file.parent.name, "command")}": ')[2]
    return shlex.split(json.JSONDecoder().raw_decode(quoted)[0])


_KEY = {"hooks": "bash"}
