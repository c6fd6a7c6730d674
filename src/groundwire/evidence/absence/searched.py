"""Claims that something is not there, or nothing else: a search, or a look that is whole."""

from __future__ import annotations

from groundwire.evidence.message.named import named_things
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs.edits import is_document
from groundwire.evidence.runs.file_changes import looks_like_file
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.actions import Search
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Characters of one input or result that are looked at, and the shortest name that is looked for.
LOOKED_AT = 20_000
SHORTEST = 4
_LEFT = ("remain", " left", "leftover")
_MOST_LINES = 200
#: Parts of "the only failure" and "the only failing", which a run shows and no search does.
_OF_FAILURES = ("fail", "error")
_NOT_OURS = ("unrelated to", "not related to", "not caused by", "not introduced by", "not due to")


def absence_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "there is no X": by a search for what it names, or a look at that very thing.

    Whoever read a file saw what is not in it; that nothing else exists takes a search.
    """
    names = named_things(claim.wording) if claim.wording else []
    searches = facts.actions.searches
    found = [one for one in searches if not names or is_for(one, names)]
    if found:
        return by_search(found, claim, facts)
    if not searches and claim.said.startswith("none of"):
        from groundwire.evidence.absence.cut_looks import only_cut

        if cut := only_cut(facts):
            return Verdict(UNSUPPORTED, "what was read of them was cut to a part", cut.id)
    if claim.sort == "no_other" and (shown := _only_failure(claim, facts)):
        return shown
    if claim.sort != "no_other" and (call := _look_at(names, facts)):
        return Verdict(SUPPORTED, "what it names was looked at", call.id)
    if claim.wording:
        from groundwire.evidence.absence.zero import printed_zero

        if zero := printed_zero(claim.wording, facts):
            return Verdict(SUPPORTED, "a count of it printed nothing", zero.call_id)
    looks = facts.actions.looks if claim.sort != "no_other" else ()
    if searches or looks:
        last = max([*looks, *(search.index for search in searches)])
        return Verdict(NOT_CHECKABLE, "it was read, but not searched for", facts.calls[last].id)
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, "another agent or tool may have searched for it")
    return Verdict(UNSUPPORTED, "no search in this turn")


def _only_failure(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "the only failing test" by the last run that failed: it lists all that did.

    "Unrelated to this change" is judged by what was run without the change.
    """
    if any(words in claim.said for words in _NOT_OURS):
        from groundwire.evidence.runs.baseline import elsewhere, set_aside

        without = max(set_aside(facts.calls) | elsewhere(facts.calls, ""), default=-1)
        call_id = facts.calls[without].id if without >= 0 else ""
        return (
            Verdict(QUALIFIED, "the change was put aside in between", call_id) if call_id else None
        )
    if not any(word in claim.said for word in _OF_FAILURES) or not facts.failures:
        return None
    last = facts.failures[-1]
    status = SUPPORTED if last.outcome.failed == 1 else QUALIFIED
    return pointing(last, status, "it lists what failed")


def _still_there(claim: Claim, search: Search, facts: Facts) -> Verdict | None:
    """Return what speaks against "none is left": the last search, behind all edits, found some.

    What it found in texts for readers may stay.
    """
    if not search.hits or search.index < facts.last_change or not facts.edits:
        return None
    if not any(word in claim.text for word in _LEFT):
        return None
    lines = (facts.calls[search.index].result or "").split("\n")[:_MOST_LINES]
    if not any(_is_in_source(line) for line in lines):
        return None
    why = f"the last search for {search.pattern!r:.60} still gave {search.hits} lines"
    return Verdict(UNSUPPORTED, why, search.call_id)


def _is_in_source(line: str) -> bool:
    path = line.partition(":")[0].strip()
    return looks_like_file(path) and not is_document(path)


def by_search(found: list[Search], claim: Claim, facts: Facts) -> Verdict:
    """Judge by searches for the thing: the last one that found nothing, else the last one."""
    if still := _still_there(claim, found[-1], facts):
        return still
    empty = [one for one in found if one.hits == 0]
    last = (empty or found)[-1]
    why = f"a search for {last.pattern!r:.60} gave {last.hits} lines"
    return Verdict(SUPPORTED if empty else QUALIFIED, why, last.call_id)


def _look_at(names: list[str], facts: Facts) -> ToolCall | None:
    """Return the call that was told to show one of the named things."""
    wanted = [name.lower() for name in names if len(name) >= SHORTEST]
    for index in facts.actions.looks:
        call = facts.calls[index]
        if any(name in text for text in inputs_of(call) for name in wanted):
            return call
    return None


def is_for(search: Search, names: list[str]) -> bool:
    """Tell whether a search was for one of the names, or for a long part of one."""
    parts = "".join(one if one.isalnum() or one == "_" else " " for one in search.pattern).split()
    long_parts = [part for part in parts if len(part) >= SHORTEST]
    return any(
        name in search.pattern or name in part or part in name
        for name in names
        for part in long_parts
    )


def inputs_of(call: ToolCall) -> Iterator[str]:
    """Yield, in lower case, what a call was told to look at or to change."""
    for key in ("command", "file_path", "notebook_path", "path", "pattern", "glob"):
        value = call.input.get(key)
        if isinstance(value, str):
            yield value[:LOOKED_AT].lower()
