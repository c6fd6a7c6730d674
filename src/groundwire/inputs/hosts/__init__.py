"""Other hosts than Claude Code: their events, answers, transcripts and settings, a module each.

A module translates at the border and knows nothing of what is behind it: an event of the host
becomes the event of Claude Code that means the same, a line of its transcript the line that Claude
Code would have written, its tools the tools that evidence knows, and the answer goes the other way.
Only a command that was registered with ``--host`` loads any of it.
"""

from __future__ import annotations

from groundwire.base.errors import HostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.inputs.hosts.host import Host

#: Host by the name that ``--host`` takes, which is its module's, too.
NAMES = {
    "codex": "Codex CLI",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "droid": "Factory Droid",
    "copilot": "Copilot CLI",
    "cursor": "Cursor",
    "opencode": "opencode",
}


def host_named(name: str) -> Host:
    """Return a host by its name. Raises HostError naming those that there are."""
    if name not in NAMES:
        raise HostError(f"--host: {name!r}: allowed: {', '.join(NAMES)}")
    module = __import__(f"{__name__}.{name}", fromlist=["HOST"])
    host: Host = module.HOST
    return host
