"""What Gemini CLI and Qwen Code, which grew from it, have in common: tools and what they return."""

from __future__ import annotations

from groundwire.inputs.hosts.lines import joined, plain_hits, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.inputs.hosts.lines import Entry, Lines

#: Claude Code's names of the tools, of present and earlier versions.
TOOLS = {
    "run_shell_command": "Bash",
    "replace": "Edit",
    "edit": "Edit",
    "write_file": "Write",
    "read_file": "Read",
    "notebook_edit": "NotebookEdit",
    "list_directory": "LS",
    "grep_search": "Grep",
    "search_file_content": "Grep",
    "glob": "Glob",
    "read_background_output": "BashOutput",
    "invoke_agent": "Agent",
    "agent": "Agent",
    "task": "Agent",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
    "web_search": "WebSearch",
    "todo_write": "TodoWrite",
    "write_todos": "TaskList",
    "update_topic": "TaskList",
    "activate_skill": "Skill",
    "skill": "Skill",
    "ask_user": "AskUserQuestion",
    "ask_user_question": "AskUserQuestion",
    "exit_plan_mode": "ExitPlanMode",
}
_OPEN, _CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"
#: What a shell tool writes before and behind the output of the command.
_HEADS = ("Output: ", "Stdout: ")
_LABELS = (
    "Stderr: ",
    "Error: ",
    "Exit Code: ",
    "Signal: ",
    "Background PIDs: ",
    "Process Group PGID: ",
)
_NONE = ("", "(none)", "(empty)")
_CANCELLED = ("Command was cancelled", "Command was automatically cancelled", "Command timed out")
_BACKGROUND = ("\nid: ", "PID: ")
_DECLINED = ("[Operation Cancelled]", "Tool execution denied", "User did not allow")
#: The exit code of ``timeout``, and that of a command that a signal ended.
_TIMED_OUT, _KILLED = 124, 143
_HEAD = 200


def response(lines: Lines, part: Entry, status: str = "") -> Entry:
    """Return the line of a ``functionResponse``; ``status`` is that of the call, if known."""
    call_id = text_at(part, "id")
    fields = part.get("response")
    error = text_at(fields, "error")
    text = error or text_at(fields, "output") or joined(fields)
    text = text.replace(_OPEN, "").replace(_CLOSE, "").strip("\n")
    if status == "cancelled" or text.startswith(_DECLINED):
        return lines.refused(call_id, text)
    name = lines.name(call_id)
    if name == "Bash":
        return shell(lines, call_id, text, failed=bool(error) or status == "error")
    if name == "Grep":
        text = plain_hits(text)
    return lines.returned(call_id, text, failed=bool(error) or status == "error")


def shell(lines: Lines, call_id: str, text: str, *, failed: bool) -> Entry:
    """Return the line of what the shell tool returned."""
    if text.startswith(_CANCELLED):
        timed_out = "timeout" in text[:_HEAD] or "timed out" in text[:_HEAD]
        return lines.returned(call_id, text, code=_TIMED_OUT if timed_out else _KILLED)
    for sign in _BACKGROUND if "ackground" in text[:_HEAD] else ():
        if sign in text[:_HEAD]:
            task = text.partition(sign)[2].split("\n")[0].partition(")")[0]
            return lines.running(call_id, task.strip(". "))
    rows, said = text.split("\n"), dict.fromkeys(_LABELS, "")
    while rows and (not rows[-1].strip() or rows[-1].startswith(_LABELS)):
        label, _, value = rows.pop().partition(": ")
        if label:
            said[f"{label}: "] = value.strip()
    start = next((at for at, row in enumerate(rows[:4]) if row.startswith(_HEADS)), None)
    if start is None:  # no run at all
        return lines.returned(call_id, text, failed=failed)
    output = "\n".join((rows[start].partition(": ")[2], *rows[start + 1 :]))
    output = "" if output.strip() in _NONE else output
    if said["Stderr: "] not in _NONE:
        output = f"{output}\n{said['Stderr: ']}"
    number = said["Exit Code: "]
    if number.isdigit():
        return lines.returned(call_id, output, code=int(number))
    if said["Signal: "] not in _NONE:
        return lines.returned(call_id, output, code=_KILLED)
    if said["Error: "] not in _NONE or failed:
        return lines.returned(call_id, f"{said['Error: ']}\n{output}", failed=True)
    return lines.returned(call_id, output, code=0)
