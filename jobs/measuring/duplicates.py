"""Which chunks say what an earlier chunk of the run has said already, counted by scope.

Each text is grouped by its hash once. Counts and the first chunk are found before anything is moved, so that a text
which millions of chunks share weighs no more than others. (To find the hashes that occur twice first, by a short
number, and to group only their chunks, was measured: the join costs more than it saves.)
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.measuring.scopes import known_source, scopes


def first_of_texts(chunks: DataFrame, sources: Sequence[str]) -> DataFrame:
    """By scope and name: how many chunks are the first of their text (`firsts`), and `most_repeated`.

    `most_repeated` is how many chunks of the run share the commonest of the texts that are first here. All other
    chunks of a scope are duplicates. A scope in which no text is first has no row.

    Args:
        chunks: the table `chunks`; the first chunk of a text is the first by document_id and chunk_index.
        sources: those that have a row of their own.
    """
    # Half as long as its hexadecimal form; what stands first in the struct decides which is the least.
    text = F.unhex("content_hash").alias("text")
    place = F.struct("document_id", "chunk_index", "profile", "content_type", "source")
    texts = chunks.select(text, place.alias("place")).groupBy("text")
    first = texts.agg(F.count("*").alias("chunks"), F.min("place").alias("first")).select("chunks", "first.*")
    counts = F.count("*").alias("firsts"), F.max("chunks").alias("most_repeated")
    # Added up over what the scopes tell apart, before each text would be taken apart into its scopes.
    parts = ("profile", "content_type", known_source(sources))
    few = first.groupBy(*parts).agg(*counts).select(F.explode(scopes(sources)).alias("of"), "firsts", "most_repeated")
    added = F.sum("firsts").alias("firsts"), F.max("most_repeated").alias("most_repeated")
    return few.groupBy("of.scope", "of.name").agg(*added)
