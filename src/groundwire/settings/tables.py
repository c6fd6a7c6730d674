"""The tables of the confidence models and the judge in a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.base.settings import JUDGE_MAY, JUDGE_RUN, JUDGE_WHEN, MISSING_FACTORS, SHIPPED
from groundwire.settings.convert import from_settings
from groundwire.settings.judge_models import TURN_PROVIDERS, Dollars
from groundwire.settings.values import (
    A_TABLE,
    Allowed,
    Confidence,
    Logit,
    Share,
    Switch,
    Table,
    Text,
    Texts,
)

_DEFAULTS = from_settings(SHIPPED)["advisory"]

# beyond these a flag would lose its band
Threshold = Annotated[
    float, Field(ge=0.5, le=0.9, allow_inf_nan=False), Allowed("a number from 0.5 to 0.9")
]
Similarity = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False),
    Allowed("a number between 0 and 1, both excluded"),
]


class AdvisoryTable(Table):
    """The advisory confidence of answers made from retrieved passages."""

    threshold: Threshold = Field(
        default=SHIPPED.advisory.threshold, description="Below it an answer is advisory only."
    )
    high_relevance: Similarity = Field(
        default=SHIPPED.advisory.high_relevance,
        description="Similarity from which a passage is highly relevant.",
    )
    medium_relevance: Similarity = Field(
        default=SHIPPED.advisory.medium_relevance,
        description="Similarity from which it is of medium relevance; below high_relevance.",
    )
    required: Texts = Field(
        default=_DEFAULTS["required"], description="Fields that a response must have."
    )
    optional: Texts = Field(
        default=_DEFAULTS["optional"], description="Fields that a whole response has."
    )


_COMPOSITE = from_settings(SHIPPED)


def _one_of_policies(value: str) -> str:
    if value not in MISSING_FACTORS:
        raise ValueError("not a policy")
    return value


Hours = Annotated[int, Field(ge=1, le=2160), Allowed("a whole number of hours from 1 to 2160")]
Days = Annotated[int, Field(ge=1, le=3650), Allowed("a whole number of days from 1 to 3650")]
Runs = Annotated[int, Field(ge=0, le=10_000), Allowed("a whole number from 0 to 10000")]
MissingFactors = Annotated[
    str,
    AfterValidator(_one_of_policies),
    Field(json_schema_extra={"enum": list(MISSING_FACTORS)}),
    Allowed("one of " + ", ".join(f'"{policy}"' for policy in MISSING_FACTORS)),
]
AgentType = Annotated[str, Field(pattern=r"^[^\sA-Z-]+$")]
AgentThresholds = Annotated[
    dict[AgentType, Share],
    Allowed("a number from 0 to 1 for each agent type, in lower case with underscores"),
]
AgentTypes = Annotated[
    dict[str, AgentType],
    Allowed("for each agent of Claude Code an agent type, in lower case with underscores"),
]


class CompositeTable(Table):
    """The composite confidence of an agent's responses."""

    enabled: Switch = Field(
        default=SHIPPED.composite.enabled, description="Compute it for each turn in the hook."
    )
    may_block: Switch = Field(
        default=SHIPPED.composite.may_block,
        description="Stop a turn whose composite is below the threshold of its agent type.",
    )
    default_threshold: Share = Field(
        default=SHIPPED.composite.default_threshold,
        description="For agent types without a threshold of their own.",
    )
    lookback_hours: Hours = Field(
        default=SHIPPED.composite.lookback_hours, description="How far agent history reaches back."
    )
    min_history: Runs = Field(
        default=SHIPPED.composite.min_history,
        description="With fewer runs in the look-back time agent history is 0.5.",
    )
    missing_factors: MissingFactors = Field(
        default=SHIPPED.composite.missing_factors,
        description="In the hook: the others make up the whole, or a missing one is 0 or 0.5.",
    )
    negators: Texts = Field(
        default=_COMPOSITE["composite"]["negators"],
        description='Words in front of which a certainty word does not count, such as "not".',
    )
    history: Text = Field(
        default=SHIPPED.composite.history, description="Folder of the history; ~ is the home."
    )
    retention_days: Days = Field(
        default=SHIPPED.composite.retention_days, description="Older day files are deleted."
    )
    thresholds: AgentThresholds = Field(
        default=_COMPOSITE["composite"]["thresholds"], description="Threshold of each agent type."
    )
    agents: AgentTypes = Field(
        default=_COMPOSITE["composite"]["agents"],
        description="Agent type for each agent of Claude Code; default is the main one.",
    )


