"""The table `histograms`: how many chunks are of which size, beside the percentiles of `sizes`."""

from __future__ import annotations

from pyspark.sql.types import LongType, StringType, StructType

from schemas.fields import column

# What a histogram counts in.
HISTOGRAM_UNITS = ("tokens", "characters")

# So many bins from nothing to the limit.
HISTOGRAM_BINS = 32

HISTOGRAMS = StructType(
    [
        column("scope", StringType(), "What is counted, as in `sizes`.", nullable=False),
        column("name", StringType(), "As in `sizes`."),
        column("unit", StringType(), f"What the bins are of: {', '.join(HISTOGRAM_UNITS)}.", nullable=False),
        column(
            "bin_start",
            LongType(),
            "The chunks counted here are larger than this; those of no tokens are in the lowest bin.",
            nullable=False,
        ),
        column("bin_end", LongType(), "They are at most so large; the limit is such an end.", nullable=False),
        column("chunk_count", LongType(), "How many they are; bins without a chunk have no row.", nullable=False),
    ]
)
