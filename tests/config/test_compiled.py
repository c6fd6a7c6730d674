"""The compiled configuration on real files and with real processes."""

import fcntl
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire.base.rules import RuleSet
from groundwire.base.settings import SHIPPED, Allow, Settings, Thresholds
from groundwire.hook import compiled_file as module
from groundwire.hook.compiled import Compiled, settings_key
from groundwire.hook.compiled_file import folder_digest, read_compiled, write_compiled
from groundwire.hook.session import Session, ensure_compiled
from groundwire.hook.sources import MAX_BYTES
from groundwire.settings.compile import compile_settings, compile_to_cache
from groundwire.verdict.decision import Memory
from tests.config.place import PACK, Place
from tests.support.tables import table
from tests.support.waiting import wait_until

SOURCE = Path(groundwire.__file__).parents[1]
#: As the hook runs: nothing but the standard library and groundwire.
BARE = [sys.executable, "-I", "-S"]
#: Seconds for a compile on a slow and busy machine; every wait ends as soon as it is done.
WAIT = 60.0
KEY = "0" * 32
FULL = Compiled(
    Settings(
        mode="report",
        thresholds=Thresholds(report=1),
        features=(("unrun", 1.5),),
        markers_off=("a.b",),
        allow=(Allow("r", phrase="p q"), Allow("\u00fc", marker="a.b")),
    ),
    RuleSet("a.b\tspeculation_language\tweak\t\t~ x\t\tn\n", {"th": "\nthink\ti think\ti\t0\n"}),
    "",
    ("a warning",),
)


def key_of(place: Place) -> str:
    found = settings_key(*place.where)
    assert found is not None
    return found[0]


def cached(place: Place) -> Compiled | None:
    return read_compiled(str(place.cache), key_of(place))


def ensure(place: Place) -> Compiled:
    """Compile, here and not in a process, what is not in the cache; read it as the hook does."""
    assert cached(place) or compile_to_cache(*place.where)
    compiled = ensure_compiled(*place.where, 0)
    assert compiled is not None
    return compiled


def used(place: Place) -> tuple[Compiled, str]:
    """Return what a session uses that cannot have its settings compiled, and its note."""
    session = Session(Memory())
    return session.configuration(*place.where, None), session.notes[0]


