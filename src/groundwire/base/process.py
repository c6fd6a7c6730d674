"""Processes: one that outlives this one, and the garbage collector of a long-lived one."""

from __future__ import annotations

import gc
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def spawn_detached(command: Sequence[str], env: Mapping[str, str]) -> int:
    """Run ``command`` in a session of its own, standard streams on the null device.

    Returns the process id. Raises OSError when it cannot be started. Claude Code waits for
    whoever holds a hook's output open, so nothing of it may be inherited.
    """
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    arguments, variables = list(command), dict(env)
    try:
        return os.posix_spawn(command[0], arguments, variables, file_actions=null, setsid=True)
    except NotImplementedError:  # older systems: its own process group is the next best
        return os.posix_spawn(command[0], arguments, variables, file_actions=null, setpgroup=0)


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
