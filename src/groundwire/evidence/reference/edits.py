"""Whether a file that the message says was edited was edited, as far as the harness can tell."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.classify import classify
from groundwire.evidence.runs.model import LINT, TEST, TYPES
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.turn.actions import actions_of
from groundwire.model import CONTRADICTED, UNSUPPORTED, Verdict
from groundwire.scan.edit_reports import DIRECT_VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.past.session import Digest
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import Ledger, ToolCall

#: Programs that change no file unless their output is sent into one.
_LOOKING = frozenset(
    "ls cat head tail wc grep egrep fgrep rg ag fd tree pwd cd echo printf which type file stat du "
    "df diff cmp sort uniq cut jq ps sleep true test [ env date whoami uname basename dirname "
    "realpath less more curl".split()
)
_LOOKING_GIT = frozenset(
    "status diff log show blame add commit push fetch branch remote rev-parse ls-files tag "
    "config describe grep".split()
)
#: Options with which a checker writes.
_WRITING = ("--fix", "-w", "--write", "-u", "--update", "-i", "--in-place", "--unsafe-fixes")
#: Files that tools write on the way.
_GENERATED = (".lock", ".sum", ".snap", ".log", ".pyc", "-lock.json", "-lock.yaml")
_BEFORE_NAME = 60


class EditCheck:
    """Look-ups of edited files in one turn and the digest of those before it."""

    def __init__(self, ledger: Ledger, digest: Digest | None) -> None:
        self._ledger = ledger
        self._digest = digest
        self._actions = actions_of(ledger.calls)
        self._changes_unseen: bool | None = None

    def made(self, path: str, own: bool) -> bool | None:
        """Tell whether the file was edited; None: something else may have changed it.

        Without "I" (``own``), or without the whole session, a message may tell of what others
        did: then an edit is only missed in a turn that edits.
        """
        name = base_name(path)
        edits = [edit for edit in self._actions.edits if base_name(edit.path) == name]
        if any(edit.succeeded for edit in edits):
            return True
        if self._digest and any(base_name(known) == name for known in self._digest.edited):
            return True
        if name.endswith(_GENERATED) or self._may_be_changed_unseen() or self._is_told_of(name):
            return None
        if edits:
            return False
        knows_all = self._digest is not None and self._digest.whole
        return False if self._actions.edits or (own and knows_all) else None

    def _may_be_changed_unseen(self) -> bool:
        if self._changes_unseen is None:
            ledger, actions = self._ledger, self._actions
            self._changes_unseen = (
                ledger.partial
                or bool(actions.opaque or actions.reports)
                or any(call.result is None for call in ledger.calls)
                or any(map(_may_change_files, ledger.calls))
            )
        return self._changes_unseen

    def _is_told_of(self, name: str) -> bool:
        """Tell whether a command names the file, the harness does, or the user as edited before."""
        commands = (command.lower() for command in self._ledger.commands)
        own = self._digest.text if self._digest else ""
        known = (text.lower() for text in self._ledger.known if text != own)
        if any(name in text for text in (*commands, *known)):
            return True
        prompt = self._ledger.prompt.lower()
        at = prompt.find(name)
        while at >= 0:
            if not DIRECT_VERBS.isdisjoint(prompt[max(0, at - _BEFORE_NAME) : at].split()):
                return True
            at = prompt.find(name, at + 1)
        return False


def edit_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Return what speaks against the report of an edit that was not made.

    None when the claim does not come with its words, the last of which is the file.
    """
    if claim.wording is None:
        return None
    told = claim.wording.original[claim.wording.start : claim.wording.end]
    name = base_name(told.split()[-1].strip("`*"))
    failed = [edit for edit in facts.actions.edits if base_name(edit.path) == name]
    if failed:
        why = f"the edit of {name} was refused by the tool, and none came after it"
        return Verdict(CONTRADICTED, why, failed[-1].call_id)
    return Verdict(UNSUPPORTED, f"no tool call changed {name}")


def base_name(path: str) -> str:
    """Return the name of a file without its folders, in lower case."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()


def _may_change_files(call: ToolCall) -> bool:
    text = call.input.get("command") if call.name in SHELL_TOOLS else None
    if not isinstance(text, str):
        return False
    return any(map(_may_write, read_commands(text)))


def _may_write(command: Command) -> bool:
    argv = command.argv
    target = command.stdout_file
    if target and not target.startswith("/dev/"):
        return True
    if any(word.startswith(_WRITING) for word in argv[1:]):
        return not (argv[0] in _LOOKING and argv[0] != "sort")
    if argv[0] == "git":
        return next((word for word in argv[1:] if word[0] != "-"), "") not in _LOOKING_GIT
    if argv[0] in _LOOKING or (argv[0] == "find" and "-exec" not in argv and "-delete" not in argv):
        return False
    known = classify(command)
    return known is None or known.opaque or known.kind not in (TEST, LINT, TYPES)
