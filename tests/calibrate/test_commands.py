"""``groundwire calibrate`` and ``groundwire quality`` as processes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.calibrate.synthetic import OPEN, SECRET
from tests.cli.command import LONE, Command

PNG = b"\x89PNG\r\n\x1a\n"
FAST = ("--folds", "3")


def test_calibrate_reports_and_writes(cli: Command, gold: Path) -> None:
    arguments = ("--out", "fitted.toml", "--plot", "plot.png", *FAST)
    printed = cli.out("calibrate", gold / "gold.jsonl", *arguments)
    for title in ("reliability, out of fold", "markers", "thresholds for a precision of 0.8"):
        assert title in printed
    row = next(line for line in printed.splitlines() if line.startswith("verdicts.contradicted"))
    assert re.fullmatch(r"verdicts.contradicted( +-?\d+\.\d\d){3}( +[+-]\d+\.\d\d)? *", row)
    assert (cli.folder / "plot.png").read_bytes().startswith(PNG)
    assert cli.out("config", "check", "fitted.toml").startswith("ok: ")


def test_the_fragment_is_what_is_used_afterwards(cli: Command, gold: Path) -> None:
    cli.out("calibrate", gold / "gold.jsonl", "--out", "fitted.toml", *FAST)
    text = (cli.folder / "fitted.toml").read_text()
    fitted = tomllib.loads(text)
    assert {"weights", "strengths", "verdicts", "context"} <= set(fitted)
    cli.settings(text)
    shown = tomllib.loads(cli.out("config", "show"))
    assert {name: shown[name] for name in fitted if name != "thresholds"} == {
        name: fitted[name] for name in fitted if name != "thresholds"
    }
    [match] = cli.scan(LONE)
    assert match["confidence"] == 75  # the user's band holds after any fit


def test_shipped_ignores_the_settings_of_this_machine(cli: Command, gold: Path) -> None:
    arguments = ("calibrate", gold / "gold.jsonl", "--shipped", *FAST)
    plain = cli.out(*arguments)
    cli.settings("[strengths]\nweak = 0.9\n\n[kinds]\nungrounded_behavioral_assertion = false\n")
    cli.write(".groundwire.toml", "mode = 3\n")
    assert cli.out(*arguments, env={"GROUNDWIRE_THRESHOLDS__REPORT": "99"}) == plain


def test_settings_in_effect_count_without_it(cli: Command, gold: Path) -> None:
    cli.settings("[thresholds]\nreport = 97\n")
    printed = cli.out("calibrate", gold / "gold.jsonl", *FAST)
    assert "sentences count as predicted from 97 on" in printed


def test_labels_of_one_sort_are_refused(cli: Command, gold: Path) -> None:
    labels = gold / "gold.jsonl"
    labels.write_text(labels.read_text().replace('"flag": 1', '"flag": 0'))
    said = cli.refused("calibrate", labels, *FAST)
    assert "a fit needs flagged ones and others" in said


def test_the_start_and_the_pull_can_be_chosen(cli: Command, gold: Path) -> None:
    def contradicted(*more: str) -> float:
        cli.out("calibrate", gold / "gold.jsonl", "--out", "f.toml", *FAST, *more)
        found = tomllib.loads((cli.folder / "f.toml").read_text())
        value: float = found["verdicts"]["contradicted"] * found["weights"]["evidence_proximity"]
        return value

    held = contradicted("--start", "design", "--shrinkage", "10000")
    assert held == pytest.approx(3.5, abs=0.05)
    assert contradicted("--start", "design", "--shrinkage", "0.1") > held + 0.2


@pytest.mark.parametrize("split", ["tune", "check", "all"])
def test_the_part_to_learn_from(cli: Command, gold: Path, split: str) -> None:
    counts = {"tune": "16 messages of 8", "check": "8 messages of 4", "all": "24 messages of 12"}
    printed = cli.out("calibrate", gold / "gold.jsonl", "--split", split, *FAST)
    assert counts[split] in printed


def test_quality_of_a_set(cli: Command, gold: Path) -> None:
    printed = cli.out("quality", gold, "--cross-validate", *FAST, "--worst", "2")
    for part in ("all", "tune", "check", "team/pool", "team/queue"):
        assert f"== {part}\n" in printed
    header = next(line for line in printed.splitlines() if "verdicts off" in line)
    assert header.split("  ")[-1]
    assert re.split(r"\s{2,}", header.strip()) == [
        "in use",
        "verdicts off",
        "in fold",
        "out of fold",
        "own thresholds",
    ]
    assert "no score.py beside the labels" in printed
    assert "== the 2 worst misses of the tune part" in printed


def test_quality_uses_score_py_when_it_is_there(cli: Command, gold: Path) -> None:
    (gold.parent / "score.py").write_text('print(\'{"blocked": 7, "ci95": {}}\')\n')
    printed = cli.out("quality", gold, "--worst", "0")
    assert "figures by score.py" in printed
    assert re.search(r"blocked +7 +7", printed)


def test_no_text_of_the_check_part_is_ever_printed(cli: Command, gold: Path) -> None:
    """The words of the two parts differ; those of the tune part show that texts do come out."""
    arguments = ("--shrinkage", "0.5", *FAST)
    runs = [
        cli("quality", gold, "--worst", "1000", "--cross-validate", *arguments),
        cli("calibrate", gold / "gold.jsonl", "--split", "all", "--out", "f.toml", *arguments),
        cli("calibrate", gold / "gold.jsonl", "--split", "check", *arguments),
        cli("label", gold / "transcripts", "--out", gold / "gold.jsonl", stdin="y" * 100),
    ]
    assert [run.returncode for run in runs] == [0] * 4
    assert OPEN.encode() in runs[0].stdout
    for run in runs:
        assert SECRET.encode() not in run.stdout + run.stderr
    assert SECRET not in (cli.folder / "f.toml").read_text()


def test_broken_check_texts_are_not_printed_in_errors(cli: Command, gold: Path) -> None:
    labels = gold / "gold.jsonl"
    labels.write_text(labels.read_text().replace('"flag": 1', '"flag": 9'))
    assert SECRET not in cli.refused("quality", gold)
    labels.write_text(labels.read_text().replace('"flag": 9', '"flag": 1').replace("Bye", "Ciao"))
    said = cli.refused("quality", gold)
    assert "is not the final message of its turn" in said
    assert SECRET not in said


REFUSED = [
    ("a missing file", ("calibrate", "none.jsonl"), "none.jsonl: No such file"),
    ("a missing folder", ("quality", "none"), "none: No such file"),
    ("a folder without labels", ("quality", "."), "gold.jsonl: No such file"),
    ("an empty file", ("calibrate", "empty.jsonl"), "no labelled messages of the wanted part"),
    ("a precision of 2", ("calibrate", "empty.jsonl", "--precision", "2"), "'--precision'"),
    ("one fold", ("calibrate", "empty.jsonl", "--folds", "1"), "'--folds'"),
    ("a negative pull", ("calibrate", "empty.jsonl", "--shrinkage", "-1"), "'--shrinkage'"),
    ("an unknown part", ("calibrate", "empty.jsonl", "--split", "x"), "'--split'"),
    ("an unknown setting", ("quality", "gold", "--shipped", "--set", "weight.x=1"), "unknown key"),
]


@pytest.mark.parametrize(
    ("arguments", "cause"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_refused(cli: Command, arguments: tuple[str, ...], cause: str) -> None:
    cli.write("empty.jsonl", "\n")
    assert cause in cli.refused(*arguments)


@pytest.mark.parametrize("option", ["--out", "--plot"])
def test_a_place_that_cannot_be_written_is_named(cli: Command, gold: Path, option: str) -> None:
    process = cli("calibrate", gold / "gold.jsonl", *FAST, option, "missing/file")
    assert process.returncode == 2
    assert b"missing/file: No such file or directory; expected a writable path" in process.stderr


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        *(
            ((name,), one)
            for name in ("calibrate", "quality")
            for one in ("numpy", "scipy", "sklearn")
        ),
        (("calibrate", "--plot", "p.png"), "matplotlib"),
    ],
    ids=str,
)
def test_a_missing_extra_is_named(
    cli: Command, gold: Path, arguments: tuple[str, ...], missing: str
) -> None:
    hidden = cli.write(
        f"hidden/{missing}/__init__.py", f"raise ModuleNotFoundError(name={missing!r})"
    )
    said = cli.refused(*arguments, gold / "gold.jsonl", env={"PYTHONPATH": str(hidden.parents[1])})
    assert f"{missing} is not installed" in said
    assert "pip install 'groundwire[calibrate]'" in said


def test_the_other_commands_do_without_the_extra(cli: Command) -> None:
    for name in ("numpy", "scipy", "sklearn", "matplotlib"):
        cli.write(f"hidden/{name}/__init__.py", f"raise ModuleNotFoundError(name={name!r})")
    env = {"PYTHONPATH": str(cli.folder / "hidden")}
    cli.write("t/none.jsonl", "")
    assert "0 left" in cli.out("label", "t", env=env)
    assert cli.scan(LONE, env=env)
