"""Measure: how large the chunks came out, by Spark aggregates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.measuring.duplicates import first_of_texts
from jobs.measuring.scopes import known_source, scopes
from jobs.tables import conform
from schemas import FORCED_CUTS, HISTOGRAM_UNITS, PERCENTILES, SIZES
from udfs.chunking import CUTS, ChunkSettings, auto

# Up to so many rows of tallies the percentiles are exact: more sizes than that are not worth holding in memory.
EXACT_UP_TO = 200_000

# Relative error of the rank: 1 / 10,000.
ACCURACY = 10_000

# Versions of Spark interpolate percentiles with other roundings: 86.05 in one is 86.05000000000001 in another.
DIGITS = 6

# A chunk under this share of its limit is a crumb.
TINY = 0.1

# Columns of several percentiles, in the order of the units of histograms.
_PERCENTILES = ("token_percentiles", "char_percentiles")


def sizes_table(
    chunks: DataFrame,
    tallies: DataFrame,
    profiles: Mapping[str, ChunkSettings],
    sources: Sequence[str] = (),
    exact_up_to: int = EXACT_UP_TO,
) -> DataFrame:
    """The table `sizes`: a row for all chunks, for each profile, each content type and each of these sources.

    Args:
        chunks: the table `chunks`.
        tallies: how often each size occurs: `size_tallies`; counted once, to decide how percentiles are made.
        profiles: the settings of each profile, for the limits.
        sources: those that get a row: `top_sources`.
        exact_up_to: so many rows of tallies give exact percentiles.
    """
    exact = tallies.count() <= exact_up_to
    rows = _counted(chunks, profiles, sources)
    rows = _beside(rows, _exact(tallies, sources) if exact else _approximate(chunks, sources))
    rows = _beside(rows, first_of_texts(chunks, sources))
    rows = rows.withColumns(_columns()).withColumn("percentile_method", F.lit("exact" if exact else "approximate"))
    rows = rows.withColumn("percentile_accuracy", F.lit(None if exact else ACCURACY))
    return conform("sizes", rows.select(*SIZES.names), SIZES).coalesce(1).sortWithinPartitions("scope", "name")


def _counted(chunks: DataFrame, profiles: Mapping[str, ChunkSettings], sources: Sequence[str]) -> DataFrame:
    """Counts and sums by scope: over the chunks by what the scopes tell apart, and then over those few rows."""
    measured = chunks.select(
        "profile",
        "content_type",
        known_source(sources),
        F.col("token_count").cast("long").alias("token"),
        (F.col("char_end") - F.col("char_start")).cast("long").alias("char"),
        _share_of_limit(profiles).alias("share"),
        "oversize",
        "cut",
    )
    groups = measured.groupBy("profile", "content_type", "source").agg(*_counts())
    added = [name for name in groups.columns if name not in ("profile", "content_type", "source")]
    each = groups.select(F.explode(scopes(sources)).alias("of"), *added)
    return each.groupBy("of.scope", "of.name").agg(*map(_added_up, added))


def _counts() -> list[Column]:
    share = F.col("share")
    sizes = [
        of_size(f"{size}").alias(f"{size}_{name}")
        for size in ("token", "char")
        for name, of_size in (("sum", F.sum), ("min", F.min), ("max", F.max))
    ]
    return [
        F.count("*").alias("chunk_count"),
        *sizes,
        # A sum of decimals does not depend on the order of the rows; one of doubles does, in the last digit.
        F.sum(share.cast("decimal(20,10)")).alias("share_sum"),
        F.count_if((share > 1) & ~F.col("oversize")).alias("over_limit"),
        F.count_if(share < TINY).alias("tiny"),
        *(F.count_if(F.col("cut") == cut).alias(f"cut_{cut}") for cut in CUTS),
    ]


def _added_up(name: str) -> Column:
    """The column of several groups as one."""
    together = {"min": F.min, "max": F.max}.get(name.rsplit("_", maxsplit=1)[-1], F.sum)
    return together(name).alias(name)


def _exact(tallies: DataFrame, sources: Sequence[str]) -> DataFrame:
    each = tallies.select(F.explode(scopes(sources)).alias("of"), "unit", "value", "chunk_count")
    shares = [p / 100 for p in PERCENTILES]
    found = (
        F.percentile(F.when(F.col("unit") == unit, F.col("value")), shares, F.col("chunk_count")).alias(name)
        for name, unit in zip(_PERCENTILES, HISTOGRAM_UNITS, strict=True)
    )
    return each.groupBy("of.scope", "of.name").agg(*found)


def _approximate(chunks: DataFrame, sources: Sequence[str]) -> DataFrame:
    sizes = (F.col("token_count"), F.col("char_end") - F.col("char_start"))
    named = [size.alias(name) for name, size in zip(_PERCENTILES, sizes, strict=True)]
    each = chunks.select(F.explode(scopes(sources)).alias("of"), *named)
    shares = [p / 100 for p in PERCENTILES]
    found = (F.percentile_approx(name, shares, ACCURACY).alias(name) for name in _PERCENTILES)
    return each.groupBy("of.scope", "of.name").agg(*found)


def _beside(rows: DataFrame, more: DataFrame) -> DataFrame:
    """Two tables of a row a scope as one; what is unknown is null."""
    columns = [name for name in more.columns if name not in ("scope", "name")]
    more = more.select(F.col("scope").alias("_scope"), F.col("name").alias("_name"), *columns)
    same = (F.col("scope") == F.col("_scope")) & F.col("name").eqNullSafe(F.col("_name"))
    return rows.join(more, same, "left").drop("_scope", "_name")


def _columns() -> dict[str, Column]:
    """The columns of `sizes` that are not yet there under their names."""
    chunks = F.col("chunk_count")
    percentiles = {
        f"{name.split('_')[0]}_p{percentile}": F.round(F.col(name)[place], DIGITS)
        for name in _PERCENTILES
        for place, percentile in enumerate(PERCENTILES)
    }
    return {
        **percentiles,
        "token_mean": F.col("token_sum") / chunks,
        "char_mean": F.col("char_sum") / chunks,
        "share_of_limit": F.col("share_sum").cast("double") / chunks,
        "cut_shares": _by_cut({cut: F.col(f"cut_{cut}") / chunks for cut in CUTS}),
        "forced_cuts": _by_cut({cut: F.col(f"cut_{cut}") for cut in FORCED_CUTS}),
        "duplicates": chunks - F.coalesce("firsts", F.lit(0)),
        "most_repeated": F.coalesce("most_repeated", F.lit(0)),
    }


def _by_cut(values: Mapping[str, Column]) -> Column:
    """A map without what does not occur."""
    pairs = [part for cut, value in values.items() for part in (F.lit(cut), value)]
    return F.map_filter(F.create_map(*pairs), lambda _, value: value > 0)


def _limit(settings: ChunkSettings) -> Column:
    """The limit of a profile's chunks; under `auto`, that of the strategy which was chosen for the document."""
    if settings.strategy != "auto":
        return F.lit(settings.limit)
    limits = F.create_map(*(F.lit(part) for pair in auto.limits(settings).items() for part in pair))
    return limits[F.col("strategy")]


def _share_of_limit(profiles: Mapping[str, ChunkSettings]) -> Column:
    """Size used / size allowed, both in the profile's unit."""
    limits = F.create_map(*(part for name, p in profiles.items() for part in (F.lit(name), _limit(p))))
    in_characters = [name for name, settings in profiles.items() if settings.unit == "characters"]
    used = F.when(F.col("profile").isin(in_characters), F.length("embed_text")).otherwise(F.col("token_count"))
    return used / limits[F.col("profile")]
