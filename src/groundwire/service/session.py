"""One event's view of its session: the settings it began with, and what the user is told once."""

from __future__ import annotations

from groundwire.decision import Memory
from groundwire.model import REPORT, Decision
from groundwire.render.prose import one_line
from groundwire.settings import MODES, SHIPPED
from groundwire.state.compiled import Compiled, settings_key
from groundwire.state.paths import cache_folder, config_folder
from groundwire.state.sources import PREFIX, PROJECT, TRUST, find_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_TOLD = 50


class Session:
    """The memory of a session while one event is answered.

    ``messages`` are for the user, ``notes`` for the log.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.messages: list[str] = []
        self.notes: list[str] = []

    def tell(self, name: str, text: str) -> None:
        """Add a message to the user unless the session was given the one of this name before."""
        if name not in self.memory.told:
            self.messages += [f"groundwire: {one_line(line)}" for line in text.split("\n")]
            told = (*self.memory.told, name)[-_MOST_TOLD:]
            self.memory = self.memory.replace(told=told)

    def tell_let_through(self, decision: Decision) -> None:
        """Say once for each prompt that findings remain after its blocks."""
        if decision.let_through:
            from groundwire.render.reason import let_through_text

            self.tell(f"let through {decision.let_through}", let_through_text(decision))

    def configuration(
        self, env: Mapping[str, str], folder: str, ready: Compiled | None
    ) -> Compiled:
        """Return the configuration that the session began with.

        ``ready`` is the present one for ``folder``, None when it cannot be had (yet): then the
        shipped one is used, in the mode that the user asks for, and without stopping anything when
        that is not known.
        """
        found = settings_key(env, folder)
        current = found[0] if found else ""
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
            mode = plain_mode(env, folder)
            self.notes.append(f"settings are not compiled yet; the shipped ones were used: {mode}")
            return Compiled(SHIPPED.replace(mode=mode))
        self.memory = self.memory.replace(settings_key=pinned)
        self._tell_problems(compiled, pinned)
        return compiled

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
