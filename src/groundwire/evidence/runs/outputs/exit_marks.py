"""What any program leaves behind when it ends badly: an exit status, a signal, an exception.

For programs that have no parser of their own. Only the end of the output counts: a command that
was not found in the middle of a script need not be the script's result.
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, is_number

_TAIL = 40  # lines: the end of a program with the trace of its calls
_HARNESS = ("Exit code ", "Error: Exit code ", "Command timed out after ")
#: A status that ends a line: "exit status 1", "web-1 exited with code 137".
_STATUS = ("exit status ", "exited with code ", "exit code ", "exit code: ", "with status ")
_SHELLS = ("bash: ", "sh: ", "zsh: ", "/bin/sh: ", "/bin/bash: ", "dash: ")
_SHELL_ENDS = (
    ": command not found",
    ": not found",
    ": No such file or directory",
    ": Permission denied",
)
_SIGNALS = ("segmentation fault", "aborted", "killed", "terminated", "bus error", "abort ")
_FATAL = (
    "Exception in thread ",
    "terminate called after throwing ",
    "panic: ",
    "PHP Fatal error: ",
    "Fatal error: ",
    "Unhandled exception",
    "Segmentation fault",
    "malloc(): ",
    "free(): ",
    "double free or corruption",
    "*** stack smashing detected",
    "timeout: sending signal ",
    # runners of tasks
    "error: recipe `",
    "error: Recipe `",
    "error: justfile does not contain ",
    "task: Failed to run task ",
    'task: Task "',
)
_TASK_END = " ERROR task failed"  # mise


def parse(output: str) -> Outcome | None:
    """Read the status that the harness prints first, else the end of the output."""
    lines = [line for line in output.split("\n") if line.strip()]
    if not lines:
        return None
    if lines[0].startswith(_HARNESS):
        return _with_status(lines[0]) or Outcome(FAILED, line=brief(lines[0]))
    fatal = next((line for line in lines[-_TAIL:] if _is_fatal(line)), "")
    if fatal or _is_shell_error(lines[-1]) or lines[-1].endswith(_TASK_END):
        return Outcome(FAILED, line=brief(fatal or lines[-1]))
    return _with_status(lines[-1])


def _with_status(line: str) -> Outcome | None:
    for mark in (*_STATUS, *_HARNESS[:2]):
        number = line.rpartition(mark)[2].rstrip(".)")
        if mark in line and is_number(number):
            return Outcome(FAILED if int(number) else PASSED, line=brief(line))
    return None


def _is_fatal(line: str) -> bool:
    if line.startswith(_FATAL):
        return True
    if line.startswith("thread '") and " panicked at " in line:  # Rust
        return True
    return line.endswith("Error)") and ":in `" in line  # Ruby


def _is_shell_error(line: str) -> bool:
    """Tell whether ``line`` is "bash: line 1: 252 Killed  ./server" or "sh: 1: x: not found"."""
    if not line.startswith(_SHELLS):
        return False
    return line.endswith(_SHELL_ENDS) or any(signal in line.lower() for signal in _SIGNALS)
