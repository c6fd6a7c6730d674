"""One event's view of its session: its environment, its settings, and what it was told.

A process that Claude Code starts inherits what matters; the resident server does not. So the
command hook notes it at the start of a session, in the session's memory.
"""

from __future__ import annotations

from groundwire.base.model import REPORT, Decision
from groundwire.base.paths import cache_folder, config_folder, state_folder
from groundwire.base.settings import MODES, SHIPPED, Settings
from groundwire.hook.compiled import Compiled, settings_key
from groundwire.hook.memory import read_memory
from groundwire.hook.sources import PREFIX, PROJECT, TRUST, find_sources, settings_variables
from groundwire.language.safe import safe
from groundwire.verdict.decision import Memory

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


def fallback_settings(env: Mapping[str, str], folder: str) -> tuple[Compiled, str]:
    """Return the last good settings of ``folder``, the shipped ones without any, and a note.

    The mode is the one that the user asks for now, where that is less than what is shipped.
    """
    from groundwire.hook.compiled_file import last_good  # while they are compiled

    mode = plain_mode(env, folder)
    last, what = last_good(env, folder), "last"
    if last is None:
        last, what = Compiled(), "shipped"
    elif mode == SHIPPED.mode:
        mode = last.settings.mode
    note = f"settings are not compiled yet; the {what} ones were used: {mode}"
    return last.replace(settings=last.settings.replace(mode=mode)), note


def plain_mode(env: Mapping[str, str], folder: str) -> str:
    """Return the mode that the user's files and variables ask for, read as they stand.

    For settings that cannot be compiled: "report" when they cannot be read either, since nobody is
    to be stopped by settings that may not be theirs.
    """
    import tomllib  # takes time, and is not needed as a rule

    mode: object = SHIPPED.mode if config_folder(env) else REPORT
    for source in find_sources(env, folder):
        if source.layer in (PROJECT, TRUST):
            continue
        try:
            mode = tomllib.loads(source.data.decode("utf-8-sig")).get("mode", mode)
        except (ValueError, RecursionError):
            mode = REPORT
    mode = env.get(f"{PREFIX}MODE") or mode
    return mode if isinstance(mode, str) and mode in MODES else REPORT


_MOST_TOLD = 50
#: Characters of a line for the user.
_LONGEST = 500


class Session:
    """The memory of a session while one event is answered.

    ``messages`` are for the user, ``notes`` for the log.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = self._read = memory
        self.messages: list[str] = []
        self.notes: list[str] = []

    def renew(self, memory: Memory) -> bool:
        """Go on with the ``memory`` as others have left it by now; tell whether they changed it."""
        if memory == self._read:
            return False
        own_memory, key = self.memory, memory.settings_key
        told = (name for name in own_memory.told if name not in memory.told)
        if key is None and self._read.settings_key is None:  # else a command took it out
            key = own_memory.settings_key
        told_all = (*memory.told, *told)[-_MOST_TOLD:]
        self.memory = self._read = memory.replace(told=told_all, settings_key=key)
        return True

    def tell(self, name: str, text: str) -> None:
        """Add a message to the user unless the session was given the one of this name before."""
        if name not in self.memory.told:
            self.messages += [f"groundwire: {safe(line, _LONGEST)}" for line in text.split("\n")]
            told = (*self.memory.told, name)[-_MOST_TOLD:]
            self.memory = self.memory.replace(told=told)

    def tell_let_through(self, decision: Decision) -> None:
        """Say once for each prompt that findings remain after its blocks."""
        if decision.let_through:
            from groundwire.report.reason import let_through_text

            self.tell(f"let through {decision.let_through}", let_through_text(decision))

    def configuration(
        self, env: Mapping[str, str], folder: str, ready: Compiled | None
    ) -> Compiled:
        """Return the configuration that the session began with.

        ``ready`` is the present one for ``folder``, None when it cannot be had (yet): then the
        last good one is used, or where there was none the shipped one, in the mode that the user
        asks for, and without stopping anything when that is not known.
        """
        key_and_files = settings_key(env, folder)
        current = key_and_files[0] if key_and_files else ""
        pinned = current if self.memory.settings_key is None else self.memory.settings_key
        compiled = None
        if pinned != current:
            compiled = self._earlier(env, pinned)
        if compiled:
            self.tell(
                f"changed {current}",
                "the settings changed; they take effect with the next session.",
            )
        else:
            pinned, compiled = current, ready
        if compiled is None:
            compiled, note = fallback_settings(env, folder)
            self.notes.append(note)
            return compiled
        self.memory = self.memory.replace(settings_key=pinned)
        self._tell_problems(compiled, pinned)
        return self.limited(compiled.settings, compiled)

    def limited(self, settings: Settings, compiled: Compiled) -> Compiled:
        """Return ``compiled`` with ``settings``, in the mode of the session if that does less."""
        if self.memory.mode in MODES[MODES.index(settings.mode) + 1 :]:
            settings = settings.replace(mode=self.memory.mode)
        return compiled if settings is compiled.settings else compiled.replace(settings=settings)

    def _earlier(self, env: Mapping[str, str], key: str) -> Compiled | None:
        """Return the configuration with this key, "" for the shipped one, if it is still there."""
        if not key:
            return Compiled()
        from groundwire.hook.compiled_file import read_compiled

        cache = cache_folder(env)
        return read_compiled(cache, key) if cache else None

    def _tell_problems(self, compiled: Compiled, key: str) -> None:
        if compiled.error:
            text = f"turns are not checked, the configuration is broken: {compiled.error}"
            self.tell(f"error {key}", text)
        for warning in compiled.warnings:
            self.tell(f"warning {key} {warning}", warning)


def ensure_compiled(env: Mapping[str, str], cwd: str, wait: float) -> Compiled | None:
    """Return the configuration for ``cwd``; compile it in a process of its own if it is not cached.

    Waits at most ``wait`` seconds for that process, which goes on afterwards. Without settings of
    its own a project gets the shipped ones. None when cache or settings cannot be had (yet).
    """
    key_and_files = settings_key(env, cwd)
    if key_and_files is None:
        return Compiled() if config_folder(env) else None
    from groundwire.hook.compiled_file import cached_or_compiled

    return cached_or_compiled(env, cwd, key_and_files[0], wait)
