"""The histograms of the report: which are drawn, how far, and in how many bins.

A few huge chunks must neither flatten a chart nor fill the page: what lies far beyond the limit and the percentiles is
counted, not drawn, and what is drawn has a bounded number of bars.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jobs.finished_run import recorded_limit
from jobs.reporting.aggregates import with_columns
from jobs.reporting.figures import MARKED_PERCENTILES, size_chart
from schemas import HISTOGRAMS

# Profiles whose histograms are drawn.
SHOWN_PROFILES = 12

# More bars are too thin to be seen.
MOST_BARS = 96

# How far a chart goes beyond the last of its marks.
_MARGIN = 1.25


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram that is drawn: of all chunks, or of a profile.

    Attributes:
        row: of the table `sizes`.
        unit: tokens or characters.
        limits: of the profiles that count in this unit, in order.
        is_nominal: no profile of it sets its size: `auto` chooses.
    """

    row: Mapping[str, Any]
    unit: str
    limits: Sequence[int]
    is_nominal: bool

    @property
    def marks(self) -> dict[str, float]:
        """The percentiles that are marked."""
        return {f"p{p}": self.row[f"{self._of}_p{p}"] for p in MARKED_PERCENTILES}

    @property
    def largest(self) -> int:
        """The size of the largest chunk."""
        return int(self.row[f"{self._of}_max"])

    @property
    def reach(self) -> int:
        """Where the chart ends: every bin that begins before is drawn."""
        return math.ceil(_MARGIN * max([*self.limits, *self.marks.values()]))

    @property
    def shown_limits(self) -> Sequence[int]:
        """The limits that are drawn: several only make sense where they are those of a profile."""
        return self.limits if self.row["scope"] == "profile" or len(self.limits) == 1 else []

    @property
    def _of(self) -> str:
        return "char" if self.unit == "characters" else "token"


def histograms(
    table: DataFrame, sizes: Sequence[Mapping[str, Any]], profiles: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """A chart for all chunks and for each of the largest profiles, with what stands beside it.

    Args:
        table: `histograms`.
        sizes: the rows of `sizes` that are shown.
        profiles: the settings of each profile, as in run.json.
    """
    of_profiles = [row for row in sizes if row["scope"] == "profile"]
    # One profile is all there is: the same chart twice tells nothing.
    overall = [row for row in sizes if row["scope"] == "overall"] if len(of_profiles) != 1 else []
    settings = {row["name"]: profiles.get(row["name"], {}) for row in of_profiles}
    drawn = [_histogram(row, settings) for row in [*overall, *of_profiles[:SHOWN_PROFILES]]]
    bins = drawn_bins(table, drawn)
    return [_shown(histogram, bins[place], f"sizes-{place}") for place, histogram in enumerate(drawn)]


def drawn_bins(table: DataFrame, drawn: Sequence[Histogram]) -> list[list[dict[str, Any]]]:
    """The bins of each histogram up to its reach, joined where they would be too many, in order."""
    whole = with_columns(table, HISTOGRAMS)
    parts = [whole.where(_is_of(histogram)).withColumn("place", F.lit(place)) for place, histogram in enumerate(drawn)]
    near = functools.reduce(DataFrame.unionByName, parts)
    of_one = Window.partitionBy("place")
    width = F.max(F.col("bin_end") - F.col("bin_start")).over(of_one)
    near = near.withColumns({"top": F.max("bin_end").over(of_one), "width": width})
    # Counted from the top, as bins are, so that joined ones are as wide as each other.
    near = near.withColumn("width", F.col("width") * F.ceil(F.col("top") / F.col("width") / MOST_BARS))
    steps = F.floor((F.col("top") - F.col("bin_end")) / F.col("width"))
    end = (F.col("top") - steps * F.col("width")).alias("bin_end")
    joined = near.groupBy("place", end).agg(F.max("width").alias("width"), F.sum("chunk_count").alias("chunk_count"))
    start = F.greatest(F.col("bin_end") - F.col("width"), F.lit(0)).alias("bin_start")
    rows = joined.select("place", start, "bin_end", "chunk_count").orderBy("place", "bin_end").collect()
    bins: list[list[dict[str, Any]]] = [[] for _ in drawn]
    for row in rows:  # at most `MOST_BARS` and a few for each histogram
        bins[row["place"]].append(row.asDict())
    return bins


def _histogram(row: Mapping[str, Any], settings: Mapping[str, Mapping[str, Any]]) -> Histogram:
    own = [settings.get(row["name"], {})] if row["scope"] == "profile" else list(settings.values())
    unit = "characters" if all(profile.get("unit") == "characters" for profile in own) else "tokens"
    limits = {recorded_limit(profile) for profile in own if profile.get("unit", unit) == unit}
    return Histogram(row, unit, sorted(limits), all("size" not in profile for profile in own))


def _is_of(histogram: Histogram) -> Column:
    row = histogram.row
    named: Column = F.col("name").eqNullSafe(F.lit(row["name"]).cast("string"))
    own: Column = (F.col("scope") == row["scope"]) & named & (F.col("unit") == histogram.unit)
    return own & (F.col("bin_start") < histogram.reach)


def _shown(histogram: Histogram, bins: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    marks, unit = histogram.marks, histogram.unit
    chunks = histogram.row["chunk_count"]
    return {
        "name": histogram.row["name"],
        "chunks": chunks,
        "unit": unit,
        "marks": marks,
        "max": histogram.largest,
        "beyond": chunks - sum(line["chunk_count"] for line in bins) if bins else 0,
        "limits": histogram.limits,
        "is_nominal": histogram.is_nominal,
        "chart": size_chart(bins, marks, histogram.shown_limits, unit, name) if bins else None,
    }
