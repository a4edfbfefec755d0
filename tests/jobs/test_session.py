"""The session: whose it is, and what bounds a batch."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

from jobs.session import QUERY_SETTINGS, get_session, is_remote


def test_an_active_session_is_used_and_not_changed(spark: Any) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "77")
    assert get_session({"spark.sql.execution.arrow.maxRecordsPerBatch": "1"}) is spark
    assert spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "77"


def test_a_new_session_has_our_settings(spark: Any) -> None:
    assert {key: spark.conf.get(key) for key in QUERY_SETTINGS} == QUERY_SETTINGS
    assert not is_remote(spark)


@pytest.mark.skipif(not hasattr(F, "arrow_udf"), reason="before Spark 4.1 there are no Arrow UDFs to look into")
def test_arrow_batches_are_bounded_by_bytes(spark: Any) -> None:
    def bytes_in_batch(texts: pa.Array) -> pa.Array:
        return pa.array([texts.nbytes] * len(texts), pa.int64())

    documents = spark.range(12).select(F.expr("repeat('lorem ', 200000)").alias("text")).coalesce(1)
    arrow_udf: Any = getattr(F, "arrow_udf")  # noqa: B009 - its absence is what the skip is for
    sizes = documents.select(arrow_udf(bytes_in_batch, LongType())("text").alias("size"))
    bound = int(QUERY_SETTINGS["spark.sql.execution.arrow.maxBytesPerBatch"])
    # Spark closes a batch with the document that reaches the bound.
    assert bound / 2 < sizes.agg(F.max("size")).first()[0] < bound + 2_000_000
