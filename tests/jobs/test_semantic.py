"""semantic in Spark, with a real model: the driver finds it, workers load it, chunks end where the topic changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from tests.udfs.chunking.semantic.chunkers import word_model
from udfs import chunk
from udfs.chunking import SettingsError

pytestmark = pytest.mark.spark


def chunks_of(spark: SparkSession, text: str, model: str) -> list[str]:
    rows = spark.createDataFrame([(number, text) for number in range(6)], "id int, text string").repartition(3)
    column = chunk("text", strategy="semantic", size=200, overlap=0, semantic={"model": model})
    chunked = rows.select("id", F.explode(column).alias("c")).select("id", "c.*").orderBy("id", "chunk_index").collect()
    found = {number: [row["text"] for row in chunked if row["id"] == number] for number in range(6)}
    assert all(found[number] == found[0] for number in found), "equal documents are cut alike in every partition"
    return found[0]


def test_two_topics_and_an_unrelated_sentence_are_three_chunks(spark: SparkSession) -> None:
    # Skips, and says so, where the model is not installed.
    from tests.udfs.chunking.semantic.test_real_model import BREAD, MINILM, UNRELATED, VOLCANOES

    assert chunks_of(spark, f"{VOLCANOES} {UNRELATED} {BREAD}", MINILM) == [VOLCANOES, UNRELATED, BREAD]


def test_a_small_model_travels_with_the_job(spark: SparkSession, tmp_path: Path) -> None:
    pytest.importorskip("model2vec", reason="needs lakechunk[semantic]")
    model = tmp_path / "model"
    model.mkdir()
    word_model(model)
    column = chunk("text", strategy="semantic", size=200, overlap=0, semantic={"model": str(model), "method": "dips"})
    model.rename(tmp_path / "gone")  # workers never look for it
    pumps = "Pump water valve. Pipe flow tank. Lift pressure water. "
    cats = "Cat kitten purr. Paw fur tail. Mouse paw. "
    rows = spark.createDataFrame([(pumps * 2 + cats * 2,)], "text string").select(F.explode(column).alias("c"))
    assert [row["c"]["text"] for row in rows.collect()] == [(pumps * 2).strip(), (cats * 2).strip()]


def test_a_model_that_is_missing_fails_where_the_job_starts() -> None:
    with pytest.raises(SettingsError, match="no-such-model"):
        chunk("text", strategy="semantic", semantic={"model": "no-such-model"})
    with pytest.raises(SettingsError, match="needs a model"):
        chunk("text", strategy="semantic")
