"""``groundwire scan``, ``explain`` and ``patterns`` as a person or a script calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.config.place import PACK as OTHER_PACK
from tests.conftest import Hook
from tests.support.tables import table
from tests.support.transcripts import Session


def evidence(matches: list[dict[str, str]]) -> list[str]:
    return [match["evidence"] for match in matches]


@pytest.mark.parametrize(
    "text", [b"", b" \n\n", b"It ends.", b"```\nI think it is the parser.\n```\n", b"\xef\xbb\xbf"]
)
def test_nothing_to_report_is_an_empty_array(cli: Command, text: bytes) -> None:
    assert cli.out("scan", stdin=text) == "[]\n"


def test_a_byte_order_mark_shifts_no_offset(cli: Command) -> None:
    assert cli.scan(b"\xef\xbb\xbf" + LONE.encode()) == [LONE_MATCH]
    assert cli.scan(f"One line.\r\n\r\n{LONE}")[0]["offset"] == 13


# settings by file, environment and flag
@table
def test_set(settings: list[str], found: list[str], cli: Command) -> None:
    arguments = [part for setting in settings for part in ("--set", setting)]
    text = LONE.replace(".", "?") if "filters" in settings[-1] else LONE
    assert evidence(cli.scan(text, *arguments)) == found


@table
def test_allowlist(key: str, value: str, found: list[str], cli: Command) -> None:
    cli.settings(f'[[allow]]\n{key} = "{value}"\nreason = "house style"\n')
    assert evidence(cli.scan(LONE)) == found
    assert ("allowlist: house style" in cli.out("explain", stdin=LONE)) is (not found)


PACK = OTHER_PACK.replace("zorble likely", "zorbly")  # a word that no shipped marker has


EXPRESSION = """[[expression]]
id = "speculation.own-{0}"
kind = "speculation_language"
strength = "medium"
pattern = '{1}'
hits = ["{{Zorbs}} are the parser, I hear."]
misses = ["A zorb."]
"""
ZORB = EXPRESSION.format("zorb", r"(?i)\bzorbs?(?! is)(?<!a zorb)\b")


@pytest.mark.parametrize("place", ["pack", "settings", "project"])
def test_an_expression(cli: Command, place: str) -> None:
    """It is found, filtered, switched off and allowed as a marker is, and its examples hold."""
    pack = () if place != "pack" else ("packs",)
    if place == "pack":
        cli.write("packs/own.toml", f"schema = 1\n{ZORB}")
        cli.settings('patterns.folders = ["../../shop/packs"]\n')
    elif place == "settings":
        cli.settings(ZORB)
    else:
        cli.write(".groundwire.toml", ZORB)
        assert "it is not trusted" in cli("scan", stdin="Zorbs.").stderr.decode()
        cli.out("trust", "--yes")
        assert any("/settings-" in name for name in cli.files())  # the next session has it
    assert "all hold" in cli.out("patterns", "check", *pack)
    assert "(expression)" in cli.out("patterns", "list", *pack)
    text = "It may be `zorbs`. If zorbs are it, wait. Zorbs are the parser. Zorb is not."
    assert [(m["evidence"], m["offset"]) for m in cli.scan(text)] == [
        ("Zorbs", text.index("Zorbs"))
    ]
    assert cli.scan(text, "--set", 'markers."speculation.own-zorb"=false') == []
    allow = 'allow=[{marker = "speculation.own-zorb", reason = "a name"}]'
    assert cli.scan(text, "--set", allow) == []


def test_an_expression_that_takes_too_long_is_off_for_the_text(
    cli: Command, tmp_path: Path
) -> None:
    hook = Hook(tmp_path)
    slow = ZORB + EXPRESSION.format("slow", "(z+)+$")
    text = f"Zorbs are the parser. {'z' * 4000}!"
    cli.settings(slow)
    process = cli("scan", stdin=text)
    assert evidence(json.loads(process.stdout)) == ["Zorbs"]
    assert b"speculation.own-slow: took more than 50 ms" in process.stderr
    hook.configure(slow)
    hook.start()
    hook(last_assistant_message=text)
    assert "speculation.own-slow" in hook.log()[-1]["notes"][0]
    assert hook.log()[-1]["matches"][0]["marker"] == "speculation.own-zorb"


def test_examples_of_an_expression_that_do_not_hold(cli: Command) -> None:
    path = cli.settings(ZORB.replace("A zorb.", "Two zorbs."))
    process = cli("patterns", "check")
    assert process.returncode == 2
    assert f"{path}: speculation.own-zorb: miss 'Two zorbs.'" in process.stderr.decode()


@table
def test_a_pack_that_redefines_is_refused(line: str, cause: str, cli: Command) -> None:
    key = line.partition(" ")[0]
    lines = [line if row.startswith(key) else row for row in PACK.splitlines()]
    path = cli.write("packs/speculation.toml", "\n".join(lines) + "\n")
    said = cli.refused("scan", "--patterns", "packs", stdin=LONE)
    assert said.startswith(f"groundwire: {path}: ")
    assert cause in said


#: A turn of ``write_transcript`` contradicts it; as bare text it is one claim among others.
FALSE = "All tests pass."


def event(message: str = GUESS, session: str = "s1", **fields: Any) -> bytes:
    common = {"session_id": session, "hook_event_name": "Stop", "last_assistant_message": message}
    return json.dumps({**common, **fields}).encode() + b"\n"


def results(printed: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def write_transcript(cli: Command, name: str, message: str = FALSE, **more: Any) -> None:
    session = Session(**more)
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say(message)
    cli.write(name, session.data())


def test_transcripts_are_read_from_the_current_folder(cli: Command) -> None:
    write_transcript(cli, "transcripts/one.jsonl")
    write_transcript(cli, "two.jsonl", GUESS)
    there = event(FALSE, "there", transcript_path="transcripts/one.jsonl")
    cli.write("e.jsonl", there + event(FALSE) + event("", transcript_path="two.jsonl"))
    decisions = [result["decision"] for result in results(cli.out("scan", "--events", "e.jsonl"))]
    assert decisions == ["block", "report", "block"]


@pytest.mark.parametrize("mode", ["report", "block"])
def test_a_sub_agent_is_judged_by_its_own_transcript(cli: Command, mode: str) -> None:
    write_transcript(cli, "agent-1.jsonl", agent=True)
    fields = {"hook_event_name": "SubagentStop", "agent_type": "Explore"}
    cli.write("e.jsonl", event(FALSE, **fields, agent_transcript_path="agent-1.jsonl"))
    setting = "subagents.mode=" + mode.replace("block", "enforce")
    [result] = results(cli.out("scan", "--events", "e.jsonl", "--set", setting))
    assert result["decision"] == mode


def test_a_line_that_is_not_utf8_costs_only_itself(cli: Command) -> None:
    cli.write("e.jsonl", event(LONE) + b'{"a": "\xff"}\n' + event(LONE))
    done = cli("scan", "--events", "e.jsonl")
    assert [one["decision"] for one in results(done.stdout)] == ["report", "error", "report"]
    assert done.stderr.startswith(b"groundwire: e.jsonl:2: ")


def test_a_long_text_shows_on_a_terminal_that_it_is_at_work(cli: Command) -> None:
    text = f"{LONE}\n\n" * 5_000
    told = cli("scan", stdin=text, env={"FORCE_COLOR": "1"}).stderr
    assert b"scanning 135,000 characters" in told
    assert len(cli.scan(text)) == 5_000
