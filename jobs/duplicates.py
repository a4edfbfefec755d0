"""Which chunks say what an earlier chunk of the run has said already, counted by scope.

Plan: most texts occur once, and to compare and move a short number for each chunk is much cheaper than a hash with all
that says which chunk is the first. So numbers that occur more than once are found first; only their chunks are grouped
by the whole content_hash, and two texts that share a number by chance fall apart there.
Counts are added up before anything is moved, so that a text which millions of chunks share weighs no more than others.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.scopes import scopes


def repeated_texts(chunks: DataFrame, sources: Sequence[str]) -> DataFrame:
    """By scope and name: of the chunks whose text may occur more than once, how many are here, and how many come first.

    The columns: `repeatable`, those chunks; `firsts`, how many of them are the first of their text; `most_repeated`,
    how many chunks share the commonest of the texts that are first here. All other chunks are the only ones of their
    text. A scope without such chunks has no row.

    Args:
        chunks: the table `chunks`; the first chunk of a text is the first by document_id and chunk_index.
        sources: those that have a row of their own.
    """
    number = F.xxhash64("content_hash").alias("number")
    several = chunks.select(number).groupBy("number").agg(F.count("*").alias("chunks")).where("chunks > 1")
    place = ("document_id", "chunk_index", "profile", "content_type", "source")
    found = chunks.select(number, "content_hash", *place).join(several.select("number"), "number", "left_semi")
    # What stands first in the struct decides which is the least.
    texts = found.groupBy("content_hash").agg(F.count("*").alias("chunks"), F.min(F.struct(*place)).alias("first"))
    first = texts.select("chunks", "first.*").select(F.explode(scopes(sources)).alias("of"), "chunks")
    firsts = first.groupBy("of.scope", "of.name").agg(
        F.count("*").alias("firsts"), F.max("chunks").alias("most_repeated")
    )
    here = found.select(F.explode(scopes(sources)).alias("of")).groupBy("of.scope", "of.name")
    counted = here.agg(F.count("*").alias("repeatable"), F.lit(None).cast("long").alias("firsts"))
    return (
        counted.withColumn("most_repeated", F.lit(None).cast("long"))
        .unionByName(firsts.withColumn("repeatable", F.lit(None).cast("long")))
        .groupBy("scope", "name")
        .agg(*(F.max(name).alias(name) for name in ("repeatable", "firsts", "most_repeated")))
    )
