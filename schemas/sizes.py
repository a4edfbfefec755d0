"""The table `sizes`: how large the chunks came out, for all of them, by profile, by content type and by source."""

from __future__ import annotations

from pyspark.sql.types import DoubleType, IntegerType, LongType, MapType, StringType, StructField, StructType

from schemas.fields import column

SCOPES = ("overall", "profile", "content_type", "source")

# Kinds of cuts that were forced: within a sentence, for want of a better place. See `CUTS`.
FORCED_CUTS = ("clause", "word", "grapheme")
PERCENTILES = (5, 25, 50, 75, 90, 95, 99)


def _measures(of: str, unit: str) -> list[StructField]:
    percentiles = [
        column(f"{of}_p{p}", DoubleType(), f"{p} % of the chunks hold at most so many {unit}.") for p in PERCENTILES
    ]
    return [
        column(f"{of}_mean", DoubleType(), f"Mean {unit} of a chunk."),
        column(f"{of}_min", LongType(), f"{unit.capitalize()} of the smallest chunk."),
        *percentiles,
        column(f"{of}_max", LongType(), f"{unit.capitalize()} of the largest chunk."),
    ]


SIZES = StructType(
    [
        column("scope", StringType(), f"What the row sums up: {', '.join(SCOPES)}.", nullable=False),
        column(
            "name", StringType(), "The profile, content type or source; null for overall and an unknown content type."
        ),
        column("chunk_count", LongType(), "How many chunks the row sums up.", nullable=False),
        *_measures("token", "tokens"),
        *_measures("char", "code points"),
        column("share_of_limit", DoubleType(), "Mean of size used / size allowed, in the profile's unit: 0 to 1."),
        column("over_limit", LongType(), "Chunks larger than the limit, oversize graphemes apart. Must be 0."),
        column("tiny", LongType(), "Chunks under a tenth of the limit."),
        column("cut_shares", MapType(StringType(), DoubleType()), "Share of the chunks that end at each kind of cut."),
        column(
            "forced_cuts",
            MapType(StringType(), LongType()),
            f"Chunks that end within a sentence, by kind of cut: {', '.join(FORCED_CUTS)}.",
        ),
        column(
            "duplicates", LongType(), "Chunks whose embed_text an earlier chunk of the run has (by document_id, index)."
        ),
        column(
            "most_repeated",
            LongType(),
            "How many chunks of the run share the commonest embed_text of those whose first chunk is here.",
        ),
        column("percentile_method", StringType(), "exact (interpolated), or approximate (a value of the data)."),
        column(
            "percentile_accuracy", IntegerType(), "For approximate: the relative rank error is 1 / this; else null."
        ),
    ]
)
