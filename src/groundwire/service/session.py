"""One event's view of its session: the settings it began with, and what the user is told once."""

from __future__ import annotations

from groundwire.decision import Memory
from groundwire.model import Decision
from groundwire.settings import MODES, Settings
from groundwire.state.compiled import Compiled, settings_key
from groundwire.state.paths import cache_folder
from groundwire.text.safe import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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
            from groundwire.render.notice import let_through_text

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
            from groundwire.service.meanwhile import meanwhile

            compiled, note = meanwhile(env, folder)
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
        from groundwire.state.compiled_file import read_compiled

        cache = cache_folder(env)
        return read_compiled(cache, key) if cache else None

    def _tell_problems(self, compiled: Compiled, key: str) -> None:
        if compiled.error:
            text = f"turns are not checked, the configuration is broken: {compiled.error}"
            self.tell(f"error {key}", text)
        for warning in compiled.warnings:
            self.tell(f"warning {key} {warning}", warning)
