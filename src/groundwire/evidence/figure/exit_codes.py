"""An exit code that the message reports, against those of the turn's commands."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.message.wording import Wording
from groundwire.evidence.pointing import command_of
from groundwire.evidence.reference.ran import same_command
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.turn.facts import Facts
from groundwire.model import CONTRADICTED, NOT_CHECKABLE, SUPPORTED, UNSUPPORTED, Verdict
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.turn.seen import Source

_KIND_WORDS = {
    "test": runs.TEST,
    "tests": runs.TEST,
    "suite": runs.TEST,
    "build": runs.BUILD,
    "compile": runs.BUILD,
    "compilation": runs.BUILD,
    "lint": runs.LINT,
    "linter": runs.LINT,
    "typecheck": runs.TYPES,
}
_REACH = 24
_NAMED = 60


class Ended(Record):
    """One call to a shell: its exit code, None when it is not known, and where it is printed."""

    index: int
    call_id: str
    command: str
    code: int | None
    line: str = ""


def exit_code_verdict(code: int, wording: Wording, facts: Facts) -> Verdict:
    """Judge "exited with code N" by the codes of the command it speaks of, or of all commands."""
    ended = _ended(facts)
    if not ended:
        return _nowhere(Verdict(UNSUPPORTED, "no command was run in this turn"), facts)
    subject = _subject(wording, facts)
    if subject:
        return _of_subject(code, subject, ended, facts)
    for one in reversed(ended):
        if one.code == code:
            return _shown(SUPPORTED, one)
    printed = _printed(code, facts.seen.sources, facts)
    if printed:
        return printed
    if any(one.code is None for one in ended):
        return Verdict(NOT_CHECKABLE, "the exit code of a command of this turn is not known")
    if not code:
        return _shown(CONTRADICTED, ended[-1])
    return _nowhere(
        Verdict(UNSUPPORTED, f"no command of this turn ended with exit code {code}"), facts
    )


def _of_subject(code: int, subject: list[Run], ended: list[Ended], facts: Facts) -> Verdict:
    """Judge by the runs of the command that the sentence names; the last one counts."""
    calls = {run.index for run in subject}
    codes = [one for one in ended if one.index in calls]
    own = {run.index for run in subject if not run.distrust}
    for one in reversed(codes):
        if one.code == code and one.index in own:
            return _shown(SUPPORTED, one)
    sources = [source for source in facts.seen.sources if source.index in calls]
    printed = _printed(code, sources, facts)
    if printed:
        return printed
    last = subject[-1]
    if last.distrust or last.background or not codes or codes[-1].code is None:
        return Verdict(NOT_CHECKABLE, f"the exit code of {command_of(last)} is not known")
    if not code and last.outcome.status == runs.PASSED:
        return Verdict(NOT_CHECKABLE, f"{command_of(last)} passed; another command failed")
    return _shown(CONTRADICTED, codes[-1])


def _ended(facts: Facts) -> list[Ended]:
    found = []
    for index, call in enumerate(facts.calls):
        if call.name not in SHELL_TOOLS:
            continue
        result = read_result(call)
        if result.ran:
            command = str(call.input.get("command", ""))[:_NAMED]
            known = result.text or result.code is not None
            code = result.code if known and not result.task and not result.interrupted else None
            line = f"Exit code {code}" if code else ""
            found.append(Ended(index, call.id, command, code, line))
    return found


def _subject(wording: Wording, facts: Facts) -> list[Run]:
    """Return the runs of the command or the kind of check that the sentence names."""
    for code in wording.code:
        named = [run for run in facts.runs if same_command(code, run.command)]
        if named:
            return named
    words = wording.masked[: wording.end].lower().replace(".", " ").split()
    for word in reversed(words):
        if word in _KIND_WORDS:
            return [run for run in facts.runs if run.kind == _KIND_WORDS[word]]
    return []


def _printed(code: int, sources: tuple[Source, ...] | list[Source], facts: Facts) -> Verdict | None:
    """Look for "exit code: 0", "EXIT=1", "exit status 2" in the results.

    What the command line spells out itself, as in ``echo "exit code 0"``, is no result.
    """
    for source in sources:
        text = source.text.lower()
        at = text.find("exit")
        while at >= 0:
            behind = text[at : at + _REACH].partition("\n")[0]
            digits = "".join(char if char.isdigit() else " " for char in behind).split()
            if digits and digits[0] == str(code):
                end = source.text.find("\n", at)
                start = source.text.rfind("\n", 0, at) + 1
                line = source.text[start : end if end >= 0 else len(source.text)][:200].strip()
                why = f'{source.name} printed "{line}"'
                command = facts.calls[source.index].input.get("command")
                if not (isinstance(command, str) and line in command):
                    return Verdict(SUPPORTED, why, source.call_id, source.name, line)
            at = text.find("exit", at + _REACH)
    return None


def _shown(status: str, one: Ended) -> Verdict:
    why = f"{one.command} ended with exit code {one.code}"
    return Verdict(status, why, one.call_id, one.command, one.line, status == CONTRADICTED)


def _nowhere(verdict: Verdict, facts: Facts) -> Verdict:
    if facts.actions.opaque or facts.actions.reports or not facts.seen.whole:
        return Verdict(NOT_CHECKABLE, "what ran may not be in the results of this turn")
    return verdict
