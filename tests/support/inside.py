"""A program's ``main`` run in this process, as if in one of its own: streams, variables, folder."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, chdir
from pathlib import Path
from tempfile import TemporaryFile
from unittest import mock


def run_inside(
    main: Callable[[], int],
    command: Sequence[str],
    data: bytes,
    env: Mapping[str, str],
    folder: Path | str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run ``main`` as ``command`` on ``data``; return its exit code and what it printed."""
    with ExitStack() as stack:
        files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
        files[0].write(data)
        files[0].seek(0)
        stack.enter_context(mock.patch.dict(os.environ, env, clear=True))
        stack.enter_context(mock.patch.object(sys, "argv", list(command)))
        stack.enter_context(mock.patch.object(sys.modules["__main__"], "__package__", ""))
        stack.enter_context(chdir(folder or os.curdir))
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            kept = os.dup(number)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, number)
            os.dup2(files[number].fileno(), number)
            file = os.fdopen(number, "wb" if number else "rb", closefd=False)
            stream = stack.enter_context(io.TextIOWrapper(file, encoding="utf-8", newline="\n"))
            stack.enter_context(mock.patch.object(sys, name, stream))
        try:
            code: object = main()
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        sys.stderr.flush()
        printed = [os.pread(file.fileno(), 1 << 28, 0) for file in files[1:]]
    return subprocess.CompletedProcess(command, int(str(code or 0)), *printed)
