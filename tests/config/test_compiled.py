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
from groundwire.config.compiled import compile_settings, compile_to_cache, prune_cache
from groundwire.decision import Memory
from groundwire.rules import RuleSet
from groundwire.service.session import Session
from groundwire.settings import SHIPPED, Allow, Settings, Thresholds
from groundwire.state import compiled_file as module
from groundwire.state.compiled import Compiled, ensure_compiled, settings_key
from groundwire.state.compiled_file import (
    compiled_path,
    folder_digest,
    read_compiled,
    write_compiled,
)
from groundwire.state.sources import MAX_BYTES
from tests.config.place import PACK, Place
from tests.support.tables import table

SOURCE = str(Path(groundwire.__file__).parents[1])
#: As the hook runs: nothing but the standard library and groundwire.
BARE = [sys.executable, "-I", "-S", "-c"]
PRELUDE = f"import os, sys\nsys.path.insert(0, {SOURCE!r})\n"
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
    found = settings_key(place.env, str(place.folder))
    assert found is not None
    return found[0]


def ensure(place: Place) -> Compiled:
    """Compile, here and not in a process, what is not in the cache; read it as the hook does."""
    if read_compiled(str(place.cache), key_of(place)) is None:
        assert compile_to_cache(place.env, str(place.folder))
    compiled = ensure_compiled(place.env, str(place.folder), 0)
    assert compiled is not None
    return compiled


def cached(place: Place) -> list[Path]:
    return sorted(place.cache.glob("*.bin"))


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
    file = Path(compiled_path(str(tmp_path), KEY))
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
    assert settings_key(place.env, str(place.folder)) is None
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'groundwire'\n")
    assert settings_key(place.env, str(place.folder)) is None
    assert ensure_compiled(place.env, str(place.folder), 0) == Compiled()
    assert not place.cache.exists()


