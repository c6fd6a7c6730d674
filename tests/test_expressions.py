"""No regular expression takes a time that grows faster than the text that it is given."""

import importlib
import re
import time
from pathlib import Path

import pytest

_LENGTH = 8_000
#: Seconds of CPU time; the square of the length takes half a second, the length milliseconds.
_MOST = 0.15
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
                said = start + unit * (_LENGTH // len(unit)) + "\x00y"
                text = said.encode() if isinstance(pattern.pattern, bytes) else said
                begun = time.process_time()
                pattern.search(text)
                pattern.fullmatch(text)
                took = time.process_time() - begun
                assert took < _MOST, f"{pattern.pattern}: {start!r}, many {unit!r}: {took:.2f} s"
