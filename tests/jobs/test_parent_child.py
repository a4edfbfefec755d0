"""parent_child end to end: parents once each in their table, every chunk pointing to its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jobs.run import run_job
from jobs.settings import load_settings
from udfs import chunk
from udfs.chunking import Chunker

pytestmark = pytest.mark.spark

TEXT = "# Pumps\n\n" + "Water runs down the pipe. " * 30 + "\n\n## Limits\n\n" + "Nothing runs up. " * 30
TWICE = "\n\n".join(["The same words again, and again the same."] * 4)
SETTINGS: dict[str, Any] = {
    "strategy": "parent_child",
    "parent": {"strategy": "markdown", "size": 60},
    "child": {"strategy": "sentence", "size": 20, "overlap": 4},
}


def run(spark: SparkSession, folder: Path, texts: dict[str, str], profile: dict[str, Any], name: str) -> Path:
    source = folder / "documents"
    source.mkdir(exist_ok=True)
    pq.write_table(pa.table({"id": list(texts), "text": list(texts.values())}), source / "1.parquet")
    sets = [f"profiles.default={profile}"]
    overrides = {"input.path": str(source), "output.path": str(folder / name)}
    run_job(load_settings(None, sets, overrides), spark)
    return folder / name


def test_parents_stand_once_each_and_every_chunk_points_to_its_own(spark: SparkSession, tmp_path: Path) -> None:
    texts = {"pumps": TEXT, "twice": TWICE, "blank": " ", "again": TEXT}
    output = run(spark, tmp_path, texts, SETTINGS, "out")
    parents = {row["parent_id"]: row for row in spark.read.parquet(str(output / "parents")).collect()}
    chunks = spark.read.parquet(str(output / "chunks")).collect()
    batch = Chunker(**SETTINGS).chunk_batch(list(texts.values()))
    assert batch.parents is not None
    assert len(parents) == len(batch.parents)
    assert {row["document_id"] for row in parents.values()} == {"pumps", "twice", "again"}
    for row in chunks:
        parent = parents[row["parent_id"]]
        assert parent["document_id"] == row["document_id"]
        assert parent["char_start"] <= row["char_start"] < row["char_end"] <= parent["char_end"]
        assert parent["text"] == texts[row["document_id"]][parent["char_start"] : parent["char_end"]]
        assert row["text"] in parent["text"]
        assert "parent_text" not in row.asDict()
    assert {row["parent_id"] for row in chunks} == set(parents)
    assert not {row["chunk_id"] for row in chunks} & set(parents)


def test_ids_of_parents_survive_runs_and_edits_elsewhere(spark: SparkSession, tmp_path: Path) -> None:
    first = run(spark, tmp_path, {"pumps": TEXT}, SETTINGS, "first")
    edited = run(spark, tmp_path, {"pumps": TEXT + "\n\nOne more line at the end."}, SETTINGS, "edited")
    again = run(spark, tmp_path, {"pumps": TEXT}, SETTINGS, "again")

    def ids(output: Path) -> list[str]:
        rows = spark.read.parquet(str(output / "parents")).orderBy("char_start").collect()
        return [row["parent_id"] for row in rows]

    assert ids(first) == ids(again)
    assert ids(edited)[:2] == ids(first)[:2]


def test_inline_repeats_the_text_of_the_parent_on_every_chunk(spark: SparkSession, tmp_path: Path) -> None:
    output = run(spark, tmp_path, {"pumps": TEXT}, {**SETTINGS, "parents": "inline"}, "out")
    parents = spark.read.parquet(str(output / "parents")).select("parent_id", F.col("text").alias("whole"))
    chunks = spark.read.parquet(str(output / "chunks")).join(parents, "parent_id")
    assert chunks.where("parent_text <=> whole").count() == chunks.count() > 5


def test_the_column_tells_parents_apart(spark: SparkSession) -> None:
    rows = spark.createDataFrame([(TEXT,)], "text string")
    chunked = rows.select(F.explode(chunk("text", **SETTINGS, parents="inline")).alias("c")).select("c.*").collect()
    expected = Chunker(**SETTINGS, parents="inline").chunk(TEXT)
    assert [(row["parent_index"], row["parent_text"]) for row in chunked] == [
        (one.parent_index, one.parent_text) for one in expected
    ]
