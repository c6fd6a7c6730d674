"""The arithmetic of the benchmarks: quartiles, fits, targets and how they are shown."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as program
from benchmarks import sessions
from benchmarks.figures import Figure, exponent, quartiles, ratios, row, shown, summary
from benchmarks.instructions import PART, STAGES, Budget, read_budget
from benchmarks.peer import stop_command
from benchmarks.processes import Case, interleaved, peak_memory
from benchmarks.resident import FLAT, grown
from groundwire.inputs.transcript import tail_entries
from groundwire.inputs.turns import build_turn
from tests.support.tables import rows, table

SIZES = (10.0, 20.0, 40.0, 80.0)


def target(value: float, at_least: bool, wanted: float | None) -> object:
    figure = Figure("p", "n", value, target=wanted, at_least=at_least)
    assert figure.fields()["met"] is figure.met
    return figure.met


BUDGET = {"scan": 0.5, "small": 0.01}


def figure(fields: dict[str, Any]) -> str:
    return " ".join(row(Figure(**fields)).split())


test_row = rows(
    __file__,
    ValueError,
    ratios_are_those_of_pairs_not_of_medians=ratios,
    figure=figure,
    summary=lambda given: summary([Figure("p", *one) for one in given]),
    quartiles=quartiles,
    exponent=lambda power: exponent(SIZES, [3 * size**power for size in SIZES]),
    targets=target,
    numbers_are_shown_with_three_digits=shown,
    the_limit_of_a_stage=lambda python, stage: Budget(python, 0.1, BUDGET).limit(stage),
)


@table
def test_memory_that_is_flat_and_memory_that_is_not(recorded: list[float]) -> None:
    flat = [(1_000 * at, kilobytes) for at, kilobytes in enumerate(recorded, 1)]
    leaking = [(at, kilobytes + at / 10) for at, kilobytes in flat]  # 100 bytes a request
    assert 0 < (grown(flat) or 0) < FLAT < 8 * FLAT < (grown(leaking) or 0)
    assert grown(flat[:25]) is None


def test_every_stage_has_a_budget() -> None:
    budget = read_budget()
    assert set(STAGES[1:]) < set(budget.stages)
    assert 0 < budget.margin <= 0.2


@pytest.mark.parametrize(("count", "code"), [(0.5, 0), (0.7, 1)])
def test_the_short_form_fails_on_instructions_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: float, code: int
) -> None:
    counted = Figure(PART, "scan", count, "x pass", target=0.6)
    slow = Figure("cold", "hook", 99.0, "x pass", target=2.0)
    parts = {"instructions": lambda *_: iter([counted]), "cold": lambda *_: iter([slow])}
    monkeypatch.setattr(program, "PARTS", parts)
    assert program.main(["--short", "--out", str(tmp_path)]) == code
    assert program.main(["--out", str(tmp_path)]) == 0
    written = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [figure["met"] for figure in written["figures"]] == [count < 0.6, False]
    assert set(written["machine"]) >= {"python", "processor", "cores", "libraries"}


def test_processes_are_timed_in_rounds_and_checked() -> None:
    checked: list[bytes] = []
    echo = (sys.executable, "-I", "-S", "-c", "import sys; print(sys.stdin.read())")
    cases = {"bare": Case((*echo[:-1], "pass")), "echo": Case(echo, lambda: b"x", checked.append)}
    seconds = interleaved(cases, 2, {})
    assert {name: len(spent) for name, spent in seconds.items()} == {"bare": 2, "echo": 2}
    assert checked == [b"x\n"] * 3  # one round warms up


def test_peak_memory_is_that_of_the_command_alone() -> None:
    held = bytearray(60 << 20)  # what this process holds must not count
    python = (sys.executable, "-I", "-S", "-c")
    little, _ = peak_memory((*python, "print(1)"), b"", {})
    much, output = peak_memory((*python, "x = b'1' * (40 << 20); print(len(x))"), b"", {})
    assert little < 40 < len(held) >> 20
    assert 38 < much - little < 50
    assert output == b"41943040\n"


@pytest.mark.parametrize("megabytes", [1, 5])
def test_a_session_is_as_long_as_asked_and_so_is_its_last_turn(
    tmp_path: Path, megabytes: int
) -> None:
    path = tmp_path / "s.jsonl"
    sessions.write_session(path, megabytes, 200)
    assert 0.8 <= path.stat().st_size / 1e6 / megabytes <= 1.05
    turn = build_turn(tail_entries(str(path)).entries)
    assert turn.prompt == sessions.PROMPT
    results = sum(len(call.result or "") for call in turn.calls)
    assert 90_000 <= results <= 110_000  # each stands twice in its line


def test_the_stop_hook_of_a_plugin_is_found(tmp_path: Path) -> None:
    own = Path(program.__file__).parents[1]
    assert stop_command(own) == [f"{own}/hooks/stop.sh"]
    with pytest.raises(SystemExit, match="no command for Stop"):
        stop_command(tmp_path)
