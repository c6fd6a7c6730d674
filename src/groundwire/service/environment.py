"""The environment that a session began with, for a hook that is no child of Claude Code.

A process that Claude Code starts inherits what matters; the resident server does not. So the
command hook notes it at the start of a session, in the session's memory.
"""

from __future__ import annotations

from groundwire.state.loop import read_memory
from groundwire.state.paths import state_folder
from groundwire.state.sources import settings_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: What Claude Code tells its hooks about the session.
SESSION_VARIABLES = (
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
)


def session_environment(env: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that change what the hook says: the session's and all settings."""
    own = [(name, env[name]) for name in SESSION_VARIABLES if env.get(name)]
    return (*own, *settings_variables(env))


def without_session(env: Mapping[str, str]) -> dict[str, str]:
    """Return ``env`` without the variables of the session that it comes from."""
    gone = {name for name, _ in session_environment(env)}
    return {name: value for name, value in env.items() if name not in gone}


def with_session(env: Mapping[str, str], session_id: str) -> dict[str, str]:
    """Return ``env`` with the variables that the session ``session_id`` began with."""
    folder = state_folder(env)
    memory = read_memory(folder, session_id) if folder else None
    return {**env, **dict(memory.environment)} if memory else dict(env)
