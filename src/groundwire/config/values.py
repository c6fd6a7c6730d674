"""What a single setting may be, with the words of its error message."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from groundwire.settings import MODES


class Allowed(NamedTuple):
    """What a value may be, in the words of an error message."""

    text: str


def _one_of_modes(value: str) -> str:
    if value not in MODES:
        raise ValueError("not a mode")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("empty")
    return value


Mode = Annotated[
    str,
    AfterValidator(_one_of_modes),
    Field(json_schema_extra={"enum": list(MODES)}),
    Allowed("one of " + ", ".join(f'"{mode}"' for mode in MODES)),
]
Switch = Annotated[bool, Allowed("true or false")]
Text = Annotated[
    str, Field(min_length=1), AfterValidator(_not_blank), Allowed("a text that is not empty")
]
Texts = Annotated[list[Text], Allowed('a list of texts that are not empty, such as ["a", "b"]')]
Switches = Annotated[dict[str, bool], Allowed("true or false for each name")]
Confidence = Annotated[int, Field(ge=0, le=100), Allowed("a whole number from 0 to 100")]
# beyond 100 a weight decides alone, and far beyond it a contribution is no number any more
Weight = Annotated[
    float, Field(ge=0, le=100, allow_inf_nan=False), Allowed("a number from 0 to 100")
]
Logit = Annotated[
    float, Field(ge=-10, le=10, allow_inf_nan=False), Allowed("a number from -10 to 10")
]
Logits = Annotated[dict[str, Logit], Allowed("a number from -10 to 10 for each name of a feature")]
Prior = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False),
    Allowed("a number between 0 and 1, both excluded"),
]
Blocks = Annotated[int, Field(ge=0, le=20), Allowed("a whole number from 0 to 20")]
# smaller log files are rotated all the time, larger ones are no use to anybody
LogBytes = Annotated[
    int,
    Field(ge=10_000, le=1_000_000_000),
    Allowed("a whole number from 10000 to 1000000000"),
]
LogFiles = Annotated[int, Field(ge=1, le=100), Allowed("a whole number from 1 to 100")]
Milliseconds = Annotated[int, Field(ge=100, le=60_000), Allowed("a whole number from 100 to 60000")]
Words = Annotated[int, Field(ge=1, le=100_000), Allowed("a whole number from 1 to 100000")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), Allowed("a number from 0 to 1")]
A_TABLE = Allowed("a table")


class Table(BaseModel):
    """Base of all tables: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
