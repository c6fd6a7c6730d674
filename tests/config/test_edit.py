"""Settings added to a text that a person wrote: ``edit.toml``."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.errors import ConfigError
from groundwire.settings.toml_text import with_changes

CASES = tomllib.loads(Path(__file__).with_name("edit.toml").read_text("utf-8"))["edit"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_stands_there_stays(case: dict[str, Any], line_end: str) -> None:
    before = case["before"].replace("\n", line_end)
    prefix = tuple(case.get("prefix", ()))
    if case.get("refused"):
        with pytest.raises(ConfigError, match="by hand"):
            with_changes(before, case["changes"], prefix)
        return
    after = with_changes(before, case["changes"], prefix)
    assert after.strip() == case["after"].strip().replace("\n", line_end if before else "\n")
