"""How a turn saw things stand; nothing is read before a claim asks for it."""

from __future__ import annotations

from groundwire.evidence.runs.shell import read_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.actions import Actions
    from groundwire.evidence.turn.live import Live
    from groundwire.evidence.turn.states import States
    from groundwire.model import ToolCall


class Looks:
    """Looks at the running thing, listings of what runs, and the commands of shell calls."""

    def __init__(
        self, calls: tuple[ToolCall, ...], runs: tuple[Run, ...], actions: Actions
    ) -> None:
        self._turn = calls, runs, actions
        self._live: Live | None = None
        self._states: States | None = None
        self._commands: dict[str, Sequence[Command]] = {}

    def commands(self, text: str) -> Sequence[Command]:
        """Return the commands of a shell text; each text of the turn is read once."""
        if text not in self._commands:
            self._commands[text] = read_commands(text)
        return self._commands[text]

    @property
    def live(self) -> Live:
        """The requests, queries and steps in a browser; read once."""
        if self._live is None:
            from groundwire.evidence.turn.live import Live

            self._live = Live(self._turn[0])
        return self._live

    @property
    def states(self) -> States:
        """The listings of states; read once."""
        if self._states is None:
            from groundwire.evidence.turn.states import States

            self._states = States(*self._turn)
        return self._states
