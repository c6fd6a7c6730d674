"""Processes that begin together: each prints that it is ready, and goes on when all of them are."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

Processes = list[subprocess.Popen[str]]


@contextmanager
def together(*commands: Sequence[str]) -> Iterator[Processes]:
    """Run programs that write "ready" and wait for a line; at the end they are killed."""
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
            )
            for command in commands
        ]
        for process in processes:
            stack.callback(process.kill)
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
        yield processes


def ends(processes: Processes) -> list[tuple[str, str, int]]:
    """Return what each has printed, what it has told, and its exit code."""
    return [(*process.communicate(timeout=120), process.returncode) for process in processes]
