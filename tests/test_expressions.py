"""No regular expression takes a time that grows faster than the text that it is given."""

import importlib
import re
import time
from pathlib import Path

import pytest

_LENGTH = 4_000
#: Seconds of CPU time below which four times the length is not compared, and how much longer it may
#: take: what grows with the length takes 4 times as long, with its square 16 times.
_LEAST, _MOST = 0.1, 9
_STARTS = ("", " a: x", "a", "data_metadata: ", "eyJ", "1")
_UNITS = (" ", "\t", "a", "1", "a-", "a.", " #", '"', "a@", "{", "sk-", "token", "curl ", "coding:")
_SOURCE = Path(__file__).parents[1] / "src"
_MODULES = sorted(
    ".".join(path.relative_to(_SOURCE).with_suffix("").parts)
    for path in _SOURCE.rglob("*.py")
    if "import re\n" in path.read_text(encoding="utf-8") and "_fleet" not in str(path)
)


@pytest.mark.parametrize("module", _MODULES)
def test_time_grows_with_the_input(module: str) -> None:
    kept = vars(importlib.import_module(module))
    texts = {one for name, one in kept.items() if name.isupper() and isinstance(one, str)}
    found = [one for one in kept.values() if isinstance(one, re.Pattern)]
    found += map(re.compile, texts) if module.endswith("judge_score") else []
    for pattern in found:
        for start in _STARTS:
            for unit in _UNITS:
                took = _seconds(pattern, start, unit, 4 * _LENGTH)
                told = f"{pattern.pattern}: {start!r}, many {unit!r}: {took:.2f} s"
                assert took < _LEAST or took < _MOST * _seconds(pattern, start, unit, _LENGTH), told


def _seconds(pattern: re.Pattern[str], start: str, unit: str, length: int) -> float:
    said = start + unit * (length // len(unit)) + "\x00y"
    text = said.encode() if isinstance(pattern.pattern, bytes) else said
    begun = time.process_time()
    pattern.search(text)
    pattern.fullmatch(text)
    return time.process_time() - begun
