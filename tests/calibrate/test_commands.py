"""``groundwire calibrate`` and ``groundwire quality`` as processes."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from groundwire.settings.patterns.read import shipped_folder
from groundwire.settings.patterns.weights import load_model
from tests.cli.command import LONE, Command
from tests.support.tables import table


def first_columns(printed: str) -> list[str]:
    return re.split(r"\s{2,}", re.findall(r"^.*in sample\)", printed, re.MULTILINE)[0].strip())


def test_calibrate_for_settings(cli: Command, gold: Path) -> None:
    """The fragment is what is used afterwards, and nothing is called left out."""
    printed = cli.out("calibrate", gold, "--out", "fitted.toml")
    first = "part fitted elsewhere"
    assert first_columns(printed) == [first, f"{first}, thresholds too", "fitted (in sample)"]
    assert f"{first}: base, groups and markers as they are in use, perhaps fitted to" in printed
    assert f"\nby group: {first}\n" in printed
    assert not re.search("left out|group run", printed)  # settings cannot hold groups
    row = next(line for line in printed.splitlines() if line.startswith("failed_open"))
    assert re.fullmatch(r"failed_open +\+ +\d\.\d\d +\d\.\d\d +\d+ +3 *", row)
    text = (cli.folder / "fitted.toml").read_text(encoding="utf-8")
    assert cli.out("calibrate", gold) == f"{printed}\n{text}"
    fitted = tomllib.loads(text)
    assert set(fitted["features"]) <= {one.name for one in load_model().feature}
    assert set(fitted["thresholds"]) == {"stop_from", "doubt", "message_block"}
    cli.settings(text)
    shown = tomllib.loads(cli.out("config", "show"))
    assert shown["features"].items() >= fitted["features"].items()
    assert shown["thresholds"].items() >= fitted["thresholds"].items()
    assert "left out" not in cli.out("quality", gold)  # the features learnt from these labels
    assert [it["confidence"] for it in cli.scan(LONE)] == [75]  # bare text has numbers of its own


def test_the_model_is_written(cli: Command, gold: Path) -> None:
    folder = Path(shutil.copytree(shipped_folder("model", "weights"), cli.folder / "model"))
    untouched = cli.out("calibrate", gold, "--model", "--shipped")
    assert first_columns(untouched)[:2] == ["left out", "left out, thresholds too"]
    assert load_model(folder) == load_model()
    # with settings of this machine, which --shipped leaves out
    cli.settings("[strengths]\nweak = 0.9\n\n[kinds]\nungrounded_behavioral_assertion = false\n")
    cli.write(".groundwire.toml", "mode = 3\n")
    wanted = ("calibrate", gold, "--write", folder, "--shipped")
    printed = cli.out(*wanted, env={"GROUNDWIRE_THRESHOLDS__REPORT": "99"})
    assert printed == untouched
    made = load_model(folder)
    assert made.fitted["on"] == "24 messages of 3 repositories"
    assert made.markers["behavior.tests.all-pass"].seen == 24
    assert re.search(rf"^base .* {made.base:.2f} ", printed, re.MULTILINE)


def test_quality_of_a_set(cli: Command, gold: Path) -> None:
    printed = cli.out("quality", gold, "--worst", "2")
    assert first_columns(printed) == ["left out", "in use (in sample)"]
    for title in ("by group: left out", "by group: in use (in sample)", "team/pool", "team/queue"):
        assert f"\n{title}" in printed
    assert "no score.py beside the labels" in printed
    assert "the 2 worst misses, in use (in sample)" in printed


@table
def test_what_is_refused(arguments: tuple[str, ...], cause: str, cli: Command, gold: Path) -> None:
    cli.write("empty.jsonl", "\n")
    assert cause in cli.refused(*arguments)


@pytest.mark.parametrize("name", ["calibrate", "quality"])
@pytest.mark.parametrize("missing", ["numpy", "scipy", "sklearn"])
def test_a_missing_extra_is_named(cli: Command, gold: Path, name: str, missing: str) -> None:
    hidden = cli.write(
        f"hidden/{missing}/__init__.py", f"raise ModuleNotFoundError(name={missing!r})"
    )
    done = cli.process(name, gold, env={"PYTHONPATH": str(hidden.parents[1])})
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{missing} is not installed" in said
    assert "pip install 'groundwire[calibrate]'" in said