CHANGES: list[Callable[[Place], object]] = [
    lambda place: place.user("notify = true"),
    lambda place: place.admin("notify = true"),
    lambda place: place.project("notify = true"),
    lambda place: place.write(place.folder / "pyproject.toml", "[tool.groundwire]\n"),
    lambda place: place.env.update(GROUNDWIRE_NOTIFY="true"),
    lambda place: place.env.update(GROUNDWIRE_CONFIG="/missing.toml"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_key_depends_on_every_source(place: Place, change: Callable[[Place], object]) -> None:
    seen = [settings_key(place.env, str(place.folder))]
    change(place)
    seen.append(settings_key(place.env, str(place.folder)))
    place.user("framing = false")
    place.env["GROUNDWIRE_LOG__KEEP"] = "4"
    seen.append(settings_key(place.env, str(place.folder)))
    assert len({entry and entry[0] for entry in seen}) == 3


def test_trust_changes_the_key_only_beside_a_project_file(place: Place) -> None:
    place.user("notify = true")
    before = key_of(place)
    place.write(place.settings / "trusted.json", "{}")
    assert key_of(place) == before
    place.project("notify = true")
    with_file = key_of(place)
    place.write(place.settings / "trusted.json", "[]")
    assert key_of(place) != with_file


def test_compiled_by_a_process_of_its_own(place: Place) -> None:
    files = place.user("thresholds.report = 33"), place.project('mode = "off"')
    found = settings_key(place.env, str(place.folder))
    assert found is not None
    assert found[1] == tuple(map(str, files))
    compiled = ensure_compiled(place.env, str(place.folder), WAIT)
    assert compiled is not None
    assert compiled.settings == Settings(thresholds=Thresholds(report=33))
    assert (compiled.rules, compiled.error, len(compiled.warnings)) == (None, "", 1)
    assert read_compiled(str(place.cache), key_of(place)) == compiled


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
        assert ensure_compiled(place.env, str(place.folder), WAIT) == compiled
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
    _, compiled = compile_settings(place.env, str(place.folder))
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
    session = Session(Memory())
    found = session.configuration({**place.env, **variables}, str(place.folder), None)
    assert found.settings == SHIPPED.replace(mode=mode)
    assert mode in session.notes[0]


def test_until_changed_settings_are_compiled_the_last_good_ones_count(place: Place) -> None:
    packs = place.pack(place.settings / "packs")
    place.user('patterns.folders = ["packs"]\nthresholds.report = 33')
    good = ensure(place)
    for report in (33, 34):  # another pattern, then another setting, too
        place.pack(packs, PACK.replace('"zorble likely"', '"zorbly"'))
        place.user(f'patterns.folders = ["packs"]\nthresholds.report = {report}')
        session = Session(Memory())
        assert session.configuration(place.env, str(place.folder), None) == good
        assert "the last ones were used: enforce" in session.notes[0]
    project = place.project("thresholds.report = 20")  # and then a project's first file
    assert Session(Memory()).configuration(place.env, str(place.folder), None) == good
    project.unlink()
    place.user('mode = "off"')
    found = Session(Memory()).configuration(place.env, str(place.folder), None)
    assert found.settings == good.settings.replace(mode="off")
    assert ensure(place).settings == Settings(mode="off")
    place.user('mode = "loud"')  # an error is not good
    assert ensure(place).error
    found = Session(Memory()).configuration(place.env, str(place.folder), None)
    assert (found.error, found.settings.mode) == ("", "report")
    place.user('patterns.folders = ["packs"]\nthresholds.report = 35')
    good = ensure(place)
    place.pack(packs, "[[entry]]")  # broken, then mended: no settings file has changed
    assert ensure(place).error
    place.pack(packs)
    assert Session(Memory()).configuration(place.env, str(place.folder), None) == good


def test_pattern_folder_is_watched(place: Place) -> None:
    packs = place.pack(place.settings / "packs")
    place.user('patterns.folders = ["packs"]')
    first = ensure(place)
    assert (first.error, first.folders) == ("", ((str(packs), folder_digest(str(packs))),))
    assert first.rules is not None
    assert first.rules.row_of("speculation.config-test") is not None
    place.pack(packs, PACK.replace('"zorble likely"', '"zorble likely", "zorbly"'))
    assert read_compiled(str(place.cache), key_of(place)) is None
    second = ensure(place)
    assert second.rules is not None
    assert "zorbly" in dict(second.rules.forms())


def test_process_that_cannot_import_says_so(place: Place, tmp_path: Path) -> None:
    """groundwire without the packages that it needs: the error is told, and tried again."""
    place.user("notify = true")
    script = Path(groundwire.__file__).parent / "config" / "compile_main.py"
    command = [sys.executable, "-I", "-S", str(script), str(place.folder)]
    done = subprocess.run(command, env=place.env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    compiled = read_compiled(str(place.cache), key_of(place))
    assert compiled is not None
    assert compiled.transient
    assert "ModuleNotFoundError" in compiled.error


def test_held_lock_means_waiting_and_not_compiling(place: Place) -> None:
    place.user("notify = true")
    place.cache.mkdir(parents=True)
    with open(place.cache / f"settings-{key_of(place)}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ensure_compiled(place.env, str(place.folder), 0.1) is None
        assert cached(place) == []
        # it may be held by a process that read the files before a change
        release = threading.Timer(0.1, fcntl.flock, (lock, fcntl.LOCK_UN))
        release.start()
        assert ensure_compiled(place.env, str(place.folder), WAIT)
        release.join()


def test_compile_survives_the_process_group_of_the_hook(place: Place) -> None:
    place.user("notify = true")
    script = PRELUDE + (
        "import signal\n"
        "from groundwire.state.compiled import ensure_compiled\n"
        "ensure_compiled(os.environ, sys.argv[1], 0)\n"
        "os.killpg(0, signal.SIGKILL)\n"
    )
    command = [*BARE, script, str(place.folder)]
    done = subprocess.run(command, env=place.env, check=False, start_new_session=True)
    assert done.returncode == -9
    deadline = time.monotonic() + WAIT
    while not cached(place) and time.monotonic() < deadline:
        time.sleep(0.02)
    compiled = read_compiled(str(place.cache), key_of(place))
    assert compiled is not None
    assert compiled.settings.notify


UNWRITABLE: dict[str, Callable[[Place], object]] = {
    "a file in place of the folder": lambda place: place.write(place.cache, ""),
    "a device above it": lambda place: place.env.update(GROUNDWIRE_CACHE_DIR="/dev/null/x"),
    "a name that cannot be": lambda place: place.env.update(GROUNDWIRE_CACHE_DIR="a\0b"),
    "no home": lambda place: place.env.pop("HOME") and place.env.update(GROUNDWIRE_NOTIFY="true"),
}


@pytest.mark.parametrize("spoil", UNWRITABLE.values(), ids=UNWRITABLE)
def test_without_a_cache_there_is_no_configuration(
    place: Place, spoil: Callable[[Place], object]
) -> None:
    place.user("notify = true")
    spoil(place)
    assert ensure_compiled(place.env, str(place.folder), WAIT) is None


def test_old_files_go_and_young_ones_stay(place: Place) -> None:
    place.user("notify = true")
    place.cache.mkdir(parents=True)
    now = time.time()
    for number in range(70):
        old = place.write(place.cache / f"settings-{number}.bin", "")
        os.utime(old, (now - 100 - number, now - 100 - number))
    left = place.write(place.cache / "settings-1.bin.9-ab.tmp", "")
    os.utime(left, (now - 90_000, now - 90_000))
    young = place.write(place.cache / "settings-1.lock", "")
    foreign = place.write(place.cache / "other.bin", "")
    assert compile_to_cache(place.env, str(place.folder))
    names = {path.name for path in place.cache.iterdir()}
    assert len([*place.cache.glob("settings-*.bin")]) == 64
    assert {"settings-0.bin", young.name, foreign.name} <= names
    assert not {"settings-69.bin", left.name} & names
    prune_cache(str(place.cache))
