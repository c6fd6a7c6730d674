"""The digest of a turn that was examined."""

from __future__ import annotations

from groundwire.turn.page import BUDGET, TurnDigest, digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.turn.page_lines import CallLine
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


def calls_by_id(examined: Examined) -> list[tuple[str, CallLine]]:
    """Return the calls that the digest of the turn shows, each with its id."""
    page = digest_of_turn(examined)
    if page is None or examined.timeline is None:
        return []
    return [(examined.timeline.calls[line.number - 1].id, line) for line in page.calls]
