"""Every recorded output is read as ``<tool>/expected.toml`` beside it says, whole and in parts.

The outputs are ``<tool>/<case>.txt``, made by the real tool. A first line that begins with
"# source: " names the page or the command that one comes from, and is no part of it.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.rules.outcomes import TOOLS
from groundwire.inputs.outcomes.clean import brief, clean
from groundwire.inputs.outcomes.read import kinds_of, parse_output, recognise
from groundwire.inputs.outcomes.rows import SHAPES, combine, counts
from groundwire.turn.records import FAILED, PASSED, UNKNOWN, Outcome
from tests.support.tables import rows

FOLDER = Path(__file__).parent
_FIELDS = ("status", "passed", "failed", "skipped", "errors", "total", "line")
Fields = dict[str, Any]


def recorded(place: str) -> tuple[str, str]:
    """Return the source of an output, if it is told, and the output."""
    # newline="" keeps the carriage returns of progress bars.
    with (FOLDER / f"{place}.txt").open(encoding="utf-8", newline="") as file:
        text = file.read()
    source, _, output = text.partition("\n")
    return (source, output) if source.startswith("# source: ") else ("", text)


def read(*place: str) -> str:
    return recorded("/".join(place))[1]


def exit_status(place: str) -> int | None:
    """Return the status in "# source: COMMAND; exit status N"; None where the command hides it."""
    command, mark, status = recorded(place)[0].rpartition("; exit status ")
    return int(status) if mark and "|" not in command and "; echo" not in command else None


#: Where an output is, and what is expected of it; some are read by several tools.
CASES = [
    (f"{path.parent.name}/{case['name']}", case)
    for path in sorted(FOLDER.glob("*/expected.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


def parts(output: str) -> Iterator[str]:
    """Yield the ends of an output as ``| tail`` gives them, and as the harness cuts its middle."""
    lines = output.rstrip("\n").split("\n")
    for start in range(1, len(lines)):
        tail = "\n".join(lines[start:]) + "\n"
        yield tail
        head = "\n".join(lines[: min(start, len(lines) // 3)])
        if head:
            yield f"{head}\n\n... [{len(lines)} lines truncated] ...\n\n{tail}"


def statuses(tool: str, output: str) -> set[str]:
    """Return how an output ended for one who knows the tool and for one who has to find out."""
    found = recognise(output)
    outcomes = [parse_output(tool, output), found[1] if found else None]
    return {outcome.status for outcome in outcomes if outcome}


def test_every_recorded_output_has_a_case() -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt")}
    assert names == {place for place, _ in CASES}
    assert len(names) >= 814
    assert sum(exit_status(place) is not None for place, _ in CASES) > len(CASES) / 3


@pytest.mark.parametrize(("place", "case"), CASES, ids=[f"{at}-{it['tool']}" for at, it in CASES])
def test_recorded(place: str, case: dict[str, Any]) -> None:
    """It reads as expected, never against its exit status, and no part of a failure as passed."""
    output = read(place)
    expected = Outcome(**{key: case[key] for key in _FIELDS if key in case})
    assert parse_output(case["tool"], output) == (expected if "status" in case else None)
    found = recognise(output)
    assert (found[0] if found else None) == case.get("recognised")
    status = exit_status(place)
    if status is not None and "exit" not in case:
        assert (PASSED if status else FAILED) not in statuses(case["tool"], output)
    if case.get("status") == FAILED and "tails" not in case:
        for part in parts(output):
            assert PASSED not in statuses(case["tool"], part), part


@pytest.mark.parametrize("tool", [tool[0][0] for tool in TOOLS])
def test_any_output_is_read_by_any_tool(tool: str) -> None:
    """Without an error, and quoting only what is there."""
    for place, _ in CASES[::6]:
        lines = read(place).split("\n")
        half = len(lines) // 2
        for part in (lines, lines[:half], lines[::2], [line[:25] for line in lines]):
            output = "\n".join(part)
            outcome = parse_output(tool, output)
            if outcome is not None:
                assert outcome.status in (PASSED, FAILED, UNKNOWN)
                assert outcome.line in clean(output)


def outcome_of(fields: Fields | None) -> Outcome | None:
    return Outcome(**fields) if fields else None


SUMMARY = read("pytest", "failed_quiet_no_traceback")


def prefixed(prefix: str) -> bool:
    text = "".join(f"{prefix}{line}\n" for line in SUMMARY.splitlines())
    return parse_output("pytest", text) == parse_output("pytest", SUMMARY)


def several(parts: list[list[str]]) -> tuple[object, ...]:
    found = recognise("".join(read(*part) for part in parts))
    assert found is not None
    return found[0], found[1].status


test_row = rows(
    __file__,
    clean=lambda raw, expected: clean(raw) == (raw if expected is None else expected),
    prefixes=prefixed,
    counts=lambda line, behind: [[*one] for one in counts(line, behind)],
    shapes=lambda shape, line: SHAPES[shape](line),
    combine=lambda parts, fields: combine([Outcome(**it) for it in parts]) == outcome_of(fields),
    several_tools_in_one_output=several,
    other_text_is_not_recognised=lambda text: recognise(text) is None,
    outcome=lambda tool, output, fields: parse_output(tool, output) == outcome_of(fields),
    status=lambda tool, output: getattr(parse_output(tool, output), "status", None),
)


def test_what_is_known_of_tools() -> None:
    assert (kinds_of("xcodebuild"), kinds_of("nosuch")) == (("test", "build"), ())
    assert brief("  " + "x" * 300) == "x" * 200