_REINFORCEMENT = from_settings(SHIPPED)["reinforcement"]

Alpha = Annotated[
    float, Field(ge=0.1, le=0.3, allow_inf_nan=False), Allowed("a number from 0.1 to 0.3")
]
Delta = Annotated[
    float, Field(ge=0.05, le=0.15, allow_inf_nan=False), Allowed("a number from 0.05 to 0.15")
]
Suffixes = Annotated[
    list[Annotated[str, Field(pattern=r"^\.[^./\sA-Z]+$")]],
    Allowed('a list of suffixes in lower case, such as [".md"]'),
]


class ReinforcementTable(Table):
    """The confidence that compounds with evidence."""

    enabled: Switch = Field(
        default=SHIPPED.reinforcement.enabled, description="Keep one for each session in the hook."
    )
    alpha: Alpha = Field(default=SHIPPED.reinforcement.alpha, description="Gain of a step.")
    delta: Delta = Field(default=SHIPPED.reinforcement.delta, description="Decay of a step.")
    pattern_weight: Share = Field(
        default=SHIPPED.reinforcement.pattern_weight,
        description="What a file pattern adds when its entry names no weight.",
    )
    category_bonus: Share = Field(
        default=SHIPPED.reinforcement.category_bonus,
        description="What each category of patterns beyond the first adds.",
    )
    apply_milestone_boost: Switch = Field(
        default=SHIPPED.reinforcement.apply_milestone_boost,
        description="Add the boost of the highest milestone that a session has reached.",
    )
    content_suffixes: Suffixes = Field(
        default=_REINFORCEMENT["content_suffixes"],
        description="New files with other suffixes lose confidence.",
    )


def _one_of(*names: str) -> tuple[AfterValidator, object, Allowed]:
    """Return what makes a text one of ``names``, in the schema and in the words of an error."""

    def check(value: str) -> str:
        if value not in names:
            raise ValueError("none of these")
        return value

    allowed = "one of " + ", ".join(f'"{name}"' for name in names)
    return AfterValidator(check), Field(json_schema_extra={"enum": list(names)}), Allowed(allowed)


def _low_to_high(band: list[int]) -> list[int]:
    if band[0] > band[1]:
        raise ValueError("the first is above the second")
    return band


When = Annotated[str, *_one_of(*JUDGE_WHEN)]
Run = Annotated[str, *_one_of(*JUDGE_RUN)]
May = Annotated[str, *_one_of(*JUDGE_MAY)]
JudgeProvider = Annotated[str, *_one_of(*TURN_PROVIDERS)]
Band = Annotated[
    list[Confidence],
    Field(min_length=2, max_length=2),
    AfterValidator(_low_to_high),
    Allowed("two whole numbers from 0 to 100, such as [20, 60]"),
]
Address = Annotated[
    str,
    Field(pattern=r"^(https?://[^\s/]\S*)?$"),
    Allowed('an address with http:// or https://, or "" for the provider\'s own'),
]
Model = Annotated[str, Allowed('a text, or "" for the provider\'s small model')]
# beyond it Claude Code would end the hook of the plugin
Budget = Annotated[int, Field(ge=500, le=15_000), Allowed("a whole number from 500 to 15000")]
Characters = Annotated[
    int, Field(ge=2_000, le=200_000), Allowed("a whole number from 2000 to 200000")
]
Calls = Annotated[int, Field(ge=0, le=100_000), Allowed("a whole number from 0 to 100000")]
ADay = Annotated[
    float,
    Field(ge=0, le=1000, allow_inf_nan=False),
    Allowed("a number of dollars from 0 to 1000"),
]
ModelName = Annotated[str, Field(pattern=rf"^({'|'.join(TURN_PROVIDERS)})/\S.*$")]
Prices = Annotated[
    dict[ModelName, Dollars],
    Allowed('dollars from 0 to 1000 for each "provider/model", such as "openai/gpt-4o-mini"'),
]


