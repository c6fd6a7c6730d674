"""Fitted numbers as files: the two of the model, or a piece of a settings file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire.base.rules import weights as shipped
from groundwire.settings.patterns.weights import MARKERS_FILE, WEIGHTS_FILE, Model
from groundwire.settings.toml_text import to_toml
from groundwire.verdict.assess import BASE, GROUP, MARKER
from groundwire_lab.errors import CalibrateError
from groundwire_lab.fit import Case, Fitted, Spreads, rows_of
from groundwire_lab.thresholds import CHOSEN, Proposal


def fitted_on(cases: Sequence[Case], spreads: Spreads) -> dict[str, str | int | float]:
    """Return the ``[fitted]`` table of a model."""
    flags = [label for case in cases for label in _flags(case) if label is not None]
    return {
        "on": f"{len(cases)} messages of {len({case.group for case in cases})} repositories",
        "units": len(flags),
        "flagged": sum(flags),
        "by": "make calibrate",
        "left_out": "repository",
        **{f"spread_{name}": getattr(spreads, name) for name in type(spreads)._fields},
    }


def spreads_of(model: Model) -> Spreads:
    """Return the spreads that the model was fitted with, the usual ones when it tells none."""
    told = {name: model.fitted.get(f"spread_{name}") for name in Spreads._fields}
    return Spreads(**{name: float(it) for name, it in told.items() if it is not None})


def refitted(model: Model, fitted: Fitted, cases: Sequence[Case], spreads: Spreads) -> Model:
    """Return the model with the fitted numbers in place of its own."""
    weights = fitted.weights
    seen: dict[str, list[int]] = {}
    for row in rows_of(cases):
        for name in row.values:
            if name.startswith(MARKER):
                seen.setdefault(name.removeprefix(MARKER), []).append(row.flag or 0)
    document: dict[str, Any] = model.model_dump(by_alias=True)
    document["base"] = weights[BASE]
    document["fitted"] = fitted_on(cases, spreads)
    document["groups"] = {name: weights[f"{GROUP}{name}"] for name in model.groups}
    document["feature"] = [{**one, "weight": weights[one["name"]]} for one in document["feature"]]
    document["markers"] = {
        name: {"seen": len(flags), "challenged": sum(flags), "weight": weights[f"{MARKER}{name}"]}
        for name, flags in sorted(seen.items())
    }
    return Model.model_validate(document)


def write_model(folder: Path, model: Model) -> None:
    """Rewrite the two files in ``folder``, their opening comments kept; raises CalibrateError."""
    document = model.model_dump(by_alias=True, exclude_none=True)
    features = [{key: it for key, it in one.items() if it != ""} for one in document["feature"]]
    markers = document.pop("markers")
    _rewrite(folder / WEIGHTS_FILE, to_toml({**document, "feature": features}))
    lines = (
        f'"{name}" = {{ seen = {it["seen"]}, challenged = {it["challenged"]}, '
        f"weight = {it['weight']!r} }}\n"
        for name, it in markers.items()
    )
    _rewrite(folder / MARKERS_FILE, f"[markers]\n{''.join(lines)}")


def fragment(fitted: Fitted, proposal: Proposal | None, heading: str) -> str:
    """Return a piece of a settings file: the features that weigh anew, and the thresholds."""
    features = {
        name: fitted.weights[name]
        for name, (weight, _) in shipped.FEATURES.items()
        if fitted.weights[name] != weight
    }
    tables: dict[str, Any] = {"features": features}
    if proposal:
        tables["thresholds"] = {name: getattr(proposal.thresholds, name) for name in CHOSEN}
    return f"# {heading}\n\n{to_toml(tables)}"


def save(path: Path, text: str) -> None:
    """Write a text file; raises CalibrateError naming it."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CalibrateError(f"{path}: {error.strerror}; expected a writable path") from None


def _rewrite(path: Path, text: str) -> None:
    """Replace what stands behind the comments at the top of a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except OSError as error:
        raise CalibrateError(f"{path}: {error.strerror}; expected a model file") from None
    end = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    save(path, "".join(lines[:end]) + text)


def _flags(case: Case) -> list[int | None]:
    message = case.prediction.sample.message
    return [message.flag(unit) for unit in range(1, len(message.units) + 1)]
