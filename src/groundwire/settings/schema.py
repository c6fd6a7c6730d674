"""The settings as a user writes them: one TOML document, checked strictly.

Every default comes from ``groundwire.base.settings``. The tables say in words of their own what is
allowed (``Allowed``), because a person reads the errors in a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from groundwire.base.model import KINDS
from groundwire.base.rules.weights import FEATURES
from groundwire.base.settings import SHIPPED
from groundwire.settings.convert import from_settings
from groundwire.settings.patterns.load import Expression
from groundwire.settings.tables import AdvisoryTable, CompositeTable, JudgeTable, ReinforcementTable
from groundwire.settings.values import (
    A_TABLE,
    Allowed,
    Blocks,
    Confidence,
    LogBytes,
    LogFiles,
    Logit,
    Logits,
    Milliseconds,
    Mode,
    Prior,
    Switch,
    Switches,
    Table,
    Text,
    Texts,
    Weight,
    Words,
)

_DEFAULTS = from_settings(SHIPPED)


class ThresholdsTable(Table):
    """Confidences (0 to 100) from which something happens."""

    report: Confidence = Field(
        default=SHIPPED.thresholds.report,
        description="Matches with at least this confidence are reported.",
    )
    block: Confidence = Field(
        default=SHIPPED.thresholds.block,
        description="One statement about a turn with at least this confidence blocks.",
    )
    words_block: Confidence = Field(
        default=SHIPPED.thresholds.words_block,
        description="The same for a message without a transcript.",
    )
    doubt: Confidence = Field(
        default=SHIPPED.thresholds.doubt,
        description="Statements about a turn with at least this confidence count together.",
    )
    message_block: Confidence = Field(
        default=SHIPPED.thresholds.message_block,
        description="Their combined confidence that blocks.",
    )


class WeightsTable(Table):
    """One multiplier per factor; 0 switches the factor off."""

    pattern_strength: Weight = SHIPPED.weights.pattern_strength
    text_length: Weight = SHIPPED.weights.text_length
    evidence_proximity: Weight = SHIPPED.weights.evidence_proximity
    context_density: Weight = SHIPPED.weights.context_density
    category_stacking: Weight = SHIPPED.weights.category_stacking
    context: Weight = SHIPPED.weights.context


class StrengthsTable(Table):
    """Prior probability that a marker of this strength is a real finding."""

    faint: Prior = SHIPPED.strengths.faint
    weak: Prior = SHIPPED.strengths.weak
    medium: Prior = SHIPPED.strengths.medium
    strong: Prior = SHIPPED.strengths.strong
    certainty: Prior = SHIPPED.strengths.certainty


class ContextTable(Table):
    """Value of context, in logits, for milder uses."""

    legitimate: Logit = SHIPPED.context.legitimate
    plan: Logit = SHIPPED.context.plan


class BareTable(Table):
    """A message of which only the words are known."""

    short_words: Words = Field(
        default=SHIPPED.bare.short_words, description="Up to so many words it is short."
    )
    long_words: Words = Field(
        default=SHIPPED.bare.long_words, description="From so many words on it is long."
    )
    nearby: Logit = Field(
        default=SHIPPED.bare.nearby,
        description="Value of evidence_proximity, with a file or an output nearby.",
    )


class AllowTable(Table):
    """One allowlist entry: an exact marker id or a whole phrase, never both."""

    marker: Text = Field(default="", description="Exact id of a marker.")
    phrase: Text = Field(default="", description="A whole phrase.")
    reason: Text = Field(description="Why it is allowed.")

    @model_validator(mode="after")
    def _either_marker_or_phrase(self) -> Self:
        if bool(self.marker) == bool(self.phrase):
            raise ValueError("needs a marker or a phrase: exactly one of the two")
        return self


class PatternsTable(Table):
    """Further pattern files."""

    folders: Texts = Field(
        default=_DEFAULTS["patterns"]["folders"],
        description="Folders with *.toml pattern files; relative to the settings file.",
    )


class MatchTable(Table):
    """Which turns a profile is for; ``*`` and ``?`` stand for any characters and one."""

    agent: Text = Field(default="", description='Type of the sub-agent; "main": none.')
    model: Text = Field(default="", description="Name of the model that answered.")
    host: Text = Field(default="", description='"claude-code", or another host that was installed.')
    project: Text = Field(default="", description="Folder of the project, or its last name.")

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("names nothing: at least one of agent, model, host, project")
        return self


class ProfileThresholdsTable(Table):
    """Thresholds of a profile; what is left out is as the settings say."""

    report: Confidence = SHIPPED.thresholds.report
    block: Confidence = SHIPPED.thresholds.block
    words_block: Confidence = SHIPPED.thresholds.words_block
    doubt: Confidence = SHIPPED.thresholds.doubt
    message_block: Confidence = SHIPPED.thresholds.message_block


class ProfileTable(Table):
    """What holds for some turns in place of the settings."""

    match: Annotated[MatchTable, A_TABLE]
    mode: Mode = SHIPPED.mode
    thresholds: Annotated[ProfileThresholdsTable, A_TABLE] = ProfileThresholdsTable()
    kinds: Annotated[
        dict[Annotated[str, Field(json_schema_extra={"enum": list(KINDS)})], bool],
        Allowed("true or false for each kind"),
    ] = Field(default={}, description="Kinds on and off.")

    @model_validator(mode="after")
    def _known_kinds(self) -> Self:
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise ValueError(f"kinds.{unknown[0]}: unknown kind: allowed: {', '.join(KINDS)}")
        return self


class SubagentsTable(Table):
    """How SubagentStop is treated."""

    mode: Mode = SHIPPED.subagents.mode
    enforce: Texts = Field(
        default=_DEFAULTS["subagents"]["enforce"],
        description="Agent types that are enforced whatever the mode is.",
    )


class LogTable(Table):
    """The decision log."""

    enabled: Switch = SHIPPED.log.enabled
    max_bytes: LogBytes = Field(default=SHIPPED.log.max_bytes, description="Size of one file.")
    keep: LogFiles = Field(default=SHIPPED.log.keep, description="Number of files.")
    retain_answers: Switch = Field(
        default=SHIPPED.log.retain_answers,
        description="Keep what the admin server scores whole, not the first 80 characters of it.",
    )


class LimitsTable(Table):
    """What a turn may cost."""

    cpu_ms: Milliseconds = Field(
        default=SHIPPED.limits.cpu_ms,
        description="CPU time after which the rest of a turn is not checked.",
    )


class SettingsTable(Table):
    """All settings of groundwire; every key may be left out."""

    mode: Mode = Field(
        default=SHIPPED.mode, description="enforce blocks, report only reports, off checks nothing."
    )
    notify: Switch = Field(
        default=SHIPPED.notify, description="Tell the user about matches that do not block."
    )
    framing: Switch = Field(
        default=SHIPPED.framing,
        description="Tell the model at the start of a session what is checked.",
    )
    labels: Switch = Field(
        default=SHIPPED.labels,
        description="Ask the model to label its statements: [VERIFIED: command], [INFERRED] ...",
    )
    blocks_per_prompt: Blocks = Field(
        default=SHIPPED.blocks_per_prompt, description="Blocks after one prompt, at most."
    )
    thresholds: Annotated[ThresholdsTable, A_TABLE] = ThresholdsTable()
    weights: Annotated[WeightsTable, A_TABLE] = WeightsTable()
    strengths: Annotated[StrengthsTable, A_TABLE] = StrengthsTable()
    features: Logits = Field(
        default=_DEFAULTS["features"],
        description="Weights of features, in logits, instead of the shipped ones; 0: off.",
    )
    context: Annotated[ContextTable, A_TABLE] = ContextTable()
    bare: Annotated[BareTable, A_TABLE] = BareTable()
    kinds: Switches = Field(default=_DEFAULTS["kinds"], description="Kinds on and off.")
    markers: Switches = Field(default=_DEFAULTS["markers"], description="Markers by exact id.")
    filters: Switches = Field(default=_DEFAULTS["filters"], description="Context filters by name.")
    allow: Annotated[list[AllowTable], Allowed("a list of tables, written [[allow]]")] = Field(
        default=[AllowTable(**entry) for entry in _DEFAULTS["allow"]]
    )
    patterns: Annotated[PatternsTable, A_TABLE] = PatternsTable()
    expression: Annotated[list[Expression], Allowed("a list of tables, written [[expression]]")] = (
        Field(default=[], description="Markers of your own that regular expressions find.")
    )
    subagents: Annotated[SubagentsTable, A_TABLE] = SubagentsTable()
    log: Annotated[LogTable, A_TABLE] = LogTable()
    limits: Annotated[LimitsTable, A_TABLE] = LimitsTable()
    composite: Annotated[CompositeTable, A_TABLE] = CompositeTable()
    advisory: Annotated[AdvisoryTable, A_TABLE] = AdvisoryTable()
    reinforcement: Annotated[ReinforcementTable, A_TABLE] = ReinforcementTable()
    judge: Annotated[JudgeTable, A_TABLE] = JudgeTable()
    profile: Annotated[list[ProfileTable], Allowed("a list of tables, written [[profile]]")] = (
        Field(default=[], description="What holds for some agents, models, hosts or projects.")
    )


def json_schema(markers: Sequence[str], filters: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a settings file, with the names that are allowed as keys."""
    schema = SettingsTable.model_json_schema()
    tables = {"kinds": KINDS, "features": FEATURES, "markers": markers, "filters": filters}
    for table, names in tables.items():
        schema["properties"][table]["propertyNames"] = {"enum": list(names)}
    allow = schema["$defs"]["AllowTable"]
    for name in ("marker", "phrase"):
        del allow["properties"][name]["default"]
    allow["oneOf"] = [{"required": ["marker"]}, {"required": ["phrase"]}]
    schema["title"] = "groundwire settings"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
