"""Kept judgements: by everything they depend on, in a file."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest

from groundwire.config.calculation import LLMConfidenceSettings
from groundwire.errors import FileError
from groundwire.judge.cache import SqliteCache, cache_key
from groundwire.judge.judges import Judges
from groundwire.judge.protocol import Question
from tests.support.judge_stub import judge_stub, text

BASE = Question("system", "content", LLMConfidenceSettings())


@pytest.mark.parametrize(
    ("other", "address", "same"),
    [
        (BASE, "", True),
        (BASE.replace(system="systemc", content="ontent"), "", False),
        (BASE.replace(content="content "), "", False),
        (BASE, "http://127.0.0.1:1", False),
        (BASE.replace(settings=LLMConfidenceSettings(model="gpt-4")), "", False),
        (BASE.replace(settings=LLMConfidenceSettings(provider="azure")), "", False),
        (BASE.replace(settings=LLMConfidenceSettings(temperature=0.2)), "", False),
        (BASE.replace(settings=LLMConfidenceSettings(max_tokens=50)), "", False),
        (BASE.replace(settings=LLMConfidenceSettings(timeout_ms=1)), "", True),
    ],
)
def test_the_key_depends_on_what_the_answer_depends_on(
    other: Question, address: str, same: bool
) -> None:
    assert (cache_key(other, address) == cache_key(BASE)) is same


def test_what_is_put_is_got(tmp_path: Path) -> None:
    path = tmp_path / "judge" / "cache.db"
    cache = SqliteCache(path)
    fields: dict[str, Any] = {"text": "0.7 \u00e4\ud83d", "model": "m", "input_tokens": None}
    assert cache.get("k") is None
    cache.put("k", fields)
    assert cache.get("k") == fields
    cache.put("k", {"text": "0.8", "model": "m"})
    assert cache.get("k") == {"text": "0.8", "model": "m"}
    cache.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = SqliteCache(path)
    assert again.get("k") == {"text": "0.8", "model": "m"}
    again.close()


def test_a_file_that_is_no_cache_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    path.write_bytes(b"this is no database, and longer than a header of one " * 20)
    with pytest.raises(FileError, match=r"cache\.db: no cache of judgements: "):
        SqliteCache(path)
    with pytest.raises(FileError, match="no cache of judgements"):
        SqliteCache(tmp_path)


def test_a_cache_that_fails_is_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = SqliteCache(tmp_path / "cache.db")
    cache.close()
    with judge_stub("openai", text("0.7")) as stub:

        async def run() -> float:
            async with Judges(stub.env, cache=cache) as judges:
                settings = LLMConfidenceSettings(timeout_ms=5000)
                found = await judges.judge(settings, query="q", context="c", response="r")
                return found.score

        assert asyncio.run(run()) == 0.7
    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(told) == 2
    assert all("cache.db: no cache of judgements" in line for line in told)


@pytest.mark.parametrize("fields", [{}, {"text": 0.7, "model": "m"}, {"text": "0.7"}])
def test_what_is_kept_in_another_shape_is_asked_again(fields: dict[str, Any]) -> None:
    class Odd:
        def get(self, key: str) -> dict[str, Any] | None:
            return fields if key else None

        def put(self, key: str, fields: dict[str, Any]) -> None:
            assert key, fields

    with judge_stub("openai", text("0.7")) as stub:

        async def run() -> bool:
            async with Judges(stub.env, cache=Odd()) as judges:
                settings = LLMConfidenceSettings(timeout_ms=5000)
                found = await judges.judge(settings, query="q", context="c", response="r")
                return found.cached

        assert asyncio.run(run()) is False
