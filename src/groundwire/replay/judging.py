"""A judge in a replay: asked about the same turns as in the hook, up to a limit of dollars."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.decision import Memory
from groundwire.judge.turn import ask_turn
from groundwire.service.examine import Examined
from groundwire.service.session import Session
from groundwire.service.turn_digest import digest_of_turn
from groundwire.service.turn_judge import Opinion, is_asked, judged
from groundwire.settings import Settings


class ReplayJudge:
    """Asks the judge of ``settings`` about one turn after the other, and counts.

    Where the settings never ask, turns with a claim and some work are asked about. ``max_cost`` is
    in dollars, None: no limit. An answer whose price is not known counts as free.
    """

    def __init__(
        self, settings: Settings, env: Mapping[str, str], max_cost: float | None = None
    ) -> None:
        judge = settings.judge
        if judge.when == "off":
            judge = judge.replace(when="claims")
        self._settings = settings.replace(judge=judge)
        self._env = env
        self._max_cost = max_cost
        self.answers = self.left_out = 0
        self.cost = 0.0
        self.problems: dict[str, int] = {}

    def __call__(self, examined: Examined) -> Examined:
        """Return the turn as it stands with the judge's answer, if there is one."""
        if not is_asked(examined, self._settings, Memory()):
            return examined
        if self._max_cost is not None and self.cost >= self._max_cost:
            self.left_out += 1
            return examined
        judge = self._settings.judge
        digest = digest_of_turn(examined, judge.characters, redact=judge.redact)
        if digest is None:
            return examined
        answer = ask_turn(digest, judge, self._env)
        self.cost += answer.cost or 0.0
        if answer.problem:
            self.problems[answer.problem] = self.problems.get(answer.problem, 0) + 1
            return examined
        self.answers += 1
        session = Session(Memory(digest=examined.memory.digest))
        return judged(examined, Opinion(answer, digest), self._settings, session)

    @property
    def summary(self) -> str:
        """How many answers there were and what they cost, in one line."""
        parts = [f"the judge answered about {self.answers} turns for ${self.cost:.4f}"]
        if self.left_out:
            parts.append(f"{self.left_out} were not asked about: --max-cost is reached")
        parts += [f"{count} times: {problem}" for problem, count in self.problems.items()]
        return "; ".join(parts)
