"""The garbage collector in a process that answers or replays many turns, or scans long texts."""

from __future__ import annotations

import gc

#: Requests between two looks at all that was made since the start: 1 ms in 200 turns.
LOOK_EVERY = 200
#: Objects that are made before the collector looks: a turn makes thousands, and no cycles.
_COLLECT_EVERY = 100_000


def collect_rarely() -> None:
    """Let the garbage collector pass over what stays, and look at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)


def look_at_all() -> None:
    """Collect what was made since ``collect_rarely``, and clear the interpreter's lists with it.

    It keeps up to 2,000 tuples of each of 20 lengths for later, wherever they lie, and gives them
    back only here: 2.6 MB after 6,000 turns, and so many holes where others could be.
    """
    gc.collect()
