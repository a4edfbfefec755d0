"""How often each size occurs: one pass over the chunks, and as many rows as there are sizes, not chunks.

Percentiles and histograms are made of these, whatever the number of chunks.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.measuring.scopes import known_source
from schemas import HISTOGRAM_UNITS


def size_tallies(chunks: DataFrame, sources: Sequence[str]) -> DataFrame:
    """By profile, content type, source and unit, how many chunks (chunk_count) are of which size (value).

    Args:
        chunks: the table `chunks`.
        sources: those that have rows of their own; the others are null.
    """
    tokens, characters = HISTOGRAM_UNITS
    sizes = F.create_map(
        F.lit(tokens), F.col("token_count"), F.lit(characters), F.col("char_end") - F.col("char_start")
    )
    each = chunks.select("profile", "content_type", known_source(sources), F.explode(sizes).alias("unit", "value"))
    return each.groupBy(*each.columns).agg(F.count("*").alias("chunk_count"))
