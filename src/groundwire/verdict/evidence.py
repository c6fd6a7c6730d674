"""What the harness knows about the turn that a message ends."""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.base.budget import Watch
    from groundwire.language.references import Reference
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import Timeline


class Evidence(Record):
    """What the harness knows about the turn; ``turn`` is None on bare text.

    ``digest`` tells of earlier turns, ``stopped`` are the content words of statements that were
    sent back, with no tool call since. ``knows`` tells whether the harness has seen a reference,
    or None when that cannot be told; without it references are not looked at. ``watch`` bounds the
    time, ``whole`` says that the turn and ``digest`` are all of the session.
    """

    turn: Timeline | None = None
    digest: Digest | None = None
    stopped: tuple[frozenset[str], ...] = ()
    knows: Callable[[Reference], bool | None] | None = None
    watch: Watch = UNWATCHED
    whole: bool = False
