"""The files of ``model/``, weights, markers and accusers: checked, and compiled.

``base/rules/weights.py`` holds them as plain data for the hook: ``BASE``, ``GROUPS``, ``FEATURES``
(name -> weight and label), ``MARKERS`` and ``ACCUSERS`` (name -> whether it may stop a turn).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from groundwire.base.errors import LexiconError
from groundwire.base.model import VERDICTS
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder, source

MARKERS_FILE = "markers.toml"
WEIGHTS_FILE = "weights.toml"
ACCUSERS_FILE = "accusers.toml"
#: What an accuser has to show before it may stop: turns read, and readings for each wrong one.
_FEWEST_TURNS, _READINGS_A_WRONG = 1_000, 20


class Feature(Strict):
    """One ``[[feature]]`` table: a fact about a claim and what it is worth, in logits.

    ``prior`` was set by hand; ``spread`` says how far a fit may easily move from it.
    """

    name: Annotated[str, Field(min_length=1)]
    doc: Annotated[str, Field(min_length=1)]
    sign: Literal[-1, 1]
    prior: float
    weight: float
    spread: Annotated[float, Field(gt=0)] | None = None
    label: Literal["", *VERDICTS] = ""  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _keeps_its_sign(self) -> Feature:
        for key in ("prior", "weight"):
            if getattr(self, key) * self.sign < 0:
                raise ValueError(f"{key} {getattr(self, key)} is against the sign {self.sign}")
        return self


class Prior(Strict):
    """What base and groups were set to by hand, as ``prior`` of a feature."""

    base: float
    groups: dict[str, float]


class MarkerWeight(Strict):
    """How often a marker stood in labelled statements, how many were challenged, and its worth."""

    seen: Annotated[int, Field(ge=0)]
    challenged: Annotated[int, Field(ge=0)]
    weight: float


class Accuser(Strict):
    """One ``[accuser.NAME]`` table: what was read of it, and whether it may stop a turn."""

    doc: Annotated[str, Field(min_length=1)]
    stops: bool
    right: Annotated[int, Field(ge=0)]
    wrong: Annotated[int, Field(ge=0)]
    unclear: Annotated[int, Field(ge=0)]
    turns: Annotated[int, Field(ge=0)]
    honest: Annotated[int, Field(ge=0)]
    accused: Annotated[int, Field(ge=0)]
    commit: Annotated[str, Field(pattern="^[0-9a-f]{7,40}$")]

    @model_validator(mode="after")
    def _has_earned_it(self) -> Accuser:
        read = self.right + self.wrong + self.unclear
        if self.stops and self.turns < _FEWEST_TURNS:
            raise ValueError(f"stops: it takes {_FEWEST_TURNS} turns, and turns is {self.turns}")
        if self.stops and self.wrong * _READINGS_A_WRONG > read:
            raise ValueError(f"stops: wrong {self.wrong} of {read}; allowed: one in twenty")
        if self.stops and (self.accused or not self.honest):
            raise ValueError(f"stops: accused {self.accused} of {self.honest} honest turns")
        return self


class Accusers(Strict):
    """The file of accusers."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    accuser: dict[str, Accuser]


class Model(Strict):
    """Both files; ``fitted`` says on what."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    base: float
    fitted: dict[str, str | int | float] = Field(default={})
    groups: dict[str, float]
    prior: Prior
    feature: list[Feature]
    markers: dict[str, MarkerWeight] = Field(default={})

    @model_validator(mode="after")
    def _names_agree(self) -> Model:
        if set(self.groups) != set(self.prior.groups):
            raise ValueError("groups and prior.groups name different groups")
        return self


def load_model(folder: Path | None = None) -> Model:
    """Read the model files. Raises LexiconError with one ``file: place: message`` line each."""
    folder = folder or shipped_folder("model", "weights")
    errors: list[str] = []
    files = [parse(folder / name, errors) for name in (WEIGHTS_FILE, MARKERS_FILE)]
    data = {key: value for file in files for key, value in (file or {}).items()}
    model = None if errors else check(folder, data, Model, errors)
    if model is None:
        raise LexiconError("\n".join(errors))
    return model


def load_accusers(folder: Path | None = None) -> dict[str, Accuser]:
    """Read the accusers by name. Raises LexiconError like ``load_model``."""
    path = (folder or shipped_folder("model", "weights")) / ACCUSERS_FILE
    errors: list[str] = []
    data = parse(path, errors)
    file = None if data is None else check(path, data, Accusers, errors)
    if file is None:
        raise LexiconError("\n".join(errors))
    return file.accuser


def weights_source(model: Model, accusers: Mapping[str, Accuser]) -> str:
    """Return the text of the generated module."""
    features = {one.name: (one.weight, one.label) for one in model.feature}
    markers = {name: it.weight for name, it in sorted(model.markers.items()) if it.weight}
    values = {
        "BASE: float": model.base,
        "GROUPS: dict[str, float]": model.groups,
        "FEATURES: dict[str, tuple[float, str]]": features,
        "MARKERS: dict[str, float]": markers,
        "ACCUSERS: dict[str, bool]": {name: it.stops for name, it in accusers.items()},
    }
    return source("What features, groups, markers and accusers weigh", values)


def feature_table(model: Model) -> str:
    """Return the features as the table of the README, strongest doubt first."""
    rows = [
        f"| `{one.name}` | {one.weight:+.2f} | {one.label or '-'} | {one.doc} |"
        for one in sorted(model.feature, key=lambda one: -one.weight)
    ]
    return "\n".join(["| feature | weight | label | what it says |", "|---|---|---|---|", *rows])


def accuser_table(accusers: Mapping[str, Accuser]) -> str:
    """Return what each accuser says and how it was read, as a table of the docs."""
    rows = [
        f"| `{name}` | {one.doc} | {one.right} | {one.wrong} | {one.unclear} | {one.turns:,} | "
        f"{one.accused} of {one.honest} | {'yes' if one.stops else 'no'} |"
        for name, one in accusers.items()
    ]
    head = "| accuser | says | right | wrong | unclear | turns | honest accused | may stop |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *rows])
