"""Looks that show a part of what there is: the first lines of a file, the last ten commits."""

from __future__ import annotations

from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.calls import shell_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

_ENDS = ("head",)
#: Runs that tell of all at the end, however much of it is shown.
_TOTALS = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES, runs.FORMAT, runs.INSTALL)
_LISTING = ("git", "gh", "glab", "kubectl", "docker", "journalctl", "aws", "hg", "svn")
_LIMITS = ("-n", "-L", "--limit", "--max-count", "--tail", "--per-page", "--max-items")


def only_cut(facts: Facts) -> ToolCall | None:
    """Return the last look of the turn when each of them may have shown a part only."""
    if any(run.kind in _TOTALS for run in facts.runs):
        return None
    last = None
    for call in facts.calls:
        if call.name == "Read" and not call.input.get("limit"):
            return None
    for _, call, text in shell_calls(facts):
        limits = [limit for limit in map(_limit, facts.looks.commands(text)) if limit]
        if not any(_reaches(call.result or "", limit) for limit in limits):
            return None
        last = call
    return None if facts.actions.searches or facts.others_looked else last


def _limit(command: Command) -> str:
    """Return how a command cuts its output: a number of lines, "c" for characters, "" for not."""
    words = list(command.argv)
    name = base_name(words[0]) if words else ""
    for piped in command.pipe_to:
        if piped and base_name(piped[0]) in _ENDS:
            name, words = base_name(piped[0]), list(piped)
            break
    if name in _ENDS:
        return _number(words[1:]) or "10"
    return _number(words[1:]) if name in _LISTING else ""


def _number(words: list[str]) -> str:
    for place, word in enumerate(words):
        if word.startswith("-c"):
            return "c"
        if word[:1] == "-" and word[1:].isdigit():
            return word[1:]
        name, equals, value = word.partition("=")
        value = value if equals else "".join(words[place + 1 : place + 2])
        if name in _LIMITS and value.isdigit():
            return value
    return ""


def _reaches(result: str, limit: str) -> bool:
    """Tell whether an output is as long as its limit, so that there may be more."""
    return limit == "c" or len(result.strip().split("\n")) >= int(limit)
