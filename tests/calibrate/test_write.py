"""The written model is the fitted one, and a fragment is what is used afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from groundwire.calibrate.design import Case, rows_of
from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Fitted, Spreads, fit, plan_of
from groundwire.calibrate.write import fragment, refitted, spreads_of, write_model
from groundwire.lexicon.weights import load_model, model_folder, weights_source
from groundwire.rules import weights as shipped

MODEL = load_model()
SPREADS = Spreads(0.7, 0.6, 0.5)


@pytest.fixture(scope="module")
def fitted(cases: list[Case]) -> Fitted:
    return fit(rows_of(cases), plan_of(MODEL, SPREADS))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder(), tmp_path / "model"))


def test_written_files_reload_to_the_same_numbers(
    cases: list[Case], fitted: Fitted, folder: Path
) -> None:
    made = refitted(MODEL, fitted, cases, SPREADS)
    write_model(folder, made)
    again = load_model(folder)
    assert again == made
    told = {"base": again.base, **{one.name: one.weight for one in again.feature}}
    told |= {f"group {name}": it for name, it in again.groups.items()}
    told |= {f"marker {name}": it.weight for name, it in again.markers.items()}
    assert {name: it for name, it in fitted.weights.items() if it} == {
        name: it for name, it in told.items() if it
    }
    compiled: dict[str, dict[str, float]] = {}
    exec(weights_source(again), compiled)
    assert compiled["MARKERS"] == {n: it.weight for n, it in again.markers.items() if it.weight}


def test_what_was_set_by_hand_stays(cases: list[Case], fitted: Fitted, folder: Path) -> None:
    before = {name: (folder / name).read_text() for name in ("weights.toml", "markers.toml")}
    write_model(folder, refitted(MODEL, fitted, cases, SPREADS))
    again = load_model(folder)
    assert again.prior == MODEL.prior
    kept = ("name", "doc", "sign", "prior", "spread", "label")
    for one, own in zip(again.feature, MODEL.feature, strict=True):
        assert [getattr(one, key) for key in kept] == [getattr(own, key) for key in kept]
    for name, text in before.items():
        comment = text[: text.index("\n", text.rindex("\n#") + 1) + 1]
        assert (folder / name).read_text().startswith(comment)
    assert spreads_of(again) == SPREADS
    assert again.fitted["flagged"] == sum(
        label.flag == 1
        for case in cases
        for label in case.prediction.sample.message.labels.values()
    )


def test_fitting_again_begins_at_the_priors(
    cases: list[Case], fitted: Fitted, folder: Path
) -> None:
    write_model(folder, refitted(MODEL, fitted, cases, SPREADS))
    assert fit(rows_of(cases), plan_of(load_model(folder), SPREADS)) == fitted


def test_markers_are_counted(cases: list[Case], fitted: Fitted) -> None:
    made = refitted(MODEL, fitted, cases, SPREADS)
    tests_pass = made.markers["behavior.tests.all-pass"]
    assert (tests_pass.seen, tests_pass.challenged) == (24, 12)
    assert made.markers["speculation.i-think"].challenged == 0


def test_a_folder_without_a_model_is_named(
    cases: list[Case], fitted: Fitted, tmp_path: Path
) -> None:
    with pytest.raises(CalibrateError, match=r"weights.toml: No such file .* a model file"):
        write_model(tmp_path, refitted(MODEL, fitted, cases, SPREADS))


def test_a_fragment_holds_what_changed(fitted: Fitted) -> None:
    now = {name: weight for name, (weight, _) in shipped.FEATURES.items()}
    found = fragment(Fitted({**fitted.weights, **now, "mild": -0.25}), None, "on little")
    assert found == "# on little\n\n[features]\nmild = -0.25\n"
