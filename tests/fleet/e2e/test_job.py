"""The job on Spark in this process, and on a master and two workers of their own on loopback."""

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
from pyarrow import fs

from groundwire.base.errors import FileError
from groundwire_fleet.files import readable
from groundwire_fleet.folder import Folder, spark_session
from groundwire_fleet.frames import analysed, contents, decisions, matches, work
from groundwire_fleet.rows import TABLES, Line
from groundwire_fleet.run import COMMIT, STAGING, Fleet
from groundwire_fleet.task import analysed_apart
from tests.fleet.test_rows import TRANSCRIPTS, overclaim
from tests.support.transcripts import dump

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("ignore")]
REPOSITORY = Path(__file__).parents[3]
DOCS = REPOSITORY / "docs" / "fleet.md"
TURNS = 30  # of fixtures/transcripts
#: Each of the cluster's processes lives for less than a minute.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: The server would keep the sum that a newer client sends behind a text as a part of the text.
S3 = {"AWS_REGION": "us-east-1", "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required"}
S3 |= dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "S3RVER")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[fs.S3FileSystem]:
    """A server of the S3 API with a bucket ``logs``, which the environment names."""
    command = [f"{REPOSITORY}/.e2e/hosts/s3/node_modules/.bin/s3rver", "--directory"]
    command += [str(tmp_path_factory.mktemp("s3")), "--configure-bucket", "logs", "--silent"]
    command += ["--address", "127.0.0.1", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with pytest.MonkeyPatch.context() as environment, server:
        address = next(it.split()[-1] for it in server.stdout or () if "listening" in it)
        for name, value in {**S3, "AWS_ENDPOINT_URL": f"http://{address}"}.items():
            environment.setenv(name, value)
        yield fs.FileSystem.from_uri("s3://logs/")[0]
        server.terminate()


@pytest.fixture(scope="module")
def spark(store: fs.S3FileSystem) -> Iterator[Any]:
    session = spark_session("local[2]")
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
    place = Path(fleet.folder.root.removeprefix("file:"), table)
    if not (files := [*map(str, place.glob("*/*.parquet"))]):
        return []
    found = duckdb.read_parquet(files, hive_partitioning=True)
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
    fleet: Fleet, source: Path, committed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at the first move, which commits the batch, or at the fourth, in the middle."""
    real, moved = Folder.move, []

    def move(*given: Any) -> None:
        moved.append(given)
        if len(moved) > 3 * committed:
            raise KeyboardInterrupt
        real(*given)

    monkeypatch.setattr(Folder, "move", move)
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


def test_bad_sources_are_named(fleet: Fleet) -> None:
    told = {"/nowhere": "/nowhere", "delta:/nowhere": "delta-spark", "nofs://x/y": "nofs"}
    for given, why in {**told, "parquet:/nowhere": "parquet:/nowhere"}.items():
        with pytest.raises(FileError, match=why):
            fleet.run([given], tell=quiet)


def test_another_salt_is_refused(fleet: Fleet) -> None:
    with pytest.raises(Exception, match=r"about.json: salt .*choose another --out"):
        Fleet(fleet._spark, fleet.folder.root, work(salt="other"))


def test_the_queries_of_the_docs_run_in_duckdb(
    spark: Any, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = work({"thresholds": {"stop_from": 64}}, salt="salt")  # some rows have to stop
    fleet = Fleet(spark, str(tmp_path / "out"), stops)
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
    for path in ("nofs://logs/a.jsonl", "abfss://logs@nobody.dfs.core.windows.net/a.jsonl"):
        assert not readable([path])  # Azure's client ends the process that has no credential


def test_tasks_read_an_object_store_themselves(
    spark: Any, fleet: Fleet, source: Path, store: fs.S3FileSystem
) -> None:
    """Hadoop's own ``s3a`` needs a jar: Spark lists the folder that the bucket is a copy of."""
    hadoop, target = "org.apache.hadoop.fs", "fs.viewfs.overload.scheme.target.file.impl"
    spark.conf.set("fs.s3a.impl", f"{hadoop}.viewfs.ViewFileSystemOverloadScheme")
    spark.conf.set(target, f"{hadoop}.LocalFileSystem")
    spark.conf.set("fs.viewfs.mounttable.logs.link./projects", source.as_uri())
    missing, bucket = source / "notes-swift.jsonl", "logs/projects"
    fs.copy_files(str(source), bucket, fs.LocalFileSystem(), store)
    store.delete_file(f"{bucket}/{missing.name}")
    assert fleet.run(["s3a://logs/projects"], tell=quiet).errors == 1
    [error] = rows(fleet, "errors")
    assert error["path"] == f"s3a://{bucket}/{missing.name}"
    assert "Path does not exist" in error["error"]
    with (source / "gitsum-rust.jsonl").open("ab") as changed:
        changed.writelines(map(dump, overclaim(session_id="another").entries))
    fs.copy_files(str(source), bucket, fs.LocalFileSystem(), store)
    assert fleet.run(["s3a://logs/projects"], tell=quiet).read == 2
    assert len(turns(fleet)) == TURNS + 1
    assert rows(fleet, "errors") == []


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

    home, master, log = Path(pyspark.__file__).parent, "spark://127.0.0.1:17077", tmp_path / "log"
    env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    env["JDK_JAVA_OPTIONS"] = JAVA
    env |= {"PYSPARK_PYTHON": sys.executable, "SPARK_WORKER_DIR": str(tmp_path / "work")}
    start = f"{home}/bin/spark-class org.apache.spark.deploy"
    local = "--host 127.0.0.1 --webui-port 0"
    first = f"{start}.master.Master {local} --port 17077"
    worker = f"{start}.worker.Worker {local} -c 1 -m 1g {master}"
    started: list[subprocess.Popen[bytes]] = []
    end = time.monotonic() + 180
    try:
        for commands, ready in (
            ([first], "New state: ALIVE"),
            ([worker] * 2, "Successfully registered with master"),
        ):
            with log.open("a") as out:
                given: dict[str, Any] = {"env": env, "stdout": out, "stderr": out}
                started += [subprocess.Popen(it.split(), **given) for it in commands]
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
    job = str(REPOSITORY / "src/groundwire_fleet/__main__.py")
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
