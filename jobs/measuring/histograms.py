"""The table `histograms`: how many chunks are of which size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jobs.measuring.scopes import scopes
from jobs.tables import conform
from schemas import HISTOGRAM_BINS, HISTOGRAM_UNITS, HISTOGRAMS
from udfs.chunking import ChunkSettings

# So many characters are taken for a token where a limit is needed in the unit that a profile does not use.
CHARACTERS_A_TOKEN = 4


def histograms_table(tallies: DataFrame, profiles: Mapping[str, ChunkSettings], sources: Sequence[str]) -> DataFrame:
    """The table `histograms`: by scope, name and unit a row for each bin in which there are chunks.

    Bins are counted from the largest limit of the profiles in a scope, so that this limit ends a bin; the lowest bin
    may be narrower than the others.

    Args:
        tallies: how often each size occurs: `size_tallies`.
        profiles: the settings of each profile, for the limits.
        sources: those that get rows: `top_sources`.
    """
    counted = tallies.select(
        F.explode(scopes(sources)).alias("of"), "unit", "value", "chunk_count", _limits(profiles).alias("limit")
    )
    counted = counted.groupBy("of.scope", "of.name", "unit", "value").agg(
        F.sum("chunk_count").alias("chunk_count"), F.max("limit").alias("limit")
    )
    largest = F.max("limit").over(Window.partitionBy("scope", "name", "unit"))
    binned = counted.withColumn("limit", largest).select("scope", "name", "unit", *_bin(), "chunk_count")
    rows = binned.groupBy("scope", "name", "unit", "bin_start", "bin_end").agg(
        F.sum("chunk_count").alias("chunk_count")
    )
    ordered = rows.coalesce(1).sortWithinPartitions("scope", "name", "unit", "bin_start")
    return conform("histograms", ordered.select(*HISTOGRAMS.names), HISTOGRAMS)


def histogram_limit(settings: ChunkSettings, unit: str) -> int:
    """The limit of a profile in this unit; in the one that it does not use, a guess.

    >>> histogram_limit(ChunkSettings(size=100), "characters")
    400
    """
    if settings.unit == unit:
        return settings.limit
    if unit == "characters":
        return settings.limit * CHARACTERS_A_TOKEN
    return -(-settings.limit // CHARACTERS_A_TOKEN)


def _limits(profiles: Mapping[str, ChunkSettings]) -> Column:
    limits = F.create_map(
        *(
            part
            for name, settings in profiles.items()
            for unit in HISTOGRAM_UNITS
            for part in (F.concat_ws("/", F.lit(unit), F.lit(name)), F.lit(histogram_limit(settings, unit)))
        )
    )
    return limits[F.concat_ws("/", F.col("unit"), F.col("profile"))]


def _bin() -> list[Column]:
    """Where the bin of a value begins and ends, in steps from the limit up and down."""
    width = F.ceil(F.col("limit") / HISTOGRAM_BINS)
    # A tokenizer may drop all there is: a chunk of no tokens stands in the lowest bin, which never ends at 0.
    size = F.greatest(F.col("value"), F.lit(1))
    end = F.col("limit") - F.floor((F.col("limit") - size) / width) * width
    return [F.greatest(end - width, F.lit(0)).alias("bin_start"), end.alias("bin_end")]
