"""Whether a remote pipeline is green, by what ``gh`` and ``glab`` printed of it in the turn."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.pointing import shortened
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.turn.facts import Facts
from groundwire.model import CONTRADICTED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = frozenset("ci pipeline pipelines workflow workflows checks actions".split())
#: Commands that show the newest run first, and those that show all checks of one change.
_LISTS = ("gh run list", "glab ci list")
_LOOKS = (*_LISTS, "gh pr checks", "gh run watch", "gh run view", "glab ci status", "glab ci view")
_GOOD = ("success", "pass", "passed", "\u2713", "skipping", "skipped")
_BAD = ("failure", "fail", "failed", "x", "cancelled", "timed_out", "startup_failure")
_OPEN = ("in_progress", "queued", "pending", "running", "waiting", "*")
_HEADS = 3  # fields of a line that may hold its state
_MOST_LINES = 200


def speaks_of_ci(text: str) -> bool:
    """Tell whether the folded sentence is about a remote pipeline."""
    return not _WORDS.isdisjoint(word.strip(".,:;!()*") for word in text.split())


def ci_verdict(facts: Facts) -> Verdict | None:
    """Judge "CI is green" by the last look at it; None when no look shows its state."""
    for call in reversed(facts.calls):
        command = call.input.get("command")
        if call.name not in SHELL_TOOLS or not isinstance(command, str):
            continue
        look = next((look for look in _LOOKS if look in command), "")
        if not look or call.result is None:
            continue
        states = list(_states(clean(read_result(call).text)))
        if look in _LISTS:
            states = states[:1]
        named = shortened(command)
        for wanted, status in ((_BAD, CONTRADICTED), (_OPEN, UNSUPPORTED), (_GOOD, SUPPORTED)):
            line = next((line for state, line in states if state in wanted), "")
            if line:
                return Verdict(status, f'{named} printed "{line}"', call.id, command, line)
        return None
    return None


def _states(text: str) -> Iterator[tuple[str, str]]:
    """Yield the state that each line tells of one run or check, and the line."""
    for line in text.split("\n")[:_MOST_LINES]:
        fields = line.lower().replace("\t", "  ").split("  ")
        words = [field.strip() for field in fields if field.strip()][:_HEADS]
        first = line.strip().lower().partition(" ")[0]
        if first in ("\u2713", "x", "*"):
            words = [first]
        if words[:1] == ["completed"]:
            words = words[1:2] and [words[1].partition(" ")[0]]
        state = next((word for word in words if word in (*_GOOD, *_BAD, *_OPEN)), "")
        if '"conclusion"' in line:
            state = next((word for word in (*_GOOD, *_BAD) if f'"{word}"' in line.lower()), "")
        if "has already completed with '" in line:
            state = line.partition("with '")[2].partition("'")[0]
        if state:
            yield state, " ".join(line.split())[:160]
