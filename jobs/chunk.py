"""Chunk: one Python evaluation for each document, and what came of it, one row a document.

The result is the working table. It is written once, and every other table is made from it, so that Python never runs
twice for a document and two tables can never disagree.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from udfs.chunking import ChunkSettings
from udfs.column import chunk_by_profile


def chunk_documents(documents: DataFrame, profiles: Mapping[str, ChunkSettings]) -> DataFrame:
    """Adds `outcome`: struct<canonical, failure, chunks>. Rejected documents never reach Python.

    Args:
        documents: rows with `document_id`, `text`, `profile` and `reason`.
        profiles: the settings of each profile.
    """
    fit = F.col("reason").isNull()
    text = F.when(fit, F.col("text"))
    profile = F.when(fit, F.col("profile"))
    return documents.withColumn("outcome", chunk_by_profile(text, profile, profiles))


def working_table(chunked: DataFrame) -> DataFrame:
    """One row for each row of the input, with its status and all that the tables need of it."""
    failure = F.col("outcome.failure")
    reason = F.coalesce(F.col("reason"), F.when(failure.isNotNull(), "chunking_failed"))
    canonical = F.coalesce(F.col("outcome.canonical"), F.col("text"))
    kept = [name for name in chunked.columns if name not in ("text", "reason", "detail", "outcome")]
    return chunked.select(
        *kept,
        reason.alias("reason"),
        F.coalesce(F.col("detail"), failure).alias("detail"),
        _status(reason).alias("status"),
        F.when(reason.isNull(), F.sha2(canonical, 256)).alias("document_hash"),
        F.when(reason.isNull(), F.length(canonical).cast("long")).alias("char_count"),
        F.col("outcome.canonical").alias("canonical"),
        F.col("outcome.chunks").alias("chunks"),
    )


def _status(reason: Column) -> Column:
    chunks = F.size("outcome.chunks")
    return F.when(reason.isNotNull(), "rejected").when(chunks == 0, "empty").otherwise("chunked")
