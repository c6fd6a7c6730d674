"""The job on a real cluster: a master and two workers in processes of their own, on loopback."""

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from groundwire.fleet import decisions, matches
from groundwire_fleet.files import readable
from groundwire_fleet.folder import spark_session
from groundwire_fleet.frames import analysed, contents, work
from groundwire_fleet.rows import Line
from groundwire_fleet.run import COMMIT, STAGING, Fleet
from groundwire_fleet.schema import TABLES
from groundwire_fleet.task import analysed_apart
from tests.fleet.test_rows import TRANSCRIPTS, overclaim
from tests.support.transcripts import dump

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("ignore")]
DOCS = Path(__file__).parents[3] / "docs" / "fleet.md"
CLUSTER = "local-cluster[2,1,2048]"
TURNS = 30  # of fixtures/transcripts


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    session = spark_session(CLUSTER)
    yield session
    session.stop()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Transcripts of several hosts' folders, one packed, with names that are no globs."""
    folder = tmp_path / "in [1] {a}" / "projects"
    shutil.copytree(TRANSCRIPTS, folder)
    path = folder / "shop-django.jsonl"
    path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return folder


@pytest.fixture
def fleet(spark: Any, tmp_path: Path) -> Fleet:
    return Fleet(spark, str(tmp_path / "out"), work(salt="salt"))


def rows(fleet: Fleet, table: str) -> list[dict[str, Any]]:
    place = fleet.folder.root.removeprefix("file:") + f"/{table}/*/*.parquet"
    try:
        found = duckdb.sql(f"select * from read_parquet('{place}', hive_partitioning = true)")
    except duckdb.IOException:
        return []
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def turns(fleet: Fleet) -> list[str]:
    found = sorted(row["turn"] for row in rows(fleet, "decisions"))
    assert len(found) == len(set(found))
    return found


def quiet(_: str) -> None:
    """What a run tells is of no interest here."""


def glob_of(folder: Path) -> str:
    return str(folder.parent.parent / "in*" / "projects")


def test_only_what_is_new_is_read_and_no_row_is_there_twice(fleet: Fleet, source: Path) -> None:
    first = fleet.run([glob_of(source)], tell=quiet)
    assert (first.listed, first.read, first.turns, first.errors) == (12, 12, TURNS, 0)
    before = turns(fleet)
    assert len(before) == TURNS
    assert fleet.run([glob_of(source)], tell=quiet).read == 0
    changed = source / "gitsum-rust.jsonl"
    with changed.open("ab") as file:
        file.writelines(map(dump, overclaim(session_id="another").entries))
    shutil.copy(source / "notes-swift.jsonl", source / "copy-of-a-session.jsonl")
    second = fleet.run([glob_of(source)], tell=quiet)
    assert (second.listed, second.read) == (13, 2)
    after = turns(fleet)
    assert set(before) < set(after)
    assert len(after) == TURNS + 1
    of_matches = {(row["turn"], row["source"]) for row in rows(fleet, "matches")}
    assert of_matches <= {(row["turn"], row["source"]) for row in rows(fleet, "decisions")}
    assert len(rows(fleet, "files")) == 13
    again = fleet.run([glob_of(source)], again=True, tell=quiet)
    assert again.read == 13
    assert turns(fleet) == after


def test_what_cannot_be_read_is_told_and_the_rest_is_there(fleet: Fleet, source: Path) -> None:
    for path in sorted(source.iterdir())[3:]:
        path.unlink()
    (source / "binary.jsonl").write_bytes(bytes(range(256)) * 100)
    (source / "torn.jsonl.gz").write_bytes(gzip.compress(b'{"type": "user"}\n' * 9_999)[:-40])
    (source / "large.jsonl").write_bytes(b'{"message": "%s"}' % (b"x" * (60 << 20)))
    fleet._job = work(salt="salt", memory=100)
    done = fleet.run([glob_of(source)], tell=quiet)
    assert done.turns == len(turns(fleet)) > 0
    wrong = {Path(row["path"]).name: row for row in rows(fleet, "errors")}
    assert wrong.keys() == {"binary.jsonl", "torn.jsonl.gz", "large.jsonl"}
    assert wrong["torn.jsonl.gz"]["offset"] > 0
    assert "more than 100 MiB of memory: raise --task-memory" in wrong["large.jsonl"]["error"]
    assert len(rows(fleet, "files")) == 6


