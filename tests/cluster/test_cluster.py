"""On a real cluster: what was shipped gives the same tables, whatever is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.publish import TABLES
from tests.cluster.standalone import FAULTS, Standalone, Submitted, parent_of
from tests.conftest import Result
from tests.daemons import wait_for

CONFIG = """
profiles:
  default: {size: 128, overlap: 16}
  markdown: {strategy: markdown, size: 128}
  family: {strategy: parent_child}
routing:
  - {when: "kind = 'markdown'", profile: markdown}
  - {when: "kind = 'family'", profile: family}
  - {profile: default}
"""

# One task a file, else a few small files would be one task.
CONF = {"spark.sql.files.openCostInBytes": "134217728", "spark.sql.shuffle.partitions": "4"}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "lake.yaml"
    path.write_text(CONFIG, "utf-8")
    return path


@pytest.fixture(scope="module")
def local(
    cluster: Standalone, documents: Path, config: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[dict[str, Any]]]:
    """The tables of a run without a cluster."""
    output = tmp_path_factory.mktemp("local") / "out"
    submitted = cluster.submit(job(documents, output, config), CONF, master="local[2]")
    assert submitted.ended() == 0, submitted.told
    return tables(output)


def test_a_cluster_gives_the_tables_of_a_local_run(
    cluster: Standalone, documents: Path, config: Path, local: dict[str, Any], tmp_path: Path
) -> None:
    submitted = cluster.submit(job(documents, tmp_path / "out", config), CONF)
    assert submitted.ended() == 0, submitted.told
    assert tables(tmp_path / "out") == local
    record = Result(tmp_path / "out").record["counts"]
    assert (record["input_rows"], record["empty"], record["rejected"]) == (403, 1, 2)


def test_a_killed_executor_changes_no_row(
    cluster: Standalone, documents: Path, config: Path, local: dict[str, Any], tmp_path: Path
) -> None:
    submitted, daemon = hanging(cluster, job(documents, tmp_path / "out", config), tmp_path)
    os.kill(parent_of(daemon), signal.SIGKILL)
    assert submitted.ended() == 0, submitted.told
    assert tables(tmp_path / "out") == local


def test_a_task_that_fails_twice_changes_no_row(
    cluster: Standalone, documents: Path, config: Path, local: dict[str, Any], tmp_path: Path
) -> None:
    submitted = cluster.submit(job(documents, tmp_path / "out", config), CONF | faulty("fail_twice"))
    assert submitted.ended() == 0, submitted.told
    assert tables(tmp_path / "out") == local


def test_a_killed_driver_leaves_the_old_tables_and_the_next_run_completes(
    cluster: Standalone, documents: Path, config: Path, local: dict[str, Any], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    older = cluster.submit(job(documents, output, config, "--set", "profiles.default.size=64"), CONF)
    assert older.ended() == 0, older.told
    before = tables(output)
    assert before != local
    submitted, _ = hanging(cluster, job(documents, output, config, "--overwrite"), tmp_path)
    submitted.kill()
    assert tables(output) == before
    assert list((output / "_staging").iterdir()), "it was killed before it had staged anything"
    newer = cluster.submit(job(documents, output, config, "--overwrite"), CONF)
    assert newer.ended() == 0, newer.told
    assert tables(output) == local
    assert {path.name for path in output.iterdir()} == {*TABLES, "run.json"}


@pytest.mark.parametrize(
    ("bound", "reason", "detail"),
    [
        ((), "too_large", "110000000 bytes"),
        (("--set", "input.max_document_bytes=1000000000"), "chunking_failed", "MemoryError"),
    ],
    ids=["bound", "no bound"],
)
def test_a_monstrous_document_harms_no_other(
    cluster: Standalone, tmp_path: Path, bound: tuple[str, ...], reason: str, detail: str
) -> None:
    """The bound keeps it from the workers; without one, a worker runs out of the memory that Spark allows it."""
    small = [{"id": f"small-{number}", "text": f"{number}. Some words here. " * 100} for number in range(50)]
    monster = {"id": "monster", "text": "Some words here, too. " * 5_000_000}
    pq.write_table(pa.Table.from_pylist([*small[:25], monster, *small[25:]]), tmp_path / "in.parquet")
    arguments = ["run", "--input", str(tmp_path / "in.parquet"), "--output", str(tmp_path / "out"), *bound]
    submitted = cluster.submit(arguments, CONF | {"spark.executor.pyspark.memory": "2g"})
    assert submitted.ended() == 0, submitted.told
    (reject,) = rows(tmp_path / "out" / "rejects")
    assert (reject["document_id"], reject["reason"]) == ("monster", reason)
    assert detail in reject["detail"]
    chunked = {row["document_id"] for row in rows(tmp_path / "out" / "chunks")}
    assert chunked == {document["id"] for document in small}


def job(documents: Path, output: Path, config: Path, *more: str) -> list[str]:
    """The arguments of a run."""
    return ["run", "--config", str(config), "--input", str(documents), "--output", str(output), *more]


def faulty(fault: str, told: Path | None = None) -> dict[str, str]:
    """Settings that put a fault into the Python workers."""
    variables = {"PYTHONPATH": str(FAULTS), "LAKECHUNK_TEST_FAULT": fault, "LAKECHUNK_TEST_TOLD": str(told)}
    return {f"spark.executorEnv.{name}": value for name, value in variables.items()}


def hanging(cluster: Standalone, arguments: list[str], folder: Path) -> tuple[Submitted, int]:
    """A job of which one task hangs, and the process that started that task's Python worker."""
    told = folder / "told"
    submitted = cluster.submit(arguments, CONF | faulty("hang_once", told))
    wait_for(lambda: told.exists() or submitted.process.poll() is not None, "a task that hangs")
    assert told.exists(), submitted.told
    return submitted, int(told.read_text("ascii"))


def tables(output: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables, in a fixed order."""
    return {name: sorted(rows(output / name), key=repr) for name in TABLES}


def rows(table: Path) -> list[dict[str, Any]]:
    files = sorted(table.glob("*.parquet"))
    found: list[dict[str, Any]] = pa.concat_tables(pq.read_table(file) for file in files).to_pylist()
    return found
