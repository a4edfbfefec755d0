"""Which chunks say what an earlier chunk of the run has said already, counted by scope.

Chunks are grouped by their content_hash alone: counts are added up before anything is moved, so that a text which
millions of chunks share weighs no more than any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.scopes import scopes


def first_texts(chunks: DataFrame, sources: Sequence[str]) -> DataFrame:
    """By scope and name: how many texts have their first chunk there, and how many chunks share the commonest of them.

    A scope's other chunks are duplicates. A scope that holds no first chunk has no row.

    Args:
        chunks: the table `chunks`; the first chunk of a text is the first by document_id and chunk_index.
        sources: those that have a row of their own.
    """
    # What comes first in the struct decides which is the least.
    first = F.min(F.struct("document_id", "chunk_index", "profile", "content_type", "source"))
    # Half as long as bytes, and the hashes are what is moved.
    texts = chunks.groupBy(F.unhex("content_hash")).agg(F.count("*").alias("chunks"), first.alias("first"))
    texts = texts.select("chunks", "first.profile", "first.content_type", "first.source")
    texts = texts.select("chunks", F.explode(scopes(sources)).alias("of"))
    return texts.groupBy("of.scope", "of.name").agg(F.count("*").alias("texts"), F.max("chunks").alias("most_repeated"))
