"""The table `chunks`: one row a chunk, ready to embed."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql.types import ArrayType, BooleanType, IntegerType, StringType, StructField, StructType

from schemas.fields import column

CHUNKS = StructType(
    [
        column(
            "chunk_id",
            StringType(),
            "SHA-256 (hex) of document_id, content_hash and the occurrence number among equal embed_texts of the "
            "document. Stable over runs, partitions, engine versions and edits elsewhere in the document.",
            nullable=False,
        ),
        column("document_id", StringType(), "The document that the chunk is a part of.", nullable=False),
        column("chunk_index", IntegerType(), "0..n-1 in reading order.", nullable=False),
        column("text", StringType(), "Exactly canonical_text[char_start:char_end].", nullable=False),
        column(
            "embed_text",
            StringType(),
            "What is to be embedded: context (heading path, repeated table header, list intro), then text.",
            nullable=False,
        ),
        column("token_count", IntegerType(), "Tokens of embed_text in the profile's tokenizer, exact.", nullable=False),
        column("char_start", IntegerType(), "First Unicode code point of the canonical text.", nullable=False),
        column("char_end", IntegerType(), "One past the last code point of the canonical text.", nullable=False),
        column("page_start", IntegerType(), "Page of the chunk's first code point that is not blank; null: no pages."),
        column("page_end", IntegerType(), "Page of the chunk's last code point that is not blank; null: no pages."),
        column("section", ArrayType(StringType()), "Heading path in force at the chunk's start; empty if none."),
        column("kind", StringType(), "What the chunk is made of: prose, code, table, list, mixed.", nullable=False),
        column(
            "cut",
            StringType(),
            "Quality of the cut that ends the chunk: end, heading, block, paragraph, line, sentence, clause, word, "
            "grapheme.",
            nullable=False,
        ),
        column("oversize", BooleanType(), "True only where one single grapheme exceeds the limit.", nullable=False),
        column("parent_id", StringType(), "The row of `parents` that holds the chunk; null without parents."),
        column("content_hash", StringType(), "SHA-256 (hex) of embed_text in UTF-8.", nullable=False),
        column("document_hash", StringType(), "SHA-256 (hex) of the canonical text in UTF-8.", nullable=False),
        column(
            "config_hash", StringType(), "Fingerprint of the effective profile, tokenizer included.", nullable=False
        ),
        column("duplicate_of", StringType(), "chunk_id of the kept twin; null for a chunk that is kept."),
        column("profile", StringType(), "The profile that the document was routed to.", nullable=False),
        column("strategy", StringType(), "The strategy of that profile; under auto, the one chosen.", nullable=False),
        column("content_type", StringType(), "As in the source; null where the input has none."),
        column("title", StringType(), "As in the source; null where the input has none."),
        column("source", StringType(), "As in the source; null where the input has none."),
    ]
)


# Stands behind the fixed columns where a profile says `parents: inline`.
PARENT_TEXT = column("parent_text", StringType(), "The text of the parent; null for chunks without one.")


def chunks_with(carried: Iterable[StructField], *, parent_text: bool = False) -> StructType:
    """The schema of `chunks` with the carried columns behind the fixed ones, types as in the source.

    Args:
        carried: the columns of the source that are copied.
        parent_text: some profile puts the texts of parents on its chunks.
    """
    return StructType([*CHUNKS.fields, *([PARENT_TEXT] if parent_text else []), *carried])
