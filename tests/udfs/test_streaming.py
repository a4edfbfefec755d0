"""The column in a stream: files arrive, the query is killed and started again, and no chunk is missing or doubled."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.daemons import PATIENCE, wait_for

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "streaming.py"


@pytest.fixture
def example() -> Any:
    spec = importlib.util.spec_from_file_location("streaming_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def arrive(folder: Path, *numbers: int) -> None:
    """One file a number, two documents each; renamed into place, as whoever feeds a stream must."""
    folder.mkdir(exist_ok=True)
    for number in numbers:
        text = f"Words of {number}. " * 300
        rows = [{"id": f"{number}-{part}", "text": f"# Part {part}\n\n{text}", "title": "T"} for part in (1, 2)]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"_{number}")
        (folder / f"_{number}").rename(folder / f"{number}.parquet")


def written(spark: Any, output: Path) -> list[tuple[Any, ...]]:
    """What a reader of the output finds; the sink's own record says which files count."""
    rows = spark.read.parquet(str(output)).select("id", "chunk_index", "text", "embed_text", "token_count").collect()
    return sorted(tuple(row) for row in rows)


def wanted(spark: Any, example: Any, source: Path) -> list[tuple[Any, ...]]:
    """The same documents in one batch."""
    rows = example.chunks_of(spark.read.schema(example.SCHEMA).parquet(str(source)))
    return sorted(tuple(row) for row in rows.select("id", "chunk_index", "text", "embed_text", "token_count").collect())


def test_a_stream_gives_the_chunks_of_a_batch_and_goes_on_where_it_stopped(
    spark: Any, example: Any, tmp_path: Path
) -> None:
    source, output = tmp_path / "in", tmp_path / "out"

    def handle() -> None:
        documents = spark.readStream.schema(example.SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(source))
        writer = example.chunks_of(documents).writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
        query = writer.format("parquet").trigger(availableNow=True).start(str(output))
        assert query.awaitTermination(PATIENCE)

    arrive(source, 1, 2)
    handle()
    assert {row[0] for row in written(spark, output)} == {"1-1", "1-2", "2-1", "2-2"}
    arrive(source, 3)
    handle()
    handle()
    assert written(spark, output) == wanted(spark, example, source)


def test_a_killed_stream_leaves_nothing_out_and_nothing_twice(spark: Any, example: Any, tmp_path: Path) -> None:
    source, output, checkpoint = tmp_path / "in", tmp_path / "out", tmp_path / "checkpoint"
    arrive(source, *range(12))
    command = [sys.executable, str(EXAMPLE), "--input", str(source), "--output", str(output)]
    command += ["--checkpoint", str(checkpoint), "--files", "1"]
    variables = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with (tmp_path / "log").open("wb") as log:
        started = subprocess.Popen(command, env=variables, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(lambda: len(batches(output)) >= 2 or started.poll() is not None, "two batches")
            assert started.poll() is None, (tmp_path / "log").read_text("utf-8", "replace")
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)
            started.wait(PATIENCE)
        assert len(batches(output)) < 12, "all was done before it was killed"
        subprocess.run(command, env=variables, stdout=log, stderr=log, check=True, timeout=PATIENCE)
    assert written(spark, output) == wanted(spark, example, source)


def batches(output: Path) -> set[int]:
    """The batches that count, by the record of the file sink."""
    names = {path.name for path in (output / "_spark_metadata").glob("*")} if output.exists() else set()
    return {int(name.removesuffix(".compact")) for name in names if name.removesuffix(".compact").isdecimal()}