class JoinTable(Table):
    """Weights of both models in one logit, where the judge may decide."""

    base: Logit = SHIPPED.judge.join.base
    linear: Logit = Field(
        default=SHIPPED.judge.join.linear, description="Of the logit of groundwire's confidence."
    )
    judge: Logit = Field(
        default=SHIPPED.judge.join.judge, description="Of the logit of the judge's probability."
    )
    unmarked: Logit = Field(
        default=SHIPPED.judge.join.unmarked,
        description="Logit of groundwire's confidence for a sentence without a marker.",
    )


class JudgeTable(Table):
    """The second look: a language model is shown a digest of the turn, and its message."""

    when: When = Field(
        default=SHIPPED.judge.when,
        description="When it is asked; all but off sends a digest of the turn to the provider.",
    )
    run: Run = Field(
        default=SHIPPED.judge.run,
        description="after the end of the turn, where nobody waits, or before it.",
    )
    wake: Confidence = Field(
        default=SHIPPED.judge.wake,
        description="After the turn: probability from which a finding wakes the model.",
    )
    note: Confidence = Field(
        default=SHIPPED.judge.note,
        description="After the turn: probability from which a finding is told to the user.",
    )
    wakes_per_hour: Calls = Field(
        default=SHIPPED.judge.wakes_per_hour,
        description="Wakes of all sessions within one hour, at most.",
    )
    may: May = Field(
        default=SHIPPED.judge.may,
        description="Before the end: advise only shows, clear lifts stops, decide also stops.",
    )
    band: Band = Field(
        default=list(SHIPPED.judge.band),
        description="With unsure: it is asked when the highest confidence lies in here.",
    )
    clear_below: Confidence = Field(
        default=SHIPPED.judge.clear_below,
        description="With clear: a probability below this lifts a stop.",
    )
    stop: Confidence = Field(
        default=SHIPPED.judge.stop,
        description="With decide: a statement stops the turn from this joined confidence on.",
    )
    provider: JudgeProvider = Field(
        default=SHIPPED.judge.provider,
        description="A key comes from the environment; claude-code needs none.",
    )
    model: Model = Field(default=SHIPPED.judge.model, description="The model, or the deployment.")
    base_url: Address = Field(
        default=SHIPPED.judge.base_url,
        description="Another address, such as that of a server on this machine.",
    )
    budget_ms: Budget = Field(
        default=SHIPPED.judge.budget_ms, description="Milliseconds that a turn waits for it."
    )
    characters: Characters = Field(
        default=SHIPPED.judge.characters, description="How long a digest may be."
    )
    redact: Switch = Field(
        default=SHIPPED.judge.redact,
        description="Mask tokens, keys, passwords and mail addresses in what is sent.",
    )
    keep_digests: Calls = Field(
        default=SHIPPED.judge.keep_digests,
        description="Digests of the last turns kept on this machine, for the page of a decision.",
    )
    calls_per_day: Calls = Field(
        default=SHIPPED.judge.calls_per_day, description="Requests on one day, at most."
    )
    cost_per_day: ADay = Field(
        default=SHIPPED.judge.cost_per_day, description="Dollars on one day, at most."
    )
    join: Annotated[JoinTable, A_TABLE] = JoinTable()
    prices: Prices = Field(
        default=dict(SHIPPED.judge.prices),
        description='Dollars of one request by "provider/model", over the shipped ones.',
    )
