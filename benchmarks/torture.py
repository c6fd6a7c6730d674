"""``python -m benchmarks.torture``: hooks that are killed, starved and misled, many at once; 1 when
something that was acknowledged is lost, torn or answered otherwise afterwards.

Each writer is a process of its own, forked when everything is loaded, that answers one event. A
library before libc (``faults.c``, compiled here) kills it at a chosen system call, makes the disk
full or read-only, or moves the clock. Half of the writers are of another version.
"""

import argparse
import ctypes
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

from groundwire.base.paths import cache_folder, state_folder
from groundwire.base.settings import Log
from groundwire.base.version import __version__
from groundwire.hook import compiled_file, handle
from groundwire.hook.log import append
from groundwire.hook.log_lines import read_log
from groundwire.settings.compile import compile_to_cache
from tests.everyday.rows import SCANNER
from tests.hook.messages import GUESS
from tests.support.decisions import json_lines

CALLS = ("open", "write", "rename", "fsync", "truncate", "unlink")
KILLS = ("before", "after", "half")
STARVED = ("full", "read-only")
ACTIONS = (*KILLS, *STARVED)
#: Sessions that the writers share; each remembers fewer findings than it may.
SESSIONS = 64
OTHER_VERSION = "0.0.1"
LOG = Log(max_bytes=60_000, keep=1_000)
_DAY = 86_400


class Job(NamedTuple):
    """One event and what befalls the process that answers it."""

    number: int
    call: str = ""
    nth: int = 0
    action: str = ""
    jump: int = 0
    other_version: bool = False

    def event(self) -> dict[str, Any]:
        """A turn whose message has to be stopped, unlike any other."""
        return {
            "hook_event_name": "Stop",
            "session_id": f"s{self.number % SESSIONS}",
            "prompt_id": f"p{self.number}",
            "last_assistant_message": GUESS.replace("crash", f"crash of m{_word(self.number)}"),
        }


def _word(number: int) -> str:
    """A word for a number, since numbers read alike."""
    return "".join(chr(97 + int(digit)) for digit in str(number))


def answer(job: Job, env: dict[str, str]) -> dict[str, Any]:
    """Answer the event of a job and log it; return what was acknowledged."""
    if job.other_version:
        handle.__version__ = compiled_file.__version__ = OTHER_VERSION  # type: ignore[attr-defined]
    try:
        reply = handle.handle_event(job.event(), env, time.time(), lambda _: SCANNER)
        problem = append(state_folder(env), reply.record or {}, LOG)
    except Exception as error:
        return {"job": job.number, "error": repr(error)}
    notes = " ".join((reply.record or {})["notes"])
    blocked = json.loads(reply.output or "{}").get("decision") == "block"
    saved = "session state" not in notes
    return {"job": job.number, "blocked": blocked, "logged": not problem, "saved": saved}


