"""Processes that begin together: each prints that it is ready, and goes on when all of them are."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import groundwire

Processes = list[subprocess.Popen[str]]


@contextmanager
def together(*commands: Sequence[str]) -> Iterator[Processes]:
    """Run programs that write "ready" and wait for a line; at the end they are killed."""
    pipe = subprocess.PIPE
    processes = []
    with ExitStack() as stack:
        for command in commands:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
            processes.append(stack.enter_context(process))
            stack.callback(process.kill)
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            print(file=process.stdin, flush=True)
        yield processes


def ends(processes: Processes) -> list[tuple[str, str, int]]:
    """Return what each has printed, what it has told, and its exit code."""
    return [(*process.communicate(timeout=120), process.returncode) for process in processes]


#: Has the standard library and groundwire, as the hook has; ``write`` is what is under test.
_WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
{imports}
folder, writer, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
for number in range(count):
    problem = {write}
    if problem:
        sys.exit(problem)
"""


def writers(
    folder: Path, writers: int, count: int, imports: str, write: str
) -> AbstractContextManager[Processes]:
    """Run processes that each evaluate ``write`` so many times, which returns what went wrong.

    It knows ``folder``, ``writer`` and ``number``, and what ``imports`` imports.
    """
    source = str(Path(groundwire.__file__).parents[1])
    script = _WRITER.format(imports=imports, write=write)
    command = [sys.executable, "-I", "-S", "-c", script, source, str(folder)]
    return together(*([*command, str(writer), str(count)] for writer in range(writers)))
