"""What the facade returns: plain immutable values, ready for JSON.

Times are UTC; scores run from 0 to 1 (high is good), confidences of matches from 0 to 100 (high is
bad); money is US dollars, null where a price is not known.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class View(BaseModel):
    """Base of everything that the facade returns."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class ConfigurationView(View):
    """How confidence is calculated in an environment.

    ``environment`` was asked for, ``source`` is whose row it is (``all`` when it has none of its
    own). ``version`` is what a change has to name; it is 0 where the first change will make a row.
    """

    environment: str
    source: str
    profile: str
    active: bool
    version: int
    config: dict[str, Any] = Field(description="Complete, below the key confidence_calculation.")
    problems: list[str] = Field(description="What is wrong with the stored document, if anything.")
    updated_at: datetime
    updated_by: str


class ChangeView(View):
    """One change; ``before`` is null for what was new."""

    id: int
    at: datetime
    who: str
    action: str
    kind: str
    target: str
    version: int
    restored: int | None
    before: dict[str, Any] | None
    after: dict[str, Any]


class PromptView(View):
    """One version of a prompt."""

    id: int
    name: str
    prompt_type: str
    version: int
    content: str
    notes: str
    tags: list[str]
    active: bool
    usage_count: int
    created_at: datetime
    created_by: str
    updated_at: datetime
    missing_variables: list[str] = Field(description="Variables that the text does not use.")


class PreviewView(View):
    """What the judge would be sent."""

    text: str
    missing_variables: list[str]
    truncated: list[str] = Field(description="Variables that were cut to the configured lengths.")
    warning: str = Field(description="A sentence about missing variables, or empty.")


class ModelView(View):
    """A model that can judge."""

    value: str
    label: str
    cost: str


class ProviderView(View):
    """A provider, and the model that choosing it selects."""

    value: str
    label: str
    default_model: str


class PricesView(View):
    """The models with their prices, complete; ``version`` is what a change has to name."""

    models: list[dict[str, Any]]
    version: int


class CostView(View):
    """What a month costs with each method (R002-33); null where the price is not known."""

    queries: int
    provider: str
    model: str
    per_query: float | None
    formula: float
    llm: float | None
    hybrid: float | None
    method: str = Field(description="The method that is configured.")
    configured: float | None = Field(description="What the configured method costs.")


class HookSettingsView(View):
    """The hook's settings as the server may change them.

    ``settings`` is what holds outside of any project; ``origins`` names the layer and file of each
    value by its dotted key. ``admin`` is what admin.toml sets. ``version`` is a digest of that file
    and what a change has to name; it is empty when there is no file.
    """

    settings: dict[str, Any]
    origins: dict[str, str]
    admin: dict[str, Any]
    version: str
    path: str
    problems: list[str]


class MatchView(View):
    """One match of a decision."""

    kind: str
    marker: str
    offset: int
    length: int
    evidence: str
    confidence: int
    verdict: str
    call_id: str


class DecisionView(View):
    """One decision of the hook; ``vote`` is that of the person who asks: 1, -1 or null."""

    id: str
    at: datetime
    decision: str
    event: str
    session: str
    agent_type: str
    project: str
    why: str
    found: int
    blocking: int
    milliseconds: float
    error: str
    matches: list[MatchView]
    vote: int | None


class DecisionPage(View):
    """Decisions, the newest first. ``following`` continues the list; null at its end."""

    decisions: list[DecisionView]
    total: int
    following: str | None


class FactorView(View):
    """One factor of a confidence: ``points`` is what is lost without it."""

    name: str
    weight: float
    value: float
    points: int


class CallView(View):
    """The tool call that a verdict points to, with what it returned (cut)."""

    id: str
    name: str
    input: str
    result: str | None
    is_error: bool


class ReadMatchView(View):
    """A match found again in the transcript, with what the log does not keep.

    ``confidence`` is calculated with the present settings; ``logged_confidence`` is the one at the
    time, null for a match that is new since then.
    """

    kind: str
    marker: str
    offset: int
    length: int
    evidence: str
    confidence: int
    logged_confidence: int | None
    verdict: str
    why: str
    call_id: str
    line: str
    context: str
    factors: list[FactorView]


TextState = Literal["found", "transcript_gone", "message_gone", "unreadable", "unknown"]


class DecisionDetail(View):
    """A decision with its message, read from the transcript now.

    ``text_state``: found; transcript_gone: the file is not there any more; message_gone: the file
    does not hold the message; unreadable: the file cannot be read, ``problem`` says why; unknown:
    the log names no transcript or message. Only with found are ``text``, ``read_matches`` and
    ``calls`` filled; ``text`` may still be that of a message with other offsets when the transcript
    was changed, which ``offsets_hold`` tells.
    """

    decision: DecisionView
    version: str
    prompt_id: str
    agent_id: str
    message_id: str
    transcript: str
    suppressed: int
    notes: list[str]
    text_state: TextState
    problem: str
    text: str
    offsets_hold: bool
    read_matches: list[ReadMatchView]
    calls: list[CallView]


