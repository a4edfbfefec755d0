"""Through Spark Connect: a real server, and a client that has no Java at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobs.publish import TABLES
from tests.conftest import Result, Run
from tests.daemons import LOOPBACK, PATIENCE, SPARK_HOME, Daemon

ROOT = Path(__file__).parents[2]

COLUMN = """
import sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from udfs import chunk
from udfs.chunking import Chunker

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
assert type(spark).__module__.startswith("pyspark.sql.connect"), type(spark)
text = "# Pumps\\n\\nThe pump runs at ten bar. It must not run dry. " * 40
rows = spark.createDataFrame([(1, text), (2, None)], "id int, text string")
made = rows.select("id", F.explode(chunk("text", strategy="markdown", size=48)).alias("c")).select("id", "c.*")
found = [row["embed_text"] for row in made.orderBy("chunk_index").collect()]
assert found == [c.embed_text for c in Chunker(strategy="markdown", size=48).chunk(text)], found
print("the same", len(found))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own."""
    folder = tmp_path_factory.mktemp("connect")
    settings = {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": "0",
        "spark.master": "local[2]",
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    command = [str(SPARK_HOME / "bin" / "spark-submit")]
    command += [option for pair in settings.items() for option in ("--conf", "=".join(pair))]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    variables = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": LOOPBACK}
    started = Daemon.start(command, variables, folder / "log")
    try:
        (port,) = started.told(r"Spark Connect server started at: \S+:(\d+)\n")
        yield f"sc://{LOOPBACK}:{port}"
    finally:
        started.kill()


def client(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs Python as a client that could not start a JVM if it wanted to."""
    bare = tmp_path / "bin"
    bare.mkdir(exist_ok=True)
    assert shutil.which("java", path=str(bare)) is None
    variables = {"PATH": str(bare), "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, *command], env=variables, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_the_job_writes_the_tables_of_a_classic_session(server: str, run: Run, tmp_path: Path) -> None:
    documents: list[dict[str, Any]] = [
        {"id": f"d{number}", "text": f"{number}. " + "The pump runs at ten bar. It must not run dry. " * 40}
        for number in range(20)
    ]
    documents += [{"id": "none", "text": None}, {"id": "blank", "text": " "}, {"id": "d3", "text": "taken"}]
    classic = run(documents, "profiles.default.size=48", name="classic")
    source = tmp_path / "classic-input.parquet"
    remote = Result(tmp_path / "remote")
    options = ["--set", "profiles.default.size=48", "--report"]
    told = client(
        tmp_path, "-m", "jobs.cli", "run", "--remote", server, "-i", str(source), "-o", str(remote.path), *options
    )
    assert told.returncode == 0, told.stdout + told.stderr
    for table in TABLES:
        assert sorted(map(repr, remote.rows(table))) == sorted(map(repr, classic.rows(table))), table
    assert remote.record["counts"] == classic.record["counts"]
    assert "<svg" in (remote.path / "report.html").read_text("utf-8")


def test_the_column_gives_the_chunks_of_the_engine(server: str, tmp_path: Path) -> None:
    told = client(tmp_path, "-c", COLUMN, server)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("the same ")


def test_a_server_that_is_not_there_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    place = ["-i", str(tmp_path / "in"), "-o", str(tmp_path / "out")]
    told = client(tmp_path, "-m", "jobs.cli", "run", "--remote", "sc://127.0.0.1:9/;token=hunter2", *place)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert "hunter2" not in told.stderr + told.stdout
    assert "127.0.0.1:9" in told.stderr
