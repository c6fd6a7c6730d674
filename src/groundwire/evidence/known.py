"""Whether the harness, or the disk, knows what a message refers to."""

from __future__ import annotations

from groundwire.evidence.ledger import knows_path
from groundwire.model import Ledger, Turn
from groundwire.scan.references import COMMIT, Reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    #: Tells whether a file has a line: path and line (0: the file alone) to True, False or None.
    OnDisk = Callable[[str, int], bool | None]

_SHORT_HASH = 7


def reference_check(
    turn: Turn, ledger: Ledger, on_disk: OnDisk
) -> Callable[[Reference], bool | None]:
    """Return a function that tells whether a reference is known; None: that cannot be told.

    A path that a tool, the user or the disk has shown is known. Beyond the reading cap nothing
    can be called unknown.
    """

    def knows(reference: Reference) -> bool | None:
        if reference.kind == COMMIT:
            found = _names_commit(turn, reference.path.lower()[:_SHORT_HASH])
        else:
            found = knows_path(ledger, reference.path)
        if found:
            return True
        if ledger.partial:
            return None
        return False if reference.kind == COMMIT else on_disk(reference.path, reference.line)

    return knows


def _names_commit(turn: Turn, prefix: str) -> bool:
    texts = [turn.prompt, *turn.known, *(call.result or "" for call in turn.calls)]
    texts += [value for call in turn.calls for value in call.input.values() if _is_text(value)]
    return any(prefix in text.lower() for text in texts)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