@pytest.mark.parametrize(
    "compiled", [Compiled(), FULL, Compiled(error="broken", transient=True)], ids=repr
)
def test_written_and_read_again(tmp_path: Path, compiled: Compiled) -> None:
    assert write_compiled(str(tmp_path / "new"), KEY, compiled)
    assert read_compiled(str(tmp_path / "new"), KEY) == compiled
    (file,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


#: What takes the place of a part of the file.
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "torn in the payload": lambda data: data[:-1],
    "another format": lambda data: data.replace(b"settings 1\n", b"settings 2\n"),
    "another groundwire": lambda data: data.replace(groundwire.__version__.encode(), b"9.9.9"),
    "another interpreter": lambda data: data.replace(sys.version.split()[0].encode(), b"2.7.18"),
    "another key": lambda data: data.replace(KEY.encode(), b"1" * 32),
    "a bit of the header": lambda data: bytes([data[0] ^ 32]) + data[1:],
    "a bit of the settings": lambda data: data[:200] + bytes([data[200] ^ 32]) + data[201:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_file_counts_as_missing(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    write_compiled(str(tmp_path), KEY, FULL)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert file.read_bytes() != whole
    assert read_compiled(str(tmp_path), KEY) is None


def test_what_is_whole_but_not_ours_is_not_used(tmp_path: Path, monkeypatch: Any) -> None:
    write_compiled(str(tmp_path), KEY, FULL)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert read_compiled(str(tmp_path), KEY) is None
    monkeypatch.setattr(module, "_plain", lambda _compiled: {"settings": {"no": 1}, "rules": 3})
    write_compiled(str(tmp_path), KEY, FULL)
    assert read_compiled(str(tmp_path), KEY) is None


def test_no_settings_need_no_cache(place: Place) -> None:
    assert settings_key(*place.where) is None
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'groundwire'\n")
    assert settings_key(*place.where) is None
    assert ensure_compiled(*place.where, 0) == Compiled()
    assert not place.cache.exists()


@table
def test_key_depends_on(files: dict[str, str], variables: dict[str, str], place: Place) -> None:
    seen = [settings_key(*place.where)]
    place.change(files, variables)
    seen.append(settings_key(*place.where))
    place.user("framing = false")
    place.env["GROUNDWIRE_LOG__KEEP"] = "4"
    seen.append(settings_key(*place.where))
    assert len({entry and entry[0] for entry in seen}) == 3


def test_trust_changes_the_key_only_beside_a_project_file(place: Place) -> None:
    place.user("notify = true")
    keys = [key_of(place)]
    place.write(place.settings / "trusted.json", "{}")
    keys.append(key_of(place))
    place.project("notify = true")
    keys.append(key_of(place))
    place.write(place.settings / "trusted.json", "[]")
    assert keys[0] == keys[1]
    assert len({*keys, key_of(place)}) == 3


def test_compiled_by_a_process_of_its_own(place: Place) -> None:
    files = place.user("thresholds.report = 33"), place.project('mode = "off"')
    found = settings_key(*place.where)
    assert found is not None
    assert found[1] == tuple(map(str, files))
    compiled = ensure_compiled(*place.where, WAIT)
    assert compiled is not None
    assert compiled.settings == Settings(thresholds=Thresholds(report=33))
    assert (compiled.rules, compiled.error, len(compiled.warnings)) == (None, "", 1)
    assert cached(place) == compiled


def test_broken_settings_are_told_and_not_compiled_again(place: Place, monkeypatch: Any) -> None:
    file = place.user('mode = "x"\nlog.keep = 0')
    compiled = ensure(place)
    assert compiled.error.splitlines() == [
        f'{file}: mode: value "x": one of "enforce", "report", "off"',
        f"{file}: log.keep: value 0: a whole number from 1 to 100",
    ]
    assert compiled.settings == SHIPPED
    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_spawn", lambda *_: pytest.fail("compiled again"))
        assert ensure_compiled(*place.where, WAIT) == compiled
    place.user('mode = "report"')
    assert ensure(place).settings == Settings(mode="report")


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (lambda path: path.write_text("mode = "), "line 1"),
        (lambda path: path.write_text("unheard_of = 1"), "unheard_of"),
        (Path.mkdir, "is not a regular file"),
        (os.mkfifo, "is not a regular file"),
        # as unreadable as the file of another owner, for root, too
        (lambda path: path.symlink_to(path), "cannot be read"),
        (lambda path: path.write_text("#" * (MAX_BYTES + 1)), "is larger than"),
    ],
    ids=["syntax", "key", "folder", "pipe", "loop", "large"],
)
def test_a_broken_project_file_counts_for_nothing(
    place: Place, write: Callable[[Path], object], says: str
) -> None:
    place.user("thresholds.report = 33")
    write(place.folder / ".groundwire.toml")
    _, compiled = compile_settings(*place.where)
    assert compiled.error == ""
    assert compiled.settings == Settings(thresholds=Thresholds(report=33))
    [told] = compiled.warnings
    assert told.startswith("the project's settings are ignored: ")
    assert says in told


@table
def test_without_compiled_settings_nobody_is_stopped_who_did_not_ask_for_it(
    user: str, variables: dict[str, str], mode: str, place: Place
) -> None:
    place.user(user)
    place.project('mode = "off"')
    place.env |= variables
    found, note = used(place)
    assert found.settings == SHIPPED.replace(mode=mode)
    assert mode in note


def test_until_changed_settings_are_compiled_the_last_good_ones_count(place: Place) -> None:
    packs = place.pack(place.settings / "packs")
    place.user('patterns.folders = ["packs"]\nthresholds.report = 33')
    good = ensure(place)
    for report in (33, 34):  # another pattern, then another setting, too
        place.pack(packs, PACK.replace('"zorble likely"', '"zorbly"'))
        place.user(f'patterns.folders = ["packs"]\nthresholds.report = {report}')
        found, note = used(place)
        assert found == good
        assert "the last ones were used: enforce" in note
    project = place.project("thresholds.report = 20")  # and then a project's first file
    assert used(place)[0] == good
    project.unlink()
    place.user('mode = "off"')
    assert used(place)[0].settings == good.settings.replace(mode="off")
    assert ensure(place).settings == Settings(mode="off")
    place.user('mode = "loud"')  # an error is not good
    assert ensure(place).error
    found, _ = used(place)
    assert (found.error, found.settings.mode) == ("", "report")
    place.user('patterns.folders = ["packs"]\nthresholds.report = 35')
    good = ensure(place)
    place.pack(packs, "[[entry]]")  # broken, then mended: no settings file has changed
    assert ensure(place).error
    place.pack(packs)
    assert used(place)[0] == good


def test_pattern_folder_is_watched(place: Place) -> None:
    packs = place.pack(place.settings / "packs")
    place.user('patterns.folders = ["packs"]')
    first = ensure(place)
    assert (first.error, first.folders) == ("", ((str(packs), folder_digest(str(packs))),))
    assert first.rules is not None
    assert first.rules.row_of("speculation.config-test") is not None
    place.pack(packs, PACK.replace('"zorble likely"', '"zorble likely", "zorbly"'))
    assert cached(place) is None
    second = ensure(place)
    assert second.rules is not None
    assert "zorbly" in dict(second.rules.forms())


def test_process_that_cannot_import_says_so(place: Place, tmp_path: Path) -> None:
    """groundwire without the packages that it needs: the error is told, and tried again."""
    place.user("notify = true")
    script = str(SOURCE / "groundwire/settings/compile_main.py")
    command = [*BARE, script, str(place.folder)]
    done = subprocess.run(command, env=place.env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    compiled = cached(place)
    assert compiled is not None
    assert compiled.transient
    assert "ModuleNotFoundError" in compiled.error


def test_held_lock_means_waiting_and_not_compiling(place: Place) -> None:
    place.user("notify = true")
    place.cache.mkdir(parents=True)
    with open(place.cache / f"settings-{key_of(place)}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ensure_compiled(*place.where, 0.1) is None
        assert cached(place) is None
        # it may be held by a process that read the files before a change
        release = threading.Timer(0.1, fcntl.flock, (lock, fcntl.LOCK_UN))
        release.start()
        assert ensure_compiled(*place.where, WAIT)
        release.join()


def test_compile_survives_the_process_group_of_the_hook(place: Place) -> None:
    place.user("notify = true")
    script = (
        f"import os, signal, sys; sys.path.insert(0, {str(SOURCE)!r})\n"
        "from groundwire.hook.session import ensure_compiled\n"
        "ensure_compiled(os.environ, sys.argv[1], 0)\n"
        "os.killpg(0, signal.SIGKILL)\n"
    )
    command = [*BARE, "-c", script, str(place.folder)]
    done = subprocess.run(command, env=place.env, check=False, start_new_session=True)
    assert done.returncode == -9
    wait_until(lambda: cached(place), seconds=WAIT)
    compiled = cached(place)
    assert compiled is not None
    assert compiled.settings.notify


@table
def test_without_a_cache(files: dict[str, str], variables: dict[str, str], place: Place) -> None:
    place.user("notify = true")
    place.change(files, variables)
    assert ensure_compiled(*place.where, WAIT) is None


def test_old_files_go_and_young_ones_stay(place: Place) -> None:
    place.user("notify = true")
    place.cache.mkdir(parents=True)
    names = {f"settings-{number}.bin": 100 + number for number in range(70)}
    names |= {"settings-1.bin.9-ab.tmp": 90_000, "settings-1.lock": 0, "other.bin": 0}
    for name, age in names.items():
        os.utime(place.write(place.cache / name, ""), (time.time() - age,) * 2)
    assert compile_to_cache(*place.where)
    left = {path.name for path in place.cache.iterdir()}
    assert len([*place.cache.glob("settings-*.bin")]) == 64
    assert {"settings-0.bin", "settings-1.lock", "other.bin"} <= left
    assert not {"settings-69.bin", "settings-1.bin.9-ab.tmp"} & left
