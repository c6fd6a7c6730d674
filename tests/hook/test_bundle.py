"""The bundle of the hook's modules: used when it is current, never in the way when it is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import groundwire
from groundwire.hook.bundle import GROUPS

PACKAGE = Path(groundwire.__file__).parent
EVENT = {
    "hook_event_name": "Stop",
    "last_assistant_message": "I think the crash is caused by a race. All 12 tests pass.",
}
#: Tells on stderr which modules came from the bundle and which from their files.
PROBE = """
import os, runpy, sys
exit_ = os._exit
def report(code):
    modules = [m for n, m in sys.modules.items() if n.startswith("groundwire.")]
    taken = [m.__name__ for m in modules if getattr(m, "__cached__", None) is None]
    os.write(2, (" ".join(taken) + "|" + str(len(modules))).encode())
    exit_(code)
os._exit = report
runpy.run_path({run!r}, run_name="__main__")
"""

#: Tells on stderr what every record of the loaded modules holds, and makes one of each.
RECORDS = """
import os, runpy, sys
exit_ = os._exit
def report(code):
    from groundwire.record import Record
    for cls in sorted(Record.__subclasses__(), key=str):
        given = range(len(cls._fields) - len(cls._defaults))
        one = cls(*given)
        assert one == cls(**dict(zip(cls._fields, given))) == one.replace()
        os.write(2, ascii((cls.__module__, one, cls._fields, cls._defaults)).encode())
    exit_(code)