class Torture:
    """Forks writers, which tell in a file what was acknowledged to them; settings of the user are
    compiled before, by each version."""

    def __init__(self, home: Path, seed: int) -> None:
        self.env = {"HOME": str(home), "PATH": os.defpath}
        config = home / ".config" / "groundwire" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("notify = true\n", encoding="utf-8")
        for version in (__version__, OTHER_VERSION):
            with mock.patch.object(compiled_file, "__version__", version):
                compile_to_cache(self.env, "")
        self.compiled = self.compilations()
        self.random = random.Random(seed)
        self.library = ctypes.CDLL(None)
        self.jobs: list[Job] = []
        self.running: dict[int, Job] = {}
        self.killed: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.told = home / "told.jsonl"
        self._file = os.open(self.told, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def compilations(self) -> dict[str, int]:
        """Return the compiled settings with their times."""
        found = Path(cache_folder(self.env) or "").glob("*.bin")
        return {path.name: path.stat().st_mtime_ns for path in found}

    def run(self, kills: int, writers: int) -> None:
        """Go on until so many were killed, so many at once."""
        while self.killed.total() < kills or self.running:
            while len(self.running) < writers and self.killed.total() < kills:
                self.jobs.append(self._job(len(self.jobs)))
                self._start(self.jobs[-1])
            process, status = os.waitpid(-1, 0)
            job = self.running.pop(process)
            if os.WIFSIGNALED(status):
                self.killed[f"{job.call} {job.action}"] += 1
            elif job.action:
                self.faults[f"{job.call} {job.action}"] += 1

    def _job(self, number: int) -> Job:
        chance = self.random
        [call] = chance.choices(CALLS, weights=(8, 8, 8, 1, 1, 1))
        nth = chance.choice((1, 1, 1, 2, 2, 3))
        action = chance.choice((*KILLS * 3, *STARVED, ""))
        jump = chance.choice((0, 0, -_DAY, _DAY, -3_000 * _DAY, 3_000 * _DAY))
        return Job(number, call, nth, action, jump, chance.random() < 0.5)

    def _start(self, job: Job) -> None:
        process = os.fork()
        if process:
            self.running[process] = job
            return
        code = CALLS.index(job.call) + 1 if job.action else 0
        action = ACTIONS.index(job.action) + 1 if job.action else 0
        self.library.arm(code, job.nth, action, ctypes.c_long(job.jump))
        said = answer(job, self.env)
        self.library.arm(0, 0, 0, ctypes.c_long(0))
        os.write(self._file, json.dumps(said).encode() + b"\n")
        os._exit(0)


def broken(torture: Torture) -> Iterator[str]:
    """Yield what does not hold afterwards, in words."""
    folder = state_folder(torture.env)
    lines = read_log(folder or "")
    logged = Counter(record["prompt_id"] for record in lines)
    halves = torture.killed["write half"]
    yield from lines.problems
    if lines.skipped > halves:
        yield f"{lines.skipped} lines are torn, {halves} writers were killed within one"
    for said in json_lines(torture.told):
        number, job = said["job"], torture.jobs[said["job"]]
        if "error" in said:
            yield f"job {number} raised {said['error']}"
        elif said["logged"] and logged[f"p{number}"] != 1:
            yield f"job {number} was logged and stands {logged[f'p{number}']} times in it"
        elif not said["blocked"]:
            # nobody is stopped where that cannot be remembered
            if job.action not in STARVED and said["saved"]:
                yield f"job {number} was not stopped: {job}"
        elif said["saved"] and answer(job._replace(other_version=False), torture.env)["blocked"]:
            yield f"job {number} is stopped again: {job}"
    if torture.compilations() != torture.compiled:
        yield "the settings were compiled again"
    left = len([*Path(folder or "").rglob("*.tmp")])
    if left > torture.killed.total():
        yield f"{left} temporary files are left"


def main() -> int:
    """Torture, then look what is left."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with TemporaryDirectory(prefix="groundwire-torture-") as place:
        if "LD_PRELOAD" not in os.environ:
            return preloaded(Path(place, "faults.so"))
        begun = time.monotonic()
        torture = Torture(Path(place), options.seed)
        torture.run(options.kills, options.writers)
        print(
            f"seed {options.seed}: {len(torture.jobs)} writers, {options.writers} at once, "
            f"{torture.killed.total()} killed, {len(json_lines(torture.told))} acknowledged, "
            f"{time.monotonic() - begun:.0f} s"
        )
        print("killed:", dict(sorted(torture.killed.items())))
        print("went on:", dict(sorted(torture.faults.items())))
        found = list(broken(torture))
        print("\n".join(found[:20]) or "nothing lost, torn or changed")
        return 1 if found else 0


def preloaded(library: Path) -> int:
    """Compile the library and run this program again behind it."""
    compiler, source = os.environ.get("CC", "cc"), Path(__file__).with_name("faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    command = [sys.executable, "-m", "benchmarks.torture", *sys.argv[1:]]
    env = {**os.environ, "LD_PRELOAD": str(library)}
    return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
