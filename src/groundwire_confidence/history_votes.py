"""A vote about an agent's run, kept as its outcome."""

from __future__ import annotations

import time

from groundwire_confidence.history import append_row, history_folder
from groundwire_confidence.history_outcomes import OPEN, RIGHT, VOTE, WRONG, outcome_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.base.settings import Composite

#: The main agent, which has no name, in the history and in the settings.
MAIN_AGENT = "default"


def append_vote(
    composite: Composite,
    env: Mapping[str, str],
    agent: str,
    task: str | None,
    right: bool | None,
    why: str,
) -> str:
    """Keep whether a run was right, None to take that back; return "" or what went wrong.

    ``agent`` "" is the main one. A turn of the hook is only weighed, and has a run, where the
    composite is on.
    """
    if not composite.enabled:
        return ""
    now = time.time()
    outcome = OPEN if right is None else RIGHT if right else WRONG
    line = outcome_line(agent or MAIN_AGENT, task, outcome, VOTE, why, now)
    return append_row(history_folder(composite.history, env), line, now, composite.retention_days)
