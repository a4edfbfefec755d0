"""The table `rejects`: one row for each input row that was not chunked, with the reason."""

from __future__ import annotations

from pyspark.sql.types import StringType, StructType

from schemas.fields import column

# The only reasons there are, each with what it means and what to do.
REASONS = {
    "missing_id": "The id is null or blank. Give the row an id at the source.",
    "duplicate_id": "Another row with this id was kept. Make ids unique at the source.",
    "null_text": "The text is null. Repair the extraction, or leave the row out.",
    "invalid_utf8": "The id or the text is not valid UTF-8. Decode it with its real encoding at the source.",
    "too_large": "The text is larger than input.max_document_bytes. Split it, or raise the bound.",
    "no_profile": "No routing rule matched. End the rules with one that has no `when`.",
    "chunking_failed": "The engine raised an error on this document; `detail` holds it.",
}

REJECTS = StructType(
    [
        column("document_id", StringType(), "The source's id as a string; null if it is missing."),
        column("reason", StringType(), f"One of: {', '.join(REASONS)}.", nullable=False),
        column("detail", StringType(), "The facts of this case, at most 300 characters."),
    ]
)