class IntakeView(View):
    """What was taken in from the decision log."""

    added: int
    skipped: int = Field(description="Lines that are no records.")
    problems: list[str]


class JudgementView(View):
    """One calculated confidence."""

    id: int
    at: datetime
    purpose: str
    session: str
    environment: str
    requested_method: str
    method: str
    score: float
    formula_score: float | None
    llm_score: float | None
    provider: str
    model: str
    prompt_version: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    milliseconds: float
    cached: bool
    problem: str
    vote: int | None


class SpentView(View):
    """What judgements of one method took; provider and model are empty for the formula."""

    method: str
    provider: str
    model: str
    judgements: int
    input_tokens: int
    output_tokens: int
    cost: float


class ScoreFactorView(View):
    """One input of a confidence: value and weight, 0 to 1, and what it added."""

    name: str
    value: float | None
    weight: float
    contribution: float
    why: str


class ScoredView(View):
    """A confidence with its breakdown (R002-07, R002-27).

    ``judgement_id`` is what feedback names; null when nothing could be kept. ``problem`` says why
    the judge has no say in the score, ``error`` why there is no score; both empty otherwise.
    """

    confidence_score: float
    confidence_method: str
    confidence_breakdown: dict[str, Any]
    requested_method: str
    level: str
    why: str
    factors: list[ScoreFactorView]
    judgement_id: int | None
    milliseconds: float
    cost: float | None
    problem: str
    error: str
    warnings: list[str]


class DayView(View):
    """Turns of one day (UTC)."""

    day: str
    blocked: int
    reported: int
    passed: int
    errors: int


class KindView(View):
    """Matches of one kind; ``in_blocked`` stand in turns that were stopped."""

    kind: str
    matches: int
    in_blocked: int
    average_confidence: float


class AgentView(View):
    """Turns of one agent type; empty for the main agent."""

    agent_type: str
    blocked: int
    reported: int
    passed: int


class LatencyView(View):
    """Milliseconds of one day's turns: nearest-rank percentiles."""

    day: str
    turns: int
    p50: float
    p95: float
    p99: float


class TrendsView(View):
    """Figures of the hook's decisions in a window."""

    since: datetime
    until: datetime
    turns: int
    per_day: list[DayView]
    per_kind: list[KindView]
    per_agent: list[AgentView]
    latency: list[LatencyView]
    overall_latency: LatencyView | None


class ShareView(View):
    """A share with its 95 % interval (Wilson); all three null without any case."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


class BinView(View):
    """One bin of a reliability table: what was said, and how often it was right."""

    low: float
    high: float
    said: float | None = Field(description="Average of what was said, 0 to 1.")
    right: ShareView


class ReliabilityView(View):
    """How well scores agree with votes.

    ``source`` judgements: the score against "right" votes. ``source`` decisions: the largest
    confidence of a decision against votes that say that the hook was right. ``brier`` is the mean
    squared difference, ``calibration_error`` the mean difference of the bins, both null without
    votes.
    """

    source: Literal["judgements", "decisions"]
    votes: int
    bins: list[BinView]
    brier: float | None
    calibration_error: float | None


class SharesView(View):
    """The A/B test: whether it runs, and the percent of sessions in each group.

    ``version`` is what a change has to name.
    """

    running: bool
    formula: int
    llm: int
    hybrid: int
    version: int


class DistributionView(View):
    """Ten counts of scores, from [0, .1) to [.9, 1], with average and quartiles."""

    counts: list[int]
    mean: float | None
    p25: float | None
    p50: float | None
    p75: float | None


class GroupView(View):
    """One A/B group: the judgements of the sessions that were put in it.

    ``fell_back`` counts answers of the formula in place of the judge. Rates of errors are over
    judgements with a vote: false_positive among those with a high score (wrong), false_negative
    among those with a low one (right), detection among the wrong ones (low score).
    """

    method: str
    sessions: int
    judgements: int
    fell_back: int
    cached: int
    scores: DistributionView
    escalation: ShareView
    thumbs_up: int
    thumbs_down: int
    false_positive: ShareView
    false_negative: ShareView
    detection: ShareView
    milliseconds_p50: float | None
    milliseconds_p95: float | None
    tokens: int
    cost: float | None
    cost_per_judgement: float | None


class CriterionView(View):
    """One success criterion of the A/B plan (R002-36)."""

    name: str
    state: Literal["met", "not met", "not enough data"]
    measured: str
    why: str


class ExperimentView(View):
    """The A/B report of a window."""

    since: datetime | None
    until: datetime
    threshold: float = Field(description="Scores below it are low, and escalated.")
    shares: SharesView
    groups: list[GroupView]
    criteria: list[CriterionView]
