"""The model files ``model/weights.toml`` and ``model/markers.toml``: checked, and compiled.

``base/rules/weights.py`` holds them as plain data for the hook: ``BASE``, ``GROUPS``, ``FEATURES``
(name -> weight and label) and ``MARKERS``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from groundwire.base.errors import LexiconError
from groundwire.base.model import VERDICTS
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder, source

MARKERS_FILE = "markers.toml"
WEIGHTS_FILE = "weights.toml"


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


def weights_source(model: Model) -> str:
    """Return the text of the generated module."""
    features = {one.name: (one.weight, one.label) for one in model.feature}
    markers = {name: it.weight for name, it in sorted(model.markers.items()) if it.weight}
    values = {
        "BASE: float": model.base,
        "GROUPS: dict[str, float]": model.groups,
        "FEATURES: dict[str, tuple[float, str]]": features,
        "MARKERS: dict[str, float]": markers,
    }
    return source("What features, groups and markers weigh", values)


def feature_table(model: Model) -> str:
    """Return the features as the table of the README, strongest doubt first."""
    rows = [
        f"| `{one.name}` | {one.weight:+.2f} | {one.label or '-'} | {one.doc} |"
        for one in sorted(model.feature, key=lambda one: -one.weight)
    ]
    return "\n".join(["| feature | weight | label | what it says |", "|---|---|---|---|", *rows])
