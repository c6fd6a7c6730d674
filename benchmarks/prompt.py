"""How soon the prompt is free again behind an answer, with the second look on and with it off.

    python -m benchmarks.prompt [--turns 20] [--client FILE]

Two real clients on terminals of their own take turns, a model on loopback answers, and a judge that
finds nothing. While an answer is held back, the next prompt is typed and sent; what is measured is
the time from the answer's release until the client asks the model for that prompt.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.processes import BARE, Case, environment, interleaved
from tests.cli.command import GROUNDWIRE
from tests.e2e.client import CLIENT, ClaudeCode
from tests.e2e.interactive import Chat, acts, look_on
from tests.e2e.models import Model

_PROMPT = "Which branch does it take?"
_STEPS = ("run echo first branch", "say The loader took the first branch.")
_NOTHING = ['{"statements": []}']


class _Held(Model):
    """Holds every final answer back, and keeps when each request came."""

    def __init__(self, turns: int) -> None:
        super().__init__(_STEPS * (turns + 1), _NOTHING)
        self.came: list[float] = []

    def _step(self, body: dict[str, Any]) -> str:
        known = len(self.requests)
        step = super()._step(body)
        if len(self.requests) > known:
            self.came.append(time.monotonic())
            (self.turn_gate.set if step.startswith("run ") else self.turn_gate.clear)()
        return step


class _Side:
    """One client in a home of its own, with its turns so far."""

    def __init__(self, stack: ExitStack, root: Path, client: Path, turns: int, *, on: bool) -> None:
        self.on, self.seconds = on, list[float]()
        self._claude = ClaudeCode(root, GROUNDWIRE)
        look_on(self._claude)
        if not on:
            self._claude.out("second-look", "off")
        self._model = stack.enter_context(_Held(turns))
        self._chat = stack.enter_context(Chat(self._claude, self._model, client))
        self._chat.ask(_PROMPT)

    def turn(self) -> None:
        """Send the next prompt while an answer is held back, and let that go."""
        done = len(self.seconds)
        asked = 2 * done + 2
        self._chat.until(lambda: len(self._model.came) == asked)
        self._chat.until(lambda: not self.on or len(acts(self._claude)) == done)
        self._chat.ask(_PROMPT)
        self._chat.idle(0.5)
        released = time.monotonic()
        self._model.turn_gate.set()
        self._chat.until(lambda: len(self._model.came) > asked)
        self.seconds.append(self._model.came[asked] - released)


def measure(turns: int, client: Path) -> tuple[list[float], list[float], float]:
    """Return the seconds with the second look on and off, and those of a process start."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        sides = [_Side(stack, Path(folder, str(on)), client, turns, on=on) for on in (True, False)]
        for _ in range(turns):
            for side in sides:
                side.turn()
        starts = interleaved({"bare": Case(BARE)}, 20, environment(Path(folder)))["bare"]
        return sides[0].seconds, sides[1].seconds, statistics.median(starts)


def main(arguments: list[str]) -> int:
    """Print both medians; 1 when it is later by more than three process starts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt", description=__doc__)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--client", type=Path, default=CLIENT)
    options = parser.parse_args(arguments)
    on, off, start = measure(options.turns, options.client)
    for name, found in (("on", on), ("off", off)):
        value = statistics.median(found) * 1000
        print(f"second look {name}: prompt free after {value:.0f} ms ({options.turns} turns)")
    later = statistics.median(one - other for one, other in zip(on, off, strict=True))
    print(f"later by {later * 1000:.0f} ms; a process starts in {start * 1000:.0f} ms")
    return int(later > 3 * start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
