"""What Spark is going to do: one Python evaluation a document, and nothing that changes from run to run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.check import reject_duplicates, reject_unfit, repeated_ids
from jobs.chunk import chunk_documents, working_table
from jobs.identify import chunk_id, content_hash
from jobs.read import read_documents
from jobs.route import route
from jobs.settings import load_settings
from jobs.tables import chunks_table, documents_table, rejects_table

EVALUATION = re.compile(r"EvalPython|MapInPandas|MapInArrow|PythonUDTF")
UNSTEADY = re.compile(
    r"\b(rand|uuid|monotonically_increasing_id|spark_partition_id)\(|current_timestamp", re.IGNORECASE
)


def plan_of(rows: Any) -> str:
    return str(rows._jdf.queryExecution().executedPlan().toString())


@pytest.fixture
def settings(tmp_path: Path) -> Any:
    pq.write_table(pa.table({"id": ["a", "a"], "text": ["x", "y"], "n": [1, 2]}), tmp_path / "in.parquet")
    routing = "routing=[{when: n > 1, profile: whole}, {profile: default}]"
    return load_settings(None, [routing, "input.carry=[n]"], {"input.path": str(tmp_path / "in.parquet")})


@pytest.mark.parametrize("duplicates", [False, True])
def test_the_working_table_holds_one_python_evaluation(spark: Any, settings: Any, duplicates: bool) -> None:
    routed = route(read_documents(spark, settings.input), settings.rules)
    checked = reject_unfit(routed, 1000)
    if duplicates:
        checked = reject_duplicates(checked, repeated_ids(routed))
    plan = plan_of(working_table(chunk_documents(checked, settings.profiles_resolved)))
    assert len(EVALUATION.findall(plan)) == 1
    assert not UNSTEADY.search(plan)
    # Without duplicates nothing is shuffled: texts stay where they are read.
    assert ("Exchange" in plan) == duplicates


def test_the_tables_are_made_without_python(spark: Any, settings: Any, tmp_path: Path) -> None:
    routed = route(read_documents(spark, settings.input), settings.rules)
    work = working_table(chunk_documents(reject_unfit(routed, 1000), settings.profiles_resolved))
    work.write.parquet(str(tmp_path / "work"))
    stored = spark.read.schema(work.schema).parquet(str(tmp_path / "work"))
    profiles = settings.profiles_resolved
    for rows in (chunks_table(stored, profiles), documents_table(stored, profiles), rejects_table(stored)):
        assert not EVALUATION.search(plan_of(rows))
        assert not UNSTEADY.search(plan_of(rows))


def test_an_id_is_read_in_one_way_only(spark: Any) -> None:
    from pyspark.sql import functions as F

    rows = spark.createDataFrame(
        [("a\x1fb", "c", 0), ("a", "b\x1fc", 0), ("a", "b", 1), ("a", "b", 0)], "d string, t string, o int"
    )
    hashed = rows.select(chunk_id(F.col("d"), content_hash(F.col("t")), F.col("o")).alias("id"))
    assert len({row["id"] for row in hashed.collect()}) == 4
