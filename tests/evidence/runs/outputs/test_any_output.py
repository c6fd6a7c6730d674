"""Every parser takes every recorded output, whole or in part, and quotes only what is there."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN
from groundwire.evidence.runs.outputs import PARSERS, parse_output
from groundwire.evidence.runs.outputs.lines import clean
from tests.evidence.runs.outputs.fixture import FOLDER, read

OUTPUTS = [read(path.parent.name, path.stem) for path in sorted(FOLDER.glob("*/*.txt"))]
#: One tool for each module.
TOOLS = sorted({module: tool for tool, module in PARSERS.items()}.values())
SAMPLE = OUTPUTS[::5]


@pytest.mark.parametrize("tool", TOOLS)
def test_the_line_stands_in_the_output(tool: str) -> None:
    for output in SAMPLE:
        outcome = parse_output(tool, output)
        if outcome is not None:
            assert outcome.status in (PASSED, FAILED, UNKNOWN)
            assert outcome.line[:40] in clean(output)


@pytest.mark.parametrize("tool", TOOLS)
def test_parts_of_outputs_are_read_without_an_error(tool: str) -> None:
    for output in SAMPLE:
        lines = output.split("\n")
        half = len(lines) // 2
        for part in (lines[:half], lines[half:], lines[::2], [line[:25] for line in lines]):
            parse_output(tool, "\n".join(part))
