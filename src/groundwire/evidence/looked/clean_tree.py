"""That the work tree is clean: the last status of the turn, and what came behind it."""

from __future__ import annotations

from groundwire.evidence.runs.edits import is_outside
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.calls import OTHERS, others_since, shell_calls
from groundwire.evidence.turn.git_status import (
    CHANGED,
    CLEAN,
    STAGED,
    UNTRACKED,
    Status,
    git_words,
    is_elsewhere,
    path_in,
    shows_clean,
    status_of,
)
from groundwire.model import CONTRADICTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts

#: What changes neither the files of a work tree nor what git keeps of them.
_GIT_LOOKS = frozenset(
    "branch cat-file check-ignore config describe diff fetch for-each-ref grep log ls-files "
    "ls-remote ls-tree merge-base push reflog remote rev-list rev-parse shortlog show show-ref "
    "status symbolic-ref tag".split()
)
_PROGRAM_LOOKS = frozenset(
    "[ [[ : awk cat cd cut curl date diff df du echo egrep env false fgrep file find gh glab grep "
    "head hostname jq ls nl printf ps pwd realpath rg sleep sort ssh stat tail test tr tree true "
    "uname uniq wc which whoami".split()
)
_ADDS_ALL = (".", "-A", "--all", "-u", "--update", ":/", "*", "-Av", "-p")
_COMMITS_ALL = ("-a", "--all", "-am", "-qam", "-aqm", "-asm", "-sam", "-av")
_MANY = frozenset("all both each every everywhere three trees worktrees".split())
_IGNORING = (".gitignore", "info/exclude")
#: Words of a message that tell itself what is left.
_TOLD = ("untracked", "apart from", "except", "other than", "aside from", "besides", "only my")
#: Work trees of which the last status is kept.
_MOST_TREES = 20
_NO_STATUS = Verdict(QUALIFIED, "no command of this turn shows the state of the work tree")
_COMMITTED = Verdict(NOT_CHECKABLE, "it was committed, and no status was asked for behind that")


class _Since(Record):
    """What came behind a status.

    The last file that was edited and not committed, and the call that did so; what was added;
    whether something was committed, whether git did more than that (``moved``), and whether
    programs ran of which it is not known what they change (``ran``).
    """

    edited: str = ""
    edited_at: int = -1
    added: tuple[str, ...] = ()
    committed: bool = False
    moved: bool = False
    ran: bool = False


