"""The second look in a replay: what it would have woken or noted in past sessions.

Answers are cached, so a replay that was interrupted goes on where it was at no further cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from groundwire.base.errors import TranscriptError
from groundwire.base.model import BLOCK, Turn
from groundwire.hook.second_look_state import NOTE, NOTHING, WAKE, exam_of, look_folder
from groundwire.inputs.event import STOP
from groundwire.report.prose import counted
from groundwire.runs.digest import digest_of_turn
from groundwire.runs.replay import turns_examined
from groundwire.settings.runtime import Runtime
from groundwire.turn.page import TurnDigest
from groundwire.verdict.examine import Examined
from groundwire_judge.ask import ask_turn
from groundwire_judge.cost import CHARACTERS_A_TOKEN, TOKENS_AN_ANSWER
from groundwire_judge.prices import PRICED, dollars
from groundwire_judge.request import instruction, model_of
from groundwire_judge.rights import act_of, key_of, right_of
from groundwire_judge.second_look import (
    BACKGROUND_MS,
    around_turn,
    findings_on,
    is_due,
    look_fields,
)

#: Failures in a row after which nobody is asked any more.
_MOST_FAILURES = 3


class ReplayLook:
    """Looks again at the first ``limit`` turns that are due, and counts; 0 means all.

    ``max_cost`` is in dollars, None: no limit. An answer whose price is not known counts as free.
    """

    def __init__(
        self,
        runtime: Runtime,
        env: Mapping[str, str],
        limit: int = 0,
        max_cost: float | None = None,
    ) -> None:
        self._runtime, self._settings = runtime, runtime.settings
        self._judge = runtime.settings.judge.replace(budget_ms=BACKGROUND_MS)
        self._env, self._limit, self._max_cost = env, limit, max_cost
        folder = look_folder(env)
        self._examined = folder is not None and exam_of(folder, key_of(self._judge)) is not None
        self._right = right_of(folder, self._judge) if folder and self._examined else WAKE
        self._due = self._characters = self._taken = self._failures = 0
        self.answers = self.left_out = 0
        self.cost = 0.0
        self.problems: dict[str, int] = {}

    def count(self, files: Sequence[Path], since: str) -> Iterator[None]:
        """Count the turns that are going to be asked about, file by file."""
        for path in files:
            with suppress(TranscriptError):  # the replay tells it
                self._count(path, since)
            yield

    def _count(self, path: Path, since: str) -> None:
        if 0 < self._limit <= self._due:
            return
        for turn, examined in turns_examined(path, self._runtime, since):
            digest = self._digest(examined) if turn.timestamp >= since else None
            if digest is not None:
                self._due += 1
                self._characters += len(digest.text) + len(instruction())
                if self._due == self._limit:
                    return

    @property
    def plan(self) -> str:
        """How many turns are asked about and what that costs at most, by what was counted."""
        provider, model = self._judge.provider, model_of(self._judge)
        read = round(self._characters / CHARACTERS_A_TOKEN)
        own = dict(self._judge.prices).get(f"{provider}/{model}")
        cost = dollars(provider, model, read, self._due * TOKENS_AN_ANSWER)
        cost, source = (cost, f"list prices of {PRICED}") if own is None else (own * self._due, "")
        priced = "" if cost is None else f", about ${cost:.4f}{f' ({source})' if source else ''}"
        text = (
            f"asks {model} about {counted(self._due, 'turn')}, about {round(read / 1000)}k tokens"
        )
        text += f"{priced}; answers that are cached cost nothing"
        return text if self._examined else f"{text}; without an exam it is shown as if it passed"

    def __call__(self, turn: Turn, examined: Examined, before: Sequence[Turn]) -> dict[str, Any]:
        """Return what the decision log would have of a look at the turn, {} without one."""
        digest = self._digest(examined) if self._taken < (self._limit or self._taken + 1) else None
        if digest is None:
            return {}
        self._taken += 1
        is_spent = self._max_cost is not None and self.cost >= self._max_cost
        if is_spent or self._failures == _MOST_FAILURES:
            self.left_out += 1
            return {}
        answer = ask_turn(digest, self._judge, self._env)
        self.cost += answer.cost or 0.0
        if answer.problem:
            self._failures += 1
            self.problems[answer.problem] = self.problems.get(answer.problem, 0) + 1
            return {}
        self._failures = 0
        self.answers += 1
        around = around_turn(examined, digest, turn, before)
        findings = findings_on(examined, answer, digest, self._settings, around)
        acts = [act_of(one, self._judge, self._right) for one in findings]
        act = next((one for one in (WAKE, NOTE) if one in acts), NOTHING)
        return {**look_fields(answer, findings, acts), "act": act, "right": self._right}

    def _digest(self, examined: Examined) -> TurnDigest | None:
        """Return what would be shown of a turn; None when it is not due."""
        situation = examined.situation
        if situation is None or situation.event.name != STOP:
            return None
        if not is_due(examined, self._settings, stopped=examined.decision.action == BLOCK):
            return None
        return digest_of_turn(examined, self._judge.characters, redact=self._judge.redact)

    @property
    def summary(self) -> str:
        """How many answers there were and what they cost, in one line."""
        answers = f"{model_of(self._judge)} answered about {counted(self.answers, 'turn')}"
        parts = [f"{answers} for ${self.cost:.4f}"]
        if self.left_out:
            why = f"{_MOST_FAILURES} failures in a row"
            why = why if self._failures == _MOST_FAILURES else "--max-cost is reached"
            parts.append(f"{self.left_out} not asked about: {why}")
        parts += [f"{count} times: {problem}" for problem, count in self.problems.items()]
        return "; ".join(parts)
