"""What the hook costs: whole processes, paired round by round with a bare interpreter.

    python benchmarks/run.py [--rounds N] [--json FILE]

Absolute times differ from machine to machine and from minute to minute, so each round starts both
commands, and the ratio of the two is what counts. Every run's answer is checked.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import groundwire

RUN = Path(groundwire.__file__).parent / "hook" / "run.py"
CLEAN = "The parser reads the header first. Then it reads the rows of the table.\n\n"
CLAIM = "I think the crash is probably caused by a race condition.\n\n"


def event(size: int, claim: str, transcript: str = "") -> bytes:
    """Return a Stop event with a message of ``size`` characters."""
    text = claim + CLEAN * (size // len(CLEAN) + 1)
    fields = {
        "hook_event_name": "Stop",
        "session_id": os.urandom(8).hex(),
        "last_assistant_message": text[:size],
        "transcript_path": transcript,
    }
    return json.dumps(fields).encode()


def write_transcript(path: Path, megabytes: float) -> None:
    """Write a session whose last turn has 200 KB of tool results, behind older turns."""

    def line(kind: str, content: object) -> str:
        message = {"role": kind, "id": "m1", "content": content}
        return json.dumps({"type": kind, "uuid": "u", "message": message}) + "\n"

    filler = line("user", [{"type": "tool_result", "tool_use_id": "t", "content": "x " * 10_000}])
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < megabytes * 1e6:
            file.write(line("user", "an older prompt") + filler * 5)
        file.write(line("user", "why does it crash?"))
        for number in range(10):
            call = {"type": "tool_use", "id": f"c{number}", "name": "Bash"}
            call["input"] = {"command": "pytest -q"}  # type: ignore[assignment]
            file.write(line("assistant", [call]))
            result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "ok " * 7000}
            file.write(line("user", [result]))


def timed(command: list[str], data: bytes, env: dict[str, str]) -> tuple[float, bytes]:
    """Return the seconds of one run, from start to end, and its output."""
    begun = time.perf_counter()
    process = subprocess.run(command, input=data, env=env, capture_output=True, check=True)
    return time.perf_counter() - begun, process.stdout


def compare(
    name: str, make: tuple[int, str, str], rounds: int, env: dict[str, str]
) -> dict[str, object]:
    """Run one case against the bare interpreter and return the ratio with its quartiles."""
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    hook = [sys.executable, "-I", "-S", str(RUN)]
    ratios = []
    size, claim, transcript = make
    for _ in range(rounds):
        base, _ = timed(bare, b"", env)
        seconds, answer = timed(hook, event(size, claim, transcript), env)
        if (b'"matches"' in answer) != bool(claim):
            raise SystemExit(f"{name}: wrong answer {answer[:200]!r}")
        ratios.append(seconds / base)
    quarters = statistics.quantiles(ratios, n=4)
    return {"case": name, "ratio": quarters[1], "low": quarters[0], "high": quarters[2]}


def main() -> int:
    """Measure all cases and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {"HOME": folder, "PATH": os.defpath, "LANG": "C.UTF-8"}
        small, large = Path(folder, "1mb.jsonl"), Path(folder, "300mb.jsonl")
        write_transcript(small, 1)
        write_transcript(large, 300)
        cases = {
            "clean message, 5 KB": (5_000, "", ""),
            "finding, 5 KB": (5_000, CLAIM, ""),
            "finding, 5 KB, transcript 1 MB": (5_000, CLAIM, str(small)),
            "finding, 5 KB, transcript 300 MB": (5_000, CLAIM, str(large)),
            "finding, 50 KB": (50_000, CLAIM, ""),
        }
        rows = [compare(name, make, options.rounds, env) for name, make in cases.items()]
    print(f"{'case':34} x `python -I -S -c pass` (quartiles)")
    for row in rows:
        print(f"{row['case']:34} {row['ratio']:.2f} ({row['low']:.2f} to {row['high']:.2f})")
    if options.json:
        machine = {"machine": platform.machine(), "python": platform.python_version()}
        options.json.write_text(json.dumps({**machine, "rows": rows}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
