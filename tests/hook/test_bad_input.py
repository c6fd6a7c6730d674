"""Hostile and broken input: exit 0, JSON or nothing on stdout, one line of cause, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import RUN, Hook

GUESS = "I think the crash is probably caused by a race condition."


def stop(**fields: object) -> bytes:
    return json.dumps({"hook_event_name": "Stop", "session_id": "s", **fields}).encode()


def check(process: subprocess.CompletedProcess[bytes]) -> str:
    """Assert the contract of a failed run and return its line of cause."""
    assert process.returncode == 0
    if process.stdout:
        assert isinstance(json.loads(process.stdout), dict)
        assert b'"decision"' not in process.stdout
    assert b"Traceback" not in process.stderr
    return process.stderr.decode()


NO_EVENT = [
    ("empty", b"", "stdin"),
    ("white space", b" \n", "stdin"),
    ("half JSON", b'{"hook_event_name": "St', "stdin"),
    ("text behind it", b"{} trailing", "stdin"),
    ("an array", b"[]", "expected an object"),
    ("a string", b'"Stop"', "expected an object"),
    ("null", b"null", "expected an object"),
    ("NaN", b'{"a": NaN}', "NaN"),
    ("nested too deep", b'{"a":' * 100_000, "stdin"),
    ("binary", bytes(range(256)), "stdin"),
]


@pytest.mark.parametrize(("data", "cause"), [r[1:] for r in NO_EVENT], ids=[r[0] for r in NO_EVENT])
def test_what_is_no_event_lets_the_turn_end_and_says_why(
    hook: Hook, data: bytes, cause: str
) -> None:
    said = check(hook.raw(data))
    assert cause in said
    assert said.count("\n") == 1
    assert cause in hook.log()[-1]["error"]


SILENT = [
    ("no fields", {}),
    ("null fields", {"last_assistant_message": None, "transcript_path": None, "cwd": None}),
    ("wrong types", {"last_assistant_message": 5, "transcript_path": ["x"], "session_id": {}}),
    ("odd background", {"background_tasks": {"a": 1}, "last_assistant_message": "Hello."}),
    ("empty message", {"last_assistant_message": ""}),
    ("lone surrogate", {"last_assistant_message": "\ud800 hello"}),
]


@pytest.mark.parametrize("fields", [row[1] for row in SILENT], ids=[row[0] for row in SILENT])
def test_missing_and_odd_fields_are_silent(hook: Hook, fields: dict[str, object]) -> None:
    process = hook.raw(stop(**fields))
    assert check(process) == ""
    assert process.stdout == b""


@pytest.mark.parametrize("name", ["PreToolUse", "SessionEnd", "Unheard", "", None, 7])
def test_other_events_pass(hook: Hook, name: object) -> None:
    data = json.dumps({"hook_event_name": name, "last_assistant_message": GUESS}).encode()
    process = hook.raw(data)
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


def test_byte_order_mark_and_invalid_utf8_are_read(hook: Hook) -> None:
    data = stop(last_assistant_message=GUESS).replace(b"race", b"r\xffce")
    process = hook.raw(b"\xef\xbb\xbf" + data)
    assert json.loads(process.stdout)["decision"] == "block"


def test_a_50_mb_message_is_answered(hook: Hook) -> None:
    text = "The build log is long and dull.\n\n" * 1_500_000
    process = hook.raw(stop(last_assistant_message=f"{GUESS}\n\n{text}"))
    assert process.stderr == b""
    assert json.loads(process.stdout)["matches"]
    assert "only 1000000 of 49500059 characters" in hook.log()[-1]["notes"][0]


def test_stdin_that_never_closes(hook: Hook) -> None:
    command = [sys.executable, "-I", "-S", str(RUN)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook.env
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(stop(last_assistant_message=GUESS))
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert process.wait(10) == 0
    assert answer["decision"] == "block"


def test_stdin_that_never_says_anything_ends_at_the_deadline(hook: Hook) -> None:
    command = [sys.executable, "-I", "-S", str(RUN)]
    begun = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=hook.env
    ) as process:
        assert process.wait(20) == 0
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize("what", ["missing", "folder", "unreadable", "empty", "half", "binary"])
def test_transcripts_that_cannot_be_read(hook: Hook, tmp_path: Path, what: str) -> None:
    """The message itself is still checked; the trouble is noted in the log where there is one."""
    path = tmp_path / "t.jsonl"
    if what == "folder":
        path.mkdir()
    elif what == "unreadable":
        path.symlink_to(path)  # a loop: unreadable for root as well
    elif what == "empty":
        path.touch()
    elif what == "half":
        path.write_bytes(b'{"type":"user","message":{"role":"us')
    elif what == "binary":
        path.write_bytes(os.urandom(100_000))
    process = hook.raw(stop(last_assistant_message=GUESS, transcript_path=str(path)))
    assert json.loads(process.stdout)["decision"] == "block"
    notes = " ".join(hook.log()[-1]["notes"])
    assert (str(path) in notes) is (what in ("missing", "folder", "unreadable"))


def test_a_300_mb_transcript_is_not_read_whole(
    hook: Hook, tmp_path: Path, transcript: Path
) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + transcript.read_bytes())
    process = hook.raw(stop(last_assistant_message=GUESS, transcript_path=str(path)))
    assert process.stderr == b""
    assert json.loads(process.stdout)["decision"] == "block"


FOLDERS = ["GROUNDWIRE_STATE_DIR", "GROUNDWIRE_CACHE_DIR", "GROUNDWIRE_CONFIG_DIR"]


@pytest.mark.parametrize("variable", FOLDERS)
@pytest.mark.parametrize("what", ["a file", "below a file", "dev full"])
def test_folders_that_cannot_be_written(
    hook: Hook, tmp_path: Path, variable: str, what: str
) -> None:
    """Not writable for root either: the folder is a file, or lies below one."""
    plain = tmp_path / "plain"
    plain.write_text("x", encoding="utf-8")
    place = {"a file": plain, "below a file": plain / "deep", "dev full": Path("/dev/full")}[what]
    env = {**hook.env, variable: str(place)}
    process = hook.raw(stop(last_assistant_message=GUESS), env)
    assert process.returncode == 0
    assert b"Traceback" not in process.stderr
    assert json.loads(process.stdout)["decision"] == "block"
    again = hook.raw(stop(last_assistant_message=GUESS, stop_hook_active=True), env)
    assert b'"decision"' not in again.stdout


def test_no_home(hook: Hook) -> None:
    env = {"PATH": os.defpath}
    process = hook.raw(stop(last_assistant_message=GUESS), env)
    assert process.returncode == 0
    assert json.loads(process.stdout)["decision"] == "block"
    assert b"HOME" in process.stderr


@pytest.mark.parametrize("junk", [b"", b"{", b"\x00\xff", b"[]", b'{"format": 1}', b'{"format":9}'])
def test_corrupt_session_state_is_a_fresh_one(hook: Hook, junk: bytes) -> None:
    assert hook(last_assistant_message=GUESS)["decision"] == "block"
    files = list((hook.state / "sessions").glob("*.json"))
    assert len(files) == 1
    files[0].write_bytes(junk)
    assert hook(last_assistant_message=GUESS)["decision"] == "block"


@pytest.mark.parametrize("session", ["../../evil", "a/b", "", "x" * 5000, "\x00", "\U0001f600"])
def test_session_ids_never_become_paths(hook: Hook, tmp_path: Path, session: str) -> None:
    hook(session_id=session, last_assistant_message=GUESS)
    written = {p.relative_to(hook.home).parts[:4] for p in hook.home.rglob("*") if p.is_file()}
    assert written == {
        (".local", "state", "groundwire", "sessions"),
        (".local", "state", "groundwire", "decisions.jsonl"),
        (".local", "state", "groundwire", "decisions.lock"),
    }
    assert not list(tmp_path.glob("evil*"))


def test_killed_half_way_leaves_a_usable_state(hook: Hook) -> None:
    """A process that dies while it holds the lock, or before it writes, costs nothing."""
    command = [sys.executable, "-I", "-S", str(RUN)]
    for delay in (0.0, 0.01, 0.03, 0.05):
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=hook.env
        ) as process:
            assert process.stdin
            process.stdin.write(stop(last_assistant_message=GUESS, session_id=f"k{delay}"))
            process.stdin.flush()
            time.sleep(delay)
            process.kill()
    assert hook(last_assistant_message=GUESS)["decision"] == "block"
    assert [line["decision"] for line in hook.log()][-1] == "block"


def test_files_are_private(hook: Hook) -> None:
    hook(last_assistant_message=GUESS)
    modes = {p.stat().st_mode & 0o777 for p in hook.state.rglob("*") if p.is_file()}
    assert modes == {0o600}


BROKEN = [
    ("syntax", ".config/groundwire/config.toml", "mode = \n", "config.toml"),
    ("unknown key", ".config/groundwire/config.toml", "moode = 'off'\n", "moode"),
    ("wrong value", ".config/groundwire/config.toml", "mode = 'never'\n", "never"),
    ("not UTF-8", ".config/groundwire/config.toml", "mode = '\udcff'\n", "config.toml"),
    ("project file", ".groundwire.toml", "[thresholds]\nblock = 700\n", "700"),
    (
        "pattern folder",
        ".config/groundwire/config.toml",
        "[patterns]\nfolders = ['/nowhere']\n",
        "nowhere",
    ),
]


@pytest.mark.parametrize(
    ("file", "text", "cause"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_broken_configuration_is_told_once(hook: Hook, file: str, text: str, cause: str) -> None:
    path = hook.home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    hook(hook_event_name="SessionStart", source="resume", session_id="other")
    first = hook(last_assistant_message=GUESS)
    assert "decision" not in first
    assert cause in first["systemMessage"]
    assert "systemMessage" not in hook(last_assistant_message=GUESS)


def test_a_broken_pattern_file_is_told(hook: Hook, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "mine.toml").write_text('schema = 1\nkind = "nonsense"\n', encoding="utf-8")
    config = hook.home / ".config/groundwire/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"[patterns]\nfolders = ['{folder}']\n", encoding="utf-8")
    hook(hook_event_name="SessionStart", source="startup")
    answer = hook(last_assistant_message=GUESS)
    assert "decision" not in answer
    assert "nonsense" in hook(last_assistant_message=GUESS, session_id="new")["systemMessage"]
