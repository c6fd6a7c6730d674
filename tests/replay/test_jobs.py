"""Several processes: the same bytes as one, in the same order, and the same errors."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from groundwire.errors import TranscriptError
from groundwire.replay import pool
from groundwire.replay.job import Wanted
from groundwire.service.runtime import load_runtime
from tests.cli.command import Command

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"


@pytest.fixture
def many(cli: Command) -> Path:
    """Return a folder with the fixture sessions five times, and two files that are no sessions."""
    for number in range(5):
        shutil.copytree(FIXTURES, cli.folder / f"sessions/{number}")
    loop = cli.folder / "sessions/2/loop.jsonl"
    loop.symlink_to(loop)
    cli.write("sessions/3/empty.jsonl", "")
    return cli.folder / "sessions"


@pytest.mark.parametrize("form", ["table", "jsonl"])
@pytest.mark.parametrize(
    "options", [("--fail-on", "block"), ("--set", "mode=report", "--limit", "3")], ids=str
)
def test_two_processes_print_what_one_prints(
    cli: Command, many: Path, form: str, options: tuple[str, ...]
) -> None:
    arguments: tuple[str | Path, ...] = ("replay", many, "--format", form, *options)
    one, two = (cli(*arguments, "--jobs", jobs) for jobs in ("1", "2"))
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr
    assert two.returncode == one.returncode == (options[0] == "--fail-on")
    assert b"loop.jsonl: cannot read the transcript" in one.stderr
    assert len(one.stdout) > 500


def test_small_replays_stay_in_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(4)), raising=False)
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for file in files:
        file.write_bytes(b"x" * 100)
    assert pool.choose_jobs(0, files) == 1
    os.truncate(files[0], pool.SMALL)
    assert pool.choose_jobs(0, files) == 3  # never more than there are files
    assert pool.choose_jobs(2, files) == 2
    assert pool.choose_jobs(9, files) == 3


def test_a_process_that_dies_is_an_error_with_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    # a setting that cannot be loaded ends each process as it begins
    results = pool.replay_all(
        [FIXTURES / "shop-django.jsonl"] * 3, load_runtime(), {"mode": "loud"}, Wanted(), 2
    )
    with pytest.raises(TranscriptError, match=r"shop-django\.jsonl: a process ended"):
        list(results)
