"""Whether the harness, or the disk, knows what a message refers to."""

from __future__ import annotations

from groundwire.evidence.ledger import knows_path
from groundwire.evidence.turn.actions import actions_of
from groundwire.evidence.turn.seen import Seen
from groundwire.model import Ledger, Turn
from groundwire.scan.references import COMMAND, COMMIT, EDIT, PATH, QUOTE, RERUN, STATUS, Reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.evidence.past.session import Digest
    from groundwire.evidence.reference.edits import EditCheck
    from groundwire.evidence.reference.quotes import Quotes

    #: Tells whether a file has a line: path and line (0: the file alone) to True, False or None.
    OnDisk = Callable[[str, int], bool | None]
    #: Tells whether the repository holds a commit, by the first digits of its name.
    InGit = Callable[[str], bool | None]

_SHORT_HASH = 7


def reference_check(
    turn: Turn,
    ledger: Ledger,
    on_disk: OnDisk,
    in_git: InGit,
    digest: Digest | None = None,
    seen: Seen | None = None,
) -> Callable[[Reference], bool | None]:
    """Return a function that tells whether a reference is known; None: that cannot be told.

    A path that a tool, the user or the disk has shown is known, a commit that stands in the turn or
    in the repository, a command that was run in the turn, and a quotation that stands in what was
    seen or written. Beyond the reading cap nothing can be called unknown. ``seen`` are the texts of
    the ledger, where they are at hand already.
    """
    words = _Words(ledger, digest, seen or Seen(ledger))

    def knows(reference: Reference) -> bool | None:
        if reference.kind == COMMAND:
            return words.ran(reference.path)
        if reference.kind == RERUN:
            return words.ran_after_edit(reference.path)
        if reference.kind == QUOTE:
            return words.hold(reference.path)
        if reference.kind == STATUS:  # the statuses of the turn decide, as for "the tree is clean"
            return False
        if reference.kind == EDIT:
            return words.edited(reference.path, reference.claimed)
        if reference.kind == COMMIT:
            found = _names_commit(turn, reference.path.lower()[:_SHORT_HASH])
        else:
            found = knows_path(ledger, reference.path)
        if found:
            return True
        if ledger.partial:
            return None
        if reference.kind == COMMIT:
            return in_git(reference.path.lower())
        return on_disk(reference.path, reference.line)

    return knows


def talk_check(
    ledger: Ledger, on_disk: OnDisk, digest: Digest | None = None
) -> Callable[[Reference], bool | None]:
    """Return the same for a turn without tool calls, in which less can be told.

    A cited line of a file is looked up on disk, and a command that is said to have been run is
    unknown when neither the user nor an earlier turn names it.
    """
    texts = (*ledger.known, digest.text) if digest else ledger.known
    ledger = ledger.replace(known=texts)

    def knows(reference: Reference) -> bool | None:
        if reference.kind == COMMAND:
            from groundwire.evidence.reference.ran import main_words

            named = main_words(reference.path)
            told = any(named in text for text in (ledger.prompt, *texts))
            return None if told or not named else False
        if reference.kind != PATH:  # a run after an edit can only be told of a turn with both
            return None
        return knows_path(ledger, reference.path) or on_disk(reference.path, reference.line)

    return knows


class _Words:
    """Look-ups in the words of a turn; what they need is loaded when the first one is asked."""

    def __init__(self, ledger: Ledger, digest: Digest | None, seen: Seen) -> None:
        self._ledger = ledger
        self._digest = digest
        self._seen = seen
        self._quotes: Quotes | None = None
        self._edits: EditCheck | None = None

    def edited(self, path: str, own: bool) -> bool | None:
        """Tell whether a file was edited that the message reports as edited."""
        if self._edits is None:
            from groundwire.evidence.reference.edits import EditCheck

            self._edits = EditCheck(self._ledger, self._digest)
        return self._edits.made(path, own)

    def hold(self, quote: str) -> bool | None:
        """Tell whether a quotation stands in what was seen or written."""
        if self._quotes is None:
            from groundwire.evidence.reference.quotes import Quotes  # few messages quote output

            self._quotes = Quotes(self._seen)
        return self._quotes.holds(quote)

    def ran(self, command: str) -> bool | None:
        """Tell whether a command was run, by the turn or by what it ran, or was only told of."""
        from groundwire.evidence.reference.ran import main_words, was_run

        found = was_run(command, self._ledger.commands)
        if found is not False:
            return found
        seen = self._seen
        named = main_words(command)
        others = (source.text for source in seen.sources)
        if any(named in text for text in (*others, *seen.told)) or self._ledger.partial:
            return None
        actions = actions_of(self._ledger.calls)
        return None if actions.opaque or actions.reports else False

    def ran_after_edit(self, command: str) -> bool | None:
        """Tell whether a command was run after some edit; False when only before all of them."""
        from groundwire.evidence.reference.ran import was_run
        from groundwire.evidence.runs import source_edits

        calls = self._ledger.calls
        edits = source_edits(calls, self._ledger.cwd)
        if not edits or self._ledger.partial or was_run(command, self._ledger.commands) is not True:
            return None
        behind = calls[edits[0][0] :]
        later = [str(call.input["command"]) for call in behind if "command" in call.input]
        actions = actions_of(behind)
        return None if actions.opaque or actions.reports else was_run(command, later)


def _names_commit(turn: Turn, prefix: str) -> bool:
    texts = [turn.prompt, *turn.known, *(call.result or "" for call in turn.calls)]
    texts += [value for call in turn.calls for value in call.input.values() if _is_text(value)]
    return any(prefix in text.lower() for text in texts)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