@pytest.mark.parametrize("committed", [False, True])
def test_a_killed_run_is_taken_up(
    fleet: Fleet, source: Path, tmp_path: Path, committed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before the batch was committed, and in the middle of its publication."""
    step = "move" if committed else "write"
    moved = []

    def die(*_: str) -> None:
        moved.append(1)
        if len(moved) > 2 * committed:
            raise KeyboardInterrupt
        real(*_)

    real = getattr(fleet.folder, step)
    if committed:
        publish = fleet._publish

        def published(*given: Any) -> Any:
            monkeypatch.setattr(fleet.folder, step, die)
            return publish(*given)

        monkeypatch.setattr(fleet, "_publish", published)
    else:
        monkeypatch.setattr(fleet.folder, step, die)
    with pytest.raises(KeyboardInterrupt):
        fleet.run([glob_of(source)], tell=quiet)
    left = fleet.folder.files(STAGING)
    assert any(name.endswith(COMMIT) for name in left) == committed
    monkeypatch.undo()
    later = Fleet(fleet._spark, fleet.folder.root, work(salt="salt"))
    done = later.run([glob_of(source)], tell=quiet)
    assert done.read == (0 if committed else 12)
    assert len(turns(later)) == TURNS
    assert later.folder.files(STAGING) == []


def test_tables_of_transcripts_and_paths(spark: Any, fleet: Fleet, tmp_path: Path) -> None:
    names = sorted(TRANSCRIPTS.glob("*.jsonl"))
    table = str(tmp_path / "table.parquet")
    texts = [(str(path), path.read_text(encoding="utf-8")) for path in names]
    (frame := spark.createDataFrame(texts, "path string, content string")).write.parquet(table)
    assert fleet.run([f"parquet:{table}"], tell=quiet).read == 12
    assert len(turns(fleet)) == TURNS
    assert fleet.run([f"parquet:{table}"], tell=quiet).read == 0
    found = decisions(frame, salt="salt")
    assert sorted(row["turn"] for row in found.select("turn").collect()) == turns(fleet)
    three = spark.createDataFrame([(path,) for path, _ in texts[:3]], "path string")
    by_path = matches(three, salt="salt")
    wanted = {fleet._job.options.hashed(f"file:{path}") for path, _ in texts[:3]}
    assert {row["source"] for row in by_path.select("source").collect()} <= wanted
    assert by_path.count() > 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["/nowhere/at/all"], "/nowhere/at/all"),
        (["delta:/nowhere"], "delta-spark"),
        (["nofs://x/y"], "nofs"),
        (["parquet:/nowhere"], "parquet:/nowhere"),
    ],
)
def test_bad_sources_are_named(fleet: Fleet, given: list[str], told: str) -> None:
    with pytest.raises(Exception, match=told):
        fleet.run(given, tell=quiet)


def test_another_salt_is_refused(fleet: Fleet) -> None:
    with pytest.raises(Exception, match=r"about.json: salt .*choose another --out"):
        Fleet(fleet._spark, fleet.folder.root, work(salt="other"))


def test_the_queries_of_the_docs_run_in_duckdb(
    fleet: Fleet, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet.run([glob_of(source)], tell=quiet)
    queries = re.findall(r"```sql\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(queries) == 6  # the views, and five that use them
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").rename(tmp_path / "fleet")
    connection = duckdb.connect()
    connection.execute(queries[0])
    for query in queries[1:]:
        assert connection.sql(query).fetchall() != [], query


def test_other_file_systems(spark: Any, tmp_path: Path, source: Path) -> None:
    """Any scheme goes through Hadoop's file systems: here one that Arrow cannot read."""
    torn = source / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress(b'{"type": "user"}\n' * 9_999)[:-40])
    for mount, place in (("logs", source), ("out", tmp_path / "mounted")):
        place.mkdir(exist_ok=True)
        spark.conf.set(f"fs.viewfs.mounttable.team.link./{mount}", place.as_uri())
    fleet = Fleet(spark, "viewfs://team/out/fleet", work(salt="salt"))
    done = fleet.run(["viewfs://team/logs"], tell=quiet)
    assert (done.read, done.turns, done.errors) == (13, TURNS, 1)
    assert all((tmp_path / "mounted/fleet" / name).exists() for name in TABLES)


def test_a_file_system_that_nobody_knows_is_left_to_spark() -> None:
    assert not readable(["nofs://logs/a.jsonl"])


def test_whole_sessions_are_in_one_task(spark: Any) -> None:
    names = [f"a/s{at}{end}" for end in (".jsonl", "/subagents/agent-1.jsonl") for at in range(40)]
    rows = [(name, b"{}\n") for name in names]
    texts = spark.createDataFrame(rows, "path string, content binary").repartition(8)
    found = analysed(contents(texts), work(salt="salt")).where("kind = 'files'")
    tasks = dict(found.selectExpr("files.path", "spark_partition_id()").collect())
    assert len(tasks) == len(names) > len(set(tasks.values())) > 1
    assert [tasks[it] for it in names[:40]] == [tasks[it] for it in names[40:]]


