"""The digest of a turn as Markdown and as plain data, for people and for other programs."""

from __future__ import annotations

from groundwire.report.prose import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from groundwire.turn.page import TurnDigest

_FENCE = "````"


def digest_markdown(digest: TurnDigest) -> str:
    """Return a page with the message first, then what the turn shows."""
    return "\n".join(_lines(digest))


def digest_fields(digest: TurnDigest) -> dict[str, Any]:
    """Return the digest as plain data; keys are the names of its fields."""
    plain = {name: getattr(digest, name) for name in type(digest)._fields}
    for name in ("calls", "statements"):
        plain[name] = [
            {key: getattr(one, key) for key in type(one)._fields} for one in getattr(digest, name)
        ]
    return plain


def _lines(digest: TurnDigest) -> Iterator[str]:
    yield "# Turn\n"
    yield f"> {one_line(digest.prompt) or '(the prompt is not known)'}\n"
    yield "## Message\n"
    for statement in digest.statements:
        note = f" — *{one_line(statement.note)}*" if statement.note else ""
        star = "**" if statement.marked else ""
        yield f"{statement.number}. {star}{one_line(statement.text)}{star}{note}"
    yield f"\n## Tool calls ({len(digest.calls)} of {digest.all_calls})\n"
    for call in digest.calls:
        yield f"**#{call.number} {one_line(call.tool)}** `{one_line(call.argument)}`"
        yield f"→ {one_line(call.outcome)}\n"
        if call.lines:
            yield "\n".join((_FENCE, *(line.replace(_FENCE, "'''") for line in call.lines), _FENCE))
            yield ""
    for title, lines in (*digest.lists, ("Known of earlier turns", digest.earlier)):
        if lines:
            yield f"## {title}\n"
            yield from (f"- {one_line(line)}" for line in lines)
            yield ""
    if digest.cut:
        yield f"Left out: {'; '.join(digest.cut)}."
