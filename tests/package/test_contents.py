"""The list of what users get refuses what does not belong there."""

import pytest

from tests.package import contents
from tests.support.tables import table


@table
def test_strangers_in_the_source_archive(name: str, odd: bool) -> None:
    assert list(contents.strangers([name], contents.SDIST)) == [name] * odd


def test_too_much(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(contents, "contents", lambda *_: (["pyproject.toml"], 3_000_001))
    assert contents.main("sdist", "x.tar.gz") == 1
    assert capsys.readouterr().out == "sdist: 1 files, 3,000,001 of 3,000,000 bytes\n"
