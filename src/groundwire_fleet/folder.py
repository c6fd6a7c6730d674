"""A Spark session, and a folder of any file system that it knows, through Hadoop's API."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from pyspark.sql import SparkSession

from groundwire.base.errors import FileError

#: Bytes of one batch of transcripts on its way to Python; a batch holds at least one.
_BATCH_BYTES = 32 << 20
_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(_BATCH_BYTES),
    "spark.sql.files.ignoreMissingFiles": "true",  # what was not read is told afterwards
}
#: For a cluster in this machine: nobody else is to reach it, and there is little to shuffle. Its
#: Java runs for minutes; compiling as for days took 18 of 44 CPU seconds of 0.25 GB.
_LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


#: A task of a cluster in this machine that fails is begun again, as everywhere else in Spark.
_ATTEMPTS = 3


def spark_session(master: str = "") -> SparkSession:
    """Return the running session, or a new one at ``master`` ("": what the surroundings say)."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("groundwire fleet")
    if re.fullmatch(r"local\[[0-9*]+\]", master):
        master = f"{master[:-1]},{_ATTEMPTS}]"
    if master:
        builder = builder.master(master)
    if master.startswith("local"):
        for name, value in _LOCAL.items():
            builder = builder.config(name, value)
    spark = builder.getOrCreate()
    prepare(spark)
    return spark


def prepare(spark: SparkSession) -> None:
    """Set what reading and writing rely on."""
    for name, value in _SETTINGS.items():
        spark.conf.set(name, value)


class Folder:
    """Files below one folder, by names relative to it. Raises FileError for an unknown scheme."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        self._jvm: Any = spark._jvm
        self.root = root.rstrip("/") or "/"
        try:
            path = self._path("")
            self._system = path.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
            self.root = path.makeQualified(
                self._system.getUri(), self._system.getWorkingDirectory()
            ).toString()
        except Exception as error:  # Java's errors have no common class here
            raise FileError(f"{root}: {reason(error)}") from None

    def place(self, name: str) -> str:
        """Return where a file is, for Spark."""
        return f"{self.root}/{name}"

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self.root}/{name}" if name else self.root)

    def exists(self, name: str) -> bool:
        """Tell whether a file or folder is there."""
        return bool(self._system.exists(self._path(name)))

    def read(self, name: str) -> str:
        """Return the text of a file, "" without it."""
        if not self.exists(name):
            return ""
        stream = self._system.open(self._path(name))
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        """Write a file so that it is there whole or not at all."""
        stream = self._system.create(self._path(f"{name}.new"), True)
        stream.write(bytearray(text.encode()))
        stream.close()
        self.move(f"{name}.new", name)

    def move(self, name: str, new: str) -> None:
        """Rename a file, with the folders that it needs; what was there before goes."""
        target = self._path(new)
        self._system.mkdirs(target.getParent())
        self._system.delete(target, True)
        if not self._system.rename(self._path(name), target):
            raise FileError(f"{self.place(name)}: cannot be renamed to {self.place(new)}")

    def delete(self, name: str) -> None:
        """Delete a file or a folder with all that is in it."""
        self._system.delete(self._path(name), True)

    def files(self, name: str) -> list[str]:
        """Return the names of all files below a folder, relative to it, sorted."""
        if not self.exists(name):
            return []
        listing, prefix = self._system.listFiles(self._path(name), True), len(self.place(name)) + 1
        names = []
        while listing.hasNext():
            names.append(listing.next().getPath().toString()[prefix:])
        return sorted(names)


def reason(error: Exception) -> str:
    """Return the first line of what Spark or Java says."""
    java = getattr(error, "java_exception", None)
    text = str(java.toString() if java is not None else error)
    return next(iter(text.strip().splitlines()), type(error).__name__)[:500]
