"""The bundle of the hook's modules: the same answers, never old code, never a failure."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "groundwire"
EVENT = json.dumps(
    {
        "hook_event_name": "Stop",
        "session_id": "s",
        "last_assistant_message": "I think the crash is probably caused by a race condition.",
    }
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package without bundle and byte code."""
    copy = tmp_path / "lib" / "groundwire"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(package: Path, script: str, event: str = "") -> subprocess.CompletedProcess[str]:
    home = package.parents[1] / f"home{len(list(package.parents[1].glob('home*')))}"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.defpath}
    command = [sys.executable, "-I", "-S", str(package / "hook" / script)]
    return subprocess.run(
        command, input=event, env=environment, capture_output=True, text=True, check=True
    )


def bundle_of(package: Path) -> Path:
    run(package, "bundle.py")
    [found] = package.rglob("*.bundle")
    return found


def test_the_answer_is_the_same_with_and_without_it(package: Path) -> None:
    without = run(package, "run.py", EVENT)
    bundle_of(package)
    assert run(package, "run.py", EVENT).stdout == without.stdout
    assert json.loads(without.stdout)["decision"] == "block"


def test_a_changed_source_is_not_taken_from_it(package: Path) -> None:
    bundle_of(package)
    reason = package / "render" / "reason.py"
    text = reason.read_text(encoding="utf-8")
    assert "Not backed by evidence" in text
    reason.write_text(text.replace("Not backed by evidence", "Lacking proof"), encoding="utf-8")
    assert "Lacking proof" in json.loads(run(package, "run.py", EVENT).stdout)["reason"]


@pytest.mark.parametrize(
    "damage", [b"", b"12345678", os.urandom(4000)], ids=["empty", "cut", "noise"]
)
def test_a_damaged_one_does_no_harm(package: Path, damage: bytes) -> None:
    bundle_of(package).write_bytes(damage)
    process = run(package, "run.py", EVENT)
    assert json.loads(process.stdout)["decision"] == "block"
    assert process.stderr == ""
