"""git push: ``cfa99e5..0bbe536  main -> main``, ``! [rejected]``, ``Everything up-to-date``.

Clients of a forge that push say ``Pushed commits to``.
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs import git
from groundwire.evidence.runs.outputs.lines import brief

_ARROW = " -> "
_REJECTED = (" ! [rejected]", " ! [remote rejected]", "!\t")
_HELP_END = "in 'git push --help' for details."
_NEW = (" * [new branch]", " * [new tag]", " * [new reference]", " - [deleted]")
_UP_TO_DATE = "Everything up-to-date"
#: What ``gh repo create --push`` prints.
SENT = "Pushed commits to "
_FETCHED = "From "
_PUSHED = "To "
_REMOTES = ("origin/", "upstream/")


def parse(output: str) -> Outcome | None:
    """Read each reference that was sent; one that was rejected decides."""
    sent = rejected = up_to_date = ""
    is_fetch = False
    for line in output.split("\n"):
        if line.startswith((_FETCHED, _PUSHED)):
            is_fetch = line.startswith(_FETCHED)
        elif line.startswith(_REJECTED) or line.endswith(_HELP_END):
            rejected = rejected or line
        elif line == _UP_TO_DATE:
            up_to_date = line
        elif SENT in line or (not is_fetch and _is_sent(line)):
            sent = line
    failed = rejected or git.error_line(output)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    done = sent or up_to_date
    return Outcome(PASSED, line=brief(done)) if done else None


def _is_sent(line: str) -> bool:
    """Tell whether ``line`` is "   a1b2c3d..0f1e2d3  main -> main" or a new or deleted one."""
    if line.startswith(_NEW[3]) or "\trefs/" in line[:8]:
        return True
    before, arrow, target = line.partition(_ARROW)
    if not arrow or target.startswith(_REMOTES):
        return False
    if before.startswith(_NEW):
        return True
    return before[:3] in ("   ", " + ") and ".." in before[3:].partition(" ")[0]
