"""What is said to be used in one place only: a search for it shows that."""

from __future__ import annotations

from groundwire.evidence.message.named import named_things
from groundwire.evidence.turn.calls import OTHERS, shell_calls
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: Parts of a command that searches; blanks keep them from being parts of names.
_SEARCHING = (
    "grep ", "rg ", "ag ", "ack ", "select-string ", "findstr ", "sls ", "git log -s", "ripgrep",
    "ast-grep", "semgrep", "ctags", "cscope", "gopls ", "codequery",
)  # fmt: skip
#: Options that keep a search to some files.
_NARROWING = ("--include", "--type", "-t ", "-g ", "--glob", "-ig ", "--exclude")
_NARROWING_INPUTS = ("glob", "type")
_SHORTEST = 4
#: Words of a thing that is seen as a whole where it stands.
_LOCAL = ("variable", "local", "private", "parameter", "argument", "loop", "this file", "same file")
_NO_SEARCH = Verdict(UNSUPPORTED, "no search of this turn looked for other uses of it")
_WRITTEN = Verdict(NOT_CHECKABLE, "it was written in this turn")


def only_uses_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "X is only called by Y": a search for one of them that was not kept to some files."""
    names = named_things(claim.wording) if claim.wording else []
    narrowed = None
    for pattern, result, is_narrow, call_id in _searches(facts):
        if names and not _is_about(pattern, result, names):
            continue
        if not is_narrow:
            return Verdict(SUPPORTED if names else QUALIFIED, "it was searched for", call_id)
        narrowed = Verdict(QUALIFIED, "the search for it was kept to some files", call_id)
    if narrowed:
        return narrowed
    if facts.others_looked:
        return OTHERS
    if any(name in text for text in _own_texts(facts) for name in names):
        return _WRITTEN
    is_local = any(word in claim.text for word in _LOCAL)
    is_sure = facts.seen.whole and not is_local
    return _NO_SEARCH if is_sure else _NO_SEARCH.replace(status=QUALIFIED)


def _searches(facts: Facts) -> Iterator[tuple[str, str, bool, str]]:
    """Yield pattern, result, whether it was kept to some files, and the call of each search."""
    for call in facts.calls:
        pattern = call.input.get("pattern")
        if call.name == "Grep" and isinstance(pattern, str) and call.result is not None:
            is_narrow = any(call.input.get(name) for name in _NARROWING_INPUTS)
            yield pattern, call.result, is_narrow, call.id
    for _, call, text in shell_calls(facts):
        lowered = f"{text.lower()} "
        if any(words in lowered for words in _SEARCHING):
            is_narrow = any(words in lowered for words in _NARROWING)
            yield text, call.result or "", is_narrow, call.id


def _is_about(pattern: str, result: str, names: list[str]) -> bool:
    """Tell whether a search was for a name, or for a part of it, or showed where it stands."""
    parts = "".join(one if one.isalnum() or one == "_" else " " for one in pattern).split()
    long_parts = [part for part in parts if len(part) >= _SHORTEST]
    return any(
        name in pattern or name in result or any(part in name for part in long_parts)
        for name in names
    )


def _own_texts(facts: Facts) -> Iterator[str]:
    """Yield what the turn wrote into files."""
    for edit in facts.actions.edits:
        for key in ("content", "new_string"):
            text = facts.calls[edit.index].input.get(key)
            if edit.succeeded and isinstance(text, str):
                yield text
