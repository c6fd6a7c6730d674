"""The switch that rewrites the golden cases."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``; give the folder too: ``pytest tests/hook --update-golden``."""
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite fixtures/hook/*/expected.json"
    )
