"""The shape of a pattern file, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from groundwire.confidence.reinforcement.milestones import MILESTONE_KEYS
from groundwire.config import values
from groundwire.model import BLOCKER, CUE, KINDS, STRENGTHS
from groundwire.rules.file_patterns import BOUNDARIES

Text = Annotated[str, Field(min_length=1)]


def _one_of(*allowed: str) -> AfterValidator:
    def check(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"allowed: {', '.join(allowed)}")
        return value

    return AfterValidator(check)


Kind = Annotated[str, _one_of(*KINDS, BLOCKER, CUE)]
Strength = Annotated[str, _one_of(*STRENGTHS)]
Scanner = Literal["numbers", "references", "contradiction"]

#: What ids of a kind begin with.
PREFIXES = {
    "speculation_language": "speculation.",
    "causality_language": "causality.",
    "certainty_language": "certainty.",
    "completeness_claim": "completeness.",
    "ungrounded_behavioral_assertion": "behavior.",
    "unsupported_absence": "absence.",
    "pseudo_quantification": "quantity.",
    "evaluative_design_claim": "evaluation.",
    "internal_contradiction": "contradiction.",
    "unsupported_reference": "reference.",
    "blocker": "blocker.",
    "cue": "cue.",
}


class Entry(BaseModel):
    """One ``[[marker]]`` table: one idea with all its surface forms."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Text
    forms: list[Text] = []
    scanner: Scanner | None = None
    strength: Strength | None = None
    claim: str = ""
    only: list[Text] = []
    unless: list[Text] = []
    note: Text
    source: Text
    hits: Annotated[list[Text], Field(min_length=1)]
    misses: Annotated[list[Text], Field(min_length=1)]


Texts = Annotated[
    values.Texts, Field(min_length=1), values.Allowed("a list of texts, at least one")
]
_Contexts = Annotated[list[str], values.Allowed('a list of context patterns, such as ["if ~"]')]


class Expression(values.Table):
    """One ``[[expression]]`` table: a marker that a regular expression finds.

    It stands in a pattern file or among the settings, so its values say what is allowed.
    """

    #: It has no forms and no scanner, which the other entries may have.
    forms: ClassVar[list[str]] = []
    scanner: ClassVar[None] = None

    id: values.Text = Field(description="What it is called, such as speculation.own.hunch.")
    kind: Annotated[
        str,
        _one_of(*KINDS),
        Field(json_schema_extra={"enum": list(KINDS)}),
        values.Allowed(f"one of {', '.join(KINDS)}"),
    ]
    strength: Annotated[
        str,
        _one_of(*STRENGTHS),
        Field(json_schema_extra={"enum": list(STRENGTHS)}),
        values.Allowed(f"one of {', '.join(STRENGTHS)}"),
    ]
    pattern: Annotated[
        str, Field(min_length=1, max_length=2_000), values.Allowed("a text of 1 to 2000 characters")
    ] = Field(description="A regular expression as the Python package regex reads it.")
    claim: Annotated[str, values.Allowed("a word such as done")] = ""
    only: _Contexts = Field(default=[])
    unless: _Contexts = Field(default=[])
    note: Annotated[str, values.Allowed("a text")] = Field("", description="What the user is told.")
    hits: Texts = Field(description="Texts with what is to be found in braces.")
    misses: Texts = Field(description="Texts in which nothing is to be found.")


class FileEntry(BaseModel):
    """One ``[[pattern]]`` table of a file with ``mode = "file"``: one form, looked for in files."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Annotated[str, Field(pattern=r"^milestone\.[a-z0-9.-]+$")]
    form: Annotated[str, Field(min_length=1, max_length=80)]
    category: Text
    milestone: Annotated[str, _one_of(*MILESTONE_KEYS)]
    boundary: Annotated[str, _one_of(*BOUNDARIES)]
    weight: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    note: Text
    source: Text
    hits: Annotated[list[Text], Field(min_length=1)]
    misses: Annotated[list[Text], Field(min_length=1)]


class FilePatternFile(BaseModel):
    """A whole file of patterns that are looked for in files."""

    model_config = ConfigDict(extra="forbid", strict=True)

    schema_: Annotated[Literal[1], Field(alias="schema")]
    mode: Literal["file"]
    pattern: list[FileEntry] = []


class PatternFile(BaseModel):
    """A whole file: all markers are of one kind; an expression names its own."""

    model_config = ConfigDict(extra="forbid", strict=True)

    schema_: Annotated[Literal[1], Field(alias="schema")]
    kind: Kind | None = None
    marker: list[Entry] = []
    expression: list[Expression] = []
