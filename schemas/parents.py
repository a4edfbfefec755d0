"""The table `parents`: the larger texts that small chunks point to (strategy parent_child)."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, IntegerType, StringType, StructType

from schemas.fields import column

PARENTS = StructType(
    [
        column("parent_id", StringType(), "Identity of this parent within its document.", nullable=False),
        column("document_id", StringType(), "The document that the parent is a part of.", nullable=False),
        column("text", StringType(), "Exactly canonical_text[char_start:char_end].", nullable=False),
        column("char_start", IntegerType(), "First Unicode code point of the canonical text.", nullable=False),
        column("char_end", IntegerType(), "One past the last code point of the canonical text.", nullable=False),
        column("token_count", IntegerType(), "Tokens of text in the profile's tokenizer, exact.", nullable=False),
        column("section", ArrayType(StringType()), "Heading path in force at the parent's start; empty if none."),
        column("page_start", IntegerType(), "Page of the first code point that is not blank; null without pages."),
        column("page_end", IntegerType(), "Page of the last code point that is not blank; null without pages."),
    ]
)
