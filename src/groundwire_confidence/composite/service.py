"""``ConfidenceCalculator``: the composite confidence with its settings, scanner and history."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from groundwire.base.errors import ConfidenceError
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import Composite
from groundwire.language.automaton import Scanner
from groundwire.settings.load import load
from groundwire_confidence.assessment import number, shown
from groundwire_confidence.composite.certainty import Certainty, certainty_of
from groundwire_confidence.composite.factors import (
    RELEVANCE,
    code_validation_score,
    knowledge_base_score,
)
from groundwire_confidence.composite.formula import CompositeScores, assess, known_type
from groundwire_confidence.composite.result import CompositeResult, composite_result
from groundwire_confidence.history import append_row, history_folder
from groundwire_confidence.history_read import (
    NAME_CHARACTERS,
    HistoryScore,
    Rows,
    agent_statistics,
    history_score,
    read_rows,
)

_HOUR = 3_600
_MOST_HOURS = 24 * 3_660


class ConfidenceCalculator:
    """Calculates composite confidences and keeps their history.

    ``settings`` are those of the working folder unless given; ``clock`` returns seconds since the
    epoch. Trouble with the history is told on stderr and in ``warnings`` of the result, and never
    changes it.
    """

    def __init__(
        self, settings: Composite | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """Load the settings; raises ConfigError when they are invalid."""
        self.settings = settings or load(os.environ, os.getcwd()).settings.composite
        self.folder = history_folder(self.settings.history, os.environ)
        self._clock = clock
        self._scanner: Scanner | None = None

    def calculate_confidence(
        self,
        agent_type: str,
        agent_name: str,
        knowledge_base_score: float,
        code_validation_score: float,
        response_certainty_score: float,
        agent_history_score: float | None = None,
        task_id: str | None = None,
    ) -> CompositeResult:
        """Weigh four scores from 0 to 1 against the threshold of the agent type, and log it.

        Agent history is looked up when it is not given; this calculation comes into it afterwards.
        Raises ConfidenceError for a score out of range, an agent type without a threshold, and a
        name that is empty or too long.
        """
        scores = CompositeScores(
            _required_number("knowledge_base_score", knowledge_base_score),
            _required_number("code_validation_score", code_validation_score),
            _required_number("response_certainty_score", response_certainty_score),
            agent_history_score,
        )
        return self.weigh(agent_type, agent_name, scores, task_id)

    def weigh(
        self, agent_type: str, agent_name: str, scores: CompositeScores, task_id: str | None = None
    ) -> CompositeResult:
        """Do the same with ``scores`` that may say where each comes from."""
        kind = known_type(agent_type, self.settings)
        name = _text("agent_name", agent_name)
        task = None if task_id is None else _text("task_id", task_id)
        now = self._clock()
        problems: tuple[str, ...] = ()
        if scores.agent_history_score is None:
            hours = self.settings.lookback_hours
            history = self._history(name, hours, now)
            why = (*scores.why, ("agent_history_score", history.why(hours)))
            scores = scores.replace(agent_history_score=history.score, why=why)
            problems = history.problems
        assessment = assess(kind, scores, self.settings)
        result = composite_result(assessment, name, kind, task, now, working_folder())
        unwritten = append_row(self.folder, result.row, now, self.settings.retention_days)
        warnings = (*problems, unwritten) if unwritten else problems
        for warning in warnings:
            print(f"groundwire: warning: {warning}", file=sys.stderr)  # noqa: T201
        return result.replace(warnings=warnings)

    def calculate_knowledge_base_score(
        self,
        retrieval_results: Iterable[Mapping[str, Any]],
        relevance_threshold: float = RELEVANCE,
    ) -> float:
        """Return the score of retrieval results, each a mapping with a ``similarity``."""
        return knowledge_base_score(retrieval_results, relevance_threshold)

    def calculate_code_validation_score(
        self,
        code_exists: bool = False,
        syntax_valid: bool = False,
        type_valid: bool = False,
        tests_exist: bool = False,
        tests_pass: bool = False,
    ) -> float:
        """Return the score of what is proven about the code."""
        return code_validation_score(code_exists, syntax_valid, type_valid, tests_exist, tests_pass)

    def calculate_response_certainty_score(self, text: str) -> float:
        """Return how certain a response is of itself."""
        return self.response_certainty(text).score

    def response_certainty(self, text: str) -> Certainty:
        """Return how certain a response is of itself, with the markers that say so."""
        if self._scanner is None:
            self._scanner = Scanner(shipped_rules())
        return certainty_of(text, self._scanner, self.settings.negators)

    def calculate_agent_history_score(self, agent_name: str, lookback_hours: float = 24) -> float:
        """Return the share of the agent's runs that succeeded, and 0.5 without runs."""
        hours = _hours(lookback_hours)
        return self._history(_text("agent_name", agent_name), hours, self._clock()).score

    def get_agent_statistics(self, agent_name: str, lookback_hours: float = 168) -> dict[str, Any]:
        """Return executions, success rate, average, blocked runs and threshold of an agent."""
        now = self._clock()
        since = now - _hours(lookback_hours) * _HOUR
        rows = read_rows(self.folder, since, now, _text("agent_name", agent_name)).rows
        return agent_statistics(rows, self.settings.default_threshold)

    def history_rows(self, agent_name: str = "", lookback_hours: float = 24) -> Rows:
        """Return the rows of the last hours, of one agent if it is named."""
        now = self._clock()
        return read_rows(self.folder, now - _hours(lookback_hours) * _HOUR, now, agent_name)

    def _history(self, agent_name: str, hours: float, now: float) -> HistoryScore:
        return history_score(self.folder, agent_name, now, hours, self.settings.prior_runs)


def working_folder() -> str:
    """Return the working folder, the project of a calculation; "" when it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _required_number(name: str, value: float) -> float:
    if value is None:
        raise ConfidenceError(f"{name}: value None: allowed: a number from 0 to 1")
    return value


def _text(name: str, value: object) -> str:
    if isinstance(value, str) and value.strip() and len(value) <= NAME_CHARACTERS:
        return value
    raise ConfidenceError(
        f"{name}: value {shown(value)}: allowed: a text of 1 to {NAME_CHARACTERS} characters"
    )


def _hours(value: object) -> float:
    hours = number("lookback_hours", value)
    if not 0 < hours <= _MOST_HOURS:
        raise ConfidenceError(
            f"lookback_hours: value {shown(value)}: allowed: above 0, at most {_MOST_HOURS}"
        )
    return hours


def calculate_agent_history_score(agent_name: str, lookback_hours: float = 24) -> float:
    """Return the score of an agent's history with the settings of the working folder."""
    return ConfidenceCalculator().calculate_agent_history_score(agent_name, lookback_hours)


def calculate_response_certainty_score(text: str) -> float:
    """Return how certain a response is of itself, with the settings of the working folder."""
    return ConfidenceCalculator().calculate_response_certainty_score(text)
