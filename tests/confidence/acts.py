"""Acts of a turn by the names of their steps: ``acts.toml``."""

import tomllib
from pathlib import Path

from tests.evidence.turns import Act

_STEPS = tomllib.loads(Path(__file__).with_name("acts.toml").read_text("utf-8"))


def acts(names: list[str]) -> list[Act]:
    return [lambda session, step=_STEPS[name]: session.play([step]) for name in names]  # type: ignore[misc]