def clean_tree_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "the working tree is clean" by the last status of each work tree of the turn."""
    last: list[Status] = []
    for index, call, text in shell_calls(facts):
        if "git" not in text or not (result := read_result(call)).ran:
            continue
        found = status_of(index, call.id, result.text, facts.looks.commands(text))
        if found is None and shows_clean(result.text):
            found = Status("", index, len(facts.looks.commands(text)), call.id, CLEAN)
        is_cut = result.cut and not shows_clean(result.text)
        if found and found.state == CLEAN and (is_cut or found.part):
            found = found.replace(state="")
        if found:
            others = [one for one in last if is_elsewhere(one.place, found.place)]
            last = [*others[1 - _MOST_TREES :], found]
    if not last:
        return _without_status(facts)
    verdicts = [_of_status(one, claim, facts) for one in last]
    against = [one for one in verdicts if one.status in (UNSUPPORTED, CONTRADICTED)]
    if len(verdicts) == 1 or len(against) == len(verdicts):
        return verdicts[-1]
    words = {word.strip(".,:;!*`()") for word in claim.text.split()}
    if against and not _MANY.isdisjoint(words):
        return against[-1].replace(status=UNSUPPORTED)
    if against:
        return Verdict(NOT_CHECKABLE, "one of several work trees had changes", against[-1].call_id)
    return verdicts[-1]


def _without_status(facts: Facts) -> Verdict:
    since = _since(None, facts)
    if facts.others_looked or facts.partial:
        return OTHERS
    if since.edited and not since.moved:
        return Verdict(UNSUPPORTED, f"{since.edited} was edited, and no status asked for")
    return _COMMITTED if since.committed else _NO_STATUS


def _of_status(status: Status, claim: Claim, facts: Facts) -> Verdict:
    since = _since(status, facts)
    if others_since(facts, status.index):
        return OTHERS
    edited = f"{since.edited} was edited behind the last git status"
    if status.state == CLEAN:
        if since.edited:
            found = NOT_CHECKABLE if since.moved else UNSUPPORTED
            return Verdict(found, edited, status.call_id)
        return Verdict(SUPPORTED, "git status shows a clean tree", status.call_id)
    if status.state != CHANGED or since.moved or since.ran:
        why = "what git status shows is hidden, or others may have changed it"
        return Verdict(NOT_CHECKABLE, why, status.call_id)
    left = [(how, line) for how, line in status.files if not _is_gone(how, line, since)]
    if left and not _is_told(left[0][1], claim):
        how, line = left[0]
        why = f'git status shows "{line}", and nothing behind it takes that away'
        is_sure = (
            not since.edited
            and not since.committed
            and not since.added
            and how != UNTRACKED
            and not status.part
        )
        found = CONTRADICTED if is_sure else UNSUPPORTED
        return Verdict(found, why, status.call_id, line=line)
    if since.edited:
        return Verdict(NOT_CHECKABLE, edited, status.call_id)
    return _COMMITTED.replace(call_id=status.call_id)


def _is_gone(how: str, line: str, since: _Since) -> bool:
    """Tell whether a commit, or another command that names the file, took a line away."""
    path = path_in(line).rstrip("/")
    named = [word.rstrip("/") for word in since.added if word.rstrip("/")]
    if any(path.endswith(word) or word.endswith(path) or path in word for word in named):
        return True
    if any(path.startswith(f"{word}/") or word.startswith(f"{path}/") for word in named):
        return True
    return how == STAGED and bool(since.committed)


def _is_told(line: str, claim: Claim) -> bool:
    if claim.wording is None:
        return False
    sentence, block = claim.wording.original.lower(), claim.wording.block.lower()
    names = base_name(path_in(line).rstrip("/")).lower()
    return names in sentence or any(words in block for words in _TOLD)


def _since(status: Status | None, facts: Facts) -> _Since:
    """Collect what came behind a status; with none, from the beginning of the turn."""
    start = status.index if status else -1
    edits = [edit for edit in facts.actions.edits if edit.succeeded and edit.index > start]
    edits = [edit for edit in edits if not is_outside(edit.path)]
    found = _Since()
    if edits:
        name = base_name(edits[-1].path.replace("\\", "/"))
        is_hiding = any(edit.path.endswith(_IGNORING) for edit in edits)
        found = _Since(name, edits[-1].index, ran=is_hiding)
    for index, call, text in shell_calls(facts, start - 1 if status else start):
        result = read_result(call)
        if not result.ran:
            continue
        commands = facts.looks.commands(text)
        if status and index == status.index:
            commands = commands[status.position + 1 :]
        for command in commands:
            found = _with(found, command, status.place if status else "", index)
        if result.failed and found.committed:
            found = found.replace(moved=True)
    return found


def _with(since: _Since, command: Command, place: str, index: int) -> _Since:
    """Add one command to what came behind a status in ``place``."""
    where, words = git_words(command)
    if not words:
        name = base_name(command.argv[0]) if command.argv else ""
        looks = not name or (name in _PROGRAM_LOOKS and not command.stdout_file)
        return since if looks else since.replace(ran=True)
    if words[0] in _GIT_LOOKS or is_elsewhere(where, place):
        return since
    if words[0] == "commit":
        if since.edited_at < index:
            since = since.replace(edited="")
        is_all = any(word in _COMMITS_ALL for word in words)
        return since.replace(committed=True, moved=since.moved or is_all)
    if words[0] == "add":
        is_all = any(word in _ADDS_ALL or "*" in word for word in words[1:])
        added = (*since.added, *(word for word in words[1:] if not word.startswith("-")))
        return since.replace(added=added, moved=since.moved or is_all)
    return since.replace(moved=True)
