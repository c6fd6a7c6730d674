"""A Delta table behind Spark Connect: Sail serves the protocol of Spark 4 and reads Delta."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from pyspark.sql import SparkSession

from groundwire.base.errors import FileError
from groundwire_fleet.frames import decisions, matches, table
from tests.fleet.test_rows import TRANSCRIPTS
from tests.server.resident import free_port

pytestmark = pytest.mark.e2e
FILES = sorted(TRANSCRIPTS.rglob("*.jsonl"))


@pytest.fixture
def spark() -> Iterator[Any]:
    port = free_port()
    command = [sys.executable, "-m", "pysail", "spark", "server", "--port", str(port)]
    with subprocess.Popen(command) as server:
        session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        yield session
        session.stop()
        server.terminate()


def test_what_a_delta_table_holds_now_is_analysed(spark: Any, tmp_path: Path) -> None:
    place = str(tmp_path / "delta")
    names, texts = [*map(str, FILES)], [path.read_text("utf-8") for path in FILES]
    write_deltalake(place, pa.table({"path": names[:2], "content": ["", "{"]}))
    for first, mode in ((0, "overwrite"), (5, "append")):
        part = {"path": names[first : first + 5], "content": texts[first : first + 5]}
        write_deltalake(place, pa.table(part), mode=mode)
    frame = table(spark, "delta", place)
    rows = decisions(frame, salt="s").toArrow().to_pylist()
    assert Counter(row["decision"] for row in rows) == {"pass": 21, "report": 3}
    assert {row["turn"] for row in matches(frame, salt="s").toArrow().to_pylist()} <= {
        row["turn"] for row in rows
    }
    with pytest.raises(FileError, match=r"delta:.*/none: "):
        table(spark, "delta", f"{place}/none")
