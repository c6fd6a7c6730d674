"""What the harness gave back for a shell command: its output, its exit code, how it ended."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.shell.paths import relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.base.model import ToolCall
    from groundwire.inputs.shell.commands import Script

#: Beginnings of a result that says that the command was not run.
_REFUSED = (
    "<tool_use_error>",
    "The user doesn't want to",
    "The agent proposed a command that was rejected",
    "Permission to use ",
    "Permission for this tool use was denied",
    "Permission for this action was denied",
    "Claude requested permissions",
    "This command requires approval",
    "This Bash command contains",
    "[Request interrupted by user for tool use]",
    "[Tool call skipped",
    "InputValidationError",
    "PreToolUse:",
    "cd in '",
)
_EXIT_CODE = "Exit code "
_TIMED_OUT = "Command timed out after "
_ABORTED = ("[Request interrupted by user", "Command was aborted before completion")
_STARTED = ("Command running in background with ID: ", "moved to the background (ID: ")
_STARTED_LATER = ("backgrounded by user with ID: ", "moved to the background with ID: ")
_EMPTY = ("completed with no output)", "(No content)", "Tool ran without output or errors")
CUT = (
    "truncated] ...",
    "[output truncated",
    "<persisted-output>",
    "(output truncated",
    "(ctrl+o to expand)",
)
_FOLDER_RESET = "Shell cwd was reset to "
_REMINDER = "<system-reminder>"
_HEAD = 400
#: Characters that are read of one result, at its two ends. The client cuts its own at 30,000; more
#: than this only comes from a raised limit, and no tool says its outcome in the middle.
LONGEST_HEAD, LONGEST_TAIL = 60_000, 140_000
#: Exit codes of a command that was stopped: by ``timeout``, out of memory or killed, terminated.
STOPPED = (124, 137, 143)


class Result(Record):
    """``failed`` is None when nothing is known of the end; ``code`` None when it was not printed.

    ``task`` names the background task that goes on, ``cwd`` the folder that the shell was put back
    into.
    """

    text: str = ""
    failed: bool | None = None
    code: int | None = None
    ran: bool = True
    timed_out: bool = False
    interrupted: bool = False
    cut: bool = False
    task: str = ""
    cwd: str = ""


def read_result(call: ToolCall) -> Result:
    """Read the result of a call to a shell."""
    if call.result is None:
        return Result(interrupted=call.interrupted)
    text = both_ends(call.result)
    if call.is_error and text.lstrip().startswith(_REFUSED):
        return Result(ran=False)
    task = call.background_id or _started_task(text)
    if task:
        return Result(task=task)
    code, text = _exit_code(text)
    text, cwd = _without_notes(text)
    ends = text[:_HEAD] + text[-_HEAD:]
    return Result(
        text=text,
        failed=call.is_error or code not in (None, 0),
        code=code if code is not None or call.is_error else 0,
        timed_out=_TIMED_OUT in ends or code in STOPPED,
        interrupted=call.interrupted or any(sign in ends for sign in _ABORTED),
        cut=any(sign in text for sign in CUT),
        cwd=cwd,
    )


def both_ends(text: str) -> str:
    """Return ``text``, or its two ends with the mark between them that the harness uses."""
    left_out = len(text) - LONGEST_HEAD - LONGEST_TAIL
    if left_out <= 0:
        return text
    mark = f"\n... [{left_out} characters truncated] ...\n"
    return f"{text[:LONGEST_HEAD]}{mark}{text[-LONGEST_TAIL:]}"


def folder_after(script: Script, result: Result, folder: str, cwd: str) -> str:
    """Return the folder in which a call leaves the shell that stood in ``folder``.

    Relative to ``cwd``, the folder of the session, when it lies in it.
    """
    if result.cwd:
        return relative_path(result.cwd, cwd) if cwd else ""
    _, found, said = result.text.partition("cd:")
    is_lost = found and "o such file" in said[:_HEAD]  # cd says in the output that it failed
    is_known = not result.task and result.failed is False
    return relative_path(script.cwd, cwd) if is_known and not is_lost else folder


def without_line_numbers(text: str) -> str:
    """Return the file that a reading tool shows with a number before each line."""
    lines = text.split("\n")
    for sign in ("\u2192", "\t"):
        if lines[0].partition(sign)[0].strip().isdigit():
            return "\n".join([line.partition(sign)[2] for line in lines])
    return text


def _started_task(text: str) -> str:
    head = text[:_HEAD]
    for sign in (*_STARTED, *_STARTED_LATER):
        if head.startswith("Command ") and sign in head:
            word = (head.partition(sign)[2].split() or [""])[0]
            return word.rstrip(").,;")
    return ""


def _exit_code(text: str) -> tuple[int | None, str]:
    """Return the exit code of the first line and the text behind it."""
    for start in (_EXIT_CODE, f"Error: {_EXIT_CODE}"):
        if text.startswith(start):
            line, _, rest = text.partition("\n")
            number = line[len(start) :].strip()
            if number.isdigit() and len(number) < 12:
                return int(number), rest
    return None, text


def _without_notes(text: str) -> tuple[str, str]:
    """Take off what the harness adds to the output; return the folder it names, too."""
    text = text.partition(_REMINDER)[0].rstrip() if _REMINDER in text else text.rstrip()
    cwd = ""
    if _FOLDER_RESET in text[-_HEAD:]:
        text, _, cwd = text.rpartition(_FOLDER_RESET)
        text = text.rstrip()
    is_empty = len(text) < _HEAD and text.strip().endswith(_EMPTY)
    return ("" if is_empty else text), cwd.strip()
