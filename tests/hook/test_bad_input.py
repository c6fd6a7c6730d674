"""Hostile and broken input: exit 0, JSON or nothing on stdout, one line of cause, no traceback."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from groundwire.state.places import takes_place
from tests.conftest import RUN, Hook
from tests.hook.messages import GUESS, GUESSES, OTHER, stop


def blocks(printed: str) -> bool:
    return bool(json.loads(printed or "{}").get("decision") == "block")


NO_EVENT = [
    (b"", "stdin"),
    (b" \n", "stdin"),
    (b'{"hook_event_name": "St', "stdin"),
    (b"{} trailing", "stdin"),
    (b"[]", "expected an object"),
    (b"null", "expected an object"),
    (b'{"a": NaN}', "NaN"),
    (b'{"a":' * 100_000, "stdin"),
    (bytes(range(256)), "stdin"),
]


@pytest.mark.parametrize(("data", "cause"), NO_EVENT, ids=range(len(NO_EVENT)))
def test_what_is_no_event_lets_the_turn_end_and_says_why(
    hook: Hook, data: bytes, cause: str
) -> None:
    printed, said = hook.said(data)
    assert (printed, said.count("\n"), "Traceback" in said) == ("", 1, False)
    assert cause in said
    assert cause in hook.log()[-1]["error"]


def test_a_process_without_an_event_ends_well(hook: Hook) -> None:
    """On half an event that goes no further, at the deadline; other processes read to the end."""
    run, pipe = [sys.executable, "-I", "-S", str(RUN)], subprocess.PIPE
    with subprocess.Popen(run, stdin=pipe, stdout=pipe, stderr=pipe, env=hook.env) as process:
        assert process.stdin
        process.stdin.write(b'{"a": {}')
        process.stdin.flush()
        assert process.wait(30) == 0  # its stdin is open all the time
        printed, said = process.communicate()
    assert printed == b""
    assert said.startswith(b"groundwire: turn not checked: EventError: stdin")


SILENT = [
    {},
    {"last_assistant_message": None, "transcript_path": None, "cwd": None},
    {"last_assistant_message": 5, "transcript_path": ["x"], "session_id": {}},
    {"background_tasks": {"a": 1}, "last_assistant_message": "Hello."},
    {"last_assistant_message": "\ud800 hello"},
    *(
        {"hook_event_name": name, "last_assistant_message": GUESS}
        for name in ("PreToolUse", "", None, 7)
    ),
]


@pytest.mark.parametrize("fields", SILENT)
def test_missing_and_odd_fields_are_silent(hook: Hook, fields: dict[str, object]) -> None:
    event = {"hook_event_name": "Stop", "session_id": "s", **fields}
    assert hook.said(json.dumps(event).encode()) == ("", "")


def test_byte_order_mark_and_invalid_utf8_are_read(hook: Hook) -> None:
    printed, _ = hook.said(b"\xef\xbb\xbf" + stop().replace(b"race", b"r\xffce"))
    assert blocks(printed)


def test_a_50_mb_message_is_answered(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.service.examine.LONGEST_MESSAGE", 1_000)
    printed, _ = hook.said(stop(f"{GUESS}\n\n" + "The build log is long and dull.\n\n" * 1_500_000))
    assert blocks(printed)
    assert "only 1000 of 49500059 characters" in hook.log()[-1]["notes"][0]


@pytest.mark.parametrize("what", ["missing", "folder", "unreadable", "empty", "half", "binary"])
def test_transcripts_that_cannot_be_read(hook: Hook, tmp_path: Path, what: str) -> None:
    """The message itself is still checked; the trouble is noted in the log where there is one."""
    path = tmp_path / "t.jsonl"
    if what == "folder":
        path.mkdir()
    elif what == "unreadable":
        path.symlink_to(path)  # a loop: unreadable for root as well
    elif what != "missing":
        content = {"empty": b"", "half": b'{"type":"user","message":{"role":"us'}
        path.write_bytes(content.get(what) or os.urandom(100_000))
    printed, _ = hook.said(stop(transcript_path=str(path)))
    assert blocks(printed)
    notes = " ".join(hook.log()[-1]["notes"])
    assert (str(path) in notes) is (what in ("missing", "folder", "unreadable"))


@pytest.mark.parametrize("folder", ["STATE", "CACHE", "CONFIG"])
@pytest.mark.parametrize("what", ["plain", "plain/deep", "/dev/full"])
def test_folders_that_cannot_be_written(hook: Hook, tmp_path: Path, folder: str, what: str) -> None:
    """Not writable for root either: the folder is a file, or lies below one."""
    (tmp_path / "plain").write_text("x", encoding="utf-8")
    hook.env[f"GROUNDWIRE_{folder}_DIR"] = str(tmp_path / what)
    printed, said = hook.said(stop())
    assert (blocks(printed), "Traceback" in said, "not checked" in said) == (True, False, False)
    assert said.startswith("groundwire: decision log: ") or folder != "STATE"
    assert not blocks(hook.said(stop(stop_hook_active=True))[0])


@pytest.mark.parametrize("lost", ["unusable", "wiped", "no home", "long prompt id"])
def test_a_lost_memory_makes_no_turn_endless(hook: Hook, tmp_path: Path, lost: str) -> None:
    """The host does not say that it goes on because of a stop, and there is no transcript."""
    if lost == "unusable":
        hook.env["GROUNDWIRE_STATE_DIR"] = "/dev/full"
    elif lost == "no home":
        hook.env["GROUNDWIRE_CONFIG_DIR"] = hook.env.pop("HOME")
    fields = {"prompt_id": "x" * 3_000_000} if lost == "long prompt id" else {}
    stops = 0
    for number in range(6):
        stops += blocks(
            hook.said(stop(GUESS.replace("race", "abcdef"[number] + "-race"), **fields))[0]
        )
        if lost == "wiped":
            shutil.rmtree(hook.state)
    assert stops == 2
    # nothing at all remembers
    shutil.rmtree(tmp_path / f"groundwire-{os.geteuid()}")
    (tmp_path / f"groundwire-{os.geteuid()}").write_text("")
    hook.env["GROUNDWIRE_STATE_DIR"] = "/dev/full"
    assert not blocks(hook.said(stop(OTHER))[0])


def test_a_stop_looks_through_few_of_those_of_the_hour(tmp_path: Path) -> None:
    folder, now = str(tmp_path / "places"), time.time()
    assert all(takes_place(folder, f"prompt {n}", 1, now) for n in range(2_000))
    assert max(len(files) for _, _, files in os.walk(folder)) < 40
    assert not takes_place(folder, "prompt 7", 1, now)
    assert takes_place(folder, "prompt 7", 1, now + 3_601)


def test_no_home(hook: Hook) -> None:
    del hook.env["HOME"]
    printed, said = hook.said(stop())
    assert (blocks(printed), "HOME" in said) == (False, True)  # the user may have settings


@pytest.mark.parametrize("junk", [b"", b"{", b"\x00\xff", b"[]", b'{"format": 1}', b'{"format":9}'])
def test_corrupt_session_state_is_a_fresh_one(hook: Hook, junk: bytes) -> None:
    assert hook(last_assistant_message=GUESS)["decision"] == "block"
    [file] = (hook.state / "sessions").glob("*.json")
    file.write_bytes(junk)
    assert hook(last_assistant_message=GUESS)["decision"] == "block"


def test_what_is_written_is_private_and_named_by_no_session(hook: Hook, tmp_path: Path) -> None:
    for session in ("../../evil", "a/b", "", "x" * 5000, "\x00", "\U0001f600"):
        hook(session_id=session, last_assistant_message=GUESS)
    written = [path for path in hook.home.rglob("*") if path.is_file()]
    assert {path.relative_to(hook.home).parts[:4] for path in written} == {
        (".local", "state", "groundwire", "sessions"),
        (".local", "state", "groundwire", "decisions.jsonl"),
        (".local", "state", "groundwire", "decisions.lock"),
    }
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    assert not list(tmp_path.glob("evil*"))


BROKEN = [
    (".config/groundwire/config.toml", "mode = \n", "config.toml"),
    (".config/groundwire/config.toml", "moode = 'off'\n", "moode"),
    (".config/groundwire/config.toml", "mode = '\udcff'\n", "config.toml"),
    (".config/groundwire/config.toml", "patterns.folders = ['/nowhere']\n", "nowhere"),
    (".config/groundwire/config.toml", "patterns.folders = ['rules']\n", "nonsense"),
]


@pytest.mark.parametrize(("file", "text", "cause"), BROKEN)
def test_a_broken_configuration_is_told_once(hook: Hook, file: str, text: str, cause: str) -> None:
    rules = hook.home / "rules" / "mine.toml"
    rules.parent.mkdir()
    rules.write_text('schema = 1\nkind = "nonsense"\n', encoding="utf-8")
    path = hook.home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    text = text.replace("'rules'", f"'{rules.parent}'")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    hook.start(source="resume", session_id="other")
    first = hook(last_assistant_message=GUESS)
    assert "decision" not in first
    assert cause in first["systemMessage"]
    assert "systemMessage" not in hook(last_assistant_message=GUESS)


NO_PATHS = ["/tmp/a\0b.jsonl", "/tmp/\ud800.jsonl", "/" + "x" * 300, "/x" * 300_000]


@pytest.mark.parametrize("path", NO_PATHS, ids=range(len(NO_PATHS)))
def test_a_path_that_no_system_knows_costs_the_transcript_alone(hook: Hook, path: str) -> None:
    """And no process is started to compile settings that cannot be there."""
    printed, _ = hook.said(stop(GUESSES, transcript_path=path, cwd=path))
    assert blocks(printed)
    assert "systemMessage" not in json.loads(printed)
    line = hook.log()[-1]
    assert line["error"] == ""
    [note] = line["notes"]  # a long one is cut
    assert len(path) > 1000 or "cannot read the transcript" in note
    assert not (hook.home / ".cache").exists()
