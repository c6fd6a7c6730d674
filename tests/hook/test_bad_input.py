"""Hostile and broken input: exit 0, JSON or nothing on stdout, one line of cause, no traceback."""

import json
import os
import shutil
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from groundwire.base.paths import passing_folder
from groundwire.hook.memory import takes_place
from tests.conftest import RUN, Hook
from tests.hook.messages import GUESS, GUESSES, OTHER, stop
from tests.support.tables import rows


def blocks(printed: str) -> bool:
    return bool(json.loads(printed or "{}").get("decision") == "block")


def test_odd_bytes_and_16_mb_are_read(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    printed, _ = hook.said(b"\xef\xbb\xbf" + stop(OTHER).replace(b"proxy", b"pr\xffxy"))
    assert blocks(printed)
    monkeypatch.setattr("groundwire.verdict.examine.LONGEST_MESSAGE", 1_000)
    long = f"{GUESS}\n\n" + "The build log is long and dull.\n\n" * 475_000
    printed, _ = hook.said(stop(long))
    assert blocks(printed)
    assert "only 1000 of 15675059 characters" in hook.log()[-1]["notes"][0]
    printed, told = hook.said(stop(long * 2))
    assert (printed, "stdin: found more than 16777216 bytes" in told) == ("", True)
    assert "stdin: found more than 16777216 bytes" in hook.log()[-1]["error"]


def test_a_stdin_without_end_is_left(hook: Hook) -> None:
    with Path("/dev/zero").open("rb") as endless:
        command = [sys.executable, "-I", "-S", str(RUN)]
        with Popen(command, stdin=endless, stdout=PIPE, stderr=PIPE, env=hook.env) as process:
            printed, told = process.communicate(timeout=9)
    assert (process.returncode, printed) == (0, b"")
    assert b"more than 16777216 bytes" in told


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


def test_without_a_home_there_may_be_settings(hook: Hook) -> None:
    del hook.env["HOME"]
    printed, said = hook.said(stop())
    assert (blocks(printed), "HOME" in said) == (False, True)


@pytest.mark.parametrize("value", ["", ".", "x", "~/x", "./x"])
def test_a_relative_folder_is_none(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """Nothing is made where the hook happens to run, by no entry and with no variable."""
    folder = tmp_path / "work"
    (folder / value / ".local/state/groundwire/second-look").mkdir(parents=True)
    (folder / value / ".local/state/groundwire/second-look/on").touch()
    before = sorted(folder.rglob("*"))
    monkeypatch.chdir(folder)
    home = hook.env["HOME"]
    hook.env |= {f"XDG_{it}_HOME": value for it in ("CONFIG", "STATE", "CACHE")}
    hook.env |= {f"GROUNDWIRE_{it}_DIR": value for it in ("CONFIG", "STATE", "CACHE")}
    hook.env |= {"XDG_RUNTIME_DIR": value, "TMPDIR": value, "TEMP": str(tmp_path)}
    assert blocks(hook.said(stop())[0])
    hook.env |= {"HOME": value, "USERPROFILE": value}
    for event in ({"source": "startup", "hook_event_name": "SessionStart"}, {}):
        hook.raw(stop(**event))
    assert hook.entry("--second-look", json.loads(stop())).returncode == 0
    assert sorted(folder.rglob("*")) == before
    assert (Path(home) / ".local/state/groundwire").is_dir()


@pytest.mark.parametrize("lost", ["unusable", "wiped", "no home", "long prompt id"])
def test_a_lost_memory_makes_no_turn_endless(hook: Hook, tmp_path: Path, lost: str) -> None:
    """The host does not say that it goes on because of a stop, and there is no transcript."""
    if lost == "unusable":
        hook.env["GROUNDWIRE_STATE_DIR"] = "/dev/full"
    elif lost == "no home":
        hook.env["GROUNDWIRE_CONFIG_DIR"] = hook.env.pop("HOME")
    fields = {"prompt_id": "x" * 3_000_000} if lost == "long prompt id" else {}
    stops = 0
    for letter in "abcdef":
        stops += blocks(hook.said(stop(GUESS.replace("race", f"{letter}-race"), **fields))[0])
        if lost == "wiped":
            shutil.rmtree(hook.state)
    assert stops == 2
    # nothing at all remembers
    hook.env["GROUNDWIRE_STATE_DIR"] = "/dev/full"
    shutil.rmtree(passing_folder(hook.env), ignore_errors=True)
    Path(passing_folder(hook.env)).write_text("")
    assert not blocks(hook.said(stop(OTHER))[0])


def test_one_home_touches_nothing_of_another(hook: Hook, tmp_path: Path) -> None:
    assert blocks(hook.said(stop())[0])
    first = passing_folder(hook.env)
    kept = [path.stat().st_ctime_ns for path in [Path(first), *Path(first).rglob("*")]]
    hook.env["HOME"] = str(tmp_path / "other")
    assert blocks(hook.said(stop())[0])
    assert [path.stat().st_ctime_ns for path in [Path(first), *Path(first).rglob("*")]] == kept
    made = {str(path) for path in tmp_path.glob("groundwire-*")}
    assert made == {first, passing_folder(hook.env)}
    assert len(made) == 2


def test_a_stop_looks_through_few_of_those_of_the_hour(tmp_path: Path) -> None:
    folder, now = str(tmp_path / "places"), time.time()
    assert all(takes_place(folder, f"prompt {n}", 1, now) for n in range(2_000))
    assert max(len(files) for _, _, files in os.walk(folder)) < 40
    assert not takes_place(folder, "prompt 7", 1, now)
    assert takes_place(folder, "prompt 7", 1, now + 3_601)


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


def no_event(part: str, times: int, cause: str, *, hook: Hook) -> bool:
    """What is no event lets the turn end and says why."""
    printed, said = hook.said((part * times).encode("latin-1"))
    assert (printed, said.count("\n"), "Traceback" in said) == ("", 1, False)
    return cause in said and cause in hook.log()[-1]["error"]


def silent(fields: str, *, hook: Hook) -> bool:
    event = {"hook_event_name": "Stop", "session_id": "s", **json.loads(fields)}
    return hook.said(json.dumps(event).encode()) == ("", "")


def broken(text: str, cause: str, *, hook: Hook) -> bool:
    """A broken configuration is told once."""
    (hook.home / "mine.toml").write_text('schema = 1\nkind = "nonsense"\n', encoding="utf-8")
    path = hook.home / ".config/groundwire/config.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.replace("HOME", str(hook.home)).encode("latin-1"))
    hook.start(source="resume", session_id="other")
    first, second = (hook(last_assistant_message=GUESS) for _ in range(2))
    assert "decision" not in first
    return cause in first["systemMessage"] and "systemMessage" not in second


def corrupt(junk: str, *, hook: Hook) -> bool:
    """What is no state of a session is a fresh one."""
    first = hook(last_assistant_message=GUESS)
    [file] = (hook.state / "sessions").glob("*.json")
    file.write_bytes(junk.encode("latin-1"))
    second = hook(last_assistant_message=GUESS)
    return [first["decision"], second["decision"]] == ["block"] * 2


def of_another(change: dict[str, Any], *, hook: Hook) -> bool:
    """A state of another release, or with odd parts, is read all the same."""
    hook.start("[composite]\nenabled = true\n[reinforcement]\nenabled = true\n")
    hook(last_assistant_message=GUESS)
    [file] = (hook.state / "sessions").glob("*.json")
    kept = {**json.loads(file.read_text(encoding="utf-8")), **change}
    plain = {key: value for key, value in kept.items() if value is not None}
    file.write_text(json.dumps(plain), encoding="utf-8")
    answer, line = hook(last_assistant_message=GUESS), hook.log()[-1]
    assert (line["reinforcement"]["state"], line["notes"]) == ("INIT", [])
    return "decision" not in answer


def unread(path: str, times: int, note: str, *, hook: Hook, tmp_path: Path) -> bool:
    """What cannot be read costs the transcript alone, and is noted where there is something.

    No process is started to compile settings that cannot be there.
    """
    for name, data in {"empty": b"", "half": b'{"type":"user","message":{"role":"us'}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "binary").write_bytes(os.urandom(100_000))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")  # unreadable for root as well
    place = os.path.join(tmp_path, json.loads(f'"{path}"') * times)
    fields = {"cwd": place} if path.startswith("/") else {}
    printed, _ = hook.said(stop(GUESSES, transcript_path=place, **fields))
    assert blocks(printed)
    assert "systemMessage" not in json.loads(printed)
    assert not (hook.home / ".cache").exists()
    line = hook.log()[-1]
    assert line["error"] == ""
    told = " ".join(line["notes"])
    return note in told and (note != "" or "cannot read" not in told)


test_row = rows(
    __file__,
    no_event=no_event,
    silent=silent,
    broken=broken,
    corrupt=corrupt,
    of_another=of_another,
    unread=unread,
)
