"""The garbage collector in a process that answers or replays many turns, or scans long texts."""

from __future__ import annotations

import gc

#: Objects that are made before the collector looks: a turn makes thousands, and no cycles.
_COLLECT_EVERY = 100_000


def collect_rarely() -> None:
    """Let the garbage collector pass over what stays, and look at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)
