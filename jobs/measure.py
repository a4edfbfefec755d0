"""Measure: how large the chunks came out, by Spark aggregates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.duplicates import first_texts
from jobs.scopes import scopes
from jobs.tables import conform
from schemas import FORCED_CUTS, PERCENTILES, SIZES
from udfs.chunking import CUTS, ChunkSettings

# Up to so many chunks the percentiles are exact; beyond, exactness would cost a sort of all of them.
EXACT_UP_TO = 200_000

# Relative error of the rank: 1 / 10,000.
ACCURACY = 10_000

# A chunk under this share of its limit is a crumb.
TINY = 0.1


def sizes_table(
    chunks: DataFrame,
    profiles: Mapping[str, ChunkSettings],
    chunk_count: int,
    sources: Sequence[str] = (),
    exact_up_to: int = EXACT_UP_TO,
) -> DataFrame:
    """The table `sizes`: a row for all chunks, for each profile, each content type and each of these sources.

    Args:
        chunks: the table `chunks`.
        profiles: the settings of each profile, for the limits.
        chunk_count: how many chunks there are; decides whether the percentiles are exact.
        sources: those that get a row: `top_sources`.
        exact_up_to: the largest chunk_count with exact percentiles.
    """
    exact = chunk_count <= exact_up_to
    measured = chunks.select(
        F.explode(scopes(sources)).alias("of"),
        F.col("token_count").alias("token"),
        (F.col("char_end") - F.col("char_start")).alias("char"),
        _share_of_limit(profiles).alias("share"),
        "oversize",
        "cut",
    )
    rows = measured.groupBy("of.scope", "of.name").agg(*_measures(exact))
    rows = _with_duplicates(rows, first_texts(chunks, sources))
    rows = _with_percentiles(rows).withColumn("percentile_method", F.lit("exact" if exact else "approximate"))
    rows = rows.withColumn("percentile_accuracy", F.lit(None if exact else ACCURACY))
    return conform("sizes", rows.select(*SIZES.names), SIZES).coalesce(1).sortWithinPartitions("scope", "name")


def _share_of_limit(profiles: Mapping[str, ChunkSettings]) -> Column:
    """Size used / size allowed, both in the profile's unit."""
    limits = F.create_map(*(part for name, p in profiles.items() for part in (F.lit(name), F.lit(p.limit))))
    in_characters = [name for name, settings in profiles.items() if settings.unit == "characters"]
    used = F.when(F.col("profile").isin(in_characters), F.length("embed_text")).otherwise(F.col("token_count"))
    return used / limits[F.col("profile")]


def _measures(exact: bool) -> list[Column]:
    columns = [F.count("*").alias("chunk_count")]
    for of in ("token", "char"):
        value = F.col(of)
        columns += [F.avg(value).alias(f"{of}_mean"), F.min(value).alias(f"{of}_min"), F.max(value).alias(f"{of}_max")]
        columns.append(_percentiles(value, exact).alias(f"{of}_percentiles"))
    share = F.col("share")
    return [
        *columns,
        # A sum of decimals does not depend on the order of the rows; one of doubles does, in the last digit.
        F.avg(share.cast("decimal(20,10)")).alias("share_of_limit"),
        F.count_if((share > 1) & ~F.col("oversize")).alias("over_limit"),
        F.count_if(share < TINY).alias("tiny"),
        _cut_shares().alias("cut_shares"),
        _forced_cuts().alias("forced_cuts"),
    ]


def _percentiles(value: Column, exact: bool) -> Column:
    shares = [p / 100 for p in PERCENTILES]
    if exact:
        return F.percentile(value, shares)
    return F.percentile_approx(value, shares, ACCURACY)


def _cut_shares() -> Column:
    pairs = [part for cut in CUTS for part in (F.lit(cut), F.avg((F.col("cut") == cut).cast("double")))]
    return F.map_filter(F.create_map(*pairs), lambda _, share: share > 0)


def _forced_cuts() -> Column:
    pairs = [part for cut in FORCED_CUTS for part in (F.lit(cut), F.count_if(F.col("cut") == cut))]
    return F.map_filter(F.create_map(*pairs), lambda _, count: count > 0)


def _with_duplicates(rows: DataFrame, firsts: DataFrame) -> DataFrame:
    """All chunks of a scope but the first of each text; two tables of a row a scope are joined."""
    firsts = firsts.select(F.col("scope").alias("_scope"), F.col("name").alias("_name"), "texts", "most_repeated")
    same = (F.col("scope") == F.col("_scope")) & F.col("name").eqNullSafe(F.col("_name"))
    texts = F.coalesce("texts", F.lit(0))
    return (
        rows.join(F.broadcast(firsts), same, "left")
        .withColumn("duplicates", F.col("chunk_count") - texts)
        .withColumn("most_repeated", F.coalesce("most_repeated", F.lit(0)))
    )


def _with_percentiles(rows: DataFrame) -> DataFrame:
    columns = {
        f"{of}_p{percentile}": F.col(f"{of}_percentiles")[place]
        for of in ("token", "char")
        for place, percentile in enumerate(PERCENTILES)
    }
    return rows.withColumns(columns)
