"""What the harness saw: the ledger of a turn, and whether claims hold against it.

Each package here judges one sort of claim, or holds what the others share. A module imports only
from its own package and from rows above it, also within functions:

1. ``ledger``: the tool calls of the turn, and the paths that the harness knows
2. ``message``: what the message claims; ``runs``: shell commands as runs with their outcomes
3. ``pointing``: verdicts that name the run which decides
4. ``turn``: what the calls did and printed, collected once as ``Facts``
5. ``past``: earlier turns of the session
6. ``reference``: paths, commands, quotes and edits that the message names
7. ``absence``, ``cause``, ``figure``, ``looked``, ``passed``: claims by what can carry them
8. ``work``: the state of the work, for which runs and looks speak
9. ``verdict``: one claim against the facts of its turn
10. ``judge``: all claims of a message
"""
