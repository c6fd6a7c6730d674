"""The table ``[judge]`` of a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.config.choices import TURN_PROVIDERS
from groundwire.config.judge_models import Dollars
from groundwire.config.values import A_TABLE, Allowed, Confidence, Logit, Switch, Table
from groundwire.settings import JUDGE_MAY, JUDGE_RUN, JUDGE_WHEN, SHIPPED


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
