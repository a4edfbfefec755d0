"""The same documents give the same rows, whatever the partitions, batches, retries and processes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import ROOT, Result

DOCUMENTS = [
    {
        "id": f"doc-{i:03d}",
        "text": "\n\n".join(f"Doc {i} paragraph {p}. " + "Filler words follow here. " * (p % 5) for p in range(i % 17)),
    }
    for i in range(60)
]
SHUFFLED = random.Random(7).sample(DOCUMENTS, len(DOCUMENTS))
SETTINGS = ("profiles.default.size=40", "profiles.default.overlap=8")


def lake(folder: Path, documents: list[dict[str, str]], files: int) -> Path:
    folder.mkdir()
    for number in range(files):
        pq.write_table(pa.Table.from_pylist(documents[number::files]), folder / f"part-{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def reference(module_run: Callable[..., Result], tmp_path_factory: pytest.TempPathFactory) -> Result:
    return module_run(lake(tmp_path_factory.mktemp("reference") / "lake", DOCUMENTS, 1), *SETTINGS)


def assert_same(found: Result, reference: Result) -> None:
    assert found.rows("chunks") == reference.rows("chunks")
    assert found.rows("documents") == reference.rows("documents")
    assert found.rows("sizes", by=("scope", "name")) == reference.rows("sizes", by=("scope", "name"))


def test_the_reference_has_documents_of_every_length(reference: Result) -> None:
    counts = {row["chunk_count"] for row in reference.rows("documents")}
    assert {0, 1} < counts
    assert len(counts) > 5


@pytest.mark.parametrize(
    ("files", "adaptive", "batch"), [(3, "false", "1"), (8, "true", "7")], ids=["3-files", "8-files"]
)
def test_order_partitions_batches_and_adaptive_execution_change_nothing(
    run: Callable[..., Result], spark: Any, tmp_path: Path, reference: Result, files: int, adaptive: str, batch: str
) -> None:
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", batch)
    assert_same(run(lake(tmp_path / "lake", SHUFFLED, files), *SETTINGS), reference)


_RUN_WITH_A_FAILURE = """
import sys
from pyspark import TaskContext
from jobs.session import get_session
from jobs.run import run_job
from jobs.settings import load_settings

seen = 0

def fails_once(value):
    global seen
    seen += 1
    context = TaskContext.get()
    if context.partitionId() == 0 and context.attemptNumber() == 0 and seen > 10:
        raise RuntimeError("this task dies once")
    return True

source, target = sys.argv[1:]
spark = get_session({"spark.master": "local[2,4]", "spark.sql.shuffle.partitions": "2", "spark.driver.memory": "1g",
                     "spark.sql.execution.arrow.maxRecordsPerBatch": "4",
                     "spark.sql.files.openCostInBytes": "134217728"})
spark.udf.register("fails_once", fails_once, "boolean")
routing = "routing=[{when: fails_once(document_id), profile: default}]"
sets = [routing, "profiles.default.size=40", "profiles.default.overlap=8"]
run_job(load_settings(None, sets, {"input.path": source, "output.path": target}), spark)
failed = spark.sparkContext._jsc.sc().statusStore().executorList(False).head().failedTasks()
print("failed tasks:", failed)
"""


def test_a_task_that_dies_half_way_and_another_process_change_nothing(tmp_path: Path, reference: Result) -> None:
    source = lake(tmp_path / "lake", SHUFFLED, 2)
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-c", _RUN_WITH_A_FAILURE, str(source), str(tmp_path / "out")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "failed tasks: 1" in done.stdout
    assert_same(Result(tmp_path / "out"), reference)


def test_ids_are_unique_and_equal_texts_of_two_documents_differ(run: Callable[..., Result]) -> None:
    text = "The same words again and again. " * 40
    out = run([{"id": "a", "text": text}, {"id": "b", "text": text}], *SETTINGS)
    ids = [row["chunk_id"] for row in out.rows("chunks")]
    assert len(ids) == len(set(ids)) > 10
    assert len({row["content_hash"] for row in out.rows("chunks")}) < len(ids) / 2


def test_text_added_at_the_end_keeps_the_ids_of_unchanged_chunks(run: Callable[..., Result]) -> None:
    base = "\n\n".join(f"Paragraph {i}. The tank is rinsed twice and left to dry." for i in range(30))
    before = run([{"id": "d", "text": base}], *SETTINGS, name="before").rows("chunks")
    longer = [{"id": "d", "text": base + "\n\nOne more line at the end."}]
    after = {row["chunk_id"] for row in run(longer, *SETTINGS, name="after").rows("chunks")}
    changed = [row["chunk_index"] for row in before if row["chunk_id"] not in after]
    assert all(index >= len(before) - 2 for index in changed)
