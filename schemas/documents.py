"""The table `documents`: one row for each document that has an id."""

from __future__ import annotations

from pyspark.sql.types import IntegerType, LongType, MapType, StringType, StructType

from schemas.fields import column

STATUSES = ("chunked", "empty", "rejected", "unchanged")

DOCUMENTS = StructType(
    [
        column("document_id", StringType(), "The source's id as a string; one row an id.", nullable=False),
        column("document_hash", StringType(), "SHA-256 (hex) of the canonical text in UTF-8; null if rejected."),
        column("config_hash", StringType(), "Fingerprint of the effective profile; null if no profile took it."),
        column("profile", StringType(), "The profile it was routed to; null if no rule matched."),
        column("status", StringType(), "chunked, empty, rejected or unchanged.", nullable=False),
        column("chunk_count", IntegerType(), "Rows of `chunks` that the document has.", nullable=False),
        column(
            "token_count", LongType(), "Sum of token_count over its chunks, overlaps counted twice.", nullable=False
        ),
        column("char_count", LongType(), "Unicode code points of the canonical text; null if rejected."),
        column("text", StringType(), "The canonical text, only where it differs from the source text."),
        column(
            "removed",
            MapType(StringType(), IntegerType()),
            "Code points that are in no chunk, by reason; empty if there are none; null if rejected.",
        ),
        column(
            "metadata",
            MapType(StringType(), StringType()),
            "What the text says of itself in its head (front matter, HTML's title and meta); null if rejected.",
        ),
    ]
)
