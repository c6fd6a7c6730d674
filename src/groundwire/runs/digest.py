"""The digest of a turn that was examined."""

from __future__ import annotations

from groundwire.turn.page import BUDGET, TurnDigest, digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.verdict.examine import Examined


def digest_of_turn(
    examined: Examined, characters: int = BUDGET, *, redact: bool = True
) -> TurnDigest | None:
    """Return the digest of the turn and its message; None without a message."""
    if examined.findings is None:
        return None
    prompt = examined.situation.prompt if examined.situation else ""
    matches = examined.analysis.matches
    return digest_of(
        examined.findings,
        matches,
        examined.timeline,
        prompt,
        examined.earlier,
        characters=characters,
        redact=redact,
    )
