"""What sizes are told of: all chunks, each profile, each content type, and the sources with the most chunks."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

# Sources may be one a document, so only those with the most chunks have rows of their own.
TOP_SOURCES = 20


def top_sources(chunks: DataFrame, most: int = TOP_SOURCES) -> list[str]:
    """The sources with the most chunks, the first ones by name among equals; none where sources are unknown.

    Args:
        chunks: the table `chunks`.
        most: how many sources at most.
    """
    counted = chunks.where("source IS NOT NULL").groupBy("source").agg(F.count("*").alias("chunks"))
    first = counted.orderBy(F.desc("chunks"), "source").limit(most)
    return [row["source"] for row in first.collect()]  # at most `most` rows


def known_source(sources: Sequence[str]) -> Column:
    """The column `source`, null where it has no row of its own."""
    return F.when(F.col("source").isin(list(sources)), F.col("source")).alias("source")


def scopes(sources: Sequence[str]) -> Column:
    """The scopes that a chunk is in, as an array of structs (scope, name).

    Args:
        sources: those that have a row of their own; all others are in no scope `source`.
    """
    each = [
        _scope("overall", F.lit(None)),
        _scope("profile", F.col("profile")),
        _scope("content_type", F.col("content_type")),
    ]
    if not sources:
        return F.array(*each)
    with_source = F.array(*each, _scope("source", F.col("source")))
    return F.when(F.col("source").isin(list(sources)), with_source).otherwise(F.array(*each))


def _scope(scope: str, name: Column) -> Column:
    return F.struct(F.lit(scope).alias("scope"), name.cast("string").alias("name"))
