"""Settings for the hook under test, and the switch that rewrites the golden cases."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.state.compiled import compiled_path, settings_key
from tests.conftest import Hook

Start = Callable[..., dict[str, Any]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``; give the folder too: ``pytest tests/hook --update-golden``."""
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite fixtures/hook/*/expected.json"
    )


@pytest.fixture
def start(hook: Hook) -> Start:
    """Return a function that starts a session and waits until its settings are compiled."""

    def begin(settings: str | None = None, **event: Any) -> dict[str, Any]:
        if settings is not None:
            path = hook.home / ".config" / "groundwire" / "config.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(settings, encoding="utf-8")
        answer = hook(**{"hook_event_name": "SessionStart", "source": "startup", **event})
        found = settings_key(hook.env, str(event.get("cwd", hook.home)))
        if found:
            _wait_for(Path(compiled_path(str(hook.home / ".cache" / "groundwire"), found[0])))
        return answer

    return begin


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} was not compiled"
        time.sleep(0.02)
