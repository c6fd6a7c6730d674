"""What an output itself calls missing: no search is needed for what a tool has told."""

from __future__ import annotations

from groundwire.evidence.runs.edits import shell_commands
from groundwire.evidence.runs.model import FAILED, GIT, INSTALL
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.seen import line_at
from groundwire.model import NOT_CHECKABLE, SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Words of sentences about packages, and about commits.
_PACKAGES = frozenset(
    "crate crates dependencies dependency gem gems installed installs jar jars library libraries "
    "module modules node_modules package packages plugin plugins wheel wheels".split()
)
_COMMITS = frozenset("commit commits committed staged staging untracked push pushed".split())
#: What a line says of a thing that is not there, lower case.
_ABSENT = (
    "no such file",
    "not found",
    "cannot find",
    "can't find",
    "could not find",
    "does not exist",
    "doesn't exist",
    "missing",
    "404",
    "no module named",
    "could not resolve",
    "cannot resolve",
    "unresolved",
    "undefined",
    "not defined",
    "is required",
)
_MARKS = ".,:;!*()\"'`"
_SHORTEST = 4
_COPYING = ("cp", "mv", "ln", "install", "Copy-Item")
_FEWEST_WORDS = 2
_MOST_LINES = 200


def told_missing(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "X is missing from Y" by what names X as missing; None when nothing does.

    An installer tells which packages were not there, and git what a commit left out.
    """
    words = {word.strip(_MARKS) for word in claim.text.split()}
    for kind, about in ((INSTALL, _PACKAGES), (GIT, _COMMITS)):
        runs = [run for run in facts.runs if run.kind == kind and run.outcome.status != FAILED]
        if runs and not about.isdisjoint(words):
            why = f"{runs[-1].tool or kind} tells what was there"
            return Verdict(NOT_CHECKABLE, why, runs[-1].call_id)
    names = _names(claim)
    for call in facts.calls:
        if names and _put_there(call) & names:
            return Verdict(NOT_CHECKABLE, "the turn put it there", call.id)
    for source, text in zip(facts.seen.sources, facts.seen.lowered, strict=True):
        if source.is_report:
            continue
        for name in names:
            line = _line_with(name, text)
            if line:
                return Verdict(SUPPORTED, f'{source.name} printed "{line[:80]}"', source.call_id)
    return None


def _names(claim: Claim) -> set[str]:
    """Return what the sentence names before the claim: code, and words with a suffix."""
    if claim.wording is None:
        return set()
    before = claim.wording.original[: claim.wording.start]
    plain = (word.strip(_MARKS) for word in before.split())
    named = [*before.split("`")[1::2], *(word for word in plain if "." in word[1:-1])]
    names = {base_name(name.strip().replace("\\", "/")).lower() for name in named}
    return {name for name in names if len(name) >= _SHORTEST}


def _put_there(call: ToolCall) -> set[str]:
    """Return the names of the files that a call created or copied, lower case."""
    if call.is_error or call.result is None:
        return set()
    if call.name == "Write":
        path = call.input.get("file_path")
        return {base_name(str(path).replace("\\", "/")).lower()}
    found = {
        base_name(line.split()[-1]).lower()
        for line in call.result.split("\n")[:_MOST_LINES]
        if line.strip().startswith("create mode ")
    }
    for command in shell_commands(call):
        if command.argv[0] in _COPYING and len(command.argv) > _FEWEST_WORDS:
            found.add(base_name(command.argv[-1]).lower())
    return found


def _line_with(name: str, text: str) -> str:
    """Return the first line of a text that calls ``name`` missing; "" without one."""
    at = text.find(name)
    while at >= 0:
        line = line_at(text, at)
        if any(words in line.replace(name, "") for words in _ABSENT):
            return line
        at = text.find(name, at + 1)
    return ""
