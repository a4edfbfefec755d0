"""Chunk: one Python evaluation for each document, and what came of it, one row a document.

The result is the working table. It is written once, and every other table is made from it, so that Python never runs
twice for a document and two tables can never disagree.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.identify import with_parent_ids
from udfs.chunking import ChunkSettings
from udfs.column import chunk_by_profile

# What the tables need nothing of, once the documents are chunked.
_USED_UP = ("text", "page_offsets", "text_is_made", "repeated_chars", "reason", "detail", "outcome")


def chunk_documents(documents: DataFrame, profiles: Mapping[str, ChunkSettings]) -> DataFrame:
    """Adds `outcome`, of the type `udfs.column.OUTCOME`. Rejected documents never reach Python.

    Args:
        documents: as from `check_documents`: rows with `text`, what is known of it, `profile` and `reason`.
        profiles: the settings of each profile.
    """
    fit = F.col("reason").isNull()
    text = F.when(fit, F.col("text"))
    profile = F.when(fit, F.col("profile"))
    about = {name: F.col(name) for name in ("title", "content_type", "source")} | {"pages": F.col("page_offsets")}
    return documents.withColumn("outcome", chunk_by_profile(text, profile, profiles, about))


def working_table(chunked: DataFrame) -> DataFrame:
    """One row for each row of the input, with its status and all that the tables need of it.

    `canonical` is null where the canonical text is the source text.
    """
    failure = F.col("outcome.failure")
    reason = F.coalesce(F.col("reason"), F.when(failure.isNotNull(), "chunking_failed"))
    canonical = F.coalesce(F.col("outcome.canonical"), F.col("text"))
    differs = F.col("outcome.canonical").isNotNull() | F.col("text_is_made")
    of_the_text = {
        "document_hash": F.sha2(canonical, 256),
        "char_count": F.length(canonical).cast("long"),
        "canonical": F.when(differs, canonical),
        "removed": _removed(chunked),
        "metadata": F.coalesce("outcome.metadata", _nothing("map<string,string>")),
    }
    # Counted here, so that nobody has to read the chunks again for it.
    tokens = F.aggregate("outcome.chunks", F.lit(0).cast("long"), lambda total, chunk: total + chunk["token_count"])
    of_the_chunks = {"chunk_count": F.size("outcome.chunks"), "token_count": tokens}
    status = _status(reason)
    return chunked.select(
        *(name for name in chunked.columns if name not in _USED_UP),
        reason.alias("reason"),
        F.coalesce(F.col("detail"), failure).alias("detail"),
        F.col("outcome.strategy").alias("strategy"),
        status.alias("status"),
        *(F.when(reason.isNull(), column).alias(name) for name, column in of_the_text.items()),
        *(F.when(status == "chunked", column).otherwise(0).alias(name) for name, column in of_the_chunks.items()),
        F.col("outcome.chunks").alias("chunks"),
        with_parent_ids(F.col("document_id"), F.col("outcome.parents")).alias("parents"),
        F.col("outcome.seconds").alias("seconds"),
    )


def _removed(chunked: DataFrame) -> Column:
    """Code points that are in no chunk, by reason: those that the engine took out, and repeated lines."""
    nothing = _nothing("map<string,int>")
    removed = F.coalesce("outcome.removed", nothing)
    if "repeated_chars" not in chunked.columns:
        return removed
    lines = F.create_map(F.lit("repeated_line"), F.col("repeated_chars"))
    return F.map_concat(removed, F.when(F.col("repeated_chars") > 0, lines).otherwise(nothing))


def _nothing(kind: str) -> Column:
    """An empty map."""
    return F.create_map().cast(kind)


def _status(reason: Column) -> Column:
    chunks = F.size("outcome.chunks")
    return F.when(reason.isNotNull(), "rejected").when(chunks == 0, "empty").otherwise("chunked")
