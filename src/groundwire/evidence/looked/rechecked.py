"""A look that is said to have been made again: it comes after the last edit, and found nothing."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.calls import OTHERS, others_since, shell_calls
from groundwire.evidence.turn.checks import only_changes
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Runs that look at the code for findings; a test, a build, git or an installation does not.
_LOOKING = (runs.OTHER, runs.LINT, runs.TYPES, runs.FORMAT)
_SEARCHERS = frozenset(
    "ack ag awk egrep fd fgrep find git-grep grep rg select-string sls comm diff wc".split()
)
_SEARCH_TOOLS = ("Grep", "Glob")
_BUILDERS = (" build", " test", "gradlew", "mvn", "cmake", "ninja", "make ")
#: Parts of a script inside a command that write files.
_WRITING = (".write(", "write_text(", "writelines(", "writefilesync(", "writefile(", "fs.write")
#: Words of a line that says that nothing was found.
_CLEAN = ("no ", "none", "nothing", "clean", "0 ", "zero ", "ok", "passed", "all good")
_CLEAN_LINES = frozenset(("0", "[]", "{}", "()"))
_LAST_LINES = 8
_UNCHANGED = Verdict(NOT_CHECKABLE, "nothing was edited in this turn")
_NOT_AGAIN = Verdict(UNSUPPORTED, "nothing was searched or scanned again after the last edit")
#: What names a search, and what names tests.
_STRICT = ("scan", "search", "grep", "sweep", "lint")
_OF_TESTS = ("test", "suite", "build", "compil", "spec")
_LOOKED = Verdict(QUALIFIED, "something was run or read after the last edit")
_CUT = Verdict(NOT_CHECKABLE, "what the look after the last edit printed is not all there")


def rechecked_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "a re-scan finds nothing" by the searches and scans after the last edit.

    "A second pass" may be one of the tests, or of reading.
    """
    edited = _last_edit(facts)
    built = {run.index for run in facts.runs if _builds(run)}
    looks = [
        call
        for index, call in enumerate(facts.calls)
        if index > edited and index not in built and _looks(facts, call)
    ]
    seen = {run.index for run in facts.runs if run.kind in _LOOKING}
    looks += [
        facts.calls[index]
        for index in sorted(seen)
        if index > edited and index not in built and not only_changes(facts.calls[index])
    ]
    for call in looks:
        if _is_clean(call):
            return Verdict(SUPPORTED, "a look after the last edit found nothing", call.id)
    if looks:
        hidden = any(call.result is None or read_result(call).cut for call in looks)
        return _CUT if hidden else _looked(looks[-1])
    if others_since(facts, edited):
        return OTHERS
    is_search = any(word in claim.said for word in _STRICT)
    is_loose = not is_search or any(word in claim.text for word in _OF_TESTS)
    if is_loose and edited >= 0 and facts.looked_after(edited):
        return _LOOKED
    return _NOT_AGAIN if edited >= 0 else _UNCHANGED


def _builds(run: Run) -> bool:
    """Tell whether a run builds or tests, also by a script: "cmd /c gradlew build"."""
    if run.kind in (runs.BUILD, runs.TEST):
        return True
    return run.kind == runs.OTHER and any(word in run.command for word in _BUILDERS)


def _looked(call: ToolCall) -> Verdict:
    return Verdict(QUALIFIED, "the look after the last edit printed something", call.id)


def _last_edit(facts: Facts) -> int:
    """Return the position of the last edit of a source file; of documents the first, else -1.

    A report that is written at the end leaves what was searched as it was.
    """
    scripts = [index for index, _, text in shell_calls(facts) if _writes(text.lower())]
    sources = max((facts.last_change, *scripts))
    documents = [edit.index for edit in facts.actions.edits if edit.succeeded]
    return sources if sources >= 0 or not documents else documents[0]


def _writes(text: str) -> bool:
    return "<<" in text and any(words in text for words in _WRITING)


def _looks(facts: Facts, call: ToolCall) -> bool:
    """Tell whether a call searched something."""
    if call.name in _SEARCH_TOOLS:
        return True
    text = call.input.get("command")
    if call.name not in SHELL_TOOLS or not isinstance(text, str):
        return False
    for command in facts.looks.commands(text):
        name = base_name(command.argv[0]).lower() if command.argv else ""
        if command.connector == "|":  # it filters what something else printed
            continue
        if name in _SEARCHERS or command.argv[:2] == ("git", "grep"):
            return True
    return False


def _is_clean(call: ToolCall) -> bool:
    text = call.result or ""
    if call.name in SHELL_TOOLS:
        result = read_result(call)
        if result.cut or not result.ran:
            return False
        text = result.text
    lines = [line.strip().lower() for line in text.split("\n") if line.strip()]
    if not lines:
        return True
    return any(
        line in _CLEAN_LINES or line.startswith(_CLEAN) or line.endswith((" 0", ":0"))
        for line in lines[-_LAST_LINES:]
    )
