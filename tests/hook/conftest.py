"""Settings for the hook under test, and the switch that rewrites the golden cases."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Hook

Start = Callable[..., dict[str, Any]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``; give the folder too: ``pytest tests/hook --update-golden``."""
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite fixtures/hook/*/expected.json"
    )


@pytest.fixture
def start(hook: Hook) -> Start:
    """Return a function that starts a session with these settings."""

    def begin(settings: str | None = None, **event: Any) -> dict[str, Any]:
        if settings is not None:
            hook.configure(settings)
        return hook.start(**event)

    return begin
