"""That all files of a set were read: a read that failed, or too few of them."""

from __future__ import annotations

from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.calls import programs, shell_calls
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_READERS = frozenset("cat bat head tail sed less more awk nl jq get-content type".split())
#: Programs whose output can hold many files.
_WIDE = frozenset("git gh glab find xargs for while tar unzip rg grep python3 python node".split())
_NUMBERS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_MOST = 99
_TOLD = Verdict(NOT_CHECKABLE, "the request may hold what was read")
_LONG_PROMPT = 2_000


def reads_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "I have read all four files" by the files that were opened, and those that were not."""
    opened = opened_files(facts)
    failed = [
        name
        for name in _failed(facts)
        if name not in {base_name(path.replace("\\", "/")) for path in opened}
    ]
    wanted = _wanted(claim.text)
    enough = len(opened) >= wanted if wanted else bool(opened)
    if failed and not (wanted and enough):
        return Verdict(UNSUPPORTED, f"{failed[-1]:.60} could not be read")
    called = (programs(facts, text) for _, _, text in shell_calls(facts))
    if facts.others_looked or any(map(_WIDE.intersection, called)):
        return Verdict(QUALIFIED, "what it printed may hold all of them")
    if enough:
        return Verdict(SUPPORTED if wanted else QUALIFIED, f"{len(opened)} files were read")
    if len(facts.seen.told[0]) >= _LONG_PROMPT:
        return _TOLD
    return Verdict(UNSUPPORTED, f"{len(opened)} files were read in this turn")


def _wanted(text: str) -> int:
    """Return the number of files that the sentence speaks of; 0 when it gives none."""
    for word in (word.strip(".,:;!*()`") for word in text.split()):
        number = int(word) if word.isdigit() and len(word) < 3 else _NUMBERS.get(word, 0)
        if 1 < number <= _MOST:
            return number
    return 0


def opened_files(facts: Facts) -> set[str]:
    """Return the files that the turn read, as their paths were given."""
    found: set[str] = set()
    for call in facts.calls:
        path = call.input.get("file_path")
        if isinstance(path, str) and call.result is not None and not call.is_error:
            found.add(path)
    for _, _, text in shell_calls(facts):
        for command in facts.looks.commands(text):
            if command.argv and base_name(command.argv[0]).lower() in _READERS:
                found |= {word for word in command.argv[1:] if "." in word and word[0] != "-"}
    return found


def _failed(facts: Facts) -> list[str]:
    """Return the names of the files that a read did not get."""
    return [
        base_name(str(call.input.get("file_path", "")).replace("\\", "/"))
        for call in facts.calls
        if call.name == "Read" and call.is_error
    ]
