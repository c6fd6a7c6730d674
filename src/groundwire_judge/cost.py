"""What a second look would have cost in the last days, by the user's own sessions."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from groundwire.base.errors import TranscriptError
from groundwire.base.model import Turn
from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED
from groundwire.inputs.event import STOP, Event
from groundwire.inputs.turns import all_entries, split_turns
from groundwire.language.automaton import Scanner
from groundwire.runs.digest import digest_of_turn
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_judge.prices import LADDER, dollars
from groundwire_judge.request import instruction
from groundwire_judge.second_look import is_due

DAYS = 7
#: Characters of a token, and tokens of an answer, both as counted over recorded answers.
CHARACTERS_A_TOKEN, TOKENS_AN_ANSWER = 3.5, 180
#: Seconds that counting may take; what is left then is scaled up. Turns whose page is really made.
_SECONDS, _SAMPLE = 8.0, 150


class Week(Record):
    """Turns of the last days that would be looked at, and the tokens read and written for them.

    ``whole``: all sessions were counted; else the figures are scaled up by their sizes.
    """

    turns: int = 0
    read: int = 0
    written: int = 0
    whole: bool = True

    def cost(self, provider: str, model: str) -> float | None:
        """Return the dollars for a model; None when its price is not known."""
        return dollars(provider, model, self.read, self.written)

    def costs(self, provider: str) -> list[tuple[str, float]]:
        """Return the models of a provider that are offered, with their dollars."""
        named = ((model, self.cost(provider, model)) for model in LADDER.get(provider, ()))
        return [(model, cost) for model, cost in named if cost is not None]


def last_week(env: Mapping[str, str], now: float) -> Week:
    """Count the turns of the last seven days in Claude Code's own folder; never raises."""
    home = env.get("HOME") or env.get("USERPROFILE") or ""
    root = Path(env.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude"), "projects")
    since = datetime.fromtimestamp(now, UTC) - timedelta(days=DAYS)
    files: list[tuple[float, int, Path]] = []
    for path in root.glob("*/*.jsonl"):
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_mtime >= since.timestamp():
            files.append((status.st_mtime, status.st_size, path))
    counter = _Counter(since.isoformat())
    end, done = time.monotonic() + _SECONDS, 0
    for _, size, path in sorted(files, reverse=True):
        if time.monotonic() > end:
            break
        counter.add(path)
        done += size
    return counter.week(sum(size for _, size, _ in files) / done if done else 1.0)


class _Counter:
    def __init__(self, since: str) -> None:
        self._since = since[:19]
        self._scanner = Scanner(shipped_rules())
        self._turns = self._made = self._due = self._characters = 0

    def add(self, path: Path) -> None:
        """Count the turns of a session."""
        try:
            for turn in split_turns(all_entries(str(path))):
                if turn.timestamp >= self._since:
                    self._turns += 1
                    if self._made < _SAMPLE:
                        self._made += 1
                        self._look(turn)
        except TranscriptError:
            return

    def _look(self, turn: Turn) -> None:
        event = Event(STOP, message=turn.message, cwd=turn.cwd)
        examined = examine(event, turn, self._scanner, SHIPPED, Memory())
        stopped = bool(examined.decision.blocking)
        digest = digest_of_turn(examined, SHIPPED.judge.characters)
        if digest is not None and is_due(examined, SHIPPED, stopped=stopped):
            self._due += 1
            self._characters += len(digest.text)

    def week(self, scale: float) -> Week:
        """Return the figures, ``scale`` times as many."""
        if not self._made:
            return Week(whole=scale == 1.0)
        turns = round(self._turns * self._due / self._made * scale)
        page = self._characters / max(1, self._due)
        read = (page + len(instruction())) / CHARACTERS_A_TOKEN
        return Week(turns, round(turns * read), turns * TOKENS_AN_ANSWER, scale == 1.0)