def test_a_transcript_that_ends_its_process_ends_nothing_else() -> None:
    """What the process holds when it is forked does not count: Arrow alone reserves a GiB."""

    def given(size: int = 1, deadly: bool = False) -> Iterator[Line]:
        session = overclaim()
        session.bash("cat log", "x" * size)
        session.say("Read.")
        yield from ((len(line) - 1, line) for line in map(dump, session.entries))
        if deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    held = bytearray(600 << 20)
    all_of_them = [given(4 << 20), given(deadly=True), given(deadly=True), given(30 << 20), given()]
    batches = analysed_apart([*zip("abcde", all_of_them, strict=True)], work(salt="s", memory=60))
    found = [row for batch in batches for row in batch.to_pylist()]
    del held
    assert [row["files"]["path"] for row in found if row["files"]] == ["a", "e"]
    told = [(row["errors"]["path"], row["errors"]["error"]) for row in found if row["errors"]]
    killed = "the process that read it was ended by signal 9"
    assert told[:2] == [("b", killed), ("c", killed)]
    assert (told[2][0], "more than 60 MiB" in told[2][1], len(told)) == ("d", True, 3)


@pytest.fixture
def standalone(tmp_path: Path) -> Iterator[tuple[str, dict[str, str], list[int]]]:
    """A master and two workers on loopback; yields its address, environment and process ids."""
    import pyspark

    home = Path(pyspark.__file__).parent
    env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    env |= {"PYSPARK_PYTHON": sys.executable, "SPARK_WORKER_DIR": str(tmp_path / "work")}
    start = [str(home / "bin" / "spark-class")]
    deploy = "org.apache.spark.deploy"
    master = "spark://127.0.0.1:17077"
    local = ["--host", "127.0.0.1"]
    first = [*start, f"{deploy}.master.Master", *local, "--port", "17077", "--webui-port", "0"]
    worker = [*start, f"{deploy}.worker.Worker", *local, "--webui-port", "0", "-c", "1", "-m", "1g"]
    log = tmp_path / "log"
    started: list[subprocess.Popen[bytes]] = []
    end = time.monotonic() + 180
    try:
        for commands, ready in (
            ([first], "New state: ALIVE"),
            ([[*worker, master]] * 2, "Successfully registered with master"),
        ):
            for command in commands:
                with log.open("a") as out:
                    started.append(subprocess.Popen(command, env=env, stdout=out, stderr=out))
            while log.read_text("utf-8").count(ready) < len(commands):
                assert time.monotonic() < end, log.read_text("utf-8")
                time.sleep(0.1)
        yield master, env, [process.pid for process in started]
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(30)


def test_spark_submit_outlives_a_killed_worker(
    standalone: tuple[str, dict[str, str], list[int]], source: Path, tmp_path: Path
) -> None:
    master, env, processes = standalone
    for number in range(40):
        folder = source / f"more{number}"
        folder.mkdir()
        lines = b"".join(map(dump, overclaim(session_id=f"s{number}").entries))
        (folder / "one.jsonl").write_bytes(lines.replace(b"42 passed", b"%d passed" % number))
    import groundwire_fleet

    job = str(Path(groundwire_fleet.__file__).parent / "__main__.py")
    submit = [f"{env['SPARK_HOME']}/bin/spark-submit", "--master", master]
    submit += ["--conf", "spark.executor.memory=600m", "--conf", "spark.driver.host=127.0.0.1"]
    command = [*submit, job, glob_of(source), "--out", str(tmp_path / "out")]
    env |= {"HOME": str(tmp_path), "SPARK_LOCAL_DIRS": str(tmp_path / "spark")}
    running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    for line in running.stdout:
        if "new or changed" in line:
            break
    os.kill(processes[2], signal.SIGKILL)
    rest = running.stdout.read()
    assert running.wait(300) == 0, rest
    assert "52 of 52 transcripts read" in rest
    place = f"{tmp_path}/out/decisions/*/*.parquet"
    count = duckdb.sql(f"select count(*), count(distinct turn) from '{place}'").fetchall()
    assert count == [(TURNS + 40, TURNS + 40)]
    report = [sys.executable, "-m", "groundwire", "fleet", "report", str(tmp_path / "out")]
    done = subprocess.run(
        [*report, "--master", "local[1]", "--group", "1"],
        env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "<h2>Weeks</h2>" in done.stdout
