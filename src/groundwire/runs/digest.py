"""The digest of a turn that was examined, and what a second look of the past found.

The message and the calls of the turn are shown where they can be read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from groundwire.hook.second_look_state import DROPPED, NOTE, WAKE, looked
from groundwire.language.safe import quoted, safe
from groundwire.report.explain import call_blocks, place_text
from groundwire.report.prose import counted, one_line
from groundwire.turn.page import BUDGET, TurnDigest, digest_of
from groundwire.turn.page_lines import CallLine

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


def calls_by_id(examined: Examined) -> list[tuple[str, CallLine]]:
    """Return the calls that the digest of the turn shows, each with its id."""
    page = digest_of_turn(examined)
    if page is None or examined.timeline is None:
        return []
    return [(examined.timeline.calls[line.number - 1].id, line) for line in page.calls]


#: What is said of each kind of missing evidence.
RUN, SEARCH, EDIT, READ, SOURCE = "run", "search", "edit", "read", "source"
MISSING = {
    RUN: "no run in this session shows it",
    SEARCH: "no search in this session shows it",
    EDIT: "no edit in this session made it",
    READ: "nothing that was read in this session shows it",
    SOURCE: "nothing in this session is a source for it",
}
_OUTCOMES = {WAKE: "Woken", NOTE: "Noted"}
_LONGEST = 200


def look_head(line: Mapping[str, Any], project: str) -> str:
    """Return what came of the look of this line of the decision log, when and where."""
    look = looked(line)
    why = f" ({one_line(look['why'])})" if look.get("why") else ""
    return f"{_OUTCOMES[look['act']]}{why} {place_text(line, project)}"


def look_text(look: Mapping[str, Any], text: str = "", calls: Sequence[CallLine] = ()) -> str:
    """Return the statements that woke or were noted, the calls that they name, and the rest.

    ``text`` is the message, and ``calls`` are those of its turn; without them the log's own words
    do.
    """
    told = [one for one in look["statements"] if one["act"] in _OUTCOMES]
    named = {one["call"] for one in told}
    blocks = [
        [f"{safe(look['provider'])} {safe(look['model'])} looked at the turn again"],
        *(list(_statement_lines(one, text)) for one in told),
        *call_blocks(
            [call for call in calls if call.number in named],
            {one["quote"] for one in told if one["quote"]},
        ),
    ]
    others = [one for one in look["statements"] if one not in told]
    if others:
        reasons = "; ".join(f"{quoted(one['text'], 60)}: {untold(one)}" for one in others)
        blocks.append([f"{counted(len(others), 'finding')} dropped or too unsure: {reasons}"])
    return "\n\n".join("\n".join(block) for block in blocks)


def why_text(why: str, missing: str, call: int) -> str:
    """Return the reason of a finding as part of a line, with the call that it names."""
    text = (safe(why) or MISSING.get(missing, "")).rstrip(".")
    return f"{text} (#{call})" if call and f"#{call}" not in text else text


def untold(statement: Mapping[str, Any]) -> str:
    """Return why a statement of a look neither woke nor was noted."""
    if statement["act"] == DROPPED:
        return safe(statement["dropped"])
    return f"{statement['probability']} % is too unsure"


def _statement_lines(one: Mapping[str, Any], text: str) -> Iterator[str]:
    said = text[one["offset"] : one["offset"] + one["length"]] or one["text"]
    kind = f"  {one['kind']}" if one["kind"] else ""
    yield f"{one['probability']:>3} %{kind}  {quoted(said, _LONGEST)}"
    yield f"       {why_text(one['why'], one['missing'], one['call'])}"
    if one["quote"]:
        yield f"       copied: {quoted(one['quote'])}"