os._exit = report
runpy.run_path({run!r}, run_name="__main__")
"""


#: Tells on stderr whether a module comes from the bundle when nothing of its package is loaded yet.
FIRST = """
import sys
sys.path.insert(0, {sources!r})
from groundwire.hook.run import add_bundle
add_bundle()
__import__({name!r})
sys.stderr.write(str(getattr(sys.modules[{name!r}], "__cached__", None)))
"""


class Installed:
    """A copy of the package, so that its sources and its bundle can be changed."""

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.package = folder / "site" / "groundwire"
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, self.package, ignore=ignore)
        self.run = self.package / "hook" / "run.py"

    @property
    def bundle(self) -> Path | None:
        return next(iter(self.package.glob("__pycache__/hook.*.bundle")), None)

    def build(self) -> Path:
        command = [sys.executable, "-I", "-S", str(self.package / "hook" / "bundle.py")]
        subprocess.run(command, check=True, env={})
        assert self.bundle
        return self.bundle

    def answer(self, *options: str, **event: str) -> tuple[str, str]:
        """Return what the hook prints on stdout and stderr; a session of its own each time."""
        fields = {**EVENT, "session_id": os.urandom(8).hex(), **event}
        done = subprocess.run(
            [sys.executable, "-I", "-S", *(options or (str(self.run),))],
            input=json.dumps(fields).encode(),
            capture_output=True,
            check=True,
            env={"HOME": str(self.home)},
        )
        return done.stdout.decode(), done.stderr.decode()

    def modules(self, **event: str) -> tuple[list[str], int]:
        """Return the modules that came from the bundle, and the number of all."""
        taken, _, count = self.answer("-c", PROBE.format(run=str(self.run)), **event)[1].partition(
            "|"
        )
        return taken.split(), int(count)


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def test_it_gives_the_same_answer_as_the_modules(installed: Installed, transcript: Path) -> None:
    plain = [installed.answer(), installed.answer(transcript_path=str(transcript))]
    installed.build()
    assert [installed.answer(), installed.answer(transcript_path=str(transcript))] == plain
    assert '"decision": "block"' in plain[0][0]


def test_all_modules_of_a_turn_are_in_it(installed: Installed, transcript: Path) -> None:
    installed.build()
    taken, count = installed.modules(transcript_path=str(transcript))
    assert count == len(taken) > 50


@pytest.mark.parametrize("name", [group[-1] for group in GROUPS[1:]])
def test_a_group_is_loaded_first(installed: Installed, name: str) -> None:
    """Though a package of which it has modules stands in another group."""
    installed.build()
    code = FIRST.format(sources=str(installed.package.parent), name=name)
    assert installed.answer("-c", code) == ("", "None")


def test_its_records_are_those_of_the_modules(installed: Installed, transcript: Path) -> None:
    probe = RECORDS.format(run=str(installed.run))
    plain = installed.answer("-c", probe, transcript_path=str(transcript))[1]
    installed.build()
    assert installed.answer("-c", probe, transcript_path=str(transcript))[1] == plain
    assert "('groundwire.model', Candidate(start=0, end=1, marker=2)" in plain


def test_a_changed_source_is_run_and_not_its_old_code(installed: Installed) -> None:
    installed.build()
    source = installed.package / "render" / "reason.py"
    text = source.read_text(encoding="utf-8")
    assert "Not backed by evidence" in text
    source.write_text(text.replace("Not backed by evidence", "Changed"), encoding="utf-8")
    assert '"reason": "Changed' in installed.answer()[0]


@pytest.mark.parametrize(
    "name", ["record.py", "model.py", "evidence/message/claims.py", "evidence/turn/facts.py"]
)
def test_a_part_that_is_older_than_a_source_gives_the_same_answer(
    installed: Installed, transcript: Path, name: str
) -> None:
    """As after an update that changed some of the files: old and new parts must fit together."""
    before = installed.answer(transcript_path=str(transcript))
    installed.build()
    with (installed.package / name).open("a", encoding="utf-8") as source:
        source.write("# changed\n")
    after = installed.answer(transcript_path=str(transcript))
    assert after == before
    assert after[1] == ""


def test_it_can_be_moved_with_the_package(installed: Installed, tmp_path: Path) -> None:
    """Nothing of the place where it was written is loaded from there."""
    installed.build()
    target = tmp_path / "elsewhere" / "groundwire"
    target.parent.mkdir()
    installed.package.rename(target)
    installed.package, installed.run = target, target / "hook" / "run.py"
    taken, count = installed.modules()
    assert count == len(taken)


def _torn(bundle: Path) -> None:
    bundle.write_bytes(bundle.read_bytes()[:20_000])


def _cut_in_a_group(bundle: Path) -> None:
    bundle.write_bytes(bundle.read_bytes()[:60_000])


def _empty(bundle: Path) -> None:
    bundle.write_bytes(b"")


def _garbage(bundle: Path) -> None:
    bundle.write_bytes(b"00000100" + bytes(range(256)) * 40)


def _folder(bundle: Path) -> None:
    bundle.unlink()
    bundle.mkdir()


@pytest.mark.parametrize("damage", [_torn, _cut_in_a_group, _empty, _garbage, _folder])
def test_a_damaged_one_only_costs_time(
    installed: Installed, damage: Callable[[Path], None]
) -> None:
    expected = installed.answer()
    damage(installed.build())
    assert installed.answer() == expected


def test_a_missing_one_is_written_after_the_answer(installed: Installed) -> None:
    installed.answer()
    deadline = time.monotonic() + 60
    while installed.bundle is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    taken, count = installed.modules()
    assert count == len(taken)


def test_a_folder_that_cannot_be_written_costs_one_try(installed: Installed) -> None:
    (installed.package / "__pycache__").write_text("no folder", encoding="utf-8")
    first, second = installed.answer(), installed.answer()
    assert first == second
    assert '"decision": "block"' in first[0]
    assert first[1] == ""


def test_two_writers_do_not_disturb_each_other(installed: Installed) -> None:
    script = str(installed.package / "hook" / "bundle.py")
    command = [sys.executable, "-I", "-S", script]
    writers = [subprocess.Popen(command, env={}) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    left = [path.name for path in (installed.package / "__pycache__").glob("hook.*")]
    assert left == [installed.build().name]
